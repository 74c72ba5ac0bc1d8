#include "trainer/model/rope.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

#include "trainer/model/cpu_kernels.h"

namespace wend::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

// [head_size / 2] in fp32, computed as the reference implementation does: an angle at position 30,000 amplifies the
// last bit of its frequency.
at::Tensor plain_frequencies(const Config& config) {
  const at::Tensor exponents =
      at::arange(0, config.head_size, 2, at::kLong).to(at::kFloat) / static_cast<double>(config.head_size);
  return at::pow(config.rope.theta, exponents).reciprocal();
}

at::Tensor llama3(const Rope& rope, const at::Tensor& plain) {
  const auto original = static_cast<double>(rope.original_positions);
  const double longest = original / rope.low_freq_factor, shortest = original / rope.high_freq_factor;
  const at::Tensor wavelength = 2 * M_PI / plain;
  const at::Tensor slow = at::where(wavelength > longest, plain / rope.factor, plain);
  const at::Tensor smooth =
      (original / wavelength - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor);
  const at::Tensor between = (1 - smooth) * slow / rope.factor + smooth * slow;
  return at::where(wavelength.ge(shortest).logical_and(wavelength.le(longest)), between, slow);
}

at::Tensor yarn(const Config& config, const at::Tensor& plain) {
  const Rope& rope = config.rope;
  const auto size = static_cast<double>(config.head_size);
  const auto dimension_of = [&](double rotations) {
    return size * std::log(static_cast<double>(rope.original_positions) / (rotations * 2 * M_PI)) /
           (2 * std::log(rope.theta));
  };
  double low = dimension_of(rope.beta_fast), high = dimension_of(rope.beta_slow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, size - 1);
  if (low == high) high += 0.001;
  const at::Tensor ramp =
      ((at::arange(config.head_size / 2, at::kLong).to(at::kFloat) - low) / (high - low)).clamp(0, 1);
  return plain / rope.factor * ramp + plain * (1 - ramp);
}

at::Tensor frequencies(const Config& config) {
  const at::Tensor plain = plain_frequencies(config);
  switch (config.rope.scaling) {
    case Rope::Scaling::none:
      return plain;
    case Rope::Scaling::linear:
      return plain / config.rope.factor;
    case Rope::Scaling::llama3:
      return llama3(config.rope, plain);
    case Rope::Scaling::yarn:
      return yarn(config, plain);
  }
  return plain;
}

// sign -1 turns back.
at::Tensor rotated(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, float sign) {
  if (cpu::takes(x)) return cpu::rotate(x, cosine, sine, sign);
  const int64_t half = x.size(-1) / 2;
  const at::Tensor c = cosine.to(x.scalar_type()).unsqueeze(1), s = sine.to(x.scalar_type()).unsqueeze(1);
  const at::Tensor first = x.narrow(-1, 0, half), second = x.narrow(-1, half, half);
  at::Tensor out = at::empty_like(x, at::MemoryFormat::Contiguous);
  at::Tensor low = out.narrow(-1, 0, half), high = out.narrow(-1, half, half);
  at::mul_out(low, first, c);
  low.addcmul_(second, s, -sign);
  at::mul_out(high, second, c);
  high.addcmul_(first, s, sign);
  return out;
}

// A turn is orthogonal: its gradient is turned back.
class Rotate : public torch::autograd::Function<Rotate> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& cosine, const Variable& sine) {
    context->save_for_backward({cosine, sine});
    return rotated(x, cosine, sine, 1);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    return {rotated(gradients[0], saved[0], saved[1], -1), Variable(), Variable()};
  }
};

}  // namespace

Angles angles(const Config& config, const at::Tensor& positions) {
  const at::NoGradGuard no_grad;
  const at::Tensor turns =
      positions.to(at::kFloat).unsqueeze(-1) * frequencies(config).to(positions.device()).unsqueeze(0);
  const double scale = config.rope.scaling == Rope::Scaling::yarn ? config.rope.attention_factor : 1;
  return {turns.cos() * scale, turns.sin() * scale};
}

at::Tensor rotate(const at::Tensor& x, const Angles& angles) { return Rotate::apply(x, angles.cosine, angles.sine); }

}  // namespace wend::model
