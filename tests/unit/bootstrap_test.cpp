#include "runtime/metrics/bootstrap.h"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace wend {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Two ratio metrics and a count: A = A.sum / A.count, needs gold; B = B.sum / B.count; C = C.total, always defined.
ProgramInfo sample_info() {
  ProgramInfo info;
  info.signals = {{"A.sum", WEND_CAP_GOLD}, {"A.count", WEND_CAP_GOLD}, {"B.sum", 0}, {"B.count", 0}, {"C.total", 0}};
  info.metrics.resize(3);
  info.metrics[0] = {"A", "", "", false, WEND_CAP_GOLD, {0, 1}};
  info.metrics[1] = {"B", "", "", false, 0, {2, 3}};
  info.metrics[2] = {"C", "", "", false, 0, {4}};
  return info;
}

void evaluate(const double* sums, double* value, uint8_t* valid) {
  for (int m = 0; m < 2; ++m) {
    valid[m] = sums[2 * m + 1] != 0;
    value[m] = valid[m] ? sums[2 * m] / sums[2 * m + 1] : 0;
  }
  value[2] = sums[4];
  valid[2] = 1;
}

std::vector<Estimate> means_of(std::span<const double> values, size_t width, const BootstrapOptions& options) {
  MeanTable table(width);
  table.add(values);
  return estimate_means(table, options);
}

struct Sample {
  std::vector<double> signals;
  std::vector<uint32_t> caps;
};

Sample random_sample(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  Sample sample;
  for (size_t i = 0; i < n; ++i) {
    double a = random() % 4, b = random() % 3;
    sample.signals.insert(sample.signals.end(), {a * (random() % 2), a, b / 2, b, 1.0 / (1 + random() % 5)});
    sample.caps.push_back(random() % 4 == 0 ? 0 : uint32_t{WEND_CAP_GOLD});
  }
  return sample;
}

TEST(Estimate, SumsOnlyWhatDialoguesOffer) {
  ProgramInfo info = sample_info();
  SignalTable table(info);
  table.add(std::vector<double>{1, 2, 0, 0, 5,  //
                                9, 9, 1, 2, 7,  // no gold: its A counts for nothing
                                0, 0, 1, 1, 0},
            std::vector<uint32_t>{WEND_CAP_GOLD, 0, WEND_CAP_GOLD});
  auto estimates = estimate_metrics(table, evaluate, {});
  EXPECT_DOUBLE_EQ(estimates[0].value, 0.5);
  EXPECT_EQ(estimates[0].n, 1u);
  EXPECT_DOUBLE_EQ(estimates[1].value, 2.0 / 3);
  EXPECT_EQ(estimates[1].n, 2u);
  EXPECT_DOUBLE_EQ(estimates[2].value, 12);
  EXPECT_EQ(estimates[2].n, 3u);
}

TEST(Estimate, SaysWhyThereIsNoValue) {
  ProgramInfo info = sample_info();
  SignalTable table(info);
  EXPECT_EQ(estimate_metrics(table, evaluate, {})[1].absence, Absence::not_evaluable);  // no dialogue at all
  table.add(std::vector<double>{1, 2, 0, 0, 5}, std::vector<uint32_t>{0});
  auto estimates = estimate_metrics(table, evaluate, {});
  EXPECT_EQ(estimates[0].absence, Absence::not_evaluable);
  EXPECT_TRUE(std::isnan(estimates[0].value));
  EXPECT_EQ(estimates[1].absence, Absence::undefined);
  EXPECT_TRUE(std::isnan(estimates[1].low));
  EXPECT_TRUE(estimates[2].valid());
  EXPECT_DOUBLE_EQ(estimates[2].low, 5);
  EXPECT_DOUBLE_EQ(estimates[2].high, 5);
}

// The definition: draw, sum, evaluate, one resample after the other.
std::vector<double> plainly_resampled(const SampleColumns& columns, const BootstrapOptions& options) {
  std::vector<double> out;
  for (uint32_t b = 0; b < options.resamples; ++b) {
    DrawStream random(options.seed, b);
    std::vector<double> counts(columns.rows());
    for (size_t i = 0; i < columns.rows(); ++i) ++counts[random.below(static_cast<uint32_t>(columns.rows()))];
    for (size_t k = 0; k < columns.width(); ++k) {
      double sum = 0;
      for (size_t i = 0; i < columns.rows(); ++i) sum += counts[i] * columns.at(i, k);
      out.push_back(sum);
    }
  }
  return out;
}

