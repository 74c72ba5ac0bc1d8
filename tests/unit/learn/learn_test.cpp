// Steps of learning on small models: what must not depend on how a batch is cut, what a first step must show, a task
// whose best policy is known.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <torch/types.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "runtime/random.h"
#include "trainer/learn/ppo.h"
#include "trainer/learn/sft.h"
#include "trainer/rollout/generator.h"

namespace wend::learn {
namespace {

model::Config small_config() {
  model::Config c;
  c.vocabulary = 23;
  c.hidden = 32;
  c.intermediate = 48;
  c.layers = 2;
  c.heads = 4;
  c.kv_heads = 2;
  c.head_size = 8;
  c.positions = 64;
  c.qk_norm = true;
  c.tied_embeddings = true;
  c.init_deviation = 0.2;
  return c;
}

model::Policy policy_with(uint64_t seed) {
  model::Policy policy = model::Policy::random(small_config(), seed);
  policy.set_requires_grad(true);
  return policy;
}

std::vector<Sequence> some_sequences() {
  std::vector<Sequence> out;
  Random random(5);
  for (const int32_t length : {5, 9, 3, 12, 7, 4}) {
    Sequence sequence;
    for (int32_t t = 0; t < length; ++t) {
      // Different beginnings, so that what follows can be known.
      sequence.tokens.push_back(static_cast<int32_t>(t == 0 ? out.size() : random.below(23)));
      if (t > 0 && (t == length - 1 || random.chance(0.6))) sequence.chosen.push_back(t);
    }
    out.push_back(std::move(sequence));
  }
  return out;
}

std::vector<at::Tensor> weights_of(const model::Policy& policy) {
  std::vector<at::Tensor> out;
  for (const auto& [name, tensor] : policy.trainable()) out.push_back(tensor.detach().clone());
  return out;
}

double largest_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double out = 0;
  for (size_t i = 0; i < a.size(); ++i) out = std::max(out, (a[i] - b[i]).abs().max().item<double>());
  return out;
}

// Plain steps, whose size is the gradient's: Adam's first one is the rate whatever the gradient.
AdamOptions plain() {
  AdamOptions options;
  options.rate = 1e-2;
  options.epsilon = 1;
  options.max_grad_norm = 0;
  return options;
}

Experience some_experience(const model::Policy& policy, uint64_t seed) {
  Experience e;
  e.sequences = some_sequences();
  const int64_t tokens = number_chosen(e.sequences);
  e.trajectory_of = {0, 0, 1, 2, 2, 3};
  for (size_t i = 0; i < e.sequences.size(); ++i) {
    const size_t t = e.trajectory_of[i];
    const int64_t end = e.sequences[i].first + e.sequences[i].count();
    if (t == e.trajectories.size()) e.trajectories.push_back({e.sequences[i].first, end, t == 1});
    e.trajectories[t].end = end;
    e.answers.push_back({e.sequences[i].first, end, i % 2 == 0});
  }
  Random random(seed);
  e.rewards.resize(static_cast<size_t>(tokens));
  for (const losses::Trajectory& t : e.trajectories)
    e.rewards[static_cast<size_t>(t.end - 1)] = random.uniform() * 4 - 2;
  for (int64_t i = 0; i < tokens; ++i) e.context.push_back(i % 3 == 0);
  Experience::Pair pair{2, e.sequences[3], e.sequences[3]};
  pair.without_block.tokens.erase(pair.without_block.tokens.begin());
  std::erase(pair.with_block.chosen, 1);
  for (int32_t& position : pair.without_block.chosen = pair.with_block.chosen) --position;
  e.pairs = {pair};
  (void)policy;
  return e;
}

PpoOptions all_losses() {
  PpoOptions options;
  options.w_cal = 0.3;
  options.w_ext = 0.2;
  options.w_dist = 0.5;
  options.kl_weight = 0.1;
  options.mini_batch = 0;
  return options;
}

TEST(Sft, LearnsTheSequences) {
  model::Policy policy = policy_with(1);
  AdamOptions adam;
  adam.rate = 3e-3;
  Optimizer optimizer(policy.trainable(), adam);
  std::vector<Sequence> sequences = some_sequences();
  const double before = sft_loss(policy, sequences, 1000).loss;
  for (int i = 0; i < 300; ++i) sft_step(policy, optimizer, sequences, 1000);
  EXPECT_GT(before, 2);
  EXPECT_LT(sft_loss(policy, sequences, 1000).loss, 0.05);
}

TEST(Sft, MicroBatchesDoNotMatter) {
  std::vector<at::Tensor> whole;
  for (const int64_t budget : {1000, 15, 1}) {
    model::Policy policy = policy_with(2);
    Optimizer optimizer(policy.trainable(), plain());
    std::vector<Sequence> sequences = some_sequences();
    const SftResult result = sft_step(policy, optimizer, sequences, budget);
    EXPECT_EQ(result.chosen, number_chosen(sequences));
    const std::vector<at::Tensor> after = weights_of(policy);
    if (whole.empty()) whole = after;
    EXPECT_LT(largest_difference(whole, after), 2e-7) << budget;
  }
  EXPECT_GT(largest_difference(whole, weights_of(policy_with(2))), 1e-4) << "nothing was learnt at all";
}

TEST(Sft, CheckpointingDoesNotMatter) {
  std::vector<at::Tensor> results[2];
  for (const bool checkpoint : {false, true}) {
    model::Policy policy = policy_with(2);
    Optimizer optimizer(policy.trainable(), plain());
    std::vector<Sequence> sequences = some_sequences();
    ScoreOptions options;
    options.checkpoint = checkpoint;
    sft_step(policy, optimizer, sequences, 1000, options);
    results[checkpoint] = weights_of(policy);
  }
  EXPECT_LT(largest_difference(results[0], results[1]), 1e-7);
}

TEST(Ppo, MicroBatchesDoNotMatter) {
  std::vector<at::Tensor> whole;
  for (const int64_t budget : {1000, 15, 1}) {
    model::Policy policy = policy_with(3);
    const model::Policy reference = model::Policy::random(small_config(), 4);
    Optimizer optimizer(policy.trainable(), plain());
    Experience e = some_experience(policy, 6);
    PpoOptions options = all_losses();
    options.token_budget = budget;
    ASSERT_TRUE(ppo_step(policy, &reference, optimizer, e, options));
    const std::vector<at::Tensor> after = weights_of(policy);
    if (whole.empty()) whole = after;
    EXPECT_LT(largest_difference(whole, after), 5e-7) << budget;
  }
  EXPECT_GT(largest_difference(whole, weights_of(policy_with(3))), 1e-4);
}

std::map<std::string, double> metrics_of(const Result<std::vector<Metric>>& result) {
  std::map<std::string, double> out;
  for (const Metric& metric : *result) out[metric.name] = metric.value;
  return out;
}

TEST(Ppo, TheFirstMiniBatchHasRatioOne) {
  model::Policy policy = policy_with(3);
  Optimizer optimizer(policy.trainable(), plain());
  Experience e = some_experience(policy, 6);
  PpoOptions options;
  options.mini_batch = 0;
  auto metrics = metrics_of(ppo_step(policy, nullptr, optimizer, e, options));
  EXPECT_EQ(metrics.at("actor/pg_clipfrac"), 0);
  EXPECT_NEAR(metrics.at("actor/ppo_kl"), 0, 1e-6);
  EXPECT_NEAR(metrics.at("actor/pg_loss"), 0, 1e-6) << "whitened advantages have the mean 0";
  // From the second one on it need not be.
  options.epochs = 6;
  metrics = metrics_of(ppo_step(policy, nullptr, optimizer, e, options));
  EXPECT_GT(std::abs(metrics.at("actor/ppo_kl")), 1e-6);
}

TEST(Ppo, WhatIsLeftOutTeachesNothing) {
  // A reward that is no number: the trajectory is not kept, and the step is the one without it.
  std::vector<at::Tensor> results[2];
  for (const bool present : {false, true}) {
    model::Policy policy = policy_with(3);
    Optimizer optimizer(policy.trainable(), plain());
    Experience e = some_experience(policy, 6);
    const losses::Trajectory last = e.trajectories.back();
    if (present) {
      e.rewards[static_cast<size_t>(last.end - 1)] = NAN;
      e.kept = {true, true, true, false};
    } else {
      e.sequences.pop_back();
      e.trajectories.pop_back();
      e.trajectory_of.pop_back();
      e.answers.pop_back();
      e.rewards.resize(static_cast<size_t>(last.begin));
      e.context.resize(static_cast<size_t>(last.begin));
    }
    PpoOptions options = all_losses();
    const auto metrics = metrics_of(ppo_step(policy, nullptr, optimizer, e, options));
    EXPECT_EQ(metrics.at("batch/left_out"), present ? 1 : 0);
    EXPECT_TRUE(std::isfinite(metrics.at("critic/score/mean")));
    results[present] = weights_of(policy);
  }
  EXPECT_LT(largest_difference(results[0], results[1]), 5e-7);
}

TEST(Ppo, NothingToLearnFromIsAnError) {
  model::Policy policy = policy_with(3);
  Optimizer optimizer(policy.trainable(), plain());
  Experience e = some_experience(policy, 6);
  e.kept = {false, false, false, false};
  EXPECT_FALSE(ppo_step(policy, nullptr, optimizer, e, {}));
}

TEST(Ppo, AGradientThatIsNoNumberChangesNothing) {
  model::Policy policy = policy_with(3);
  Optimizer optimizer(policy.trainable(), plain());
  const std::vector<at::Tensor> before = weights_of(policy);
  policy.parameters.norm().mutable_grad() = at::full_like(policy.parameters.norm(), NAN);
  EXPECT_FALSE(std::isfinite(optimizer.step()));
  EXPECT_EQ(largest_difference(before, weights_of(policy)), 0);
}

TEST(Learning, GoesOnWithTheSameNumbers) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("wend-adam-" + std::to_string(::getpid()))).string();
  model::Policy policy = policy_with(2);
  Optimizer optimizer(policy.trainable(), {});
  std::vector<Sequence> sequences = some_sequences();
  for (int i = 0; i < 3; ++i) sft_step(policy, optimizer, sequences, 1000);
  ASSERT_TRUE(optimizer.save(file));
  model::Policy again = policy_with(9);
  {
    const at::NoGradGuard no_grad;
    const auto from = policy.trainable(), to = again.trainable();
    for (size_t i = 0; i < from.size(); ++i) to[i].second.copy_(from[i].second);
  }
  Optimizer resumed(again.trainable(), {});
  const Result<void> loaded = resumed.load(file);
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sft_step(policy, optimizer, sequences, 1000).loss, sft_step(again, resumed, sequences, 1000).loss);
  }
  EXPECT_EQ(largest_difference(weights_of(policy), weights_of(again)), 0);
  std::filesystem::remove(file);
}

