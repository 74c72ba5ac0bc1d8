// Scenarios: what is taken, what is changed, what is expected then.
#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {

using ast::ExprKind;

namespace {

const std::vector<std::string>& families() {
  static const std::vector<std::string> names = {"Baseline",      "Modification", "Interruption",
                                                 "Clarification", "Accumulation", "Chaining"};
  return names;
}

const std::map<std::string, TraceKind>& trace_kinds() {
  static const std::map<std::string, TraceKind> kinds = {
      {"single step", TraceKind::single_step},         {"several steps", TraceKind::several_steps},
      {"dependent steps", TraceKind::dependent_steps}, {"withheld required param", TraceKind::withheld_param},
      {"unclear intent", TraceKind::unclear_intent},   {"unclear intent withheld required param", TraceKind::unclear_and_withheld},
      {"personal profile", TraceKind::personal_profile},
      {"language only", TraceKind::language_only}};
  return kinds;
}

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

bool is_call(Type type) { return type == Type::of(Entity::call); }

}  // namespace

// `name` as a declaration of that kind, or an error.
const Symbol* Checker::named(const ast::Name& name, uint32_t module, Symbol::Kind kind, std::string_view what) {
  const Symbol* s = find(name.text, module);
  if (s && s->kind == kind) return s;
  std::vector<std::string> candidates;
  auto look = [&](uint32_t m) {
    for (const auto& [n, symbol] : names_[m])
      if (symbol.kind == kind) candidates.push_back(n);
  };
  look(module);
  for (uint32_t used : used_[module]) look(used);
  std::string near = nearest(name.text, candidates);
  error(s ? Kind::misplaced_expression : Kind::unknown_name, name.span,
        s ? fmt::format("`{}` is not a {}", name.text, what) : fmt::format("unknown {} `{}`", what, name.text),
        near.empty() ? "" : fmt::format("did you mean `{}`?", near));
  return nullptr;
}

void Checker::check_scenarios() {
  for (uint32_t i = 0; i < phrases_decl_.size(); ++i) {
    auto [module, d] = phrases_decl_[i];
    if (!is_broken(*d)) check_phrases(i, module, std::get<ast::PhrasesDecl>(d->body));
  }
  std::map<std::string, double> shares;
  for (uint32_t i = 0; i < scenario_decl_.size(); ++i) {
    auto [module, d] = scenario_decl_[i];
    const auto& s = std::get<ast::ScenarioDecl>(d->body);
    if (is_broken(*d)) continue;
    check_scenario(i, module, *d, s);
    const Scenario& done = program_.scenarios[i];
    double before = shares[done.module];
    shares[done.module] += done.share;
    if (before <= 1.0 + 1e-9 && shares[done.module] > 1.0 + 1e-9)
      error(Kind::bad_share, s.share[0].span,
            fmt::format("with this share, those of the module add up to {:.4g}%", shares[done.module] * 100),
            "they may add up to 100%");
  }
  for (uint32_t m = 0; m < program_.modules.size(); ++m)
    for (const ast::Declaration& d : program_.modules[m].declarations) {
      if (is_broken(d)) continue;
      if (auto* filter = std::get_if<ast::FilterDecl>(&d.body)) check_filter(m, d, *filter);
      if (auto* context = std::get_if<ast::ContextDecl>(&d.body)) check_context(m, d, *context);
    }
}

void Checker::check_scenario(uint32_t index, uint32_t module, const ast::Declaration&, const ast::ScenarioDecl& s) {
  Scenario out = program_.scenarios[index];
  auto family = std::find(families().begin(), families().end(), s.family.text);
  if (family != families().end()) {
    out.family = static_cast<Family>(family - families().begin());
  } else if (s.family.text.empty()) {
    error(Kind::missing_part, s.name.span, fmt::format("scenario `{}` has no family", s.name.text),
          fmt::format("write `scenario {} in FAMILY`: {}", s.name.text, fmt::join(families(), ", ")));
  } else {
    std::string near = nearest(s.family.text, families());
    error(
        Kind::unknown_word, s.family.span, fmt::format("`{}` is no family of scenarios", s.family.text),
        near.empty() ? fmt::format("known: {}", fmt::join(families(), ", ")) : fmt::format("did you mean `{}`?", near));
  }
  Env env;
  env.module = module;
  env.scenario = true;
  out.trace = new_variable("trace", Type::of(Entity::trace));
  env.variables.emplace_back("trace", out.trace);
  check_base(s, out, env);
  for (const ast::Binding& b : s.bindings)
    if (auto binding = check_binding(b, env)) out.bindings.push_back(std::move(*binding));
  for (const auto& change : s.changes) {
    if (auto* inject = std::get_if<ast::Inject>(&change))
      check_injection(*inject, out, env);
    else
      check_splicing(std::get<ast::Splice>(change), out, env);
  }
  check_scenario_gold(s, out, env);
  for (const ast::Expr& e : s.requirements) out.requirements.push_back(check_condition(e, env));
  if (!s.primary) {
    error(Kind::missing_part, s.name.span, fmt::format("scenario `{}` has no `primary`", s.name.text),
          "add `primary METRIC`: what tells whether an agent copes with it");
  } else if (const Symbol* metric = named(*s.primary, module, Symbol::Kind::metric, "metric")) {
    out.primary = metric->index;
  }
  for (const ast::Expr& e : s.share) {
    Expr share = check_as(e, env, Type::of(Base::real), "a share");
    if (share.failed()) continue;
    if (share.op != Op::real) {
      error(Kind::bad_share, e.span, "a share is a number as written", "for example `share 4.6%`");
    } else if (share.number < 0 || share.number > 1) {
      error(Kind::bad_share, e.span, fmt::format("a share is from 0% to 100%, this is {:.4g}%", share.number * 100),
            share.number <= 100 && share.number > 1 && e.kind != ExprKind::percent
                ? fmt::format("write `share {}%`", sources_.text(e.span))
                : "");
    } else {
      out.share = share.number;
    }
  }
  program_.scenarios[index] = std::move(out);
}

