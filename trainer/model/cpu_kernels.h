// What a layer does besides matrix products, on the CPU in fp32: one pass over memory each, and, unlike a general
// matrix product, a row's result does not depend on the rows beside it. Sampled tokens then do not depend on which
// other dialogues are in the batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>

namespace wend::model::cpu {

// Whether these kernels take the tensor: fp32 on the CPU, last dimension dense.
bool takes(const at::Tensor& x);

// x [M, K], weight [N, K], bias [N] or undefined -> [M, N]. For few rows; many are faster with at::linear.
at::Tensor linear_rows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

// x [T, n] or [T, heads, n]; `scale` [T] or [T, heads] receives 1 / sqrt(mean(x^2) + epsilon) for the gradient.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon, at::Tensor* scale);
// The gradient of x; that of the weight is added to `grad_weight` [n].
at::Tensor rms_norm_backward(const at::Tensor& grad, const at::Tensor& x, const at::Tensor& weight,
                             const at::Tensor& scale, at::Tensor& grad_weight);

at::Tensor swiglu(const at::Tensor& gate_up);
at::Tensor swiglu_backward(const at::Tensor& grad, const at::Tensor& gate_up);

// x [T, heads, d], cosine and sine [T, d / 2]; `sign` -1 turns back.
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, float sign);

// One query a sequence against its cache. queries [B, heads, d]; keys and values [slots, kv_heads, capacity, d];
// sequence b is in slots[b] and has lengths[b] entries. Grouped queries read their keys once. -> [B, heads, d].
at::Tensor attend_cache(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                        std::span<const int64_t> slots, std::span<const int64_t> lengths);

}  // namespace wend::model::cpu
