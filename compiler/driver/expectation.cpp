#include "compiler/driver/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/driver/dialogue.h"
#include "compiler/driver/exact_json.h"
#include "compiler/driver/test_trace.h"

namespace wend::driver {
namespace {

using Value = std::optional<double>;
using Json = nlohmann::ordered_json;

constexpr double kTolerance = 1e-9;
constexpr const char* kCannotBeExpected =
    "this cannot be expected: compare metrics, rewards, layers, terms, params, numbers, or what `belief` holds";

// "a.b.c" of a chain of fields on a name; empty if it is something else.
std::string path_of(const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::name) return expr.text;
  if (expr.kind != ast::ExprKind::field) return "";
  std::string before = path_of(expr.children[0]);
  return before.empty() ? "" : before + "." + expr.text;
}

bool in_belief(const ast::Expr& expr) {
  const ast::Expr* root = &expr;
  while (root->kind == ast::ExprKind::field || root->kind == ast::ExprKind::index) root = &root->children[0];
  return root->kind == ast::ExprKind::name && root->text == "belief";
}

// Slots and goals stand for their values.
const Json& value_of(const Json& item) {
  if (!item.is_object()) return item;
  const auto slot = item.find("replaced");
  if (slot != item.end()) return item["value"];
  const bool goal = item.size() == 2 && item.contains("text") && item.contains("turn");
  return goal ? item["text"] : item;
}

// What items of a state may have: where there is no item, such a member is none.
bool is_member(std::string_view name) {
  constexpr std::string_view kMembers[] = {"key",       "tool", "param", "value",  "replaced", "confirmed",
                                           "used",      "turn", "text",  "args",   "result",   "error",
                                           "suspended", "id",   "type",  "status", "slots",    "phrase"};
  return std::find(std::begin(kMembers), std::end(kMembers), name) != std::end(kMembers);
}

// Is this the name of the item: the key of a slot, the id of an object, the phrase of a reference, a text?
bool is_called(const Json& item, const std::string& name) {
  if (!item.is_object()) return item.is_string() && item == name;
  for (const char* member : {"key", "id", "phrase", "text"}) {
    const auto found = item.find(member);
    if (found != item.end()) return *found == name;
  }
  return false;
}

Result<Json> literal(const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::name) return Json(expr.text);  // a label
  const Result<std::string> json = literal_json(expr);
  if (!json) return Error{"what a belief state holds is compared with a literal or a label"};
  return exact_json(*json);
}

