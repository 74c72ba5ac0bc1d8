// The policy that is trained, with its critic: a linear head on the hidden states of the same body.
#pragma once

#include <string>

#include "runtime/result.h"
#include "trainer/model/config.h"
#include "trainer/model/parameters.h"

namespace wend::model {

struct ValueHead {
  at::Tensor weight;  // [1, hidden]
  at::Tensor bias;    // [1]

  // Starts at zero: a critic that knows nothing expects nothing.
  static ValueHead zeros(int64_t hidden, at::ScalarType dtype = at::kFloat);
  // hidden [n, hidden] -> values [n], in the head's precision.
  at::Tensor values(const at::Tensor& hidden) const;
};

struct Policy {
  Config config;
  Parameters parameters;
  ValueHead critic;

  static Policy random(const Config& config, uint64_t seed);
  // A folder of a Hugging Face model; with value_head.safetensors beside it if the critic has been trained.
  static Result<Policy> load(const std::string& folder);
  Result<void> save(const std::string& folder, at::ScalarType dtype = at::kFloat) const;

  // What an optimiser changes, named: the decoder's, then the critic's.
  std::vector<std::pair<std::string, at::Tensor>> trainable() const;
  void set_requires_grad(bool on);
};

}  // namespace wend::model
