// Generation with continuous batching: requests come and go at any step, each step gives every running one a token.
//
//   Generator generator(config, parameters, {.slots = 16, .capacity = 2048});
//   generator.submit({.session = 7, .prompt = ids, .sampling = {.seed = 1}, .stop = {end}, .most = 256});
//   while (!generator.idle()) {
//     for (Completion& done : generator.step()) use(done);
//   }
//
// A session's keys and values stay in their slot between its requests, so that the next prompt costs only what it does
// not share with what the session has already seen. On the CPU in fp32 the tokens of a request are the same whatever
// other requests run beside it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trainer/model/config.h"
#include "trainer/model/parameters.h"
#include "trainer/rollout/sampler.h"

namespace wend::rollout {

struct GenerationRequest {
  uint64_t session = 0;  // a dialogue; one request of it at a time
  std::vector<int32_t> prompt;
  Sampling sampling;
  std::vector<int32_t> stop;  // tokens that end it; they are part of what is generated
  int64_t most = 0;           // tokens to generate at most
};

enum class StopReason : uint8_t {
  stop,     // a stop token
  most,     // as many tokens as were allowed: truncated
  capacity  // the session's slot is full: truncated
};

struct Completion {
  uint64_t session = 0;
  std::vector<int32_t> tokens;
  std::vector<float> log_probs;  // as sampled
  StopReason reason = StopReason::stop;
  int64_t reused = 0;  // tokens of the prompt that the slot held already
};

struct GeneratorOptions {
  int64_t slots = 16;       // sessions that are kept at once
  int64_t capacity = 2048;  // tokens of one session
};

class Generator {
 public:
  // The parameters are used, not copied; they must stay until use() names others.
  Generator(const model::Config& config, const model::Parameters& parameters, const GeneratorOptions& options);

  // A prompt may be as long as the capacity; a longer one, or an empty one, comes back at once with reason `capacity`.
  void submit(GenerationRequest request);
  // Admits what waits as long as slots are free, then generates one token for each running request.
  std::vector<Completion> step();
  bool idle() const { return waiting_.empty() && running_.empty(); }

  // The session's slot may be given to others.
  void release(uint64_t session);
  // New weights: what is kept of all sessions was made by the old ones and is forgotten. Nothing may be running.
  void use(const model::Parameters& parameters);

  struct Counts {
    uint64_t prompt_tokens = 0, reused_tokens = 0, generated_tokens = 0, steps = 0;
  };
  const Counts& counts() const { return counts_; }
  const GeneratorOptions& options() const { return options_; }

 private:
  struct Slot {
    std::optional<uint64_t> session;
    bool busy = false;
    uint64_t last_used = 0;
    std::vector<int32_t> tokens;  // whose keys and values it holds
  };
  struct Running {
    GenerationRequest request;
    Completion out;
    Sampler sampler;
    int64_t slot;
    int32_t last;  // the token that the next step reads
  };

  std::optional<int64_t> slot_for(uint64_t session);
  void admit();
  void prefill(GenerationRequest request, int64_t slot);
  // The token is the request's next; true: it has all it gets.
  bool take(Running& running, const Sampled& sampled);
  at::Tensor forward(const std::vector<int32_t>& tokens, const std::vector<int64_t>& slots,
                     const std::vector<int64_t>& positions);
  at::Tensor forward_prompt(const std::vector<int32_t>& tokens, int64_t slot, int64_t from);
  void finish(Running& running, std::vector<Completion>& out);

  model::Config config_;
  const model::Parameters* parameters_;
  GeneratorOptions options_;
  std::vector<at::Tensor> keys_, values_;  // a layer each: [slots, kv_heads, capacity, head_size]
  std::vector<Slot> slots_;
  std::unordered_map<uint64_t, int64_t> slot_of_;
  std::deque<GenerationRequest> waiting_;
  std::vector<Running> running_;
  std::vector<Completion> done_;  // by admit()
  uint64_t clock_ = 0;
  Counts counts_;
};

}  // namespace wend::rollout
