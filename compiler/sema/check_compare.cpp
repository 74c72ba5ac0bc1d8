// Comparison, logic, membership.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"

namespace wend::sema {

using ast::BinaryOp;
using ast::ExprKind;

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
    return error(Kind::type_mismatch, e.span, fmt::format("`{}` and `{}` cannot be compared", left, right),
                 left == "json" && right == "text" ? fmt::format("compare its text: `{}.text`", sources_.text(a.span))
                 : a.type.base == Base::enumeration && b.op == Op::text
                     ? fmt::format("a label is not a text: `{} is {}`", sources_.text(a.span), b.text)
                     : "");
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
  return negated_if(negative, std::move(x));
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
    if (is_literal(a) && (b.type.element == Base::json || b.type.element == Base::folded))
      a.type = Type::of(b.type.element);
    bool written = b.op == Op::list && std::all_of(b.children.begin(), b.children.end(), is_literal);
    if (written && (a.type.base == Base::json || a.type.base == Base::folded)) b.type = Type::list_of(a.type.present());
    bool fits =
        a.type.base == b.type.element && a.type.entity == b.type.entity && a.type.enumeration == b.type.enumeration;
    if (!fits)
      return error(Kind::type_mismatch, e.span, fmt::format("a `{}` is never in a `{}`", type_text(a), type_text(b)));
    x = make(Op::in_list, Type::of(Base::boolean), e.span);
    x.children.push_back(std::move(a));
    x.children.push_back(std::move(b));
    gather(x);
  }
  return negated_if(negative, std::move(x));
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
  return negated_if(negative, std::move(x));
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
