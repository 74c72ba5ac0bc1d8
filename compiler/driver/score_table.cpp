// `wend score` for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/driver/capability.h"
#include "compiler/driver/score_report.h"
#include "compiler/driver/table.h"

namespace wend::driver {
namespace {

std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

std::string metric_value(const MetricInfo& metric, double value) {
  return metric.percent ? fmt::format("{:.2f} %", 100 * value) : fmt::format("{:.4f}", value);
}

std::string interval(double scale, int digits, const Estimate& estimate) {
  if (std::isnan(estimate.low) || std::isnan(estimate.high)) return "";
  return fmt::format("[{:.{}f}, {:.{}f}]", scale * estimate.low, digits, scale * estimate.high, digits);
}

// Families leave out the metrics that they have no value of: most are about one family.
std::string metrics_table(const ProgramInfo& info, const GroupReport& group, const ScoreReport& report, bool all) {
  if (info.metrics.empty()) return "";
  Table table({false, true, true, true});
  table.row({"metric", "value", "95% interval", "n"});
  for (size_t m = 0; m < info.metrics.size(); ++m) {
    const MetricInfo& metric = info.metrics[m];
    const Estimate& estimate = group.metrics[m];
    if (estimate.valid()) {
      table.row({metric.name, metric_value(metric, estimate.value),
                 interval(metric.percent ? 100 : 1, metric.percent ? 2 : 4, estimate), grouped(estimate.n)});
    } else if (all) {
      table.row({metric.name, "-", "", "", absence_reason(info, metric, estimate, report)});
    }
  }
  return table.text();
}

// What the dialogues that were scored in part lack, over all terms.
std::string lacking(const ProgramInfo& info, const RewardInfo& reward, const ScoreReport& report) {
  uint32_t bits = 0;
  for (const TermInfo& term : reward.terms) bits |= term.requirements & ~report.always;
  return capability_text(info, bits);
}

std::string reward_table(const ProgramInfo& info, const RewardInfo& reward, const RewardReport& scores,
                         const ScoreReport& report) {
  std::string out = fmt::format("\nreward {}", reward.name);
  if (scores.mean.valid()) {
    out += fmt::format("  {:+.4f}  {}  n {}", scores.mean.value, interval(1, 4, scores.mean), grouped(scores.mean.n));
  }
  out += "\n";
  if (scores.partial > 0) {
    out += fmt::format("  {} scored in part, mean {:+.4f}, for lack of {}\n",
                       counted(scores.partial, "dialogue", "dialogues"), scores.partial_mean,
                       lacking(info, reward, report));
  }
  if (scores.absent > 0) {
    out += fmt::format("  {} not scored, without anything that can be evaluated\n",
                       counted(scores.absent, "dialogue", "dialogues"));
  }
  if (scores.mean.n + scores.partial == 0) return out;
  Table table({false, true, true});
  // With both kinds of dialogues the second column is for those scored in part.
  const bool both = scores.mean.valid() && scores.partial > 0;
  if (both) table.row({"term", "complete", "in part"});
  for (size_t k = 0; k < reward.terms.size(); ++k) {
    const std::string part = scores.partial_terms_n[k] > 0 ? fmt::format("{:+.4f}", scores.partial_terms[k]) : "-";
    std::vector<std::string> cells = {reward.terms[k].full_name()};
    if (scores.mean.valid()) cells.push_back(fmt::format("{:+.4f}", scores.terms[k] + 0.0));
    if (scores.partial > 0) cells.push_back(part);
    table.row(std::move(cells));
  }
  return out + table.text("  ");
}

std::string group_text(const ProgramInfo& info, const GroupReport& group, const ScoreReport& report, bool all) {
  std::string out = metrics_table(info, group, report, all);
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    out += reward_table(info, info.rewards[r], group.rewards[r], report);
  }
  return out;
}

constexpr size_t kLineWidth = 100;

// The values of families in columns, as many as fit on a line; the others below in the same way.
class FamilyTables {
 public:
  FamilyTables(const ProgramInfo& info, const ScoreReport& report) : info_(info) {
    for (const auto& [name, group] : report.families) columns_.push_back(column(name, group));
  }