// Two turns: the policy sees 1 or 2 and must say 11 or 12; it is told 3 or 4 and must say 13 or 14. Half a point each.
class TwoTurns {
 public:
  double play(model::Policy& policy, uint64_t seed, int64_t games, Experience& e) {
    rollout::Generator generator(policy.config, policy.parameters, {16, 16});
    std::map<uint64_t, std::vector<int32_t>> prompts;
    double total = 0;
    e = {};
    for (uint64_t game = 0; game < static_cast<uint64_t>(games); ++game) {
      Random random(seed_of(seed, "game", game));
      const auto first = static_cast<int32_t>(1 + random.below(2)), second = static_cast<int32_t>(3 + random.below(2));
      Sequence sequence{{0, first}, {2, 4}, 0};
      const auto one = say(generator, game, sequence.tokens, seed);
      sequence.tokens.push_back(one.tokens[0]);
      sequence.tokens.push_back(second);
      const auto two = say(generator, game, sequence.tokens, seed + 1);
      sequence.tokens.push_back(two.tokens[0]);
      generator.release(game);
      const auto begin = static_cast<int64_t>(e.rewards.size());
      e.rewards.push_back(one.tokens[0] == first + 10 ? 0.5 : 0);
      e.rewards.push_back(two.tokens[0] == second + 10 ? 0.5 : 0);
      e.sampled_log_probs.push_back(one.log_probs[0]);
      e.sampled_log_probs.push_back(two.log_probs[0]);
      total += e.rewards[static_cast<size_t>(begin)] + e.rewards[static_cast<size_t>(begin) + 1];
      e.trajectory_of.push_back(e.sequences.size());
      e.sequences.push_back(std::move(sequence));
      e.trajectories.push_back({begin, begin + 2, false});
    }
    return total / static_cast<double>(games);
  }

