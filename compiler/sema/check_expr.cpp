// Names, fields, operators.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {

using ast::BinaryOp;
using ast::ExprKind;

namespace {

Expr number(Op op, double x, Span span) {
  Expr e = make(op, Type::of(op == Op::integer ? Base::integer : Base::real), span);
  e.number = x;
  if (std::abs(x) < 9e18) e.integer = static_cast<int64_t>(x);  // beyond: the caller sets it, or it is not read
  e.range = Range::exactly(x);
  return e;
}

}  // namespace

Expr Checker::failed(Span span) const { return make(Op::absent, Type::of(Base::error), span); }

Expr Checker::error(Kind kind, Span span, std::string message, std::string help) {
  const bool unknown = kind == Kind::unknown_name || kind == Kind::unknown_type || kind == Kind::unknown_field;
  if (unknown && incomplete_files_.count(span.file)) return failed(span);  // what declares it could not be read
  Diagnostic& d = diagnostics_.report(kind, span, std::move(message));
  d.help = std::move(help);
  return failed(span);
}

Expr Checker::check(const ast::Expr& e, Env& env) {
  if (depth_ >= kMaxDepth)
    return error(Kind::nesting_too_deep, e.span,
                 fmt::format("nested deeper than {} with the functions that call each other", kMaxDepth),
                 "let fewer functions be defined by way of each other");
  ++depth_;
  Expr x = check_kind(e, env);
  --depth_;
  if (x.type.numeric() && !x.type.optional && !env.facts.empty()) {
    std::string_view written = sources_.text(e.span);
    for (const auto& [text, range] : env.facts)
      if (text == written) {
        x.range.low = std::max(x.range.low, range.low);
        x.range.high = std::min(x.range.high, range.high);
      }
  }
  return x;
}

Expr Checker::check_kind(const ast::Expr& e, Env& env) {
  switch (e.kind) {
    case ExprKind::integer: {
      if (e.integer_overflow) return failed(e.span);
      Expr x = number(Op::integer, static_cast<double>(e.integer), e.span);
      x.integer = e.integer;
      return x;
    }
    case ExprKind::real:
    case ExprKind::percent:
      return number(Op::real, e.number, e.span);
    case ExprKind::text: {
      if (env.state || env.scenario) return check_fill(e, env);
      Expr x = make(Op::text, Type::of(Base::text), e.span);
      x.text = e.text;
      return x;
    }
    case ExprKind::boolean: {
      Expr x = make(Op::boolean, Type::of(Base::boolean), e.span);
      x.integer = e.integer;
      return x;
    }
    case ExprKind::none:
      return error(Kind::bad_none, e.span, "`none` has no type by itself",
                   "compare with `is none`, give a value with `??`, or leave out the `else`");
    case ExprKind::name:
      return check_name(e, env);
    case ExprKind::field:
      return check_field(e, env);
    case ExprKind::call:
      return check_call(e, env);
    case ExprKind::unary:
      return check_unary(e, env);
    case ExprKind::binary:
      return check_binary(e, env);
    case ExprKind::guard:
      return check_guard(e, env);
    case ExprKind::choose:
      return check_choose(e, env);
    case ExprKind::cap:
      return check_cap(e, env);
    case ExprKind::tier:
      return check_tier(e, env);
    case ExprKind::fold:
      return check_fold(e, env);
    case ExprKind::list:
      return check_list(e, env);
    case ExprKind::range:
      return error(Kind::misplaced_expression, e.span, "a range stands only after `in` of a `for`",
                   "write `for i in 0 .. n`");
    case ExprKind::index:
      if (env.state) return check_lookup(e, env);
      [[fallthrough]];
    case ExprKind::stale:
      return error(Kind::misplaced_expression, e.span, "the belief state has no place in this expression",
                   "it is read in `render` blocks and in the expectations of tests");
    case ExprKind::object:
      return error(Kind::misplaced_expression, e.span, "an object has no place in this expression",
                   "objects are written in `render` blocks and tests");
  }
  return failed(e.span);
}

// ---- names and fields ----

const uint32_t* Checker::variable_named(const std::string& name, const Env& env) const {
  for (auto it = env.variables.rbegin(); it != env.variables.rend(); ++it)
    if (it->first == name) return &it->second;
  return nullptr;
}

