#include "trainer/rollout/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wend::rollout {

Sampled Sampler::next(std::span<const float> logits) {
  const bool greedy = sampling_.temperature <= 0;
  const double scale = greedy ? 1 : 1 / sampling_.temperature;
  size_t best = 0;
  for (size_t i = 1; i < logits.size(); ++i) {
    if (logits[i] > logits[best] || std::isnan(logits[best])) best = i;
  }
  const double most = logits[best];
  weights_.resize(logits.size());
  double total = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    const auto weight = static_cast<float>(std::exp((logits[i] - most) * scale));
    weights_[i] = std::isnan(weight) ? 0 : weight;
    total += weights_[i];
  }
  const int32_t token = greedy ? static_cast<int32_t>(best) : draw(total);
  const double log_prob = (logits[static_cast<size_t>(token)] - most) * scale - std::log(total);
  return {token, static_cast<float>(log_prob)};
}

int32_t Sampler::draw(double total) {
  double chance = random_.uniform();
  if (sampling_.top_p >= 1) {
    chance *= total;
    int32_t last = 0;
    for (size_t i = 0; i < weights_.size(); ++i) {
      if (weights_[i] == 0) continue;
      last = static_cast<int32_t>(i);
      chance -= weights_[i];
      if (chance < 0) break;
    }
    return last;
  }
  ranked_.resize(weights_.size());
  std::iota(ranked_.begin(), ranked_.end(), 0);
  std::stable_sort(ranked_.begin(), ranked_.end(), [&](int32_t a, int32_t b) {
    return weights_[static_cast<size_t>(a)] > weights_[static_cast<size_t>(b)];
  });
  size_t kept = 0;
  double mass = 0;
  do {
    mass += weights_[static_cast<size_t>(ranked_[kept++])];
  } while (kept < ranked_.size() && mass < sampling_.top_p * total);
  chance *= mass;
  for (size_t i = 0; i < kept; ++i) {
    chance -= weights_[static_cast<size_t>(ranked_[i])];
    if (chance < 0) return ranked_[i];
  }
  return ranked_[kept - 1];
}

}  // namespace wend::rollout
