// Phrases, filters, contexts.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "compiler/sema/checker.h"

namespace wend::sema {

using ast::ContextKind;
using ast::ExprKind;

namespace {

bool can_be_said(Type type) {
  Base base = type.base == Base::list ? type.element : type.base;
  bool spoken = base == Base::entity &&
                (type.entity == Entity::arg || type.entity == Entity::param || type.entity == Entity::tool);
  return spoken || base == Base::text || base == Base::json || base == Base::integer || base == Base::real ||
         base == Base::boolean;
}

// A word of a fixed list, as its index; -1: none of them.
int64_t index_in(const std::vector<std::string>& words, const std::string& word) {
  auto it = std::find(words.begin(), words.end(), word);
  return it == words.end() ? -1 : it - words.begin();
}

// What only a belief state, or a text that is made, can answer: contexts have numbers and the history's length.
const Expr* of_a_state(const Expr& e) {
  switch (e.op) {
    case Op::classify:
    case Op::classifier:
    case Op::mentioned:
    case Op::resolved:
    case Op::excerpt:
    case Op::fill:
      return &e;
    default:
      break;
  }
  for (const Expr& c : e.children)
    if (const Expr* found = of_a_state(c)) return found;
  for (const Loop& l : e.loops)
    if (const Expr* found = of_a_state(l.source[0])) return found;
  return nullptr;
}

std::string near_or_all(const std::string& word, const std::vector<std::string>& words) {
  std::string near = nearest(word, words);
  return near.empty() ? fmt::format("known: {}", fmt::join(words, ", ")) : fmt::format("did you mean `{}`?", near);
}

}  // namespace

// ---- phrases ----

void Checker::check_phrases(uint32_t index, uint32_t module, const ast::PhrasesDecl& d) {
  Env env;
  env.module = module;
  env.scenario = true;
  std::vector<PhrasesParameter> parameters;
  for (const ast::Parameter& p : d.parameters) {
    if (std::any_of(parameters.begin(), parameters.end(),
                    [&](const PhrasesParameter& o) { return o.name == p.name.text; }))
      error(Kind::duplicate_name, p.name.span, fmt::format("parameter `{}` is listed twice", p.name.text),
            "give one of them another name");
    PhrasesParameter parameter;
    parameter.name = p.name.text;
    parameter.any = p.type.name.text.empty();
    Type type = parameter.any ? Type::of(Base::json) : resolve_type(p.type, module);
    if (!type.failed() && !can_be_said(type) && type.base != Base::entity)
      type = error(Kind::type_mismatch, p.type.span, fmt::format("a `{}` cannot be said", program_.text(type)),
                   "name a type of values, or leave the type out")
                 .type;
    parameter.variable = new_variable(p.name.text, type);
    env.variables.emplace_back(p.name.text, parameter.variable);
    parameters.push_back(std::move(parameter));
  }
  program_.phrases[index].parameters = parameters;
  std::vector<Expr> variants;
  for (const ast::Expr& v : d.variants) {
    Expr variant = check_fill(v, env);
    if (!variant.failed()) variants.push_back(std::move(variant));
  }
  program_.phrases[index].variants = std::move(variants);
}

Expr Checker::check_phrases_call(uint32_t index, const ast::Expr& e, Env& env) {
  const Phrases& phrases = program_.phrases[index];
  size_t given = e.children.size() - 1;
  if (given != phrases.parameters.size())
    return error(Kind::wrong_arguments, e.span,
                 fmt::format("`{}` takes {} argument{}, this gives {}", phrases.name, phrases.parameters.size(),
                             phrases.parameters.size() == 1 ? "" : "s", given));
  Expr x;
  x.op = Op::phrase;
  x.index = index;
  x.type = Type::of(Base::text);
  x.span = e.span;
  bool ok = true;
  for (size_t i = 0; i < given; ++i) {
    const PhrasesParameter& p = phrases.parameters[i];
    Expr arg = p.any ? check(e.children[i + 1], env)
                     : check_as(e.children[i + 1], env, program_.variables[p.variable].type,
                                fmt::format("argument {} of `{}`", i + 1, phrases.name));
    if (!arg.failed() && p.any && (arg.type.optional || !can_be_said(arg.type))) {
      if (require_present(arg))
        error(Kind::type_mismatch, arg.span, fmt::format("a `{}` cannot be said", type_text(arg)),
              "give a value, a text, or an argument for its name");
      arg = failed(arg.span);
    }
    ok = ok && !arg.failed();
    x.children.push_back(std::move(arg));
  }
  return ok ? x : failed(e.span);
}

// ---- filters ----

// calls, calls.args: lists of the trace, each within the one before.
bool Checker::check_filter_source(const ast::Expr& source, const ast::Name& variable, FilterRule& rule, Env& env) {
  std::vector<const ast::Expr*> path;
  const ast::Expr* e = &source;
  while (e->kind == ExprKind::field) {
    path.insert(path.begin(), e);
    e = &e->children[0];
  }
  if (e->kind != ExprKind::name) {
    error(Kind::misplaced_expression, source.span, "a filter goes over lists of a trace",
          "for example `every a in calls.args`");
    return false;
  }
  Expr owner;
  owner.op = Op::variable;
  owner.type = Type::of(Entity::trace);
  owner.text = "trace";
  owner.index = env.variables.front().second;
  owner.span = e->span;
  if (e->text != "trace") path.insert(path.begin(), e);
  for (size_t i = 0; i < path.size(); ++i) {
    Span place = path[i]->kind == ExprKind::field ? path[i]->name_span : path[i]->span;
    const Field* field = find_field(owner.type, path[i]->text);
    if (!field || field->type.base != Base::list) {
      std::vector<std::string> lists;
      for (const std::string& name : field_names(owner.type))
        if (find_field(owner.type, name)->type.base == Base::list) lists.push_back(name);
      error(Kind::unknown_field, place,
            fmt::format("a `{}` has no list `{}`", program_.text(owner.type), path[i]->text),
            near_or_all(path[i]->text, lists));
      return false;
    }
    Loop loop;
    loop.element = field->type.element_type();
    bool last = i + 1 == path.size();
    loop.variable = new_variable(last ? variable.text : "", loop.element);
    Expr list;
    list.op = Op::field;
    list.type = field->type;
    list.span = source.span;
    list.field = field;
    list.requirements = field->requirements;
    list.children.push_back(std::move(owner));
    loop.source.push_back(std::move(list));
    owner = Expr{};
    owner.op = Op::variable;
    owner.type = loop.element;
    owner.index = loop.variable;
    owner.span = source.span;
    rule.loops.push_back(std::move(loop));
  }
  if (rule.loops.empty()) {
    error(Kind::type_mismatch, source.span, "`every` goes over a list, this is `Trace`",
          "for example `every c in calls`");
    return false;
  }
  env.variables.emplace_back(variable.text, rule.loops.back().variable);
  return true;
}

void Checker::check_filter(uint32_t module, const ast::Declaration& d, const ast::FilterDecl& f) {
  static const std::vector<std::string> repairs = {"drop", "coerce", "fill"};
  Filter filter{f.name.text,
                program_.modules[module].name.text,
                d.doc.text,
                f.name.span,
                new_variable("trace", Type::of(Entity::trace)),
                {}};
  for (const ast::FilterRule& written : f.rules) {
    Env env;
    env.module = module;
    env.variables.emplace_back("trace", filter.trace);
    FilterRule rule;
    rule.span = written.span;
    bool whole = written.source.empty();
    if (!whole && !check_filter_source(written.source[0], written.variable, rule, env)) continue;
    for (const ast::FilterCheck& c : written.checks) {
      FilterCheck check;
      check.condition = check_condition(c.condition, env);
      learn(c.condition, check.condition, env);  // what fails a check is not seen by the next
      if (c.repair) {
        int64_t repair = index_in(repairs, c.repair->text);
        Entity subject = whole ? Entity::trace : rule.loops.back().element.entity;
        if (repair < 0) {
          error(Kind::unknown_word, c.repair->span, fmt::format("`{}` is no repair", c.repair->text),
                near_or_all(c.repair->text, repairs));
        } else if (whole || (repairs[static_cast<size_t>(repair)] == "coerce" && subject != Entity::arg) ||
                   (repairs[static_cast<size_t>(repair)] == "fill" && subject != Entity::call)) {
          error(Kind::type_mismatch, c.repair->span,
                fmt::format("`repair {}` does not go with a `{}`", c.repair->text, info(subject).name),
                "elements can be dropped, the values of an `Arg` coerced, the arguments of a `Call` filled in");
        } else {
          check.repair = static_cast<Repair>(repair + 1);
        }
      }
      rule.checks.push_back(std::move(check));
    }
    filter.rules.push_back(std::move(rule));
  }
  program_.filters.push_back(std::move(filter));
}

// ---- contexts ----

void Checker::check_context(uint32_t module, const ast::Declaration& d, const ast::ContextDecl& c) {
  Context context;
  context.name = c.name.text;
  context.module = program_.modules[module].name.text;
  context.doc = d.doc.text;
  context.span = c.name.span;
  Env env;
  env.module = module;
  env.state = true;
  context.history = new_variable("history", Type::of(Entity::history));
  env.variables.emplace_back("history", context.history);
  for (const ast::Parameter& p : c.parameters) {
    Type type = resolve_type(p.type, module);
    if (!type.failed() && (type.optional || (!type.numeric() && !type.is(Base::boolean))))
      type = error(Kind::type_mismatch, p.type.span,
                   fmt::format("a parameter of a context is a number or a bool, not `{}`", program_.text(type)))
                 .type;
    uint32_t variable = new_variable(p.name.text, type);
    if (std::any_of(context.parameters.begin(), context.parameters.end(),
                    [&](uint32_t o) { return program_.variables[o].name == p.name.text; }))
      error(Kind::duplicate_name, p.name.span, fmt::format("parameter `{}` is listed twice", p.name.text),
            "give one of them another name");
    if (p.default_value.empty())
      error(Kind::missing_part, p.name.span, fmt::format("parameter `{}` has no default", p.name.text),
            fmt::format("write `{} = VALUE`, so that the context can be named alone",
                        sources_.text(join(p.name.span, p.type.span))));
    for (const ast::Expr& e : p.default_value) {
      Env outer;
      outer.module = module;
      context.defaults.push_back(check_as(e, outer, type, fmt::format("the default of `{}`", p.name.text)));
    }
    context.parameters.push_back(variable);
    env.variables.emplace_back(p.name.text, variable);
  }
  std::optional<Span> history, update;
  bool written = false;
  std::optional<Span> waiting;  // the last block that was written and not put in
  for (const ast::ContextStep& s : c.steps) {
    bool is_history = s.kind == ContextKind::history_all || s.kind == ContextKind::history_none ||
                      s.kind == ContextKind::history_current_turn || s.kind == ContextKind::history_last;
    if (is_history && history) {
      Diagnostic& report = diagnostics_.report(Kind::repeated_part, s.span, "`history` is written twice");
      report.label = Label{*history, "the first is here"};
      report.help = "remove one of the two";
      continue;
    }
    if (is_history) history = s.span;
    if (s.kind == ContextKind::update && update) {
      Diagnostic& report = diagnostics_.report(Kind::repeated_part, s.span, "`update` is written twice");
      report.label = Label{*update, "the first is here"};
      report.help = "remove one of the two";
      continue;
    }
    if (s.kind == ContextKind::update) update = s.span;
    if (s.kind == ContextKind::inject && !written) {
      error(Kind::bad_step, s.span, "there is nothing to inject yet",
            "write `draft RENDER` or `render RENDER` before it");
      continue;
    }
    const bool writes = s.kind == ContextKind::draft || s.kind == ContextKind::render;
    written = written || writes;
    if (s.kind == ContextKind::inject) waiting.reset();
    ContextStep step;
    step.kind = s.kind;
    step.span = s.span;
    if (!check_context_step(s, context, env, step)) continue;
    if (writes) waiting = s.span;
    context.steps.push_back(std::move(step));
  }
  if (waiting)
    error(Kind::bad_step, *waiting, "this block is never put in", "write `inject system` or `inject user` behind it");
  program_.contexts.push_back(std::move(context));
}

bool Checker::check_context_step(const ast::ContextStep& s, const Context&, Env& env, ContextStep& out) {
  static const std::vector<std::string> places = {"system", "user"},
                                        authors = {"policy", "scorer", "summariser", "guideline"},
                                        carried = {"state", "facts", "constraints", "summary"},
                                        policies = {"accumulate", "last_only", "first_only"};
  auto word = [&](const ast::Name& name, const std::vector<std::string>& words, std::string_view what) {
    int64_t index = index_in(words, name.text);
    if (index < 0)
      error(Kind::unknown_word, name.span, fmt::format("`{}` is no {}", name.text, what),
            near_or_all(name.text, words));
    return index;
  };
  bool ok = true;
  if (s.kind == ContextKind::draft || s.kind == ContextKind::render) {
    const Symbol* render = named(s.subject, env.module, Symbol::Kind::render, "render");
    if (!render) return false;
    out.render = render->index;
    if (!s.by.text.empty()) {
      const Symbol* prompt = named(s.by, env.module, Symbol::Kind::render, "render");
      if (!prompt) return false;
      out.prompt = prompt->index;
    }
  } else if (s.kind == ContextKind::update) {
    int64_t policy = word(s.subject, policies, "policy of updates");
    if (policy < 0) return false;
    out.policy = static_cast<UpdatePolicy>(policy);
  } else if (s.kind == ContextKind::instruct) {
    out.text = s.text[0].text;
  } else if (s.kind == ContextKind::inject) {
    int64_t place = word(s.subject, places, "place of a prompt");
    if (place < 0) return false;
    out.into_system = place == 0;
  } else if (s.kind == ContextKind::carry || s.kind == ContextKind::compress) {
    int64_t what = s.kind == ContextKind::carry ? word(s.subject, carried, "thing that is carried from turn to turn")
                                                : word(s.subject, {"history"}, "part of a prompt that is compressed");
    int64_t author = word(s.by, authors, "author");
    if (what < 0 || author < 0) return false;
    if (s.kind == ContextKind::carry) out.carried = static_cast<Carried>(what);
    out.author = static_cast<Author>(author);
  }
  for (const ast::Expr& e : s.amount) {
    Expr amount = check_as(e, env, Type::of(Base::integer),
                           s.kind == ContextKind::history_last ? "a number of turns" : "a number of tokens");
    if (!amount.failed() && amount.range.high < 1)
      amount = error(Kind::bad_range, amount.span,
                     fmt::format("at least 1 is needed here, this is {}", to_string(amount.range)));
    ok = ok && !amount.failed();
    out.amount.push_back(std::move(amount));
  }
  for (const ast::Expr& e : s.condition) {
    Expr condition = check_condition(e, env);
    ok = ok && !condition.failed();
    out.condition.push_back(std::move(condition));
  }
  for (const auto* exprs : {&out.amount, &out.condition}) {
    for (const Expr& e : *exprs) {
      if (const Expr* found = of_a_state(e)) {
        error(Kind::misplaced_expression, found->span, "a context does not ask a belief state",
              "it knows its parameters, the params of the spec and `tokens(history)`");
        ok = false;
      }
    }
  }
  return ok;
}

}  // namespace wend::sema
