// Choosing the next token.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/random.h"

namespace wend::rollout {

struct Sampling {
  double temperature = 1;  // 0: the likeliest token
  double top_p = 1;        // only the likeliest tokens that together have this probability
  uint64_t seed = 0;       // of this request: its tokens do not depend on what else is generated
};

struct Sampled {
  int32_t token = 0;
  // In nats, at the temperature and before top_p (at temperature 0: at 1): what the policy's update recomputes.
  float log_prob = 0;
};

class Sampler {
 public:
  explicit Sampler(const Sampling& sampling) : sampling_(sampling), random_(seed_of(sampling.seed, "tokens")) {}

  // Logits may be any numbers, infinite ones as well; NaN counts as impossible. Ties go to the smaller token.
  Sampled next(std::span<const float> logits);

 private:
  int32_t draw(double total);

  Sampling sampling_;
  Random random_;
  std::vector<float> weights_;   // e^(logit - largest)
  std::vector<int32_t> ranked_;  // for top_p
};

}  // namespace wend::rollout
