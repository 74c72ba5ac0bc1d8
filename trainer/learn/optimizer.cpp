#include "trainer/learn/optimizer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

#include <cmath>
#include <cstring>

#include "trainer/weights/safetensors.h"

namespace wend::learn {

Optimizer::Optimizer(Named parameters, AdamOptions options) : parameters_(std::move(parameters)), options_(options) {
  for (const auto& [name, tensor] : parameters_) {
    first_.push_back(at::zeros_like(tensor));
    second_.push_back(at::zeros_like(tensor));
  }
}

void Optimizer::zero_grad() {
  for (auto& [name, tensor] : parameters_) tensor.mutable_grad().reset();
}

double Optimizer::step() {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients;
  for (const auto& [name, tensor] : parameters_) {
    if (tensor.grad().defined()) gradients.push_back(tensor.grad());
  }
  if (gradients.empty()) return 0;
  const double norm = at::stack(at::_foreach_norm(gradients)).norm().item<double>();
  if (!std::isfinite(norm)) {
    zero_grad();
    return norm;
  }
  if (options_.max_grad_norm > 0 && norm > options_.max_grad_norm) {
    at::_foreach_mul_(gradients, options_.max_grad_norm / (norm + 1e-6));
  }
  ++steps_;
  for (const bool decayed : {true, false}) {
    std::vector<at::Tensor> of, grads, firsts, seconds, steps;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const at::Tensor& tensor = parameters_[i].second;
      if (!tensor.grad().defined() || (tensor.dim() > 1) != decayed) continue;
      of.push_back(tensor);
      grads.push_back(tensor.grad());
      firsts.push_back(first_[i]);
      seconds.push_back(second_[i]);
      // The kernel's count is the step's number.
      steps.push_back(at::full({}, static_cast<double>(steps_), tensor.options().dtype(at::kFloat)));
    }
    if (of.empty()) continue;
    at::_fused_adamw_(of, grads, firsts, seconds, {}, steps, options_.rate, options_.beta1, options_.beta2,
                      decayed ? options_.weight_decay : 0, options_.epsilon, false, false);
  }
  zero_grad();
  return norm;
}

Result<void> Optimizer::save(const std::string& path) const {
  std::vector<at::Tensor> kept;
  std::vector<weights::TensorView> views;
  const auto add = [&](const std::string& name, const at::Tensor& tensor) {
    const at::Tensor& on_cpu = kept.emplace_back(tensor.to(at::kCPU, at::kFloat).contiguous());
    views.push_back({name,
                     weights::DType::f32,
                     on_cpu.sizes().vec(),
                     {static_cast<const std::byte*>(on_cpu.const_data_ptr()), on_cpu.nbytes()}});
  };
  for (size_t i = 0; i < parameters_.size(); ++i) {
    add("first." + parameters_[i].first, first_[i]);
    add("second." + parameters_[i].first, second_[i]);
  }
  return weights::write_safetensors(path, views, {{"steps", std::to_string(steps_)}});
}

Result<void> Optimizer::load(const std::string& path) {
  const at::NoGradGuard no_grad;
  Result<weights::SafetensorsFile> file = weights::SafetensorsFile::open(path);
  if (!file) return file.error();
  size_t taken = 0;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    for (const weights::TensorView& tensor : file->tensors()) {
      const bool first = tensor.name == "first." + parameters_[i].first;
      if (!first && tensor.name != "second." + parameters_[i].first) continue;
      at::Tensor& to = first ? first_[i] : second_[i];
      if (tensor.dtype != weights::DType::f32 || tensor.shape != to.sizes().vec()) {
        return Error{fmt::format("{}: tensor `{}` is {}, the parameter is {}", path, tensor.name,
                                 weights::shape_text(tensor.shape), weights::shape_text(to.sizes().vec()))};
      }
      at::Tensor read = at::empty(tensor.shape, at::kFloat);
      std::memcpy(read.data_ptr(), tensor.bytes.data(), tensor.bytes.size());
      to.copy_(read);
      ++taken;
    }
  }
  const auto steps = file->metadata().find("steps");
  if (taken != 2 * parameters_.size() || steps == file->metadata().end()) {
    return Error{path + ": is no state of this model's optimiser"};
  }
  steps_ = std::strtoll(steps->second.c_str(), nullptr, 10);
  return {};
}

}  // namespace wend::learn
