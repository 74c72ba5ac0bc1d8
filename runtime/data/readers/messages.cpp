#include "runtime/data/readers/messages.h"

#include "runtime/data/python_literal.h"

namespace wend {
namespace {

std::string_view trim(std::string_view text) {
  const size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

bool role_of(std::string_view name, uint8_t& role) {
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

bool MessageReader::find(Cursor cursor, std::string_view key, Cursor& value) {
  if (cursor.peek() != '{') return false;
  cursor.enter_object();
  for (std::string_view field; cursor.next_field(field);) {
    if (field == key) {
      value = cursor;
      return true;
    }
    cursor.skip();
  }
  return false;
}

bool MessageReader::read_messages(Cursor& cursor, MessageShape shape) {
  if (!cursor.enter_array()) return b_.fail("", "messages must be a list");
  for (size_t i = 0; cursor.next_element(); ++i) {
    if (!read_message(cursor, shape)) {
      b_.Within("[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || fail_at(cursor, "");
}

bool MessageReader::read_role(const Cursor& cursor, uint8_t& role) {
  Cursor value;
  if (cursor.peek() != '{') return b_.fail("", "a message must be an object");
  if (!find(cursor, "role", value)) return b_.fail("role", "a message has no role");
  const std::string_view name = value.string(text_);
  if (!value.ok()) return fail_at(value, "role");
  if (role_of(name, role)) return true;
  return b_.fail("role", "unknown role `" + std::string(name.substr(0, 40)) + "`");
}

bool MessageReader::read_message(Cursor& cursor, MessageShape shape) {
  uint8_t role;
  if (!read_role(cursor, role)) return false;
  const bool agents = role == WEND_ROLE_ASSISTANT || role == WEND_ROLE_TOOL;
  if (agents && b_.play_gold()) {
    cursor.skip();
    return cursor.ok() || fail_at(cursor, "");
  }
  if (!b_.start_message(role)) return false;
  bool by_agent = true;
  std::string_view answers;
  Cursor calls, draft, block;
  bool has_calls = false;
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "content") {
      if (!read_content(cursor, role)) return false;
    } else if ((key == "tool_calls" || key == "function_call") && (cursor.peek() == '[' || cursor.peek() == '{')) {
      calls = cursor;
      has_calls = true;
      cursor.skip();
    } else if (role == WEND_ROLE_TOOL && key == (shape.tau2 ? "id" : "tool_call_id") && cursor.peek() == '"') {
      answers = cursor.string(id_);
    } else if (shape.tau2 && role == WEND_ROLE_TOOL && key == "requestor" && cursor.peek() == '"') {
      by_agent = cursor.string(name_) != "user";
    } else if (role == WEND_ROLE_ASSISTANT && (key == "draft" || key == "block")) {
      (key == "draft" ? draft : block) = cursor;
      cursor.skip();
    } else {
      cursor.skip();
    }
  }
  if (!cursor.ok()) return fail_at(cursor, "");
  if (block.given() && !read_draft(draft, block)) return false;
  if (has_calls && role == WEND_ROLE_ASSISTANT && !read_calls(calls)) return false;
  if (has_calls && role == WEND_ROLE_USER && !read_user_calls(calls)) return false;
  if (role == WEND_ROLE_TOOL) b_.set_answers(answers, by_agent);
  b_.end_message();
  return true;
}

bool MessageReader::read_content(Cursor& cursor, uint8_t role) {
  switch (cursor.peek()) {
    case '"': {
      const std::string_view body = cursor.string_body();
      if (!cursor.ok()) return fail_at(cursor, "content");
      const char* error = nullptr;
      const uint32_t text = role == WEND_ROLE_SYSTEM ? b_.texts().add_repeated(body, error)
                                                     : b_.texts().add_json_string(body, role == WEND_ROLE_TOOL, error);
      if (error) return b_.fail("content", error);
      b_.set_text(text);
      return true;
    }
    case '[':
      return read_parts(cursor, role);
    case '{':  // a tool result as JSON
      b_.set_text(b_.texts().add(cursor.raw(), true));
      return cursor.ok() || fail_at(cursor, "content");
    default: {
      const std::string_view token = cursor.scalar();
      if (!cursor.ok()) return fail_at(cursor, "content");
      if (token == "null") return true;
      if (token == "NaN" || token == "Infinity" || token == "-Infinity") {
        return b_.fail("content", "NaN and Infinity are not JSON");
      }
      b_.set_text(b_.texts().add(token));
      return true;
    }
  }
}

// The text of `draft` or `block`; empty where it is null.
bool MessageReader::block_text(Cursor cursor, std::string_view key, PaddedBuffer& buffer, std::string_view& text) {
  if (cursor.null()) return true;
  text = cursor.string(buffer);
  return cursor.ok() || fail_at(cursor, key);
}

// What the message drafted, compared with the block that it should have drafted. Without `draft` it stands in the text.
bool MessageReader::read_draft(Cursor draft, Cursor block) {
  std::string_view drafted = b_.message_text(), rendered;
  if (!block_text(block, "block", text_, rendered)) return false;
  if (draft.given() && !block_text(draft, "draft", name_, drafted)) return false;
  if (rendered.empty()) return true;
  const Draft& oracle = blocks_.read(rendered);
  if (!oracle.found) return b_.fail("block", "it holds no block and no sub-block");
  b_.add_draft(blocks_.shape(), comparer_.compare(drafts_.read(drafted), oracle));
  return true;
}

// [{"type": "text", "text": "..."}, ...]: the texts, one a line. A list of anything else is kept as its JSON.
bool MessageReader::read_parts(Cursor& cursor, uint8_t role) {
  Cursor parts = cursor;
  const std::string_view raw = cursor.raw();
  if (!cursor.ok()) return fail_at(cursor, "content");
  parts_.clear();
  bool any = false, other = false;
  parts.enter_array();
  while (parts.next_element()) {
    Cursor text = parts;
    if (parts.peek() == '"' || (find(parts, "text", text) && text.peek() == '"')) {
      if (any) parts_.push_back('\n');
      parts_.append(text.string(text_));
      if (!text.ok()) return fail_at(text, "content");
      any = true;
    } else if (parts.peek() != '{') {
      other = true;
    }
    parts.skip();
  }
  if (!parts.ok()) return fail_at(parts, "content");
  const std::string_view text = other ? raw : std::string_view(parts_);
  b_.set_text(b_.texts().add(text, role == WEND_ROLE_TOOL));
  return true;
}

bool MessageReader::read_calls(Cursor& cursor) {
  if (cursor.peek() == '{') return read_call(cursor);  // the older function_call
  cursor.enter_array();
  for (size_t i = 0; cursor.next_element(); ++i) {
    if (!read_call(cursor)) {
      b_.Within("tool_calls[" + std::to_string(i) + "]");
      return false;
    }
  }
  return cursor.ok() || fail_at(cursor, "tool_calls");
}

bool MessageReader::read_call_fields(Cursor& cursor, CallDraft& draft) {
  if (!cursor.enter_object()) return b_.fail("", "a tool call must be an object");
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "function" && cursor.peek() == '{') {
      if (!read_call_fields(cursor, draft)) return false;
    } else if (key == "name" && cursor.peek() == '"') {
      draft.name = cursor.string(name_);
      draft.has_name = true;
    } else if (key == "id" && cursor.peek() == '"') {
      draft.id = cursor.string(id_);
    } else if (key == "arguments") {
      draft.arguments = cursor;
      draft.has_arguments = true;
      cursor.skip();
    } else {
      cursor.skip();
    }
  }
  return cursor.ok() || fail_at(cursor, "");
}

bool MessageReader::read_call(Cursor& cursor) {
  CallDraft draft;
  if (!read_call_fields(cursor, draft)) return false;
  if (!draft.has_name) return b_.fail("function.name", "a tool call has no name");
  if (!b_.start_call(draft.name, false)) return false;
  if (draft.has_arguments && !read_arguments(draft.arguments)) return false;
  b_.end_call(draft.id);
  return true;
}

// Calls that the user's side made: lines of text behind what the user said.
bool MessageReader::read_user_calls(Cursor& cursor) {
  std::string lines(b_.message_text());
  const auto line = [&](Cursor& at) {
    CallDraft draft;
    if (!read_call_fields(at, draft)) return false;
    if (!lines.empty()) lines.push_back('\n');
    lines.append(draft.name);
    lines.push_back('(');
    if (draft.has_arguments) {
      Cursor arguments = draft.arguments;
      lines.append(arguments.peek() == '"' ? arguments.string(text_) : arguments.raw());
      if (!arguments.ok()) return fail_at(arguments, "arguments");
    }
    lines.push_back(')');
    return true;
  };
  if (cursor.peek() == '{') {
    if (!line(cursor)) return false;
  } else {
    cursor.enter_array();
    while (cursor.next_element()) {
      if (!line(cursor)) {
        b_.Within("tool_calls");
        return false;
      }
    }
  }
  if (!cursor.ok()) return fail_at(cursor, "tool_calls");
  b_.set_text(b_.texts().add(lines, true));
  return true;
}

bool MessageReader::read_fields(Cursor& cursor) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    const uint32_t name = b_.texts().intern_name(key);
    const uint32_t value = b_.values().read(cursor);
    if (!cursor.ok()) return fail_at(cursor, "arguments." + std::string(b_.texts().text(name)));
    b_.add_argument(name, value);
  }
  return cursor.ok() || fail_at(cursor, "arguments");
}

bool MessageReader::read_arguments(Cursor& cursor) {
  switch (cursor.peek()) {
    case '{':
      return read_fields(cursor);
    case '"': {
      const std::string_view text = cursor.string(text_);
      if (!cursor.ok()) return fail_at(cursor, "arguments");
      if (read_argument_text(text, 0)) return true;
      b_.clear_error();
      b_.set_malformed(text);
      return true;
    }
    default: {
      if (cursor.null()) return true;
      const std::string_view raw = cursor.raw();
      if (!cursor.ok()) return fail_at(cursor, "arguments");
      if (raw == "NaN" || raw == "Infinity" || raw == "-Infinity") {
        return b_.fail("arguments", "NaN and Infinity are not JSON");
      }
      b_.set_malformed(raw);
      return true;
    }
  }
}

// Arguments that are themselves text: JSON, JSON inside a JSON string, or a Python literal.
bool MessageReader::read_argument_text(std::string_view text, int depth) {
  const std::string_view trimmed = trim(text);
  if (trimmed.empty() || trimmed == "null" || trimmed == "None") return true;
  if (depth == 3) return false;
  if (!index_[depth].build(text)) {
    Cursor cursor = index_[depth].all();
    if (cursor.peek() == '{') {
      const bool read = read_fields(cursor);
      if (read && cursor.peek() == '\0') return true;
      b_.clear_error();
      b_.clear_arguments();
    } else if (cursor.peek() == '"') {
      const std::string_view inner = cursor.string(nested_[depth]);
      if (cursor.ok() && cursor.peek() == '\0') return read_argument_text(inner, depth + 1);
    }
  }
  if (trimmed[0] != '{') return false;
  json_.clear();
  if (!python_literal_to_json(trimmed, json_)) return false;
  if (index_[depth].build(nested_[depth].copy(json_))) return false;
  Cursor cursor = index_[depth].all();
  return read_fields(cursor);
}

}  // namespace wend
