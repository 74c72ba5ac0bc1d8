#include "compiler/plan/why.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/plan/expression.h"

namespace wend::plan {
namespace {

// How often each node was what made something zero or false.
using Blame = std::map<NodeId, uint64_t>;

// For how many steps of a fold a column's rule is looked into: a rule may go through all calls of the dialogue.
constexpr uint64_t kMostInside = 1000;

struct FoldStats {
  uint64_t steps = 0;
  Blame blame;                     // steps without effect, by what made them so
  std::map<NodeId, Blame> inside;  // for those that are columns: by the part of the column's rule
};

bool is_zero(Value value, Type type) {
  switch (type) {
    case Type::boolean:
      return !value.boolean();
    case Type::integer:
      return value.integer() == 0;
    case Type::real:
      return value.real() == 0;
    default:
      return !exists(value, type);
  }
}

bool is_fold(Op op) { return op >= Op::fold_count && op <= Op::fold_last; }
bool is_comparison(Op op) { return op >= Op::equal && op <= Op::greater_equal; }

// Evaluates, and keeps account of each fold's steps. Folds are cached by the variables that they depend on, so that
// looking at something again does not count it again.
class Watcher final : public Evaluator {
 public:
  Watcher(const Decoded& decoded, const wend_context& context, bool counts = true)
      : Evaluator(decoded, context), counts_(counts) {}

  // The part of `id`, which is zero or false under the current variables, that makes it so.
  NodeId culprit(NodeId id) {
    const Step& step = decoded_.steps[id];
    auto zero = [&](NodeId node) { return is_zero(evaluate(node), decoded_.steps[node].type); };
    switch (step.op) {
      case Op::logical_and: {
        const NodeId part = zero(step.child[0]) ? step.child[0] : step.child[1];
        // A part that nobody wrote (a presence test that the compiler put in) says less than the whole.
        const auto& written = decoded_.plan->written;
        return written.contains(id) && !written.contains(part) ? id : culprit(part);
      }
      case Op::multiply:
        return culprit(zero(step.child[0]) ? step.child[0] : step.child[1]);
      case Op::minimum:
      case Op::maximum:
        return zero(step.child[0]) ? culprit(step.child[0]) : culprit(step.child[1]);
      case Op::negate:
      case Op::to_real:
      case Op::to_integer:
      case Op::divide:
        return zero(step.child[0]) ? culprit(step.child[0]) : id;
      case Op::choose: {
        const bool yes = evaluate(step.child[0]).boolean();
        const NodeId taken = step.child[yes ? 1 : 2];
        if (decoded_.steps[taken].op != Op::constant) return zero(taken) ? culprit(taken) : id;
        return yes ? id : culprit(step.child[0]);
      }
      default:
        return id;
    }
  }

  const FoldStats& stats(NodeId fold) { return stats_[fold]; }

 protected:
  void on_step(NodeId fold, bool taken) override {
    if (!counts_) return;
    const Step& step = decoded_.steps[fold];
    FoldStats& stats = stats_[fold];
    ++stats.steps;
    NodeId idle = kNoNode;
    if (!taken) {
      idle = step.child[2];
    } else if (step.op == Op::fold_any || step.op == Op::fold_sum) {
      idle = step.child[3];
    }
    if (idle == kNoNode || !is_zero(evaluate(idle), decoded_.steps[idle].type)) return;
    const NodeId part = culprit(idle);
    if (++stats.blame[part] > kMostInside) return;
    const NodeId deeper = inside_column(part);
    if (deeper != kNoNode) ++stats.inside[part][deeper];
  }

 private:
  // Of a column that is zero for the row in hand: the part of its rule that makes it so, where that says more.
  NodeId inside_column(NodeId id) {
    const Step& step = decoded_.steps[id];
    if (step.op != Op::memo) return kNoNode;
    const Column& column = decoded_.plan->columns[static_cast<size_t>(step.integer)];
    // What a rule's own folds count is not asked for.
    if (!rules_) rules_ = std::make_unique<Watcher>(decoded_, context_, false);
    rules_->set(column.subject, evaluate(step.child[0]));
    const NodeId part = rules_->culprit(column.body);
    return part == column.body ? kNoNode : part;
  }

