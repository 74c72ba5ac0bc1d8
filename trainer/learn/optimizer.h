// AdamW (Loshchilov and Hutter 2019) over the policy's fp32 weights.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/result.h"

namespace wend::learn {

struct AdamOptions {
  double rate = 1e-6;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 0.01;  // of matrices; scales and biases are not decayed
  double max_grad_norm = 1;    // 0: gradients are not clipped
};

class Optimizer {
 public:
  using Named = std::vector<std::pair<std::string, at::Tensor>>;

  Optimizer(Named parameters, AdamOptions options);

  // Clips the gradients, changes the parameters and forgets the gradients. Returns the norm before clipping. With a
  // gradient that is not finite nothing changes, and the norm returned is not finite.
  double step();
  void zero_grad();
  void set_rate(double rate) { options_.rate = rate; }
  const AdamOptions& options() const { return options_; }
  int64_t steps() const { return steps_; }

  // Moments and steps, so that a resumed run goes on with the same numbers.
  Result<void> save(const std::string& path) const;
  Result<void> load(const std::string& path);

 private:
  Named parameters_;
  AdamOptions options_;
  std::vector<at::Tensor> first_, second_;  // moments
  int64_t steps_ = 0;
};

}  // namespace wend::learn
