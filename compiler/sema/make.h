// Making typed expressions. Internal to sema.
#ifndef WEND_COMPILER_SEMA_MAKE_H_
#define WEND_COMPILER_SEMA_MAKE_H_

#include <utility>
#include <vector>

#include "compiler/sema/program.h"

namespace wend::sema {

// Takes over what its children require.
inline void gather(Expr& e) {
  for (const Expr& c : e.children) e.requirements |= c.requirements;
}

inline Expr make(Op op, Type type, Span span, std::vector<Expr> children = {}) {
  Expr e;
  e.op = op;
  e.type = type;
  e.span = span;
  e.children = std::move(children);
  gather(e);
  return e;
}

// `condition`, or its opposite: `x is not y` is `not (x is y)`.
inline Expr negated_if(bool negative, Expr condition) {
  if (!negative) return condition;
  const Span span = condition.span;
  return make(Op::logical_not, Type::of(Base::boolean), span, {std::move(condition)});
}

// A number, text or boolean as written.
inline bool is_literal(const Expr& e) {
  return e.op == Op::text || e.op == Op::integer || e.op == Op::real || e.op == Op::boolean ||
         (e.op == Op::negate && is_literal(e.children[0]));
}

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_MAKE_H_
