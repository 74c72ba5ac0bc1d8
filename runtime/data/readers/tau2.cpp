// tau2-bench simulations: {id, task_id, messages: [...], ...}; the calls expected are those of the task's
// evaluation_criteria.actions that are the agent's to make.
#include "runtime/data/readers/tau2.h"

#include <string>

#include "runtime/data/readers/messages.h"

namespace wend {
namespace {

class Tau2Reader : public RecordReader {
 public:
  Tau2Reader(BatchBuilder& builder, const Tau2Sidecar& sidecar) : b_(builder), sidecar_(sidecar), messages_(builder) {}

  bool Read(Cursor cursor, const RecordPlace& place) override {
    std::string id, task;
    bool has_messages = false;
    if (!cursor.EnterObject()) return b_.Fail("", cursor.error());
    for (std::string_view key; cursor.NextField(key);) {
      if (key == "id" || key == "task_id") {
        const std::string_view text = cursor.peek() == '"' ? cursor.String(text_) : cursor.Raw();
        (key == "id" ? id : task) = text;
      } else if (key == "messages") {
        has_messages = true;
        if (!messages_.ReadMessages(cursor, {.tau2 = true})) {
          b_.Within("messages");
          return false;
        }
      } else {
        cursor.Skip();
      }
    }
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    cursor.End();
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    if (!has_messages) return b_.Fail("messages", "the key is missing");
    b_.SetId(id.empty() || id == "null" ? PlaceName(sidecar_, place) : id);
    if (!UseSharedPool(b_, sidecar_)) return false;
    const auto known = sidecar_.actions.find(task);
    return known == sidecar_.actions.end() || ReadActions(known->second);
  }

 private:
  bool ReadActions(const std::string& json) {
    if (const char* cause = index_.Build(buffer_.Copy(json))) return b_.Fail("tasks", cause);
    Cursor cursor = index_.All();
    b_.AddCaps(WEND_CAP_GOLD);
    cursor.EnterArray();
    for (size_t i = 0; cursor.NextElement(); ++i) {
      if (!ReadAction(cursor)) {
        b_.Within("evaluation_criteria.actions[" + std::to_string(i) + "]");
        return false;
      }
      cursor.Skip();
    }
    return cursor.ok() || b_.Fail("evaluation_criteria.actions", cursor.error());
  }

  bool ReadAction(const Cursor& cursor) {
    Cursor requestor, name, arguments;
    if (MessageReader::Find(cursor, "requestor", requestor) && requestor.peek() == '"' &&
        requestor.String(text_) == "user") {
      return true;
    }
    if (!MessageReader::Find(cursor, "name", name)) return b_.Fail("name", "an expected call has no name");
    const std::string_view called = name.String(text_);
    if (!name.ok()) return b_.Fail("name", name.error());
    if (!b_.StartCall(called, true)) return false;
    if (MessageReader::Find(cursor, "arguments", arguments) && !messages_.ReadArguments(arguments)) return false;
    b_.EndCall();
    return true;
  }

  BatchBuilder& b_;
  const Tau2Sidecar& sidecar_;
  MessageReader messages_;
  PaddedBuffer text_, buffer_;
  JsonIndex index_;
};

}  // namespace

std::unique_ptr<RecordReader> MakeTau2Reader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<Tau2Reader>(builder, static_cast<const Tau2Sidecar&>(sidecar));
}

}  // namespace wend