  std::string text() const {
    std::string out;
    if (info_.metrics.empty() && info_.rewards.empty()) return out;
    for (size_t first = 0; first < columns_.size();) {
      size_t last = first, width = names_width();
      while (last < columns_.size() && (last == first || width + 2 + columns_[last].width <= kLineWidth)) {
        width += 2 + columns_[last++].width;
      }
      out += "\n" + block(first, last);
      first = last;
    }
    return out;
  }

 private:
  struct Column {
    std::vector<std::string> cells;  // name, dialogues, metrics, rewards; "" where there is no value
    size_t width = 0;
  };

  Column column(const std::string& name, const GroupReport& group) const {
    Column out{{name, grouped(group.dialogues)}};
    for (size_t m = 0; m < info_.metrics.size(); ++m) {
      const Estimate& estimate = group.metrics[m];
      out.cells.push_back(estimate.valid() ? metric_value(info_.metrics[m], estimate.value) : "");
    }
    for (const RewardReport& reward : group.rewards) {
      out.cells.push_back(reward.mean.valid() ? fmt::format("{:+.4f}", reward.mean.value) : "");
    }
    for (const std::string& cell : out.cells) out.width = std::max(out.width, display_width(cell));
    return out;
  }

  std::string row_name(size_t row) const {
    if (row == 0) return "family";
    if (row == 1) return "dialogues";
    row -= 2;
    const size_t metrics = info_.metrics.size();
    return row < metrics ? info_.metrics[row].name : "reward " + info_.rewards[row - metrics].name;
  }

  size_t rows() const { return 2 + info_.metrics.size() + info_.rewards.size(); }

  size_t names_width() const {
    size_t width = 0;
    for (size_t row = 0; row < rows(); ++row) width = std::max(width, display_width(row_name(row)));
    return width;
  }

  // What none of the families has a value of is left out: most metrics are about one family.
  std::string block(size_t first, size_t last) const {
    std::vector<bool> right(1 + last - first, true);
    right[0] = false;
    Table table(right);
    for (size_t row = 0; row < rows(); ++row) {
      std::vector<std::string> cells = {row_name(row)};
      bool any = false;
      for (size_t i = first; i < last; ++i) {
        const std::string& cell = columns_[i].cells[row];
        any = any || !cell.empty();
        cells.push_back(cell.empty() ? "-" : cell);
      }
      if (any) table.row(std::move(cells));
    }
    return table.text();
  }

  const ProgramInfo& info_;
  std::vector<Column> columns_;
};

std::string judges_text(const ProgramInfo& info, const ScoreReport& report) {
  std::string out;
  for (const auto& [key, n] : report.judges) {
    out += fmt::format("judge {}: {} {}\n", info.judges[key.first].name, grouped(n), to_string(key.second));
  }
  return out.empty() ? "" : "\n" + out;
}

}  // namespace

std::string absence_reason(const ProgramInfo& info, const MetricInfo& metric, const Estimate& estimate,
                           const ScoreReport& report) {
  if (report.all.dialogues == 0) return "no dialogue";
  const uint32_t missing = metric.requirements & ~report.offered;
  // What is about answered turns has none, without a need of its own.
  const bool undefined = estimate.absence == Absence::undefined;
  if ((missing & WEND_CAP_RESPONSE) != 0 || (undefined && report.responding == 0)) {
    return "no dialogue has " + capability_text(info, WEND_CAP_RESPONSE);
  }
  if (undefined) return "no turn or dialogue of the kind that it is about";
  if (missing != 0) return "no dialogue has " + capability_text(info, missing);
  return "no dialogue has all of: " + capability_text(info, metric.requirements);
}

std::string score_table(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read, Families families) {
  std::string out = fmt::format("{}, {}, {}", counted(report.all.dialogues, "dialogue", "dialogues"),
                                counted(report.turns, "turn", "turns"), counted(report.calls, "call", "calls"));
  if (read.skipped > 0) out += fmt::format("; {} skipped", counted(read.skipped, "record", "records"));
  out += "\n\n" + group_text(info, report.all, report, true);
  if (families == Families::side_by_side) return out + FamilyTables(info, report).text() + judges_text(info, report);
  for (const auto& [name, group] : report.families) {
    out += fmt::format("\n== family {}: {}\n\n", name, counted(group.dialogues, "dialogue", "dialogues"));
    out += group_text(info, group, report, false);
  }
  return out + judges_text(info, report);
}

}  // namespace wend::driver
