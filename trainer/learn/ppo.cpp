#include "trainer/learn/ppo.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "runtime/random.h"
#include "trainer/model/decoder.h"
#include "trainer/model/head.h"

namespace wend::learn {
namespace {

using losses::Trajectory;

struct Frozen {
  std::vector<double> log_probs, entropy, values;  // [N]
};

void put(const at::Tensor& from, std::vector<double>& to, std::span<const Sequence> sequences,
         std::span<const size_t> which) {
  const at::Tensor on_cpu = from.to(at::kCPU, at::kDouble).contiguous();
  const auto* data = on_cpu.const_data_ptr<double>();
  for (const size_t i : which) {
    std::copy(data, data + sequences[i].count(), to.begin() + sequences[i].first);
    data += sequences[i].count();
  }
}

// What a policy thinks of the tokens as it is now.
Frozen frozen_scores(const model::Policy& policy, const Experience& e, int64_t tokens, const PpoOptions& options,
                     bool values) {
  const at::NoGradGuard no_grad;
  const auto n = static_cast<size_t>(tokens);
  Frozen out{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  ScoreOptions score_options = options.score;
  score_options.values = values;
  for (const std::vector<size_t>& which : micro_batches(e.sequences, options.token_budget)) {
    const Scores scores = score(policy, e.sequences, which, score_options);
    put(scores.log_probs, out.log_probs, e.sequences, which);
    put(scores.entropy, out.entropy, e.sequences, which);
    if (values) put(scores.values, out.values, e.sequences, which);
  }
  return out;
}

double mean_of(std::span<const double> list, std::span<const double> weights) {
  double out = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (weights[i] != 0) out += weights[i] * list[i];
  }
  return out;
}

class Step {
 public:
  Step(model::Policy& policy, const model::Policy* reference, Optimizer& optimizer, Experience& e,
       const PpoOptions& options)
      : policy_(policy), reference_(reference), optimizer_(optimizer), e_(e), o_(options) {}

  Result<std::vector<Metric>> run() {
    tokens_ = number_chosen(e_.sequences);
    kept_ = e_.kept.empty() ? std::vector<bool>(e_.trajectories.size(), true) : e_.kept;
    for (size_t i = 0; i < kept_.size(); ++i) {
      const bool cut = e_.trajectories[i].truncated && o_.truncation == losses::Truncation::mask;
      if (cut || e_.trajectories[i].size() == 0) kept_[i] = false;
    }
    if (std::count(kept_.begin(), kept_.end(), true) == 0) return Error{"no trajectory is left to learn from"};
    weights_ = losses::token_weights(e_.trajectories, losses::Aggregation::token_mean, kept_);
    old_ = frozen_scores(policy_, e_, tokens_, o_, true);
    if (Result<void> done = find_advantages(); !done) return done.error();
    std::vector<size_t> order;
    for (size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i]) order.push_back(i);
    }
    for (int64_t epoch = 0; epoch < o_.epochs; ++epoch) {
      Random random(seed_of(o_.seed, "mini-batches", static_cast<uint64_t>(epoch)));
      random.shuffle(order);
      const size_t size = o_.mini_batch > 0 ? static_cast<size_t>(o_.mini_batch) : order.size();
      for (size_t begin = 0; begin < order.size(); begin += size) {
        mini_batch(std::span(order).subspan(begin, std::min(size, order.size() - begin)));
      }
    }
    return report();
  }

 private:
  Result<void> find_advantages() {
    std::vector<double> rewards = e_.rewards;
    if (reference_ != nullptr) {
      const Frozen reference = frozen_scores(*reference_, e_, tokens_, o_, false);
      const std::vector<double> kl = losses::kl_penalty(old_.log_probs, reference.log_probs, o_.kl);
      for (size_t i = 0; i < kl.size(); ++i) rewards[i] -= o_.kl_weight * kl[i];
      log("actor/reward_kl_penalty", mean_of(kl, weights_));
      log("actor/reward_kl_penalty_coeff", o_.kl_weight);
    }
    // The state behind a trajectory's last token was not scored; the one before it is the nearest that was.
    std::vector<double> bootstrap(e_.trajectories.size());
    for (size_t i = 0; i < bootstrap.size(); ++i) {
      const Trajectory& t = e_.trajectories[i];
      const bool goes_on = t.truncated && o_.truncation == losses::Truncation::bootstrap && t.size() > 0;
      if (goes_on) bootstrap[i] = old_.values[static_cast<size_t>(t.end - 1)];
    }
    found_ = losses::generalized_advantages(e_.trajectories, rewards, old_.values, bootstrap, o_.gae);
    of_trajectory_.resize(e_.trajectories.size());
    log_advantages();
    if (o_.whiten) {
      if (Result<void> done = losses::whiten(found_.advantages, weights_); !done) return done;
    }
    for (size_t i = 0; i < e_.trajectories.size(); ++i) {
      const Trajectory& t = e_.trajectories[i];
      const auto begin = found_.advantages.begin();
      if (t.size() > 0) {
        of_trajectory_[i] = std::accumulate(begin + t.begin, begin + t.end, 0.0) / static_cast<double>(t.size());
      }
    }
    return {};
  }

