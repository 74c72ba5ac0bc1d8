// The losses of the policy and of the critic (paper, Sec. 4.4, Eq. 8 to 11). All tensors are [n], of the tokens of one
// micro-batch; `weights` are those of the whole batch (actions.h), so that sums over micro-batches are the batch's
// loss.
#pragma once

#include <ATen/core/Tensor.h>

#include "runtime/result.h"

namespace wend::losses {

struct PolicyOptions {
  double clip_low = 0.2, clip_high = 0.2;  // the ratio stays within 1 - clip_low and 1 + clip_high
  double dual_clip = 3;                    // where the advantage is negative the loss is at most this times it; 0: off
};

struct PolicyLoss {
  at::Tensor loss;  // sum of weights x max(-A rho, -A clip(rho)), a scalar
  // Sums of the weights of tokens that were clipped, and of the estimate of KL(old || new): no gradients.
  double clip_fraction = 0, clip_fraction_dual = 0, kl = 0;
};

// Only log_probs has a gradient.
PolicyLoss policy_loss(const at::Tensor& log_probs, const at::Tensor& old_log_probs, const at::Tensor& advantages,
                       const at::Tensor& weights, const PolicyOptions& options);

struct ValueLoss {
  at::Tensor loss;  // sum of weights x 0.5 max((V - R)^2, (clip(V) - R)^2)
  double clip_fraction = 0;
};

// The new value stays within `clip` of the old one; 0: no clipping.
ValueLoss value_loss(const at::Tensor& values, const at::Tensor& old_values, const at::Tensor& returns,
                     const at::Tensor& weights, double clip);

// What L_ext does where the advantage is negative, since making tokens ever less likely has no end.
enum class ExtGuard : uint8_t {
  none,      // Eq. 10 as it stands
  positive,  // such tokens do not count
  ratio      // they count as long as their ratio to the old policy is above 1 - clip_low
};
Result<ExtGuard> ext_guard(std::string_view name);

// -sum of coefficients x log_probs: L_cal (Eq. 9) with cal_coefficients(), L_ext (Eq. 10) with ext_coefficients(), and
// plain supervised learning with weights.
at::Tensor weighted_nll(const at::Tensor& log_probs, const at::Tensor& coefficients);

// Coefficients of L_ext, under the guard: what the guard takes away has 0.
at::Tensor guarded(const at::Tensor& coefficients, const at::Tensor& log_probs, const at::Tensor& old_log_probs,
                   ExtGuard guard, double clip_low);

}  // namespace wend::losses
