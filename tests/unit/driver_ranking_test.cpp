// Ranks and rank correlation, against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "compiler/driver/ranking.h"

namespace wend::driver {
namespace {

// The mean position of a value among all, by counting.
std::vector<double> counted_ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (double value : values) {
    double below = 0, equal = 0;
    for (double other : values) {
      below += other < value;
      equal += other == value;
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  return ranks;
}

TEST(Ranker, AgreesWithCounting) {
  std::mt19937 random(1);
  Ranker ranker;
  std::vector<double> ranks;
  for (size_t n : {0, 1, 2, 3, 50, 400}) {
    std::uniform_int_distribution<int> few(-5, 5);
    std::normal_distribution<double> many(0, 1e3);
    std::vector<double> tied, spread;
    for (size_t i = 0; i < n; ++i) {
      tied.push_back(few(random) / 4.0);
      spread.push_back(many(random));
    }
    ranker.rank(tied, ranks);
    EXPECT_EQ(ranks, counted_ranks(tied));
    ranker.rank(spread, ranks);
    EXPECT_EQ(ranks, counted_ranks(spread));
  }
}

TEST(Ranker, NegativeZeroIsZero) {
  std::vector<double> ranks;
  Ranker().rank(std::vector<double>{0.0, -0.0, -1.0}, ranks);
  EXPECT_EQ(ranks, (std::vector<double>{2.5, 2.5, 1.0}));
}

TEST(RankCorrelation, OfOrders) {
  const std::vector<double> up = {1, 2, 3, 4}, down = {4, 3, 2, 1}, flat = {2.5, 2.5, 2.5, 2.5}, swapped = {2, 1, 3, 4};
  EXPECT_DOUBLE_EQ(*rank_correlation(up, up), 1.0);
  EXPECT_DOUBLE_EQ(*rank_correlation(up, down), -1.0);
  EXPECT_DOUBLE_EQ(*rank_correlation(up, swapped), 0.8);  // 1 - 6 * (1 + 1) / (4 * 15)
  EXPECT_FALSE(rank_correlation(up, flat).has_value());
}

}  // namespace
}  // namespace wend::driver
