#include "trainer/rollout/generator.h"

#include <ATen/ATen.h>
#include <torch/types.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "trainer/model/cpu_kernels.h"
#include "trainer/model/decoder.h"
#include "trainer/model/head.h"

namespace wend::rollout {
namespace {

int64_t common_prefix(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

at::Tensor ids_of(const std::vector<int32_t>& tokens, at::Device device) {
  return at::tensor(std::vector<int64_t>(tokens.begin(), tokens.end()), at::kLong).to(device);
}

std::span<const float> row(const at::Tensor& logits, int64_t i) {
  return {logits.const_data_ptr<float>() + i * logits.size(1), static_cast<size_t>(logits.size(1))};
}

// Queries [n, heads, d] of one sequence at positions from.. against keys and values [kv_heads, from + n, d]: each sees
// what is before it and itself.
at::Tensor attend_prompt(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values, int64_t from) {
  const int64_t n = queries.size(0), groups = queries.size(1) / keys.size(0), all = keys.size(1);
  const auto grouped = [&](const at::Tensor& x) {
    return (groups > 1 ? x.repeat_interleave(groups, 0) : x).unsqueeze(0);
  };
  std::optional<at::Tensor> mask;  // a causal mask of a part is not the kernel's own, which begins at the top left
  if (from > 0) mask = at::ones({n, all}, queries.options().dtype(at::kBool)).tril(from);
  return at::scaled_dot_product_attention(queries.transpose(0, 1).unsqueeze(0), grouped(keys), grouped(values), mask,
                                          0.0, from == 0)
      .squeeze(0)
      .transpose(0, 1);
}

}  // namespace

Generator::Generator(const model::Config& config, const model::Parameters& parameters, const GeneratorOptions& options)
    : config_(config), parameters_(&parameters), options_(options) {
  const at::NoGradGuard no_grad;
  const at::TensorOptions like = parameters.embedding().options().requires_grad(false);
  for (int64_t i = 0; i < config.layers; ++i) {
    const std::vector<int64_t> shape = {options.slots, config.kv_heads, options.capacity, config.head_size};
    keys_.push_back(at::empty(shape, like));
    values_.push_back(at::empty(shape, like));
  }
  slots_.resize(static_cast<size_t>(options.slots));
}

void Generator::submit(GenerationRequest request) { waiting_.push_back(std::move(request)); }

void Generator::release(uint64_t session) {
  const auto found = slot_of_.find(session);
  if (found == slot_of_.end()) return;
  slots_[static_cast<size_t>(found->second)] = {};
  slot_of_.erase(found);
}

void Generator::use(const model::Parameters& parameters) {
  assert(running_.empty());
  parameters_ = &parameters;
  std::fill(slots_.begin(), slots_.end(), Slot{});
  slot_of_.clear();
}

// The session's own slot, a free one, or that of the session that has rested longest.
std::optional<int64_t> Generator::slot_for(uint64_t session) {
  if (const auto found = slot_of_.find(session); found != slot_of_.end()) return found->second;
  std::optional<size_t> best;
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].busy) continue;
    if (!best || slots_[i].last_used < slots_[*best].last_used) best = i;
  }
  if (!best) return {};
  Slot& slot = slots_[*best];
  if (slot.session) slot_of_.erase(*slot.session);
  slot = {};
  slot.session = session;
  slot_of_[session] = static_cast<int64_t>(*best);
  return static_cast<int64_t>(*best);
}

void Generator::admit() {
  while (!waiting_.empty()) {
    const auto length = static_cast<int64_t>(waiting_.front().prompt.size());
    if (length == 0 || length > options_.capacity || waiting_.front().most <= 0) {
      const StopReason reason = waiting_.front().most <= 0 ? StopReason::most : StopReason::capacity;
      done_.push_back({waiting_.front().session, {}, {}, reason, 0});
      waiting_.pop_front();
      continue;
    }
    const std::optional<int64_t> slot = slot_for(waiting_.front().session);
    if (!slot) return;
    GenerationRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    prefill(std::move(request), *slot);
  }
}

// One prompt at a time: its results then do not depend on what is admitted beside it.
void Generator::prefill(GenerationRequest request, int64_t index) {
  Slot& slot = slots_[static_cast<size_t>(index)];
  slot.busy = true;
  slot.last_used = ++clock_;
  // The last token is always read again: its output is what the first new token is drawn from.
  const auto length = static_cast<int64_t>(request.prompt.size());
  const int64_t reused = std::min(common_prefix(slot.tokens, request.prompt), length - 1);
  counts_.prompt_tokens += static_cast<uint64_t>(length - reused);
  counts_.reused_tokens += static_cast<uint64_t>(reused);
  const std::vector<int32_t> fresh(request.prompt.begin() + reused, request.prompt.end());
  const at::Tensor hidden = forward_prompt(fresh, index, reused);
  slot.tokens = request.prompt;
  const at::Tensor logits = model::logits(hidden.narrow(0, hidden.size(0) - 1, 1), parameters_->head()).to(at::kCPU);

  Completion out;
  out.session = request.session;
  out.reused = reused;
  Sampler sampler(request.sampling);
  Running running{std::move(request), std::move(out), std::move(sampler), index, 0};
  if (take(running, running.sampler.next(row(logits, 0)))) {
    finish(running, done_);
  } else {
    running_.push_back(std::move(running));
  }
}

