// What scores add up to: metrics with intervals, mean rewards and terms, for all dialogues and by family.
#ifndef WEND_COMPILER_DRIVER_TALLY_H_
#define WEND_COMPILER_DRIVER_TALLY_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/driver/scorer.h"
#include "runtime/metrics/bootstrap.h"
#include "runtime/program.h"

namespace wend::driver {

struct RewardReport {
  Estimate mean;                          // over the dialogues of which every term could be evaluated
  std::vector<double> terms;              // their means over the same dialogues: they add up to the mean
  uint64_t partial = 0;                   // dialogues of which some terms could not be evaluated
  double partial_mean = 0;                // of what could
  std::vector<double> partial_terms;      // mean of each term over the dialogues that have it
  std::vector<uint64_t> partial_terms_n;  // how many have it
  uint64_t absent = 0;                    // dialogues of which nothing could be evaluated
};

struct GroupReport {
  uint64_t dialogues = 0;
  std::vector<Estimate> metrics;
  std::vector<RewardReport> rewards;
};

struct ScoreReport {
  GroupReport all;
  std::map<std::string, GroupReport> families;  // empty where no dialogue has one
  uint64_t turns = 0, calls = 0;
  uint64_t ok = 0, partial = 0, absent = 0;  // dialogues by the worst of their rewards
  uint64_t responding = 0;                   // dialogues with a response of the agent
  JudgeCounts judges;
  uint32_t offered = 0;   // capabilities that some dialogue has
  uint32_t always = ~0u;  // ... that every dialogue has
};

// Takes batches in order. Holds a few numbers for each dialogue, never the dialogue.
class Tally {
 public:
  explicit Tally(const Program& program);

  void add(const BatchScores& scores);
  ScoreReport report(std::span<const double> params, const BootstrapOptions& options) const;

 private:
  struct RewardSums {
    std::vector<double> terms, partial_terms;
    std::vector<uint64_t> partial_terms_n;
    double partial_total = 0;
    uint64_t complete = 0, partial = 0, absent = 0;
  };
  struct Group {
    uint64_t dialogues = 0;
    std::vector<RewardSums> rewards;
  };
  struct Family {
    Group group;
    std::vector<uint32_t> rows;
  };

  Group new_group() const;
  void add_dialogue(const BatchScores& scores, size_t i, Group& group);
  GroupReport report(const Group& group, const SignalTable& signals, const MeanTable& totals,
                     std::span<const double> params, const BootstrapOptions& options) const;

  const Program& program_;
  SignalTable signals_;
  MeanTable totals_;  // by reward; NaN unless complete
  Group all_;
  std::map<std::string, Family> families_;
  ScoreReport counts_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TALLY_H_
