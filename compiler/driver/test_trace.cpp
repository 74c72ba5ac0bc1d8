#include "compiler/driver/test_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace wend::driver {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string list_of(const std::vector<std::string>& items) { return fmt::format("[{}]", fmt::join(items, ",")); }

std::string without_underscores(std::string digits) {
  std::erase(digits, '_');
  return digits;
}

// {"type": "string"}, and so on; `json` and whatever JSON Schema has no word for is any value.
std::string schema_of(const ast::TypeRef& type) {
  static const std::map<std::string, std::string, std::less<>> kNames = {
      {"text", "string"}, {"int", "integer"}, {"real", "number"}, {"bool", "boolean"}};
  if (type.name.text == "list") {
    if (type.arguments.empty()) return R"("type":"array")";
    return fmt::format(R"("type":"array","items":{{{}}})", schema_of(type.arguments[0]));
  }
  auto found = kNames.find(type.name.text);
  return found == kNames.end() ? "" : fmt::format(R"("type":"{}")", found->second);
}

Result<std::string> tool_json(const ast::ToolLiteral& tool) {
  std::vector<std::string> properties, required;
  for (const ast::Parameter& parameter : tool.parameters) {
    std::string schema = schema_of(parameter.type);
    if (!parameter.default_value.empty()) {
      Result<std::string> value = literal_json(parameter.default_value[0]);
      if (!value) return value.error();
      schema += fmt::format(R"({}"default":{})", schema.empty() ? "" : ",", *value);
    } else if (!parameter.type.optional) {
      required.push_back(json_text(parameter.name.text));
    }
    properties.push_back(fmt::format("{}:{{{}}}", json_text(parameter.name.text), schema));
  }
  return fmt::format(
      R"({{"type":"function","function":{{"name":{},"parameters":{{"type":"object","properties":{{{}}},"required":{}}}}}}})",
      json_text(tool.name.text), fmt::join(properties, ","), list_of(required));
}

Result<std::string> arguments_json(const ast::CallLiteral& call) {
  std::vector<std::string> members;
  for (size_t i = 0; i < call.names.size(); ++i) {
    Result<std::string> value = literal_json(call.values[i]);
    if (!value) return value.error();
    members.push_back(fmt::format("{}:{}", json_text(call.names[i].text), *value));
  }
  return fmt::format("{{{}}}", fmt::join(members, ","));
}

// Turns steps into messages; results answer the calls in order.
class Messages {
 public:
  Result<void> add(const ast::Step& step) {
    switch (step.kind) {
      case ast::StepKind::system:
        return say("system", step.text);
      case ast::StepKind::user:
        return say("user", step.text);
      case ast::StepKind::reply:
        return say("assistant", step.text);
      case ast::StepKind::result:
        return answer(step.text);
      case ast::StepKind::call:
        return call(step.calls);
    }
    return {};
  }
  std::string json() const { return list_of(messages_); }

 private:
  Result<void> say(const char* role, const std::string& text) {
    messages_.push_back(fmt::format(R"({{"role":"{}","content":{}}})", role, json_text(text)));
    return {};
  }

  Result<void> answer(const std::string& text) {
    // A result without a call stays, as a tool message that answers nothing.
    std::string id = answered_ < called_ ? fmt::format(R"("tool_call_id":"call-{}",)", ++answered_) : "";
    messages_.push_back(fmt::format(R"({{"role":"tool",{}"content":{}}})", id, json_text(text)));
    return {};
  }

  Result<void> call(const std::vector<ast::CallLiteral>& calls) {
    answered_ = called_;  // earlier calls that got no result stay without one
    std::vector<std::string> items;
    for (const ast::CallLiteral& literal : calls) {
      Result<std::string> arguments = arguments_json(literal);
      if (!arguments) return arguments.error();
      items.push_back(fmt::format(R"({{"id":"call-{}","type":"function","function":{{"name":{},"arguments":{}}}}})",
                                  ++called_, json_text(literal.tool.text), *arguments));
    }
    messages_.push_back(fmt::format(R"({{"role":"assistant","content":null,"tool_calls":{}}})", list_of(items)));
    return {};
  }

  std::vector<std::string> messages_;
  int called_ = 0, answered_ = 0;
};

