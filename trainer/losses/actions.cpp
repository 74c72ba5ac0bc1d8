#include "trainer/losses/actions.h"

namespace wend::losses {

std::vector<double> token_weights(const std::vector<Trajectory>& trajectories, Aggregation aggregation,
                                  const std::vector<bool>& kept) {
  const auto is_kept = [&](size_t i) { return (kept.empty() || kept[i]) && trajectories[i].size() > 0; };
  int64_t count = 0, tokens = 0;
  for (size_t i = 0; i < trajectories.size(); ++i) {
    if (!is_kept(i)) continue;
    ++count;
    tokens += trajectories[i].size();
  }
  std::vector<double> out(trajectories.empty() ? 0 : static_cast<size_t>(trajectories.back().end));
  for (size_t i = 0; i < trajectories.size(); ++i) {
    if (!is_kept(i)) continue;
    double weight = 1.0 / static_cast<double>(tokens);
    if (aggregation == Aggregation::seq_mean_token_sum) weight = 1.0 / static_cast<double>(count);
    if (aggregation == Aggregation::seq_mean_token_mean) {
      weight = 1.0 / static_cast<double>(count * trajectories[i].size());
    }
    for (int64_t t = trajectories[i].begin; t < trajectories[i].end; ++t) out[static_cast<size_t>(t)] = weight;
  }
  return out;
}

}  // namespace wend::losses
