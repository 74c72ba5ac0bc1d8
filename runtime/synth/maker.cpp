#include "runtime/synth/maker.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/synth/world.h"

namespace wend::synth {

using tools::Parameter;
using tools::PoolTool;
using tools::Value;
using tools::WalkStep;
using Form = tools::ValueType::Form;

namespace {

constexpr double kOptionalGiven = 0.3;  // share of optional parameters that the user gives
constexpr double kInherited = 0.7;      // of parameters that an earlier call had by the same name: the same value
constexpr double kUnsaid = 0.4;         // of these: not said again

// Number of calls of a dialogue with several.
uint32_t draw_length(Random& random) {
  const double u = random.uniform();
  return u < 0.55 ? 2 : u < 0.85 ? 3 : 4;
}

// What ends does not end before it begins.
void put_in_order(const PoolTool& tool, Call& call) {
  static constexpr std::pair<std::string_view, std::string_view> kSpans[] = {{"start_date", "end_date"},
                                                                             {"start_time", "end_time"},
                                                                             {"check_in", "check_out"},
                                                                             {"departure_date", "return_date"},
                                                                             {"from_date", "to_date"}};
  for (const auto& [begins, ends] : kSpans) {
    Arg *begin = nullptr, *end = nullptr;
    for (Arg& arg : call.args) {
      const Parameter& parameter = tool.parameters[arg.parameter];
      const bool moment = parameter.type.form == Form::date || parameter.type.form == Form::time;
      if (!moment || arg.implied || arg.value.json.empty()) continue;
      if (parameter.name == begins) begin = &arg;
      if (parameter.name == ends) end = &arg;
    }
    if (begin != nullptr && end != nullptr && end->value.json < begin->value.json) std::swap(begin->value, end->value);
  }
}

}  // namespace

// A recorded call of the tool, unless earlier calls feed it.
const Response* Maker::recorded(uint32_t tool, const std::vector<tools::Feed>& feeds, Random& random) const {
  if (responses_ == nullptr || !feeds.empty() || responses_->of(tool).empty()) return nullptr;
  const std::vector<Response>& all = responses_->of(tool);
  return &all[random.below(static_cast<uint32_t>(all.size()))];
}

std::vector<uint32_t> Maker::add_calls(const std::vector<WalkStep>& walk, Random& random, Trace& out) const {
  std::vector<uint32_t> added;
  for (const WalkStep& step : walk) {
    Call call;
    call.tool = step.tool;
    const PoolTool& tool = pool_.tool(step.tool);
    if (const Response* response = recorded(step.tool, step.feeds, random)) {
      for (const auto& [parameter, value] : response->args) call.args.push_back({parameter, value, false});
      added.push_back(static_cast<uint32_t>(out.calls.size()));
      out.calls.push_back(std::move(call));
      continue;
    }
    for (uint32_t p = 0; p < tool.parameters.size(); ++p) {
      const Parameter& parameter = tool.parameters[p];
      const auto feed = std::find_if(step.feeds.begin(), step.feeds.end(),
                                     [&](const tools::Feed& one) { return one.parameter == p; });
      if (feed != step.feeds.end()) {
        call.needs.push_back({p, added[feed->step], feed->field, added[feed->step]});
        call.args.push_back({p, {}, false});
        continue;
      }
      if (!parameter.required && !random.chance(kOptionalGiven)) continue;
      Arg arg{p, {}, false};
      for (const uint32_t earlier : added)
        for (const Arg& known : out.calls[earlier].args)
          if (pool_.tool(out.calls[earlier].tool).parameters[known.parameter].name == parameter.name &&
              !known.value.json.empty() && pool_.fits(parameter.type, known.value))
            arg.value = known.value;
      if (!arg.value.json.empty() && random.chance(kInherited)) {
        arg.implied = random.chance(kUnsaid);
      } else {
        arg.value = pool_.draw(parameter.type, random);
      }
      // An optional value is only worth saying if it is not the default.
      if (!parameter.required && parameter.fallback && *parameter.fallback == arg.value) continue;
      call.args.push_back(std::move(arg));
    }
    put_in_order(tool, call);
    added.push_back(static_cast<uint32_t>(out.calls.size()));
    out.calls.push_back(std::move(call));
  }
  return added;
}

bool Maker::withhold(const Call& call, Random& random, uint32_t& parameter) const {
  std::vector<uint32_t> fit;
  for (const Arg& arg : call.args) {
    const Parameter& p = pool_.tool(call.tool).parameters[arg.parameter];
    const bool fed = std::any_of(call.needs.begin(), call.needs.end(),
                                 [&](const Need& need) { return need.parameter == arg.parameter; });
    if (p.required && !fed && !arg.implied && p.type.form != Form::boolean && p.type.form != Form::object)
      fit.push_back(arg.parameter);
  }
  if (fit.empty()) return false;
  parameter = fit[random.below(static_cast<uint32_t>(fit.size()))];
  return true;
}

void Maker::make_language(const tools::Selection& from, Random& random, Trace& out) const {
  Turn turn;
  turn.kind = Kind::language;
  const uint32_t about = from.tools[random.below(static_cast<uint32_t>(from.tools.size()))];
  const PoolTool& tool = pool_.tool(about);
  const bool has_required =
      std::any_of(tool.parameters.begin(), tool.parameters.end(), [](const Parameter& p) { return p.required; });
  out.named.push_back(about);
  if (has_required && random.chance(0.7)) {
    turn.user = talk_.ask_needs(tool, random);
    turn.steps.push_back({talk_.needs(tool, random), {}, false, false});
  } else {
    const std::vector<uint32_t>& siblings = from.by_category[from.category[about]];
    const auto any = [&] {
      out.named.push_back(siblings[random.below(static_cast<uint32_t>(siblings.size()))]);
      return std::string_view(pool_.tool(out.named.back()).task);
    };
    turn.user = talk_.ask_ability(tool, random);
    const std::string_view second = any(), third = any();
    turn.steps.push_back({talk_.ability({tool.task, second, third}, random), {}, false, false});
  }
  out.order.push_back(static_cast<uint32_t>(out.turns.size()));
  out.turns.push_back(std::move(turn));
}

// Some of what the call needs stands in the user's profile, and is not said.
bool Maker::give_profile(Call& call, Random& random, Trace& out) const {
  const PoolTool& tool = pool_.tool(call.tool);
  std::vector<Arg*> fit;
  for (Arg& arg : call.args) {
    const Parameter& p = tool.parameters[arg.parameter];
    if (p.type.form == Form::kind && !pool_.is_id(p.type)) fit.push_back(&arg);
  }
  if (fit.empty()) return false;
  random.shuffle(fit);
  tools::Json user = tools::Json::object();
  const size_t count = std::min<size_t>(fit.size(), 1 + random.below(2));
  for (size_t i = 0; i < count; ++i) {
    fit[i]->implied = true;
    user[tool.parameters[fit[i]->parameter].name] = tools::Json::parse(fit[i]->value.json);
  }
  const tools::Json profile = {{"user", user},
                               {"device",
                                {{"platform", random.chance(0.5) ? "phone" : "watch"},
                                 {"battery_percent", random.between(5, 100)},
                                 {"online", true}}}};
  out.profile = profile.dump();
  return true;
}

bool Maker::make(Base base, const tools::Selection& from, Random& random, Trace& out, std::string& why) const {
  out = Trace{};
  out.seed = random.next();
  out.style = random.below(kStyles);
  if (from.tools.empty()) {
    why = "no tool can be used";
    return false;
  }
  if (random.chance(0.5)) out.system = talk_.system_prompt(random);
  if (base == Base::any) base = random.chance(0.5) ? Base::single_step : Base::several_steps;
  if (base == Base::language_only) {
    make_language(from, random, out);
    if (random.chance(0.3)) make_language(from, random, out);
    return true;
  }
  std::vector<WalkStep> walk;
  bool one_turn = true, found = false;
  switch (base) {
    case Base::single_step:
      found = tools::chain_walk(graph_, from, 1, random, walk);
      why = "no tool can be used";
      break;
    case Base::several_steps:
      one_turn = false;
      found = random.chance(0.5) && tools::chain_walk(graph_, from, draw_length(random), random, walk);
      found = found || tools::loose_walk(graph_, from, draw_length(random), random, walk) ||
              tools::loose_walk(graph_, from, 2, random, walk);
      why = "no category has two tools";
      break;
    case Base::dependent_steps:
      found = tools::chain_walk(graph_, from, draw_length(random), random, walk) ||
              tools::chain_walk(graph_, from, 2, random, walk);
      why = "no tool returns what another one takes";
      break;
    default:  // one call, sometimes more
      one_turn = random.chance(0.7);
      found = one_turn ? tools::chain_walk(graph_, from, 1, random, walk)
                       : tools::loose_walk(graph_, from, 2, random, walk);
      if (!found) found = tools::chain_walk(graph_, from, 1, random, walk);
      why = "no tool can be used";
  }
  if (!found) return false;
  const std::vector<uint32_t> calls = add_calls(walk, random, out);
  if (!tell(base, calls, one_turn, random, out, why)) return false;
  settle(out);
  return true;
}

bool Maker::make_dependent(const Trace& trace, const tools::Selection& from, Random& random, Trace& out,
                           std::string& why) const {
  out = Trace{};
  out.seed = trace.seed;
  out.style = trace.style;
  std::vector<std::pair<uint32_t, tools::Edge>> fit;  // the call that feeds, and how
  for (const uint32_t c : trace.calls_in_order())
    for (const uint32_t e : graph_.out_of(trace.calls[c].tool))
      if (from.holds[graph_.edges()[e].to]) fit.emplace_back(c, graph_.edges()[e]);
  if (fit.empty()) {
    why = "nothing that the task returns is taken by another tool";
    return false;
  }
  const auto [feeder, edge] = fit[random.below(static_cast<uint32_t>(fit.size()))];
  const std::vector<uint32_t> calls = add_calls({{edge.to, {}}}, random, out);
  Call& call = out.calls[calls[0]];
  if (std::none_of(call.args.begin(), call.args.end(), [&](const Arg& a) { return a.parameter == edge.parameter; }))
    call.args.push_back({edge.parameter, {}, true});
  for (Arg& arg : call.args)
    if (arg.parameter == edge.parameter) {
      arg.value = trace.calls[feeder].returned[edge.field];
      arg.implied = true;
    }
  out.fed = Need{edge.parameter, feeder, edge.field, feeder};
  return tell(Base::single_step, calls, true, random, out, why);
}

// Turns and texts for the calls: all in one turn, or each in its own.
bool Maker::tell(Base base, const std::vector<uint32_t>& calls, bool one_turn, Random& random, Trace& out,
                 std::string& why) const {
  const auto add_turn = [&](Turn turn) {
    out.order.push_back(static_cast<uint32_t>(out.turns.size()));
    out.turns.push_back(std::move(turn));
  };
  const bool unclear = base == Base::unclear_intent || base == Base::unclear_and_withheld;
  const bool withheld = base == Base::withheld_param || base == Base::unclear_and_withheld;
  Call& first = out.calls[calls[0]];
  uint32_t parameter = 0;
  if (withheld && !withhold(first, random, parameter)) {
    why = "the tool has no required parameter that a user could leave out";
    return false;
  }
  if (base == Base::personal_profile) {
    if (!give_profile(first, random, out)) {
      why = "the tool has no parameter that a profile could hold";
      return false;
    }
    out.system = (out.system.empty() ? talk_.system_prompt(random) : out.system) +
                 "\nThe user's profile and device: " + out.profile;
  }
  if (unclear) {
    Turn turn;
    turn.added = true;
    turn.kind = Kind::clarify;
    turn.user = talk_.fragment(pool_.tool(first.tool), random);
    turn.steps.push_back({talk_.ask_intent(pool_.tool(first.tool), random), {}, true, false});
    add_turn(std::move(turn));
  }
  // The request for the first call, or for all of them.
  const auto ask = [&](Turn& turn, const std::vector<const Call*>& of, bool begins) {
    turn.task = of.size() == 1 ? talk_.task(*of[0], true, random) : talk_.linked(of, random);
    turn.user = !begins                          ? talk_.next(turn.task, out.style, random)
                : base == Base::personal_profile ? talk_.personal(turn.task, random)
                                                 : talk_.opening(turn.task, out.style, random);
  };
  const auto perform = [&](Turn& turn, uint32_t call) { turn.steps.push_back({"", {call}, false, false}); };
  Turn turn;
  std::vector<const Call*> together;
  together.reserve(calls.size());
  for (size_t i = 0; i < (one_turn ? calls.size() : 1); ++i) together.push_back(&out.calls[calls[i]]);
  if (withheld) {
    Arg* left_out = nullptr;
    for (Arg& arg : first.args)
      if (arg.parameter == parameter) left_out = &arg;
    left_out->implied = true;
    Turn query;
    query.added = true;
    query.kind = Kind::clarify;
    ask(query, together, true);
    left_out->implied = false;
    const Parameter& p = pool_.tool(first.tool).parameters[parameter];
    query.steps.push_back({talk_.ask_parameter(p, random), {}, true, false});
    add_turn(std::move(query));
    out.withheld_call = calls[0];
    out.withheld_parameter = parameter;
    turn.user = talk_.answer(p, left_out->value, random);
  } else {
    ask(turn, together, true);
  }
  for (size_t i = 0; i < (one_turn ? calls.size() : 1); ++i) perform(turn, calls[i]);
  turn.steps.push_back({"", {}, false, true});
  add_turn(std::move(turn));
  for (size_t i = 1; !one_turn && i < calls.size(); ++i) {
    Turn more;
    ask(more, {&out.calls[calls[i]]}, false);
    perform(more, calls[i]);
    more.steps.push_back({"", {}, false, true});
    add_turn(std::move(more));
  }
  return true;
}

const Response* Maker::response_to(const Call& call) const {
  if (responses_ == nullptr || responses_->of(call.tool).empty()) return nullptr;
  std::vector<std::pair<uint32_t, Value>> args;
  args.reserve(call.args.size());
  for (const Arg& arg : call.args) args.emplace_back(arg.parameter, arg.value);
  std::sort(args.begin(), args.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return responses_->find(call.tool, args);
}

void Maker::settle(Trace& trace) const {
  World world(pool_, trace.seed);
  std::vector<uint32_t> latest(trace.calls.size());  // the last repetition of each call so far
  for (uint32_t c = 0; c < latest.size(); ++c) latest[c] = c;
  std::vector<const Call*> unsummed;
  const auto sum_up = [&](Step& step, uint32_t number) {
    Random random(seed_of(trace.seed, "summary", number));
    step.text = talk_.summary(unsummed, random);
    unsummed.clear();
  };
  for (uint32_t position = 0; position < trace.order.size(); ++position) {
    Turn& turn = trace.turns[trace.order[position]];
    for (uint32_t s = 0; s < turn.steps.size(); ++s) {
      Step& step = turn.steps[s];
      if (step.sums_up && !step.calls.empty()) sum_up(step, position * 64 + s);  // of what was called before
      for (const uint32_t c : step.calls) {
        Call& call = trace.calls[c];
        for (Need& need : call.needs) {
          need.fed_by = latest[need.call];
          for (Arg& arg : call.args)
            if (arg.parameter == need.parameter) arg.value = trace.calls[need.fed_by].returned[need.field];
        }
        std::vector<Given> given;
        const PoolTool& tool = pool_.tool(call.tool);
        given.reserve(call.args.size());
        for (const Arg& arg : call.args) given.push_back({tool.parameters[arg.parameter].name, &arg.value});
        call.returned = world.call(call.tool, given);
        std::string text = result_text(tool, call.returned);
        if (const Response* response = response_to(call)) {
          for (size_t f = 0; f < call.returned.size(); ++f)
            if (!response->returned[f].json.empty()) call.returned[f] = response->returned[f];
          text = response->text;
        }
        if (!call.scripted) call.result = std::move(text);
        for (uint32_t origin = call.replaces; origin != kNone; origin = trace.calls[origin].replaces) {
          latest[origin] = c;
          std::erase(unsummed, &trace.calls[origin]);
        }
        unsummed.push_back(&call);
      }
      if (step.sums_up && step.calls.empty()) sum_up(step, position * 64 + s);
    }
  }
}

}  // namespace wend::synth
