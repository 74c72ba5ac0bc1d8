// Message: one message of a dialogue, as chat models have them.
#ifndef WEND_RUNTIME_CONTEXT_MESSAGE_H_
#define WEND_RUNTIME_CONTEXT_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wend::context {

struct ToolCall {
  std::string id, name, arguments;  // arguments: a JSON object as text
  friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

enum class Role : uint8_t { system, user, assistant, tool };  // WEND_ROLE_*

struct Message {
  Role role = Role::user;
  std::optional<std::string> content;  // absent: null, in messages that only call
  std::vector<ToolCall> tool_calls;    // assistant
  std::string tool_call_id;            // tool
  friend bool operator==(const Message&, const Message&) = default;
};

// A list of {"role", "content", "tool_calls"?, "tool_call_id"?} as the chat API of OpenAI has it: in one line, or for
// people, one message a line.
std::string messages_json(std::span<const Message> messages);
std::string messages_lines(std::span<const Message> messages, const std::string& indent);

}  // namespace wend::context

#endif  // WEND_RUNTIME_CONTEXT_MESSAGE_H_
