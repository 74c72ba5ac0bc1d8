// The paper's specs over random batches: interpreter, O0 and O2 must agree on every bit, and explanations of zero terms
// must cover every term that is zero.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/codegen/jit.h"
#include "compiler/plan/interpreter.h"
#include "compiler/plan/why.h"
#include "tests/differential/outputs.h"
#include "tests/support/spec_plan.h"

namespace wend {
namespace {

class Specs : public testing::TestWithParam<const char*> {};

TEST_P(Specs, InterpreterAndGeneratedCodeAgree) {
  auto plan = plan_of(GetParam());
  auto interpreted = plan::InterpretedProgram::make(plan);
  auto jit = codegen::Jit::create({});
  std::vector<std::shared_ptr<const Program>> compiled;
  for (codegen::Level level : {codegen::Level::O0, codegen::Level::O2}) {
    auto program = jit->compile(*plan, {level, true});
    ASSERT_TRUE(program.ok()) << program.error().message;
    compiled.push_back(*program);
  }
  size_t evidence = 0;
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    Inputs inputs(seed);
    const Outputs expected = run_program(*interpreted, inputs);
    expect_attribution_changes_nothing(expected, fmt::format("interpreter, seed {}", seed));
    expect_same(expected, run_program(*compiled[0], inputs), fmt::format("O0, seed {}", seed));
    expect_same(expected, run_program(*compiled[1], inputs), fmt::format("O2, seed {}", seed));
    if (HasFailure()) return;
    for (const auto& list : expected.evidence) evidence += list.size();
  }
  if (!plan->rewards.empty()) {
    EXPECT_GT(evidence, 100u);
  }
}

TEST_P(Specs, EveryZeroHasAReason) {
  auto plan = plan_of(GetParam());
  auto program = plan::InterpretedProgram::make(plan);
  size_t zeros = 0;
  Inputs inputs(5);
  const std::vector<uint32_t> literals = inputs.literals(*program);
  ProgramRun run(*program, inputs.batch.view(), literals);
  run.prepare();
  for (uint32_t r = 0; r < plan->rewards.size(); ++r) {
    const plan::Reward& reward = plan->rewards[r];
    const RewardOutput out = run.reward(r);
    const size_t n_terms = program->n_terms(r), n_stops = reward.stops.size();
    for (uint32_t trace = 0; trace < run.traces(); ++trace) {
      plan::ZeroExplainer explainer(program->interpreter(), run.context(), trace);
      const double* values = &out.terms[trace * n_terms];
      const bool stopped = std::any_of(values, values + n_stops, [](double x) { return x != 0 && !std::isnan(x); });
      for (size_t i = 0; i < reward.terms.size() && !stopped; ++i) {
        const double value = values[n_stops + i];
        const std::string why = explainer.explain(reward.terms[i]);
        EXPECT_EQ(why.empty(), value != 0 && !std::isnan(value)) << reward.terms[i].name << ": " << why;
        zeros += !why.empty();
      }
    }
  }
  if (!plan->rewards.empty()) {
    EXPECT_GT(zeros, 10u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Specs, testing::Values("specs/iacm/metrics.wend", "specs/iacm/reward.wend"));

}  // namespace
}  // namespace wend
