#include "runtime/metrics/resample.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

namespace wend {
namespace {

// Resamples that are worked on at once: a strip of a block (64 KB) and the block's draws stay in cache.
constexpr size_t kTogether = 8;

constexpr double kMostSingle = std::numeric_limits<float>::max();

// The same number, and the same zero.
bool same(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

template <class Number>
double number_at(const char* bytes, size_t index) {
  Number number;
  std::memcpy(&number, bytes + index * sizeof number, sizeof number);
  return static_cast<double>(number);
}

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
  std::vector<double> rows(SampleColumns::kBlock * SampleColumns::kStrip);
  for (size_t first = begin; first < end; first += kTogether) {
    const size_t together = std::min(kTogether, end - first);
    for (size_t r = 0; r < together; ++r) draw(seed, first + r, std::span(counts).subspan(r * n, n));
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t block = 0; block * SampleColumns::kBlock < n; ++block) {
      const size_t row = block * SampleColumns::kBlock;
      for (size_t s = 0; s < strips; ++s) {
        const size_t size = columns.unpack(block, s, rows.data());
        for (size_t r = 0; r < together; ++r) {
          add_weighted(rows.data(), &counts[r * n + row], size, &sums[(r * strips + s) * SampleColumns::kStrip]);
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

void SampleColumns::add(std::span<const double> row) {
  open_.insert(open_.end(), row.begin(), row.end());
  if (open_rows() == kBlock) close();
}

SampleColumns SampleColumns::select(std::span<const uint32_t> rows) const {
  SampleColumns selected(width_);
  std::vector<double> values(width_);
  for (uint32_t row : rows) {
    for (size_t column = 0; column < width_; ++column) values[column] = at(row, column);
    selected.add(values);
  }
  return selected;
}

// Packs the open rows, a full block of them.
void SampleColumns::close() {
  Block block;
  for (size_t column = 0; column < width_; ++column) {
    const auto value = [&](size_t row) { return open_[row * width_ + column]; };
    const auto all = [&](auto&& hold) {
      for (size_t row = 0; row < kBlock; ++row) {
        if (!hold(value(row))) return false;
      }
      return true;
    };
    const auto store = [&](Form form, auto number, size_t rows) {
      block.columns.push_back({form, static_cast<uint32_t>(block.bytes.size())});
      for (size_t row = 0; row < rows; ++row) {
        number = static_cast<decltype(number)>(value(row));
        const char* const bytes = reinterpret_cast<const char*>(&number);
        block.bytes.insert(block.bytes.end(), bytes, bytes + sizeof number);
      }
    };
    if (all([first = value(0)](double x) { return same(x, first); })) {
      store(Form::same, double{}, 1);
    } else if (all([](double x) { return x >= 0 && x <= 255 && same(x, static_cast<uint8_t>(x)); })) {
      store(Form::byte, uint8_t{}, kBlock);
    } else if (all([](double x) { return std::abs(x) <= kMostSingle && same(x, static_cast<float>(x)); })) {
      store(Form::single, float{}, kBlock);
    } else {
      store(Form::full, double{}, kBlock);
    }
  }
  block.bytes.shrink_to_fit();
  blocks_.push_back(std::move(block));
  open_.clear();
}

template <class Use>
auto SampleColumns::with_numbers(const Block& block, size_t column, Use&& use) {
  const Column& packed = block.columns[column];
  const char* const bytes = block.bytes.data() + packed.at;
  switch (packed.form) {
    case Form::same:
      return use([same = number_at<double>(bytes, 0)](size_t) { return same; });
    case Form::byte:
      return use([bytes](size_t row) { return number_at<uint8_t>(bytes, row); });
    case Form::single:
      return use([bytes](size_t row) { return number_at<float>(bytes, row); });
    default:
      return use([bytes](size_t row) { return number_at<double>(bytes, row); });
  }
}

double SampleColumns::at(size_t row, size_t column) const {
  const size_t block = row / kBlock;
  if (block == blocks_.size()) return open_[row % kBlock * width_ + column];
  return with_numbers(blocks_[block], column, [row](auto number) { return number(row % kBlock); });
}

size_t SampleColumns::unpack(size_t block, size_t strip, double* out) const {
  const size_t first = strip * kStrip;
  const size_t rows = block == blocks_.size() ? open_rows() : kBlock;
  for (size_t c = 0; c < kStrip; ++c) {
    const size_t column = first + c;
    const auto write = [&](auto number) {
      for (size_t row = 0; row < rows; ++row) out[row * kStrip + c] = number(row);
    };
    if (column >= width_) {
      write([](size_t) { return 0.0; });
    } else if (block == blocks_.size()) {
      write([&](size_t row) { return open_[row * width_ + column]; });
    } else {
      with_numbers(blocks_[block], column, write);
    }
  }
  return rows;
}

std::vector<double> SampleColumns::sums() const {
  std::vector<double> sums(strips() * kStrip), rows(kBlock * kStrip);
  const std::vector<uint32_t> once(kBlock, 1);
  for (size_t block = 0; block * kBlock < this->rows(); ++block) {
    for (size_t s = 0; s < strips(); ++s) {
      const size_t n = unpack(block, s, rows.data());
      add_weighted(rows.data(), once.data(), n, &sums[s * kStrip]);
    }
  }
  sums.resize(width_);
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
