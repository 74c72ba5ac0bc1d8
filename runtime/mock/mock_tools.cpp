#include "runtime/mock/mock_tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace wend::mock {

using nlohmann::json;
using tools::Parameter;
using tools::PoolTool;
using tools::Value;
using Form = tools::ValueType::Form;

namespace {

std::string compact(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string error_text(Refusal refusal, const std::string& cause) {
  nlohmann::ordered_json error;
  error["error"]["code"] = name_of(refusal);
  error["error"]["message"] = cause;
  return error.dump(-1, ' ', false, json::error_handler_t::replace);
}

// The texts of a value that are ids: the value itself, or what a list holds.
bool any_text(const json& value, const auto& holds) {
  if (value.is_string()) return holds(value.get_ref<const std::string&>());
  return value.is_array() &&
         std::any_of(value.begin(), value.end(), [&](const json& one) { return any_text(one, holds); });
}

}  // namespace

std::string_view name_of(Refusal refusal) {
  static constexpr std::array<std::string_view, kRefusals> kNames = {
      "none",       "malformed_arguments", "unknown_tool", "undeclared_parameter", "missing_parameter",
      "wrong_type", "invalid_value",       "unknown_id"};
  return kNames[static_cast<size_t>(refusal)];
}

void MockTools::expect(std::string_view tool, std::string_view arguments, std::string_view result) {
  json parsed = json::parse(arguments, nullptr, false);
  if (parsed.is_discarded()) parsed = json::object();
  heard_ += compact(parsed) + "\n";  // gold's ids are there to be used
  expected_.push_back({std::string(tool), std::move(parsed), std::string(result), false});
}

MockTools::Expected* MockTools::find_expected(std::string_view tool, const json& arguments) {
  Expected* last = nullptr;
  for (Expected& one : expected_) {
    if (one.tool != tool || one.arguments != arguments) continue;
    last = &one;
    if (!one.used) break;
  }
  return last;
}

Refusal MockTools::check_value(const Parameter& parameter, const json& value, std::string& cause) const {
  const Value given{compact(value)};
  const Form form = parameter.type.form;
  if (form == Form::choice) {
    if (pool_.fits(parameter.type, given)) return Refusal::none;
    std::string choices;
    for (const Value& choice : parameter.type.choices) choices += (choices.empty() ? "" : ", ") + choice.json;
    cause = fmt::format("{} is not allowed for '{}'; allowed: {}", given.json, parameter.name, choices);
    return Refusal::bad_choice;
  }
  if (!pool_.fits(parameter.type, given)) {
    const bool number =
        value.is_number() && (form == Form::number || (form == Form::integer && !value.is_number_float()));
    cause = number
                ? fmt::format("'{}' has to be from {} to {}", parameter.name, parameter.type.low, parameter.type.high)
                : fmt::format("{} has the wrong type for '{}'", given.json, parameter.name);
    return number ? Refusal::bad_choice : Refusal::wrong_type;
  }
  if (!pool_.is_id(parameter.type)) return Refusal::none;
  const bool unknown = any_text(value, [&](const std::string& id) {
    return !world_.knows(tools::text_value(id)) && heard_.find(id) == std::string::npos;
  });
  if (!unknown) return Refusal::none;
  cause = fmt::format("there is no {} {}", tools::words_of(parameter.name), given.json);
  return Refusal::unknown_id;
}

Refusal MockTools::check(uint32_t index, const json& arguments, std::string& cause) const {
  const PoolTool& tool = pool_.tool(index);
  for (const auto& [name, value] : arguments.items()) {
    if (tool.declares(name)) continue;
    cause = fmt::format("'{}' is not a parameter of {}", name, tool.name);
    return Refusal::undeclared_parameter;
  }
  for (const Parameter& parameter : tool.parameters) {
    if (!parameter.required || arguments.contains(parameter.name)) continue;
    cause = fmt::format("missing required parameter '{}'", parameter.name);
    return Refusal::missing_parameter;
  }
  for (const auto& [name, value] : arguments.items()) {
    const uint32_t p = tool.find_parameter(name);
    if (p == tool.parameters.size()) continue;  // declared, but its values cannot be told
    const Refusal refusal = check_value(tool.parameters[p], value, cause);
    if (refusal != Refusal::none) return refusal;
  }
  return Refusal::none;
}

Reply MockTools::call(std::string_view name, std::string_view text) {
  Reply reply;
  std::string cause;
  const uint32_t tool = pool_.find(name);
  json arguments = json::parse(text, nullptr, false);
  if (tool == tools::kNoTool) {
    reply.would_refuse = Refusal::unknown_tool;
    cause = fmt::format("tool '{}' does not exist", name);
  } else if (!arguments.is_object()) {
    reply.would_refuse = Refusal::malformed;
    cause = "the arguments are not a JSON object";
  } else {
    reply.would_refuse = check(tool, arguments, cause);
  }
  Expected* expected = arguments.is_object() ? find_expected(name, arguments) : nullptr;
  if (expected != nullptr) reply.would_refuse = Refusal::none;  // recorded as it was answered
  ++counts_[static_cast<size_t>(reply.would_refuse)];
  const bool refused = strictness_ == Strictness::strict ? reply.would_refuse != Refusal::none
                                                         : reply.would_refuse == Refusal::unknown_tool ||
                                                               reply.would_refuse == Refusal::undeclared_parameter;
  if (refused) {
    reply.error = true;
    reply.text = error_text(reply.would_refuse, cause);
    return reply;
  }
  if (!arguments.is_object()) arguments = json::object();
  // Recorded or not, the call is part of what has happened.
  std::vector<Value> values;
  std::vector<std::string> names;
  for (const auto& [key, value] : arguments.items()) {
    names.push_back(key);
    values.push_back({compact(value)});
  }
  std::vector<synth::Given> given;
  given.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i) given.push_back({names[i], &values[i]});
  if (tool != tools::kNoTool) reply.text = synth::result_text(pool_.tool(tool), world_.call(tool, given));
  if (expected != nullptr) {
    expected->used = true;
    reply.expected = true;
    reply.text = expected->result;
    heard_ += reply.text + "\n";
  }
  return reply;
}

}  // namespace wend::mock
