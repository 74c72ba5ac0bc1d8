// Ranks and rank correlation of many short-lived samples of one size.
#ifndef WEND_COMPILER_DRIVER_RANKING_H_
#define WEND_COMPILER_DRIVER_RANKING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wend::driver {

// Makes ranks (from 1; equal values share the mean of theirs) in linear time. Keeps its memory; one per thread.
class Ranker {
 public:
  // ranks[i] is the rank of values[i]; finite values only.
  void rank(std::span<const double> values, std::vector<double>& ranks);

 private:
  struct Item {
    uint64_t key;
    uint32_t index;
  };
  std::vector<Item> items_, other_;
};

// Spearman's rank correlation of two samples by their ranks; none where one of them is all ties or has no value.
std::optional<double> rank_correlation(std::span<const double> ranks_a, std::span<const double> ranks_b);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_RANKING_H_
