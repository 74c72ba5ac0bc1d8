// model_outputs FOLDER INPUT OUTPUT [EXPORT]: what our decoder makes of token ids, for model_run.py.
// INPUT: safetensors with `ids` [T] and `starts` [n + 1], both I64. OUTPUT: `logits` [T, V]; `log_probs` and `entropy`
// of each next token; `gradient.NAME` of their mean for every tensor of the checkpoint. EXPORT: where the model is
// saved.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

#include <cstdio>
#include <cstring>

#include "trainer/model/decoder.h"
#include "trainer/model/head.h"

namespace {

using namespace wend;
using namespace wend::model;

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

std::vector<int64_t> integers(const weights::SafetensorsFile& file, std::string_view name) {
  for (const weights::TensorView& tensor : file.tensors()) {
    if (tensor.name != name) continue;
    std::vector<int64_t> out(tensor.bytes.size() / sizeof(int64_t));
    std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
    return out;
  }
  fmt::print(stderr, "no `{}`\n", name);
  std::exit(1);
}

// Named tensors on their way into a file.
class Outputs {
 public:
  void add(std::string name, const at::Tensor& tensor) {
    const at::Tensor& kept = kept_.emplace_back(tensor.detach().contiguous());
    views_.push_back({std::move(name),
                      weights::DType::f32,
                      kept.sizes().vec(),
                      {static_cast<const std::byte*>(kept.const_data_ptr()), kept.nbytes()}});
  }
  Result<void> write(const std::string& path) const { return weights::write_safetensors(path, views_); }

 private:
  std::vector<at::Tensor> kept_;
  std::vector<weights::TensorView> views_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const std::string folder = arguments[1];
  const Config config = need(read_config(folder + "/config.json"));
  Parameters parameters = need(Parameters::load(config, need(weights::Checkpoint::open(folder))));
  const auto input = need(weights::SafetensorsFile::open(arguments[2]));
  const std::vector<int64_t> ids = integers(input, "ids"), starts = integers(input, "starts");
  std::vector<std::vector<int64_t>> sequences;
  for (size_t i = 0; i + 1 < starts.size(); ++i) sequences.emplace_back(&ids[starts[i]], &ids[starts[i + 1]]);
  const Packed batch = Packed::of(sequences);

  std::vector<int64_t> here, next;  // rows of the hidden states, and the ids that follow them
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    for (int64_t t = starts[i]; t + 1 < starts[i + 1]; ++t) {
      here.push_back(t);
      next.push_back(ids[t + 1]);
    }
  }
  Outputs outputs;
  {
    const at::NoGradGuard no_grad;
    outputs.add("logits", logits(hidden_states(config, parameters, batch), parameters.head()));
  }
  // Small chunks and checkpointing, so that their seams are part of what is compared.
  parameters.set_requires_grad(true);
  const at::Tensor hidden = hidden_states(config, parameters, batch, {.compute = {}, .checkpoint = true});
  const TokenScores scores = token_scores(hidden.index_select(0, at::tensor(here)), parameters.head(), at::tensor(next),
                                          {.temperature = 1, .logits_bytes = 4 * config.vocabulary * 3});
  (scores.log_probs.mean() + scores.entropy.mean()).backward();
  outputs.add("log_probs", scores.log_probs);
  outputs.add("entropy", scores.entropy);
  for (const Parameter& parameter : parameters.list()) {
    int64_t row = 0;
    for (const Piece& piece : parameter.pieces) {
      outputs.add("gradient." + piece.name, parameter.value.grad().narrow(0, row, piece.rows));
      row += piece.rows;
    }
  }
  if (const Result<void> written = outputs.write(arguments[3]); !written) return 1;
  if (count > 4) {
    if (const Result<void> saved = parameters.save(config, arguments[4], at::kFloat); !saved) return 1;
  }
  return 0;
}
