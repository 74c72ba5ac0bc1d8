// Calls: functions, built-in functions, judges.
#include <fmt/format.h>
#include <wend/wend.h>
#include <algorithm>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {

using ast::ExprKind;

namespace {

const std::vector<std::string>& builtin_names() {
  static const std::vector<std::string> names = {"count",    "min",      "max",   "abs", "real",
                                                 "contains", "mentions", "names", "back"};
  return names;
}

}  // namespace

Expr Checker::check_call(const ast::Expr& e, Env& env) {
  const ast::Expr& callee = e.children[0];
  std::vector<const ast::Expr*> args;
  for (size_t i = 1; i < e.children.size(); ++i) args.push_back(&e.children[i]);
  if (callee.kind == ExprKind::field && callee.children[0].kind == ExprKind::name &&
      callee.children[0].text == "judge" && !variable_named("judge", env))
    return check_judge_call(e, env);
  std::string name;
  if (callee.kind == ExprKind::name) {
    name = callee.text;
  } else if (callee.kind == ExprKind::field) {  // x.f(a) is f(x, a)
    name = callee.text;
    args.insert(args.begin(), &callee.children[0]);
  } else {
    return error(Kind::misplaced_expression, callee.span, "this is not a function");
  }
  const Symbol* s = find(name, env.module, callee.kind == ExprKind::field ? callee.name_span : callee.span);
  if (s && s->kind == Symbol::Kind::function) {
    const Function& f = program_.functions[s->index];
    if (args.size() != f.parameters.size()) {
      Expr x = error(Kind::wrong_arguments, e.span,
                     fmt::format("`{}` takes {} argument{}, this gives {}", name, f.parameters.size(),
                                 f.parameters.size() == 1 ? "" : "s", args.size()));
      return x;
    }
    // Types of parameters are known before the body is.
    std::vector<Expr> checked;
    bool ok = true;
    for (size_t i = 0; i < args.size(); ++i) {
      Type wanted = program_.variables[f.parameters[i]].type;
      checked.push_back(check_as(*args[i], env, wanted, fmt::format("argument {} of `{}`", i + 1, name)));
      ok = ok && !checked.back().failed();
    }
    if (!ok) return failed(e.span);
    return call_function(s->index, std::move(checked), e.span, env, args);
  }
  if (s && s->kind == Symbol::Kind::phrases && env.scenario) return check_phrases_call(s->index, e, env);
  if (auto of_state = check_state_function(e, name, args, env)) return *of_state;
  const auto& names = builtin_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return check_builtin(e, name, args, env);
  if (s) return error(Kind::misplaced_expression, callee.span, fmt::format("`{}` is not a function", name));
  std::vector<std::string> candidates = visible_names(env, false);
  candidates.insert(candidates.end(), names.begin(), names.end());
  return error(Kind::unknown_name, callee.kind == ExprKind::field ? callee.name_span : callee.span,
               fmt::format("unknown function `{}`", name),
               help_for_unknown(NameSpace::value, name, e.span.file, candidates));
}