TEST(Resample, IsTheDefinitionForAnyNumberOfThreads) {
  ProgramInfo info = sample_info();
  for (size_t n : {1u, 2u, 7u, 1023u, 1024u, 2500u}) {
    Sample sample = random_sample(n, 3);
    SignalTable table(info);
    table.add(sample.signals, sample.caps);
    const SampleColumns& columns = table.columns();
    BootstrapOptions options;
    options.resamples = 45;
    std::vector<double> expected = plainly_resampled(columns, options);
    for (uint32_t threads : {1u, 2u, 3u, 16u}) {
      options.threads = threads;
      std::vector<double> got = resampled_sums(columns, options);
      ASSERT_EQ(got.size(), expected.size());
      EXPECT_EQ(memcmp(got.data(), expected.data(), got.size() * sizeof(double)), 0) << n << " rows, " << threads;
    }
  }
}

TEST(Resample, ManyColumnsKeepTheirPlaces) {
  SampleColumns columns(19);
  for (size_t i = 0; i < 50; ++i) {
    std::vector<double> row(19);
    for (size_t k = 0; k < 19; ++k) row[k] = static_cast<double>(100 * k + i);
    columns.add(row);
  }
  std::vector<double> sums = columns.sums();
  for (size_t k = 0; k < 19; ++k) EXPECT_EQ(sums[k], static_cast<double>(50 * 100 * k + 49 * 50 / 2));
  BootstrapOptions options;
  options.resamples = 9;
  EXPECT_EQ(resampled_sums(columns, options), plainly_resampled(columns, options));
}

// Whatever a block's columns are made of, they come back bit by bit.
TEST(Resample, PackedNumbersStayWhatTheyAre) {
  const std::vector<std::vector<double>> kinds = {{7},      {0, 1, 255}, {0, 256},   {0, -0.0},     {0.5, 1e6},
                                                  {0.1, 2}, {-1, 3},     {1e300, 0}, {16777217, 1}, {1.0 / 3}};
  SampleColumns columns(kinds.size());
  std::vector<std::vector<double>> rows;
  std::mt19937 random(31);
  for (size_t i = 0; i < 2 * SampleColumns::kBlock + 5; ++i) {
    std::vector<double> row;
    for (const std::vector<double>& kind : kinds) row.push_back(kind[random() % kind.size()]);
    rows.push_back(row);
    columns.add(row);
  }
  ASSERT_EQ(columns.rows(), rows.size());
  std::vector<double> strip(SampleColumns::kBlock * SampleColumns::kStrip);
  std::vector<uint32_t> odd;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i % 2 == 1) odd.push_back(static_cast<uint32_t>(i));
    for (size_t k = 0; k < kinds.size(); ++k) {
      const double at = columns.at(i, k);
      ASSERT_EQ(memcmp(&at, &rows[i][k], sizeof at), 0) << i << " " << k;
    }
  }
  for (size_t block = 0; block < 3; ++block) {
    for (size_t s = 0; s < columns.strips(); ++s) {
      const size_t n = columns.unpack(block, s, strip.data());
      ASSERT_EQ(n, block < 2 ? SampleColumns::kBlock : 5);
      for (size_t i = 0; i < n * SampleColumns::kStrip; ++i) {
        const size_t k = s * SampleColumns::kStrip + i % SampleColumns::kStrip;
        const double expected =
            k < kinds.size() ? rows[block * SampleColumns::kBlock + i / SampleColumns::kStrip][k] : 0;
        ASSERT_EQ(memcmp(&strip[i], &expected, sizeof expected), 0);
      }
    }
  }
  const SampleColumns selected = columns.select(odd);
  ASSERT_EQ(selected.rows(), odd.size());
  for (size_t i = 0; i < odd.size(); ++i) EXPECT_EQ(selected.at(i, 5), rows[odd[i]][5]);
}

TEST(Resample, SeedsDiffer) {
  SampleColumns columns(1);
  for (size_t i = 0; i < 100; ++i) columns.add(std::vector{static_cast<double>(i * i)});
  BootstrapOptions options, other;
  other.seed = 2;
  EXPECT_NE(resampled_sums(columns, options), resampled_sums(columns, other));
  EXPECT_EQ(resampled_sums(columns, options), resampled_sums(columns, options));
}

