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

std::string score_table(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read);

// {trajectories, skipped, turns, calls, metrics: {NAME: {value, low, high, n}}, rewards: {NAME: {mean, low, high, n,
// terms: {"layer.term": mean}, partial}}, statuses, families, skipped_records}. Metrics of type percent are in percent.
std::string score_json(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read);

// A metric that is one signal divided by another: what a dialogue adds to it is two numbers.
struct Fraction {
  uint32_t metric = 0, sum = 0, count = 0;
};
// Those of the program, found by trying.
std::vector<Fraction> find_fractions(const Program& program, std::span<const double> params);

// One line of `--rows` for each dialogue of the batch:
// {"id", "metrics": {NAME: {"num", "den"} | null}, "rewards": {NAME: {"total", "partial", "terms"}}}
std::string score_rows(const ProgramInfo& info, const std::vector<Fraction>& fractions, const BatchScores& scores);

// Why a metric of this group has no value.
std::string absence_reason(const ProgramInfo& info, const MetricInfo& metric, const Estimate& estimate,
                           const ScoreReport& report);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SCORE_REPORT_H_
