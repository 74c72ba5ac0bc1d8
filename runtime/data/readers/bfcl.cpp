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

  bool Read(Cursor cursor, const RecordPlace& place) override {
    Cursor id, question;
    if (cursor.peek() != '{') return b_.Fail("", "an object was expected");
    if (!MessageReader::Find(cursor, "question", question)) return b_.Fail("question", "the key is missing");
    if (MessageReader::Find(cursor, "id", id)) {
      id_ = id.peek() == '"' ? id.String(text_) : id.Raw();
      if (!id.ok()) return b_.Fail("id", id.error());
    } else {
      id_ = PlaceName(sidecar_, place);
    }
    b_.SetId(id_);
    functions_.clear();
    if (!ReadPool(cursor)) return false;
    if (!ReadQuestion(question)) {
      b_.Within("question");
      return false;
    }
    cursor.Skip();
    if (cursor.ok()) cursor.End();
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    const auto answer = sidecar_.answers.find(id_);
    return answer == sidecar_.answers.end() || gold_.Read(answer->second, turns_, functions_);
  }

 private:
  bool ReadPool(const Cursor& record) {
    Cursor function, classes;
    if (MessageReader::Find(record, "function", function) && !function.Null()) {
      wend_span pool;
      if (function.peek() == '{') {
        const uint32_t begin = b_.pools().BeginPool();
        b_.pools().ReadTool(function);
        pool = b_.pools().EndPool(begin);
      } else {
        pool = b_.pools().Read(function);
      }
      if (!function.ok()) return b_.Fail(b_.pools().FailedKey("function"), function.error());
      b_.SetPool(pool);
      return true;
    }
    if (MessageReader::Find(record, "involved_classes", classes) && classes.peek() == '[') {
      return ReadServices(record, classes);
    }
    return UseSharedPool(b_, sidecar_);
  }

  // The pool of a multi-turn question: all that its services offer, but for what the question withholds for good.
  bool ReadServices(const Cursor& record, Cursor& classes) {
    Cursor excluded, list = classes;
    const bool excludes = MessageReader::Find(record, "excluded_function", excluded) && excluded.peek() == '[';
    Cursor excluded_list = excluded;
    std::string key("services ");
    key += list.Raw();
    if (excludes) key += excluded_list.Raw();
    std::vector<std::string> without;
    if (excludes) {
      excluded.EnterArray();
      while (excluded.NextElement()) without.emplace_back(excluded.String(text_));
      if (!excluded.ok()) return b_.Fail("excluded_function", excluded.error());
    }
    bool known = true;
    classes.EnterArray();
    while (classes.NextElement()) {
      const auto service = sidecar_.services.find(std::string(classes.String(text_)));
      known = known && service != sidecar_.services.end();
      if (service == sidecar_.services.end()) continue;
      for (const BfclFunction& function : service->second) {
        if (std::find(without.begin(), without.end(), function.name) == without.end()) functions_.push_back(&function);
      }
    }
    if (!classes.ok()) return b_.Fail("involved_classes", classes.error());
    return !known || UsePool(key);
  }

  bool UsePool(const std::string& key) {
    wend_span pool;
    if (!b_.pools().Find(key, pool)) {
      const uint32_t begin = b_.pools().BeginPool();
      for (const BfclFunction* function : functions_) {
        if (const char* cause = index_.Build(buffer_.Copy(function->json))) return b_.Fail("involved_classes", cause);
        Cursor tool = index_.All();
        b_.pools().ReadTool(tool);
        if (!tool.ok()) return b_.Fail("involved_classes", tool.error());
      }
      pool = b_.pools().EndPool(begin);
      b_.pools().Remember(key, pool);
    }
    b_.SetPool(pool);
    return true;
  }

  bool ReadQuestion(Cursor& cursor) {
    turns_.clear();
    const auto result = sidecar_.results.find(id_);
    if (result != sidecar_.results.end() && !b_.play_gold() && !results_.Load(result->second)) return false;
    const bool answered = result != sidecar_.results.end() && !b_.play_gold();
    Cursor first = cursor;
    if (!first.EnterArray()) return b_.Fail("", "a list of turns was expected");
    if (first.NextElement() && first.peek() == '{') return ReadTurn(cursor, answered);  // one turn, not nested
    cursor.EnterArray();
    for (size_t i = 0; cursor.NextElement(); ++i) {
      if (!ReadTurn(cursor, answered)) {
        b_.Within("[" + std::to_string(i) + "]");
        return false;
      }
    }
    return cursor.ok() || b_.Fail("", cursor.error());
  }

  // A turn without a user message is one in which a tool was added and the user says nothing.
  bool ReadTurn(Cursor& cursor, bool answered) {
    Cursor probe = cursor;
    bool user = false;
    probe.EnterArray();
    while (probe.NextElement()) {
      Cursor role;
      if (MessageReader::Find(probe, "role", role) && role.peek() == '"' && role.String(text_) == "user") user = true;
      probe.Skip();
    }
    if (!user && !b_.StartTurn()) return false;
    if (!messages_.ReadMessages(cursor, {})) return false;
    turns_.push_back(b_.turns());
    return !answered || results_.Answer(turns_.size() - 1, functions_);
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

std::unique_ptr<RecordReader> MakeBfclReader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<BfclReader>(builder, static_cast<const BfclSidecar&>(sidecar));
}

}  // namespace wend
