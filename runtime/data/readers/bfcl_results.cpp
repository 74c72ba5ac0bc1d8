#include "runtime/data/readers/bfcl_results.h"

#include <optional>

namespace wend {
namespace {

// The calls in "[a(x=1), b()]", "a(x=1)" or "a(x=1), b()": the texts between top-level commas; nothing if the text is
// not a list of calls.
std::optional<std::vector<std::string>> call_texts(std::string_view text) {
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
      if (!read_python_call(one, call)) return std::nullopt;
      calls.emplace_back(one);
      from = i + 1;
    }
  }
  return calls.empty() ? std::nullopt : std::make_optional(std::move(calls));
}

}  // namespace

bool BfclResults::load(const std::string& json) {
  if (const char* cause = index_.build(buffer_.copy(json))) return b_.fail("result", cause);
  result_ = index_.all();
  by_turn_ = false;
  if (result_.peek() == '[') {
    Cursor first = result_;
    first.enter_array();
    by_turn_ = first.next_element() && first.peek() == '[';
  }
  return true;
}

bool BfclResults::answer(size_t turn, const std::vector<const BfclFunction*>& functions) {
  Cursor cursor = result_;
  if (!by_turn_) {
    if (turn == 0 && !Step(cursor, functions)) {
      b_.Within("result");
      return false;
    }
    return true;
  }
  cursor.enter_array();
  for (size_t i = 0; cursor.next_element(); ++i) {
    if (i < turn) {
      cursor.skip();
      continue;
    }
    if (!cursor.enter_array()) return b_.fail("result", cursor.error());
    while (cursor.next_element()) {
      if (!Step(cursor, functions)) {
        b_.Within("result[" + std::to_string(i) + "]");
        return false;
      }
    }
    break;
  }
  return cursor.ok() || b_.fail("result", cursor.error());
}

bool BfclResults::Step(Cursor& cursor, const std::vector<const BfclFunction*>& functions) {
  if (cursor.peek() == '"') {
    const std::string text(cursor.string(text_));
    return cursor.ok() ? text_step(text, functions) : b_.fail("", cursor.error());
  }
  if (cursor.peek() == '[') return calls(cursor);
  if (cursor.null()) return text_step("", functions);
  return b_.fail("", "a list of calls or a text was expected");
}

// [{"fn": {...}}, {"g": "{...}"}]
bool BfclResults::calls(Cursor& cursor) {
  if (!b_.start_message(WEND_ROLE_ASSISTANT)) return false;
  size_t calls = 0;
  cursor.enter_array();
  while (cursor.next_element()) {
    if (!cursor.enter_object()) break;
    for (std::string_view name; cursor.next_field(name); ++calls) {
      if (!b_.start_call(name, false) || !messages_.read_arguments(cursor)) return false;
      b_.end_call();
    }
  }
  if (!cursor.ok()) return b_.fail("", cursor.error());
  b_.end_message();
  results(calls);
  return true;
}

bool BfclResults::text_step(std::string_view text, const std::vector<const BfclFunction*>& functions) {
  if (!b_.start_message(WEND_ROLE_ASSISTANT)) return false;
  size_t calls = 0;
  if (const auto texts = call_texts(text)) {
    for (const std::string& call : *texts) {
      if (!gold_.read_call_text(call, functions, false)) return false;
      ++calls;
    }
  } else {
    b_.set_text(b_.texts().add(text));
  }
  b_.end_message();
  results(calls);
  return true;
}

// What the tools returned is not in a results file.
void BfclResults::results(size_t calls) {
  for (size_t i = 0; i < calls; ++i) {
    b_.start_message(WEND_ROLE_TOOL);
    b_.set_answers("");
    b_.end_message();
  }
}

}  // namespace wend
