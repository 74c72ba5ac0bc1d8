// The plan as text, for `--emit plan` and tests. Stable: it depends on the plan alone, and not on node numbers.
//
//   plan iacm.reward
//   param iacm.reward.alpha: real = 1.0 in 0.0 .. 10.0
//   pass call
//     iacm.detect.hit: bool of v1
//       $1 = call.turn[v1]
//       = exists($1) and ..
//   signal JGA.sum needs response gold_turns
//       = ..
//
// `$1`, `$2` are parts that a definition uses more than once.
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/plan/expression.h"
#include "compiler/plan/print_procedures.h"

namespace wend::plan {
namespace {

std::string needs(const Plan& plan, uint32_t requirements) {
  return requirements == 0 ? "" : " needs " + capability_names(plan, requirements);
}

class Printer {
 public:
  explicit Printer(const Plan& plan) : plan_(plan) {}

  std::string run() {
    line("plan {}", plan_.name);
    params();
    for (const Pass& pass : plan_.passes) print_pass(pass);
    for (const Signal& signal : plan_.signals) {
      line("signal {}{}", signal.name, needs(plan_, signal.requirements));
      define("=", signal.value);
    }
    for (const Metric& metric : plan_.metrics) print_metric(metric);
    for (const Reward& reward : plan_.rewards) print_reward(reward);
    for (const Judge& judge : plan_.judges) print_judge(judge);
    return std::move(out_) + print_procedures(plan_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void params() {
    for (const ParamInfo& param : plan_.params) {
      std::string fallback = param.type == "real"   ? number_text(param.fallback)
                             : param.type == "bool" ? (param.fallback != 0 ? "true" : "false")
                             : param.labels.empty() ? fmt::format("{}", param.fallback)
                                                    : param.labels[static_cast<size_t>(param.fallback)];
      std::string range;
      if (param.type == "real") range = fmt::format(" in {} .. {}", number_text(param.low), number_text(param.high));
      if (param.type == "int") range = fmt::format(" in {} .. {}", param.low, param.high);
      line("param {}: {} = {}{}", param.qualified, param.type, fallback, range);
    }
  }

  void print_pass(const Pass& pass) {
    line("pass {}{}{}", table_name(pass.table), pass.gold ? " gold" : "", pass.late ? " late" : "");
    for (uint32_t index : pass.columns) {
      const Column& column = plan_.columns[index];
      line("  {}: {} of v{}{}", column.name, type_name(column.type), column.subject, column.late ? " late" : "");
      define("=", column.body);
    }
  }

  void print_metric(const Metric& metric) {
    line("metric {}{}{}", metric.name, metric.percent ? ": percent" : "", needs(plan_, metric.requirements));
    if (metric.defined != kNoNode) define("defined", metric.defined);
    define("=", metric.value);
  }

  void print_term(const char* kind, const Term& term) {
    line("  {} {}.{}{}", kind, term.layer, term.name, needs(plan_, term.requirements));
    if (term.condition != kNoNode) define("when", term.condition);
    if (term.raw != kNoNode) define("raw", term.raw);
    if (term.evidence != kNoNode && term.evidence != term.raw) define("evidence", term.evidence);
    if (term.raw == kNoNode || term.weighted == term.raw) {
      define("=", term.weighted);
    } else {
      define("=", term.weighted, term.raw);
    }
  }

  void print_reward(const Reward& reward) {
    line("reward {}", reward.name);
    for (const Layer& layer : reward.layers) {
      line("  layer {}{}{}", layer.name, layer.supervises.empty() ? "" : " supervises ",
           fmt::join(layer.supervises, ", "));
      if (layer.weight != kNoNode) define("weight", layer.weight);
    }
    for (const Term& stop : reward.stops) print_term("stop", stop);
    for (const Term& term : reward.terms) print_term("term", term);
    if (reward.clamp_low == kNoNode) return;
    line("  clamp");
    define("low", reward.clamp_low);
    define("high", reward.clamp_high);
  }

  void print_judge(const Judge& judge) {
    line("judge {} of v{}{}", judge.name, judge.subject, needs(plan_, judge.requirements));
    define("asked", judge.asked);
    for (NodeId hole : judge.holes) define("hole", hole);
  }

  // `label expression`, with the parts that occur more than once before it. `given` is written as `raw`.
  void define(const char* label, NodeId root, NodeId given = kNoNode) {
    std::map<NodeId, int> uses;
    std::vector<NodeId> order;  // children before parents
    count_uses(root, given, uses, order);
    ExpressionWriter writer(plan_);
    if (given != kNoNode) writer.name_node(given, "raw");
    int named = 0;
    for (NodeId id : order) {
      if (id == root || id == given || uses[id] < 2 || !worth_naming(plan_.node(id))) continue;
      std::string name = fmt::format("${}", ++named);
      line("      {} = {}", name, writer.definition(id));
      writer.name_node(id, name);
    }
    line("      {} {}", label, writer.text(root));
  }

  // Leaves and columns of a variable's row are as short as a name for them.
  bool worth_naming(const Node& node) const {
    if (node.children.empty()) return false;
    const bool simple = node.op == Op::load || node.op == Op::memo || node.op == Op::span_begin ||
                        node.op == Op::span_end || node.op == Op::to_real || node.op == Op::exists;
    return !simple || !plan_.node(node.children[0]).children.empty();
  }

  void count_uses(NodeId id, NodeId given, std::map<NodeId, int>& uses, std::vector<NodeId>& order) {
    if (id == kNoNode || ++uses[id] > 1) return;
    if (id != given) {
      for (NodeId child : plan_.node(id).children) count_uses(child, given, uses, order);
    }
    order.push_back(id);
  }

  const Plan& plan_;
  std::string out_;
};

}  // namespace

std::string print(const Plan& plan) { return Printer(plan).run(); }

}  // namespace wend::plan
