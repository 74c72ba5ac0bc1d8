#include "trainer/rollout/task.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>

namespace wend::rollout {
namespace {

using context::Message;
using context::Role;
using Json = nlohmann::ordered_json;

const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}
std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : ""; }

std::optional<Role> role_named(const std::string& name) {
  if (name == "system") return Role::system;
  if (name == "user") return Role::user;
  if (name == "assistant") return Role::assistant;
  if (name == "tool") return Role::tool;
  return {};
}

// "" or what is wrong.
std::string read_message(const Json& json, Message& out) {
  if (!json.is_object()) return "is no object";
  const auto role = role_named(text_of(member(json, "role")));
  if (!role) return fmt::format("`role` is {}", member(json, "role").dump());
  out.role = *role;
  const Json& content = member(json, "content");
  if (content.is_string()) out.content = content.get<std::string>();
  if (!content.is_string() && !content.is_null()) return "`content` is no text";
  out.tool_call_id = text_of(member(json, "tool_call_id"));
  const Json& calls = member(json, "tool_calls");
  for (const Json& call : calls.is_array() ? calls : Json::array()) {
    const Json& function = call.is_object() ? member(call, "function") : Json();
    const std::string name = function.is_object() ? text_of(member(function, "name")) : "";
    if (name.empty()) return "a call has no name";
    const Json& arguments = member(function, "arguments");
    out.tool_calls.push_back(
        {text_of(member(call, "id")), name, arguments.is_string() ? arguments.get<std::string>() : arguments.dump()});
  }
  return "";
}

Json message_json(const Message& message) {
  constexpr const char* kRoles[] = {"system", "user", "assistant", "tool"};
  Json out = {{"role", kRoles[static_cast<size_t>(message.role)]}};
  out["content"] = message.content ? Json(*message.content) : Json();
  for (const context::ToolCall& call : message.tool_calls) {
    out["tool_calls"].push_back(
        {{"id", call.id}, {"type", "function"}, {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  }
  if (message.role == Role::tool) out["tool_call_id"] = message.tool_call_id;
  return out;
}

}  // namespace

Result<Task> parse_task(const Json& record, const std::string& where) {
  const auto wrong = [&](const std::string& what) { return Error{fmt::format("{}: {}", where, what)}; };
  if (!record.is_object()) return wrong("is no JSON object");
  Task out;
  out.id = text_of(member(record, "id"));
  out.scenario = text_of(member(record, "scenario"));
  const Json &messages = member(record, "messages"), &tools = member(record, "tools");
  if (!messages.is_array() || messages.empty()) return wrong("`messages` is missing or empty");
  for (size_t i = 0; i < messages.size(); ++i) {
    Message message;
    if (const std::string bad = read_message(messages[i], message); !bad.empty()) {
      return wrong(fmt::format("messages[{}]: {}", i, bad));
    }
    out.messages.push_back(std::move(message));
  }
  if (!tools.is_array() && !tools.is_null()) return wrong("`tools` is no list");
  for (const Json& tool : tools.is_array() ? tools : Json::array()) out.tools.push_back(tool);
  out.record = record;
  return out;
}

Result<std::vector<Task>> read_tasks(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{path + ": cannot be read"};
  std::vector<Task> out;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) continue;
    const std::string where = fmt::format("{}:{}", path, number);
    const Json record = Json::parse(line, nullptr, false);
    if (record.is_discarded()) return Error{where + ": is no JSON"};
    Result<Task> task = parse_task(record, where);
    if (!task) return task.error();
    out.push_back(std::move(*task));
  }
  if (out.empty()) return Error{path + ": holds no dialogue"};
  return out;
}

Json with_messages(const Task& task, const std::vector<Message>& messages) {
  Json out = task.record;
  out["messages"] = Json::array();
  for (const Message& message : messages) out["messages"].push_back(message_json(message));
  return out;
}

}  // namespace wend::rollout
