// Conditional values: else, when, cap, tier; lists.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {
namespace {

bool divides(const Expr& e) {
  if (e.op == Op::divide && e.children[1].range.contains(0)) return true;
  if (e.op == Op::fold) return e.fold_kind == FoldKind::mean;
  return std::any_of(e.children.begin(), e.children.end(), divides);
}

// A half-open interval of reals, or a single point.
struct Interval {
  double low, high;
  bool point() const { return low == high; }
  bool empty() const { return low > high; }
};

// Is every point of `x` (within the subject's range) in one of `covered`?
bool is_covered(Interval x, const std::vector<Interval>& covered, Range range) {
  double low = std::max(x.low, range.low), high = std::min(x.high, range.high);
  if (low > high) return true;
  bool moved = true;
  while (moved) {
    moved = false;
    for (const Interval& c : covered) {
      if (c.point() ? low == c.low && high == low : c.low <= low && low < c.high) {
        if (c.point() || high < c.high || (high == c.high && high == x.high && !x.point())) return true;
        if (c.high > low) low = c.high, moved = true;
      }
    }
  }
  return false;
}

}  // namespace

Expr Checker::check_as(const ast::Expr& e, Env& env, Type wanted, std::string_view what) {
  Expr x = check(e, env);
  if (x.failed() || wanted.failed()) return x;
  if (wanted.base == Base::real && x.type.base == Base::integer) to_real(x);
  if (wanted.is(Base::boolean) && x.type.base == Base::list) return check_condition(e, env);
  if (x.op == Op::text && wanted.base == Base::json) x.type.base = Base::json;
  if (!wanted.optional && !require_present(x)) return failed(e.span);
  if (x.type.present() != wanted.present())
    return error(Kind::type_mismatch, e.span,
                 fmt::format("{} must be `{}`, this is `{}`", what, program_.text(wanted), type_text(x)));
  return x;
}

