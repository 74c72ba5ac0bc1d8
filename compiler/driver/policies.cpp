#include "compiler/driver/policies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace wend::driver {
namespace {

// The gold calls of a turn; where gold is not by turn, all of them in the first turn.
std::vector<uint32_t> gold_calls(const Batch& batch, uint32_t turn) {
  const Columns& c = batch.columns();
  const uint32_t trace = c.turn_trace[turn];
  wend_span span = c.turn_gold_calls[turn];
  if ((c.trace_caps[trace] & WEND_CAP_GOLD_TURNS) == 0) {
    span = turn == c.trace_turns[trace].begin ? c.trace_gold_calls[trace] : wend_span{0, 0};
  }
  std::vector<uint32_t> calls;
  for (uint32_t g = span.begin; g < span.end; ++g) calls.push_back(g);
  return calls;
}

void say_nothing(const Batch&, uint32_t, AgentTurn& agent) { agent.say(""); }

void ask(const Batch&, uint32_t, AgentTurn& agent) { agent.say("Could you tell me more about what you need?"); }

// The agent's first call, again and again; where nothing is recorded, the first one that gold expects. Before that, and
// without any, nothing is said.
void repeat_last_call(const Batch& batch, uint32_t turn, AgentTurn& agent) {
  const Columns& c = batch.columns();
  const uint32_t trace = c.turn_trace[turn];
  wend_span calls = c.trace_calls[trace];
  if (calls.begin == calls.end) calls = c.trace_gold_calls[trace];
  uint32_t first = WEND_NONE;
  for (uint32_t call = calls.begin; call < calls.end && first == WEND_NONE; ++call) {
    if (c.call_turn[call] == WEND_NONE ? c.call_gold[call] != 0 : c.call_turn[call] <= turn) first = call;
  }
  if (first == WEND_NONE) return agent.say("");
  agent.call(first);
  agent.say("Done.");
}

// A value that the parameter's declaration admits.
std::string any_value(const Batch& batch, uint32_t param) {
  const Columns& c = batch.columns();
  if (c.param_default_value[param] != WEND_NONE) return value_json(batch, c.param_default_value[param]);
  const wend_span choices = c.param_choices[param];
  if (choices.begin != choices.end) return value_json(batch, c.choice_value[choices.begin]);
  switch (c.param_type[param]) {
    case WEND_JSON_BOOL:
      return "false";
    case WEND_JSON_INT:
      return "0";
    case WEND_JSON_REAL:
      return "0";
    case WEND_JSON_LIST:
      return "[]";
    case WEND_JSON_OBJECT:
      return "{}";
    default:
      return "\"\"";
  }
}

// The calls that are right, and one of every other tool with whatever arguments its schema admits. Knowing the right
// ones makes it the strongest policy of its sort.
void call_everything(const Batch& batch, uint32_t turn, AgentTurn& agent) {
  const Columns& c = batch.columns();
  const std::vector<uint32_t> gold = gold_calls(batch, turn);
  for (uint32_t g : gold) agent.call(g);
  const wend_span pool = c.trace_pool[c.turn_trace[turn]];
  for (uint32_t tool = pool.begin; tool < pool.end; ++tool) {
    if (std::any_of(gold.begin(), gold.end(), [&](uint32_t g) { return c.call_tool[g] == tool; })) continue;
    std::vector<std::string> members;
    for (uint32_t p = c.tool_params[tool].begin; p < c.tool_params[tool].end; ++p) {
      if (!c.param_required[p]) continue;
      members.push_back(fmt::format("{}:{}", json_text(batch.text(c.param_name[p])), any_value(batch, p)));
    }
    agent.call(batch.text(c.tool_name[tool]), fmt::format("{{{}}}", fmt::join(members, ",")));
  }
  agent.say("Done.");
}

// What the argument was before the user changed it: the value that gold declares stale, or the one that an earlier
// turn's gold call to the same tool had; WEND_NONE if it has always been the same.
uint32_t stale_value(const Batch& batch, uint32_t turn, uint32_t call, uint32_t arg) {
  const Columns& c = batch.columns();
  const uint32_t trace = c.turn_trace[turn];
  for (uint32_t u = c.trace_turns[trace].begin; u <= turn; ++u) {
    for (uint32_t s = c.turn_slots[u].begin; s < c.turn_slots[u].end; ++s) {
      if (c.slot_tool[s] == c.call_name[call] && c.slot_param[s] == c.arg_name[arg]) return c.slot_value[s];
    }
  }
  for (uint32_t g = c.trace_gold_calls[trace].begin; g < c.trace_gold_calls[trace].end; ++g) {
    if (c.call_turn[g] == WEND_NONE || c.call_turn[g] >= turn || c.call_name[g] != c.call_name[call]) continue;
    for (uint32_t a = c.call_args[g].begin; a < c.call_args[g].end; ++a) {
      if (c.arg_name[a] == c.arg_name[arg]) return c.arg_value[a];
    }
  }
  return WEND_NONE;
}

void keep_stale_value(const Batch& batch, uint32_t turn, AgentTurn& agent) {
  const Columns& c = batch.columns();
  for (uint32_t g : gold_calls(batch, turn)) {
    std::vector<std::string> members;
    for (uint32_t a = c.call_args[g].begin; a < c.call_args[g].end; ++a) {
      const uint32_t stale = stale_value(batch, turn, g, a);
      members.push_back(fmt::format("{}:{}", json_text(batch.text(c.arg_name[a])),
                                    value_json(batch, stale == WEND_NONE ? c.arg_value[a] : stale)));
    }
    agent.call(batch.text(c.call_name[g]), fmt::format("{{{}}}", fmt::join(members, ",")));
  }
  agent.say("Done.");
}

void play_gold(const Batch& batch, uint32_t turn, AgentTurn& agent) {
  const Columns& c = batch.columns();
  const std::vector<uint32_t> calls = gold_calls(batch, turn);
  for (uint32_t g : calls) agent.call(g);
  if (!calls.empty() || c.turn_kind[turn] != WEND_KIND_CLARIFY) return agent.say("Done.");
  std::vector<std::string> names;
  for (uint32_t m = c.turn_missing[turn].begin; m < c.turn_missing[turn].end; ++m) {
    names.emplace_back(batch.text(c.turn_missing_name[m]));
  }
  agent.say(names.empty() ? "Could you tell me what exactly you need?"
                          : fmt::format("Could you give me the {}?", fmt::join(names, ", the ")));
}

}  // namespace

const std::vector<NamedPolicy>& degenerate_policies() {
  static const std::vector<NamedPolicy> kPolicies = {
      {"silent", "answers every turn with nothing", say_nothing},
      {"always ask", "answers every turn with a question, never calls", ask},
      {"repeat last call", "makes its first call again in every turn", repeat_last_call},
      {"call everything", "makes the right calls, and one of every other tool", call_everything},
      {"keep stale value", "makes the right calls, with the values from before the user's change", keep_stale_value},
  };
  return kPolicies;
}

const NamedPolicy& gold_policy() {
  static const NamedPolicy kGold = {"gold", "does what gold expects", play_gold};
  return kGold;
}

}  // namespace wend::driver