const Symbol* Checker::find(const std::string& name, uint32_t module, Span span) const {
  if (auto it = names_[module].find(name); it != names_[module].end()) return &it->second;
  const Symbol* found = nullptr;
  for (uint32_t used : used_[module]) {
    auto it = names_[used].find(name);
    if (it == names_[used].end()) continue;
    if (!found) {
      found = &it->second;
    } else if (span.end > span.begin) {
      Diagnostic& d = diagnostics_.report(
          Kind::ambiguous_name, span,
          fmt::format("`{}` is declared in `{}` and in `{}`", name, program_.modules[found->module].name.text,
                      program_.modules[it->second.module].name.text));
      d.label = Label{found->span, "one of them"};
      d.help = "rename one of them";
    }
  }
  return found;
}

const Symbol* Checker::detector_named(const ast::Expr& e, const Env& env) const {
  if (e.kind != ExprKind::name || variable_named(e.text, env)) return nullptr;
  const Symbol* s = find(e.text, env.module, e.kind == ExprKind::field ? e.name_span : e.span);
  bool detector = s && s->kind == Symbol::Kind::function && program_.functions[s->index].kind == FunctionKind::detector;
  return detector ? s : nullptr;
}

std::vector<std::string> Checker::visible_names(const Env& env, bool detectors_only) const {
  std::vector<std::string> all;
  auto add = [&](const std::map<std::string, Symbol>& names) {
    for (const auto& [name, s] : names)
      if (!detectors_only ||
          (s.kind == Symbol::Kind::function && program_.functions[s.index].kind == FunctionKind::detector))
        all.push_back(name);
  };
  add(names_[env.module]);
  for (uint32_t used : used_[env.module]) add(names_[used]);
  if (!detectors_only)
    for (const auto& [name, variable] : env.variables) all.push_back(name);
  return all;
}

std::string Checker::help_for_unknown(NameSpace space, const std::string& name, uint32_t file,
                                      const std::vector<std::string>& candidates, std::string otherwise) const {
  if (const std::string module = files_.declaring(space, name, file); !module.empty())
    return fmt::format("`{}` is declared in another module: add `use {}`", name, module);
  const std::string near = nearest(name, candidates);
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean `{}`?", near);
}

std::string Checker::path_of(const ast::Expr& e) {
  if (e.kind == ExprKind::name) return e.text;
  if (e.kind != ExprKind::field) return "";
  std::string base = path_of(e.children[0]);
  return base.empty() ? "" : base + "." + e.text;
}

Expr Checker::check_name(const ast::Expr& e, Env& env) {
  if (const uint32_t* v = variable_named(e.text, env)) {
    Expr x = make(Op::variable, program_.variables[*v].type, e.span);
    x.index = *v;
    x.text = e.text;
    if (x.type.numeric()) x.range = program_.variables[*v].range;
    if (x.type.optional && std::count(env.present.begin(), env.present.end(), e.text)) x.type.optional = false;
    return x;
  }
  const Symbol* s = find(e.text, env.module, e.kind == ExprKind::field ? e.name_span : e.span);
  if (!s && env.scenario && e.text.ends_with('\''))
    return error(Kind::unknown_name, e.span,
                 fmt::format("no step calls `{}` again", e.text.substr(0, e.text.find('\''))),
                 fmt::format("`{}` is that call after its change: `call {} with ...`", e.text,
                             e.text.substr(0, e.text.find('\''))));
  if (!s)
    return error(Kind::unknown_name, e.span, fmt::format("unknown name `{}`", e.text),
                 help_for_unknown(NameSpace::value, e.text, e.span.file, visible_names(env, false)));
  switch (s->kind) {
    case Symbol::Kind::param: {
      Param& p = program_.params[s->index];
      p.used = true;
      Expr x = make(Op::param, p.type, e.span);
      x.index = s->index;
      x.range = p.range;
      return x;
    }
    case Symbol::Kind::metric: {
      if (!env.metric)
        return error(
            Kind::misplaced_expression, e.span,
            fmt::format("metric `{}` is a figure of a whole data set; it has no value inside one dialogue", e.text),
            "use the detectors that it is made of");
      check_metric(s->index);
      const Metric& m = program_.metrics[s->index];
      Expr x = make(Op::metric, m.body.empty() ? Type::of(Base::error) : Type::of(Base::real), e.span);
      x.index = s->index;
      x.requirements = m.requirements;
      if (!m.body.empty()) x.range = m.body[0].range;
      return x;
    }
    case Symbol::Kind::function:
      return error(Kind::misplaced_expression, e.span, fmt::format("`{}` needs its argument", e.text),
                   fmt::format("write `{0}(x)`, `{0} in x` or `x has {0}`", e.text));
    default:
      return error(Kind::misplaced_expression, e.span, fmt::format("`{}` is not a value", e.text));
  }
}

