#include "compiler/synth/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wend::synth {

using What = Item::What;

namespace {

constexpr int kTasks = 30;  // candidates for a splice

Base base_of(sema::TraceKind kind) {
  switch (kind) {
    case sema::TraceKind::any:
      return Base::any;
    case sema::TraceKind::single_step:
      return Base::single_step;
    case sema::TraceKind::several_steps:
      return Base::several_steps;
    case sema::TraceKind::dependent_steps:
      return Base::dependent_steps;
    case sema::TraceKind::withheld_param:
      return Base::withheld_param;
    case sema::TraceKind::unclear_intent:
      return Base::unclear_intent;
    case sema::TraceKind::unclear_and_withheld:
      return Base::unclear_and_withheld;
    case sema::TraceKind::personal_profile:
      return Base::personal_profile;
    case sema::TraceKind::language_only:
      return Base::language_only;
  }
  return Base::any;
}

// The text of the spec on one line.
std::string quoted(const SourceSet& sources, Span span) {
  std::string out;
  for (const char c : sources.text(span)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : c;
  }
  return out;
}

uint32_t offset(uint32_t id, size_t by) { return id == kNone ? kNone : id + static_cast<uint32_t>(by); }

bool same_call(const Call& a, const Call& b) {
  if (a.tool != b.tool || a.args.size() != b.args.size()) return false;
  return std::all_of(a.args.begin(), a.args.end(), [&](const Arg& one) {
    return std::any_of(b.args.begin(), b.args.end(),
                       [&](const Arg& other) { return one.parameter == other.parameter && one.value == other.value; });
  });
}

}  // namespace

ScenarioRunner::ScenarioRunner(const sema::Program& program, const SourceSet& sources, const Maker& maker)
    : program_(program), sources_(sources), maker_(maker) {
  scene_.program = &program;
  scene_.pool = &maker.pool();
  scene_.variables.resize(program.variables.size());
}

bool ScenarioRunner::fail(Span span, std::string cause) {
  why_ = fmt::format("{}: `{}`: {}", sources_.place(span), quoted(sources_, span), cause);
  return false;
}

bool ScenarioRunner::make(uint32_t scenario, const tools::Selection& from, Random& random, Trace& out,
                          std::string& why) {
  scene_.random = &random;
  scene_.spliced.clear();
  scene_.used.clear();
  scene_.failure.clear();
  const bool made = build(scenario, from, random, out);
  if (made) {
    set_goals(out);
  } else {
    why = why_;
  }
  return made;
}

// NOLINTNEXTLINE(misc-no-recursion): a scenario is built from earlier ones only
bool ScenarioRunner::build(uint32_t index, const tools::Selection& from, Random& random, Trace& trace) {
  const sema::Scenario& scenario = program_.scenarios[index];
  if (scenario.base) {
    if (!build(*scenario.base, from, random, trace)) return false;
  } else {
    std::string why;
    if (!maker_.make(base_of(scenario.trace_kind), from, random, trace, why))
      return fail(scenario.span, "no dialogue to begin with: " + why);
  }
  point_to(trace);
  scene_.variables[scenario.trace] = Item::row(What::trace, 0);
  if (scenario.withheld && trace.withheld_call != kNone)
    scene_.variables[*scenario.withheld] =
        Item::row(What::param, trace.calls[trace.withheld_call].tool, trace.withheld_parameter);
  for (const sema::Binding& binding : scenario.bindings)
    if (!bind(binding, random)) return false;
  const std::vector<uint32_t> own_calls = trace.calls_in_order();
  changed_turn_ = kNone;
  for (const auto& change : scenario.changes) {
    const auto turns = static_cast<uint32_t>(trace.turns.size());
    const bool changed = std::holds_alternative<sema::Injection>(change)
                             ? inject(std::get<sema::Injection>(change), trace, random)
                             : splice(std::get<sema::Splicing>(change), scenario, from, trace, random);
    if (!changed) return false;
    if (changed_turn_ == kNone && trace.turns.size() > turns) changed_turn_ = turns;
    maker_.settle(trace);
  }
  if (!label(scenario, own_calls, trace)) return false;
  for (const sema::Expr& e : scenario.requirements)
    if (!holds(e, scene_)) return fail(e.span, "it does not hold");
  return true;
}

