// Rotary position embedding (Su et al. 2021) with the scalings of Hugging Face's `rope_scaling`.
#pragma once

#include <ATen/core/Tensor.h>

#include "trainer/model/config.h"

namespace wend::model {

// Cosine and sine of each position's angles, both [T, head_size / 2] in fp32.
struct Angles {
  at::Tensor cosine, sine;
};

// positions: [T] int64.
Angles angles(const Config& config, const at::Tensor& positions);

// Turns x [T, heads, head_size]; halves, not neighbours, are pairs. Differentiable in x.
at::Tensor rotate(const at::Tensor& x, const Angles& angles);

}  // namespace wend::model
