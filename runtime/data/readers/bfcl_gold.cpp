#include "runtime/data/readers/bfcl_gold.h"

#include <algorithm>

#include "runtime/data/text.h"

namespace wend {
namespace {

constexpr size_t kMaxAlternatives = 256;         // of one argument, ...
constexpr size_t kMaxAlternativeText = 1 << 16;  // ... each this long at most: longer ones are not taken apart

using Texts = std::vector<std::string>;

Texts Alternatives(Cursor& cursor, int depth);

// Every text of `left` with every text of `right` behind it.
Texts product(const Texts& left, const Texts& right) {
  Texts all;
  for (const std::string& a : left) {
    for (const std::string& b : right) {
      if (all.size() == kMaxAlternatives) return all;
      all.push_back(a + b);
    }
  }
  return all;
}

// The acceptable values in a list, "" as "leave it out" at the end (an empty text).
Texts choices_of(Cursor& cursor, int depth) {
  Texts all;
  bool absent = false;
  cursor.enter_array();
  while (cursor.next_element()) {
    Cursor probe = cursor;
    if (probe.peek() == '"' && probe.string_body().empty()) {
      absent = true;
      cursor.skip();
      continue;
    }
    for (std::string& text : Alternatives(cursor, depth)) all.push_back(std::move(text));
  }
  if (absent) all.emplace_back();
  if (all.size() > kMaxAlternatives) all.resize(kMaxAlternatives);
  return all;
}

bool is_short(Cursor cursor) { return cursor.raw().size() <= kMaxAlternativeText; }

bool is_object_of_lists(Cursor cursor) {
  if (cursor.peek() != '{') return false;
  bool any = false;
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key); cursor.skip()) {
    if (cursor.peek() != '[') return false;
    any = true;
  }
  return any && cursor.ok();
}

Texts object_alternatives(Cursor& cursor, int depth) {
  Texts all{"{"};
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    std::string field;
    append_json_string(key, field);
    Texts choices = choices_of(cursor, depth + 1);
    for (std::string& choice : choices) {
      if (!choice.empty()) choice = field + ":" + choice + ",";
    }
    all = product(all, choices);
  }
  for (std::string& text : all) {
    if (text.back() == ',') text.pop_back();
    text.push_back('}');
  }
  return all;
}

// The JSON texts that a value of an answer stands for: itself, except that objects list the acceptable values of each
// field.
Texts Alternatives(Cursor& cursor, int depth) {
  if (depth < 8 && is_short(cursor) && is_object_of_lists(cursor)) return object_alternatives(cursor, depth);
  if (depth >= 8 || cursor.peek() != '[' || !is_short(cursor)) return {std::string(cursor.raw())};
  Texts all{"["};
  cursor.enter_array();
  for (bool first = true; cursor.next_element(); first = false) {
    Texts items = Alternatives(cursor, depth + 1);
    if (!first) {
      for (std::string& item : items) item.insert(0, ",");
    }
    all = product(all, items);
  }
  for (std::string& text : all) text.push_back(']');
  return all;
}

}  // namespace

bool BfclGold::read(const std::string& json, const std::vector<uint32_t>& turns,
                    const std::vector<const BfclFunction*>& functions) {
  if (const char* cause = index_.build(buffer_.copy(json))) return b_.fail("ground_truth", cause);
  Cursor cursor = index_.all();
  if (cursor.peek() != '[' || turns.empty()) return true;
  Cursor first = cursor;
  first.enter_array();
  const bool any = first.next_element();
  if (any && first.peek() == '"') return true;  // texts (memory, web search): not calls
  b_.add_caps(WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS);
  cursor.enter_array();
  if (!any || first.peek() == '{') {
    if (!b_.start_gold_turn(turns.back())) return false;
    for (size_t i = 0; cursor.next_element(); ++i) {
      if (!read_call_object(cursor)) {
        b_.Within("ground_truth[" + std::to_string(i) + "]");
        return false;
      }
    }
    b_.end_gold_turn();
  } else {
    for (size_t i = 0; cursor.next_element(); ++i) {
      const uint32_t turn = i < turns.size() ? turns[i] : turns.back() + static_cast<uint32_t>(i + 1 - turns.size());
      if (!b_.start_gold_turn(turn) || !read_turn_calls(cursor, functions)) {
        b_.Within("ground_truth[" + std::to_string(i) + "]");
        return false;
      }
      b_.end_gold_turn();
    }
  }
  return cursor.ok() || b_.fail("ground_truth", cursor.error());
}

bool BfclGold::read_call_object(Cursor& cursor) {
  if (!cursor.enter_object()) return b_.fail("", cursor.error());
  for (std::string_view name; cursor.next_field(name);) {
    if (!b_.start_call(name, true)) return false;
    if (!cursor.enter_object()) return b_.fail(name, cursor.error());
    for (std::string_view param; cursor.next_field(param);) {
      if (!read_acceptable(cursor, b_.texts().intern_name(param))) return false;
    }
    b_.end_call();
  }
  return cursor.ok() || b_.fail("", cursor.error());
}

bool BfclGold::read_acceptable(Cursor& cursor, uint32_t name) {
  const auto fail = [&](const char* cause) { return b_.fail(b_.texts().text(name), cause); };
  std::vector<uint32_t> values;
  bool optional = false;
  if (cursor.peek() == '[') {
    for (const std::string& text : choices_of(cursor, 0)) {
      if (text.empty()) {
        optional = true;
        if (values.empty()) values.push_back(b_.values().string(""));
        continue;
      }
      const uint32_t value = b_.values().ReadText(text);
      if (value == WEND_NONE) return fail("an acceptable value is no JSON");
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    if (cursor.ok() && values.empty()) {  // [] is written where nothing need be given
      optional = true;
      values.push_back(b_.values().string(""));
    }
  } else {
    values.push_back(b_.values().read(cursor));
  }
  if (!cursor.ok()) return fail(cursor.error());
  const uint32_t value = values.front();
  values.erase(values.begin());
  b_.add_argument(name, value, values, optional);
  return true;
}

bool BfclGold::read_turn_calls(Cursor& cursor, const std::vector<const BfclFunction*>& functions) {
  if (!cursor.enter_array()) return b_.fail("", cursor.error());
  for (size_t i = 0; cursor.next_element(); ++i) {
    const std::string_view text = cursor.string(text_);
    if (!cursor.ok()) break;
    if (!read_call_text(text, functions, true)) {
      b_.Within("[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || b_.fail("", cursor.error());
}

bool BfclGold::read_call_text(std::string_view text, const std::vector<const BfclFunction*>& functions, bool gold) {
  const auto quoted = [&] { return "`" + std::string(text.substr(0, 200)) + "`"; };
  if (!read_python_call(text, call_)) return b_.fail("", quoted() + " is not a call with literal arguments");
  if (!b_.start_call(call_.name, gold)) return false;
  const auto function =
      std::find_if(functions.begin(), functions.end(), [this](const BfclFunction* f) { return f->name == call_.name; });
  for (size_t i = 0; i < call_.arguments.size(); ++i) {
    PythonArgument& argument = call_.arguments[i];
    if (argument.name.empty()) {
      if (function == functions.end() || i >= (*function)->params.size()) {
        return b_.fail("", quoted() + " has a positional argument, and no description of the function names it");
      }
      argument.name = (*function)->params[i];
    }
    const uint32_t value = b_.values().ReadText(argument.json);
    if (value == WEND_NONE) return b_.fail("", quoted() + " has an argument that is no JSON value");
    b_.add_argument(b_.texts().intern_name(argument.name), value);
  }
  b_.end_call();
  return true;
}

}  // namespace wend