bool ScenarioRunner::bind(const sema::Binding& binding, Random& random) {
  Item& variable = scene_.variables[binding.variable];
  Item value = evaluate(binding.source, scene_);
  if (binding.kind != ast::BindingKind::one_of) {
    if (!scene_.failure.empty()) return fail(binding.span, scene_.failure);
    variable = std::move(value);
    return true;
  }
  std::vector<Item> fit;
  for (Item& one : value.items) {
    variable = one;
    const bool fits = std::all_of(binding.conditions.begin(), binding.conditions.end(),
                                  [&](const sema::Expr& condition) { return holds(condition, scene_); });
    if (fits) fit.push_back(std::move(one));
  }
  if (fit.empty()) return fail(binding.span, "there is none");
  variable = std::move(fit[random.below(static_cast<uint32_t>(fit.size()))]);
  return true;
}

bool ScenarioRunner::find_place(const sema::Point& point, Span span, const Trace& trace, Random& random, Place& out) {
  std::vector<Place> fit;
  Item subject;
  if (!point.subject.empty()) subject = evaluate(point.subject[0], scene_);
  for (uint32_t position = 0; position < trace.order.size(); ++position) {
    const uint32_t id = trace.order[position];
    const Turn& turn = trace.turns[id];
    const bool this_turn = point.subject.empty() || (subject.what == What::turn && subject.first == id);
    if (point.event == sema::ScenarioEvent::user && this_turn) {
      const bool works =
          std::any_of(turn.steps.begin(), turn.steps.end(), [](const Step& s) { return !s.calls.empty(); });
      if (works || !point.subject.empty() || !point.after) fit.push_back({position, point.after ? 0 : kNone});
    }
    for (uint32_t s = 0; s < turn.steps.size(); ++s) {
      const Step& step = turn.steps[s];
      bool here = false;
      if (point.event == sema::ScenarioEvent::question) {
        here = step.asks && this_turn;
      } else if (point.event == sema::ScenarioEvent::reply) {
        here = step.calls.empty() && !step.asks && this_turn;
      } else if (point.event == sema::ScenarioEvent::call || point.event == sema::ScenarioEvent::result) {
        here = point.subject.empty() ? !step.calls.empty()
                                     : subject.what == What::call && std::find(step.calls.begin(), step.calls.end(),
                                                                               subject.first) != step.calls.end();
      }
      if (here) fit.push_back({position, point.after ? s + 1 : s});
    }
  }
  // The last question is the one about the parameter.
  if (point.event == sema::ScenarioEvent::question && !fit.empty()) fit = {fit.back()};
  if (fit.empty()) return fail(span, "the dialogue has no such point");
  out = fit[random.below(static_cast<uint32_t>(fit.size()))];
  return true;
}

namespace {

// Puts steps and turns at a place; what followed there goes on after them.
void insert_at(Trace& trace, uint32_t position, uint32_t step, std::vector<Step> steps, std::vector<Turn> turns) {
  std::vector<uint32_t> ids;
  const auto first_new = static_cast<uint32_t>(trace.turns.size());
  ids.resize(turns.size());
  std::iota(ids.begin(), ids.end(), first_new);
  std::vector<Step> rest;
  if (step != kNone) {
    Turn& turn = trace.turns[trace.order[position]];
    rest.assign(std::make_move_iterator(turn.steps.begin() + step), std::make_move_iterator(turn.steps.end()));
    turn.steps.resize(step);
    for (Step& one : steps) turn.steps.push_back(std::move(one));
    // A turn that was cut off before the agent could answer says nothing about the agent.
    if (turn.steps.empty()) turn.labelled = false;
  }
  for (Turn& turn : turns) trace.turns.push_back(std::move(turn));
  Turn& last = ids.empty() ? trace.turns[trace.order[position]] : trace.turns[ids.back()];
  // A reply of the scenario's own stands for the summary that would follow.
  const bool replied = !last.steps.empty() && !last.steps.back().text.empty() && last.steps.back().calls.empty();
  if (replied && rest.size() == 1 && rest[0].sums_up && rest[0].calls.empty()) rest.clear();
  for (Step& one : rest) {
    // One message tells what was done and goes on.
    const bool joins = !last.steps.empty() && last.steps.back().sums_up && last.steps.back().calls.empty() &&
                       one.text.empty() && (!one.calls.empty() || one.sums_up);
    if (joins && !one.calls.empty()) {
      last.steps.back().calls = std::move(one.calls);
    } else if (!joins) {
      last.steps.push_back(std::move(one));
    }
  }
  if (!last.steps.empty() && !last.steps.back().calls.empty()) last.steps.push_back({"", {}, false, true});
  trace.order.insert(trace.order.begin() + position + (step == kNone ? 0 : 1), ids.begin(), ids.end());
}

}  // namespace

