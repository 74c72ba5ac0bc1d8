#include "compiler/driver/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wend::driver {
namespace {

using Value = std::optional<double>;

constexpr double kTolerance = 1e-9;
constexpr const char* kNotInThisVersion =
    "not evaluated in this version: only metrics, rewards, layers, terms, params and numbers can be expected";

// "a.b.c" of a chain of fields on a name; empty if it is something else.
std::string path_of(const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::name) return expr.text;
  if (expr.kind != ast::ExprKind::field) return "";
  std::string before = path_of(expr.children[0]);
  return before.empty() ? "" : before + "." + expr.text;
}

class Evaluator {
 public:
  explicit Evaluator(const Lookup& lookup) : lookup_(lookup) {}

  Result<Value> number(const ast::Expr& expr) {
    switch (expr.kind) {
      case ast::ExprKind::integer:
        return Value(static_cast<double>(expr.integer));
      case ast::ExprKind::real:
      case ast::ExprKind::percent:
        return Value(expr.number);
      case ast::ExprKind::boolean:
        return Value(expr.integer != 0 ? 1.0 : 0.0);
      case ast::ExprKind::name:
      case ast::ExprKind::field:
        return named(expr);
      case ast::ExprKind::unary:
        return negated(expr);
      case ast::ExprKind::binary:
        return arithmetic(expr);
      default:
        return Error{kNotInThisVersion};
    }
  }

  Result<bool> truth(const ast::Expr& expr) {
    if (expr.kind != ast::ExprKind::binary) return Error{kNotInThisVersion};
    const ast::Expr& left = expr.children[0];
    const ast::Expr& right = expr.children[1];
    switch (expr.binary) {
      case ast::BinaryOp::logical_and: {
        Result<bool> a = truth(left), b = truth(right);
        if (!a) return a;
        if (!b) return b;
        return *a && *b;
      }
      case ast::BinaryOp::is:
      case ast::BinaryOp::is_not: {
        if (right.kind != ast::ExprKind::none) return Error{kNotInThisVersion};
        Result<Value> value = number(left);
        if (!value) return value.error();
        return value->has_value() == (expr.binary == ast::BinaryOp::is_not);
      }
      default:
        return comparison(expr.binary, left, right);
    }
  }

  std::string seen() const { return seen_; }

 private:
  Result<Value> named(const ast::Expr& expr) {
    std::string path = path_of(expr);
    if (path.empty()) return Error{kNotInThisVersion};
    if (path == "belief" || path.starts_with("belief.")) {
      return Error{"not evaluated in this version: expectations on the belief state"};
    }
    Result<Value> value = lookup_(path);
    if (!value) return value;
    std::string text = fmt::format("{} = {}", path, value->has_value() ? fmt::format("{}", **value) : "none");
    if (seen_.find(text) == std::string::npos) seen_ += (seen_.empty() ? "" : ", ") + text;
    return value;
  }

  Result<Value> negated(const ast::Expr& expr) {
    if (expr.unary != ast::UnaryOp::negate) return Error{kNotInThisVersion};
    Result<Value> value = number(expr.children[0]);
    if (value && value->has_value()) return Value(-**value);
    return value;
  }

  Result<Value> arithmetic(const ast::Expr& expr) {
    Result<Value> a = number(expr.children[0]);
    if (!a) return a;
    Result<Value> b = number(expr.children[1]);
    if (!b) return b;
    if (!a->has_value() || !b->has_value()) return Value();
    switch (expr.binary) {
      case ast::BinaryOp::add:
        return Value(**a + **b);
      case ast::BinaryOp::subtract:
        return Value(**a - **b);
      case ast::BinaryOp::multiply:
        return Value(**a * **b);
      case ast::BinaryOp::divide:
        if (**b == 0) return Error{"division by zero"};
        return Value(**a / **b);
      default:
        return Error{kNotInThisVersion};
    }
  }

  Result<bool> comparison(ast::BinaryOp op, const ast::Expr& left, const ast::Expr& right) {
    Result<Value> a = number(left);
    if (!a) return a.error();
    Result<Value> b = number(right);
    if (!b) return b.error();
    if (!a->has_value() || !b->has_value()) return false;  // what has no value equals nothing; `is none` asks for it
    const double x = **a, y = **b;
    switch (op) {
      case ast::BinaryOp::equal:
        return nearly_equal(x, y);
      case ast::BinaryOp::not_equal:
        return !nearly_equal(x, y);
      case ast::BinaryOp::less:
        return x < y && !nearly_equal(x, y);
      case ast::BinaryOp::less_equal:
        return x < y || nearly_equal(x, y);
      case ast::BinaryOp::greater:
        return x > y && !nearly_equal(x, y);
      case ast::BinaryOp::greater_equal:
        return x > y || nearly_equal(x, y);
      default:
        return Error{kNotInThisVersion};
    }
  }

  const Lookup& lookup_;
  std::string seen_;
};

}  // namespace

bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

Outcome evaluate_expectation(const ast::Expr& expectation, const Lookup& lookup) {
  Evaluator evaluator(lookup);
  Outcome outcome;
  Result<bool> held = evaluator.truth(expectation);
  if (held) {
    outcome.held = *held;
  } else {
    outcome.error = held.error().message;
  }
  outcome.actual = evaluator.seen();
  return outcome;
}

}  // namespace wend::driver
