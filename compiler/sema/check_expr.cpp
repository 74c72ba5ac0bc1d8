// Names, fields, operators.
#include <fmt/format.h>
#include <algorithm>

#include "compiler/sema/checker.h"

namespace wend::sema {

using ast::BinaryOp;
using ast::ExprKind;

namespace {

Expr make(Op op, Type type, Span span) {
  Expr e;
  e.op = op;
  e.type = type;
  e.span = span;
  return e;
}

Expr number(Op op, double x, Span span) {
  Expr e = make(op, Type::of(op == Op::integer ? Base::integer : Base::real), span);
  e.number = x;
  e.integer = static_cast<int64_t>(x);
  e.range = Range::exactly(x);
  return e;
}

bool is_literal(const Expr& e) {
  return e.op == Op::text || e.op == Op::integer || e.op == Op::real || e.op == Op::boolean ||
         (e.op == Op::negate && is_literal(e.children[0]));
}

void gather(Expr& e) {
  for (const Expr& c : e.children) e.requirements |= c.requirements;
}

}  // namespace

Expr Checker::failed(Span span) const { return make(Op::absent, Type::of(Base::error), span); }

Expr Checker::error(Kind kind, Span span, std::string message, std::string help) {
  Diagnostic& d = diagnostics_.report(kind, span, std::move(message));
  d.help = std::move(help);
  return failed(span);
}

Expr Checker::check(const ast::Expr& e, Env& env) {
  Expr x = check_kind(e, env);
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

const Symbol* Checker::find(const std::string& name, uint32_t module) const {
  if (auto it = names_[module].find(name); it != names_[module].end()) return &it->second;
  for (uint32_t used : used_[module])
    if (auto it = names_[used].find(name); it != names_[used].end()) return &it->second;
  return nullptr;
}

const Symbol* Checker::detector_named(const ast::Expr& e, const Env& env) const {
  if (e.kind != ExprKind::name || variable_named(e.text, env)) return nullptr;
  const Symbol* s = find(e.text, env.module);
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
  const Symbol* s = find(e.text, env.module);
  if (!s) {
    std::string near = nearest(e.text, visible_names(env, false));
    return error(Kind::unknown_name, e.span, fmt::format("unknown name `{}`", e.text),
                 near.empty() ? "" : fmt::format("did you mean `{}`?", near));
  }
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
    const Symbol* s = find(e.text, env.module);
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

// ---- comparison and logic ----

bool Checker::unify(Expr& a, Expr& b) {
  if (a.type.numeric() && b.type.numeric()) {
    if (a.type.base != b.type.base) {
      to_real(a);
      to_real(b);
    }
    return true;
  }
  for (auto [literal, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (is_literal(*literal) && (other->type.base == Base::json || other->type.base == Base::folded)) {
      literal->type = Type::of(other->type.base);
      return true;
    }
  if (a.type.base == Base::entity && b.type.base == Base::entity) {
    auto call_like = [](Entity e) { return e == Entity::call || e == Entity::gold_call; };
    return a.type.entity == b.type.entity || (call_like(a.type.entity) && call_like(b.type.entity));
  }
  return a.type.base == b.type.base && a.type.enumeration == b.type.enumeration && a.type.base != Base::list;
}

Expr Checker::check_comparison(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  std::string left = type_text(a), right = type_text(b);
  if (env.scenario && e.binary == BinaryOp::equal && a.type == Type::list_of(Type::of(Entity::arg)) &&
      a.type == b.type) {
    Expr x = make(Op::same_args, Type::of(Base::boolean), e.span);
    x.children.push_back(std::move(a));
    x.children.push_back(std::move(b));
    return x;
  }
  bool equality = e.binary == BinaryOp::equal || e.binary == BinaryOp::not_equal;
  if (!unify(a, b))
    return error(
        Kind::type_mismatch, e.span, fmt::format("`{}` and `{}` cannot be compared", left, right),
        left == "json" && right == "text" ? fmt::format("compare its text: `{}.text`", sources_.text(a.span)) : "");
  if (!equality) {
    if (!a.type.numeric())
      return error(Kind::type_mismatch, e.span, fmt::format("only numbers have an order, this is `{}`", left));
    if (!require_present(a) || !require_present(b)) return failed(e.span);
  }
  Op op = e.binary == BinaryOp::equal        ? Op::equal
          : e.binary == BinaryOp::not_equal  ? Op::not_equal
          : e.binary == BinaryOp::less       ? Op::less
          : e.binary == BinaryOp::less_equal ? Op::less_equal
          : e.binary == BinaryOp::greater    ? Op::greater
                                             : Op::greater_equal;
  Expr x = make(op, Type::of(Base::boolean), e.span);
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

Expr Checker::check_condition(const ast::Expr& e, Env& env) {
  Expr x = check(e, env);
  if (x.failed()) return x;
  if (x.type.base == Base::list) {  // a list as a condition: is there anything in it?
    Expr y = make(Op::nonempty, Type::of(Base::boolean), e.span);
    y.children.push_back(std::move(x));
    gather(y);
    return y;
  }
  if (!x.type.is(Base::boolean)) {
    std::string help = x.type.optional ? fmt::format("write `{} exists`", sources_.text(e.span)) : "";
    return error(Kind::type_mismatch, e.span, fmt::format("a condition is needed here, this is `{}`", type_text(x)),
                 help);
  }
  return x;
}

Expr Checker::check_logic(const ast::Expr& e, Env& env) {
  Expr a = check_condition(e.children[0], env);
  Env inner = env;
  if (e.binary == BinaryOp::logical_and) learn(e.children[0], a, inner);
  Expr b = check_condition(e.children[1], inner);
  if (a.failed() || b.failed()) return failed(e.span);
  Expr x = make(e.binary == BinaryOp::logical_and ? Op::logical_and : Op::logical_or, Type::of(Base::boolean), e.span);
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

void Checker::learn(const ast::Expr& e, const Expr& checked, Env& env) const {
  if (checked.failed()) return;
  if (e.kind == ExprKind::binary && e.binary == BinaryOp::logical_and && checked.op == Op::logical_and) {
    learn(e.children[0], checked.children[0], env);
    learn(e.children[1], checked.children[1], env);
  } else if (checked.op == Op::less || checked.op == Op::less_equal || checked.op == Op::greater ||
             checked.op == Op::greater_equal) {
    // a > b: a is above b's least value, b is below a's greatest
    const Range &a = checked.children[0].range, &b = checked.children[1].range;
    bool greater = checked.op == Op::greater || checked.op == Op::greater_equal;
    Range above = Range::between((greater ? b : a).low, kInfinity),
          below = Range::between(-kInfinity, (greater ? a : b).high);
    env.facts.emplace_back(std::string(sources_.text(e.children[0].span)), greater ? above : below);
    env.facts.emplace_back(std::string(sources_.text(e.children[1].span)), greater ? below : above);
  } else if (checked.op == Op::granted) {
    env.granted |= static_cast<uint32_t>(checked.integer);
  } else if (e.kind == ExprKind::unary && e.unary == ast::UnaryOp::exists) {
    env.present.push_back(path_of(e.children[0]));
  } else if (e.kind == ExprKind::binary && e.binary == BinaryOp::is_not && e.children[1].kind == ExprKind::none) {
    env.present.push_back(path_of(e.children[0]));
  }
}

Expr Checker::check_is(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env);
  if (a.failed()) return failed(e.span);
  const ast::Expr& right = e.children[1];
  bool negative = e.binary == BinaryOp::is_not;
  Expr x = make(Op::equal, Type::of(Base::boolean), e.span);
  if (a.type.base == Base::enumeration && (right.kind == ExprKind::name || right.kind == ExprKind::none)) {
    const EnumInfo& info = program_.enums[a.type.enumeration];
    std::string wanted = right.kind == ExprKind::none ? "none" : right.text;
    auto it = std::find(info.labels.begin(), info.labels.end(), wanted);
    if (it == info.labels.end()) {
      std::string near = nearest(wanted, info.labels);
      return error(Kind::unknown_label, right.span, fmt::format("`{}` is not a label of `{}`", wanted, info.name),
                   near.empty() ? fmt::format("its labels are {}", fmt::join(info.labels, ", "))
                                : fmt::format("did you mean `{}`?", near));
    }
    Expr label = make(Op::label, Type::enum_of(a.type.enumeration), right.span);
    label.integer = it - info.labels.begin();
    x.children.push_back(std::move(a));
    x.children.push_back(std::move(label));
  } else if (right.kind == ExprKind::none) {
    if (!a.type.optional) return error(Kind::type_mismatch, e.span, fmt::format("`{}` is never absent", type_text(a)));
    x.op = Op::exists;
    negative = !negative;
    x.children.push_back(std::move(a));
  } else {
    Expr b = check(right, env);
    if (b.failed()) return failed(e.span);
    if (a.type.base != Base::entity || b.type.base != Base::entity || a.type.entity != b.type.entity)
      return error(Kind::type_mismatch, e.span,
                   fmt::format("`is` compares with a label, `none`, or the same element; these are `{}` and `{}`",
                               type_text(a), type_text(b)),
                   "use `==` to compare values");
    x.op = Op::same_row;
    x.children.push_back(std::move(a));
    x.children.push_back(std::move(b));
  }
  gather(x);
  if (!negative) return x;
  Expr y = make(Op::logical_not, Type::of(Base::boolean), e.span);
  y.requirements = x.requirements;
  y.children.push_back(std::move(x));
  return y;
}

Expr Checker::check_in(const ast::Expr& e, Env& env) {
  bool negative = e.binary == BinaryOp::not_in;
  Expr x;
  if (const Symbol* d = detector_named(e.children[0], env)) {
    x = fold_over_detector(e, d->index, FoldKind::any, e.children[1], env);
    if (x.failed()) return x;
  } else {
    Expr a = check(e.children[0], env), b = check(e.children[1], env);
    if (a.failed() || b.failed()) return failed(e.span);
    if (b.type.base != Base::list)
      return error(Kind::type_mismatch, e.children[1].span,
                   fmt::format("`in` needs a list, this is `{}`", type_text(b)));
    Expr element = make(Op::absent, b.type.element_type(), b.span);
    if (is_literal(a) && (b.type.element == Base::json || b.type.element == Base::folded))
      a.type = Type::of(b.type.element);
    bool fits =
        a.type.base == b.type.element && a.type.entity == b.type.entity && a.type.enumeration == b.type.enumeration;
    if (!fits)
      return error(Kind::type_mismatch, e.span, fmt::format("a `{}` is never in a `{}`", type_text(a), type_text(b)));
    x = make(Op::in_list, Type::of(Base::boolean), e.span);
    x.children.push_back(std::move(a));
    x.children.push_back(std::move(b));
    gather(x);
  }
  if (!negative) return x;
  Expr y = make(Op::logical_not, Type::of(Base::boolean), e.span);
  y.requirements = x.requirements;
  y.children.push_back(std::move(x));
  return y;
}

Expr Checker::check_has(const ast::Expr& e, Env& env) {
  const ast::Expr& right = e.children[1];
  bool negative = e.binary == BinaryOp::has_not;
  Expr x;
  if (const Symbol* d = detector_named(right, env)) {
    x = fold_over_detector(e, d->index, FoldKind::any, e.children[0], env);
    if (x.failed()) return x;
  } else {
    Expr subject = check(e.children[0], env);
    if (subject.failed()) return failed(e.span);
    const Capability* c = right.kind == ExprKind::name && subject.type.base == Base::entity
                              ? find_capability(subject.type.entity, right.text)
                              : nullptr;
    if (!c || !require_present(subject)) {
      if (c) return failed(e.span);
      std::string near = right.kind == ExprKind::name ? nearest(right.text, visible_names(env, true)) : "";
      return error(Kind::unknown_name, right.span,
                   fmt::format("`has` needs a detector, or what a `{}` may come with", type_text(subject)),
                   near.empty() ? "a Trace may have gold, gold_turns, labels, chains, pool, response; a Turn gold"
                                : fmt::format("did you mean `{}`?", near));
    }
    x = make(Op::granted, Type::of(Base::boolean), e.span);
    x.integer = c->grants;
    x.children.push_back(std::move(subject));
    gather(x);
  }
  if (!negative) return x;
  Expr y = make(Op::logical_not, Type::of(Base::boolean), e.span);
  y.requirements = x.requirements;
  y.children.push_back(std::move(x));
  return y;
}

Expr Checker::check_coalesce(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  if (!a.type.optional)
    return error(Kind::type_mismatch, e.span,
                 fmt::format("`??` is for values that may be absent; `{}` never is", sources_.text(a.span)),
                 fmt::format("write `{}`", sources_.text(a.span)));
  std::string left = type_text(a), right = type_text(b);
  if (!unify(a, b))
    return error(Kind::type_mismatch, e.span, fmt::format("`{}` and `{}` do not go together", left, right));
  Expr x = make(Op::coalesce, b.type, e.span);
  x.range = hull(a.range, b.range);
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

}  // namespace wend::sema