bool ScenarioRunner::inject(const sema::Injection& injection, Trace& trace, Random& random) {
  Place place;
  const Span span = injection.steps.empty() ? Span{} : injection.steps[0].span;
  if (!find_place(injection.point, span, trace, random, place)) return false;
  for (const sema::Binding& binding : injection.where)
    if (!bind(binding, random)) return false;
  std::vector<Step> steps;
  std::vector<Turn> turns;
  std::vector<uint32_t> waiting;
  const auto agent = [&]() -> std::vector<Step>& { return turns.empty() ? steps : turns.back().steps; };
  for (const sema::ScenarioStep& step : injection.steps) {
    const std::string text = step.text.empty() ? "" : say(evaluate(step.text[0], scene_), scene_);
    if (!scene_.failure.empty()) return fail(step.span, scene_.failure);
    switch (step.kind) {
      case ast::StepKind::user: {
        Turn turn;
        turn.user = text;
        turn.added = true;
        turns.push_back(std::move(turn));
        break;
      }
      case ast::StepKind::call: {
        Step calls;
        for (const sema::ChangedCall& change : step.calls) {
          Call call = changed_call(change, scene_);
          if (!scene_.failure.empty()) return fail(step.span, scene_.failure);
          const auto id = static_cast<uint32_t>(trace.calls.size());
          trace.calls.push_back(std::move(call));
          calls.calls.push_back(id);
          waiting.push_back(id);
          if (change.made) scene_.variables[*change.made] = Item::row(What::call, id);
        }
        agent().push_back(std::move(calls));
        break;
      }
      case ast::StepKind::result:
        if (!waiting.empty() && !text.empty()) {
          trace.calls[waiting.front()].scripted = true;
          trace.calls[waiting.front()].result = text;
        }
        if (!waiting.empty()) waiting.erase(waiting.begin());
        break;
      case ast::StepKind::reply:
        agent().push_back({text, {}, text.find('?') != std::string::npos, text.empty()});
        break;
      case ast::StepKind::system:
        trace.system += (trace.system.empty() ? "" : "\n") + text;
        break;
    }
  }
  insert_at(trace, place.position, place.step, std::move(steps), std::move(turns));
  return true;
}

