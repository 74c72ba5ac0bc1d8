// Estimators and losses against numbers worked out by hand. tests/oracle/trainer compares with float64 autograd.
#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <torch/types.h>

#include <cmath>

#include "trainer/losses/advantages.h"
#include "trainer/losses/context.h"
#include "trainer/losses/ppo.h"

namespace wend::losses {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

at::Tensor tensor(const std::vector<double>& values) { return at::tensor(values, at::kDouble); }
std::vector<double> list(const at::Tensor& x) { return {x.data_ptr<double>(), x.data_ptr<double>() + x.numel()}; }

MATCHER_P(Near, tolerance, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= tolerance; }

// Three chosen tokens; what was observed between the second and the third is not in the list.
TEST(Advantages, ByHand) {
  const std::vector<double> rewards = {0, 0, 1}, values = {0.5, 0.25, 0.4}, none = {0};
  const Advantages found = generalized_advantages({{0, 3, false}}, rewards, values, none, {0.9, 0.5});
  // delta: 0.9*0.25-0.5 = -0.275; 0.9*0.4-0.25 = 0.11; 1-0.4 = 0.6
  // A2 = 0.6; A1 = 0.11+0.45*0.6 = 0.38; A0 = -0.275+0.45*0.38 = -0.104
  EXPECT_THAT(found.advantages, Pointwise(Near(1e-12), {-0.104, 0.38, 0.6}));
  EXPECT_THAT(found.returns, Pointwise(Near(1e-12), {0.396, 0.63, 1.0}));
}

TEST(Advantages, TrajectoriesDoNotSeeEachOther) {
  const std::vector<double> rewards = {1, 0, 2}, values = {0, 0, 0}, ends = {0, 3};
  const Advantages found = generalized_advantages({{0, 1, false}, {1, 3, true}}, rewards, values, ends, {0.5, 1});
  // The second goes on behind its end: 2 + 0.5*3 = 3.5, then 0.5*3.5.
  EXPECT_THAT(found.advantages, Pointwise(Near(1e-12), {1.0, 1.75, 3.5}));
}

TEST(Advantages, WhitenedOverThoseThatCount) {
  std::vector<double> advantages = {1, 3, 100};
  const std::vector<double> weights = {0.5, 0.5, 0};
  ASSERT_TRUE(whiten(advantages, weights));
  EXPECT_THAT(advantages[0], DoubleNear(-std::sqrt(0.5), 1e-6));
  EXPECT_THAT(advantages[1], DoubleNear(std::sqrt(0.5), 1e-6));
  std::vector<double> constant = {2, 2};
  ASSERT_TRUE(whiten(constant, weights));
  EXPECT_THAT(constant, ElementsAre(0, 0)) << "a constant reward teaches nothing, and is no division by zero";
  std::vector<double> one = {2};
  EXPECT_THAT(whiten(one, std::vector<double>{1}).error().message, HasSubstr("no variance"));
}

TEST(Divergence, Estimators) {
  const std::vector<double> log_probs = {-1, -1, -1}, reference = {-1, -1.5, -0.5};
  EXPECT_THAT(kl_penalty(log_probs, reference, KlEstimator::k1), Pointwise(Near(1e-12), {0.0, 0.5, -0.5}));
  EXPECT_THAT(kl_penalty(log_probs, reference, KlEstimator::k2), Pointwise(Near(1e-12), {0.0, 0.125, 0.125}));
  EXPECT_THAT(kl_penalty(log_probs, reference, KlEstimator::k3),
              Pointwise(Near(1e-12), {0.0, std::exp(-0.5) - 0.5, std::exp(0.5) - 1.5}));
  EXPECT_THAT(kl_penalty(std::vector<double>{-100}, std::vector<double>{0}, KlEstimator::k3), ElementsAre(10));
  EXPECT_EQ(*kl_estimator("low_var_kl"), KlEstimator::k3);
  EXPECT_THAT(kl_estimator("k33").error().message, HasSubstr("did you mean `k3`?"));
}

TEST(Weights, OfAllAggregations) {
  const std::vector<Trajectory> two = {{0, 1, false}, {1, 4, false}};
  EXPECT_THAT(token_weights(two, Aggregation::token_mean), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(token_weights(two, Aggregation::seq_mean_token_sum), ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(token_weights(two, Aggregation::seq_mean_token_mean), ElementsAre(0.5, 1 / 6.0, 1 / 6.0, 1 / 6.0));
  EXPECT_THAT(token_weights(two, Aggregation::token_mean, {true, false}), ElementsAre(1, 0, 0, 0));
}

TEST(Policy, FirstStepHasRatioOne) {
  const at::Tensor log_probs = tensor({-1, -2, -0.1}).requires_grad_(true);
  const at::Tensor advantages = tensor({2, -1, 0.5}), weights = tensor({0.25, 0.5, 0.25});
  const PolicyLoss out = policy_loss(log_probs, log_probs.detach(), advantages, weights, {});
  EXPECT_NEAR(out.loss.item<double>(), -(0.5 - 0.5 + 0.125), 1e-12);
  EXPECT_EQ(out.clip_fraction, 0);
  EXPECT_EQ(out.kl, 0);
  out.loss.backward();
  EXPECT_THAT(list(log_probs.grad()), Pointwise(Near(1e-12), {-0.5, 0.5, -0.125})) << "-w A";
}

TEST(Policy, ClippedTokensTeachNothing) {
  // Ratios 1.5, 0.5, 5 and 0.5 with the advantages below; weights 1.
  const at::Tensor old = tensor({-1, -1, -3, -1});
  const at::Tensor log_probs =
      (old + tensor({std::log(1.5), std::log(0.5), std::log(5), std::log(0.5)})).requires_grad_(true);
  const at::Tensor advantages = tensor({1, -1, -1, 1}), weights = tensor({1, 1, 1, 1});
  const PolicyLoss out = policy_loss(log_probs, old, advantages, weights, {0.2, 0.3, 3});
  // -1.3 (clipped high), 0.8 (clipped low), 3 (dual clip instead of 5), -0.5 (may still grow)
  EXPECT_NEAR(out.loss.item<double>(), -1.3 + 0.8 + 3 - 0.5, 1e-12);
  EXPECT_EQ(out.clip_fraction, 2);
  EXPECT_EQ(out.clip_fraction_dual, 1);
  out.loss.backward();
  EXPECT_THAT(list(log_probs.grad()), Pointwise(Near(1e-12), {0.0, 0.0, 0.0, -0.5}));
}

TEST(Policy, WhatHasNoWeightMayBeAnything) {
  const at::Tensor log_probs = tensor({-1, -1}).requires_grad_(true);
  const PolicyLoss out = policy_loss(log_probs, tensor({-1, NAN}), tensor({1, NAN}), tensor({1, 0}), {});
  EXPECT_NEAR(out.loss.item<double>(), -1, 1e-12);
  EXPECT_EQ(out.kl, 0);
}

TEST(Value, Clipped) {
  const at::Tensor values = tensor({1.0, 0.5}).requires_grad_(true);
  // |1.0 - 0| is limited to 0.2: (0.2-2)^2 = 3.24 > 1; 0.5 is near 0.4: 0.25.
  const ValueLoss out = value_loss(values, tensor({0, 0.4}), tensor({2, 0}), tensor({1, 1}), 0.2);
  EXPECT_NEAR(out.loss.item<double>(), 0.5 * 3.24 + 0.5 * 0.25, 1e-12);
  EXPECT_EQ(out.clip_fraction, 1);
  out.loss.backward();
  EXPECT_THAT(list(values.grad()), Pointwise(Near(1e-12), {0.0, 0.5}));
}

TEST(Context, CalibrationCoefficients) {
  // Two answers of 2 and 1 tokens: a right one pulls up, a wrong one pushes down, each by its own mean.
  const std::vector<Answer> answers = {{0, 2, true}, {3, 4, false}};
  EXPECT_THAT(cal_coefficients(answers, 4), ElementsAre(0.25, 0.25, 0, -0.5));
}

TEST(Context, ExtractionCoefficients) {
  const std::vector<Trajectory> three = {{0, 3, false}, {3, 5, false}, {5, 6, false}};
  const std::vector<double> advantages = {2, -1, 7};
  EXPECT_THAT(ext_coefficients(three, {true, true, false, false, true, false}, advantages),
              ElementsAre(0.5, 0.5, 0, 0, -0.5, 0));
}

TEST(Context, TheUnboundedSideIsGuarded) {
  const at::Tensor coefficients = tensor({1, -1, -1}), old = tensor({-1, -1, -1}), now = tensor({-1, -1.1, -1.5});
  EXPECT_THAT(list(guarded(coefficients, now, old, ExtGuard::none, 0.2)), ElementsAre(1, -1, -1));
  EXPECT_THAT(list(guarded(coefficients, now, old, ExtGuard::positive, 0.2)), ElementsAre(1, 0, 0));
  EXPECT_THAT(list(guarded(coefficients, now, old, ExtGuard::ratio, 0.2)), ElementsAre(1, -1, 0));
  EXPECT_THAT(ext_guard("ration").error().message, HasSubstr("did you mean `ratio`?"));
}

}  // namespace
}  // namespace wend::losses
