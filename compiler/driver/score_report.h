// A score report as a table for people and as JSON for programs.
#ifndef WEND_COMPILER_DRIVER_SCORE_REPORT_H_
#define WEND_COMPILER_DRIVER_SCORE_REPORT_H_

#include <span>
#include <string>
#include <vector>

#include "compiler/driver/scorer.h"
#include "compiler/driver/tally.h"
#include "runtime/data/read_options.h"
#include "runtime/program.h"

namespace wend::driver {

// Families side by side, by their values alone, or one after the other with all that is known of each.
enum class Families { side_by_side, in_full };

std::string score_table(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read, Families families);

// {trajectories, skipped, turns, calls, metrics: {NAME: {value, low, high, n}}, rewards: {NAME: {mean, low, high, n,
// terms: {"layer.term": mean}, partial}}, statuses, families, skipped_records}. Metrics of type percent are in percent.
std::string score_json(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read);

// The lines of `--rows`, one for each dialogue:
// {"id", "metrics": {NAME: {"num", "den"} | null}, "rewards": {NAME: {"total", "partial", "terms"}}}
// Metrics are those that are one signal divided by another: what a dialogue adds to it is two numbers.
class RowsWriter {
 public:
  RowsWriter(const Program& program, std::span<const double> params);

  std::string lines(const BatchScores& scores);

 private:
  struct Fraction {
    std::string key;  // what is written before its value
    uint32_t metric, sum, count;
  };
  struct Reward {
    std::string key;
    std::vector<std::string> terms;
  };

  void find_fractions(const Program& program, std::span<const double> params);
  void put(std::string_view text) { out_.append(text); }
  void put_number(double value);
  void put_metrics(const BatchScores& scores, size_t i);
  void put_reward(size_t reward, const RewardScores& scores, size_t i);

  const ProgramInfo& info_;
  std::vector<Fraction> fractions_;
  std::vector<Reward> rewards_;
  std::string out_;
};

// Why a metric of this group has no value.
std::string absence_reason(const ProgramInfo& info, const MetricInfo& metric, const Estimate& estimate,
                           const ScoreReport& report);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SCORE_REPORT_H_
