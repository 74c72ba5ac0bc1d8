#include "compiler/driver/dialogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace wend::driver {
namespace {

using Items = std::vector<std::string>;

std::string list_of(const Items& items) { return fmt::format("[{}]", fmt::join(items, ",")); }

const char* type_name(uint8_t type) {
  switch (type) {
    case WEND_JSON_NULL:
      return "null";
    case WEND_JSON_BOOL:
      return "boolean";
    case WEND_JSON_INT:
      return "integer";
    case WEND_JSON_REAL:
      return "number";
    case WEND_JSON_TEXT:
      return "string";
    case WEND_JSON_LIST:
      return "array";
    case WEND_JSON_OBJECT:
      return "object";
    default:
      return "";
  }
}

std::string param_json(const Batch& batch, uint32_t param) {
  const Columns& c = batch.columns();
  Items members;
  const char* type = type_name(c.param_type[param]);
  if (*type != '\0') members.push_back(fmt::format(R"("type":"{}")", type));
  if (c.param_default_value[param] != WEND_NONE) {
    members.push_back(fmt::format(R"("default":{})", value_json(batch, c.param_default_value[param])));
  }
  const wend_span choices = c.param_choices[param];
  if (choices.begin != choices.end) {
    Items values;
    for (uint32_t i = choices.begin; i < choices.end; ++i) values.push_back(value_json(batch, c.choice_value[i]));
    members.push_back(fmt::format(R"("enum":{})", list_of(values)));
  }
  return fmt::format("{}:{{{}}}", json_text(batch.text(c.param_name[param])), fmt::join(members, ","));
}

std::string tool_json(const Batch& batch, uint32_t tool) {
  const Columns& c = batch.columns();
  Items properties, required;
  for (uint32_t p = c.tool_params[tool].begin; p < c.tool_params[tool].end; ++p) {
    properties.push_back(param_json(batch, p));
    if (c.param_required[p]) required.push_back(json_text(batch.text(c.param_name[p])));
  }
  return fmt::format(R"({{"name":{},"parameters":{{"type":"object","properties":{{{}}},"required":{}}}}})",
                     json_text(batch.text(c.tool_name[tool])), fmt::join(properties, ","), list_of(required));
}

std::string gold_call_json(const Batch& batch, uint32_t call) {
  const Columns& c = batch.columns();
  Items accept, optional;
  for (uint32_t a = c.call_args[call].begin; a < c.call_args[call].end; ++a) {
    const std::string name = json_text(batch.text(c.arg_name[a]));
    Items values;
    for (uint32_t i = c.arg_accepted[a].begin; i < c.arg_accepted[a].end; ++i) {
      if (c.accepted_value[i] != c.arg_value[a]) values.push_back(value_json(batch, c.accepted_value[i]));
    }
    if (!values.empty()) accept.push_back(fmt::format("{}:{}", name, list_of(values)));
    if (c.arg_optional[a]) optional.push_back(name);
  }
  return fmt::format(R"({{"name":{},"arguments":{},"accept":{{{}}},"optional":{}}})",
                     json_text(batch.text(c.call_name[call])), arguments_json(batch, call), fmt::join(accept, ","),
                     list_of(optional));
}

std::string gold_turn_json(const Batch& batch, uint32_t turn) {
  static const char* const kKinds[] = {"tool", "clarify", "language"};
  static const char* const kSignals[] = {"none", "modified", "interrupted", "reset", "clarify", "accumulate"};
  const Columns& c = batch.columns();
  Items calls, stale, missing;
  for (uint32_t g = c.turn_gold_calls[turn].begin; g < c.turn_gold_calls[turn].end; ++g) {
    calls.push_back(gold_call_json(batch, g));
  }
  for (uint32_t s = c.turn_slots[turn].begin; s < c.turn_slots[turn].end; ++s) {
    stale.push_back(fmt::format(R"({{"tool":{},"param":{},"value":{}}})", json_text(batch.text(c.slot_tool[s])),
                                json_text(batch.text(c.slot_param[s])), value_json(batch, c.slot_value[s])));
  }
  for (uint32_t m = c.turn_missing[turn].begin; m < c.turn_missing[turn].end; ++m) {
    missing.push_back(json_text(batch.text(c.turn_missing_name[m])));
  }
  return fmt::format(R"({{"turn":{},"kind":"{}","signal":"{}","calls":{},"stale":{},"missing":{}}})",
                     c.turn_number[turn], kKinds[c.turn_kind[turn]], kSignals[c.turn_signal[turn]], list_of(calls),
                     list_of(stale), list_of(missing));
}

std::string chain_json(const Batch& batch, uint32_t chain) {
  const Columns& c = batch.columns();
  const uint32_t first = c.chain_links[chain].begin;
  Items links;
  for (uint32_t l = first; l < c.chain_links[chain].end; ++l) {
    const uint32_t call = c.link_call[l], turn = c.call_turn[call];
    Items needs;
    for (uint32_t n = c.link_needs[l].begin; n < c.link_needs[l].end; ++n) {
      needs.push_back(fmt::format(R"({{"link":{}}})", c.need_link[n] - first));
    }
    links.push_back(fmt::format(R"({{"turn":{},"call":{},"needs":{}}})", c.turn_number[turn],
                                call - c.turn_gold_calls[turn].begin, list_of(needs)));
  }
  return fmt::format(R"({{"links":{}}})", list_of(links));
}

// "gold" of the trace, or "" if it has none.
std::string gold_json(const Batch& batch, uint32_t trace) {
  const Columns& c = batch.columns();
  const uint32_t caps = c.trace_caps[trace];
  if ((caps & WEND_CAP_GOLD) == 0) return "";
  if ((caps & WEND_CAP_GOLD_TURNS) == 0) {
    Items calls;
    for (uint32_t g = c.trace_gold_calls[trace].begin; g < c.trace_gold_calls[trace].end; ++g) {
      calls.push_back(gold_call_json(batch, g));
    }
    return fmt::format(R"({{"calls":{}}})", list_of(calls));
  }
  Items turns, chains;
  for (uint32_t u = c.trace_turns[trace].begin; u < c.trace_turns[trace].end; ++u) {
    if (c.turn_labelled[u]) turns.push_back(gold_turn_json(batch, u));
  }
  for (uint32_t i = c.trace_chains[trace].begin; i < c.trace_chains[trace].end; ++i) {
    chains.push_back(chain_json(batch, i));
  }
  return fmt::format(R"({{"turns":{},"chains":{}}})", list_of(turns), list_of(chains));
}

std::string message_json(const char* role, std::string_view text) {
  return fmt::format(R"({{"role":"{}","content":{}}})", role, json_text(text));
}

// System and user messages as recorded, each turn followed by what the policy does in it.
std::string messages_json(const Batch& batch, uint32_t trace, const Policy& policy) {
  const Columns& c = batch.columns();
  Items messages;
  for (uint32_t m = c.trace_messages[trace].begin; m < c.trace_messages[trace].end; ++m) {
    if (c.message_role[m] == WEND_ROLE_SYSTEM && c.message_turn[m] == WEND_NONE) {
      messages.push_back(message_json("system", batch.text(c.message_text[m])));
    }
  }
  int calls = 0;
  for (uint32_t u = c.trace_turns[trace].begin; u < c.trace_turns[trace].end; ++u) {
    // An empty turn (BFCL) becomes an empty user message, so that turns keep their numbers.
    const uint32_t user = c.turn_user[u];
    messages.push_back(message_json("user", user == WEND_NONE ? "" : batch.text(c.message_text[user])));
    AgentTurn agent(batch, trace, calls);
    policy(batch, u, agent);
    messages.insert(messages.end(), agent.messages().begin(), agent.messages().end());
  }
  return list_of(messages);
}

void append_optional(std::string& json, const char* key, std::string_view value) {
  if (!value.empty()) json += fmt::format(R"(,"{}":{})", key, value);
}

}  // namespace

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string value_json(const Batch& batch, uint32_t value) {
  const Columns& c = batch.columns();
  const std::string_view text = batch.text(c.value_text[value]);
  return c.value_type[value] == WEND_JSON_TEXT ? json_text(text) : std::string(text);
}

