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

// Rows by dialogue, columns of numbers. Most numbers of dialogues are small counts, so a column of a block of rows
// takes a byte, a float or a double for each, whatever holds all of them exactly, or nothing where they are all the
// same.
class SampleColumns {
 public:
  static constexpr size_t kBlock = 1024;  // rows
  static constexpr size_t kStrip = 8;     // columns that are unpacked together: their sums stay in registers

  explicit SampleColumns(size_t width) : width_(width) {}

  // A row of `width` numbers.
  void add(std::span<const double> row);
  SampleColumns select(std::span<const uint32_t> rows) const;

  size_t rows() const { return blocks_.size() * kBlock + open_rows(); }
  size_t width() const { return width_; }
  size_t strips() const { return (width_ + kStrip - 1) / kStrip; }
  double at(size_t row, size_t column) const;

  // Numbers of the rows from block * kBlock on and the columns from strip * kStrip on, by row, into out[kBlock *
  // kStrip]; returns how many rows there are.
  size_t unpack(size_t block, size_t strip, double* out) const;

  std::vector<double> sums() const;

 private:
  enum class Form : uint8_t { same, byte, single, full };
  struct Column {
    Form form;
    uint32_t at;  // in the block's bytes
  };
  struct Block {
    std::vector<Column> columns;
    std::vector<char> bytes;
  };

  size_t open_rows() const { return width_ == 0 ? 0 : open_.size() / width_; }
  void close();
  // use(number) with the function number(row) of a packed column.
  template <class Use>
  static auto with_numbers(const Block& block, size_t column, Use&& use);

  size_t width_;
  std::vector<Block> blocks_;
  std::vector<double> open_;  // rows behind the blocks
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
