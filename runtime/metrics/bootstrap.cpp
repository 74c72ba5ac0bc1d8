#include "runtime/metrics/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace wend {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct MetricValues {
  std::vector<double> value;
  std::vector<uint8_t> valid;

  explicit MetricValues(size_t n) : value(n), valid(n) {}
  void from(const MetricFunction& evaluate, const double* sums) { evaluate(sums, value.data(), valid.data()); }
};

void set_interval(Estimate& estimate, std::vector<double> resampled, double confidence) {
  const ConfidenceInterval interval = percentile_interval(std::move(resampled), confidence);
  estimate.low = interval.low;
  estimate.high = interval.high;
}

Estimate absent(Absence why) { return {kNaN, kNaN, kNaN, 0, why}; }

// Share of `values` on the side of zero that contradicts the sign of most, doubled.
double two_sided_p(const std::vector<double>& values) {
  if (values.empty()) return 1;
  const auto at_most = std::count_if(values.begin(), values.end(), [](double x) { return x <= 0; });
  const auto at_least = std::count_if(values.begin(), values.end(), [](double x) { return x >= 0; });
  return std::min(1.0, 2.0 * static_cast<double>(std::min(at_most, at_least)) / static_cast<double>(values.size()));
}

}  // namespace

void SignalTable::add(std::span<const double> signals, std::span<const uint32_t> caps) {
  const size_t width = info_->signals.size();
  assert(signals.size() == caps.size() * width);
  std::vector<double> offered(width);
  for (size_t row = 0; row < caps.size(); ++row) {
    for (size_t k = 0; k < width; ++k) {
      const bool offers = (info_->signals[k].requirements & ~caps[row]) == 0;
      offered[k] = offers ? signals[row * width + k] : 0;
    }
    columns_.add(offered);
    const double bits = caps[row];
    caps_.add({&bits, 1});
    ++offers_[caps[row]];
  }
}

SignalTable SignalTable::select(std::span<const uint32_t> rows) const {
  SignalTable selected(*info_);
  selected.columns_ = columns_.select(rows);
  selected.caps_ = caps_.select(rows);
  for (uint32_t row : rows) ++selected.offers_[static_cast<uint32_t>(caps_.at(row, 0))];
  return selected;
}

uint64_t SignalTable::offering(uint32_t requirements) const {
  uint64_t n = 0;
  for (const auto& [caps, dialogues] : offers_) n += (requirements & ~caps) == 0 ? dialogues : 0;
  return n;
}

uint64_t SignalTable::contributors(const MetricInfo& metric) const {
  std::vector<uint32_t> counts;
  for (uint32_t k : metric.signals) {
    if (info_->signals[k].name.ends_with(".count")) counts.push_back(k);
  }
  if (counts.empty()) return offering(metric.requirements);
  uint64_t n = 0;
  for (size_t row = 0; row < rows(); ++row) {
    n += std::any_of(counts.begin(), counts.end(), [&](uint32_t k) { return columns_.at(row, k) > 0; });
  }
  return n;
}

void MeanTable::add(std::span<const double> values) {
  for (size_t at = 0; at < values.size(); at += width_) {
    for (size_t k = 0; k < width_; ++k) {
      const bool there = !std::isnan(values[at + k]);
      row_[k] = there ? values[at + k] : 0;
      row_[width_ + k] = there;
    }
    columns_.add(row_);
  }
}

MeanTable MeanTable::select(std::span<const uint32_t> rows) const {
  MeanTable selected(width_);
  selected.columns_ = columns_.select(rows);
  return selected;
}