  bool counts_;
  std::map<NodeId, FoldStats> stats_;
  std::unique_ptr<Watcher> rules_;  // looks into columns
};

std::string value_text(const wend_batch& batch, Value value, Type type) {
  if (!exists(value, type)) return "nothing";
  switch (type) {
    case Type::boolean:
      return value.boolean() ? "true" : "false";
    case Type::integer:
      return fmt::format("{}", value.integer());
    case Type::real:
      return fmt::format("{:.6g}", value.real());
    case Type::row:
      return fmt::format("row {}", value.row());
    default:
      break;
  }
  uint32_t text = value.row();
  if (type == Type::value) text = static_cast<const uint32_t*>(batch.columns[WEND_COLUMN_value_text])[text];
  const wend_bytes bytes = static_cast<const wend_bytes*>(batch.columns[WEND_COLUMN_text_data])[text];
  return fmt::format("\"{}\"", std::string_view(bytes.data, std::min<size_t>(bytes.size, 60)));
}

std::vector<std::pair<NodeId, uint64_t>> by_frequency(const Blame& blame) {
  std::vector<std::pair<NodeId, uint64_t>> order(blame.begin(), blame.end());
  std::stable_sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.second > b.second; });
  return order;
}

}  // namespace

struct ZeroExplainer::State {
  State(const Interpreter& source, const wend_context& given, uint32_t row)
      : plan(source.plan()),
        interpreter(source),
        context(given),
        trace(row),
        writer(plan, ExpressionWriter::Names::last) {
    writer.name_variable(plan.trace_variable, "trace");
    for (const auto& [id, text] : plan.written) writer.name_node(id, text);
  }

  std::string explain(const Term& term);
  std::string of_requirements(uint32_t requirements) const;
  std::string of_node(Watcher& watcher, NodeId culprit, int depth);
  std::string of_fold(Watcher& watcher, NodeId fold, int depth);
  std::string of_blame(Watcher& watcher, const FoldStats& stats, int depth);
  std::string of_rule(const FoldStats& stats, NodeId part);
  std::string shown(NodeId id);
  const char* nothing(NodeId id) const { return plan.node(id).type == Type::boolean ? "false" : "0"; }
  std::string noun(const Node& fold, uint64_t count) const;

  const Plan& plan;
  const Interpreter& interpreter;
  const wend_context context;
  uint32_t trace;
  ExpressionWriter writer;
};

// `stale_arg` where it is of the element in hand, else the expression, cut where it gets deep.
std::string ZeroExplainer::State::shown(NodeId id) {
  const Node& node = plan.node(id);
  if (auto written = plan.written.find(id); written != plan.written.end()) return "`" + written->second + "`";
  const bool plain = node.op == Op::memo && plan.node(node.children[0]).op == Op::variable;
  return plain ? "`" + writer.column_name(plan.columns[static_cast<size_t>(node.integer)]) + "`"
               : "`" + writer.text(id, 5) + "`";
}

