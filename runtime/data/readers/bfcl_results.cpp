#include "runtime/data/readers/bfcl_results.h"

#include <optional>

namespace wend {
namespace {

// The calls in "[a(x=1), b()]", "a(x=1)" or "a(x=1), b()": the texts between top-level commas; nothing if the text is
// not a list of calls.
std::optional<std::vector<std::string>> CallTexts(std::string_view text) {
  const auto trim = [](std::string_view t) {
    const size_t from = t.find_first_not_of(" \t\r\n");
    return from == std::string_view::npos ? std::string_view()
                                          : t.substr(from, t.find_last_not_of(" \t\r\n") - from + 1);
  };
  text = trim(text);
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = trim(text.substr(1, text.size() - 2));
  std::vector<std::string> calls;
  int depth = 0;
  char quote = '\0';
  size_t from = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (quote && i < text.size()) {
      if (c == '\\') ++i;
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      PythonCall call;
      const std::string_view one = trim(text.substr(from, i - from));
      if (!ReadPythonCall(one, call)) return std::nullopt;
      calls.emplace_back(one);
      from = i + 1;
    }
  }
  return calls.empty() ? std::nullopt : std::make_optional(std::move(calls));
}

}  // namespace

bool BfclResults::Load(const std::string& json) {
  if (const char* cause = index_.Build(buffer_.Copy(json))) return b_.Fail("result", cause);
  result_ = index_.All();
  by_turn_ = false;
  if (result_.peek() == '[') {
    Cursor first = result_;
    first.EnterArray();
    by_turn_ = first.NextElement() && first.peek() == '[';
  }
  return true;
}

bool BfclResults::Answer(size_t turn, const std::vector<const BfclFunction*>& functions) {
  Cursor cursor = result_;
  if (!by_turn_) {
    if (turn == 0 && !Step(cursor, functions)) {
      b_.Within("result");
      return false;
    }
    return true;
  }
  cursor.EnterArray();
  for (size_t i = 0; cursor.NextElement(); ++i) {
    if (i < turn) {
      cursor.Skip();
      continue;
    }
    if (!cursor.EnterArray()) return b_.Fail("result", cursor.error());
    while (cursor.NextElement()) {
      if (!Step(cursor, functions)) {
        b_.Within("result[" + std::to_string(i) + "]");
        return false;
      }
    }
    break;
  }
  return cursor.ok() || b_.Fail("result", cursor.error());
}

bool BfclResults::Step(Cursor& cursor, const std::vector<const BfclFunction*>& functions) {
  if (cursor.peek() == '"') {
    const std::string text(cursor.String(text_));
    return cursor.ok() ? TextStep(text, functions) : b_.Fail("", cursor.error());
  }
  if (cursor.peek() == '[') return Calls(cursor);
  if (cursor.Null()) return TextStep("", functions);
  return b_.Fail("", "a list of calls or a text was expected");
}

// [{"fn": {...}}, {"g": "{...}"}]
bool BfclResults::Calls(Cursor& cursor) {
  if (!b_.StartMessage(WEND_ROLE_ASSISTANT)) return false;
  size_t calls = 0;
  cursor.EnterArray();
  while (cursor.NextElement()) {
    if (!cursor.EnterObject()) break;
    for (std::string_view name; cursor.NextField(name); ++calls) {
      if (!b_.StartCall(name, false) || !messages_.ReadArguments(cursor)) return false;
      b_.EndCall();
    }
  }
  if (!cursor.ok()) return b_.Fail("", cursor.error());
  b_.EndMessage();
  Results(calls);
  return true;
}

bool BfclResults::TextStep(std::string_view text, const std::vector<const BfclFunction*>& functions) {
  if (!b_.StartMessage(WEND_ROLE_ASSISTANT)) return false;
  size_t calls = 0;
  if (const auto texts = CallTexts(text)) {
    for (const std::string& call : *texts) {
      if (!gold_.ReadCallText(call, functions, false)) return false;
      ++calls;
    }
  } else {
    b_.SetText(b_.texts().Add(text));
  }
  b_.EndMessage();
  Results(calls);
  return true;
}

// What the tools returned is not in a results file.
void BfclResults::Results(size_t calls) {
  for (size_t i = 0; i < calls; ++i) {
    b_.StartMessage(WEND_ROLE_TOOL);
    b_.SetAnswers("");
    b_.EndMessage();
  }
}

}  // namespace wend
