#include "trainer/losses/advantages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/suggestion.h"

namespace wend::losses {
namespace {

constexpr std::string_view kEstimators[] = {"k1", "k2", "k3", "abs"};

double penalty(double d, KlEstimator estimator) {
  switch (estimator) {
    case KlEstimator::k1:
      return d;
    case KlEstimator::k2:
      return d * d / 2;
    case KlEstimator::k3: {
      const double back = std::clamp(-d, -20.0, 20.0);
      return std::clamp(std::exp(back) - back - 1, -10.0, 10.0);
    }
    case KlEstimator::absolute:
      return std::abs(d);
  }
  return d;
}

}  // namespace

Result<KlEstimator> kl_estimator(std::string_view name) {
  if (name == "low_var_kl") return KlEstimator::k3;  // as verl calls them
  if (name == "kl") return KlEstimator::k1;
  if (name == "mse") return KlEstimator::k2;
  const auto found = std::find(std::begin(kEstimators), std::end(kEstimators), name);
  if (found != std::end(kEstimators)) return static_cast<KlEstimator>(found - std::begin(kEstimators));
  return Error{fmt::format("no estimator of the divergence is called `{}`{}; there are k1, k2, k3 and abs", name,
                           suggestion(name, {std::begin(kEstimators), std::end(kEstimators)}))};
}

std::vector<double> kl_penalty(std::span<const double> log_probs, std::span<const double> reference,
                               KlEstimator estimator) {
  std::vector<double> out(log_probs.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = penalty(log_probs[i] - reference[i], estimator);
  return out;
}

Advantages generalized_advantages(const std::vector<Trajectory>& trajectories, std::span<const double> rewards,
                                  std::span<const double> values, std::span<const double> bootstrap,
                                  const GaeOptions& options) {
  Advantages out{std::vector<double>(rewards.size()), std::vector<double>(rewards.size())};
  for (size_t i = 0; i < trajectories.size(); ++i) {
    double next_value = bootstrap[i], running = 0;
    for (int64_t at = trajectories[i].end; at-- > trajectories[i].begin;) {
      const auto t = static_cast<size_t>(at);
      const double delta = rewards[t] + options.gamma * next_value - values[t];
      running = delta + options.gamma * options.lambda * running;
      out.advantages[t] = running;
      out.returns[t] = running + values[t];
      next_value = values[t];
    }
  }
  return out;
}

Result<void> whiten(std::span<double> advantages, std::span<const double> weights) {
  double sum = 0, squares = 0;
  int64_t n = 0;
  for (size_t i = 0; i < advantages.size(); ++i) {
    if (weights[i] > 0) {
      sum += advantages[i];
      ++n;
    }
  }
  if (n < 2) return Error{fmt::format("advantages of {} tokens have no variance: nothing to learn from", n)};
  const double mean = sum / static_cast<double>(n);
  for (size_t i = 0; i < advantages.size(); ++i) {
    if (weights[i] > 0) squares += (advantages[i] - mean) * (advantages[i] - mean);
  }
  const double scale = 1 / std::sqrt(squares / static_cast<double>(n - 1) + 1e-8);
  for (double& advantage : advantages) advantage = (advantage - mean) * scale;
  return {};
}

}  // namespace wend::losses