bool Generator::take(Running& running, const Sampled& sampled) {
  Completion& out = running.out;
  out.tokens.push_back(sampled.token);
  out.log_probs.push_back(sampled.log_prob);
  running.last = sampled.token;
  ++counts_.generated_tokens;
  const std::vector<int32_t>& stop = running.request.stop;
  if (std::find(stop.begin(), stop.end(), sampled.token) != stop.end()) {
    out.reason = StopReason::stop;
    return true;
  }
  if (static_cast<int64_t>(out.tokens.size()) >= running.request.most) {
    out.reason = StopReason::most;
    return true;
  }
  out.reason = StopReason::capacity;
  return static_cast<int64_t>(slots_[static_cast<size_t>(running.slot)].tokens.size()) >= options_.capacity;
}

void Generator::finish(Running& running, std::vector<Completion>& out) {
  slots_[static_cast<size_t>(running.slot)].busy = false;
  out.push_back(std::move(running.out));
}

at::Tensor Generator::forward_prompt(const std::vector<int32_t>& tokens, int64_t slot, int64_t from) {
  const auto n = static_cast<int64_t>(tokens.size());
  const at::Device device = keys_[0].device();
  const model::Attend attend = [&](int64_t layer, const at::Tensor& queries, const at::Tensor& keys,
                                   const at::Tensor& values) {
    const auto held = [&](const std::vector<at::Tensor>& cache) { return cache[static_cast<size_t>(layer)][slot]; };
    held(keys_).narrow(1, from, n).copy_(keys.transpose(0, 1));
    held(values_).narrow(1, from, n).copy_(values.transpose(0, 1));
    return attend_prompt(queries, held(keys_).narrow(1, 0, from + n), held(values_).narrow(1, 0, from + n), from);
  };
  const at::Tensor positions = at::arange(from, from + n, at::kLong).to(device);
  return model::hidden_states(config_, *parameters_, ids_of(tokens, device), positions, attend);
}

// One token of each of several sequences.
at::Tensor Generator::forward(const std::vector<int32_t>& tokens, const std::vector<int64_t>& slots,
                              const std::vector<int64_t>& positions) {
  const at::Device device = keys_[0].device();
  const at::Tensor at_slots = at::tensor(slots, at::kLong).to(device),
                   at_positions = at::tensor(positions, at::kLong).to(device);
  std::vector<int64_t> lengths = positions;
  for (int64_t& length : lengths) ++length;
  const model::Attend attend = [&](int64_t layer, const at::Tensor& queries, const at::Tensor& keys,
                                   const at::Tensor& values) {
    at::Tensor &k = keys_[static_cast<size_t>(layer)], &v = values_[static_cast<size_t>(layer)];
    const auto all = at::indexing::Slice();
    k.index_put_({at_slots, all, at_positions}, keys);
    v.index_put_({at_slots, all, at_positions}, values);
    if (model::cpu::takes(queries)) return model::cpu::attend_cache(queries, k, v, slots, lengths);
    std::vector<at::Tensor> out;  // a sequence at a time, where there is no kernel of ours
    for (size_t i = 0; i < slots.size(); ++i) {
      const auto one = static_cast<int64_t>(i);
      out.push_back(attend_prompt(queries.narrow(0, one, 1), k[slots[i]].narrow(1, 0, lengths[i]),
                                  v[slots[i]].narrow(1, 0, lengths[i]), positions[i]));
    }
    return at::cat(out);
  };
  return model::hidden_states(config_, *parameters_, ids_of(tokens, device), at_positions, attend);
}

std::vector<Completion> Generator::step() {
  const at::NoGradGuard no_grad;
  admit();
  std::vector<Completion> out = std::exchange(done_, {});
  if (running_.empty()) return out;
  ++counts_.steps;
  std::vector<int32_t> tokens;
  std::vector<int64_t> slots, positions;
  for (const Running& running : running_) {
    std::vector<int32_t>& held = slots_[static_cast<size_t>(running.slot)].tokens;
    tokens.push_back(running.last);
    slots.push_back(running.slot);
    positions.push_back(static_cast<int64_t>(held.size()));
    held.push_back(running.last);
  }
  const at::Tensor logits = model::logits(forward(tokens, slots, positions), parameters_->head()).to(at::kCPU);
  std::vector<Running> left;
  for (size_t i = 0; i < running_.size(); ++i) {
    Running& running = running_[i];
    if (take(running, running.sampler.next(row(logits, static_cast<int64_t>(i))))) {
      finish(running, out);
    } else {
      left.push_back(std::move(running));
    }
  }
  running_ = std::move(left);
  return out;
}

}  // namespace wend::rollout
