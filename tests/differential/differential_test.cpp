// Random plans over random batches: interpreter, O0, O2 and shared objects must agree on every bit of every output.
//
// WEND_DIFFERENTIAL_PLANS sets the number of plans, WEND_DIFFERENTIAL_SEED the first seed. A failure names its seed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/codegen/aot.h"
#include "compiler/codegen/jit.h"
#include "compiler/plan/interpreter.h"
#include "tests/support/program_run.h"
#include "tests/support/random_batch.h"
#include "tests/support/random_plan.h"

namespace wend {
namespace {

uint64_t from_environment(const char* name, uint64_t fallback) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : fallback;
}

// One bit pattern for each value; all NaNs mean the same.
uint64_t bits(double value) { return std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value); }

std::vector<uint64_t> bits(const std::vector<double>& values) {
  std::vector<uint64_t> out;
  for (double value : values) out.push_back(bits(value));
  return out;
}

using EvidenceKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint64_t>;

// The order of evidence, and how often a shared fold reports the same, is open.
std::vector<EvidenceKey> keys(const std::vector<wend_evidence>& evidence) {
  std::vector<EvidenceKey> out;
  for (const wend_evidence& e : evidence) out.emplace_back(e.trace, e.term, e.table, e.row, bits(e.value));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Everything that a program gives for a batch.
struct Outputs {
  std::vector<uint8_t> asks;
  std::vector<uint64_t> signals;
  std::vector<std::vector<uint64_t>> totals, terms, attributed_totals, attributed_terms;
  std::vector<std::vector<uint32_t>> status, attributed_status;
  std::vector<std::vector<EvidenceKey>> evidence;
  std::vector<uint64_t> metrics;
  std::vector<uint8_t> valid;
};

class Inputs {
 public:
  explicit Inputs(uint64_t seed) : random_(static_cast<uint32_t>(seed)) {
    batch.add_random(random_, 1 + random_() % 40);
    scores_.resize(2, std::vector<double>(batch.columns.rows[WEND_TABLE_turn]));
    for (auto& by_turn : scores_) {
      for (double& score : by_turn) score = static_cast<double>(random_() % 9) / 4 - 1;
    }
    for (int i = 0; i < 8; ++i) settings.push_back(static_cast<double>(random_() % 9) - 3.5);
    use_judges_ = random_() % 4;
  }

  // Rows of the literals: some names and values, or not in the batch.
  std::vector<uint32_t> literals(const Program& program) {
    std::vector<uint32_t> rows;
    for (const wend_literal& literal : program.literals()) {
      const std::string text(literal.text.data, literal.text.size);
      if (text == "nowhere") {
        rows.push_back(WEND_NONE);
      } else {
        rows.push_back(literal.kind == 0 ? batch.text(text) : batch.string_value(text == "7" ? "7" : "Paris"));
      }
    }
    return rows;
  }
  std::vector<const double*> judged(size_t judges) const {
    std::vector<const double*> arrays;
    if (use_judges_ == 0) return arrays;
    for (size_t i = 0; i < judges; ++i) arrays.push_back((use_judges_ + i) % 2 == 0 ? scores_[i].data() : nullptr);
    return arrays;
  }

  TestBatch batch;
  std::vector<double> settings;

 private:
  std::mt19937 random_;
  std::vector<std::vector<double>> scores_;
  uint32_t use_judges_ = 0;
};

void add_rewards(ProgramRun& run, const Program& program, Outputs& out) {
  for (uint32_t i = 0; i < program.info().rewards.size(); ++i) {
    RewardOutput plain = run.reward(i);
    out.totals.push_back(bits(plain.totals));
    out.terms.push_back(bits(plain.terms));
    out.status.push_back(plain.status);
    std::vector<wend_evidence> evidence;
    RewardOutput attributed = run.attribute(i, evidence);
    out.attributed_totals.push_back(bits(attributed.totals));
    out.attributed_terms.push_back(bits(attributed.terms));
    out.attributed_status.push_back(attributed.status);
    out.evidence.push_back(keys(evidence));
  }
}

Outputs run_program(const Program& program, Inputs& inputs) {
  const std::vector<uint32_t> literals = inputs.literals(program);
  ProgramRun run(program, inputs.batch.view(), literals);
  run.judged = inputs.judged(program.info().judges.size());
  Outputs out;
  out.asks = run.requests();
  run.prepare();
  const std::vector<double> signals = run.signals();
  out.signals = bits(signals);
  add_rewards(run, program, out);
  // Other number params: no prepare() in between.
  for (size_t i = 0; i < run.params.size(); ++i) {
    if (!program.info().params[i].structural) run.params[i] = inputs.settings[i];
  }
  const std::vector<double> again = run.signals();
  for (double signal : again) out.signals.push_back(bits(signal));
  add_rewards(run, program, out);

  std::vector<double> sums(program.info().signals.size()), values(program.info().metrics.size());
  for (size_t i = 0; i < signals.size(); ++i) sums[i % sums.size()] += signals[i];
  out.valid.resize(values.size());
  program.metrics(run.params.data(), sums.data(), values.data(), out.valid.data());
  for (size_t i = 0; i < values.size(); ++i) out.metrics.push_back(out.valid[i] ? bits(values[i]) : 0);
  return out;
}

void expect_same(const Outputs& expected, const Outputs& got, const std::string& what) {
  EXPECT_EQ(expected.asks, got.asks) << what;
  EXPECT_EQ(expected.signals, got.signals) << what;
  EXPECT_EQ(expected.totals, got.totals) << what;
  EXPECT_EQ(expected.terms, got.terms) << what;
  EXPECT_EQ(expected.status, got.status) << what;
  EXPECT_EQ(expected.attributed_totals, got.attributed_totals) << what;
  EXPECT_EQ(expected.attributed_terms, got.attributed_terms) << what;
  EXPECT_EQ(expected.attributed_status, got.attributed_status) << what;
  EXPECT_EQ(expected.evidence, got.evidence) << what;
  EXPECT_EQ(expected.valid, got.valid) << what;
  EXPECT_EQ(expected.metrics, got.metrics) << what;
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
    // Attribution gives the very same rewards.
    EXPECT_EQ(expected.totals, expected.attributed_totals) << "interpreter, seed " << seed;
    EXPECT_EQ(expected.terms, expected.attributed_terms) << "interpreter, seed " << seed;
    EXPECT_EQ(expected.status, expected.attributed_status) << "interpreter, seed " << seed;
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

bool same(const Outputs& a, const Outputs& b) {
  return a.asks == b.asks && a.signals == b.signals && a.totals == b.totals && a.terms == b.terms &&
         a.evidence == b.evidence && a.metrics == b.metrics;
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
      Inputs inputs(seed);
      auto original = plan::InterpretedProgram::make(std::make_shared<const plan::Plan>(std::move(right)));
      auto mutant = plan::InterpretedProgram::make(std::make_shared<const plan::Plan>(std::move(wrong)));
      ++plans;
      noticed += !same(run_program(*original, inputs), run_program(*mutant, inputs));
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
