// Values of metrics and mean rewards over dialogues, with bootstrap intervals.
//
//   SignalTable table(program.info());
//   table.add(signals, caps);                                  // as the batches are scored
//   std::vector<Estimate> all = estimate_metrics(table, evaluate, {});
//   for (auto& [family, rows] : rows_by_group(families)) estimate_metrics(table.select(rows), evaluate, {});
//
// The unit that is resampled is the dialogue. What a dialogue cannot offer contributes nothing: its signal is left out
// of the sums, its reward or term (NaN) out of the means.
#ifndef WEND_RUNTIME_METRICS_BOOTSTRAP_H_
#define WEND_RUNTIME_METRICS_BOOTSTRAP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "runtime/metrics/resample.h"
#include "runtime/program.h"

namespace wend {

// Why there is no value.
enum class Absence : uint8_t {
  none,           // there is one
  not_evaluable,  // no dialogue offers what it requires
  undefined,      // a divisor is zero: nothing to take the mean of
};

struct Estimate {
  double value = 0, low = 0, high = 0;  // NaN where absent
  uint64_t n = 0;                       // dialogues that contributed
  Absence absence = Absence::none;

  bool valid() const { return absence == Absence::none; }
};

// What the program says of its metrics, from sums of signals: Program::metrics with the params in force. Called from
// one thread.
using MetricFunction = std::function<void(const double* sums, double* value, uint8_t* valid)>;

// Signals by dialogue: 0 where a dialogue cannot offer one, so that they can be summed.
class SignalTable {
 public:
  explicit SignalTable(const ProgramInfo& info) : info_(&info), columns_(info.signals.size()), caps_(1) {}

  // `signals`: what Program::signals gives for some dialogues; `caps`: trace.caps of each.
  void add(std::span<const double> signals, std::span<const uint32_t> caps);
  SignalTable select(std::span<const uint32_t> rows) const;

  const ProgramInfo& info() const { return *info_; }
  size_t rows() const { return caps_.rows(); }
  const SampleColumns& columns() const { return columns_; }
  // Dialogues that count for a metric: those with a count (a signal "NAME.count") above zero, or, where the metric has
  // no count, those that offer what it requires.
  uint64_t contributors(const MetricInfo& metric) const;
  // Does any dialogue offer what the metric requires?
  bool evaluable(const MetricInfo& metric) const { return offering(metric.requirements) > 0; }

 private:
  uint64_t offering(uint32_t requirements) const;

  const ProgramInfo* info_;
  SampleColumns columns_, caps_;
  std::map<uint32_t, uint64_t> offers_;  // dialogues by their caps
};

// Numbers of dialogues that means are taken of, such as totals of rewards; NaN: the dialogue has none.
class MeanTable {
 public:
  explicit MeanTable(size_t width) : width_(width), row_(2 * width), columns_(2 * width) {}

  // Some rows of `width` values.
  void add(std::span<const double> values);
  MeanTable select(std::span<const uint32_t> rows) const;

  size_t width() const { return width_; }
  // Column k holds the values, 0 for none, column width + k says which are there.
  const SampleColumns& columns() const { return columns_; }

 private:
  size_t width_;
  std::vector<double> row_;
  SampleColumns columns_;
};

// One estimate for each metric of the program. Resamples in which a metric is undefined are left out of its interval.
std::vector<Estimate> estimate_metrics(const SignalTable& table, const MetricFunction& evaluate,
                                       const BootstrapOptions& options);

// The mean of each column. For rewards (totals) and terms.
std::vector<Estimate> estimate_means(const MeanTable& table, const BootstrapOptions& options);

// The rows of each group, ascending.
std::map<uint32_t, std::vector<uint32_t>> rows_by_group(std::span<const uint32_t> groups);

// Two systems on the same dialogues, resampled together: second - first.
struct Difference {
  double first = 0, second = 0;  // NaN where absent
  double difference = 0, low = 0, high = 0;
  double p = 1;  // two-sided: how often a resample contradicts the sign, doubled
  bool valid = false;
};
// Row i of both tables is the same dialogue; `second` has the rows of `first`.
std::vector<Difference> compare_metrics(const SignalTable& first, const SignalTable& second,
                                        const MetricFunction& evaluate, const BootstrapOptions& options);

}  // namespace wend

#endif  // WEND_RUNTIME_METRICS_BOOTSTRAP_H_
