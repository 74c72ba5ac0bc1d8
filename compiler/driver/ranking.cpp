#include "compiler/driver/ranking.h"

#include <array>
#include <bit>
#include <cmath>

namespace wend::driver {
namespace {

// Keys order as the doubles do.
uint64_t ordered_key(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value + 0.0);  // -0 and 0 are equal
  return (bits >> 63) != 0 ? ~bits : bits | (uint64_t{1} << 63);
}

}  // namespace

// Radix sort by bytes; bytes that are the same everywhere cost one look.
void Ranker::rank(std::span<const double> values, std::vector<double>& ranks) {
  const size_t n = values.size();
  items_.resize(n);
  other_.resize(n);
  std::array<std::array<uint32_t, 256>, 8> counts{};
  for (size_t i = 0; i < n; ++i) {
    const uint64_t key = ordered_key(values[i]);
    items_[i] = {key, static_cast<uint32_t>(i)};
    for (int byte = 0; byte < 8; ++byte) ++counts[byte][(key >> (8 * byte)) & 0xFF];
  }
  for (int byte = 0; byte < 8; ++byte) {
    if (n == 0 || counts[byte][(items_[0].key >> (8 * byte)) & 0xFF] == n) continue;
    std::array<uint32_t, 256> place{};
    for (int digit = 1; digit < 256; ++digit) place[digit] = place[digit - 1] + counts[byte][digit - 1];
    for (const Item& item : items_) other_[place[(item.key >> (8 * byte)) & 0xFF]++] = item;
    std::swap(items_, other_);
  }
  ranks.resize(n);
  for (size_t begin = 0; begin < n;) {
    size_t end = begin + 1;
    while (end < n && items_[end].key == items_[begin].key) ++end;
    const double shared = 0.5 * static_cast<double>(begin + 1 + end);
    for (size_t i = begin; i < end; ++i) ranks[items_[i].index] = shared;
    begin = end;
  }
}

std::optional<double> rank_correlation(std::span<const double> ranks_a, std::span<const double> ranks_b) {
  const double mean = 0.5 * static_cast<double>(ranks_a.size() + 1);  // of ranks, ties or not
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < ranks_a.size(); ++i) {
    const double a = ranks_a[i] - mean, b = ranks_b[i] - mean;
    ab += a * b;
    aa += a * a;
    bb += b * b;
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / std::sqrt(aa * bb);
}

}  // namespace wend::driver