Expr Checker::check_field(const ast::Expr& e, Env& env) {
  Expr owner = check(e.children[0], env);
  if (owner.failed()) return failed(e.span);
  Type from = owner.type.present();
  const Field* field = find_field(from, e.text);
  if (!field) {
    if (auto of_belief = check_belief_field(e, owner)) return *of_belief;
    // `u.modifies` is `modifies(u)`, where such a function of one argument is in scope.
    const Symbol* s = find(e.text, env.module, e.kind == ExprKind::field ? e.name_span : e.span);
    if (s && s->kind == Symbol::Kind::function && program_.functions[s->index].parameters.size() == 1) {
      std::vector<Expr> args{std::move(owner)};
      return call_function(s->index, std::move(args), e.span, env, {&e.children[0]});
    }
    std::vector<std::string> known = field_names(from);
    if (from.is_entity(Entity::belief))
      for (const BeliefField& f : program_.beliefs[from.enumeration].fields) known.push_back(f.name);
    std::string near = nearest(e.text, known);
    std::string help = near.empty() ? "" : fmt::format("did you mean `{}`?", near);
    if (from.base == Base::list)
      help = "fold over the list: any(x." + e.text + " ... for x in " + std::string(sources_.text(e.children[0].span)) +
             ")";
    return error(Kind::unknown_field, e.name_span,
                 fmt::format("unknown field `{}` of `{}`", e.text, program_.text(from)), help);
  }
  Expr x = make(Op::field, field->type, e.span);
  x.field = field;
  x.range = field->range;
  x.requirements = owner.requirements | (field->requirements & ~env.granted);
  if (owner.type.optional && x.type.base != Base::list) {
    if (x.type.is(Base::boolean))
      return error(
          Kind::optional_value, e.children[0].span,
          fmt::format("`{}` may be absent", sources_.text(e.children[0].span)),
          fmt::format("test it first: `{0} exists and {1}`", sources_.text(e.children[0].span), sources_.text(e.span)));
    x.type.optional = true;
  }
  if (x.type.optional && std::count(env.present.begin(), env.present.end(), path_of(e))) x.type.optional = false;
  x.children.push_back(std::move(owner));
  return x;
}

// ---- unary and arithmetic ----

void Checker::to_real(Expr& e) const {
  if (e.type.base != Base::integer) return;
  if (e.op == Op::integer) {
    e.op = Op::real;
    e.number = static_cast<double>(e.integer);
    e.type.base = Base::real;
    return;
  }
  Expr x = make(Op::to_real, {Base::real, e.type.optional, Base::error, Entity::none, 0}, e.span);
  x.range = e.range;
  x.requirements = e.requirements;
  x.children.push_back(std::move(e));
  e = std::move(x);
}

bool Checker::require_present(const Expr& e) {
  if (!e.type.optional) return true;
  std::string written(sources_.text(e.span));
  error(Kind::optional_value, e.span, fmt::format("`{}` may be absent", written),
        fmt::format("give a value for that case: `({} ?? ...)`, or test `{} exists` first", written, written));
  return false;
}

Expr Checker::check_unary(const ast::Expr& e, Env& env) {
  using ast::UnaryOp;
  if (e.unary == UnaryOp::logical_not) {
    Expr inner = check_condition(e.children[0], env);
    if (inner.failed()) return failed(e.span);
    Expr x = make(Op::logical_not, Type::of(Base::boolean), e.span);
    x.children.push_back(std::move(inner));
    gather(x);
    return x;
  }
  Expr inner = check(e.children[0], env);
  if (inner.failed()) return inner;
  if (e.unary == UnaryOp::negate) {
    if (!inner.type.numeric())
      return error(Kind::type_mismatch, e.span, fmt::format("`-` needs a number, this is `{}`", type_text(inner)));
    if (!require_present(inner)) return failed(e.span);
    if (inner.op == Op::integer || inner.op == Op::real) {
      inner.integer = -inner.integer;
      inner.number = -inner.number;
      inner.range = -inner.range;
      inner.span = e.span;
      return inner;
    }
    Expr x = make(Op::negate, inner.type, e.span);
    x.range = -inner.range;
    x.children.push_back(std::move(inner));
    gather(x);
    return x;
  }
  Expr x = make(e.unary == UnaryOp::exists ? Op::exists : Op::nonempty, Type::of(Base::boolean), e.span);
  if (e.unary == UnaryOp::exists && !inner.type.optional) {
    if (path_of(e.children[0]).empty() || inner.op == Op::call || !inner.field || !inner.field->type.optional)
      return error(Kind::type_mismatch, e.span,
                   fmt::format("`{}` is always there: `exists` is for optional values", type_text(inner)));
    x.op = Op::boolean;  // already known to exist here
    x.integer = 1;
    return x;
  }
  if (e.unary == UnaryOp::nonempty && inner.type.base != Base::list && !inner.type.is(Base::text))
    return error(Kind::type_mismatch, e.span,
                 fmt::format("`nonempty` is for lists and texts, this is `{}`", type_text(inner)));
  x.children.push_back(std::move(inner));
  gather(x);
  return x;
}

