// Scenarios: what is bound, injected and spliced in.
#include <fmt/format.h>
#include <algorithm>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {

using ast::ExprKind;

namespace {

bool is_call(Type type) { return type == Type::of(Entity::call); }

}  // namespace

std::optional<Binding> Checker::check_binding(const ast::Binding& b, Env& env) {
  Binding out;
  out.kind = b.kind;
  out.span = b.span;
  Expr source = check(b.source, env);
  Type type = source.type;
  if (!source.failed() && b.kind == ast::BindingKind::one_of) {
    if (source.type.base != Base::list)
      source = error(Kind::type_mismatch, source.span,
                     fmt::format("`one of` picks from a list, this is `{}`", type_text(source)));
    type = source.type.element_type();
  } else if (!source.failed() && b.kind == ast::BindingKind::fresh_value) {
    bool fits = !source.type.optional && (source.type.is_entity(Entity::arg) || source.type.is_entity(Entity::param));
    if (!fits)
      source = error(Kind::type_mismatch, source.span,
                     fmt::format("`fresh value of` takes an argument or a parameter, this is `{}`", type_text(source)));
    else
      source = make(Op::fresh, Type::of(Base::json), b.source.span, {std::move(source)});
    type = Type::of(Base::json);
  }
  if (source.failed()) type = {};
  out.variable = new_variable(b.name.text, type);
  if (type.numeric()) program_.variables[out.variable].range = source.range;
  // Which call an argument is of, for `call k with p = v`.
  if (source.op == Op::field && source.field->name == "args" && source.children[0].op == Op::variable)
    call_of_arg_[out.variable] = source.children[0].index;
  env.variables.emplace_back(b.name.text, out.variable);
  for (const ast::Expr& c : b.conditions) {
    if (source.failed()) break;
    Expr condition = check_condition(c, env);
    learn(c, condition, env);
    out.conditions.push_back(std::move(condition));
  }
  if (source.failed()) return std::nullopt;
  out.source = std::move(source);
  return out;
}

bool Checker::check_point(const ast::InjectPoint& point, const Scenario& scenario, Env& env, Point& out) {
  static const std::vector<std::string> events = {"user", "call", "result", "reply",
                                                  "question"};  // as in ScenarioEvent
  out.after = point.after;
  auto it = std::find(events.begin(), events.end(), point.event.text);
  if (it == events.end()) {
    std::string near = nearest(point.event.text, events);
    error(Kind::unknown_word, point.event.span, fmt::format("`{}` is no point of a dialogue", point.event.text),
          near.empty() ? fmt::format("known: {}", fmt::join(events, ", ")) : fmt::format("did you mean `{}`?", near));
    return false;
  }
  out.event = static_cast<ScenarioEvent>(it - events.begin());
  bool asks = scenario.trace_kind == TraceKind::withheld_param || scenario.trace_kind == TraceKind::unclear_intent ||
              scenario.trace_kind == TraceKind::unclear_and_withheld;
  if (out.event == ScenarioEvent::question && !asks) {
    error(Kind::bad_step, point.event.span, "nothing is asked in these dialogues",
          "write `from trace with withheld required param`, or `from trace with unclear intent`");
    return false;
  }
  for (const ast::Expr& e : point.subject) {
    bool of_call = out.event == ScenarioEvent::call || out.event == ScenarioEvent::result;
    Expr subject = check_as(e, env, Type::of(of_call ? Entity::call : Entity::turn),
                            fmt::format("what `{}` is of", point.event.text));
    if (subject.failed()) return false;
    out.subject.push_back(std::move(subject));
  }
  return true;
}

std::optional<ChangedCall> Checker::check_changed_call(const ast::CallChange& c, Env& env) {
  ChangedCall out;
  out.call = check(c.call, env);
  if (out.call.failed()) return std::nullopt;
  if (!is_call(out.call.type)) {
    error(Kind::type_mismatch, c.call.span, fmt::format("a call is needed here, this is `{}`", type_text(out.call)));
    return std::nullopt;
  }
  bool ok = true;
  for (const auto& [name, value] : c.changes) {
    ast::Expr place;
    place.kind = ExprKind::name;
    place.text = name.text;
    place.span = name.span;
    Expr arg = check(place, env);
    Expr set = check(value, env);
    if (!arg.failed() && arg.type != Type::of(Entity::arg)) {
      arg = error(Kind::type_mismatch, name.span,
                  fmt::format("`with` changes an argument of the call, `{}` is `{}`", name.text, type_text(arg)),
                  "bind it: `let p = one of k.args`");
    } else if (auto owner = call_of_arg_.find(arg.index); !arg.failed() && owner != call_of_arg_.end() &&
                                                          out.call.op == Op::variable &&
                                                          owner->second != out.call.index) {
      arg = error(Kind::type_mismatch, name.span,
                  fmt::format("`{}` is an argument of `{}`, not of `{}`", name.text,
                              program_.variables[owner->second].name, sources_.text(c.call.span)));
    }
    bool value_fits =
        set.type.base == Base::json || set.type.base == Base::text || set.type.numeric() || set.type.is(Base::boolean);
    if (!set.failed() && (!value_fits || !require_present(set))) {
      if (!value_fits)
        error(Kind::type_mismatch, set.span,
              fmt::format("an argument is set to a value, this is `{}`", type_text(set)));
      ok = false;
    }
    ok = ok && !arg.failed() && !set.failed();
    out.changes.emplace_back(arg.index, std::move(set));
  }
  if (!ok) return std::nullopt;
  return out;
}

