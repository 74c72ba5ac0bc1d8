// A score report as a table for people and as JSON for programs.
#ifndef WEND_COMPILER_DRIVER_SCORE_REPORT_H_
#define WEND_COMPILER_DRIVER_SCORE_REPORT_H_

#include <string>

#include "compiler/driver/scorer.h"
#include "compiler/driver/tally.h"
#include "runtime/data/read_options.h"
#include "runtime/program.h"

namespace wend::driver {

std::string score_table(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read);

// {trajectories, skipped, turns, calls, metrics: {NAME: {value, low, high, n}}, rewards: {NAME: {mean, low, high, n,
// terms: {"layer.term": mean}, partial}}, statuses, families, skipped_records}. Metrics of type percent are in percent.
std::string score_json(const ProgramInfo& info, const ScoreReport& report, const ReadReport& read);

// One line of `--rows` for each dialogue of the batch:
// {"id", "metrics": {NAME: {"num", "den"} | null}, "rewards": {NAME: {"total", "partial", "terms"}}}
std::string score_rows(const ProgramInfo& info, const BatchScores& scores);

// Why a metric of this group has no value.
std::string absence_reason(const ProgramInfo& info, const MetricInfo& metric, const Estimate& estimate,
                           const ScoreReport& report);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SCORE_REPORT_H_
