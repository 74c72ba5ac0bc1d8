#include "runtime/synth/responses.h"

#include <fmt/format.h>

#include <algorithm>

namespace wend::synth {

using tools::Json;
using tools::PoolTool;
using tools::Value;

namespace {

Value value_of(const Json& json) { return {json.dump(-1, ' ', false, Json::error_handler_t::replace)}; }

}  // namespace

Result<void> Responses::add(const tools::Pool& pool, const Json& record) {
  if (!record.is_object() || !record.contains("result"))
    return Error{"a response is {\"tool\", \"arguments\", \"result\"}"};
  const std::string name = tools::text_at(record, "tool");
  const uint32_t index = pool.find(name);
  if (index == tools::kNoTool) return Error{fmt::format("there is no tool `{}`", name)};
  const PoolTool& tool = pool.tool(index);
  Response out;
  Json arguments = record.contains("arguments") ? record["arguments"] : Json::object();
  if (arguments.is_string()) arguments = Json::parse(arguments.get_ref<const std::string&>(), nullptr, false);
  if (!arguments.is_object()) return Error{"`arguments` is no object"};
  for (const auto& [key, json] : arguments.items()) {
    const uint32_t p = tool.find_parameter(key);
    if (p == tool.parameters.size()) return Error{fmt::format("`{}` has no parameter `{}`", name, key)};
    Value value = value_of(json);
    if (!pool.fits(tool.parameters[p].type, value))
      return Error{fmt::format("`{}.{}`: the schema does not allow {}", name, key, value.json)};
    out.args.emplace_back(p, std::move(value));
  }
  std::sort(out.args.begin(), out.args.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const Json& result = record["result"];
  out.text = result.is_string() ? result.get<std::string>() : value_of(result).json;
  const Json parsed = result.is_string() ? Json::parse(out.text, nullptr, false) : result;
  for (const tools::Field& field : tool.returns) {
    const bool there = parsed.is_object() && parsed.contains(field.name);
    out.returned.push_back(there ? value_of(parsed[field.name]) : Value{});
  }
  by_tool_[index].push_back(std::move(out));
  return {};
}

const Response* Responses::find(uint32_t tool, const std::vector<std::pair<uint32_t, Value>>& args) const {
  for (const Response& one : by_tool_[tool])
    if (one.args == args) return &one;
  return nullptr;
}

}  // namespace wend::synth
