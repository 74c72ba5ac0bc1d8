// Live dialogues over machine code: nothing allocates in the steady state, and the C interface over a shared object.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/codegen/aot.h"
#include "compiler/codegen/jit.h"
#include "compiler/plan/build.h"
#include "runtime/belief/dialogue.h"
#include "runtime/include/wend/dialogue.h"
#include "tests/support/allocations.h"
#include "tests/support/spec_plan.h"

namespace wend::belief {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kTools[] = R"([
  {"name": "book_table", "parameters": {"type": "object", "properties": {
    "city": {"type": "string"}, "time": {"type": "string"}, "people": {"type": "integer"}}}},
  {"name": "cancel_order", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}}}
])";

TEST(Native, NothingAllocatesInTheSteadyState) {
  const auto program = codegen::Jit::create({})->compile(*plan_of("specs/iacm/belief.wend"));
  ASSERT_TRUE(program) << program.error().message;
  Dialogue d = Dialogue::open(*Engine::make(*program), *Tools::parse(kTools));
  Rendered block;
  size_t written = 0;
  int number = 0;
  const auto turn = [&] {
    char text[64], arguments[64], result[96];
    ++number;
    snprintf(text, sizeof text, "Actually, make it %d:%02d in Oslo, the second one.", number % 12, number % 60);
    snprintf(arguments, sizeof arguments, R"({"time": "%02d:%02d", "people": %d})", number % 12, number % 60,
             number % 7);
    snprintf(result, sizeof result, R"([{"id": "A%d", "price": %d}, {"id": "B%d", "price": 3}])", number, number,
             number);
    d.user(text);
    d.call("c", "book_table", arguments);
    d.result("c", result);
    d.reply(number % 3 == 0 ? "Which city? And for how many people?" : "Done.");
    d.render(0, block);
    written += block.text.size();
  };
  for (int i = 0; i < 4000; ++i) turn();
  const size_t before = allocations;
  for (int i = 0; i < 1000; ++i) turn();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(written, 0u);
}

// ---- the C interface ----

struct Closed {
  void operator()(wend_belief* belief) const { wend_belief_close(belief); }
  void operator()(wend_tools* tools) const { wend_tools_close(tools); }
  void operator()(wend_dialogue* dialogue) const { wend_dialogue_close(dialogue); }
};
template <class T>
using Owned = std::unique_ptr<T, Closed>;

std::string text_of(wend_bytes bytes) { return {bytes.data, bytes.size}; }

class CInterface : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    path_ = (std::filesystem::temp_directory_path() / ("wend-belief-" + std::to_string(getpid()) + ".so")).string();
    const auto made = codegen::emit_shared(*codegen::Jit::create({}), *plan_of("specs/iacm/belief.wend"), path_);
    ASSERT_TRUE(made) << made.error().message;
  }
  static void TearDownTestSuite() { std::filesystem::remove(path_); }

  void SetUp() override {
    belief_.reset(wend_belief_open(path_.c_str(), nullptr, error_, sizeof error_));
    ASSERT_NE(belief_, nullptr) << error_;
    tools_.reset(wend_tools_parse(kTools, strlen(kTools), error_, sizeof error_));
    ASSERT_NE(tools_, nullptr) << error_;
  }
  Owned<wend_dialogue> open(const wend_dialogue_options* options = nullptr) {
    return Owned<wend_dialogue>(wend_dialogue_open(belief_.get(), tools_.get(), options, error_, sizeof error_));
  }

  static inline std::string path_;
  char error_[256] = "";
  Owned<wend_belief> belief_;
  Owned<wend_tools> tools_;
};