Expr Checker::call_function(uint32_t index, std::vector<Expr> args, Span span, Env& env,
                            const std::vector<const ast::Expr*>& written) {
  {
    Function& f = program_.functions[index];
    f.used = true;
    for (size_t i = 0; i < args.size(); ++i) {
      Type wanted = program_.variables[f.parameters[i]].type;
      if (args[i].type == wanted) continue;
      if (args[i].type.optional && !wanted.optional) {
        require_present(args[i]);
      } else if (!(args[i].type.present() == wanted.present())) {
        error(Kind::type_mismatch, args[i].span,
              fmt::format("`{}` takes `{}`, this is `{}`", f.name, program_.text(wanted), type_text(args[i])));
      } else {
        continue;
      }
      return failed(span);
    }
  }
  (void)written;
  if (function_state_[index] == State::checking) {
    // A recurrence: the function on an element that comes earlier.
    Function& f = program_.functions[index];
    if (env.self != static_cast<int64_t>(index))
      return error(Kind::recursion, span,
                   fmt::format("`{}` is defined by way of itself, through other functions", f.name),
                   "a function may refer to itself only directly, on earlier elements");
    bool earlier = f.parameters.size() == 1 && args[0].op == Op::variable &&
                   program_.variables[args[0].index].earlier_than == f.parameters[0];
    earlier = earlier || (f.parameters.size() == 1 && args[0].op == Op::field && args[0].field->earlier &&
                          args[0].field->type.base == Base::entity && args[0].children[0].op == Op::variable &&
                          args[0].children[0].index == f.parameters[0]);
    if (!earlier)
      return error(Kind::recursion, span,
                   fmt::format("`{}` refers to itself on an element that is not known to come earlier", f.name),
                   "go over `x.earlier`, `x.previous` or `link.needs`, so that it ends");
    if (f.result.failed())
      return error(Kind::recursion, span,
                   fmt::format("`{}` refers to itself, so its result type must be written", f.name),
                   fmt::format("write `fn {}(...) -> TYPE = ...`", f.name));
    f.recursive = true;
    Expr x = make(Op::call, f.result, span, std::move(args));
    x.index = index;
    if (f.result.base == Base::integer) x.range = Range{-kInfinity, kInfinity, 1e15};
    return x;
  }
  check_function(index);
  const Function& f = program_.functions[index];
  if (f.body.empty() || f.body[0].failed()) return failed(span);
  Expr x = make(Op::call, f.result, span, std::move(args));
  x.index = index;
  x.range = f.range;
  x.requirements |= f.requirements & ~env.granted;
  return x;
}

Expr Checker::check_judge_call(const ast::Expr& e, Env& env) {
  const std::string& name = e.children[0].text;
  const Symbol* s = nullptr;
  std::vector<std::string> candidates;
  auto look = [&](uint32_t module) {
    for (const auto& [n, symbol] : judge_names_[module]) candidates.push_back(n);
    if (auto it = judge_names_[module].find(name); it != judge_names_[module].end()) s = &it->second;
  };
  for (uint32_t used : used_[env.module]) look(used);
  look(env.module);
  if (!s)
    return error(Kind::unknown_name, e.children[0].name_span, fmt::format("unknown judge `{}`", name),
                 help_for_unknown(NameSpace::judge, name, e.span.file, candidates,
                                  "declare it: `judge " + name + " on u: Turn { rule = ... }`"));
  if (s->kind == Symbol::Kind::classifier) {
    const Classifier& c = program_.classifiers[s->index];
    if (!env.state)
      return error(Kind::misplaced_expression, e.span,
                   fmt::format("judge `{}` gives a label, not a score: it has no place here", name),
                   "it is asked in the handlers of a belief");
    if (env.judge >= 0) return error(Kind::misplaced_expression, e.span, "a judge's rule may not ask a judge");
    if (e.children.size() != 2)
      return error(Kind::wrong_arguments, e.span,
                   fmt::format("`judge.{}` takes 1 argument, this gives {}", name, e.children.size() - 1));
    Expr message =
        check_as(e.children[1], env, Type::of(Entity::message), fmt::format("the argument of `judge.{}`", name));
    if (message.failed() || c.type.failed()) return failed(e.span);
    Expr x = make(Op::classifier, c.type, e.span, {});
    x.children.push_back(std::move(message));
    x.index = s->index;
    return x;
  }
  if (env.judge >= 0) return error(Kind::misplaced_expression, e.span, "a judge's rule may not ask a judge");
  if (e.children.size() != 2)
    return error(Kind::wrong_arguments, e.span,
                 fmt::format("`judge.{}` takes 1 argument, this gives {}", name, e.children.size() - 1));
  Expr turn = check_as(e.children[1], env, Type::of(Entity::turn), fmt::format("the argument of `judge.{}`", name));
  if (turn.failed()) return failed(e.span);
  const Judge& j = program_.judges[s->index];
  if (judge_state_[s->index] == State::checking)
    return error(Kind::recursion, e.span, fmt::format("the rule of judge `{}` asks judge `{}`", name, name),
                 "a judge's rule may not ask a judge");
  if (j.rule.empty()) return failed(e.span);
  Expr x = make(Op::judge, Type::of(Base::real), e.span, {});
  x.requirements = (turn.requirements | j.rule[0].requirements) & ~env.granted;
  x.requirements |= uint32_t{WEND_CAP_JUDGE0} << s->index;
  x.children.push_back(std::move(turn));
  x.index = s->index;
  x.range = Range::between(-1, 1);
  return x;
}