Result<std::string> gold_turn_json(const ast::GoldLiteral& gold) {
  std::vector<std::string> calls, stale, missing;
  for (const ast::CallLiteral& call : gold.calls) {
    Result<std::string> arguments = arguments_json(call);
    if (!arguments) return arguments.error();
    calls.push_back(fmt::format(R"({{"name":{},"arguments":{}}})", json_text(call.tool.text), *arguments));
  }
  for (const ast::StaleLiteral& slot : gold.stale) {
    Result<std::string> value = literal_json(slot.value);
    if (!value) return value.error();
    stale.push_back(fmt::format(R"({{"tool":{},"param":{},"value":{}}})", json_text(slot.tool.text),
                                json_text(slot.param.text), *value));
  }
  for (const ast::Name& name : gold.missing) missing.push_back(json_text(name.text));
  std::string labels;
  if (gold.kind) labels += fmt::format(R"("kind":{},)", json_text(gold.kind->text));
  if (gold.signal) labels += fmt::format(R"("signal":{},)", json_text(gold.signal->text));
  return fmt::format(R"({{"turn":{},{}"calls":{},"stale":{},"missing":{}}})", gold.turn, labels, list_of(calls),
                     list_of(stale), list_of(missing));
}

// The format counts calls and links from 0, specs from 1.
std::string chain_json(const ast::ChainLiteral& chain) {
  std::vector<std::string> links;
  for (const ast::ChainLiteral::Link& link : chain.links) {
    std::vector<std::string> needs;
    for (int64_t need : link.needs) needs.push_back(fmt::format(R"({{"link":{}}})", need - 1));
    links.push_back(fmt::format(R"({{"turn":{},"call":{},"needs":{}}})", link.turn, link.call - 1, list_of(needs)));
  }
  return fmt::format(R"({{"links":{}}})", list_of(links));
}

Result<std::string> gold_json(const ast::TraceLiteral& trace) {
  std::vector<std::string> turns, chains;
  for (const ast::GoldLiteral& gold : trace.gold) {
    Result<std::string> turn = gold_turn_json(gold);
    if (!turn) return turn;
    turns.push_back(*turn);
  }
  for (const ast::ChainLiteral& chain : trace.chains) chains.push_back(chain_json(chain));
  return fmt::format(R"({{"turns":{},"chains":{}}})", list_of(turns), list_of(chains));
}

}  // namespace

Result<std::string> literal_json(const ast::Expr& literal) {
  switch (literal.kind) {
    case ast::ExprKind::integer:
    case ast::ExprKind::real:
      return without_underscores(literal.text);
    case ast::ExprKind::percent:
      return fmt::format("{}", literal.number);
    case ast::ExprKind::text:
      return json_text(literal.text);
    case ast::ExprKind::boolean:
      return std::string(literal.integer != 0 ? "true" : "false");
    case ast::ExprKind::none:
      return std::string("null");
    case ast::ExprKind::unary: {
      if (literal.unary != ast::UnaryOp::negate) break;
      Result<std::string> positive = literal_json(literal.children[0]);
      return positive ? Result<std::string>("-" + *positive) : positive;
    }
    case ast::ExprKind::list:
    case ast::ExprKind::object: {
      const bool object = literal.kind == ast::ExprKind::object;
      std::vector<std::string> items;
      for (size_t i = 0; i < literal.children.size(); ++i) {
        Result<std::string> value = literal_json(literal.children[i]);
        if (!value) return value;
        items.push_back(object ? fmt::format("{}:{}", json_text(literal.keys[i].text), *value) : *value);
      }
      return fmt::format("{}{}{}", object ? "{" : "[", fmt::join(items, ","), object ? "}" : "]");
    }
    default:
      break;
  }
  return Error{"only a literal can stand here"};
}

Result<std::string> trace_json(const ast::TraceLiteral& trace, const std::string& id) {
  std::string json = fmt::format(R"({{"id":{})", json_text(id));
  if (trace.family) json += fmt::format(R"(,"family":{})", json_text(trace.family->text));
  if (trace.scenario) json += fmt::format(R"(,"scenario":{})", json_text(trace.scenario->text));
  std::vector<std::string> tools;
  for (const ast::ToolLiteral& tool : trace.tools) {
    Result<std::string> schema = tool_json(tool);
    if (!schema) return schema;
    tools.push_back(*schema);
  }
  if (!tools.empty()) json += fmt::format(R"(,"tools":{})", list_of(tools));
  Messages messages;
  for (const ast::Step& step : trace.steps) {
    Result<void> added = messages.add(step);
    if (!added) return added.error();
  }
  json += fmt::format(R"(,"messages":{})", messages.json());
  if (!trace.gold.empty() || !trace.chains.empty()) {
    Result<std::string> gold = gold_json(trace);
    if (!gold) return gold;
    json += fmt::format(R"(,"gold":{})", *gold);
  }
  return json + "}";
}

}  // namespace wend::driver
