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
Texts Product(const Texts& left, const Texts& right) {
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
Texts Choices(Cursor& cursor, int depth) {
  Texts all;
  bool absent = false;
  cursor.EnterArray();
  while (cursor.NextElement()) {
    Cursor probe = cursor;
    if (probe.peek() == '"' && probe.StringBody().empty()) {
      absent = true;
      cursor.Skip();
      continue;
    }
    for (std::string& text : Alternatives(cursor, depth)) all.push_back(std::move(text));
  }
  if (absent) all.emplace_back();
  if (all.size() > kMaxAlternatives) all.resize(kMaxAlternatives);
  return all;
}

bool IsShort(Cursor cursor) { return cursor.Raw().size() <= kMaxAlternativeText; }

bool IsObjectOfLists(Cursor cursor) {
  if (cursor.peek() != '{') return false;
  bool any = false;
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key); cursor.Skip()) {
    if (cursor.peek() != '[') return false;
    any = true;
  }
  return any && cursor.ok();
}

Texts ObjectAlternatives(Cursor& cursor, int depth) {
  Texts all{"{"};
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    std::string field;
    AppendJsonString(key, field);
    Texts choices = Choices(cursor, depth + 1);
    for (std::string& choice : choices) {
      if (!choice.empty()) choice = field + ":" + choice + ",";
    }
    all = Product(all, choices);
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
  if (depth < 8 && IsShort(cursor) && IsObjectOfLists(cursor)) return ObjectAlternatives(cursor, depth);
  if (depth >= 8 || cursor.peek() != '[' || !IsShort(cursor)) return {std::string(cursor.Raw())};
  Texts all{"["};
  cursor.EnterArray();
  for (bool first = true; cursor.NextElement(); first = false) {
    Texts items = Alternatives(cursor, depth + 1);
    if (!first) {
      for (std::string& item : items) item.insert(0, ",");
    }
    all = Product(all, items);
  }
  for (std::string& text : all) text.push_back(']');
  return all;
}

}  // namespace

bool BfclGold::Read(const std::string& json, const std::vector<uint32_t>& turns,
                    const std::vector<const BfclFunction*>& functions) {
  if (const char* cause = index_.Build(buffer_.Copy(json))) return b_.Fail("ground_truth", cause);
  Cursor cursor = index_.All();
  if (cursor.peek() != '[' || turns.empty()) return true;
  Cursor first = cursor;
  first.EnterArray();
  const bool any = first.NextElement();
  if (any && first.peek() == '"') return true;  // texts (memory, web search): not calls
  b_.AddCaps(WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS);
  cursor.EnterArray();
  if (!any || first.peek() == '{') {
    if (!b_.StartGoldTurn(turns.back())) return false;
    for (size_t i = 0; cursor.NextElement(); ++i) {
      if (!ReadCallObject(cursor)) {
        b_.Within("ground_truth[" + std::to_string(i) + "]");
        return false;
      }
    }
    b_.EndGoldTurn();
  } else {
    for (size_t i = 0; cursor.NextElement(); ++i) {
      const uint32_t turn = i < turns.size() ? turns[i] : turns.back() + static_cast<uint32_t>(i + 1 - turns.size());
      if (!b_.StartGoldTurn(turn) || !ReadTurnCalls(cursor, functions)) {
        b_.Within("ground_truth[" + std::to_string(i) + "]");
        return false;
      }
      b_.EndGoldTurn();
    }
  }
  return cursor.ok() || b_.Fail("ground_truth", cursor.error());
}

bool BfclGold::ReadCallObject(Cursor& cursor) {
  if (!cursor.EnterObject()) return b_.Fail("", cursor.error());
  for (std::string_view name; cursor.NextField(name);) {
    if (!b_.StartCall(name, true)) return false;
    if (!cursor.EnterObject()) return b_.Fail(name, cursor.error());
    for (std::string_view param; cursor.NextField(param);) {
      if (!ReadAcceptable(cursor, b_.texts().InternName(param))) return false;
    }
    b_.EndCall();
  }
  return cursor.ok() || b_.Fail("", cursor.error());
}

bool BfclGold::ReadAcceptable(Cursor& cursor, uint32_t name) {
  const auto fail = [&](const char* cause) { return b_.Fail(b_.texts().text(name), cause); };
  std::vector<uint32_t> values;
  bool optional = false;
  if (cursor.peek() == '[') {
    for (const std::string& text : Choices(cursor, 0)) {
      if (text.empty()) {
        optional = true;
        if (values.empty()) values.push_back(b_.values().String(""));
        continue;
      }
      const uint32_t value = b_.values().ReadText(text);
      if (value == WEND_NONE) return fail("an acceptable value is no JSON");
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    if (cursor.ok() && values.empty()) {  // [] is written where nothing need be given
      optional = true;
      values.push_back(b_.values().String(""));
    }
  } else {
    values.push_back(b_.values().Read(cursor));
  }
  if (!cursor.ok()) return fail(cursor.error());
  const uint32_t value = values.front();
  values.erase(values.begin());
  b_.AddArgument(name, value, values, optional);
  return true;
}

bool BfclGold::ReadTurnCalls(Cursor& cursor, const std::vector<const BfclFunction*>& functions) {
  if (!cursor.EnterArray()) return b_.Fail("", cursor.error());
  for (size_t i = 0; cursor.NextElement(); ++i) {
    const std::string_view text = cursor.String(text_);
    if (!cursor.ok()) break;
    if (!ReadCallText(text, functions, true)) {
      b_.Within("[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || b_.Fail("", cursor.error());
}

bool BfclGold::ReadCallText(std::string_view text, const std::vector<const BfclFunction*>& functions, bool gold) {
  const auto quoted = [&] { return "`" + std::string(text.substr(0, 200)) + "`"; };
  if (!ReadPythonCall(text, call_)) return b_.Fail("", quoted() + " is not a call with literal arguments");
  if (!b_.StartCall(call_.name, gold)) return false;
  const auto function =
      std::find_if(functions.begin(), functions.end(), [this](const BfclFunction* f) { return f->name == call_.name; });
  for (size_t i = 0; i < call_.arguments.size(); ++i) {
    PythonArgument& argument = call_.arguments[i];
    if (argument.name.empty()) {
      if (function == functions.end() || i >= (*function)->params.size()) {
        return b_.Fail("", quoted() + " has a positional argument, and no description of the function names it");
      }
      argument.name = (*function)->params[i];
    }
    const uint32_t value = b_.values().ReadText(argument.json);
    if (value == WEND_NONE) return b_.Fail("", quoted() + " has an argument that is no JSON value");
    b_.AddArgument(b_.texts().InternName(argument.name), value);
  }
  b_.EndCall();
  return true;
}

}  // namespace wend