std::string arguments_json(const Batch& batch, uint32_t call) {
  const Columns& c = batch.columns();
  Items members;
  for (uint32_t a = c.call_args[call].begin; a < c.call_args[call].end; ++a) {
    members.push_back(fmt::format("{}:{}", json_text(batch.text(c.arg_name[a])), value_json(batch, c.arg_value[a])));
  }
  return fmt::format("{{{}}}", fmt::join(members, ","));
}

void AgentTurn::say(std::string_view text) { messages_.push_back(message_json("assistant", text)); }

void AgentTurn::call(std::string_view name, const std::string& arguments) {
  const int id = ++calls_so_far_;
  messages_.push_back(fmt::format(
      R"({{"role":"assistant","content":null,"tool_calls":[{{"id":"call-{}","type":"function","function":{{"name":{},"arguments":{}}}}}]}})",
      id, json_text(name), arguments));
  messages_.push_back(fmt::format(R"({{"role":"tool","tool_call_id":"call-{}","content":{}}})", id,
                                  json_text(result_of(name, arguments))));
}

std::string AgentTurn::result_of(std::string_view name, const std::string& arguments) const {
  const Columns& c = batch_.columns();
  for (uint32_t call = c.trace_calls[trace_].begin; call < c.trace_calls[trace_].end; ++call) {
    const uint32_t result = c.call_result[call];
    if (result == WEND_NONE || batch_.text(c.call_name[call]) != name) continue;
    if (arguments_json(batch_, call) == arguments) return std::string(batch_.text(c.message_text[result]));
  }
  return "ok";
}

std::string dialogue_json(const Batch& batch, uint32_t trace, const Policy& policy) {
  const Columns& c = batch.columns();
  std::string json = fmt::format(R"({{"id":{})", json_text(batch.trace_id(trace)));
  auto label = [&](const char* key, uint32_t text) {
    if (text != WEND_NONE) json += fmt::format(R"(,"{}":{})", key, json_text(batch.text(text)));
  };
  label("family", c.trace_family[trace]);
  label("scenario", c.trace_scenario[trace]);
  append_optional(json, "profile", batch.text(c.trace_profile[trace]));
  if (c.trace_caps[trace] & WEND_CAP_POOL) {
    Items tools;
    for (uint32_t t = c.trace_pool[trace].begin; t < c.trace_pool[trace].end; ++t) tools.push_back(tool_json(batch, t));
    json += fmt::format(R"(,"tools":{})", list_of(tools));
  }
  json += fmt::format(R"(,"messages":{})", messages_json(batch, trace, policy));
  append_optional(json, "gold", gold_json(batch, trace));
  return json + "}";
}

}  // namespace wend::driver
