// Scores a batch with a program: signals, and every reward with its terms.
#ifndef WEND_COMPILER_DRIVER_SCORER_H_
#define WEND_COMPILER_DRIVER_SCORER_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/driver/bound_batch.h"
#include "runtime/judge/judge.h"
#include "runtime/program.h"

namespace wend::driver {

class Judging;

struct RewardScores {
  std::vector<double> totals;    // by dialogue
  std::vector<double> terms;     // by dialogue and term; NaN: not evaluable
  std::vector<uint32_t> status;  // WEND_STATUS_*
};

// How often judge K of the program got which status; the rules count as nothing.
using JudgeCounts = std::map<std::pair<uint32_t, JudgeStatus>, uint64_t>;

struct BatchScores {
  std::vector<std::string> ids, families;  // "": no family
  std::vector<uint32_t> caps;
  std::vector<double> signals;  // by dialogue and signal
  std::vector<RewardScores> rewards;
  uint64_t turns = 0, calls = 0;
  JudgeCounts judges;

  size_t size() const { return ids.size(); }
};

// Whether no term of a dialogue could be evaluated: its total says nothing.
bool nothing_evaluable(const RewardInfo& reward, std::span<const double> terms);

// One per thread: keeps its buffers from batch to batch.
class Scorer {
 public:
  // `judging` is null where the rules judge.
  Scorer(const Program& program, std::span<const double> params, Judging* judging)
      : program_(program), params_(params), judging_(judging), bound_(program) {}

  BatchScores score(Batch& batch);

 private:
  const Program& program_;
  std::span<const double> params_;
  Judging* judging_;
  BoundBatch bound_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SCORER_H_
