// The lines of `wend score --rows`: one dialogue each. Written without a tree in between, because there may be
// millions.
#include <fmt/format.h>

#include <cmath>

#include "compiler/driver/dialogue.h"
#include "compiler/driver/score_report.h"

namespace wend::driver {
namespace {

using Buffer = fmt::memory_buffer;

void put(Buffer& out, std::string_view text) { out.append(text.data(), text.data() + text.size()); }

// Shortest text that reads back as the same double; NaN is null.
void put_number(Buffer& out, double value) {
  if (std::isnan(value)) return put(out, "null");
  fmt::format_to(std::back_inserter(out), "{}", value == 0 ? 0.0 : value);
}

void put_metrics(Buffer& out, const ProgramInfo& info, const std::vector<Fraction>& fractions,
                 const BatchScores& scores, size_t i) {
  const double* signals = scores.signals.data() + i * info.signals.size();
  const uint32_t caps = scores.caps[i];
  for (const Fraction& fraction : fractions) {
    const MetricInfo& metric = info.metrics[fraction.metric];
    if (&fraction != &fractions.front()) put(out, ",");
    put(out, json_text(metric.name));
    if ((metric.requirements & ~caps) != 0) {
      put(out, ":null");
      continue;
    }
    put(out, ":{\"num\":");
    put_number(out, signals[fraction.sum]);
    put(out, ",\"den\":");
    put_number(out, signals[fraction.count]);
    put(out, "}");
  }
}

void put_reward(Buffer& out, const RewardInfo& info, const RewardScores& scores, size_t i) {
  const std::span<const double> terms = std::span(scores.terms).subspan(i * info.terms.size(), info.terms.size());
  put(out, json_text(info.name));
  put(out, ":{\"total\":");
  put_number(out, nothing_evaluable(info, terms) ? std::nan("") : scores.totals[i]);
  put(out, scores.status[i] == WEND_STATUS_OK ? ",\"partial\":false,\"terms\":{" : ",\"partial\":true,\"terms\":{");
  for (size_t k = 0; k < terms.size(); ++k) {
    if (k > 0) put(out, ",");
    put(out, json_text(info.terms[k].full_name()));
    put(out, ":");
    put_number(out, terms[k]);
  }
  put(out, "}}");
}

}  // namespace

std::vector<Fraction> find_fractions(const Program& program, std::span<const double> params) {
  const ProgramInfo& info = program.info();
  std::vector<Fraction> fractions;
  std::vector<double> sums(info.signals.size()), values(info.metrics.size());
  std::vector<uint8_t> valid(info.metrics.size());
  for (uint32_t m = 0; m < info.metrics.size(); ++m) {
    const std::vector<uint32_t>& read = info.metrics[m].signals;
    if (read.size() != 2) continue;
    const bool first_counts = info.signals[read[0]].name.ends_with(".count");
    const Fraction candidate{m, read[first_counts], read[!first_counts]};
    bool divides = true;
    for (auto [sum, count] : {std::pair(1.0, 4.0), std::pair(2.0, 3.0)}) {
      sums[candidate.sum] = sum;
      sums[candidate.count] = count;
      program.metrics(params.data(), sums.data(), values.data(), valid.data());
      divides = divides && valid[m] && values[m] == sum / count;
    }
    sums[candidate.sum] = sums[candidate.count] = 0;
    if (divides) fractions.push_back(candidate);
  }
  return fractions;
}

std::string score_rows(const ProgramInfo& info, const std::vector<Fraction>& fractions, const BatchScores& scores) {
  Buffer out;
  for (size_t i = 0; i < scores.size(); ++i) {
    put(out, "{\"id\":");
    put(out, json_text(scores.ids[i]));
    put(out, ",\"metrics\":{");
    put_metrics(out, info, fractions, scores, i);
    put(out, "},\"rewards\":{");
    for (size_t r = 0; r < info.rewards.size(); ++r) {
      if (r > 0) put(out, ",");
      put_reward(out, info.rewards[r], scores.rewards[r], i);
    }
    put(out, "}}\n");
  }
  return fmt::to_string(out);
}

}  // namespace wend::driver
