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

  bool read(Cursor cursor, const RecordPlace& place) override {
    std::string id, task;
    bool has_messages = false;
    if (!cursor.enter_object()) return b_.fail("", cursor.error());
    for (std::string_view key; cursor.next_field(key);) {
      if (key == "id" || key == "task_id") {
        const std::string_view text = cursor.peek() == '"' ? cursor.string(text_) : cursor.raw();
        (key == "id" ? id : task) = text;
      } else if (key == "messages") {
        has_messages = true;
        if (!messages_.read_messages(cursor, {.tau2 = true})) {
          b_.Within("messages");
          return false;
        }
      } else {
        cursor.skip();
      }
    }
    if (!cursor.ok()) return b_.fail("", cursor.error());
    cursor.end();
    if (!cursor.ok()) return b_.fail("", cursor.error());
    if (!has_messages) return b_.fail("messages", "the key is missing");
    b_.set_id(id.empty() || id == "null" ? place_name(sidecar_, place) : id);
    if (!use_shared_pool(b_, sidecar_)) return false;
    const auto known = sidecar_.actions.find(task);
    return known == sidecar_.actions.end() || read_actions(known->second);
  }

 private:
  bool read_actions(const std::string& json) {
    if (const char* cause = index_.build(buffer_.copy(json))) return b_.fail("tasks", cause);
    Cursor cursor = index_.all();
    b_.add_caps(WEND_CAP_GOLD);
    cursor.enter_array();
    for (size_t i = 0; cursor.next_element(); ++i) {
      if (!read_action(cursor)) {
        b_.Within("evaluation_criteria.actions[" + std::to_string(i) + "]");
        return false;
      }
      cursor.skip();
    }
    return cursor.ok() || b_.fail("evaluation_criteria.actions", cursor.error());
  }

  bool read_action(const Cursor& cursor) {
    Cursor requestor, name, arguments;
    if (MessageReader::find(cursor, "requestor", requestor) && requestor.peek() == '"' &&
        requestor.string(text_) == "user") {
      return true;
    }
    if (!MessageReader::find(cursor, "name", name)) return b_.fail("name", "an expected call has no name");
    const std::string_view called = name.string(text_);
    if (!name.ok()) return b_.fail("name", name.error());
    if (!b_.start_call(called, true)) return false;
    if (MessageReader::find(cursor, "arguments", arguments) && !messages_.read_arguments(arguments)) return false;
    b_.end_call();
    return true;
  }

  BatchBuilder& b_;
  const Tau2Sidecar& sidecar_;
  MessageReader messages_;
  PaddedBuffer text_, buffer_;
  JsonIndex index_;
};

}  // namespace

std::unique_ptr<RecordReader> make_tau2_reader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<Tau2Reader>(builder, static_cast<const Tau2Sidecar&>(sidecar));
}

}  // namespace wend
