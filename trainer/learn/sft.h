// Supervised learning of what should have been said (the paper's Base).
#pragma once

#include <span>

#include "trainer/learn/batch.h"
#include "trainer/learn/optimizer.h"

namespace wend::learn {

struct SftResult {
  double loss = 0;       // mean over the chosen tokens, in nats
  double grad_norm = 0;  // before clipping
  int64_t tokens = 0, chosen = 0;
};

// One step on all of the sequences, in micro-batches of `token_budget`.
SftResult sft_step(model::Policy& policy, Optimizer& optimizer, std::span<Sequence> sequences, int64_t token_budget,
                   const ScoreOptions& options = {});
// The loss alone.
SftResult sft_loss(const model::Policy& policy, std::span<Sequence> sequences, int64_t token_budget,
                   const ScoreOptions& options = {});

}  // namespace wend::learn
