// The lines of `wend score --rows`: one dialogue each. Written without a tree in between, because there may be
// millions.
#include <fmt/format.h>

#include <cmath>

#include "compiler/driver/score_report.h"
#include "runtime/data/text.h"

namespace wend::driver {
namespace {

// `"name":`, behind a comma unless it is the first of an object.
std::string key_of(std::string_view name, bool first) {
  std::string key = first ? "" : ",";
  append_json_string(name, key);
  return key + ":";
}

}  // namespace

RowsWriter::RowsWriter(const Program& program, std::span<const double> params) : info_(program.info()) {
  find_fractions(program, params);
  for (const RewardInfo& info : info_.rewards) {
    Reward reward;
    reward.key = key_of(info.name, rewards_.empty());
    for (const TermInfo& term : info.terms) reward.terms.push_back(key_of(term.full_name(), reward.terms.empty()));
    rewards_.push_back(std::move(reward));
  }
}

// By trying.
void RowsWriter::find_fractions(const Program& program, std::span<const double> params) {
  std::vector<double> sums(info_.signals.size()), values(info_.metrics.size());
  std::vector<uint8_t> valid(info_.metrics.size());
  for (uint32_t m = 0; m < info_.metrics.size(); ++m) {
    const std::vector<uint32_t>& read = info_.metrics[m].signals;
    if (read.size() != 2) continue;
    const bool first_counts = info_.signals[read[0]].name.ends_with(".count");
    Fraction candidate{key_of(info_.metrics[m].name, fractions_.empty()), m, read[first_counts], read[!first_counts]};
    bool divides = true;
    for (auto [sum, count] : {std::pair(1.0, 4.0), std::pair(2.0, 3.0)}) {
      sums[candidate.sum] = sum;
      sums[candidate.count] = count;
      program.metrics(params.data(), sums.data(), values.data(), valid.data());
      divides = divides && valid[m] && values[m] == sum / count;
    }
    sums[candidate.sum] = sums[candidate.count] = 0;
    if (divides) fractions_.push_back(std::move(candidate));
  }
}

// Shortest text that reads back as the same double; NaN is null.
void RowsWriter::put_number(double value) {
  if (std::isnan(value)) return put("null");
  if (value >= 0 && value < 10 && value == static_cast<int>(value)) {  // most of them
    out_.push_back(static_cast<char>('0' + static_cast<int>(value)));
  } else {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
}

void RowsWriter::put_metrics(const BatchScores& scores, size_t i) {
  const double* signals = scores.signals.data() + i * info_.signals.size();
  for (const Fraction& fraction : fractions_) {
    put(fraction.key);
    if ((info_.metrics[fraction.metric].requirements & ~scores.caps[i]) != 0) {
      put("null");
      continue;
    }
    put("{\"num\":");
    put_number(signals[fraction.sum]);
    put(",\"den\":");
    put_number(signals[fraction.count]);
    put("}");
  }
}

void RowsWriter::put_reward(size_t reward, const RewardScores& scores, size_t i) {
  const RewardInfo& info = info_.rewards[reward];
  const std::span<const double> terms = std::span(scores.terms).subspan(i * info.terms.size(), info.terms.size());
  put(rewards_[reward].key);
  put("{\"total\":");
  put_number(nothing_evaluable(info, terms) ? std::nan("") : scores.totals[i]);
  put(scores.status[i] == WEND_STATUS_OK ? ",\"partial\":false,\"terms\":{" : ",\"partial\":true,\"terms\":{");
  for (size_t k = 0; k < terms.size(); ++k) {
    put(rewards_[reward].terms[k]);
    put_number(terms[k]);
  }
  put("}}");
}

std::string RowsWriter::lines(const BatchScores& scores) {
  out_.clear();
  for (size_t i = 0; i < scores.size(); ++i) {
    put("{\"id\":");
    append_json_string(scores.ids[i], out_);
    put(",\"metrics\":{");
    put_metrics(scores, i);
    put("},\"rewards\":{");
    for (size_t r = 0; r < rewards_.size(); ++r) put_reward(r, scores.rewards[r], i);
    put("}}\n");
  }
  return out_;
}

}  // namespace wend::driver
