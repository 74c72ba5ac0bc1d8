// BFCL questions: {id, question: [[message, ...], ...], function: [...]} or, multi-turn, {..., involved_classes}.
// Gold comes from possible_answer/, the response (if any) from a results file.
#include "runtime/data/readers/bfcl.h"

#include <algorithm>
#include <string>

#include "runtime/data/readers/bfcl_gold.h"
#include "runtime/data/readers/bfcl_results.h"
#include "runtime/data/readers/messages.h"

namespace wend {
namespace {

class BfclReader : public RecordReader {
 public:
  BfclReader(BatchBuilder& builder, const BfclSidecar& sidecar)
      : b_(builder), sidecar_(sidecar), messages_(builder), gold_(builder), results_(builder, messages_, gold_) {}

  bool read(Cursor cursor, const RecordPlace& place) override {
    Cursor id, question;
    if (cursor.peek() != '{') return b_.fail("", "an object was expected");
    if (!MessageReader::find(cursor, "question", question)) return b_.fail("question", "the key is missing");
    if (MessageReader::find(cursor, "id", id)) {
      id_ = id.peek() == '"' ? id.string(text_) : id.raw();
      if (!id.ok()) return b_.fail("id", id.error());
    } else {
      id_ = place_name(sidecar_, place);
    }
    b_.set_id(id_);
    functions_.clear();
    if (!read_pool(cursor)) return false;
    if (!read_question(question)) {
      b_.Within("question");
      return false;
    }
    cursor.skip();
    if (cursor.ok()) cursor.end();
    if (!cursor.ok()) return b_.fail("", cursor.error());
    const auto answer = sidecar_.answers.find(id_);
    return answer == sidecar_.answers.end() || gold_.read(answer->second, turns_, functions_);
  }

 private:
  bool read_pool(const Cursor& record) {
    Cursor function, classes;
    if (MessageReader::find(record, "function", function) && !function.null()) {
      wend_span pool;
      if (function.peek() == '{') {
        const uint32_t begin = b_.pools().begin_pool();
        b_.pools().read_tool(function);
        pool = b_.pools().end_pool(begin);
      } else {
        pool = b_.pools().read(function);
      }
      if (!function.ok()) return b_.fail(b_.pools().failed_key("function"), function.error());
      b_.set_pool(pool);
      return true;
    }
    if (MessageReader::find(record, "involved_classes", classes) && classes.peek() == '[') {
      return read_services(record, classes);
    }
    return use_shared_pool(b_, sidecar_);
  }

  // The pool of a multi-turn question: all that its services offer, but for what the question withholds for good.
  bool read_services(const Cursor& record, Cursor& classes) {
    Cursor excluded, list = classes;
    const bool excludes = MessageReader::find(record, "excluded_function", excluded) && excluded.peek() == '[';
    Cursor excluded_list = excluded;
    std::string key("services ");
    key += list.raw();
    if (excludes) key += excluded_list.raw();
    std::vector<std::string> without;
    if (excludes) {
      excluded.enter_array();
      while (excluded.next_element()) without.emplace_back(excluded.string(text_));
      if (!excluded.ok()) return b_.fail("excluded_function", excluded.error());
    }
    bool known = true;
    classes.enter_array();
    while (classes.next_element()) {
      const auto service = sidecar_.services.find(std::string(classes.string(text_)));
      known = known && service != sidecar_.services.end();
      if (service == sidecar_.services.end()) continue;
      for (const BfclFunction& function : service->second) {
        if (std::find(without.begin(), without.end(), function.name) == without.end()) functions_.push_back(&function);
      }
    }
    if (!classes.ok()) return b_.fail("involved_classes", classes.error());
    return !known || use_pool(key);
  }

  bool use_pool(const std::string& key) {
    wend_span pool;
    if (!b_.pools().find(key, pool)) {
      const uint32_t begin = b_.pools().begin_pool();
      for (const BfclFunction* function : functions_) {
        if (const char* cause = index_.build(buffer_.copy(function->json))) return b_.fail("involved_classes", cause);
        Cursor tool = index_.all();
        b_.pools().read_tool(tool);
        if (!tool.ok()) return b_.fail("involved_classes", tool.error());
      }
      pool = b_.pools().end_pool(begin);
      b_.pools().remember(key, pool);
    }
    b_.set_pool(pool);
    return true;
  }

  bool read_question(Cursor& cursor) {
    turns_.clear();
    const auto result = sidecar_.results.find(id_);
    if (result != sidecar_.results.end() && !b_.play_gold() && !results_.load(result->second)) return false;
    const bool answered = result != sidecar_.results.end() && !b_.play_gold();
    Cursor first = cursor;
    if (!first.enter_array()) return b_.fail("", "a list of turns was expected");
    if (first.next_element() && first.peek() == '{') return read_turn(cursor, answered);  // one turn, not nested
    cursor.enter_array();
    for (size_t i = 0; cursor.next_element(); ++i) {
      if (!read_turn(cursor, answered)) {
        b_.Within("[" + std::to_string(i) + "]");
        return false;
      }
    }
    return cursor.ok() || b_.fail("", cursor.error());
  }

  // A turn without a user message is one in which a tool was added and the user says nothing.
  bool read_turn(Cursor& cursor, bool answered) {
    Cursor probe = cursor;
    bool user = false;
    probe.enter_array();
    while (probe.next_element()) {
      Cursor role;
      if (MessageReader::find(probe, "role", role) && role.peek() == '"' && role.string(text_) == "user") user = true;
      probe.skip();
    }
    if (!user && !b_.start_turn()) return false;
    if (!messages_.read_messages(cursor, {})) return false;
    turns_.push_back(b_.turns());
    return !answered || results_.answer(turns_.size() - 1, functions_);
  }

  BatchBuilder& b_;
  const BfclSidecar& sidecar_;
  MessageReader messages_;
  BfclGold gold_;
  BfclResults results_;
  std::string id_;
  std::vector<uint32_t> turns_;
  std::vector<const BfclFunction*> functions_;
  PaddedBuffer text_, buffer_;
  JsonIndex index_;
};

}  // namespace

std::unique_ptr<RecordReader> make_bfcl_reader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<BfclReader>(builder, static_cast<const BfclSidecar&>(sidecar));
}

}  // namespace wend
