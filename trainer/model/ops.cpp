#include "trainer/model/ops.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "trainer/model/cpu_kernels.h"

namespace wend::model {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

at::Tensor wide(const at::Tensor& x) {
  return x.scalar_type() == at::kHalf || x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
}

class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static Variable forward(AutogradContext* context, const Variable& x, const Variable& weight, double epsilon) {
    if (cpu::takes(x)) {
      at::Tensor scale, out = cpu::rms_norm(x, weight, epsilon, &scale);
      context->save_for_backward({x, weight, scale});
      return out;
    }
    const at::Tensor in = wide(x);
    const at::Tensor scale = at::mul(in, in).mean(-1, true).add_(epsilon).rsqrt_();
    context->save_for_backward({x, weight, scale});
    // The weight meets the value in the model's own precision, as the reference implementation has it.
    return at::mul(in, scale).to(x.scalar_type()).mul_(weight);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &scale = saved[2];
    if (cpu::takes(x)) {
      const at::Tensor grad = cpu::takes(gradients[0]) ? gradients[0] : gradients[0].contiguous();
      at::Tensor grad_weight, grad_x = cpu::rms_norm_backward(grad, x, weight, scale, grad_weight);
      return {grad_x, grad_weight, Variable()};
    }
    const at::Tensor normal = wide(x) * scale, grad = wide(gradients[0]);
    const at::Tensor grad_weight = (grad * normal).reshape({-1, weight.size(0)}).sum(0).to(weight.scalar_type());
    const at::Tensor through = grad * wide(weight);
    at::Tensor grad_x = (through * normal).mean(-1, true).mul(normal).neg_().add_(through).mul_(scale);
    return {grad_x.to(x.scalar_type()), grad_weight, Variable()};
  }
};

class Swiglu : public torch::autograd::Function<Swiglu> {
 public:
  static Variable forward(AutogradContext* context, const Variable& gate_up) {
    context->save_for_backward({gate_up});
    if (cpu::takes(gate_up)) return cpu::swiglu(gate_up);
    const int64_t n = gate_up.size(-1) / 2;
    return at::silu(gate_up.narrow(-1, 0, n)).mul_(gate_up.narrow(-1, n, n));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor gate_up = context->get_saved_variables()[0];
    if (cpu::takes(gate_up)) return {cpu::swiglu_backward(gradients[0], gate_up)};
    const int64_t n = gate_up.size(-1) / 2;
    const at::Tensor gate = gate_up.narrow(-1, 0, n), up = gate_up.narrow(-1, n, n);
    at::Tensor out = at::empty_like(gate_up, at::MemoryFormat::Contiguous);
    at::Tensor grad_gate = out.narrow(-1, 0, n), grad_up = out.narrow(-1, n, n);
    at::mul_out(grad_up, gradients[0], at::silu(gate));
    grad_gate.copy_(at::silu_backward(gradients[0] * up, gate));
    return {out};
  }
};

constexpr int64_t kFewRows = 64;  // from here on a general matrix product is faster

}  // namespace

at::Tensor project(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (!at::GradMode::is_enabled() && cpu::takes(x) && x.dim() == 2 && x.size(0) <= kFewRows && weight.is_contiguous()) {
    return cpu::linear_rows(x, weight, bias);
  }
  return bias.defined() ? at::linear(x, weight, bias) : at::linear(x, weight);
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return RmsNorm::apply(x, weight, epsilon);
}

at::Tensor swiglu(const at::Tensor& gate_up) { return Swiglu::apply(gate_up); }

}  // namespace wend::model
