#include "runtime/metrics/resample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

namespace wend {
namespace {

// Rows and resamples that are worked on at once: a strip of a block (64 KB) and the block's draws stay in cache.
constexpr size_t kBlock = 1024;
constexpr size_t kTogether = 8;

uint64_t splitmix(uint64_t& state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// sums[0..8) += weights[i] * rows[i][0..8), in order.
void add_weighted(const double* rows, const uint32_t* weights, size_t n, double* sums) {
  double s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3], s4 = sums[4], s5 = sums[5], s6 = sums[6], s7 = sums[7];
  for (size_t i = 0; i < n; ++i, rows += SampleColumns::kStrip) {
    const double weight = static_cast<double>(static_cast<int32_t>(weights[i]));
    s0 += weight * rows[0];
    s1 += weight * rows[1];
    s2 += weight * rows[2];
    s3 += weight * rows[3];
    s4 += weight * rows[4];
    s5 += weight * rows[5];
    s6 += weight * rows[6];
    s7 += weight * rows[7];
  }
  const double out[] = {s0, s1, s2, s3, s4, s5, s6, s7};
  std::copy(std::begin(out), std::end(out), sums);
}

void draw(uint64_t seed, uint64_t resample, std::span<uint32_t> counts) {
  DrawStream random(seed, resample);
  std::fill(counts.begin(), counts.end(), 0);
  const auto n = static_cast<uint32_t>(counts.size());
  for (uint32_t i = 0; i < n; ++i) ++counts[random.below(n)];
}

// Resamples [begin, end) into out.
void resample_range(const SampleColumns& columns, uint64_t seed, size_t begin, size_t end, double* out) {
  const size_t n = columns.rows(), strips = columns.strips();
  std::vector<uint32_t> counts(kTogether * n);
  std::vector<double> sums(kTogether * strips * SampleColumns::kStrip);
  for (size_t first = begin; first < end; first += kTogether) {
    const size_t together = std::min(kTogether, end - first);
    for (size_t r = 0; r < together; ++r) draw(seed, first + r, std::span(counts).subspan(r * n, n));
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t row = 0; row < n; row += kBlock) {
      const size_t size = std::min(kBlock, n - row);
      for (size_t s = 0; s < strips; ++s) {
        const double* rows = columns.strip(s) + row * SampleColumns::kStrip;
        for (size_t r = 0; r < together; ++r) {
          add_weighted(rows, &counts[r * n + row], size, &sums[(r * strips + s) * SampleColumns::kStrip]);
        }
      }
    }
    for (size_t r = 0; r < together; ++r) {
      std::copy_n(&sums[r * strips * SampleColumns::kStrip], columns.width(), out + (first + r) * columns.width());
    }
  }
}

}  // namespace

DrawStream::DrawStream(uint64_t seed, uint64_t stream) {
  uint64_t mixed = seed;
  uint64_t state = splitmix(mixed) ^ (stream * 0xD1342543DE82EF95u + 1);
  for (uint64_t& word : state_) word = splitmix(state);
}

uint64_t DrawStream::next() {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint32_t DrawStream::below(uint32_t bound) {
  uint64_t product = (next() >> 32) * bound;
  if (static_cast<uint32_t>(product) < bound) {
    const uint32_t threshold = (0u - bound) % bound;
    while (static_cast<uint32_t>(product) < threshold) product = (next() >> 32) * bound;
  }
  return static_cast<uint32_t>(product >> 32);
}

std::vector<double> SampleColumns::sums() const {
  std::vector<double> sums(width_);
  if (rows_ == 0) return sums;
  for (size_t column = 0; column < width_; ++column) {
    const double* values = strip(column / kStrip) + column % kStrip;
    for (size_t row = 0; row < rows_; ++row) sums[column] += values[row * kStrip];
  }
  return sums;
}

std::vector<double> resampled_sums(const SampleColumns& columns, const BootstrapOptions& options) {
  std::vector<double> out(options.resamples * columns.width());
  if (out.empty() || columns.rows() == 0) return out;
  const size_t threads = std::clamp<size_t>(options.threads, 1, std::max<size_t>(1, options.resamples / kTogether));
  if (threads == 1) {
    resample_range(columns, options.seed, 0, options.resamples, out.data());
    return out;
  }
  std::vector<std::jthread> workers;
  for (size_t t = 0; t < threads; ++t) {
    const size_t begin = options.resamples * t / threads, end = options.resamples * (t + 1) / threads;
    workers.emplace_back([&, begin, end] { resample_range(columns, options.seed, begin, end, out.data()); });
  }
  workers.clear();  // joins
  return out;
}

ConfidenceInterval percentile_interval(std::vector<double> values, double confidence) {
  if (values.empty()) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return {none, none};
  }
  std::sort(values.begin(), values.end());
  auto quantile = [&](double q) {
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<size_t>(at);
    const size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {quantile((1 - confidence) / 2), quantile((1 + confidence) / 2)};
}

}  // namespace wend