bool ScenarioRunner::orthogonal(const Trace& a, const Trace& b) const {
  for (const Call& x : a.calls)
    for (const Call& y : b.calls)
      if (x.tool == y.tool || maker_.graph().joined(x.tool, y.tool)) return false;
  return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as build
bool ScenarioRunner::make_task(const sema::Splicing& splicing, const tools::Selection& from, const Trace& trace,
                               Random& random, Trace& out) {
  std::string why;
  if (splicing.relation == sema::Splicing::Relation::dependent) {
    if (maker_.make_dependent(trace, from, random, out, why)) return true;
    why_ = why;
    return false;
  }
  for (int i = 0; i < kTasks; ++i) {
    bool made = false;
    if (splicing.size == sema::Splicing::Size::scenario) {
      const uint32_t changed_turn = changed_turn_;
      made = build(splicing.scenario, from, random, out);
      changed_turn_ = changed_turn;
      scene_.trace = &trace;
      if (!made) return false;
    } else {
      const bool simple = splicing.size == sema::Splicing::Size::simple;
      made = maker_.make(simple ? Base::single_step : Base::dependent_steps, from, random, out, why);
    }
    if (!made) break;
    if (orthogonal(trace, out)) return true;
    why = "every other task has a tool of this one, or one that is joined to it";
  }
  why_ = why;
  return false;
}

// NOLINTNEXTLINE(misc-no-recursion): as build
bool ScenarioRunner::splice(const sema::Splicing& splicing, const sema::Scenario& scenario,
                            const tools::Selection& from, Trace& trace, Random& random) {
  Trace task;
  if (!make_task(splicing, from, trace, random, task)) return fail(scenario.span, "no task can be spliced in: " + why_);
  Place place;
  if (!find_place(splicing.point, scenario.span, trace, random, place)) return false;
  // Calls and turns of the task come after those of the dialogue.
  const size_t calls = trace.calls.size();
  std::vector<uint32_t> ids;
  for (Call& call : task.calls) {
    for (Need& need : call.needs) {
      need.call = offset(need.call, calls);
      need.fed_by = offset(need.fed_by, calls);
    }
    call.replaces = offset(call.replaces, calls);
    ids.push_back(static_cast<uint32_t>(trace.calls.size()));
    trace.calls.push_back(std::move(call));
  }
  if (task.fed) trace.calls[ids[0]].needs.push_back(*task.fed);
  std::vector<Turn> turns;
  for (const uint32_t t : task.order) {
    Turn turn = std::move(task.turns[t]);
    for (Step& step : turn.steps)
      for (uint32_t& call : step.calls) call = offset(call, calls);
    turn.added = true;
    turns.push_back(std::move(turn));
  }
  scene_.spliced.push_back(ids);
  scene_.variables[splicing.variable] = Item::row(What::trace, static_cast<uint32_t>(scene_.spliced.size()));
  const Talk& talk = maker_.talk();
  if (splicing.relation == sema::Splicing::Relation::parallel && turns.size() == 1) {
    // One message asks for both; the agent goes on with both at once.
    Turn& turn = trace.turns[trace.order[place.position]];
    turn.user = talk.both(turn.task, turns[0].task, random);
    turn.task = turn.user;
    turn.added = true;
    changed_turn_ = trace.order[place.position];
    std::vector<std::vector<uint32_t>> rounds;
    for (const std::vector<Step>* steps : {&turn.steps, &turns[0].steps}) {
      size_t round = 0;
      for (const Step& step : *steps) {
        if (step.calls.empty()) continue;
        if (round == rounds.size()) rounds.emplace_back();
        rounds[round].insert(rounds[round].end(), step.calls.begin(), step.calls.end());
        ++round;
      }
    }
    turn.steps.clear();
    for (std::vector<uint32_t>& round : rounds) turn.steps.push_back({"", std::move(round), false, false});
    turn.steps.push_back({"", {}, false, true});
    return true;
  }
  if (!turns[0].task.empty()) {
    const bool goes_on = splicing.relation == sema::Splicing::Relation::dependent;
    turns[0].user = goes_on ? talk.next(turns[0].task, trace.style, random) : talk.interruption(turns[0].task, random);
  }
  insert_at(trace, place.position, place.step, {}, std::move(turns));
  if (scenario.gold.abandons_suspended) {
    // What is left of the suspended task never happens.
    const size_t last = place.position + task.order.size() + 1;
    if (last < trace.order.size()) trace.order.resize(last);
  }
  return true;
}

bool ScenarioRunner::label(const sema::Scenario& scenario, const std::vector<uint32_t>& own_calls, Trace& trace) {
  const sema::ScenarioGold& gold = scenario.gold;
  const std::vector<uint32_t> order = trace.calls_in_order();
  const auto expect = [&](uint32_t call) { trace.calls[call].expected = true; };
  uint32_t target = kNone;  // the turn that the signal and stale values are of
  for (const sema::ChangedCall& change : gold.calls) {
    uint32_t made = kNone;
    if (change.changes.empty()) {
      const Item call = evaluate(change.call, scene_);
      if (call.what == What::call) made = call.first;
    } else {
      const Call wanted = changed_call(change, scene_);
      for (const uint32_t c : order)
        if (made == kNone && !trace.calls[c].expected && same_call(trace.calls[c], wanted)) made = c;
    }
    if (!scene_.failure.empty()) return fail(change.call.span, scene_.failure);
    if (made == kNone) return fail(change.call.span, "gold expects a call that the dialogue does not make");
    expect(made);
    if (target == kNone) target = trace.turn_of(made);
  }
  for (const sema::Expr& e : gold.calls_of) {
    const Item of = evaluate(e, scene_);
    if (of.what == What::trace) {
      for (const uint32_t c : of.first == 0 ? own_calls : scene_.spliced[of.first - 1]) expect(c);
    } else {
      for (const Item& call : of.items) expect(call.first);
    }
  }
  for (const sema::Expr& e : gold.abandoned) {
    const Item call = evaluate(e, scene_);
    if (call.what == What::call) trace.calls[call.first].expected = false;
  }
  if (target == kNone) target = changed_turn_;
  bool added = false;
  for (const uint32_t t : trace.order) {
    if (!trace.turns[t].added) continue;
    added = true;
    if (target == kNone) target = t;
  }
  if (target == kNone) target = trace.order[0];
  for (const auto& [slot, value] : gold.stale) {
    const Item arg = evaluate(slot, scene_);
    const Item old = evaluate(value, scene_);
    if (arg.what != What::arg || old.what == What::none) return fail(slot.span, "there is no such argument");
    const Call& call = trace.calls[arg.first];
    tools::Value stale{old.text};
    if (old.what == What::text) stale = tools::text_value(old.text);
    if (old.what == What::number) stale = {fmt::format("{}", old.number)};
    if (old.what == What::boolean) stale = {old.truth() ? "true" : "false"};
    trace.turns[target].stale.push_back({call.tool, call.args[arg.second].parameter, std::move(stale)});
  }
  if (gold.signal) trace.turns[target].signal = static_cast<Signal>(*gold.signal);
  for (const uint32_t t : trace.order) {
    Turn& turn = trace.turns[t];
    const bool calls =
        std::any_of(turn.steps.begin(), turn.steps.end(), [](const Step& s) { return !s.calls.empty(); });
    if (gold.kind && !calls && (turn.added || !added)) turn.kind = static_cast<Kind>(*gold.kind);
    if (!calls && turn.kind == Kind::tool) turn.kind = Kind::language;
  }
  if (!gold.missing.empty()) {
    // The last question before anything is called is the one about parameters.
    uint32_t asks = kNone;
    for (const uint32_t t : trace.order)
      if (!trace.turns[t].steps.empty() && trace.turns[t].steps.back().asks) asks = t;
    if (asks == kNone) return fail(gold.missing[0].span, "nothing is asked in the dialogue");
    for (const sema::Expr& e : gold.missing) {
      const Item missing = evaluate(e, scene_);
      if (missing.what == What::param)
        trace.turns[asks].missing.push_back(maker_.pool().tool(missing.first).parameters[missing.second].name);
      if (missing.what == What::arg) {
        const Call& call = trace.calls[missing.first];
        trace.turns[asks].missing.push_back(
            maker_.pool().tool(call.tool).parameters[call.args[missing.second].parameter].name);
      }
    }
  }
  for (const sema::Expr& e : gold.reference) trace.turns[target].reference = say(evaluate(e, scene_), scene_);
  return true;
}

void set_goals(Trace& trace) {
  bool goal = false, asked = false;
  for (const uint32_t t : trace.order) {
    Turn& turn = trace.turns[t];
    const bool vague = turn.signal == Signal::clarify;
    turn.keeps_goal = vague || (goal && (turn.signal == Signal::modified || (turn.signal == Signal::none && asked)));
    goal = goal || !vague;
    asked = !turn.steps.empty() && turn.steps.back().asks;
  }
}

}  // namespace wend::synth
