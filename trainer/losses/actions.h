// The tokens that the policy chose, all of a batch in one list of N: trajectory by trajectory, in the order in which
// they were chosen. What others said between them is not in the list, so nothing of it can enter a loss, and an
// estimator that goes from token to token crosses it as if it took no time.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/result.h"

namespace wend::losses {

struct Trajectory {
  int64_t begin = 0, end = 0;  // of the list
  // It was cut off, by a limit of tokens or turns, instead of having ended.
  bool truncated = false;

  int64_t size() const { return end - begin; }
};

// How the losses of tokens become one number. Each is a weight for every token of the whole batch, so that gradients
// are the same in whatever micro-batches it is processed.
enum class Aggregation : uint8_t {
  token_mean,          // all tokens alike
  seq_mean_token_sum,  // the sum of a trajectory, averaged over trajectories
  seq_mean_token_mean  // the mean of a trajectory, averaged over trajectories
};

// [N]. Trajectories that are left out (`kept` false) have weight 0 and do not count; empty `kept`: all are kept.
std::vector<double> token_weights(const std::vector<Trajectory>& trajectories, Aggregation aggregation,
                                  const std::vector<bool>& kept = {});

}  // namespace wend::losses
