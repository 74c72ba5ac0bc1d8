#include "compiler/synth/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/synth/talk.h"

namespace wend::synth {

using tools::Parameter;
using tools::Value;
using tools::ValueType;
using What = Item::What;
using Form = ValueType::Form;

namespace {

constexpr int kRepairs = 64;  // of one dialogue

// The value as the type wants it: "5" as 5, 5 as "5"; false where it cannot be.
bool coerce(const ValueType& type, Value& value) {
  const std::string text = tools::said(value);
  switch (type.form) {
    case Form::integer:
    case Form::number: {
      double number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size()) return false;
      value = {text};
      return true;
    }
    case Form::boolean:
      if (text != "true" && text != "false" && text != "yes" && text != "no") return false;
      value = {text == "true" || text == "yes" ? "true" : "false"};
      return true;
    case Form::date:
    case Form::time:
    case Form::kind:
      value = tools::text_value(text);
      return true;
    case Form::choice:
      for (const Value& choice : type.choices)
        if (tools::said(choice) == text) {
          value = choice;
          return true;
        }
      return false;
    default:
      return false;
  }
}

}  // namespace

FilterRunner::FilterRunner(const sema::Program& program, const SourceSet& sources, const Maker& maker)
    : program_(program), sources_(sources), maker_(maker) {
  scene_.program = &program;
  scene_.pool = &maker.pool();
  scene_.variables.resize(program.variables.size());
}

bool FilterRunner::repair(const sema::FilterRule& rule, sema::Repair how, Trace& trace) const {
  const Item& subject = scene_.variables[rule.loops.back().variable];
  if (subject.what == What::arg) {
    Call& call = trace.calls[subject.first];
    Arg& arg = call.args[subject.second];
    const Parameter& parameter = maker_.pool().tool(call.tool).parameters[arg.parameter];
    if (how == sema::Repair::coerce) return coerce(parameter.type, arg.value);
    if (how != sema::Repair::drop || parameter.required) return false;
    call.args.erase(call.args.begin() + subject.second);
    return true;
  }
  if (subject.what != What::call || how != sema::Repair::fill) return false;
  Call& call = trace.calls[subject.first];
  bool filled = false;
  const std::vector<Parameter>& parameters = maker_.pool().tool(call.tool).parameters;
  for (uint32_t p = 0; p < parameters.size(); ++p) {
    const bool there = std::any_of(call.args.begin(), call.args.end(), [&](const Arg& a) { return a.parameter == p; });
    const std::optional<Value>& fallback = parameters[p].fallback;
    if (there || !parameters[p].required || !fallback) continue;
    call.args.push_back({p, *fallback, true});
    filled = true;
  }
  return filled;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the rule
FilterRunner::Outcome FilterRunner::check_rule(const sema::FilterRule& rule, size_t depth, Trace& trace) {
  if (depth < rule.loops.size()) {
    const Item source = evaluate(rule.loops[depth].source[0], scene_);
    for (const Item& one : source.items) {
      scene_.variables[rule.loops[depth].variable] = one;
      const Outcome outcome = check_rule(rule, depth + 1, trace);
      if (outcome != Outcome::fine) return outcome;
    }
    return Outcome::fine;
  }
  for (const sema::FilterCheck& check : rule.checks) {
    if (holds(check.condition, scene_)) continue;
    place_ = fmt::format("{}: `{}`", sources_.place(check.condition.span), sources_.text(check.condition.span));
    return check.repair != sema::Repair::none && repair(rule, check.repair, trace) ? Outcome::repaired : Outcome::bad;
  }
  return Outcome::fine;
}

bool FilterRunner::plausible(const Trace& trace, std::string& why) const {
  std::string seen = trace.system + "\n" + trace.profile;
  bool words = false;
  for (const uint32_t t : trace.order) {
    const Turn& turn = trace.turns[t];
    seen += "\n" + turn.user;
    for (const Step& step : turn.steps) {
      words = words || !step.calls.empty() || !step.text.empty();
      for (const uint32_t c : step.calls) {
        const Call& call = trace.calls[c];
        const tools::PoolTool& tool = maker_.pool().tool(call.tool);
        for (const Arg& arg : call.args) {
          const Parameter& parameter = tool.parameters[arg.parameter];
          const Form form = parameter.type.form;
          if (form == Form::boolean || form == Form::object || form == Form::list) continue;
          if (form == Form::choice || (parameter.fallback && *parameter.fallback == arg.value)) continue;
          if (seen.find(spoken(parameter.type, arg.value)) != std::string::npos) continue;
          why = fmt::format("plausibility: the agent cannot know a value that it uses (`{}.{}`)", tool.name,
                            parameter.name);
          return false;
        }
      }
      for (const uint32_t c : step.calls) seen += "\n" + trace.calls[c].result;
    }
  }
  if (!words) why = "plausibility: the agent says and does nothing";
  return words;
}

bool FilterRunner::passes(Trace& trace, Random& random, std::map<std::string, uint64_t>& repairs, std::string& why) {
  scene_.trace = &trace;
  scene_.random = &random;
  for (const sema::Filter& filter : program_.filters) {
    scene_.variables[filter.trace] = Item::row(What::trace, 0);
    for (const sema::FilterRule& rule : filter.rules) {
      Outcome outcome = Outcome::repaired;
      for (int i = 0; i < kRepairs && outcome == Outcome::repaired; ++i) {
        outcome = check_rule(rule, 0, trace);
        if (outcome != Outcome::repaired) break;
        ++repairs[place_];
        maker_.settle(trace);
      }
      if (outcome == Outcome::fine) continue;
      why = fmt::format("filter `{}`: {}", filter.name, place_);
      return false;
    }
  }
  return plausible(trace, why);
}

}  // namespace wend::synth