Expr Checker::check_guard(const ast::Expr& e, Env& env) {
  Env inner = env;
  inner.guarded = true;
  Expr a = check(e.children[0], inner), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  if (!divides(a)) {
    if (a.type.optional)
      return error(Kind::type_mismatch, e.span, "`else` is for divisions; this value may be absent",
                   fmt::format("write `{} ?? {}`", sources_.text(a.span), sources_.text(b.span)));
    Diagnostic& d = diagnostics_.report(Kind::useless_else, e.children[1].span,
                                        "`else` never applies: nothing on its left can divide by zero");
    d.help = fmt::format("write `{}`", sources_.text(a.span));
  }
  std::string left = type_text(a), right = type_text(b);
  if (!a.type.numeric() || !unify(a, b))
    return error(Kind::type_mismatch, e.span, fmt::format("`{}` and `{}` do not go together", left, right));
  if (!require_present(a) || !require_present(b)) return failed(e.span);
  Expr x = make(Op::guard, a.type, e.span);
  x.range = hull(a.range, b.range);
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

Expr Checker::check_choose(const ast::Expr& e, Env& env) {
  Expr condition = check_condition(e.children[1], env);
  Env inner = env;
  learn(e.children[1], condition, inner);
  Expr yes = check(e.children[0], inner);
  if (condition.failed() || yes.failed()) return failed(e.span);
  Expr no;
  if (e.children.size() > 2) {
    if (e.children[2].kind == ast::ExprKind::none) {
      no = make(Op::absent, yes.type.as_optional(), e.children[2].span);
      yes.type.optional = true;
    } else {
      no = check(e.children[2], env);
    }
    if (no.failed()) return failed(e.span);
  } else if (yes.type.numeric() && !yes.type.optional) {
    no = make(yes.type.base == Base::integer ? Op::integer : Op::real, yes.type, e.span);
    no.range = Range::exactly(0);
  } else {
    return error(Kind::missing_else, e.span,
                 fmt::format("a `{}` under `when` needs an `else`: only numbers default to 0", type_text(yes)),
                 "add `else ...`, or `else none`");
  }
  std::string left = type_text(yes), right = type_text(no);
  bool fits = yes.type.base == Base::list ? yes.type.present() == no.type.present() : unify(yes, no);
  if (!fits) return error(Kind::type_mismatch, e.span, fmt::format("the two values are `{}` and `{}`", left, right));
  if ((yes.type.optional || no.type.optional) && yes.type.is(Base::boolean))
    return error(Kind::type_mismatch, e.span, "a condition is true or false, never absent");
  Type type = yes.type;
  type.optional = yes.type.optional || no.type.optional;
  Expr x = make(Op::choose, type, e.span);
  x.range = hull(yes.range, no.range);
  x.requirements = condition.requirements | yes.requirements | no.requirements;
  x.children.push_back(std::move(condition));
  x.children.push_back(std::move(yes));
  x.children.push_back(std::move(no));
  return x;
}

Expr Checker::check_cap(const ast::Expr& e, Env& env) {
  Expr a = check(e.children[0], env), b = check(e.children[1], env);
  if (a.failed() || b.failed()) return failed(e.span);
  if (!a.type.numeric() || !b.type.numeric()) return error(Kind::type_mismatch, e.span, "`cap` is for numbers");
  if (!require_present(a) || !require_present(b)) return failed(e.span);
  unify(a, b);
  if (a.range.high <= b.range.low) {
    Diagnostic& d =
        diagnostics_.report(Kind::cap_never_binds, e.children[1].span,
                            fmt::format("this cap never binds: `{}` is {}", sources_.text(a.span), to_string(a.range)));
    d.help = "remove it, or lower it";
  }
  Expr x = make(Op::minimum, a.type, e.span);
  x.range = min(a.range, b.range);
  x.children.push_back(std::move(a));
  x.children.push_back(std::move(b));
  gather(x);
  return x;
}

Expr Checker::check_tier(const ast::Expr& e, Env& env) {
  Expr subject = check(e.children[0], env);
  if (subject.failed()) return subject;
  if (!subject.type.numeric() || !require_present(subject))
    return subject.type.numeric() ? failed(e.span)
                                  : error(Kind::type_mismatch, e.children[0].span,
                                          fmt::format("`tier` sorts a number, this is `{}`", type_text(subject)));
  to_real(subject);
  const ast::TierArm* otherwise = nullptr;
  struct Arm {
    Interval interval;
    const ast::TierArm* arm;
    std::vector<Expr> low, high;
    Expr value;
  };
  std::vector<Arm> arms;
  std::vector<Interval> covered;
  Type real = Type::of(Base::real);
  for (const ast::TierArm& arm : e.arms) {
    if (arm.is_else) {
      otherwise = &arm;
      continue;
    }
    Arm a{{-kInfinity, kInfinity}, &arm, {}, {}, {}};
    for (const ast::Expr& from : arm.from) a.low.push_back(check_as(from, env, real, "a tier's bound"));
    for (const ast::Expr& to : arm.to) a.high.push_back(check_as(to, env, real, "a tier's bound"));
    a.value = check_as(arm.value[0], env, real, "a tier's value");
    if (a.value.failed() || (!a.low.empty() && a.low[0].failed()) || (!a.high.empty() && a.high[0].failed()))
      return failed(e.span);
    // Only bounds that are the same for all params can be compared here.
    bool fixed = (a.low.empty() || a.low[0].range.low == a.low[0].range.high) &&
                 (a.high.empty() || a.high[0].range.low == a.high[0].range.high);
    if (fixed) {
      if (!a.low.empty()) a.interval.low = a.low[0].range.low;
      if (!a.high.empty()) a.interval.high = a.high[0].range.low;
      if (arm.exact) a.interval.high = a.interval.low;
      bool inverted = a.interval.low > a.interval.high;
      if (inverted || is_covered(a.interval, covered, subject.range)) {
        Diagnostic& d = diagnostics_.report(
            Kind::unreachable_tier, arm.span,
            inverted ? "this tier is empty"
                     : "this tier is never reached: earlier tiers, or the value's range, leave nothing for it");
        d.help =
            fmt::format("`{}` is {}; tiers are tried in order", sources_.text(subject.span), to_string(subject.range));
      } else {
        for (const Interval& c : covered)
          if (!c.point() && !a.interval.point() && a.interval.low < c.high && c.low < a.interval.high &&
              !std::isinf(c.high) && !std::isinf(a.interval.high)) {
            diagnostics_
                .report(Kind::overlapping_tier, arm.span,
                        "this tier overlaps an earlier one; the earlier one wins there")
                .help = "bounds are `from .. to` with `to` left out";
            break;
          }
      }
      covered.push_back(a.interval);
    }
    arms.push_back(std::move(a));
  }
  Expr result = otherwise ? check_as(otherwise->value[0], env, real, "a tier's value") : make(Op::real, real, e.span);
  if (!otherwise) result.range = Range::exactly(0);
  if (result.failed()) return failed(e.span);
  Range range = result.range;
  for (auto it = arms.rbegin(); it != arms.rend(); ++it) {
    auto compare = [&](Op op, const Expr& bound) {
      Expr c = make(op, Type::of(Base::boolean), it->arm->span);
      c.children = {subject, bound};
      gather(c);
      return c;
    };
    Expr condition;
    if (it->arm->exact) {
      condition = compare(Op::equal, it->low[0]);
    } else if (it->low.empty() || it->high.empty()) {
      condition = it->low.empty() ? compare(Op::less, it->high[0]) : compare(Op::greater_equal, it->low[0]);
    } else {
      condition = make(Op::logical_and, Type::of(Base::boolean), it->arm->span);
      condition.children = {compare(Op::greater_equal, it->low[0]), compare(Op::less, it->high[0])};
      gather(condition);
    }
    range = hull(range, it->value.range);
    Expr next = make(Op::choose, real, it->arm->span);
    next.children = {std::move(condition), std::move(it->value), std::move(result)};
    gather(next);
    next.range = range;
    result = std::move(next);
  }
  result.span = e.span;
  result.requirements |= subject.requirements;
  return result;
}

Expr Checker::check_list(const ast::Expr& e, Env& env) {
  if (!e.clauses.empty()) {
    if (env.state) return check_comprehension(e, env);
    return error(
        Kind::misplaced_expression, e.span, "a list made with `for` has no place here",
        "lists are made in `render` blocks and in functions of a belief; elsewhere fold: `count(x for x in xs)`");
  }
  if (e.children.empty()) return error(Kind::type_mismatch, e.span, "an empty list has no type");
  Expr x = make(Op::list, {}, e.span);
  for (const ast::Expr& child : e.children) {
    Expr c = check(child, env);
    if (c.failed() || !require_present(c)) return failed(e.span);
    if (!x.children.empty() && !unify(x.children[0], c))
      return error(Kind::type_mismatch, c.span,
                   fmt::format("the list holds `{}`, this is `{}`", type_text(x.children[0]), type_text(c)));
    x.children.push_back(std::move(c));
  }
  if (x.children[0].type.base == Base::list) return error(Kind::type_mismatch, e.span, "there are no lists of lists");
  x.type = Type::list_of(x.children[0].type);
  gather(x);
  return x;
}

}  // namespace wend::sema