  // One step of the optimiser on some trajectories.
  void mini_batch(std::span<const size_t> trajectories) {
    std::vector<bool> in(kept_.size());
    for (const size_t i : trajectories) in[i] = true;
    const std::vector<double> weights = losses::token_weights(e_.trajectories, o_.aggregation, in);
    std::vector<double> cal, ext;
    context_coefficients(in, cal, ext);
    std::vector<Sequence> of_batch;
    for (size_t i = 0; i < e_.sequences.size(); ++i) {
      if (in[e_.trajectory_of[i]]) of_batch.push_back(e_.sequences[i]);
    }
    for (const std::vector<size_t>& which : micro_batches(of_batch, o_.token_budget)) {
      micro_batch(of_batch, which, weights, cal, ext);
    }
    if (o_.w_dist != 0) distill(in);
    const double norm = optimizer_.step();
    ++steps_;
    if (std::isfinite(norm)) {
      add("actor/grad_norm", norm);
    } else {
      ++skipped_;
    }
  }

  void context_coefficients(const std::vector<bool>& in, std::vector<double>& cal, std::vector<double>& ext) const {
    const auto inside = [&](int64_t token) {
      for (size_t i = 0; i < e_.trajectories.size(); ++i) {
        if (token >= e_.trajectories[i].begin && token < e_.trajectories[i].end) return bool(in[i]);
      }
      return false;
    };
    std::vector<losses::Answer> answers;
    for (const losses::Answer& answer : e_.answers) {
      if (inside(answer.begin)) answers.push_back(answer);
    }
    cal = losses::cal_coefficients(answers, tokens_);
    std::vector<bool> context = e_.context;
    context.resize(static_cast<size_t>(tokens_));
    for (size_t i = 0; i < e_.trajectories.size(); ++i) {
      if (in[i]) continue;
      std::fill(context.begin() + e_.trajectories[i].begin, context.begin() + e_.trajectories[i].end, false);
    }
    ext = losses::ext_coefficients(e_.trajectories, context, of_trajectory_);
  }

  void micro_batch(std::span<const Sequence> sequences, std::span<const size_t> which,
                   const std::vector<double>& weights, const std::vector<double>& cal, const std::vector<double>& ext) {
    ScoreOptions score_options = o_.score;
    score_options.values = true;
    const Scores now = score(policy_, sequences, which, score_options);
    const auto of = [&](const std::vector<double>& list) {
      return entries(list, sequences, which).to(now.log_probs.device());
    };
    const at::Tensor weight = of(weights), old = of(old_.log_probs);
    const losses::PolicyLoss policy = losses::policy_loss(now.log_probs, old, of(found_.advantages), weight, o_.policy);
    const losses::ValueLoss value =
        losses::value_loss(now.values, of(old_.values), of(found_.returns), weight, o_.value_clip);
    const at::Tensor entropy = (now.entropy * weight).sum();
    at::Tensor loss = policy.loss + o_.value_weight * value.loss - o_.entropy_weight * entropy;
    add("actor/pg_loss", policy.loss.item<double>());
    add("actor/pg_clipfrac", policy.clip_fraction);
    add("actor/pg_clipfrac_lower", policy.clip_fraction_dual);
    add("actor/ppo_kl", policy.kl);
    add("actor/entropy", entropy.item<double>());
    add("critic/vf_loss", value.loss.item<double>());
    add("critic/vf_clipfrac", value.clip_fraction);
    if (o_.w_cal != 0) {
      const at::Tensor l_cal = losses::weighted_nll(now.log_probs, of(cal));
      add("actor/cal_loss", l_cal.item<double>());
      loss = loss + o_.w_cal * l_cal;
    }
    if (o_.w_ext != 0) {
      const at::Tensor l_ext = losses::weighted_nll(
          now.log_probs, losses::guarded(of(ext), now.log_probs, old, o_.ext_guard, o_.policy.clip_low));
      add("actor/ext_loss", l_ext.item<double>());
      loss = loss + o_.w_ext * l_ext;
    }
    loss.backward();
  }

