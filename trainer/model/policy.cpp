#include "trainer/model/policy.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>

namespace wend::model {
namespace {

constexpr std::string_view kCriticFile = "/value_head.safetensors";

Result<at::Tensor> vector_of(const weights::SafetensorsFile& file, std::string_view name, std::vector<int64_t> shape) {
  for (const weights::TensorView& tensor : file.tensors()) {
    if (tensor.name != name) continue;
    if (tensor.dtype != weights::DType::f32 || tensor.shape != shape) break;
    at::Tensor out = at::empty(shape, at::kFloat);
    std::memcpy(out.data_ptr(), tensor.bytes.data(), tensor.bytes.size());
    return out;
  }
  return Error{
      fmt::format("{}: tensor `{}` is missing, or not {} of F32", file.path(), name, weights::shape_text(shape))};
}

weights::TensorView view(std::string name, const at::Tensor& tensor) {
  return {std::move(name),
          weights::DType::f32,
          tensor.sizes().vec(),
          {static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes()}};
}

}  // namespace

ValueHead ValueHead::zeros(int64_t hidden, at::ScalarType dtype) {
  return {at::zeros({1, hidden}, dtype), at::zeros({1}, dtype)};
}

at::Tensor ValueHead::values(const at::Tensor& hidden) const {
  return at::linear(hidden.to(weight.scalar_type()), weight, bias).squeeze(1);
}

Policy Policy::random(const Config& config, uint64_t seed) {
  return {config, Parameters::random(config, seed), ValueHead::zeros(config.hidden)};
}

Result<Policy> Policy::load(const std::string& folder) {
  Result<Config> config = read_config(folder + "/config.json");
  if (!config) return config.error();
  Result<weights::Checkpoint> checkpoint = weights::Checkpoint::open(folder);
  if (!checkpoint) return checkpoint.error();
  Result<Parameters> parameters = Parameters::load(*config, *checkpoint);
  if (!parameters) return parameters.error();
  Policy out{*config, std::move(*parameters), ValueHead::zeros(config->hidden)};
  const std::string path = folder + std::string(kCriticFile);
  if (!std::filesystem::exists(path)) return out;
  Result<weights::SafetensorsFile> file = weights::SafetensorsFile::open(path);
  if (!file) return file.error();
  Result<at::Tensor> weight = vector_of(*file, "weight", {1, config->hidden}), bias = vector_of(*file, "bias", {1});
  if (!weight) return weight.error();
  if (!bias) return bias.error();
  out.critic = {*weight, *bias};
  return out;
}

Result<void> Policy::save(const std::string& folder, at::ScalarType dtype) const {
  if (Result<void> saved = parameters.save(config, folder, dtype); !saved) return saved;
  const at::Tensor weight = critic.weight.detach().to(at::kCPU, at::kFloat).contiguous();
  const at::Tensor bias = critic.bias.detach().to(at::kCPU, at::kFloat).contiguous();
  const std::vector<weights::TensorView> views = {view("weight", weight), view("bias", bias)};
  return weights::write_safetensors(folder + std::string(kCriticFile), views);
}

std::vector<std::pair<std::string, at::Tensor>> Policy::trainable() const {
  std::vector<std::pair<std::string, at::Tensor>> out;
  for (const Parameter& parameter : parameters.list()) out.emplace_back(parameter.name, parameter.value);
  out.emplace_back("critic.weight", critic.weight);
  out.emplace_back("critic.bias", critic.bias);
  return out;
}

void Policy::set_requires_grad(bool on) {
  for (auto& [name, tensor] : trainable()) tensor.set_requires_grad(on);
}

}  // namespace wend::model
