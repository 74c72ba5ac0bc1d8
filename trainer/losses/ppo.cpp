#include "trainer/losses/ppo.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/suggestion.h"

namespace wend::losses {
namespace {

constexpr std::string_view kGuards[] = {"none", "positive", "ratio"};
constexpr double kMostLogRatio = 20;

double weighted(const at::Tensor& weights, const at::Tensor& what) {
  return at::where(what, weights, at::zeros_like(weights)).sum().item<double>();
}

}  // namespace

PolicyLoss policy_loss(const at::Tensor& log_probs, const at::Tensor& old_log_probs, const at::Tensor& advantages,
                       const at::Tensor& weights, const PolicyOptions& options) {
  const at::Tensor log_ratio = (log_probs - old_log_probs).clamp(-kMostLogRatio, kMostLogRatio);
  const at::Tensor ratio = log_ratio.exp();
  const at::Tensor plain = -advantages * ratio;
  const at::Tensor clipped = -advantages * ratio.clamp(1 - options.clip_low, 1 + options.clip_high);
  at::Tensor loss = at::maximum(plain, clipped);
  PolicyLoss out;
  out.clip_fraction = weighted(weights, clipped.gt(plain));
  if (options.dual_clip > 0) {
    const at::Tensor most = -advantages * options.dual_clip;
    const at::Tensor negative = advantages.lt(0);
    out.clip_fraction_dual = weighted(weights, negative.logical_and(most.lt(loss)));
    loss = at::where(negative, at::minimum(loss, most), loss);
  }
  // A token of weight 0 may have any value, even none: it is not multiplied away but left out.
  out.loss = at::where(weights.ne(0), loss * weights, at::zeros_like(loss)).sum();
  out.kl = at::where(weights.ne(0), -log_ratio.detach() * weights, at::zeros_like(weights)).sum().item<double>();
  return out;
}

ValueLoss value_loss(const at::Tensor& values, const at::Tensor& old_values, const at::Tensor& returns,
                     const at::Tensor& weights, double clip) {
  ValueLoss out;
  at::Tensor squares = (values - returns).square();
  if (clip > 0) {
    const at::Tensor near = at::minimum(at::maximum(values, old_values - clip), old_values + clip);
    const at::Tensor clipped = (near - returns).square();
    out.clip_fraction = weighted(weights, clipped.gt(squares));
    squares = at::maximum(squares, clipped);
  }
  out.loss = at::where(weights.ne(0), 0.5 * squares * weights, at::zeros_like(squares)).sum();
  return out;
}

Result<ExtGuard> ext_guard(std::string_view name) {
  const auto found = std::find(std::begin(kGuards), std::end(kGuards), name);
  if (found != std::end(kGuards)) return static_cast<ExtGuard>(found - std::begin(kGuards));
  return Error{fmt::format("no guard of L_ext is called `{}`{}; there are none, positive and ratio", name,
                           suggestion(name, {std::begin(kGuards), std::end(kGuards)}))};
}

at::Tensor weighted_nll(const at::Tensor& log_probs, const at::Tensor& coefficients) {
  return -at::where(coefficients.ne(0), coefficients * log_probs, at::zeros_like(log_probs)).sum();
}

at::Tensor guarded(const at::Tensor& coefficients, const at::Tensor& log_probs, const at::Tensor& old_log_probs,
                   ExtGuard guard, double clip_low) {
  const at::Tensor zero = at::zeros_like(coefficients);
  switch (guard) {
    case ExtGuard::none:
      return coefficients;
    case ExtGuard::positive:
      return at::maximum(coefficients, zero);
    case ExtGuard::ratio: {
      const at::Tensor ratio = (log_probs.detach() - old_log_probs).exp();
      return at::where(coefficients.lt(0).logical_and(ratio.lt(1 - clip_low)), zero, coefficients);
    }
  }
  return coefficients;
}

}  // namespace wend::losses
