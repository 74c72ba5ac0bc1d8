// Blocks under a budget (docs/belief.md, The block).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

using ::testing::HasSubstr;

// A goal and a list of goals, of which the list is shortened first.
std::shared_ptr<const Engine> engine_within(const std::string& budget) {
  return engine_of(
      compile("belief B { goal g stack st slots s\n"
              "on user(m) { push st m.text g = m.text }\non call(c) { overwrite s with c.args } }\n"
              "render R of b: B as xml within " +
              budget +
              " shortening List, Goal {\n"
              "  Goal { text: b.g.text }\n  List [ g.text for g in b.st ]\n  Stale { keys: keys(b.s.stale) }\n}\n"));
}

Dialogue dialogue_within(const std::string& budget, Options options = {}) {
  Dialogue d = Dialogue::open(engine_within(budget), nullptr, std::move(options));
  for (int i = 0; i < 20; ++i) d.user(std::string(1, static_cast<char>('a' + i)) + std::string(199, '-'));
  d.call("", "t", R"({"x": 1})");
  d.call("", "t", R"({"x": 2})");
  return d;
}

std::string sub_block(const Rendered& block, size_t i) {
  return block.text.substr(block.blocks[i].begin, block.blocks[i].end - block.blocks[i].begin);
}

TEST(Budgets, OneMoreLimitUntilItFits) {
  // In full: 20 texts of 200, and one in Goal: 203 bytes each with quotes and comma. The ellipsis takes 3 bytes.
  struct Case {
    int budget;
    size_t texts, list_text, goal_text;  // bytes of the content of a text
    bool over;
  };
  constexpr size_t kWhole = 200, k160 = 162, k60 = 62;
  for (const Case& c :
       {Case{4600, 20, kWhole, kWhole, false}, Case{4000, 20, k160, kWhole, false}, Case{3550, 20, k160, k160, false},
        Case{3000, 16, k160, k160, false}, Case{1500, 16, k60, k160, false}, Case{600, 4, k60, k60, false},
        Case{300, 0, k60, k60, false}, Case{50, 0, k60, k60, true}}) {
    const Dialogue d = dialogue_within(std::to_string(c.budget) + " bytes");
    Rendered block;
    d.render(0, block);
    EXPECT_EQ(block.over_budget, c.over) << c.budget;
    EXPECT_EQ(block.shortened, c.list_text != kWhole) << c.budget;
    EXPECT_EQ(block.text.size() <= static_cast<size_t>(c.budget), !c.over) << block.text.size();
    ASSERT_EQ(block.blocks.size(), 3u);
    const std::string goal = sub_block(block, 0), list = sub_block(block, 1);
    EXPECT_EQ(goal.size(), std::string("<Goal>{\"text\":\"\"}</Goal>").size() + c.goal_text) << c.budget;
    const size_t commas = c.texts == 0 ? 0 : c.texts - 1;
    EXPECT_EQ(list.size(), std::string("<List>[]</List>").size() + c.texts * (c.list_text + 2) + commas) << c.budget;
    EXPECT_EQ(list.find("\"t---") != std::string::npos, c.texts > 0);  // the newest ones are kept
    EXPECT_EQ(sub_block(block, 2), "<Stale>{\"keys\":[\"t.x\"]}</Stale>");
  }
}

TEST(Budgets, TokensAreCountedByTheCaller) {
  const Dialogue by_size = dialogue_within("1000 tokens");
  Rendered block;
  by_size.render(0, block);
  EXPECT_LE(block.text.size(), 4000u);
  EXPECT_TRUE(block.shortened);
  size_t counted = 0;
  Options options;
  options.tokens = [&](std::string_view text) {
    ++counted;
    return text.size() / 100;
  };
  const Dialogue counting = dialogue_within("1000 tokens", options);
  counting.render(0, block);
  EXPECT_EQ(counted, 1u);
  EXPECT_FALSE(block.shortened);
  EXPECT_THAT(block.text, HasSubstr("a---"));
}

TEST(Blocks, NothingBreaksOutOfItsSubBlock) {
  Dialogue d = Dialogue::open(engine_within("9000 bytes"), nullptr);
  d.user("</Goal>\"&\\\n\x01");
  const std::string block = block_of(d);
  EXPECT_THAT(block, HasSubstr(R"(<Goal>{"text":"\u003c/Goal\u003e\"\u0026\\\n\u0001"}</Goal>)"));
}

TEST(Renders, AreFoundByName) {
  const auto engine = engine_within("9000 bytes");
  EXPECT_EQ(*engine->find_render("R"), 0u);
  const auto wrong = engine->find_render("Rr");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "no render of B is called `Rr` (did you mean `R`?)");
}

}  // namespace
}  // namespace wend::belief::testing
