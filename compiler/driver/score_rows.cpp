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

// The signals that a metric divides: NAME.sum by NAME.count. False for a metric of another shape.
bool fraction(const ProgramInfo& info, const MetricInfo& metric, uint32_t& sum, uint32_t& count) {
  if (metric.signals.size() != 2) return false;
  bool found_sum = false, found_count = false;
  for (uint32_t k : metric.signals) {
    if (info.signals[k].name == metric.name + ".sum") found_sum = true, sum = k;
    if (info.signals[k].name == metric.name + ".count") found_count = true, count = k;
  }
  return found_sum && found_count;
}

void put_metrics(Buffer& out, const ProgramInfo& info, const BatchScores& scores, size_t i) {
  const double* signals = scores.signals.data() + i * info.signals.size();
  bool first = true;
  for (const MetricInfo& metric : info.metrics) {
    uint32_t sum = 0, count = 0;
    if (!fraction(info, metric, sum, count)) continue;
    if (!first) put(out, ",");
    first = false;
    put(out, json_text(metric.name));
    if ((metric.requirements & ~scores.caps[i]) != 0) {
      put(out, ":null");
      continue;
    }
    put(out, ":{\"num\":");
    put_number(out, signals[sum]);
    put(out, ",\"den\":");
    put_number(out, signals[count]);
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

std::string score_rows(const ProgramInfo& info, const BatchScores& scores) {
  Buffer out;
  for (size_t i = 0; i < scores.size(); ++i) {
    put(out, "{\"id\":");
    put(out, json_text(scores.ids[i]));
    put(out, ",\"metrics\":{");
    put_metrics(out, info, scores, i);
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