// "6 args", "1 gold call", "0 steps".
std::string ZeroExplainer::State::noun(const Node& fold, uint64_t count) const {
  std::string name = fold.table < WEND_N_TABLES ? table_name(fold.table) : "step";
  std::replace(name.begin(), name.end(), '_', ' ');
  const Node& begin = plan.node(fold.children[0]);
  const bool gold = begin.op == Op::span_begin &&
                    (begin.column == WEND_COLUMN_trace_gold_calls || begin.column == WEND_COLUMN_turn_gold_calls);
  if (gold) name = "gold " + name;
  return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

// " (`overwritten` false for 4, `hit` false for 2)": the parts of a column's rule that failed, for the first steps.
std::string ZeroExplainer::State::of_rule(const FoldStats& stats, NodeId part) {
  auto found = stats.inside.find(part);
  if (found == stats.inside.end()) return "";
  std::vector<std::string> parts;
  for (auto [id, count] : by_frequency(found->second)) {
    if (parts.size() < 3) parts.push_back(fmt::format("{} {} for {}", shown(id), nothing(id), count));
  }
  const bool some = stats.blame.at(part) > kMostInside;
  return fmt::format(" ({}{})", some ? fmt::format("of the first {}: ", kMostInside) : "", fmt::join(parts, ", "));
}

// The most frequent first; folds that were empty or never true are explained in turn.
std::string ZeroExplainer::State::of_blame(Watcher& watcher, const FoldStats& stats, int depth) {
  std::vector<std::string> parts;
  for (auto [id, count] : by_frequency(stats.blame)) {
    if (parts.size() == 3) {
      parts.push_back("..");
      break;
    }
    if (is_fold(plan.node(id).op)) {
      parts.push_back(of_fold(watcher, id, depth));
      continue;
    }
    const bool boolean = plan.node(id).type == Type::boolean;
    std::string how =
        stats.blame.size() == 1 ? (boolean ? "never true" : "always 0") : fmt::format("{} for {}", nothing(id), count);
    parts.push_back(fmt::format("{} {}{}", shown(id), how, of_rule(stats, id)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ZeroExplainer::State::of_fold(Watcher& watcher, NodeId id, int depth) {
  const Node& node = plan.node(id);
  const FoldStats& stats = watcher.stats(id);
  if (stats.steps == 0) return fmt::format("{}", noun(node, 0));
  uint64_t without = 0;
  for (auto [part, count] : stats.blame) without += count;
  if (node.op == Op::fold_all) return fmt::format("{} is false", shown(id));
  if (without < stats.steps) return fmt::format("{} is 0 over {}", shown(id), noun(node, stats.steps));
  std::string head = fmt::format("0 of {}", noun(node, stats.steps));
  return depth == 0 ? head : head + ": " + of_blame(watcher, stats, depth - 1);
}

std::string ZeroExplainer::State::of_node(Watcher& watcher, NodeId id, int depth) {
  const Node& node = plan.node(id);
  if (is_fold(node.op)) return of_fold(watcher, id, depth);
  if (is_comparison(node.op)) {
    const Type type = plan.node(node.children[0]).type;
    auto side = [&](int i) { return value_text(*context.batch, watcher.evaluate(node.children[i]), type); };
    return fmt::format("{} is false: {} against {}", shown(id), side(0), side(1));
  }
  if (node.op == Op::add || node.op == Op::subtract) {
    std::vector<std::string> parts;
    for (NodeId child : node.children) {
      const Type type = plan.node(child).type;
      if (plan.node(child).op == Op::constant || !is_zero(watcher.evaluate(child), type)) continue;
      parts.push_back(of_node(watcher, watcher.culprit(child), depth));
    }
    if (!parts.empty()) return fmt::format("{}", fmt::join(parts, "; "));
  }
  if (node.op == Op::memo && plan.node(node.children[0]).op == Op::variable && depth > 0) {
    // The column's own rule, for the one row that is asked about.
    const Column& column = plan.columns[static_cast<size_t>(node.integer)];
    Watcher inside(interpreter.decoded(), context);
    inside.set(column.subject, watcher.evaluate(node.children[0]));
    if (is_zero(inside.evaluate(column.body), column.type)) {
      return fmt::format("{} is {}: {}", shown(id), nothing(id),
                         of_node(inside, inside.culprit(column.body), depth - 1));
    }
  }
  return fmt::format("{} is {}", shown(id), nothing(id));
}

std::string ZeroExplainer::State::of_requirements(uint32_t requirements) const {
  const uint32_t caps = static_cast<const uint32_t*>(context.batch->columns[WEND_COLUMN_trace_caps])[trace];
  const uint32_t missing = requirements & ~caps;
  return missing == 0 ? "" : "not evaluable: the dialogue lacks " + capability_names(plan, missing);
}

std::string ZeroExplainer::State::explain(const Term& term) {
  std::string missing = of_requirements(term.requirements);
  if (!missing.empty()) return missing;
  Watcher watcher(interpreter.decoded(), context);
  watcher.set(plan.trace_variable, Value::of(trace));
  // A stop's evidence says what made it fire; that it did not is its condition's doing.
  NodeId root = term.condition != kNoNode ? term.condition : term.evidence != kNoNode ? term.evidence : term.raw;
  if (root == kNoNode) root = term.weighted;
  const Type type = plan.node(root).type;
  if (!is_zero(watcher.evaluate(root), type)) {
    const bool weightless = term.condition == kNoNode && watcher.evaluate(term.weighted).real() == 0;
    return weightless
               ? fmt::format("its value is {}, its weight 0", value_text(*context.batch, watcher.evaluate(root), type))
               : "";
  }
  return of_node(watcher, watcher.culprit(root), 3);
}

ZeroExplainer::ZeroExplainer(const Interpreter& interpreter, const wend_context& context, uint32_t trace)
    : state_(std::make_unique<State>(interpreter, context, trace)) {}
ZeroExplainer::~ZeroExplainer() = default;

std::string ZeroExplainer::explain(const Term& term) { return state_->explain(term); }

}  // namespace wend::plan
