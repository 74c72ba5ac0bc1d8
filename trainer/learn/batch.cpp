#include "trainer/learn/batch.h"

#include <ATen/ATen.h>

#include "trainer/model/decoder.h"
#include "trainer/model/head.h"

namespace wend::learn {

int64_t number_chosen(std::span<Sequence> sequences) {
  int64_t count = 0;
  for (Sequence& sequence : sequences) {
    sequence.first = count;
    count += sequence.count();
  }
  return count;
}

std::vector<std::vector<size_t>> micro_batches(std::span<const Sequence> sequences, int64_t token_budget) {
  std::vector<std::vector<size_t>> out;
  int64_t filled = 0;
  for (size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].chosen.empty()) continue;
    const auto tokens = static_cast<int64_t>(sequences[i].tokens.size());
    if (out.empty() || filled + tokens > token_budget) {
      out.emplace_back();
      filled = 0;
    }
    out.back().push_back(i);
    filled += tokens;
  }
  return out;
}

at::Tensor chosen_hidden(const model::Policy& policy, std::span<const Sequence> sequences,
                         std::span<const size_t> which, const ScoreOptions& options) {
  std::vector<std::vector<int64_t>> ids;
  std::vector<int64_t> rows;  // a token is chosen in the state behind the one before it
  int64_t begin = 0;
  for (const size_t i : which) {
    const Sequence& sequence = sequences[i];
    // Nothing behind the last chosen token matters, and the token itself is never read.
    const auto length = static_cast<int64_t>(sequence.chosen.back());
    ids.emplace_back(sequence.tokens.begin(), sequence.tokens.begin() + length);
    for (const int32_t position : sequence.chosen) rows.push_back(begin + position - 1);
    begin += length;
  }
  const at::Device device = policy.parameters.embedding().device();
  model::Packed packed = model::Packed::of(ids);
  packed.ids = packed.ids.to(device);
  packed.positions = packed.positions.to(device);
  return model::hidden_states(policy.config, policy.parameters, packed, {options.compute, options.checkpoint})
      .index_select(0, at::tensor(rows, at::kLong).to(device));
}

Scores score(const model::Policy& policy, std::span<const Sequence> sequences, std::span<const size_t> which,
             const ScoreOptions& options) {
  std::vector<int64_t> targets;
  for (const size_t i : which) {
    for (const int32_t position : sequences[i].chosen) {
      targets.push_back(sequences[i].tokens[static_cast<size_t>(position)]);
    }
  }
  const at::Tensor hidden = chosen_hidden(policy, sequences, which, options);
  const model::TokenScores scores =
      model::token_scores(hidden, policy.parameters.head(), at::tensor(targets, at::kLong).to(hidden.device()),
                          {options.temperature, options.logits_bytes});
  return {scores.log_probs, scores.entropy, options.values ? policy.critic.values(hidden) : at::Tensor()};
}

at::Tensor entries(std::span<const double> list, std::span<const Sequence> sequences, std::span<const size_t> which) {
  std::vector<float> out;
  for (const size_t i : which) {
    const auto part = list.subspan(static_cast<size_t>(sequences[i].first), sequences[i].chosen.size());
    out.insert(out.end(), part.begin(), part.end());
  }
  return at::tensor(out, at::kFloat);
}

}  // namespace wend::learn
