#include "trainer/model/decoder.h"

#include <ATen/ATen.h>

#include <utility>

#include "trainer/model/checkpointed.h"
#include "trainer/model/ops.h"
#include "trainer/model/rope.h"

namespace wend::model {
namespace {

// One layer: x [T, hidden] -> [T, hidden]. What it reads comes in, so that it can be run again for its gradient.
at::Tensor layer_of(const Config& config, const LayerParameters& p, int64_t index, const Angles& at_positions,
                    const Attend& attend, const at::Tensor& x) {
  const int64_t tokens = x.size(0), d = config.head_size;
  const at::Tensor qkv = project(rms_norm(x, p.input_norm, config.norm_epsilon), p.qkv, p.qkv_bias)
                             .view({tokens, config.heads + 2 * config.kv_heads, d});
  at::Tensor queries = qkv.narrow(1, 0, config.heads);
  at::Tensor keys = qkv.narrow(1, config.heads, config.kv_heads);
  const at::Tensor values = qkv.narrow(1, config.heads + config.kv_heads, config.kv_heads);
  if (config.qk_norm) {
    queries = rms_norm(queries, p.q_norm, config.norm_epsilon);
    keys = rms_norm(keys, p.k_norm, config.norm_epsilon);
  }
  const at::Tensor seen = attend(index, rotate(queries, at_positions), rotate(keys, at_positions), values);
  const at::Tensor middle = x + project(seen.reshape({tokens, config.heads * d}), p.output, p.output_bias);
  const at::Tensor gated =
      swiglu(project(rms_norm(middle, p.mlp_norm, config.norm_epsilon), p.gate_up, p.gate_up_bias));
  return middle + project(gated, p.down, p.down_bias);
}

std::vector<at::Tensor*> members(LayerParameters& p) {
  return {&p.input_norm,  &p.qkv,      &p.qkv_bias, &p.q_norm,       &p.k_norm, &p.output,
          &p.output_bias, &p.mlp_norm, &p.gate_up,  &p.gate_up_bias, &p.down,   &p.down_bias};
}

LayerParameters in_type(LayerParameters p, const std::optional<at::ScalarType>& type) {
  if (!type) return p;
  for (at::Tensor* tensor : members(p)) {
    if (tensor->defined()) *tensor = tensor->to(*type);
  }
  return p;
}

// Grouped queries share keys; each sequence is one call without a mask, which every fast kernel takes.
at::Tensor attend_within(const std::vector<int64_t>& starts, const at::Tensor& queries, const at::Tensor& keys,
                         const at::Tensor& values) {
  const int64_t groups = queries.size(1) / keys.size(1);
  const auto heads_first = [](const at::Tensor& x) { return x.transpose(0, 1).unsqueeze(0); };
  std::vector<at::Tensor> out;
  out.reserve(starts.size() - 1);
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    const int64_t begin = starts[i], length = starts[i + 1] - begin;
    at::Tensor k = keys.narrow(0, begin, length), v = values.narrow(0, begin, length);
    if (groups > 1) {
      k = k.repeat_interleave(groups, 1);
      v = v.repeat_interleave(groups, 1);
    }
    out.push_back(at::scaled_dot_product_attention(heads_first(queries.narrow(0, begin, length)), heads_first(k),
                                                   heads_first(v), {}, 0.0, true)
                      .squeeze(0)
                      .transpose(0, 1));
  }
  return out.size() == 1 ? out[0] : at::cat(out, 0);
}

}  // namespace

Packed Packed::of(const std::vector<std::vector<int64_t>>& sequences) {
  Packed out;
  std::vector<int64_t> ids, positions;
  for (const std::vector<int64_t>& sequence : sequences) {
    for (size_t i = 0; i < sequence.size(); ++i) {
      ids.push_back(sequence[i]);
      positions.push_back(static_cast<int64_t>(i));
    }
    out.starts.push_back(static_cast<int64_t>(ids.size()));
  }
  out.ids = at::tensor(ids, at::kLong);
  out.positions = at::tensor(positions, at::kLong);
  return out;
}

at::Tensor hidden_states(const Config& config, const Parameters& parameters, const at::Tensor& ids,
                         const at::Tensor& positions, const Attend& attend, const ForwardOptions& options) {
  const Angles at_positions = angles(config, positions);
  at::Tensor x = at::embedding(parameters.embedding(), ids);
  if (options.compute) x = x.to(*options.compute);
  for (int64_t i = 0; i < config.layers; ++i) {
    if (!options.checkpoint || !at::GradMode::is_enabled()) {
      x = layer_of(config, in_type(parameters.layer(i), options.compute), i, at_positions, attend, x);
      continue;
    }
    LayerParameters of_layer = parameters.layer(i);
    std::vector<at::Tensor> inputs = {x};
    std::vector<size_t> places;  // among the members, of those that there are
    const std::vector<at::Tensor*> from = members(of_layer);
    for (size_t m = 0; m < from.size(); ++m) {
      if (!from[m]->defined()) continue;
      inputs.push_back(*from[m]);
      places.push_back(m);
    }
    x = checkpointed(
        [config, i, at_positions, attend, places, compute = options.compute](const std::vector<at::Tensor>& in) {
          LayerParameters again;
          const std::vector<at::Tensor*> to = members(again);
          for (size_t n = 0; n < places.size(); ++n) *to[places[n]] = in[n + 1];
          return layer_of(config, in_type(again, compute), i, at_positions, attend, in[0]);
        },
        inputs);
  }
  const at::Tensor norm = options.compute ? parameters.norm().to(*options.compute) : parameters.norm();
  return rms_norm(x, norm, config.norm_epsilon);
}

at::Tensor hidden_states(const Config& config, const Parameters& parameters, const Packed& batch,
                         const ForwardOptions& options) {
  const Attend attend = [starts = batch.starts](int64_t, const at::Tensor& queries, const at::Tensor& keys,
                                                const at::Tensor& values) {
    return attend_within(starts, queries, keys, values);
  };
  return hidden_states(config, parameters, batch.ids, batch.positions, attend, options);
}

}  // namespace wend::model
