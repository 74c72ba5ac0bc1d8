#include "trainer/model/ops.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

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
    const at::Tensor in = wide(x);
    const at::Tensor scale = at::mul(in, in).mean(-1, true).add_(epsilon).rsqrt_();
    context->save_for_backward({x, weight, scale});
    // The weight meets the value in the model's own precision, as the reference implementation has it.
    return at::mul(in, scale).to(x.scalar_type()).mul_(weight);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &scale = saved[2];
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
    const int64_t n = gate_up.size(-1) / 2;
    return at::silu(gate_up.narrow(-1, 0, n)).mul_(gate_up.narrow(-1, n, n));
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor gate_up = context->get_saved_variables()[0];
    const int64_t n = gate_up.size(-1) / 2;
    const at::Tensor gate = gate_up.narrow(-1, 0, n), up = gate_up.narrow(-1, n, n);
    at::Tensor out = at::empty_like(gate_up, at::MemoryFormat::Contiguous);
    at::Tensor grad_gate = out.narrow(-1, 0, n), grad_up = out.narrow(-1, n, n);
    at::mul_out(grad_up, gradients[0], at::silu(gate));
    grad_gate.copy_(at::silu_backward(gradients[0] * up, gate));
    return {out};
  }
};

}  // namespace

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  return RmsNorm::apply(x, weight, epsilon);
}

at::Tensor swiglu(const at::Tensor& gate_up) { return Swiglu::apply(gate_up); }

}  // namespace wend::model