 private:
  static rollout::Completion say(rollout::Generator& generator, uint64_t game, const std::vector<int32_t>& prompt,
                                 uint64_t seed) {
    generator.submit({game, prompt, {1, 1, seed_of(seed, "say", game)}, {}, 1});
    std::vector<rollout::Completion> done;
    while (done.empty()) done = generator.step();
    return done[0];
  }
};

TEST(Ppo, ReachesTheBestPolicyOfATwoTurnTask) {
  model::Policy policy = policy_with(8);
  AdamOptions adam;
  adam.rate = 2e-3;
  Optimizer optimizer(policy.trainable(), adam);
  TwoTurns task;
  Experience e;
  PpoOptions options;
  options.gae = {1, 0.95};
  options.mini_batch = 16;
  options.epochs = 2;
  options.entropy_weight = 0.02;  // or it settles on one of the answers before it has seen both
  const double before = task.play(policy, 1, 64, e);
  for (uint64_t step = 0; step < 80; ++step) {
    task.play(policy, 100 + step, 64, e);
    const auto metrics = metrics_of(ppo_step(policy, nullptr, optimizer, e, options));
    EXPECT_LT(metrics.at("training/rollout_probs_diff_max"), 1e-4);
  }
  EXPECT_LT(before, 0.3);
  EXPECT_GT(task.play(policy, 2, 200, e), 0.97);
}

}  // namespace
}  // namespace wend::learn