void Checker::check_base(const ast::ScenarioDecl& s, Scenario& out, Env& env) {
  if (s.base.text == "trace") {
    std::string words;
    for (const ast::Name& w : s.base_with) words += (words.empty() ? "" : " ") + w.text;
    if (words.empty()) return;
    auto it = trace_kinds().find(words);
    if (it == trace_kinds().end()) {
      std::vector<std::string> known = keys_of(trace_kinds());
      std::string near = nearest(words, known);
      error(Kind::unknown_word, join(s.base_with.front().span, s.base_with.back().span),
            fmt::format("there is no trace with `{}`", words),
            near.empty() ? fmt::format("known: {}", fmt::join(known, ", ")) : fmt::format("did you mean `{}`?", near));
    } else {
      out.trace_kind = it->second;
    }
  } else if (const Symbol* base = named(s.base, env.module, Symbol::Kind::scenario, "scenario")) {
    if (!s.base_with.empty())
      error(Kind::unknown_word, join(s.base_with.front().span, s.base_with.back().span), "only `trace` takes `with`",
            fmt::format("write `from {}`, or `from trace with ...`", s.base.text));
    auto self = std::find_if(scenario_decl_.begin(), scenario_decl_.end(),
                             [&](const auto& d) { return &std::get<ast::ScenarioDecl>(d.second->body) == &s; });
    if (base->index >= static_cast<uint32_t>(self - scenario_decl_.begin()) && base->module == env.module) {
      error(Kind::recursion, s.base.span, fmt::format("scenario `{}` is not declared before this one", s.base.text),
            "a scenario is built from an earlier one: move it up");
    } else {
      out.base = base->index;
      out.trace_kind = program_.scenarios[base->index].trace_kind;
    }
  }
  if (out.trace_kind == TraceKind::withheld_param || out.trace_kind == TraceKind::unclear_and_withheld) {
    out.withheld = new_variable("withheld", Type::of(Entity::param));
    env.variables.emplace_back("withheld", *out.withheld);
  }
}

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
  static const std::map<std::string, ScenarioEvent> events = {{"user", ScenarioEvent::user},
                                                              {"call", ScenarioEvent::call},
                                                              {"result", ScenarioEvent::result},
                                                              {"reply", ScenarioEvent::reply},
                                                              {"question", ScenarioEvent::question}};
  out.after = point.after;
  auto it = events.find(point.event.text);
  if (it == events.end()) {
    std::vector<std::string> known = keys_of(events);
    std::string near = nearest(point.event.text, known);
    error(Kind::unknown_word, point.event.span, fmt::format("`{}` is no point of a dialogue", point.event.text),
          near.empty() ? fmt::format("known: {}", fmt::join(known, ", ")) : fmt::format("did you mean `{}`?", near));
    return false;
  }
  out.event = it->second;
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
        env.variables.emplace_back(primed, new_variable(primed, call->call.type));
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
    error(Kind::unknown_word, splice.words[1].span, fmt::format("`{}` is no task that can be spliced in", splice.words[1].text),
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

std::optional<uint32_t> Checker::check_gold_label(const std::optional<ast::Name>& label, uint16_t enumeration) {
  if (!label) return std::nullopt;
  const EnumInfo& info = program_.enums[enumeration];
  auto it = std::find(info.labels.begin(), info.labels.end(), label->text);
  if (it != info.labels.end()) return static_cast<uint32_t>(it - info.labels.begin());
  std::string near = nearest(label->text, info.labels);
  error(Kind::unknown_label, label->span, fmt::format("`{}` is not a label of `{}`", label->text, info.name),
        near.empty() ? fmt::format("its labels are {}", fmt::join(info.labels, ", "))
                     : fmt::format("did you mean `{}`?", near));
  return std::nullopt;
}

void Checker::check_scenario_gold(const ast::ScenarioDecl& s, Scenario& out, Env& env) {
  bool labelled = s.gold && (!s.gold->calls.empty() || !s.gold->calls_of.empty() || !s.gold->stale.empty() ||
                             s.gold->signal || s.gold->kind || !s.gold->missing.empty() || !s.gold->abandon.empty());
  if (!labelled) {
    error(Kind::no_gold_label, s.gold ? s.gold->span : s.name.span,
          fmt::format("scenario `{}` does not say what is right", s.name.text),
          "add `gold { calls trace }`, or what else is expected");
    return;
  }
  const ast::ScenarioGold& gold = *s.gold;
  ScenarioGold& typed = out.gold;
  for (const ast::CallChange& c : gold.calls)
    if (auto call = check_changed_call(c, env)) typed.calls.push_back(std::move(*call));
  for (const ast::Expr& e : gold.calls_of) {
    Expr source = check(e, env);
    if (!source.failed() && source.type != Type::of(Entity::trace) &&
        source.type != Type::list_of(Type::of(Entity::call)))
      source = error(Kind::type_mismatch, e.span,
                     fmt::format("calls are those of a trace, this is `{}`", type_text(source)), "write `calls [...]`");
    typed.calls_of.push_back(std::move(source));
  }
  for (const ast::StaleChange& stale : gold.stale) {
    Expr slot = check_as(stale.slot, env, Type::of(Entity::arg), "what goes stale");
    Expr value = check(stale.value, env);
    bool fits = value.type.base == Base::json || value.type.base == Base::text || value.type.numeric() ||
                value.type.is(Base::boolean);
    if (!value.failed() && !fits)
      value = error(Kind::type_mismatch, value.span,
                    fmt::format("a stale value is a value, this is `{}`", type_text(value)));
    typed.stale.emplace_back(std::move(slot), std::move(value));
  }
  typed.signal = check_gold_label(gold.signal, kSignal);
  typed.kind = check_gold_label(gold.kind, kKind);
  for (const ast::Expr& e : gold.missing) {
    Expr missing = check(e, env);
    bool fits =
        !missing.type.optional && (missing.type.is_entity(Entity::param) || missing.type.is_entity(Entity::arg));
    if (!missing.failed() && !fits)
      missing = error(Kind::type_mismatch, e.span,
                      fmt::format("what is missing is a parameter, this is `{}`", type_text(missing)));
    typed.missing.push_back(std::move(missing));
  }
  bool splices = std::any_of(out.changes.begin(), out.changes.end(),
                             [](const auto& c) { return std::holds_alternative<Splicing>(c); });
  for (const ast::Name& name : gold.abandon) {
    if (name.text == "suspended" && !variable_named(name.text, env)) {
      typed.abandons_suspended = true;
      if (!splices && std::none_of(s.changes.begin(), s.changes.end(),
                                   [](const auto& c) { return std::holds_alternative<ast::Splice>(c); }))
        error(Kind::bad_step, name.span, "nothing is suspended: no task is spliced in",
              "add `splice ...`, or name the call that is abandoned");
      continue;
    }
    ast::Expr call;
    call.kind = ExprKind::name;
    call.text = name.text;
    call.span = name.span;
    Expr abandoned = check_as(call, env, Type::of(Entity::call), "what is abandoned");
    typed.abandoned.push_back(std::move(abandoned));
  }
  for (const ast::Expr& e : gold.reference)
    typed.reference.push_back(check_as(e, env, Type::of(Base::text), "a reference"));
}

Expr Checker::check_scenario_operator(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  Type arg = Type::of(Entity::arg), args = Type::list_of(arg);
  if (e.binary == ast::BinaryOp::except) {
    if (a.type != args)
      return error(Kind::type_mismatch, a.span,
                   fmt::format("`except` takes from the arguments of a call, this is `{}`", type_text(a)));
    if (b.type != arg)
      return error(Kind::type_mismatch, b.span,
                   fmt::format("`except` takes away an argument, this is `{}`", type_text(b)));
    return make(Op::without, args, e.span, {std::move(a), std::move(b)});
  }
  bool said = a.type == args || a.type == arg || a.type.is(Base::json) || a.type.is(Base::text);
  if (!said)
    return error(Kind::type_mismatch, a.span,
                 fmt::format("`mentioned in` is about arguments and values, this is `{}`", type_text(a)));
  bool place = b.type.is_entity(Entity::turn) || b.type.is_entity(Entity::message) || b.type.base == Base::text;
  if (!place)
    return error(Kind::type_mismatch, b.span,
                 fmt::format("values are mentioned in a turn, a message or a text, this is `{}`", type_text(b)));
  return make(Op::mentioned_in, Type::of(Base::boolean), e.span, {std::move(a), std::move(b)});
}

}  // namespace wend::sema
