// The parameters of a decoder: named tensors, and where each comes from in a Hugging Face checkpoint.
//
// Projections that read the same input are one matrix here (queries, keys and values; gate and up), because one large
// product is faster than several small ones. A checkpoint has them apart: `pieces` says which rows are whose.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/result.h"
#include "trainer/model/config.h"
#include "trainer/weights/checkpoint.h"

namespace wend::model {

struct Piece {
  std::string name;  // in a checkpoint
  int64_t rows = 0;  // in the order of the pieces
};

struct Parameter {
  std::string name;
  std::vector<Piece> pieces;
  std::vector<int64_t> shape;
  bool norm = false;  // a scale that starts as ones
  bool bias = false;  // starts as zeros
  at::Tensor value;   // a leaf
};

// One layer's, as views of the list; undefined where the configuration has none.
struct LayerParameters {
  at::Tensor input_norm, qkv, qkv_bias, q_norm, k_norm, output, output_bias;
  at::Tensor mlp_norm, gate_up, gate_up_bias, down, down_bias;
};

class Parameters {
 public:
  // Fresh ones: normal with the configuration's deviation, norms one, biases zero; the same for a seed on any machine.
  static Parameters random(const Config& config, uint64_t seed, at::ScalarType dtype = at::kFloat);
  // Errors name the tensor that is missing, of another shape, or no part of such a model.
  static Result<Parameters> load(const Config& config, const weights::Checkpoint& checkpoint,
                                 at::ScalarType dtype = at::kFloat);
  // A folder that `transformers` loads: config.json and the tensors, in `dtype`.
  Result<void> save(const Config& config, const std::string& folder, at::ScalarType dtype) const;

  // A copy, frozen; for a reference model or a rollout in another precision.
  Parameters frozen(at::ScalarType dtype, at::Device device) const;
  void to(at::Device device);
  void set_requires_grad(bool on);

  std::vector<Parameter>& list() { return list_; }
  const std::vector<Parameter>& list() const { return list_; }
  const LayerParameters& layer(int64_t i) const { return layers_[static_cast<size_t>(i)]; }
  const at::Tensor& embedding() const { return embedding_; }
  const at::Tensor& norm() const { return norm_; }
  const at::Tensor& head() const { return head_; }  // the embedding where they are tied

 private:
  explicit Parameters(const Config& config);
  void bind();  // the views, after tensors of the list were replaced

  int64_t layer_count_ = 0;
  std::vector<Parameter> list_;
  std::vector<LayerParameters> layers_;
  at::Tensor embedding_, norm_, head_;
};

}  // namespace wend::model
