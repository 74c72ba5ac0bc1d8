#include "runtime/context/message.h"

#include <nlohmann/json.hpp>

namespace wend::context {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRoles[] = {"system", "user", "assistant", "tool"};

Json as_json(const Message& message) {
  Json json = {{"role", kRoles[static_cast<size_t>(message.role)]},
               {"content", message.content ? Json(*message.content) : Json()}};
  for (const ToolCall& call : message.tool_calls) {
    json["tool_calls"].push_back(
        {{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  }
  if (message.role == Role::tool) json["tool_call_id"] = message.tool_call_id;
  return json;
}

std::string joined(std::span<const Message> messages, const std::string& before, const std::string& behind) {
  if (messages.empty()) return "[]";
  std::string text = "[";
  for (const Message& message : messages) {
    if (text.size() > 1) text += ",";
    text += before + as_json(message).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + behind + "]";
}

}  // namespace

std::string messages_json(std::span<const Message> messages) { return joined(messages, "", ""); }

std::string messages_lines(std::span<const Message> messages, const std::string& indent) {
  return joined(messages, "\n" + indent + "  ", "\n" + indent);
}

}  // namespace wend::context
