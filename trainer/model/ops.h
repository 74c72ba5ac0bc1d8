// The small differentiable operations of a layer, each one node of the graph that keeps only what its gradient needs.
#pragma once

#include <ATen/core/Tensor.h>

namespace wend::model {

// x [T, k] times weight [n, k] transposed, plus bias [n] where it is defined. Where no gradient is asked for and the
// rows are few (a step of generation), each row's result is the same whatever rows are beside it.
at::Tensor project(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias = {});

// x / sqrt(mean(x^2) + epsilon) * weight over the last dimension; computed in at least fp32.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// silu(gate) * up of gate_up [T, 2 n], which holds both: [T, n].
at::Tensor swiglu(const at::Tensor& gate_up);

}  // namespace wend::model
