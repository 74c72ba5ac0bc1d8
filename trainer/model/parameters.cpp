#include "trainer/model/parameters.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "runtime/data/replaced_file.h"
#include "runtime/random.h"

namespace wend::model {
namespace {

using weights::TensorView;

// The list for a configuration, tensors not yet made.
std::vector<Parameter> layout(const Config& c) {
  std::vector<Parameter> out;
  const auto add = [&](std::string name, std::vector<Piece> pieces, std::vector<int64_t> shape, bool norm = false,
                       bool bias = false) {
    out.push_back({std::move(name), std::move(pieces), std::move(shape), norm, bias, {}});
  };
  const int64_t q = c.heads * c.head_size, kv = c.kv_heads * c.head_size;
  add("embedding", {{"model.embed_tokens.weight", c.vocabulary}}, {c.vocabulary, c.hidden});
  for (int64_t i = 0; i < c.layers; ++i) {
    const std::string ours = fmt::format("layers.{}.", i), theirs = fmt::format("model.layers.{}.", i);
    const auto piece = [&](std::string_view name, int64_t rows) { return Piece{theirs + std::string(name), rows}; };
    add(ours + "input_norm", {piece("input_layernorm.weight", c.hidden)}, {c.hidden}, true);
    add(ours + "qkv",
        {piece("self_attn.q_proj.weight", q), piece("self_attn.k_proj.weight", kv),
         piece("self_attn.v_proj.weight", kv)},
        {q + 2 * kv, c.hidden});
    if (c.qkv_bias) {
      add(ours + "qkv_bias",
          {piece("self_attn.q_proj.bias", q), piece("self_attn.k_proj.bias", kv), piece("self_attn.v_proj.bias", kv)},
          {q + 2 * kv}, false, true);
    }
    if (c.qk_norm) {
      add(ours + "q_norm", {piece("self_attn.q_norm.weight", c.head_size)}, {c.head_size}, true);
      add(ours + "k_norm", {piece("self_attn.k_norm.weight", c.head_size)}, {c.head_size}, true);
    }
    add(ours + "output", {piece("self_attn.o_proj.weight", c.hidden)}, {c.hidden, q});
    if (c.output_bias) add(ours + "output_bias", {piece("self_attn.o_proj.bias", c.hidden)}, {c.hidden}, false, true);
    add(ours + "mlp_norm", {piece("post_attention_layernorm.weight", c.hidden)}, {c.hidden}, true);
    add(ours + "gate_up", {piece("mlp.gate_proj.weight", c.intermediate), piece("mlp.up_proj.weight", c.intermediate)},
        {2 * c.intermediate, c.hidden});
    if (c.mlp_bias) {
      add(ours + "gate_up_bias",
          {piece("mlp.gate_proj.bias", c.intermediate), piece("mlp.up_proj.bias", c.intermediate)},
          {2 * c.intermediate}, false, true);
    }
    add(ours + "down", {piece("mlp.down_proj.weight", c.hidden)}, {c.hidden, c.intermediate});
    if (c.mlp_bias) add(ours + "down_bias", {piece("mlp.down_proj.bias", c.hidden)}, {c.hidden}, false, true);
  }
  add("norm", {{"model.norm.weight", c.hidden}}, {c.hidden}, true);
  if (!c.tied_embeddings) add("head", {{"lm_head.weight", c.vocabulary}}, {c.vocabulary, c.hidden});
  return out;
}

std::optional<at::ScalarType> scalar_type(weights::DType dtype) {
  switch (dtype) {
    case weights::DType::f64:
      return at::kDouble;
    case weights::DType::f32:
      return at::kFloat;
    case weights::DType::f16:
      return at::kHalf;
    case weights::DType::bf16:
      return at::kBFloat16;
    default:
      return {};
  }
}

weights::DType dtype_of(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return weights::DType::f64;
    case at::kHalf:
      return weights::DType::f16;
    case at::kBFloat16:
      return weights::DType::bf16;
    default:
      return weights::DType::f32;
  }
}

// Nothing is allowed to be there that the model has no place for, or a wrong configuration would load silently.
Result<void> check_unknown(const Config& config, const weights::Checkpoint& checkpoint,
                           const std::set<std::string_view>& known) {
  for (const auto& [name, tensor] : checkpoint.tensors()) {
    if (known.contains(name)) continue;
    if (config.tied_embeddings && name == "lm_head.weight") continue;  // a copy of the embedding
    if (name.ends_with("rotary_emb.inv_freq")) continue;               // computed, in old files
    return Error{fmt::format("{}: tensor `{}` {} is no part of the model that config.json describes ({} layers)",
                             checkpoint.folder(), name, weights::shape_text(tensor.shape), config.layers)};
  }
  return {};
}

}  // namespace

Parameters::Parameters(const Config& config) : layer_count_(config.layers), list_(layout(config)) {}

