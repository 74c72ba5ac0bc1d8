// Bootstrap resampling: sums of columns over dialogues drawn with replacement.
#ifndef WEND_RUNTIME_METRICS_RESAMPLE_H_
#define WEND_RUNTIME_METRICS_RESAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wend {

struct BootstrapOptions {
  uint32_t resamples = 1000;
  uint64_t seed = 1;
  double confidence = 0.95;
  uint32_t threads = 1;  // changes the time, never the result
};

// xoshiro256++ (Blackman, Vigna), its state filled by splitmix64 from a seed and a stream's number.
class DrawStream {
 public:
  DrawStream(uint64_t seed, uint64_t stream);

  uint64_t next();
  // Uniform in [0, bound), without bias (Lemire); bound > 0.
  uint32_t below(uint32_t bound);

 private:
  uint64_t state_[4];
};

// Rows by dialogue, columns of numbers, held in strips of eight columns so that a strip's running sums stay in
// registers.
class SampleColumns {
 public:
  static constexpr size_t kStrip = 8;
  SampleColumns(size_t rows, size_t width) : rows_(rows), width_(width), values_(strips() * rows * kStrip) {}

  size_t rows() const { return rows_; }
  size_t width() const { return width_; }
  size_t strips() const { return (width_ + kStrip - 1) / kStrip; }

  double& at(size_t row, size_t column) { return values_[(column / kStrip * rows_ + row) * kStrip + column % kStrip]; }
  const double* strip(size_t index) const { return values_.data() + index * rows_ * kStrip; }

  std::vector<double> sums() const;

 private:
  size_t rows_, width_;
  std::vector<double> values_;
};

// sums[b * width + k]: column k over `rows` dialogues drawn with replacement. Resample b draws from the stream b of the
// seed, and sums in the order of the rows: neither depends on the number of threads, nor on that of resamples.
std::vector<double> resampled_sums(const SampleColumns& columns, const BootstrapOptions& options);

// The central interval that holds `confidence` of the values (percentiles, interpolated between order statistics).
struct ConfidenceInterval {
  double low, high;
};
ConfidenceInterval percentile_interval(std::vector<double> values, double confidence);

}  // namespace wend

#endif  // WEND_RUNTIME_METRICS_RESAMPLE_H_
