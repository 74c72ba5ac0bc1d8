// Activation checkpointing: memory for time.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace wend::model {

using Step = std::function<at::Tensor(const std::vector<at::Tensor>&)>;

// step(inputs), of which only the inputs are kept: the gradient runs the step again. The step must be a function of
// its inputs, draw no random numbers, and every tensor that needs a gradient must be among them.
at::Tensor checkpointed(Step step, const std::vector<at::Tensor>& inputs);

}  // namespace wend::model