TEST(DrawStream, IsUniform) {
  DrawStream random(5, 0);
  std::vector<int> counts(6);
  for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(Interval, InterpolatesBetweenOrderStatistics) {
  ConfidenceInterval interval = percentile_interval({4, 1, 3, 2, 5}, 0.5);
  EXPECT_DOUBLE_EQ(interval.low, 2);
  EXPECT_DOUBLE_EQ(interval.high, 4);
  interval = percentile_interval({0, 1}, 0.5);
  EXPECT_DOUBLE_EQ(interval.low, 0.25);
  EXPECT_DOUBLE_EQ(interval.high, 0.75);
  EXPECT_TRUE(std::isnan(percentile_interval({}, 0.95).low));
}

// 95% intervals of a mean should hold the true mean about 95 times in 100.
TEST(Interval, CoversTheTruth) {
  std::mt19937 random(17);
  std::normal_distribution<double> normal(3, 2);
  int covered = 0;
  const int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> values(80);
    for (double& value : values) value = normal(random);
    BootstrapOptions options;
    options.resamples = 400;
    Estimate estimate = means_of(values, 1, options)[0];
    covered += estimate.low <= 3 && 3 <= estimate.high;
    EXPECT_NEAR(estimate.high - estimate.low, 2 * 1.96 * 2 / std::sqrt(80), 0.45);
  }
  EXPECT_GT(covered, rounds * 0.90);
  EXPECT_LT(covered, rounds * 0.99);
}

TEST(Means, LeaveOutWhatIsAbsent) {
  std::vector<double> values = {1, kNaN, kNaN,  //
                                3, 4,    kNaN,  //
                                5, 6,    kNaN};
  auto means = means_of(values, 3, {});
  EXPECT_DOUBLE_EQ(means[0].value, 3);
  EXPECT_EQ(means[0].n, 3u);
  EXPECT_DOUBLE_EQ(means[1].value, 5);
  EXPECT_EQ(means[1].n, 2u);
  EXPECT_DOUBLE_EQ(means[1].low, 4);
  EXPECT_DOUBLE_EQ(means[1].high, 6);
  EXPECT_EQ(means[2].absence, Absence::not_evaluable);
  EXPECT_TRUE(means_of({}, 2, {})[0].absence == Absence::not_evaluable);
}

TEST(Groups, AreEstimatedOnTheirOwnRows) {
  ProgramInfo info = sample_info();
  Sample sample = random_sample(60, 9);
  SignalTable table(info);
  table.add(sample.signals, sample.caps);
  std::vector<uint32_t> groups(60);
  for (size_t i = 0; i < groups.size(); ++i) groups[i] = i % 3 == 0 ? WEND_NONE : i % 3;
  auto rows = rows_by_group(groups);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[WEND_NONE].size(), 20u);
  double total = 0;
  for (auto& [group, members] : rows) total += estimate_metrics(table.select(members), evaluate, {})[2].value;
  EXPECT_NEAR(total, estimate_metrics(table, evaluate, {})[2].value, 1e-9);
}

TEST(Compare, PairingRemovesWhatDialoguesShare) {
  ProgramInfo info = sample_info();
  SignalTable first(info), second(info), same(info);
  std::mt19937 random(23);
  for (int i = 0; i < 200; ++i) {
    // Dialogues differ much, the systems little: 0.1 in each dialogue.
    double hard = random() % 100;
    first.add(std::vector<double>{0, 0, hard, 1, 0}, std::vector<uint32_t>{0});
    second.add(std::vector<double>{0, 0, hard + 0.1 * (1 + random() % 2), 1, 0}, std::vector<uint32_t>{0});
  }
  auto better = compare_metrics(first, second, evaluate, {});
  EXPECT_NEAR(better[1].difference, 0.15, 0.02);
  EXPECT_GT(better[1].low, 0.1);
  EXPECT_LT(better[1].high, 0.2);
  EXPECT_EQ(better[1].p, 0);
  EXPECT_FALSE(better[0].valid);
  auto equal = compare_metrics(first, first, evaluate, {});
  EXPECT_EQ(equal[1].difference, 0);
  EXPECT_EQ(equal[1].p, 1);
}

}  // namespace
}  // namespace wend
