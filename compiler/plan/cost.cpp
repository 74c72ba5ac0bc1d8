#include "compiler/plan/cost.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace wend::plan {
namespace {

// A sum of products: the sizes that are multiplied (sorted) -> coefficient.
using Cost = std::map<std::vector<std::string>, double>;

Cost constant(double x) { return {{{}, x}}; }

void add(Cost& into, const Cost& other, double times = 1) {
  for (const auto& [sizes, coefficient] : other) into[sizes] += coefficient * times;
}

Cost scaled(const Cost& cost, const std::string& size) {
  Cost out;
  for (const auto& [sizes, coefficient] : cost) {
    std::vector<std::string> more = sizes;
    more.insert(std::upper_bound(more.begin(), more.end(), size), size);
    out[more] += coefficient;
  }
  return out;
}

std::string print(const Cost& cost) {
  std::vector<std::pair<std::vector<std::string>, double>> terms(cost.begin(), cost.end());
  std::stable_sort(terms.begin(), terms.end(),
                   [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
  std::string text;
  for (const auto& [sizes, coefficient] : terms) {
    if (coefficient == 0) continue;
    if (!text.empty()) text += " + ";
    text += fmt::format("{:.0f}", coefficient);
    for (size_t i = 0; i < sizes.size();) {
      size_t j = i;
      while (j < sizes.size() && sizes[j] == sizes[i]) ++j;
      text += " " + sizes[i] + (j - i > 1 ? fmt::format("^{}", j - i) : "");
      i = j;
    }
  }
  return text.empty() ? "0" : text;
}

class Counter {
 public:
  explicit Counter(const Plan& plan) : plan_(plan) {}

  // Operations of evaluating `id` once; shared parts are counted wherever they are used.
  const Cost& of(NodeId id) {
    if (auto it = done_.find(id); it != done_.end()) return it->second;
    const Node& n = plan_.node(id);
    Cost cost = constant(1);
    bool fold = n.op >= Op::fold_count && n.op <= Op::fold_last;
    for (size_t i = 0; i < n.children.size(); ++i) {
      if (n.children[i] == kNoNode) continue;
      const Cost inner = of(n.children[i]);
      if (!fold || i < 2) {
        add(cost, inner);
      } else {
        double steps = constant_steps(n);
        if (steps >= 0)
          add(cost, inner, steps);
        else
          add(cost, scaled(inner, size_of(n)));
      }
    }
    if (n.op == Op::text_contains || n.op == Op::text_mentions || n.op == Op::text_names || n.op == Op::text_equal ||
        n.op == Op::text_length)
      add(cost, {{{"text"}, 1.0}});
    return done_[id] = cost;
  }

  // The list that a span column leads to, by what a reader calls it.
  static std::string size_of_column(uint32_t column) {
    switch (column) {
      case WEND_COLUMN_trace_turns:
        return "turns";
      case WEND_COLUMN_trace_messages:
      case WEND_COLUMN_turn_messages:
        return "messages";
      case WEND_COLUMN_trace_calls:
      case WEND_COLUMN_turn_calls:
      case WEND_COLUMN_message_calls:
        return "calls";
      case WEND_COLUMN_trace_gold_calls:
      case WEND_COLUMN_turn_gold_calls:
        return "gold";
      case WEND_COLUMN_call_args:
        return "args";
      case WEND_COLUMN_trace_pool:
        return "tools";
      case WEND_COLUMN_tool_params:
        return "params";
      case WEND_COLUMN_trace_chains:
        return "chains";
      case WEND_COLUMN_chain_links:
      case WEND_COLUMN_link_needs:
        return "links";
      case WEND_COLUMN_turn_slots:
        return "slots";
      case WEND_COLUMN_turn_missing:
        return "missing";
      case WEND_COLUMN_arg_accepted:
        return "accepted";
      case WEND_COLUMN_value_leaves:
        return "leaves";
      case WEND_COLUMN_param_choices:
        return "choices";
      default:
        return "n";
    }
  }

 private:
  // A fold from a number to a number: at most so many steps; -1 if not known.
  double constant_steps(const Node& n) const {
    std::function<double(NodeId)> largest = [&](NodeId id) -> double {
      const Node& x = plan_.node(id);
      if (x.op == Op::constant) return static_cast<double>(x.integer);
      if (x.op == Op::param) return plan_.params[static_cast<size_t>(x.integer)].high;
      if (x.op == Op::variable) return ranges_.count(x.integer) ? ranges_.at(x.integer) : -1;
      if (x.children.size() == 2 && (x.op == Op::add || x.op == Op::subtract || x.op == Op::multiply)) {
        double a = largest(x.children[0]), b = largest(x.children[1]);
        if (a < 0 || b < 0) return -1;
        return x.op == Op::add ? a + b : x.op == Op::multiply ? a * b : a;
      }
      return -1;
    };
    if (n.index_type != Type::integer) return -1;
    return largest(n.children[1]);
  }

  std::string size_of(const Node& n) const {
    // What the end of the fold is read from; a fold up to a row of the same list (`earlier`) by its begin.
    std::string name = "n";
    std::function<void(NodeId)> look = [&](NodeId id) {
      const Node& x = plan_.node(id);
      if (x.op == Op::span_end || x.op == Op::span_begin)
        name = size_of_column(x.column);
      else
        for (NodeId c : x.children)
          if (name == "n" && c != kNoNode) look(c);
    };
    look(n.children[1]);
    if (name == "n") look(n.children[0]);
    return name;
  }

  const Plan& plan_;
  std::map<int64_t, double> ranges_;
  std::unordered_map<NodeId, Cost> done_;

 public:
  // Largest values of integer fold variables, needed before costs of what is inside.
  void learn_ranges() {
    for (const Node& n : plan_.nodes)
      if (n.op >= Op::fold_count && n.op <= Op::fold_last && n.index_type == Type::integer)
        if (double steps = constant_steps(n); steps >= 0) ranges_[n.integer] = std::max(ranges_[n.integer], steps);
  }
};

Cost per_rows(const Cost& body, uint32_t table, bool gold) {
  Cost cost = body;
  for (uint32_t column : rows_of(table, gold)) cost = scaled(cost, Counter::size_of_column(column));
  return cost;
}

}  // namespace

std::string describe_cost(const Plan& plan) {
  Counter counter(plan);
  counter.learn_ranges();
  counter.learn_ranges();  // ranges inside ranges
  std::string out;
  Cost total;
  auto line = [&](const std::string& name, const Cost& cost) {
    out += fmt::format("{:<36} <= {}\n", name, print(cost));
    add(total, cost);
  };
  for (const Column& c : plan.columns) line(c.name, per_rows(counter.of(c.body), c.table, c.gold));
  for (const Signal& s : plan.signals) line("signal " + s.name, counter.of(s.value));
  for (const Reward& r : plan.rewards) {
    Cost cost;
    for (const Term& s : r.stops) {
      add(cost, counter.of(s.condition));
      add(cost, counter.of(s.weighted));
    }
    for (const Term& t : r.terms) add(cost, counter.of(t.weighted));
    line("reward " + r.name, cost);
  }
  out += fmt::format("{:<36} <= {}\n", "in all, for one dialogue", print(total));
  return out;
}

}  // namespace wend::plan