TEST_F(CInterface, ADialogueFromOpenToClose) {
  Owned<wend_dialogue> d = open();
  ASSERT_NE(d, nullptr) << error_;
  tools_.reset();  // the dialogue keeps what it needs
  wend_dialogue_user(d.get(), wend_text("Book a table in Oslo at 7pm."));
  wend_dialogue_call(d.get(), wend_text("c1"), wend_text("book_table"), wend_text("{\"city\": \"Oslo\"}"));
  wend_dialogue_result(d.get(), wend_text("c1"), wend_text("booked"), 1);
  wend_dialogue_reply(d.get(), wend_text("For how many people?"));
  EXPECT_THAT(text_of(wend_dialogue_state(d.get())), HasSubstr(R"("value":"Oslo","replaced":[],"confirmed":false)"));
  wend_bytes block;
  ASSERT_EQ(wend_dialogue_render(d.get(), nullptr, &block, error_, sizeof error_), 1) << error_;
  const std::string text = text_of(block);
  EXPECT_THAT(text, StartsWith("<Context_Manager>"));
  EXPECT_THAT(text, HasSubstr("book_table.people"));

  const std::string snapshot = text_of(wend_dialogue_snapshot(d.get()));
  Owned<wend_dialogue> again(wend_dialogue_restore(belief_.get(), nullptr, nullptr, {snapshot.data(), snapshot.size()},
                                                   error_, sizeof error_));
  ASSERT_NE(again, nullptr) << error_;
  ASSERT_EQ(wend_dialogue_render(again.get(), "ContextManager", &block, error_, sizeof error_), 1) << error_;
  EXPECT_EQ(text_of(block), text);
}

TEST_F(CInterface, ErrorsAreOneLine) {
  EXPECT_EQ(wend_belief_open("/no/such.so", nullptr, error_, sizeof error_), nullptr);
  EXPECT_STRNE(error_, "");
  EXPECT_EQ(wend_belief_open(path_.c_str(), "BeliefStat", error_, sizeof error_), nullptr);
  EXPECT_STREQ(error_, "no belief is called `BeliefStat` (did you mean `BeliefState`?)");
  EXPECT_EQ(wend_tools_parse("[{}]", 4, error_, sizeof error_), nullptr);
  EXPECT_THAT(error_, StartsWith("tools[0]: a tool has no name"));
  EXPECT_EQ(wend_tools_parse("[{}]", 4, nullptr, 0), nullptr);
  wend_dialogue_options options = {};
  options.policy = "accumulat";
  EXPECT_EQ(open(&options), nullptr);
  EXPECT_THAT(error_, HasSubstr("did you mean `accumulate`"));
  options = {};
  options.today = "2024-13-01";
  EXPECT_EQ(open(&options), nullptr);
  EXPECT_THAT(error_, HasSubstr("YYYY-MM-DD"));
  options = {};
  const double params[3] = {};
  options.params = params;
  options.n_params = 3;
  EXPECT_EQ(open(&options), nullptr);
  EXPECT_STREQ(error_, "3 params were given, the program has 1");
  Owned<wend_dialogue> d = open();
  wend_bytes block;
  EXPECT_EQ(wend_dialogue_render(d.get(), "ContextManger", &block, error_, sizeof error_), 0);
  EXPECT_THAT(error_, HasSubstr("did you mean `ContextManager`"));
  char small[8];
  EXPECT_EQ(wend_dialogue_restore(belief_.get(), nullptr, nullptr, wend_text("{"), small, sizeof small), nullptr);
  EXPECT_STREQ(small, "snapsho");
}

TEST_F(CInterface, FunctionsAreCalledWithTheirData) {
  int asked = 0;
  wend_dialogue_options options = {};
  options.user_data = &asked;
  options.ask = [](void* data, uint32_t, wend_bytes, wend_bytes prompt, uint32_t* label, double* confidence) {
    *static_cast<int*>(data) += text_of(prompt).find("Leave it") != std::string::npos;
    *label = 3;
    *confidence = 1;
    return 1;
  };
  Owned<wend_dialogue> d = open(&options);
  wend_dialogue_user(d.get(), wend_text("Leave it."));
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(text_of(wend_dialogue_state(d.get())), HasSubstr(R"("signal":"reset")"));
}

TEST_F(CInterface, IsC) {
  const std::string file = path_ + ".c";
  FILE* source = fopen(file.c_str(), "w");
  fputs("#include <wend/dialogue.h>\nint main(void) { return wend_text(\"x\").size == 1 ? 0 : 1; }\n", source);
  fclose(source);
  const int status = system(("cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I runtime/include -o " + file + ".out " +
                             file + " && " + file + ".out")
                                .c_str());
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".out");
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace wend::belief