Expr Checker::check_builtin(const ast::Expr& e, const std::string& name, const std::vector<const ast::Expr*>& written,
                            Env& env) {
  std::vector<Expr> args;
  for (const ast::Expr* a : written) {
    args.push_back(check(*a, env));
    if (args.back().failed()) return failed(e.span);
  }
  auto wrong = [&](std::string_view usage) {
    return error(Kind::wrong_arguments, e.span, fmt::format("`{}` is used as `{}`", name, usage));
  };
  if (name == "count") {
    if (args.size() != 1 || args[0].type.base != Base::list)
      return wrong("count(LIST) or count(x in LIST if CONDITION)");
    Expr x = make(Op::count, Type::of(Base::integer), e.span, std::move(args));
    x.range = Range::count();
    return x;
  }
  if (name == "min" || name == "max") {
    if (args.size() < 2 || args.size() > 8) return wrong(name + "(a, b)");
    Expr x = std::move(args[0]);
    for (size_t i = 1; i < args.size(); ++i) {
      for (const Expr* a : {&x, &args[i]})
        if (!a->type.numeric())
          return error(Kind::type_mismatch, a->span,
                       fmt::format("`{}` needs numbers, this is `{}`", name, type_text(*a)));
      if (!require_present(x) || !require_present(args[i])) return failed(e.span);
      unify(x, args[i]);
      Range range = name == "min" ? min(x.range, args[i].range) : max(x.range, args[i].range);
      Type type = x.type;
      x = make(name == "min" ? Op::minimum : Op::maximum, type, e.span, {std::move(x), std::move(args[i])});
      x.range = range;
    }
    return x;
  }
  if (name == "abs" || name == "real") {
    if (args.size() != 1 || !args[0].type.numeric()) return wrong(name + "(NUMBER)");
    if (!require_present(args[0])) return failed(e.span);
    if (name == "real") {
      to_real(args[0]);
      return std::move(args[0]);
    }
    Range r = args[0].range, positive = max(r, -r);
    positive.low = std::max(positive.low, 0.0);
    Type type = args[0].type;
    Expr x = make(Op::absolute, type, e.span, std::move(args));
    x.range = positive;
    return x;
  }
  if (name == "contains") {
    if (args.size() != 2 || args[0].type.base != Base::text || args[1].op != Op::text)
      return wrong("contains(TEXT, \"literal\")");
    return make(Op::contains, Type::of(Base::boolean), e.span, std::move(args));
  }
  if (name == "mentions" || name == "names") {
    bool fits = args.size() == 2 && args[0].type.base == Base::text &&
                (args[1].type.base == Base::text || (name == "mentions" && args[1].type.base == Base::json)) &&
                args[1].op != Op::text;
    if (!fits) return wrong(name + (name == "mentions" ? "(TEXT, VALUE)" : "(TEXT, NAME)"));
    return make(name == "mentions" ? Op::mentions : Op::names, Type::of(Base::boolean), e.span, std::move(args));
  }
  // back(c, k)
  if (args.size() != 2 || !args[0].type.is_entity(Entity::call) || args[0].type.optional ||
      !args[1].type.is(Base::integer))
    return wrong("CALL.back(INT)");
  if (args[1].range.low < 0)
    return error(Kind::type_mismatch, args[1].span,
                 "`back` counts calls before this one: the number may not be negative");
  return make(Op::back, Type::of(Entity::call).as_optional(), e.span, std::move(args));
}

}  // namespace wend::sema
