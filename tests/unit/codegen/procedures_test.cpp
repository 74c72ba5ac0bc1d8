// Beliefs and renders: compiled code does what the interpreter does, effect by effect and byte by byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>

#include "compiler/codegen/aot.h"
#include "compiler/plan/interpreter.h"
#include "tests/support/spec_plan.h"
#include "tests/unit/codegen/fake_state.h"

namespace wend::test {
namespace {

using codegen::Jit;
using codegen::Level;

constexpr const char* kMemory = "tests/lit/compile/Inputs/memory.wend";

// A growing output that starts with no room, or with little.
class Output {
 public:
  Output(size_t room, size_t blocks, std::vector<wend_limit> limits)
      : spans_(blocks, wend_span{77, 77}), limits_(std::move(limits)) {
    out_.owner = this;
    make_room(room);
    out_.grow = [](wend_output* out, size_t more) { static_cast<Owned*>(out)->owner->make_room(out->size + more); };
    out_.blocks = spans_.data();
    out_.limits = limits_.data();
    out_.real = [](wend_output* out, double value) {
      char text[32];
      const auto n = static_cast<size_t>(std::snprintf(text, sizeof text, "%.17g", value));
      if (out->size + n > out->capacity) out->grow(out, n);
      std::memcpy(out->data + out->size, text, n);
      out->size += n;
    };
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  wend_output& out() { return out_; }
  std::string text() const { return {out_.data, out_.size}; }
  std::string spans() const {
    std::string text;
    for (const wend_span& span : spans_) text += std::to_string(span.begin) + ".." + std::to_string(span.end) + " ";
    return text;
  }

 private:
  struct Owned : wend_output {  // grow() gets its address
    Output* owner;
  };

  void make_room(size_t capacity) {
    auto fresh = std::make_unique<char[]>(capacity + 1);
    if (out_.size > 0) std::memcpy(fresh.get(), out_.data, out_.size);
    fresh[capacity] = 0;  // nothing is written behind the room
    bytes_ = std::move(fresh);
    out_.data = bytes_.get();
    out_.capacity = capacity;
  }

  Owned out_{};
  std::unique_ptr<char[]> bytes_;
  std::vector<wend_span> spans_;
  std::vector<wend_limit> limits_;
};

class Procedures : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    plan_ = plan_of(GetParam());
    interpreted_ = plan::InterpretedProgram::make(plan_);
    auto jit = Jit::create({});
    for (Level level : {Level::O0, Level::O2}) {
      auto program = jit->compile(*plan_, {.level = level});
      ASSERT_TRUE(program.ok()) << program.error().message;
      compiled_.push_back(*program);
    }
  }

  std::shared_ptr<const plan::Plan> plan_;
  std::shared_ptr<const Program> interpreted_;
  std::vector<std::shared_ptr<const Program>> compiled_;
};

TEST_P(Procedures, HandlersAndContextsAskForTheSame) {
  std::set<uint32_t> effects;
  const auto compare = [&](const std::function<void(const Program&, FakeState&)>& call) {
    for (uint32_t seed = 1; seed <= 200; ++seed) {
      const auto run = [&](const Program& program) {
        FakeState state(*interpreted_, seed);
        call(program, state);
        return state.trace;
      };
      const auto expected = run(*interpreted_);
      for (const auto& program : compiled_) ASSERT_TRUE(run(*program) == expected) << "seed " << seed;
      for (const auto& asked : expected) effects.insert(asked.effect);
    }
  };
  for (uint32_t belief = 0; belief < plan_->beliefs.size(); ++belief) {
    compare([&](const Program& program, FakeState& state) {
      const wend_engine engine = state.engine();
      program.begin(state.context(), engine, belief);
      for (uint32_t event = 0; event < WEND_N_EVENTS; ++event) program.on(state.context(), engine, belief, event);
    });
  }
  EXPECT_GE(effects.size(), 12u);
  for (uint32_t context = 0; context < plan_->contexts.size(); ++context) {
    compare([&](const Program& program, FakeState& state) {
      EXPECT_TRUE(program.context(state.context(), state.engine(), context));
    });
  }
  EXPECT_EQ(effects.count(WEND_EFFECT_CONTEXT_STEP), plan_->contexts.empty() ? 0u : 1u);
}

TEST_P(Procedures, RendersWriteTheSame) {
  std::mt19937 random(1);
  std::set<std::string> seen;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    const FakeState state(*interpreted_, seed);
    for (uint32_t render = 0; render < plan_->renders.size(); ++render) {
      const size_t blocks = plan_->renders[render].blocks.size();
      constexpr uint32_t kTexts[] = {UINT32_MAX, UINT32_MAX, 160, 60, 12, 2, 1, 0};
      constexpr uint32_t kItems[] = {UINT32_MAX, UINT32_MAX, 4, 2, 1, 0};
      std::vector<wend_limit> limits(blocks);
      for (wend_limit& limit : limits) limit = {kTexts[random() % 8], kItems[random() % 6]};
      const auto run = [&](const Program& program) {
        Output output(seed % 3 == 0 ? 0 : seed % 700, blocks, limits);
        program.render(state.context(), render, output.out());
        return output.text() + "\n" + output.spans();
      };
      const std::string expected = run(*interpreted_);
      for (const auto& program : compiled_) ASSERT_EQ(run(*program), expected) << "seed " << seed;
      seen.insert(expected);
    }
  }
  EXPECT_GT(seen.size(), 300u);
}

INSTANTIATE_TEST_SUITE_P(Specs, Procedures, testing::Values(kMemory, "specs/iacm/contexts.wend"));

// Puts that follow what is there: nothing before is touched.
TEST(Renders, AppendToTheOutput) {
  auto plan = plan_of(kMemory);
  auto program = Jit::create({})->compile(*plan);
  ASSERT_TRUE(program.ok());
  const FakeState state(**program, 3);
  Output once(0, plan->renders[0].blocks.size(), std::vector<wend_limit>(9, {UINT32_MAX, UINT32_MAX}));
  (*program)->render(state.context(), 0, once.out());
  const std::string first = once.text();
  (*program)->render(state.context(), 0, once.out());
  EXPECT_EQ(once.text(), first + first);
  EXPECT_THAT(first, testing::StartsWith("<Block>\n<Head>{\"goal\":"));
}

TEST(Renders, OfASharedObject) {
  const std::string file = (std::filesystem::temp_directory_path() / "wend-memory-test.so").string();
  auto plan = plan_of(kMemory);
  ASSERT_TRUE(codegen::emit_shared(*Jit::create({}), *plan, file).ok());
  auto opened = open_program(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  EXPECT_EQ((*opened)->info().renders.size(), plan->renders.size());
  auto interpreted = plan::InterpretedProgram::make(plan);
  const FakeState state(*interpreted, 5);
  const std::vector<wend_limit> all(9, {UINT32_MAX, UINT32_MAX});
  Output expected(9, 9, all), output(9, 9, all);
  interpreted->render(state.context(), 0, expected.out());
  (*opened)->render(state.context(), 0, output.out());
  EXPECT_EQ(output.text(), expected.text());
}

// A spec without beliefs has no functions for them, and calling them does nothing.
TEST(Renders, NoBeliefs) {
  auto plan = plan_of("tests/lit/compile/Inputs/loops.wend");
  auto program = Jit::create({})->compile(*plan);
  ASSERT_TRUE(program.ok());
  Output output(8, 1, {{0, 0}});
  (*program)->render(wend_context{}, 0, output.out());
  EXPECT_EQ(output.text(), "");
}

}  // namespace
}  // namespace wend::test
