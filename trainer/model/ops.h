// The small differentiable operations of a layer, each one node of the graph that keeps only what its gradient needs.
#pragma once

#include <ATen/core/Tensor.h>

namespace wend::model {

// x / sqrt(mean(x^2) + epsilon) * weight over the last dimension; computed in at least fp32.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

// silu(gate) * up of gate_up [T, 2 n], which holds both: [T, n].
at::Tensor swiglu(const at::Tensor& gate_up);

}  // namespace wend::model
