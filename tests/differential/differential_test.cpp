// Random plans over random batches: interpreter, O0, O2 and shared objects must agree on every bit of every output.
//
// WEND_DIFFERENTIAL_PLANS sets the number of plans, WEND_DIFFERENTIAL_SEED the first seed. A failure names its seed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/codegen/aot.h"
#include "compiler/codegen/jit.h"
#include "compiler/plan/interpreter.h"
#include "tests/differential/outputs.h"
#include "tests/support/random_plan.h"

namespace wend {
namespace {

uint64_t from_environment(const char* name, uint64_t fallback) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : fallback;
}

class Differential : public testing::Test {
 protected:
  std::shared_ptr<codegen::Jit> jit = codegen::Jit::create({});
};

TEST_F(Differential, InterpreterAndGeneratedCodeAgree) {
  const uint64_t first = from_environment("WEND_DIFFERENTIAL_SEED", 1);
  const uint64_t plans = from_environment("WEND_DIFFERENTIAL_PLANS", 60);
  size_t evidence = 0, partial = 0, distinct_totals = 0;
  for (uint64_t seed = first; seed < first + plans; ++seed) {
    auto plan = std::make_shared<const plan::Plan>(plan::random_plan(seed));
    Inputs inputs(seed);
    Outputs expected = run_program(*plan::InterpretedProgram::make(plan), inputs);
    expect_attribution_changes_nothing(expected, fmt::format("interpreter, seed {}", seed));
    for (codegen::Level level : {codegen::Level::O0, codegen::Level::O2}) {
      const std::string what = fmt::format("{}, seed {}", level == codegen::Level::O0 ? "O0" : "O2", seed);
      auto program = jit->compile(*plan, {level, seed % 2 == 0});
      ASSERT_TRUE(program.ok()) << what << ": " << program.error().message;
      expect_same(expected, run_program(**program, inputs), what);
    }
    if (HasFailure()) {
      ADD_FAILURE() << "plan of seed " << seed << ":\n" << plan::print(*plan).substr(0, 20000);
      return;
    }
    for (const auto& list : expected.evidence) evidence += list.size();
    for (const auto& list : expected.status)
      partial += std::count(list.begin(), list.end(), uint32_t{WEND_STATUS_PARTIAL});
    for (auto list : expected.totals) {
      std::sort(list.begin(), list.end());
      distinct_totals += static_cast<size_t>(std::unique(list.begin(), list.end()) - list.begin());
    }
  }
  // The plans say something about their dialogues.
  EXPECT_GT(evidence, plans * 10);
  EXPECT_GT(partial, plans);
  EXPECT_GT(distinct_totals, plans * 4);
}

TEST_F(Differential, SharedObjectsAgree) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "wend_differential";
  std::filesystem::create_directories(folder);
  for (uint64_t seed = 100001; seed <= 100003; ++seed) {
    auto plan = std::make_shared<const plan::Plan>(plan::random_plan(seed));
    Inputs inputs(seed);
    const std::string path = (folder / fmt::format("{}.so", seed)).string();
    auto written = codegen::emit_shared(*jit, *plan, path);
    ASSERT_TRUE(written.ok()) << written.error().message;
    auto program = open_program(path);
    ASSERT_TRUE(program.ok()) << program.error().message;
    auto interpreted = plan::InterpretedProgram::make(plan);
    EXPECT_EQ((*program)->info().fingerprint, interpreted->info().fingerprint);
    EXPECT_EQ((*program)->defaults(), interpreted->defaults());
    expect_same(run_program(*interpreted, inputs), run_program(**program, inputs), fmt::format("so, seed {}", seed));
  }
  std::filesystem::remove_all(folder);
}

// How sharp the comparison is: many plans must give other outputs when an operation is wrong.
TEST_F(Differential, WrongOperationsAreNoticed) {
  // Not the operations that guards are made of.
  const std::pair<plan::Op, plan::Op> swaps[] = {{plan::Op::add, plan::Op::subtract},
                                                 {plan::Op::less, plan::Op::less_equal},
                                                 {plan::Op::fold_any, plan::Op::fold_all},
                                                 {plan::Op::fold_first, plan::Op::fold_last},
                                                 {plan::Op::multiply, plan::Op::add},
                                                 {plan::Op::greater, plan::Op::greater_equal},
                                                 {plan::Op::text_mentions, plan::Op::text_equal}};
  for (auto [from, to] : swaps) {
    size_t plans = 0, noticed = 0;
    for (uint64_t seed = 300001; seed <= 300030; ++seed) {
      plan::Plan right = plan::random_plan(seed), wrong = right;
      for (plan::Node& node : wrong.nodes) {
        if (node.op == from) node.op = to;
      }
      if (wrong.nodes == right.nodes) continue;
      auto original = plan::InterpretedProgram::make(std::make_shared<const plan::Plan>(std::move(right)));
      auto mutant = plan::InterpretedProgram::make(std::make_shared<const plan::Plan>(std::move(wrong)));
      ++plans;
      // A few inputs each: which values meet is chance, and compilers draw random plans in different orders.
      bool same = true;
      for (uint64_t other = 0; other < 4 && same; ++other) {
        Inputs inputs(seed + other * 1000);
        same = run_program(*original, inputs) == run_program(*mutant, inputs);
      }
      noticed += !same;
    }
    EXPECT_GT(plans, 0u) << static_cast<int>(from);
    EXPECT_GE(noticed * 8, plans) << static_cast<int>(from) << ": " << noticed << " of " << plans;
  }
}

// Any split of the traces among threads gives the same bytes.
TEST_F(Differential, RangesAndThreadsDoNotMatter) {
  for (uint64_t seed = 200001; seed <= 200010; ++seed) {
    auto plan = std::make_shared<const plan::Plan>(plan::random_plan(seed));
    Inputs inputs(seed);
    auto program = jit->compile(*plan);
    ASSERT_TRUE(program.ok()) << program.error().message;
    const std::vector<uint32_t> literals = inputs.literals(**program);
    ProgramRun whole(**program, inputs.batch.view(), literals), split(**program, inputs.batch.view(), literals);
    whole.prepare();
    const RewardOutput expected = whole.reward(0);
    const uint32_t n = split.traces(), terms = (*program)->n_terms(0);
    RewardOutput got = {std::vector<double>(n), std::vector<double>(n * terms), std::vector<uint32_t>(n)};
    const wend_context context = split.context();
    {
      std::vector<std::jthread> workers;
      for (uint32_t t = 0; t < 3; ++t) {
        workers.emplace_back([&, begin = n * t / 3, end = n * (t + 1) / 3] {
          (*program)->prepare(context, begin, end);
          (*program)->reward(context, 0, begin, end, got.totals.data() + begin, got.terms.data() + begin * terms,
                             got.status.data() + begin);
        });
      }
    }
    EXPECT_EQ(bits(expected.totals), bits(got.totals)) << "seed " << seed;
    EXPECT_EQ(bits(expected.terms), bits(got.terms)) << "seed " << seed;
    EXPECT_EQ(expected.status, got.status) << "seed " << seed;
  }
}

}  // namespace
}  // namespace wend
