#include "compiler/plan/evaluate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "runtime/text/search.h"

namespace wend::plan {
namespace {

// Sizes of the columns' elements, by enum wend_column.
constexpr uint32_t kElementSizes[] = {
#define WEND_COLUMN(table, name, ctype) sizeof(ctype),
#include <wend/columns.def>
};

bool is_fold(Op op) { return op >= Op::fold_count && op <= Op::fold_last; }
bool is_leaf(Op op) { return op <= Op::variable; }
bool has_column(Op op) { return op == Op::load || op == Op::span_begin || op == Op::span_end || op == Op::has_bits; }

using Variables = std::vector<uint32_t>;  // sorted

// The variables that a node's value depends on.
Variables free_of(const Node& node, const std::vector<Variables>& known) {
  if (node.op == Op::variable) return {static_cast<uint32_t>(node.integer)};
  Variables free;
  for (size_t i = 0; i < node.children.size(); ++i) {
    if (node.children[i] == kNoNode) continue;
    Variables merged;
    Variables inner = known[node.children[i]];
    if (is_fold(node.op) && i >= 2) std::erase(inner, static_cast<uint32_t>(node.integer));
    std::set_union(free.begin(), free.end(), inner.begin(), inner.end(), std::back_inserter(merged));
    free = std::move(merged);
  }
  return free;
}

Step decode(const Plan& plan, const Node& node) {
  Step step;
  step.op = node.op;
  step.type = node.type;
  step.index_type = node.index_type;
  step.column = node.column;
  step.table = node.table;
  step.integer = node.integer;
  if (has_column(node.op)) step.element = kElementSizes[node.column];
  assert(node.children.size() <= 4);
  std::copy(node.children.begin(), node.children.end(), step.child);
  if (step.child[0] != kNoNode) step.operand = plan.node(step.child[0]).type;
  if (node.op == Op::constant) {
    step.constant = node.type == Type::real      ? Value::of(node.real)
                    : node.type == Type::boolean ? Value::of(node.integer != 0)
                                                 : Value::of(node.integer);
  }
  return step;
}

// Integers are known not to overflow; wrapping keeps a mistake about that from being undefined.
int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

Value absent(Type type) {
  if (type == Type::integer) return Value::of(std::numeric_limits<int64_t>::min());
  if (type == Type::real) return Value::of(std::numeric_limits<double>::quiet_NaN());
  return Value::of(WEND_NONE);
}

bool exists(Value value, Type type) {
  if (type == Type::boolean) return true;
  if (type == Type::integer) return value.integer() != std::numeric_limits<int64_t>::min();
  if (type == Type::real) return !std::isnan(value.real());
  return value.row() != WEND_NONE;
}

double as_double(Value value, Type type) {
  if (type == Type::integer) return static_cast<double>(value.integer());
  return type == Type::real ? value.real() : 1.0;
}

Decoded::Decoded(const Plan& source) : plan(&source) {
  std::vector<uint32_t> uses(source.nodes.size(), 0);
  std::vector<Variables> free;
  for (const Node& node : source.nodes) {
    for (NodeId child : node.children) {
      if (child != kNoNode) ++uses[child];
    }
    free.push_back(free_of(node, free));
    steps.push_back(decode(source, node));
  }
  for (NodeId id = 0; id < steps.size(); ++id) {
    Step& step = steps[id];
    if (is_leaf(step.op) || !(is_fold(step.op) || uses[id] > 1)) continue;
    step.cache = n_caches++;
    step.free_begin = static_cast<uint32_t>(free_variables.size());
    free_variables.insert(free_variables.end(), free[id].begin(), free[id].end());
    step.free_end = static_cast<uint32_t>(free_variables.size());
  }
}

Evaluator::Evaluator(const Decoded& decoded, const wend_context& context)
    : decoded_(decoded),
      context_(context),
      variables_(static_cast<size_t>(decoded.plan->n_variables)),
      variable_stamps_(variables_.size()),
      caches_(decoded.n_caches) {}

void Evaluator::set(int64_t variable, Value value) {
  variables_[static_cast<size_t>(variable)] = value;
  variable_stamps_[static_cast<size_t>(variable)] = ++clock_;
}

void Evaluator::report_to(wend_evidence_sink* sink, uint32_t trace, uint32_t term) {
  sink_ = sink;
  trace_ = trace;
  term_ = term;
  renew();
}

void Evaluator::replace(NodeId id, Value value) {
  replaced_ = id;
  replacement_ = value;
  renew();
}

bool Evaluator::is_current(const Step& step) const {
  const uint64_t stamp = caches_[step.cache].stamp;
  if (stamp < floor_) return false;
  for (uint32_t i = step.free_begin; i < step.free_end; ++i) {
    if (variable_stamps_[decoded_.free_variables[i]] > stamp) return false;
  }
  return true;
}

Value Evaluator::evaluate(NodeId id) {
  if (id == replaced_) return replacement_;
  const Step& step = decoded_.steps[id];
  if (step.cache == kNoNode) return compute(id, step);
  if (is_current(step)) return caches_[step.cache].value;
  const uint64_t stamp = clock_;
  Value value = compute(id, step);
  caches_[step.cache] = {stamp, value};
  return value;
}

// NOLINTNEXTLINE(readability-function-size): one case for each operation
Value Evaluator::compute(NodeId id, const Step& step) {
  auto child = [&](int i) { return evaluate(step.child[i]); };
  switch (step.op) {
    case Op::constant:
      return step.constant;
    case Op::absent:
      return absent(step.type);
    case Op::literal:
      return Value::of(context_.literals[step.integer]);
    case Op::param: {
      double param = context_.params[step.integer];
      if (step.type == Type::real) return Value::of(param);
      return step.type == Type::boolean ? Value::of(param != 0) : Value::of(static_cast<int64_t>(param));
    }
    case Op::variable:
      return variables_[static_cast<size_t>(step.integer)];

    case Op::load:
    case Op::span_begin:
    case Op::span_end:
      return load(step);
    case Op::memo: {
      auto* slots = static_cast<const uint64_t*>(context_.memo[step.integer]);
      return {slots[child(0).row()]};
    }

    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::negate:
    case Op::minimum:
    case Op::maximum:
    case Op::divide:
      return arithmetic(step);
    case Op::to_real:
      return Value::of(static_cast<double>(child(0).integer()));
    case Op::to_integer:
      return Value::of(child(0).integer());
    case Op::to_row:
      return Value::of(child(0).row());

    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return compare(step);
    case Op::exists:
      return Value::of(exists(child(0), step.operand));
    case Op::has_bits:
      return Value::of((load(step).integer() & step.integer) == step.integer);

    case Op::logical_and:
      return Value::of(child(0).boolean() && child(1).boolean());
    case Op::logical_or:
      return Value::of(child(0).boolean() || child(1).boolean());
    case Op::logical_not:
      return Value::of(!child(0).boolean());
    case Op::choose:
      return child(0).boolean() ? child(1) : child(2);

    case Op::fold_count:
    case Op::fold_sum:
    case Op::fold_any:
    case Op::fold_all:
    case Op::fold_min:
    case Op::fold_max:
    case Op::fold_first:
    case Op::fold_last:
      return fold(id, step);

    case Op::text_equal:
    case Op::text_contains:
    case Op::text_mentions:
    case Op::text_names:
    case Op::text_length:
      return text(step);

    case Op::judged:
      return judged(step);
    case Op::signal_sum:
      return Value::of(sums_[step.integer]);
  }
  assert(!"an operation without a meaning");
  return {};
}

const char* Evaluator::element(const Step& step, uint32_t row) const {
  auto* start = static_cast<const char*>(context_.batch->columns[step.column]);
  return start + size_t{step.element} * row;
}

Value Evaluator::load(const Step& step) {
  const char* at = element(step, evaluate(step.child[0]).row());
  if (step.op == Op::span_begin || step.op == Op::span_end) {
    wend_span span;
    memcpy(&span, at, sizeof span);
    return Value::of(step.op == Op::span_begin ? span.begin : span.end);
  }
  if (step.element == 1) {
    auto byte = static_cast<uint8_t>(*at);
    return step.type == Type::boolean ? Value::of(byte != 0) : Value::of(static_cast<uint32_t>(byte));
  }
  Value value;  // uint32 or double; both are held by their bits
  memcpy(&value.bits, at, step.element);
  return value;
}

Value Evaluator::arithmetic(const Step& step) {
  const Value a = evaluate(step.child[0]);
  const Value b = step.child[1] == kNoNode ? Value() : evaluate(step.child[1]);
  if (step.type == Type::integer) {
    const int64_t x = a.integer(), y = b.integer();
    switch (step.op) {
      case Op::add:
        return Value::of(wrap(a.bits + b.bits));
      case Op::subtract:
        return Value::of(wrap(a.bits - b.bits));
      case Op::multiply:
        return Value::of(wrap(a.bits * b.bits));
      case Op::negate:
        return Value::of(wrap(0 - a.bits));
      case Op::minimum:
        return Value::of(std::min(x, y));
      default:
        assert(step.op == Op::maximum);
        return Value::of(std::max(x, y));
    }
  }
  const double x = a.real(), y = b.real();
  switch (step.op) {
    case Op::add:
      return Value::of(x + y);
    case Op::subtract:
      return Value::of(x - y);
    case Op::multiply:
      return Value::of(x * y);
    case Op::negate:
      return Value::of(-x);
    case Op::minimum:
      return Value::of(y < x ? y : x);  // the first where they are equal (0.0 and -0.0)
    case Op::maximum:
      return Value::of(x < y ? y : x);
    default:
      assert(step.op == Op::divide);
      return Value::of(x / y);
  }
}

namespace {

template <class T>
bool holds(Op op, T a, T b) {
  switch (op) {
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    default:
      assert(op == Op::greater_equal);
      return a >= b;
  }
}

}  // namespace

Value Evaluator::compare(const Step& step) {
  const Value a = evaluate(step.child[0]), b = evaluate(step.child[1]);
  switch (step.operand) {
    case Type::boolean:
      return Value::of(holds(step.op, a.boolean(), b.boolean()));
    case Type::integer:
      return Value::of(holds(step.op, a.integer(), b.integer()));
    case Type::real:
      return Value::of(holds(step.op, a.real(), b.real()));
    default:
      return Value::of(holds(step.op, a.row(), b.row()));
  }
}

void Evaluator::report(const Step& step, int64_t row, double value) {
  if (!sink_ || step.table >= WEND_N_TABLES) return;
  if (sink_->count < sink_->capacity) {
    sink_->items[sink_->count] = {trace_, term_, step.table, static_cast<uint32_t>(row), value};
  }
  ++sink_->count;
}

// The variable means again what it meant outside, if it meant something there.
Value Evaluator::fold(NodeId id, const Step& step) {
  const Value outer = get(step.integer);
  const Value result = fold_steps(id, step);
  set(step.integer, outer);
  return result;
}

Value Evaluator::fold_steps(NodeId id, const Step& step) {
  // Rows are zero-extended, so that rows and integers count alike.
  const int64_t begin = evaluate(step.child[0]).integer(), end = evaluate(step.child[1]).integer();
  const NodeId condition = step.child[2], body = step.child[3];
  const Type type = step.type;

  // A count or sum starts at zero, `all` at true, `any` at false (zero), the others at nothing.
  const bool from_zero = step.op == Op::fold_count || step.op == Op::fold_sum || step.op == Op::fold_any;
  Value result = from_zero ? Value() : step.op == Op::fold_all ? Value::of(true) : absent(type);
  int64_t winner = -1;  // of min, max, first, last
  for (int64_t i = begin; i < end; ++i) {
    set(step.integer, Value::of(i));
    const bool taken = condition == kNoNode || evaluate(condition).boolean();
    on_step(id, taken);
    if (!taken) continue;
    if (step.op == Op::fold_count) {
      result = Value::of(result.integer() + 1);
      report(step, i, 1.0);
      continue;
    }
    const Value value = evaluate(body);
    switch (step.op) {
      case Op::fold_sum:
        result =
            type == Type::real ? Value::of(result.real() + value.real()) : Value::of(wrap(result.bits + value.bits));
        if (as_double(value, type) != 0) report(step, i, as_double(value, type));
        break;
      case Op::fold_any:
      case Op::fold_all: {
        const bool stops = value.boolean() == (step.op == Op::fold_any);
        if (!stops) break;
        report(step, i, value.boolean() ? 1.0 : 0.0);
        return value;
      }
      case Op::fold_first:
        if (!exists(value, type)) break;
        report(step, i, as_double(value, type));
        return value;
      case Op::fold_min:
      case Op::fold_max:
      case Op::fold_last: {
        if (!exists(value, type)) break;
        const Op order = step.op == Op::fold_min ? Op::less : Op::greater;
        const bool wins = winner < 0 || step.op == Op::fold_last ||
                          (type == Type::real      ? holds(order, value.real(), result.real())
                           : type == Type::integer ? holds(order, value.integer(), result.integer())
                                                   : holds(order, value.row(), result.row()));
        if (!wins) break;
        result = value;
        winner = i;
        break;
      }
      default:
        assert(!"not a fold");
    }
  }
  if (winner >= 0) report(step, winner, as_double(result, type));
  return result;
}

wend_bytes Evaluator::bytes(uint32_t column, uint32_t symbol) const {
  return static_cast<const wend_bytes*>(context_.batch->columns[column])[symbol];
}

Value Evaluator::text(const Step& step) {
  const uint32_t symbol = evaluate(step.child[0]).row();
  if (step.op == Op::text_length) {
    const wend_bytes text = bytes(WEND_COLUMN_text_data, symbol);
    return Value::of(wend_text_length(text.data, text.size));
  }
  if (step.op == Op::text_equal) {
    const wend_bytes a = bytes(WEND_COLUMN_text_data, symbol);
    const wend_bytes b = bytes(WEND_COLUMN_text_data, evaluate(step.child[1]).row());
    return Value::of(a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0));
  }
  const wend_bytes text = bytes(WEND_COLUMN_text_folded, symbol);
  if (step.op == Op::text_contains) {
    const std::string& needle = decoded_.plan->strings[static_cast<size_t>(step.integer)];
    return Value::of(wend_text_contains(text.data, text.size, needle.data(), needle.size()));
  }
  const wend_bytes needle = bytes(WEND_COLUMN_text_folded, evaluate(step.child[1]).row());
  return Value::of(step.op == Op::text_mentions ? wend_text_mentions(text.data, text.size, needle.data, needle.size)
                                                : wend_text_names(text.data, text.size, needle.data, needle.size));
}

Value Evaluator::judged(const Step& step) {
  const double* scores = context_.judged ? context_.judged[step.integer] : nullptr;
  return scores ? Value::of(scores[evaluate(step.child[0]).row()]) : evaluate(step.child[1]);
}

}  // namespace wend::plan
