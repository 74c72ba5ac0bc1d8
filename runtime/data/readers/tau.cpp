// tau-bench runs: {task_id, reward, info: {task: {actions: [{name, kwargs}], ...}}, traj: [messages], trial}.
#include <string>

#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/record_reader.h"

namespace wend {
namespace {

class TauReader : public RecordReader {
 public:
  TauReader(BatchBuilder& builder, const Sidecar& sidecar) : b_(builder), sidecar_(sidecar), messages_(builder) {}

  bool read(Cursor cursor, const RecordPlace& place) override {
    std::string task, trial;
    bool has_messages = false;
    if (!cursor.enter_object()) return b_.fail("", cursor.error());
    for (std::string_view key; cursor.next_field(key);) {
      if (key == "task_id") {
        task = read_id_part(cursor);
      } else if (key == "trial") {
        trial = read_id_part(cursor);
      } else if (key == "info") {
        if (!read_info(cursor)) return false;
      } else if (key == "traj") {
        has_messages = true;
        if (!messages_.read_messages(cursor, {})) {
          b_.Within("traj");
          return false;
        }
      } else {
        cursor.skip();
      }
    }
    if (!cursor.ok()) return b_.fail("", cursor.error());
    cursor.end();
    if (!cursor.ok()) return b_.fail("", cursor.error());
    if (!has_messages) return b_.fail("traj", "the key is missing");
    if (task.empty()) {
      b_.set_id(place_name(sidecar_, place));
    } else {
      b_.set_id(trial.empty() ? task : task + "/" + trial);
    }
    return use_shared_pool(b_, sidecar_);
  }

 private:
  std::string read_id_part(Cursor& cursor) {
    if (cursor.peek() == '"') return std::string(cursor.string(text_));
    const std::string_view raw = cursor.raw();
    return raw == "null" ? std::string() : std::string(raw);
  }

  // info.task.actions: the calls expected in the whole run. A run that broke off has an error there instead.
  bool read_info(Cursor& cursor) {
    Cursor task, actions;
    if (MessageReader::find(cursor, "task", task) && MessageReader::find(task, "actions", actions) && !actions.null()) {
      b_.add_caps(WEND_CAP_GOLD);
      actions.enter_array();
      for (size_t i = 0; actions.next_element(); ++i) {
        if (!read_action(actions)) {
          b_.Within("info.task.actions[" + std::to_string(i) + "]");
          return false;
        }
      }
      if (!actions.ok()) return b_.fail("info.task.actions", actions.error());
    }
    cursor.skip();
    return cursor.ok() || b_.fail("info", cursor.error());
  }

  bool read_action(Cursor& cursor) {
    Cursor found[3];
    cursor.collect({"name", "kwargs", "arguments"}, found);
    if (!cursor.ok()) return b_.fail("", cursor.error());
    Cursor& name = found[0];
    if (!name.given()) return b_.fail("name", "an expected call has no name");
    const std::string_view called = name.string(text_);
    if (!name.ok()) return b_.fail("name", name.error());
    if (!b_.start_call(called, true)) return false;
    Cursor& arguments = found[1].given() ? found[1] : found[2];
    if (arguments.given() && !messages_.read_arguments(arguments)) return false;
    b_.end_call();
    return true;
  }

  BatchBuilder& b_;
  const Sidecar& sidecar_;
  MessageReader messages_;
  PaddedBuffer text_;
};

}  // namespace

std::unique_ptr<RecordReader> make_tau_reader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<TauReader>(builder, sidecar);
}

}  // namespace wend
