#include "trainer/learn/sft.h"

#include <ATen/ATen.h>
#include <torch/types.h>

#include "trainer/losses/ppo.h"

namespace wend::learn {
namespace {

SftResult accumulate(const model::Policy& policy, std::span<Sequence> sequences, int64_t token_budget,
                     const ScoreOptions& options, bool learn) {
  SftResult out;
  out.chosen = number_chosen(sequences);
  const std::vector<double> weights(static_cast<size_t>(out.chosen), 1.0 / static_cast<double>(out.chosen));
  for (const std::vector<size_t>& which : micro_batches(sequences, token_budget)) {
    const Scores scores = score(policy, sequences, which, options);
    const at::Tensor loss =
        losses::weighted_nll(scores.log_probs, entries(weights, sequences, which).to(scores.log_probs.device()));
    if (learn) loss.backward();
    out.loss += loss.item<double>();
    for (const size_t i : which) out.tokens += static_cast<int64_t>(sequences[i].tokens.size());
  }
  return out;
}

}  // namespace

SftResult sft_step(model::Policy& policy, Optimizer& optimizer, std::span<Sequence> sequences, int64_t token_budget,
                   const ScoreOptions& options) {
  SftResult out = accumulate(policy, sequences, token_budget, options, true);
  out.grad_norm = optimizer.step();
  return out;
}

SftResult sft_loss(const model::Policy& policy, std::span<Sequence> sequences, int64_t token_budget,
                   const ScoreOptions& options) {
  const at::NoGradGuard no_grad;
  return accumulate(policy, sequences, token_budget, options, false);
}

}  // namespace wend::learn