class Evaluator {
 public:
  Evaluator(const Lookup& lookup, const BeliefLookup& belief) : lookup_(lookup), belief_(belief) {}

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
      case ast::ExprKind::index:
        return in_belief(expr) ? number_in_belief(expr) : named(expr);
      case ast::ExprKind::unary:
        return negated(expr);
      case ast::ExprKind::binary:
        return arithmetic(expr);
      default:
        return Error{kCannotBeExpected};
    }
  }

  Result<bool> truth(const ast::Expr& expr) {
    if (expr.kind == ast::ExprKind::stale) return replaced(expr);
    if (expr.kind != ast::ExprKind::binary) return Error{kCannotBeExpected};
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
        if (in_belief(left)) return holds(expr);
        if (right.kind != ast::ExprKind::none) return Error{kCannotBeExpected};
        Result<Value> value = number(left);
        if (!value) return value.error();
        return value->has_value() == (expr.binary == ast::BinaryOp::is_not);
      }
      case ast::BinaryOp::equal:
      case ast::BinaryOp::not_equal:
        if (in_belief(left)) return holds(expr);
        [[fallthrough]];
      default:
        return comparison(expr.binary, left, right);
    }
  }

  std::string seen() const { return seen_; }

 private:
  Result<Value> named(const ast::Expr& expr) {
    std::string path = path_of(expr);
    if (path.empty()) return Error{kCannotBeExpected};
    Result<Value> value = lookup_(path);
    if (!value) return value;
    saw(path, value->has_value() ? fmt::format("{}", **value) : "none");
    return value;
  }

  void saw(const std::string& path, const std::string& value) {
    const std::string text = fmt::format("{} = {}", path, value);
    if (seen_.find(text) == std::string::npos) seen_ += (seen_.empty() ? "" : ", ") + text;
  }

  // ---- the belief state ----

  // `belief`, `.field`, `["tool.param"]` of slots, `[number]` of a list. `path` is what was asked for.
  Result<Json> at(const ast::Expr& expr, std::string& path) {
    if (expr.kind == ast::ExprKind::name) {
      path = expr.text;
      return belief_();
    }
    Result<Json> whole = at(expr.children[0], path);
    if (!whole) return whole;
    if (expr.kind == ast::ExprKind::field) {
      path += "." + expr.text;
      if (whole->is_null() && is_member(expr.text)) return whole;
      if (!whole->is_object() || !whole->contains(expr.text)) return Error{fmt::format("there is no `{}`", path)};
      return (*whole)[expr.text];
    }
    const ast::Expr& key = expr.children[1];
    if (!whole->is_array()) return Error{fmt::format("`{}` is no list", path)};
    if (key.kind == ast::ExprKind::text) {
      path += fmt::format("[{}]", json_text(key.text));
      for (const Json& item : *whole) {
        if (is_called(item, key.text)) return item;
      }
      return Json();
    }
    if (key.kind != ast::ExprKind::integer) return Error{fmt::format("`{}` is read by a text or a number", path)};
    path += fmt::format("[{}]", key.integer);
    const auto place = static_cast<size_t>(key.integer);
    return place < whole->size() ? (*whole)[place] : Json();
  }

  Result<Json> seen_at(const ast::Expr& expr) {
    std::string path;
    Result<Json> item = at(expr, path);
    if (!item) return item;
    const Json& value = value_of(*item);
    std::string text = value.is_null() ? "none" : exact_text(value);
    const bool slot = item->is_object() && item->contains("replaced");
    if (slot && !(*item)["replaced"].empty()) text += " stale " + exact_text((*item)["replaced"]);
    saw(path, text);
    return item;
  }

  // belief.signal is modified, belief.current is none, belief.confirmed["f.a"] == 3
  Result<bool> holds(const ast::Expr& expr) {
    const Result<Json> item = seen_at(expr.children[0]);
    if (!item) return item.error();
    const Result<Json> expected = literal(expr.children[1]);
    if (!expected) return expected.error();
    const bool positive = expr.binary == ast::BinaryOp::is || expr.binary == ast::BinaryOp::equal;
    const Json& value = value_of(*item);
    const bool none = expected->is_null() && value == "none";  // a label of many enums
    return (none || value == *expected) == positive;
  }

  // belief.confirmed["f.a"] is 3 stale [2]: the values that it has replaced, the oldest first.
  Result<bool> replaced(const ast::Expr& expr) {
    const ast::Expr& held = expr.children[0];
    const bool equality = held.kind == ast::ExprKind::binary &&
                          (held.binary == ast::BinaryOp::is || held.binary == ast::BinaryOp::equal) &&
                          in_belief(held.children[0]);
    if (!equality) return Error{"before `stale` stands what a slot is: belief.confirmed[\"tool.param\"] is VALUE"};
    const Result<bool> holds = this->holds(held);
    if (!holds) return holds;
    const Result<Json> expected = literal(expr.children[1]);
    if (!expected) return expected.error();
    if (!expected->is_array()) return Error{"behind `stale` stands a list of values"};
    const Result<Json> slot = seen_at(held.children[0]);
    if (slot->is_null()) return false;
    if (!slot->is_object() || !slot->contains("replaced")) return Error{"only a slot has stale values"};
    return *holds && (*slot)["replaced"] == *expected;
  }

  Result<Value> number_in_belief(const ast::Expr& expr) {
    const Result<Json> item = seen_at(expr);
    if (!item) return item.error();
    const Json& value = value_of(*item);
    if (value.is_null()) return Value();
    if (value.is_boolean()) return Value(value.get<bool>() ? 1.0 : 0.0);
    if (!value.is_number()) return Error{"what the belief state holds there is no number: compare it with `is`"};
    return Value(value.get<double>());
  }

  // ---- numbers ----

  Result<Value> negated(const ast::Expr& expr) {
    if (expr.unary != ast::UnaryOp::negate) return Error{kCannotBeExpected};
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
        return Error{kCannotBeExpected};
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
        return Error{kCannotBeExpected};
    }
  }

  const Lookup& lookup_;
  const BeliefLookup& belief_;
  std::string seen_;
};

}  // namespace

bool nearly_equal(double a, double b) {
  return a == b || std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

Outcome evaluate_expectation(const ast::Expr& expectation, const Lookup& lookup, const BeliefLookup& belief) {
  Evaluator evaluator(lookup, belief);
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
