// tau-bench runs: {task_id, reward, info: {task: {actions: [{name, kwargs}], ...}}, traj: [messages], trial}.
#include <string>

#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/record_reader.h"

namespace wend {
namespace {

class TauReader : public RecordReader {
 public:
  TauReader(BatchBuilder& builder, const Sidecar& sidecar) : b_(builder), sidecar_(sidecar), messages_(builder) {}

  bool Read(Cursor cursor, const RecordPlace& place) override {
    std::string task, trial;
    bool has_messages = false;
    if (!cursor.EnterObject()) return b_.Fail("", cursor.error());
    for (std::string_view key; cursor.NextField(key);) {
      if (key == "task_id") {
        task = ReadIdPart(cursor);
      } else if (key == "trial") {
        trial = ReadIdPart(cursor);
      } else if (key == "info") {
        if (!ReadInfo(cursor)) return false;
      } else if (key == "traj") {
        has_messages = true;
        if (!messages_.ReadMessages(cursor, {})) {
          b_.Within("traj");
          return false;
        }
      } else {
        cursor.Skip();
      }
    }
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    cursor.End();
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    if (!has_messages) return b_.Fail("traj", "the key is missing");
    if (task.empty()) {
      b_.SetId(PlaceName(sidecar_, place));
    } else {
      b_.SetId(trial.empty() ? task : task + "/" + trial);
    }
    return UseSharedPool(b_, sidecar_);
  }

 private:
  std::string ReadIdPart(Cursor& cursor) {
    if (cursor.peek() == '"') return std::string(cursor.String(text_));
    const std::string_view raw = cursor.Raw();
    return raw == "null" ? std::string() : std::string(raw);
  }

  // info.task.actions: the calls expected in the whole run. A run that broke off has an error there instead.
  bool ReadInfo(Cursor& cursor) {
    Cursor task, actions;
    if (MessageReader::Find(cursor, "task", task) && MessageReader::Find(task, "actions", actions) && !actions.Null()) {
      b_.AddCaps(WEND_CAP_GOLD);
      actions.EnterArray();
      for (size_t i = 0; actions.NextElement(); ++i) {
        if (!ReadAction(actions)) {
          b_.Within("info.task.actions[" + std::to_string(i) + "]");
          return false;
        }
      }
      if (!actions.ok()) return b_.Fail("info.task.actions", actions.error());
    }
    cursor.Skip();
    return cursor.ok() || b_.Fail("info", cursor.error());
  }

  bool ReadAction(Cursor& cursor) {
    Cursor found[3];
    cursor.Collect({"name", "kwargs", "arguments"}, found);
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    Cursor& name = found[0];
    if (!name.given()) return b_.Fail("name", "an expected call has no name");
    const std::string_view called = name.String(text_);
    if (!name.ok()) return b_.Fail("name", name.error());
    if (!b_.StartCall(called, true)) return false;
    Cursor& arguments = found[1].given() ? found[1] : found[2];
    if (arguments.given() && !messages_.ReadArguments(arguments)) return false;
    b_.EndCall();
    return true;
  }

  BatchBuilder& b_;
  const Sidecar& sidecar_;
  MessageReader messages_;
  PaddedBuffer text_;
};

}  // namespace

std::unique_ptr<RecordReader> MakeTauReader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<TauReader>(builder, sidecar);
}

}  // namespace wend