  // L_dist (Eq. 11): the policy with the block teaches the policy without it.
  void distill(const std::vector<bool>& in) {
    std::vector<Sequence> teachers, students;
    int64_t tokens = 0;
    for (const Experience::Pair& pair : e_.pairs) {
      if (!in[pair.trajectory] || pair.with_block.chosen.empty()) continue;
      teachers.push_back(pair.with_block);
      students.push_back(pair.without_block);
      tokens += pair.with_block.count();
    }
    for (const std::vector<size_t>& which : micro_batches(teachers, o_.token_budget)) {
      const at::Tensor loss = divergence(teachers, students, which) / static_cast<double>(tokens);
      (o_.w_dist * loss).backward();
      add("actor/dist_loss", loss.item<double>());
    }
  }

  at::Tensor divergence(std::span<const Sequence> teachers, std::span<const Sequence> students,
                        std::span<const size_t> which) const {
    at::Tensor teacher;
    {
      const at::NoGradGuard no_grad;
      teacher = chosen_hidden(policy_, teachers, which, o_.score);
    }
    const at::Tensor student = chosen_hidden(policy_, students, which, o_.score);
    return model::distillation_kl(teacher, student, policy_.parameters.head(),
                                  {o_.score.temperature, o_.score.logits_bytes})
        .sum();
  }

  // Rewards and values as they came, over the tokens that take part.
  void log_advantages() {
    std::vector<double> scores;
    for (size_t i = 0; i < e_.trajectories.size(); ++i) {
      if (!kept_[i]) continue;
      const auto begin = e_.rewards.begin();
      scores.push_back(std::accumulate(begin + e_.trajectories[i].begin, begin + e_.trajectories[i].end, 0.0));
    }
    log("critic/score/mean", std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size()));
    log("critic/score/max", *std::max_element(scores.begin(), scores.end()));
    log("critic/score/min", *std::min_element(scores.begin(), scores.end()));
    log("critic/vpred_mean", mean_of(old_.values, weights_));
    log("critic/returns/mean", mean_of(found_.returns, weights_));
    log("critic/advantages/mean", mean_of(found_.advantages, weights_));
    // 1 - Var(R - V) / Var(R)
    const auto variance = [&](const auto& value) {
      double sum = 0, squares = 0;
      for (size_t i = 0; i < weights_.size(); ++i) {
        sum += weights_[i] * value(i);
        squares += weights_[i] * value(i) * value(i);
      }
      return squares - sum * sum;
    };
    const double of_returns = variance([&](size_t i) { return found_.returns[i]; });
    const double of_errors = variance([&](size_t i) { return found_.returns[i] - old_.values[i]; });
    log("critic/vf_explained_var", of_returns > 0 ? 1 - of_errors / of_returns : 0);
  }

  void log(std::string name, double value) { metrics_.push_back({std::move(name), value}); }
  void add(const std::string& name, double value) { sums_[name] += value; }

  std::vector<Metric> report() {
    // Losses and fractions are sums over the micro-batches of a mini-batch: their mean over mini-batches is logged.
    for (const auto& [name, sum] : sums_) {
      log(name,
          sum / static_cast<double>(name == "actor/grad_norm" ? std::max<int64_t>(1, steps_ - skipped_) : steps_));
    }
    log("actor/lr", optimizer_.options().rate);
    log("actor/skipped_steps", static_cast<double>(skipped_));
    log("batch/trajectories", static_cast<double>(std::count(kept_.begin(), kept_.end(), true)));
    log("batch/left_out", static_cast<double>(std::count(kept_.begin(), kept_.end(), false)));
    log("batch/chosen_tokens", static_cast<double>(tokens_));
    if (!e_.sampled_log_probs.empty()) {
      double sum = 0, most = 0;
      for (size_t i = 0; i < old_.log_probs.size(); ++i) {
        const double difference = std::abs(std::exp(old_.log_probs[i]) - std::exp(e_.sampled_log_probs[i]));
        sum += difference;
        most = std::max(most, difference);
      }
      log("training/rollout_probs_diff_mean", sum / static_cast<double>(std::max<int64_t>(1, tokens_)));
      log("training/rollout_probs_diff_max", most);
    }
    return std::move(metrics_);
  }

  model::Policy& policy_;
  const model::Policy* reference_;
  Optimizer& optimizer_;
  Experience& e_;
  const PpoOptions& o_;
  int64_t tokens_ = 0, steps_ = 0, skipped_ = 0;
  std::vector<bool> kept_;
  std::vector<double> weights_;  // [N], of the tokens that take part
  Frozen old_;
  losses::Advantages found_;
  std::vector<double> of_trajectory_;  // its mean advantage
  std::vector<Metric> metrics_;
  std::map<std::string, double> sums_;
};

}  // namespace

Result<std::vector<Metric>> ppo_step(model::Policy& policy, const model::Policy* reference, Optimizer& optimizer,
                                     Experience& experience, const PpoOptions& options) {
  return Step(policy, reference, optimizer, experience, options).run();
}

}  // namespace wend::learn
