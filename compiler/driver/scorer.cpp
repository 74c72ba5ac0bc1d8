#include "compiler/driver/scorer.h"

#include <cmath>

#include "compiler/driver/judging.h"

namespace wend::driver {

bool nothing_evaluable(const RewardInfo& reward, std::span<const double> terms) {
  for (size_t k = 0; k < terms.size(); ++k) {
    if (reward.terms[k].kind != TermKind::clamp && !std::isnan(terms[k])) return false;
  }
  return !terms.empty();
}

BatchScores Scorer::score(Batch& batch) {
  bound_.bind(batch, params_);
  BatchScores scores;
  if (judging_ != nullptr) judging_->judge(bound_, 0, bound_.traces(), scores.judges);
  bound_.prepare(0, bound_.traces());

  const uint32_t n = bound_.traces();
  const Columns& columns = batch.columns();
  for (uint32_t trace = 0; trace < n; ++trace) {
    scores.ids.emplace_back(batch.trace_id(trace));
    scores.families.emplace_back(batch.text(columns.trace_family[trace]));
    scores.caps.push_back(bound_.caps(trace));
    scores.turns += columns.trace_turns[trace].end - columns.trace_turns[trace].begin;
    scores.calls += columns.trace_calls[trace].end - columns.trace_calls[trace].begin;
  }
  scores.signals.resize(n * program_.info().signals.size());
  if (n > 0) program_.signals(bound_.context(), 0, n, scores.signals.data());
  for (uint32_t r = 0; r < program_.info().rewards.size(); ++r) {
    RewardScores reward;
    reward.totals.resize(n);
    reward.terms.resize(size_t{n} * program_.n_terms(r));
    reward.status.resize(n);
    if (n > 0) {
      program_.reward(bound_.context(), r, 0, n, reward.totals.data(), reward.terms.data(), reward.status.data());
    }
    scores.rewards.push_back(std::move(reward));
  }
  return scores;
}

}  // namespace wend::driver
