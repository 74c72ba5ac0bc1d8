// What a draft has in common with its oracle: the counts of docs/drafts.md.
#include "runtime/draft/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/draft/sample.h"

namespace wend {
namespace {

using testing::sample;
using testing::sample_json;
using testing::sub_block;

class Comparing : public ::testing::Test {
 protected:
  const DraftComparison& compare(const std::string& draft, const std::string& oracle = sample()) {
    draft_text_ = draft;
    oracle_text_ = oracle;
    return comparer_.compare(drafts_.read(draft_text_), oracles_.read(oracle_text_));
  }
  // Sub-block `i` alone, in the draft and in the oracle.
  const DraftComparison& compare(uint32_t i, const std::string& draft, const std::string& oracle) {
    return compare(sub_block(i, draft), sub_block(i, oracle));
  }
  static std::string counts(const DraftCounts& c) {
    return std::to_string(c.right) + " of " + std::to_string(c.drafted) + ", " + std::to_string(c.expected);
  }
  // "3 of 4, 5": right, drafted, expected.
  std::string slots(const std::string& draft, const std::string& oracle) {
    return counts(compare(6, draft, oracle).slots);
  }
  std::string stale(const std::string& draft, const std::string& oracle) {
    return counts(
        compare(8, R"({"must_override_arguments":)" + draft + "}", R"({"must_override_arguments":)" + oracle + "}")
            .stale);
  }

  DraftReader drafts_{DraftShape::context_manager()}, oracles_{DraftShape::context_manager()};
  DraftComparer comparer_{DraftShape::context_manager()};
  std::string draft_text_, oracle_text_;
};

std::string verdicts(const DraftComparison& seen) {
  std::string out;
  for (const SubBlockMatch& match : seen.sub_blocks) {
    out += match.exact ? 'e' : match.loose ? 'l' : match.readable ? 'r' : '-';
  }
  return out;
}

TEST_F(Comparing, TheSameBlock) {
  const DraftComparison& seen = compare(sample());
  EXPECT_EQ(verdicts(seen), "eeeeeeeee");
  EXPECT_EQ(counts(seen.slots), "2 of 2, 2");
  EXPECT_EQ(counts(seen.stale), "1 of 1, 1");
  EXPECT_TRUE(seen.goal && seen.intent && seen.relation);
}

TEST_F(Comparing, NoDraftAtAll) {
  for (const char* draft : {"", "I call the tool.", "<Context_Manager></Context_Manager>"}) {
    const DraftComparison& seen = compare(draft);
    EXPECT_EQ(verdicts(seen), "---------");
    EXPECT_EQ(counts(seen.slots), "0 of 0, 2");
    EXPECT_EQ(counts(seen.stale), "0 of 0, 1");
    EXPECT_FALSE(seen.goal || seen.intent || seen.relation);
    EXPECT_EQ(seen.slots.precision(), std::nullopt);
    EXPECT_EQ(seen.slots.recall(), 0.0);
    EXPECT_EQ(seen.slots.f1(), 0.0);
  }
}

TEST_F(Comparing, SubBlocksAreThoseOfTheOracle) {
  const DraftComparison& seen = compare(sample(), sub_block(1, R"({"full_intent":"x"})") + sub_block(5, "none"));
  ASSERT_EQ(seen.sub_blocks.size(), 1u);
  EXPECT_EQ(seen.sub_blocks[0].sub_block, 1u);
  EXPECT_EQ(verdicts(seen), "r");
}

TEST_F(Comparing, ExactAndLoose) {
  const auto of = [&](const std::string& draft, const std::string& oracle) {
    return verdicts(compare(4, draft, oracle));
  };
  EXPECT_EQ(of(R"({"b": [1.0], "a": "x"})", R"({"a":"\u0078","b":[1]})"), "e");
  EXPECT_EQ(of("{'b': [1,], 'a': 'x'}", R"({"a":"x","b":[1]})"), "e");
  EXPECT_EQ(of(R"({"a": " X  y", "b": "1"})", R"({"a":"x y","b":1})"), "l");
  EXPECT_EQ(of(R"({"A": 1})", R"({"a":1})"), "r");
  EXPECT_EQ(of("[1, 2]", "[2, 1]"), "r");
  EXPECT_EQ(of("none", "{}"), "-");
  EXPECT_EQ(of(R"({"a": 1e999})", R"({"a":1e999})"), "r");
}

TEST_F(Comparing, ActiveSlots) {
  const std::string oracle = R"([{"arguments":{"a.x":"07:00","a.y":2}}])";
  EXPECT_EQ(slots(oracle, oracle), "2 of 2, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.x":"7:00","a.y":"2"}}])", oracle), "1 of 2, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.x":"07:00"}},{"arguments":{"a.y":2,"a.z":3}}])", oracle), "2 of 3, 2");
  EXPECT_EQ(slots(R"({"arguments":{"a.x":"07:00","a.y":2}})", oracle), "2 of 2, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.x":1}},{"arguments":{"a.x":"07:00"}}])", oracle), "1 of 1, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.x":"07:00","a.x":1}}])", oracle), "0 of 1, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.y":2},"arguments":{"a.x":"07:00"}}])", oracle), "1 of 1, 2");
  EXPECT_EQ(slots(R"([{"argument\u0073":{"a\u002ex":"07:00"}}])", oracle), "1 of 1, 2");
  EXPECT_EQ(slots(R"([{"arguments":["a.x"]}, 3, {"arguments":null}])", oracle), "0 of 0, 2");
  EXPECT_EQ(slots(R"([{"arguments":{"a.x":1e999}}])", R"([{"arguments":{"a.x":1e999}}])"), "0 of 1, 1");
}