Expr Checker::check_binary(const ast::Expr& e, Env& env) {
  switch (e.binary) {
    case BinaryOp::add:
    case BinaryOp::subtract:
    case BinaryOp::multiply:
    case BinaryOp::divide:
      return check_arithmetic(e, env);
    case BinaryOp::equal:
    case BinaryOp::not_equal:
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal:
      return check_comparison(e, env);
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
      return check_logic(e, env);
    case BinaryOp::in:
    case BinaryOp::not_in:
      return check_in(e, env);
    case BinaryOp::is:
    case BinaryOp::is_not:
      return check_is(e, env);
    case BinaryOp::has:
    case BinaryOp::has_not:
      return check_has(e, env);
    case BinaryOp::coalesce:
      return check_coalesce(e, env);
    case BinaryOp::except:
    case BinaryOp::mentioned_in:
      if (env.scenario) return check_scenario_operator(e, env);
      return error(Kind::misplaced_expression, e.span, "this operator stands only in scenarios");
  }
  return failed(e.span);
}

Expr Checker::check_arithmetic(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  for (const Expr* side : {&a, &b}) {
    if (!side->type.numeric()) {
      std::string help =
          side->type.is(Base::boolean)    ? fmt::format("write `(1 when {} else 0)`", sources_.text(side->span))
          : side->type.base == Base::list ? fmt::format("write `count({})` or `sum(...)`", sources_.text(side->span))
                                          : "";
      return error(Kind::type_mismatch, side->span,
                   fmt::format("arithmetic needs numbers, this is `{}`", type_text(*side)), help);
    }
    if (!require_present(*side)) return failed(e.span);
  }
  Op op = e.binary == BinaryOp::add        ? Op::add
          : e.binary == BinaryOp::subtract ? Op::subtract
          : e.binary == BinaryOp::multiply ? Op::multiply
                                           : Op::divide;
  if (op == Op::divide || a.type.base != b.type.base) {
    to_real(a);
    to_real(b);
  }
  Expr x = make(op, a.type, e.span);
  switch (op) {
    case Op::add:
      x.range = a.range + b.range;
      break;
    case Op::subtract:
      x.range = a.range - b.range;
      break;
    case Op::multiply:
      x.range = a.range * b.range;
      break;
    default:
      if (b.range.is_zero()) return error(Kind::division_by_zero, e.span, "the divisor is always zero");
      if (b.range.contains(0) && !env.guarded && !env.metric) {
        std::string written(sources_.text(e.span));
        return error(
            Kind::unguarded_division, e.span,
            fmt::format("the divisor may be zero: `{}` is {}", sources_.text(e.children[1].span), to_string(b.range)),
            fmt::format("say what it is then: `{} else 0`", written));
      }
      x.range = divide(a.range, b.range);
      if (a.range.low >= 0) {
        std::string part = extent_of(a), whole = extent_of(b);
        if (!part.empty() && ("|" + whole + "|").find("|" + part + "|") != std::string::npos)
          x.range = Range::between(0, 1);
      }
  }
  if (x.type.base == Base::integer && x.range.bound > 4e18)
    return error(Kind::integer_overflow, e.span, "this integer may not fit in 64 bits",
                 "compute with reals: write one factor as `1.0 * ...`");
  if (x.type.base == Base::real && x.range.bound > 1e300)
    return error(Kind::integer_overflow, e.span, "this number may grow beyond what a real can hold");
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

}  // namespace wend::sema
