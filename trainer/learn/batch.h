// What an update is made from: sequences of tokens, some of which the policy chose (or should have chosen).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trainer/model/policy.h"

namespace wend::learn {

struct Sequence {
  std::vector<int32_t> tokens;
  std::vector<int32_t> chosen;  // ascending positions of the tokens that are trained on; never 0
  int64_t first = 0;            // where its chosen tokens begin in the batch's list of all of them

  int64_t count() const { return static_cast<int64_t>(chosen.size()); }
};

// Sets `first` of each; returns how many tokens were chosen in all.
int64_t number_chosen(std::span<Sequence> sequences);

// Indices of the sequences, in groups of at most `token_budget` tokens; a longer sequence is alone. What is not trained
// on at all is left out.
std::vector<std::vector<size_t>> micro_batches(std::span<const Sequence> sequences, int64_t token_budget);

struct ScoreOptions {
  double temperature = 1;
  bool values = false;
  std::optional<at::ScalarType> compute = {};
  bool checkpoint = false;
  int64_t logits_bytes = 64 << 20;
};

// The hidden states before the chosen tokens of some sequences, in their order: [n, hidden].
at::Tensor chosen_hidden(const model::Policy& policy, std::span<const Sequence> sequences,
                         std::span<const size_t> which, const ScoreOptions& options);

// Of the chosen tokens of some sequences, in their order; values are of the states before them. [n] each.
struct Scores {
  at::Tensor log_probs, entropy, values;
};
Scores score(const model::Policy& policy, std::span<const Sequence> sequences, std::span<const size_t> which,
             const ScoreOptions& options);

// Their entries of a list over all chosen tokens of the batch: [n] in fp32.
at::Tensor entries(std::span<const double> list, std::span<const Sequence> sequences, std::span<const size_t> which);

}  // namespace wend::learn
