// The forward pass of a decoder-only transformer, as Llama, Qwen2 and Qwen3 have it.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "trainer/model/config.h"
#include "trainer/model/parameters.h"

namespace wend::model {

// Sequences laid end to end, without padding: what a batch costs is what its tokens cost.
struct Packed {
  at::Tensor ids;                  // [T] int64
  at::Tensor positions;            // [T] int64, each sequence from its own 0
  std::vector<int64_t> starts{0};  // n + 1 offsets into T

  static Packed of(const std::vector<std::vector<int64_t>>& sequences);
  int64_t tokens() const { return starts.back(); }
};

// How queries meet keys in one layer; training looks at the batch itself, generation at a cache.
// queries [T, heads, d], keys and values [T, kv_heads, d], positions applied -> [T, heads, d].
using Attend = std::function<at::Tensor(int64_t layer, const at::Tensor& queries, const at::Tensor& keys,
                                        const at::Tensor& values)>;

struct ForwardOptions {
  // Weights and activations in this type; master weights keep theirs. Undefined: as the weights are.
  std::optional<at::ScalarType> compute;
  // Keeps only the input of each layer and computes the rest again for the gradient.
  bool checkpoint = false;
};

// The hidden states after the last norm, [T, hidden]; the head is applied where its outputs are used (head.h).
at::Tensor hidden_states(const Config& config, const Parameters& parameters, const at::Tensor& ids,
                         const at::Tensor& positions, const Attend& attend, const ForwardOptions& options = {});

// The same of whole sequences: each token sees those before it in its own sequence. Differentiable.
at::Tensor hidden_states(const Config& config, const Parameters& parameters, const Packed& batch,
                         const ForwardOptions& options = {});

}  // namespace wend::model
