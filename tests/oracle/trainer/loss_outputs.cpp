// loss_outputs INPUT OUTPUT: our losses and their gradients in fp64, for losses_run.py, which describes the tensors.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

#include <cstdio>
#include <cstring>
#include <map>

#include "trainer/losses/advantages.h"
#include "trainer/losses/context.h"
#include "trainer/losses/ppo.h"
#include "trainer/model/head.h"
#include "trainer/weights/safetensors.h"

namespace {

using namespace wend;

class Tensors {
 public:
  explicit Tensors(const std::string& path) {
    const Result<weights::SafetensorsFile> file = weights::SafetensorsFile::open(path);
    if (!file) {
      fmt::print(stderr, "{}\n", file.error().message);
      std::exit(1);
    }
    for (const weights::TensorView& view : file->tensors()) {
      at::Tensor tensor = at::empty(view.shape, view.dtype == weights::DType::i64 ? at::kLong : at::kDouble);
      std::memcpy(tensor.data_ptr(), view.bytes.data(), view.bytes.size());
      all_[view.name] = tensor;
    }
  }
  const at::Tensor& operator[](const std::string& name) const { return all_.at(name); }
  at::Tensor leaf(const std::string& name) const { return all_.at(name).clone().requires_grad_(true); }
  double number(const std::string& name) const { return all_.at(name).item<double>(); }
  std::vector<double> list(const std::string& name) const {
    const at::Tensor& x = all_.at(name);
    return {x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel()};
  }
  std::vector<int64_t> integers(const std::string& name) const {
    const at::Tensor& x = all_.at(name);
    return {x.const_data_ptr<int64_t>(), x.const_data_ptr<int64_t>() + x.numel()};
  }

 private:
  std::map<std::string, at::Tensor> all_;
};

class Outputs {
 public:
  void add(const std::string& name, const at::Tensor& tensor) {
    const at::Tensor& kept = kept_.emplace_back(tensor.detach().to(at::kDouble).contiguous());
    views_.push_back({name,
                      weights::DType::f64,
                      kept.sizes().vec(),
                      {static_cast<const std::byte*>(kept.const_data_ptr()), kept.nbytes()}});
  }
  void add(const std::string& name, const std::vector<double>& list) { add(name, at::tensor(list, at::kDouble)); }
  void loss(const std::string& name, const at::Tensor& loss, const std::map<std::string, at::Tensor>& leaves) {
    add(name, loss.reshape({-1}));
    loss.sum().backward();
    for (const auto& [of, leaf] : leaves) add(name + ".grad." + of, leaf.grad());
  }
  bool write(const std::string& path) const { return bool(weights::write_safetensors(path, views_)); }

 private:
  std::vector<at::Tensor> kept_;
  std::vector<weights::TensorView> views_;
};

std::vector<losses::Trajectory> trajectories(const Tensors& in) {
  const std::vector<int64_t> starts = in.integers("starts");
  std::vector<losses::Trajectory> out;
  for (size_t i = 0; i + 1 < starts.size(); ++i) out.push_back({starts[i], starts[i + 1], false});
  return out;
}

void policy_and_value(const Tensors& in, Outputs& out) {
  const losses::PolicyOptions options{in.number("clip_low"), in.number("clip_high"), in.number("dual_clip")};
  const at::Tensor log_probs = in.leaf("log_probs");
  const losses::PolicyLoss policy =
      losses::policy_loss(log_probs, in["old_log_probs"], in["advantages"], in["weights"], options);
  out.loss("policy", policy.loss, {{"log_probs", log_probs}});
  out.add("clip_fraction", std::vector<double>{policy.clip_fraction});
  const at::Tensor values = in.leaf("values");
  out.loss("value", losses::value_loss(values, in["old_values"], in["returns"], in["weights"], 0.2).loss,
           {{"values", values}});
  for (const auto guard : {losses::ExtGuard::none, losses::ExtGuard::positive, losses::ExtGuard::ratio}) {
    const at::Tensor leaf = in.leaf("log_probs");
    const at::Tensor coefficients =
        losses::guarded(in["advantages"], leaf, in["old_log_probs"], guard, options.clip_low);
    out.loss(fmt::format("ext{}", static_cast<int>(guard)), losses::weighted_nll(leaf, coefficients),
             {{"log_probs", leaf}});
  }
}

void estimators(const Tensors& in, Outputs& out) {
  const losses::Advantages found = losses::generalized_advantages(trajectories(in), in.list("rewards"),
                                                                  in.list("values"), in.list("bootstrap"), {0.97, 0.9});
  out.add("gae", found.advantages);
  std::vector<double> white = found.advantages;
  const std::vector<double> weights = in.list("weights");
  if (!losses::whiten(white, weights)) std::exit(1);
  out.add("white", white);
  for (const std::string name : {"k1", "k2", "k3", "abs"}) {
    out.add(name, losses::kl_penalty(in.list("log_probs"), in.list("old_log_probs"), *losses::kl_estimator(name)));
  }
}

void heads(const Tensors& in, Outputs& out) {
  for (const bool small_chunks : {false, true}) {
    model::HeadOptions options;
    options.temperature = in.number("temperature");
    if (small_chunks) options.logits_bytes = 4 * in["head"].size(0) * 3;
    const std::string suffix = small_chunks ? "_chunks" : "";
    const at::Tensor hidden = in.leaf("hidden"), head = in.leaf("head");
    const model::TokenScores scores = model::token_scores(hidden, head, in["targets"], options);
    out.loss("scores" + suffix, scores.log_probs * in["advantages"] + scores.entropy * in["values"],
             {{"hidden", hidden}, {"head", head}});
    const at::Tensor teacher = in.leaf("teacher"), student = in.leaf("hidden"), of_both = in.leaf("head");
    out.loss("dist" + suffix, model::distillation_kl(teacher, student, of_both, options) * in["weights"],
             {{"hidden", student}, {"head", of_both}});
    if (teacher.grad().defined()) std::exit(1);  // the teacher learns nothing
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const Tensors in(arguments[1]);
  Outputs out;
  policy_and_value(in, out);
  estimators(in, out);
  heads(in, out);
  return out.write(arguments[2]) ? 0 : 1;
}