void Parameters::bind() {
  std::unordered_map<std::string, at::Tensor> by_name;
  for (const Parameter& parameter : list_) by_name[parameter.name] = parameter.value;
  const auto find = [&](const std::string& name) {
    const auto found = by_name.find(name);
    return found == by_name.end() ? at::Tensor() : found->second;
  };
  layers_.clear();
  for (int64_t i = 0; i < layer_count_; ++i) {
    const auto of = [&](std::string_view name) { return find(fmt::format("layers.{}.{}", i, name)); };
    layers_.push_back({of("input_norm"), of("qkv"), of("qkv_bias"), of("q_norm"), of("k_norm"), of("output"),
                       of("output_bias"), of("mlp_norm"), of("gate_up"), of("gate_up_bias"), of("down"),
                       of("down_bias")});
  }
  embedding_ = find("embedding");
  norm_ = find("norm");
  head_ = find("head");
  if (!head_.defined()) head_ = embedding_;
}

Parameters Parameters::random(const Config& config, uint64_t seed, at::ScalarType dtype) {
  Parameters out(config);
  const at::NoGradGuard no_grad;
  for (Parameter& parameter : out.list_) {
    at::Tensor value = at::zeros(parameter.shape, at::kFloat);
    if (parameter.norm) value.fill_(1);
    if (!parameter.norm && !parameter.bias) {
      Random random(seed_of(seed, parameter.name));
      auto* data = value.data_ptr<float>();
      const int64_t count = value.numel();
      for (int64_t i = 0; i < count; i += 2) {  // Box-Muller: two at a time
        const double radius = std::sqrt(-2 * std::log(1 - random.uniform())), angle = 2 * M_PI * random.uniform();
        data[i] = static_cast<float>(config.init_deviation * radius * std::cos(angle));
        if (i + 1 < count) data[i + 1] = static_cast<float>(config.init_deviation * radius * std::sin(angle));
      }
    }
    parameter.value = value.to(dtype);
  }
  out.bind();
  return out;
}

Result<Parameters> Parameters::load(const Config& config, const weights::Checkpoint& checkpoint, at::ScalarType dtype) {
  Parameters out(config);
  const at::NoGradGuard no_grad;
  std::set<std::string_view> known;
  for (Parameter& parameter : out.list_) {
    parameter.value = at::empty(parameter.shape, dtype);
    int64_t row = 0;
    for (const Piece& piece : parameter.pieces) {
      known.insert(piece.name);
      const TensorView* view = checkpoint.find(piece.name);
      if (view == nullptr) return Error{fmt::format("{}: tensor `{}` is missing", checkpoint.folder(), piece.name)};
      std::vector<int64_t> shape = parameter.shape;
      shape[0] = piece.rows;
      if (view->shape != shape) {
        return Error{fmt::format("{}: tensor `{}` is {}, config.json makes it {}", checkpoint.folder(), piece.name,
                                 weights::shape_text(view->shape), weights::shape_text(shape))};
      }
      const auto type = scalar_type(view->dtype);
      if (!type) {
        return Error{fmt::format("{}: tensor `{}` is of {}, which is no weight of a model here", checkpoint.folder(),
                                 piece.name, weights::name_of(view->dtype))};
      }
      // from_blob wants a pointer that may be written to; nothing writes.
      auto* data = const_cast<std::byte*>(view->bytes.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      parameter.value.narrow(0, row, piece.rows).copy_(at::from_blob(data, shape, at::TensorOptions(*type)));
      row += piece.rows;
    }
  }
  if (Result<void> checked = check_unknown(config, checkpoint, known); !checked) return checked.error();
  out.bind();
  return out;
}

Result<void> Parameters::save(const Config& config, const std::string& folder, at::ScalarType dtype) const {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> kept;  // what the views look at
  std::vector<TensorView> views;
  for (const Parameter& parameter : list_) {
    const at::Tensor& value = kept.emplace_back(parameter.value.detach().to(at::kCPU, dtype).contiguous());
    int64_t row = 0;
    for (const Piece& piece : parameter.pieces) {
      const at::Tensor rows = value.narrow(0, row, piece.rows);
      views.push_back({piece.name,
                       dtype_of(dtype),
                       rows.sizes().vec(),
                       {static_cast<const std::byte*>(rows.const_data_ptr()), rows.nbytes()}});
      row += piece.rows;
    }
  }
  if (Result<void> written = weights::write_checkpoint(folder, views); !written) return written.error();
  nlohmann::ordered_json json = config_json(config);
  json["torch_dtype"] = dtype == at::kBFloat16 ? "bfloat16" : dtype == at::kHalf ? "float16" : "float32";
  json.erase("dtype");
  return replace_file(folder + "/config.json", json.dump(2) + "\n");
}

Parameters Parameters::frozen(at::ScalarType dtype, at::Device device) const {
  const at::NoGradGuard no_grad;
  Parameters out = *this;
  for (Parameter& parameter : out.list_) {
    parameter.value = parameter.value.detach().to(at::TensorOptions(dtype).device(device), false, true);
  }
  out.bind();
  return out;
}

void Parameters::to(at::Device device) {
  const at::NoGradGuard no_grad;
  for (Parameter& parameter : list_) parameter.value = parameter.value.detach().to(device);
  bind();
}

void Parameters::set_requires_grad(bool on) {
  for (Parameter& parameter : list_) parameter.value.set_requires_grad(on);
}

}  // namespace wend::model
