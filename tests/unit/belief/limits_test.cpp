// What a state keeps at most, and what bad input does to it (docs/belief.md).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

TEST(Excerpts, NeverHalfACharacter) {
  std::string buffer;
  EXPECT_EQ(cut_to_bytes("abcdef", 6, buffer), "abcdef");
  EXPECT_EQ(cut_to_bytes("abcdefg", 6, buffer), "abc\u2026");
  EXPECT_EQ(cut_to_bytes("ab\u00e9defg", 6, buffer), "ab\u2026");
  EXPECT_EQ(cut_to_characters("\u00e9\u00e9\u00e9", 3, buffer), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(cut_to_characters("\u00e9\u00e9\u00e9x", 3, buffer), "\u00e9\u00e9\u2026");
  EXPECT_EQ(first_characters("\u00e9\u00e9x", 2), "\u00e9\u00e9");
  EXPECT_EQ(valid_utf8("a\xff\xfe\xc3z\xc3\xa9", buffer), "a\uFFFD\uFFFD\uFFFDz\u00e9");
}

TEST(Limits, TheOldestLeave) {
  const auto engine =
      engine_of(compile("belief B { slots s stack st queue q objects o last a goal g\n"
                        "on user(m) { g = m.text push st m.text q.add(m.text) }\n"
                        "on call(c) { overwrite s with c.args }\non result(r) { o.add(r) a = r } }"));
  Options options;
  options.max_objects = 5;
  Dialogue d = Dialogue::open(engine, nullptr, options);
  for (int i = 0; i < 700; ++i) {
    d.user(fmt::format("message {}", i));
    d.call("", fmt::format("tool_{}", i), fmt::format(R"({{"x": {}}})", i));
    d.call("", "same", fmt::format(R"({{"x": {}}})", i));
    d.result("", "first");
    d.result("", "second");
  }
  const Json state = state_of(d);
  EXPECT_EQ(state["s"].size(), kMaxSlots);
  EXPECT_EQ(state["st"].size(), kMaxGoals);
  EXPECT_EQ(state["q"].size(), kMaxQuestions);
  ASSERT_EQ(state["o"].size(), 5u);
  EXPECT_EQ(state["st"].back()["text"], "message 699");
  EXPECT_EQ(state["o"].back()["id"], "obj_same_700");
  EXPECT_EQ(state["s"].back()["key"], "tool_699.x");
  EXPECT_EQ(state["s"][0]["key"], "tool_189.x");  // `same.x` is among them: it left with the oldest and came again
  for (int i = 0; i < 70; ++i) d.call("", "again", fmt::format(R"({{"x": {}}})", i));
  EXPECT_EQ(state_of(d)["s"].back()["replaced"].size(), kMaxReplaced);
  EXPECT_EQ(state_of(d)["s"].back()["replaced"].back(), 68);
}

TEST(Limits, LongTextsAndValuesAreCut) {
  const auto engine = engine_of(
      compile("belief B { slots s last a goal g j : json?\non user(m) { g = m.text }\n"
              "on call(c) { overwrite s with c.args j = first(x.value for x in c.args) }\non result(r) { a = r } }"));
  Dialogue d = Dialogue::open(engine, nullptr);
  d.user(std::string(5000, 'a'));
  EXPECT_EQ(std::string(state_of(d)["g"]["text"]), std::string(kMaxText - 3, 'a') + "\u2026");
  d.call("", std::string(300, 't'),
         R"({"x": ")" + std::string(5000, 'v') + R"(", "y": [)" + std::string(5000, '1') + R"(]})");
  Json state = state_of(d);
  EXPECT_EQ(std::string(state["s"][0]["tool"]), std::string(kMaxName - 3, 't') + "\u2026");
  EXPECT_EQ(std::string(state["s"][0]["value"]), std::string(kMaxValue - 3, 'v') + "\u2026");
  EXPECT_EQ(std::string(state["s"][1]["value"]), "[" + std::string(kMaxValue - 4, '1') + "\u2026");
  EXPECT_EQ(state["j"], state["s"][0]["value"]);
  std::string letters;
  for (int i = 0; i < 2001; ++i) letters += "\u00e9";
  d.result("", letters);
  EXPECT_EQ(std::string(state_of(d)["a"]["result"]), letters.substr(0, 2 * 1999) + "\u2026");
}

TEST(Limits, CallsThatNeverReturnAreForgotten) {
  const auto engine = engine_of(compile("belief B { last a on result(r) { a = r } }"));
  Dialogue d = Dialogue::open(engine, nullptr);
  for (int i = 0; i < 100; ++i) d.call(fmt::format("{}", i), fmt::format("t{}", i), "{}");
  d.result("3", "late");  // forgotten: the oldest call that is known
  EXPECT_EQ(state_of(d)["a"]["tool"], "t36");
}

// What tools return when things go wrong: the state holds together, and goes on.
TEST(BadInput, LeavesAStateThatHoldsTogether) {
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  const std::string wide = "[" + std::string(1 << 20, '1') + "]";
  const std::vector<std::string> texts = {"",
                                          "no JSON",
                                          "{\"a\": ",
                                          "[1, 2",
                                          deep,
                                          wide,
                                          "\xff\xfe",
                                          "null",
                                          "\"\\ud800\"",
                                          "{\"a\":1e400}",
                                          std::string(1 << 20, 'x'),
                                          "{\"id\": [1, {\"id\": 2}]}",
                                          std::string("\0\0", 2)};
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  for (int round = 0; round < 3; ++round) {
    for (const std::string& text : texts) {
      d.user(text);
      d.call("same id", text, text);
      d.call("same id", "book_table", text);
      d.call("", "book_table", "{\"time\": " + text + "}");
      d.result("same id", text);
      d.result("no such id", text, true);
      d.reply(text);
      Json state = state_of(d);  // is JSON
      EXPECT_LE(state["objects"].size(), 32u);
      EXPECT_FALSE(block_of(d).empty());
    }
  }
  // A value changes its type again and again.
  for (const char* value : {"1", "\"1\"", "[1]", "{\"a\": 1}", "null", "true"})
    d.call("", "book_table", std::string("{\"people\": ") + value + "}");
  const Json slots = state_of(d)["confirmed"];
  const auto slot =
      std::find_if(slots.begin(), slots.end(), [](const Json& s) { return s["key"] == "book_table.people"; });
  ASSERT_NE(slot, slots.end());
  EXPECT_EQ((*slot)["value"], true);
  EXPECT_EQ((*slot)["replaced"].dump(), R"([1,[1],{"a":1},null])");
}

}  // namespace
}  // namespace wend::belief::testing
