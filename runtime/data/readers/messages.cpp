#include "runtime/data/readers/messages.h"

#include "runtime/data/python_literal.h"

namespace wend {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

bool RoleOf(std::string_view name, uint8_t& role) {
  if (name == "assistant") {
    role = WEND_ROLE_ASSISTANT;
  } else if (name == "user") {
    role = WEND_ROLE_USER;
  } else if (name == "tool" || name == "function") {
    role = WEND_ROLE_TOOL;
  } else if (name == "system" || name == "developer") {
    role = WEND_ROLE_SYSTEM;
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool MessageReader::Find(Cursor cursor, std::string_view key, Cursor& value) {
  if (cursor.peek() != '{') return false;
  cursor.EnterObject();
  for (std::string_view field; cursor.NextField(field);) {
    if (field == key) {
      value = cursor;
      return true;
    }
    cursor.Skip();
  }
  return false;
}

bool MessageReader::ReadMessages(Cursor& cursor, MessageShape shape) {
  if (!cursor.EnterArray()) return b_.Fail("", "messages must be a list");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    if (!ReadMessage(cursor, shape)) {
      b_.Within("[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || FailAt(cursor, "");
}

bool MessageReader::ReadRole(const Cursor& cursor, uint8_t& role) {
  Cursor value;
  if (cursor.peek() != '{') return b_.Fail("", "a message must be an object");
  if (!Find(cursor, "role", value)) return b_.Fail("role", "a message has no role");
  const std::string_view name = value.String(text_);
  if (!value.ok()) return FailAt(value, "role");
  if (RoleOf(name, role)) return true;
  return b_.Fail("role", "unknown role `" + std::string(name.substr(0, 40)) + "`");
}

bool MessageReader::ReadMessage(Cursor& cursor, MessageShape shape) {
  uint8_t role;
  if (!ReadRole(cursor, role)) return false;
  const bool agents = role == WEND_ROLE_ASSISTANT || role == WEND_ROLE_TOOL;
  if (agents && b_.play_gold()) {
    cursor.Skip();
    return cursor.ok() || FailAt(cursor, "");
  }
  if (!b_.StartMessage(role)) return false;
  bool by_agent = true;
  std::string_view answers;
  Cursor calls, draft, block;
  bool has_calls = false;
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    if (key == "content") {
      if (!ReadContent(cursor, role)) return false;
    } else if ((key == "tool_calls" || key == "function_call") && (cursor.peek() == '[' || cursor.peek() == '{')) {
      calls = cursor;
      has_calls = true;
      cursor.Skip();
    } else if (role == WEND_ROLE_TOOL && key == (shape.tau2 ? "id" : "tool_call_id") && cursor.peek() == '"') {
      answers = cursor.String(id_);
    } else if (shape.tau2 && role == WEND_ROLE_TOOL && key == "requestor" && cursor.peek() == '"') {
      by_agent = cursor.String(name_) != "user";
    } else if (role == WEND_ROLE_ASSISTANT && (key == "draft" || key == "block")) {
      (key == "draft" ? draft : block) = cursor;
      cursor.Skip();
    } else {
      cursor.Skip();
    }
  }
  if (!cursor.ok()) return FailAt(cursor, "");
  if (block.given() && !ReadDraft(draft, block)) return false;
  if (has_calls && role == WEND_ROLE_ASSISTANT && !ReadCalls(calls)) return false;
  if (has_calls && role == WEND_ROLE_USER && !ReadUserCalls(calls)) return false;
  if (role == WEND_ROLE_TOOL) b_.SetAnswers(answers, by_agent);
  b_.EndMessage();
  return true;
}

bool MessageReader::ReadContent(Cursor& cursor, uint8_t role) {
  switch (cursor.peek()) {
    case '"': {
      const std::string_view body = cursor.StringBody();
      if (!cursor.ok()) return FailAt(cursor, "content");
      const char* error = nullptr;
      const uint32_t text = role == WEND_ROLE_SYSTEM ? b_.texts().AddRepeated(body, error)
                                                     : b_.texts().AddJsonString(body, role == WEND_ROLE_TOOL, error);
      if (error) return b_.Fail("content", error);
      b_.SetText(text);
      return true;
    }
    case '[':
      return ReadParts(cursor, role);
    case '{':  // a tool result as JSON
      b_.SetText(b_.texts().Add(cursor.Raw(), true));
      return cursor.ok() || FailAt(cursor, "content");
    default: {
      const std::string_view token = cursor.Scalar();
      if (!cursor.ok()) return FailAt(cursor, "content");
      if (token == "null") return true;
      if (token == "NaN" || token == "Infinity" || token == "-Infinity") {
        return b_.Fail("content", "NaN and Infinity are not JSON");
      }
      b_.SetText(b_.texts().Add(token));
      return true;
    }
  }
}

// The text of `draft` or `block`; empty where it is null.
bool MessageReader::BlockText(Cursor cursor, std::string_view key, PaddedBuffer& buffer, std::string_view& text) {
  if (cursor.Null()) return true;
  text = cursor.String(buffer);
  return cursor.ok() || FailAt(cursor, key);
}

// What the message drafted, compared with the block that it should have drafted. Without `draft` it stands in the text.
bool MessageReader::ReadDraft(Cursor draft, Cursor block) {
  std::string_view drafted = b_.message_text(), rendered;
  if (!BlockText(block, "block", text_, rendered)) return false;
  if (draft.given() && !BlockText(draft, "draft", name_, drafted)) return false;
  if (rendered.empty()) return true;
  const Draft& oracle = blocks_.read(rendered);
  if (!oracle.found) return b_.Fail("block", "it holds no block and no sub-block");
  b_.AddDraft(blocks_.shape(), comparer_.compare(drafts_.read(drafted), oracle));
  return true;
}

// [{"type": "text", "text": "..."}, ...]: the texts, one a line. A list of anything else is kept as its JSON.
bool MessageReader::ReadParts(Cursor& cursor, uint8_t role) {
  Cursor parts = cursor;
  const std::string_view raw = cursor.Raw();
  if (!cursor.ok()) return FailAt(cursor, "content");
  parts_.clear();
  bool any = false, other = false;
  parts.EnterArray();
  while (parts.NextElement()) {
    Cursor text = parts;
    if (parts.peek() == '"' || (Find(parts, "text", text) && text.peek() == '"')) {
      if (any) parts_.push_back('\n');
      parts_.append(text.String(text_));
      if (!text.ok()) return FailAt(text, "content");
      any = true;
    } else if (parts.peek() != '{') {
      other = true;
    }
    parts.Skip();
  }
  if (!parts.ok()) return FailAt(parts, "content");
  const std::string_view text = other ? raw : std::string_view(parts_);
  b_.SetText(b_.texts().Add(text, role == WEND_ROLE_TOOL));
  return true;
}

bool MessageReader::ReadCalls(Cursor& cursor) {
  if (cursor.peek() == '{') return ReadCall(cursor);  // the older function_call
  cursor.EnterArray();
  for (size_t i = 0; cursor.NextElement(); ++i) {
    if (!ReadCall(cursor)) {
      b_.Within("tool_calls[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || FailAt(cursor, "tool_calls");
}

bool MessageReader::ReadCallFields(Cursor& cursor, CallDraft& draft) {
  if (!cursor.EnterObject()) return b_.Fail("", "a tool call must be an object");
  for (std::string_view key; cursor.NextField(key);) {
    if (key == "function" && cursor.peek() == '{') {
      if (!ReadCallFields(cursor, draft)) return false;
    } else if (key == "name" && cursor.peek() == '"') {
      draft.name = cursor.String(name_);
      draft.has_name = true;
    } else if (key == "id" && cursor.peek() == '"') {
      draft.id = cursor.String(id_);
    } else if (key == "arguments") {
      draft.arguments = cursor;
      draft.has_arguments = true;
      cursor.Skip();
    } else {
      cursor.Skip();
    }
  }
  return cursor.ok() || FailAt(cursor, "");
}

bool MessageReader::ReadCall(Cursor& cursor) {
  CallDraft draft;
  if (!ReadCallFields(cursor, draft)) return false;
  if (!draft.has_name) return b_.Fail("function.name", "a tool call has no name");
  if (!b_.StartCall(draft.name, false)) return false;
  if (draft.has_arguments && !ReadArguments(draft.arguments)) return false;
  b_.EndCall(draft.id);
  return true;
}

// Calls that the user's side made: lines of text behind what the user said.
bool MessageReader::ReadUserCalls(Cursor& cursor) {
  std::string lines(b_.message_text());
  const auto line = [&](Cursor& at) {
    CallDraft draft;
    if (!ReadCallFields(at, draft)) return false;
    if (!lines.empty()) lines.push_back('\n');
    lines.append(draft.name);
    lines.push_back('(');
    if (draft.has_arguments) {
      Cursor arguments = draft.arguments;
      lines.append(arguments.peek() == '"' ? arguments.String(text_) : arguments.Raw());
      if (!arguments.ok()) return FailAt(arguments, "arguments");
    }
    lines.push_back(')');
    return true;
  };
  if (cursor.peek() == '{') {
    if (!line(cursor)) return false;
  } else {
    cursor.EnterArray();
    while (cursor.NextElement()) {
      if (!line(cursor)) {
        b_.Within("tool_calls");
        return false;
      }
    }
  }
  if (!cursor.ok()) return FailAt(cursor, "tool_calls");
  b_.SetText(b_.texts().Add(lines, true));
  return true;
}

bool MessageReader::ReadFields(Cursor& cursor) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    const uint32_t name = b_.texts().InternName(key);
    const uint32_t value = b_.values().Read(cursor);
    if (!cursor.ok()) return FailAt(cursor, "arguments." + std::string(b_.texts().text(name)));
    b_.AddArgument(name, value);
  }
  return cursor.ok() || FailAt(cursor, "arguments");
}

bool MessageReader::ReadArguments(Cursor& cursor) {
  switch (cursor.peek()) {
    case '{':
      return ReadFields(cursor);
    case '"': {
      const std::string_view text = cursor.String(text_);
      if (!cursor.ok()) return FailAt(cursor, "arguments");
      if (ReadArgumentText(text, 0)) return true;
      b_.ClearError();
      b_.SetMalformed(text);
      return true;
    }
    default: {
      if (cursor.Null()) return true;
      const std::string_view raw = cursor.Raw();
      if (!cursor.ok()) return FailAt(cursor, "arguments");
      if (raw == "NaN" || raw == "Infinity" || raw == "-Infinity") {
        return b_.Fail("arguments", "NaN and Infinity are not JSON");
      }
      b_.SetMalformed(raw);
      return true;
    }
  }
}

// Arguments that are themselves text: JSON, JSON inside a JSON string, or a Python literal.
bool MessageReader::ReadArgumentText(std::string_view text, int depth) {
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty() || trimmed == "null" || trimmed == "None") return true;
  if (depth == 3) return false;
  if (!index_[depth].Build(text)) {
    Cursor cursor = index_[depth].All();
    if (cursor.peek() == '{') {
      const bool read = ReadFields(cursor);
      if (read && cursor.peek() == '\0') return true;
      b_.ClearError();
      b_.ClearArguments();
    } else if (cursor.peek() == '"') {
      const std::string_view inner = cursor.String(nested_[depth]);
      if (cursor.ok() && cursor.peek() == '\0') return ReadArgumentText(inner, depth + 1);
    }
  }
  if (trimmed[0] != '{') return false;
  json_.clear();
  if (!PythonLiteralToJson(trimmed, json_)) return false;
  if (index_[depth].Build(nested_[depth].Copy(json_))) return false;
  Cursor cursor = index_[depth].All();
  return ReadFields(cursor);
}

}  // namespace wend