TEST_F(Comparing, SlotsWithoutValues) {
  const auto both = [](const std::string& keys, const std::string& graph) {
    return sub_block(2, R"({"inherit_slots":)" + keys + "}") + sub_block(6, graph);
  };
  const std::string keys = R"(["a.x","a.y"])", values = R"([{"arguments":{"a.x":1,"a.y":2}}])";
  EXPECT_EQ(counts(compare(both(keys, "[]"), both(keys, values)).slots), "0 of 2, 2");
  EXPECT_EQ(counts(compare(both(keys, values), both(keys, "[]")).slots), "2 of 2, 2");
  EXPECT_EQ(counts(compare(both("[]", values), both(keys, values)).slots), "2 of 2, 2");
  EXPECT_EQ(counts(compare(both(R"("a.x")", "[]"), both(keys, "[]")).slots), "1 of 1, 2");
}

TEST_F(Comparing, StaleSlots) {
  EXPECT_EQ(stale(R"(["a.x","a.y"])", R"(["a.y","a.z"])"), "1 of 2, 2");
  EXPECT_EQ(stale(R"(["a.x","a.x"])", R"(["a.x"])"), "1 of 1, 1");
  EXPECT_EQ(stale(R"("a.x")", R"(["a.x"])"), "1 of 1, 1");
  EXPECT_EQ(stale("null", R"(["a.x"])"), "0 of 0, 1");
  EXPECT_EQ(stale(R"([{"key":"a.x"}])", R"(["a.x"])"), "0 of 1, 1");
  EXPECT_EQ(stale(R"(["A.x"])", R"(["a.x"])"), "0 of 1, 1");
  const DraftComparison& seen = compare(
      sub_block(2, R"({"override_slots":["a.x"]})"),
      sub_block(2, R"({"override_slots":["a.x"]})") + sub_block(8, R"({"must_override_arguments":["a.x","a.y"]})"));
  EXPECT_EQ(counts(seen.stale), "1 of 1, 2");
}

TEST_F(Comparing, GoalAndSignal) {
  EXPECT_TRUE(compare(1, R"({"full_intent":"WAKE  me"})", R"({"full_intent":"wake me"})").goal);
  EXPECT_FALSE(compare(1, R"({"full_intent":"wake us"})", R"({"full_intent":"wake me"})").goal);
  EXPECT_TRUE(compare(1, "{}", R"({"full_intent":null})").goal);
  EXPECT_FALSE(compare(1, "none", R"({"full_intent":null})").goal);
  EXPECT_FALSE(compare(1, R"([{"full_intent":"x"}])", R"({"full_intent":"x"})").goal);
  EXPECT_TRUE(compare(0, R"({"intent_type":"x","intent_type":"new_task"})", R"({"intent_type":"new_task"})").intent);
  EXPECT_FALSE(compare(0, R"({"intent_type":"new_task","intent_type":"x"})", R"({"intent_type":"new_task"})").intent);
  EXPECT_TRUE(compare(2, R"({"relation_to_history":"extends"})", R"({"relation_to_history":"extends"})").relation);
  EXPECT_FALSE(compare(2, R"({"relation_to_history":"x"})", R"({"relation_to_history":"extends"})").relation);
}

TEST_F(Comparing, RatesOfCounts) {
  const DraftCounts counts{4, 5, 3};
  EXPECT_EQ(counts.precision(), 0.75);
  EXPECT_EQ(counts.recall(), 0.6);
  EXPECT_EQ(counts.f1(), 2.0 * 3 / 9);
}

}  // namespace
}  // namespace wend
