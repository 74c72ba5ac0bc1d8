// A step of PPO with the context losses (paper, Sec. 4.4, Alg. 1; reference.md section 8).
//
// L = L_PG + value_weight L_V - entropy_weight H + w_cal L_cal + w_ext L_ext + w_dist L_dist
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trainer/learn/batch.h"
#include "trainer/learn/optimizer.h"
#include "trainer/losses/actions.h"
#include "trainer/losses/advantages.h"
#include "trainer/losses/context.h"
#include "trainer/losses/ppo.h"

namespace wend::learn {

// What was experienced in a rollout. The list of chosen tokens goes trajectory by trajectory, and within one in the
// order of its sequences: each prompt that was answered is a sequence, whether or not it continues the one before.
struct Experience {
  std::vector<Sequence> sequences;
  std::vector<losses::Trajectory> trajectories;
  std::vector<size_t> trajectory_of;  // a sequence each; ascending
  // Whether a trajectory takes part; one whose reward is no number does not. Empty: all do.
  std::vector<bool> kept;
  std::vector<double> rewards;            // [N]; each where it was earned
  std::vector<double> sampled_log_probs;  // [N], as the generator had them
  std::vector<bool> context;              // [N], tokens of a Context Manager block
  std::vector<losses::Answer> answers;    // ranges of the list

  // The same response under the prompt with the block (teacher) and without it (student): equally many chosen tokens.
  struct Pair {
    size_t trajectory;
    Sequence with_block, without_block;
  };
  std::vector<Pair> pairs;
};

struct PpoOptions {
  losses::PolicyOptions policy{0.2, 0.22, 3};
  losses::GaeOptions gae;
  losses::Truncation truncation = losses::Truncation::bootstrap;
  losses::Aggregation aggregation = losses::Aggregation::token_mean;
  losses::KlEstimator kl = losses::KlEstimator::k3;
  losses::ExtGuard ext_guard = losses::ExtGuard::ratio;
  bool whiten = true;
  double kl_weight = 0.001;  // in the reward
  double value_weight = 0.1, value_clip = 0.2, entropy_weight = 0.005;
  double w_cal = 0, w_ext = 0, w_dist = 0;
  int64_t epochs = 1;
  int64_t mini_batch = 8;  // trajectories of one step of the optimiser; 0: all
  int64_t token_budget = 4096;
  uint64_t seed = 0;  // of the order of trajectories
  ScoreOptions score;
};

// A number that is logged, by verl's name where it has one.
struct Metric {
  std::string name;
  double value = 0;
};

// `reference`: the policy that the divergence is from; none: no divergence. What is not finite ends a mini-batch
// without a change, and is counted in actor/skipped_steps. Fails where nothing can be learnt from: no trajectory that
// is kept.
Result<std::vector<Metric>> ppo_step(model::Policy& policy, const model::Policy* reference, Optimizer& optimizer,
                                     Experience& experience, const PpoOptions& options);

}  // namespace wend::learn