void Checker::check_injection(const ast::Inject& inject, Scenario& out, Env& env) {
  Injection injection;
  bool ok = check_point(inject.point, out, env, injection.point);
  for (const ast::Binding& b : inject.where)
    if (auto binding = check_binding(b, env)) injection.where.push_back(std::move(*binding));
  size_t waiting = 0;  // calls without a result yet
  for (const ast::ScenarioStep& s : inject.steps) {
    ScenarioStep step;
    step.kind = s.kind;
    step.span = s.span;
    for (const ast::Expr& e : s.text) {
      Expr text = check_as(e, env, Type::of(Base::text), "what is said");
      ok = ok && !text.failed();
      step.text.push_back(std::move(text));
    }
    for (const ast::CallChange& c : s.calls) {
      auto call = check_changed_call(c, env);
      ++waiting;
      if (call && call->call.op == Op::variable) {  // k' is k as it is called again
        std::string primed = program_.variables[call->call.index].name + "'";
        call->made = new_variable(primed, call->call.type);
        env.variables.emplace_back(primed, *call->made);
      }
      if (call)
        step.calls.push_back(std::move(*call));
      else
        ok = false;
    }
    if (s.kind == ast::StepKind::result) {
      if (waiting == 0) {
        error(Kind::bad_step, s.span, "this result answers no call", "a `result` comes after a `call`, one for each");
        ok = false;
      } else {
        --waiting;
      }
    }
    injection.steps.push_back(std::move(step));
  }
  if (ok) out.changes.emplace_back(std::move(injection));
}

// splice orthogonal simple after question: how it relates to the dialogue, and what is spliced in.
void Checker::check_splicing(const ast::Splice& splice, Scenario& out, Env& env) {
  Splicing splicing;
  const std::vector<std::string> relations = {"orthogonal", "dependent", "parallel"};
  bool ok = check_point(splice.point, out, env, splicing.point);
  const ast::Name& relation = splice.words[0];
  auto it = std::find(relations.begin(), relations.end(), relation.text);
  if (it == relations.end()) {
    std::string near = nearest(relation.text, relations);
    error(
        Kind::unknown_word, relation.span,
        fmt::format("`{}` does not say how the spliced task relates to this one", relation.text),
        near.empty() ? fmt::format("known: {}", fmt::join(relations, ", ")) : fmt::format("did you mean `{}`?", near));
    ok = false;
  } else {
    splicing.relation = static_cast<Splicing::Relation>(it - relations.begin());
  }
  if (splice.words.size() != 2) {
    error(Kind::unknown_word, join(splice.words.front().span, splice.words.back().span),
          "a splice says how the task relates to this one, and what it is",
          "for example `splice orthogonal simple after question`");
    ok = false;
  } else if (splice.words[1].text == "simple" || splice.words[1].text == "complex") {
    splicing.size = splice.words[1].text == "simple" ? Splicing::Size::simple : Splicing::Size::complex;
  } else if (const Symbol* known = find(splice.words[1].text, env.module); !known) {
    std::vector<std::string> tasks = {"simple", "complex"};
    for (const Scenario& other : program_.scenarios) tasks.push_back(other.name);
    std::string near = nearest(splice.words[1].text, tasks);
    error(Kind::unknown_word, splice.words[1].span,
          fmt::format("`{}` is no task that can be spliced in", splice.words[1].text),
          near.empty() ? "known: simple, complex, and scenarios by name" : fmt::format("did you mean `{}`?", near));
    ok = false;
  } else if (const Symbol* scenario = named(splice.words[1], env.module, Symbol::Kind::scenario, "scenario")) {
    splicing.size = Splicing::Size::scenario;
    splicing.scenario = scenario->index;
  } else {
    ok = false;
  }
  splicing.variable = new_variable("spliced", Type::of(Entity::trace));
  env.variables.emplace_back("spliced", splicing.variable);
  if (ok) out.changes.emplace_back(std::move(splicing));
}

}  // namespace wend::sema
