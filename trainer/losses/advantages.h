// From rewards to advantages (paper, Sec. 4.4 and Table 16; Schulman et al. 2016).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/result.h"
#include "trainer/losses/actions.h"

namespace wend::losses {

// How far the policy has moved from the reference, a token's share of it: d = log pi - log ref.
enum class KlEstimator : uint8_t {
  k1,       // d: unbiased
  k2,       // d^2 / 2
  k3,       // e^-d + d - 1, -d within 20 and the result within 10: verl's low_var_kl, the paper's
  absolute  // |d|
};
Result<KlEstimator> kl_estimator(std::string_view name);
std::vector<double> kl_penalty(std::span<const double> log_probs, std::span<const double> reference,
                               KlEstimator estimator);

// What becomes of a trajectory that was cut off.
enum class Truncation : uint8_t {
  bootstrap,  // what it would still have earned is what the critic expects
  mask,       // it takes no part
  end         // as if it had ended there
};

struct GaeOptions {
  double gamma = 0.99, lambda = 0.95;
};

struct Advantages {
  std::vector<double> advantages, returns;  // [N]; returns = advantages + values, before any whitening
};

// rewards and values [N]: of each token, and of the state in which it was chosen. bootstrap [trajectories]: the value
// of the state behind the last token; 0 where the trajectory has ended.
Advantages generalized_advantages(const std::vector<Trajectory>& trajectories, std::span<const double> rewards,
                                  std::span<const double> values, std::span<const double> bootstrap,
                                  const GaeOptions& options);

// To mean 0 and variance 1 over the tokens with `weights` above 0 (unbiased variance, 1e-8 below the root). Fewer than
// two such tokens are an error.
Result<void> whiten(std::span<double> advantages, std::span<const double> weights);

}  // namespace wend::losses