std::vector<Estimate> estimate_metrics(const SignalTable& table, const MetricFunction& evaluate,
                                       const BootstrapOptions& options) {
  const std::vector<MetricInfo>& metrics = table.info().metrics;
  const SampleColumns& columns = table.columns();
  const std::vector<double> sums = columns.sums();
  MetricValues point(metrics.size());
  point.from(evaluate, sums.data());

  const std::vector<double> resampled = resampled_sums(columns, options);
  std::vector<std::vector<double>> values(metrics.size());
  MetricValues drawn(metrics.size());
  for (uint32_t b = 0; b < options.resamples; ++b) {
    drawn.from(evaluate, resampled.data() + b * columns.width());
    for (size_t m = 0; m < metrics.size(); ++m) {
      if (drawn.valid[m]) values[m].push_back(drawn.value[m]);
    }
  }

  std::vector<Estimate> estimates;
  for (size_t m = 0; m < metrics.size(); ++m) {
    const bool evaluable = table.evaluable(metrics[m]);
    if (!evaluable || !point.valid[m]) {
      estimates.push_back(absent(evaluable ? Absence::undefined : Absence::not_evaluable));
      continue;
    }
    Estimate estimate;
    estimate.value = point.value[m];
    estimate.n = table.contributors(metrics[m]);
    set_interval(estimate, std::move(values[m]), options.confidence);
    estimates.push_back(estimate);
  }
  return estimates;
}

std::vector<Estimate> estimate_means(const MeanTable& table, const BootstrapOptions& options) {
  const size_t width = table.width();
  const SampleColumns& columns = table.columns();
  const std::vector<double> sums = columns.sums();
  const std::vector<double> resampled = resampled_sums(columns, options);
  std::vector<Estimate> estimates;
  for (size_t k = 0; k < width; ++k) {
    if (sums[width + k] == 0) {
      estimates.push_back(absent(Absence::not_evaluable));
      continue;
    }
    std::vector<double> means;
    for (uint32_t b = 0; b < options.resamples; ++b) {
      const double* drawn = resampled.data() + b * columns.width();
      if (drawn[width + k] > 0) means.push_back(drawn[k] / drawn[width + k]);
    }
    Estimate estimate;
    estimate.value = sums[k] / sums[width + k];
    estimate.n = static_cast<uint64_t>(sums[width + k]);
    set_interval(estimate, std::move(means), options.confidence);
    estimates.push_back(estimate);
  }
  return estimates;
}

std::map<uint32_t, std::vector<uint32_t>> rows_by_group(std::span<const uint32_t> groups) {
  std::map<uint32_t, std::vector<uint32_t>> rows;
  for (uint32_t row = 0; row < groups.size(); ++row) rows[groups[row]].push_back(row);
  return rows;
}

std::vector<Difference> compare_metrics(const SignalTable& first, const SignalTable& second,
                                        const MetricFunction& evaluate, const BootstrapOptions& options) {
  assert(first.rows() == second.rows());
  const size_t n_metrics = first.info().metrics.size();
  const SampleColumns &a = first.columns(), &b = second.columns();
  const std::vector<double> sums_a = a.sums(), sums_b = b.sums();
  // The same seed draws the same dialogues for both.
  const std::vector<double> resampled_a = resampled_sums(a, options), resampled_b = resampled_sums(b, options);

  MetricValues of_a(n_metrics), of_b(n_metrics);
  std::vector<std::vector<double>> differences(n_metrics);
  for (uint32_t r = 0; r < options.resamples; ++r) {
    of_a.from(evaluate, resampled_a.data() + r * a.width());
    of_b.from(evaluate, resampled_b.data() + r * b.width());
    for (size_t m = 0; m < n_metrics; ++m) {
      if (of_a.valid[m] && of_b.valid[m]) differences[m].push_back(of_b.value[m] - of_a.value[m]);
    }
  }

  of_a.from(evaluate, sums_a.data());
  of_b.from(evaluate, sums_b.data());
  std::vector<Difference> out(n_metrics);
  for (size_t m = 0; m < n_metrics; ++m) {
    const bool in_a = of_a.valid[m] && first.evaluable(first.info().metrics[m]);
    const bool in_b = of_b.valid[m] && second.evaluable(second.info().metrics[m]);
    out[m].valid = in_a && in_b;
    out[m].first = in_a ? of_a.value[m] : kNaN;
    out[m].second = in_b ? of_b.value[m] : kNaN;
    out[m].difference = out[m].second - out[m].first;
    if (!out[m].valid) {
      out[m].low = out[m].high = kNaN;
      continue;
    }
    out[m].p = two_sided_p(differences[m]);
    const ConfidenceInterval interval = percentile_interval(std::move(differences[m]), options.confidence);
    out[m].low = interval.low;
    out[m].high = interval.high;
  }
  return out;
}

}  // namespace wend
