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
      {"single step", TraceKind::single_step},
      {"several steps", TraceKind::several_steps},
      {"dependent steps", TraceKind::dependent_steps},
      {"withheld required param", TraceKind::withheld_param},
      {"unclear intent", TraceKind::unclear_intent},
      {"unclear intent withheld required param", TraceKind::unclear_and_withheld},
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
