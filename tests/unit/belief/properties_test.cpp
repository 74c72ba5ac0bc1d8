// What holds of every dialogue, over random ones.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "runtime/belief/limits.h"
#include "tests/unit/belief/random_dialogue.h"
#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

// The folded number of a value tells whether two are the same: read from the batch itself.
template <class T>
const T* column(const wend_batch& batch, uint32_t number) {
  return static_cast<const T*>(batch.columns[number]);
}

// The state's own invariants; the empty text if they hold.
std::string wrong_with(const Dialogue& dialogue) {
  const wend_batch& batch = dialogue.batch();
  const auto* value = column<uint32_t>(batch, WEND_COLUMN_state_slot_value);
  const auto* key = column<uint32_t>(batch, WEND_COLUMN_state_slot_key);
  const auto* replaced = column<wend_span>(batch, WEND_COLUMN_state_slot_replaced);
  const auto* old = column<uint32_t>(batch, WEND_COLUMN_state_replaced_value);
  const auto* folded = column<uint32_t>(batch, WEND_COLUMN_value_folded);
  const auto* items = column<wend_span>(batch, WEND_COLUMN_state_field_items);
  const BeliefInfo& info = dialogue.engine().info();
  for (uint32_t field = 0; field < info.fields.size(); ++field) {
    if (info.fields[field].kind != FieldKind::slots) continue;
    for (uint32_t slot = items[field].begin; slot < items[field].end; ++slot) {
      if (value[slot] == WEND_NONE) return "a slot without a value";
      for (uint32_t other = items[field].begin; other < slot; ++other) {
        if (key[other] == key[slot]) return "a key twice";
      }
      for (uint32_t i = replaced[slot].begin; i < replaced[slot].end; ++i) {
        if (folded[old[i]] == folded[value[slot]]) return "a stale value is active";
        for (uint32_t k = replaced[slot].begin; k < i; ++k) {
          if (folded[old[i]] == folded[old[k]]) return "a stale value twice";
        }
      }
    }
  }
  return "";
}

TEST(Properties, AnOverwrittenValueIsStaleAndNeverActive) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    Dialogue d = Dialogue::open(paper_engine(), some_tools());
    for (const Event& event : random_events(random, 60)) {
      const Json before = state_of(d)["confirmed"];
      apply(event, d);
      ASSERT_EQ(wrong_with(d), "");
      const Json after = state_of(d)["confirmed"];
      for (const Json& slot : before) {
        const auto now =
            std::find_if(after.begin(), after.end(), [&](const Json& other) { return other["key"] == slot["key"]; });
        // What no call has used was read from the user's words: a call that says otherwise corrects it.
        const bool corrected = event.kind == Event::call && slot["used"] == false;
        if (now == after.end()) {
          ASSERT_TRUE(corrected || after.empty());  // or cleared
          continue;
        }
        if ((*now)["value"] == slot["value"] || corrected) continue;
        const Json& replaced = (*now)["replaced"];
        ASSERT_NE(std::find(replaced.begin(), replaced.end(), slot["value"]), replaced.end());
        ASSERT_EQ((*now)["turn"], d.turn());
      }
    }
  }
}

TEST(Properties, ConfirmingTwiceIsConfirmingOnce) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    Dialogue d = Dialogue::open(paper_engine(), some_tools());
    for (const Event& event : random_events(random, 10)) apply(event, d);
    Event call = random_events(random, 1)[0];
    while (call.kind != Event::call) call = random_events(random, 1)[0];
    apply(call, d);
    const Json once = state_of(d);
    apply(call, d);
    ASSERT_EQ(state_of(d), once);
  }
}

TEST(Properties, ADialogueGoesOnFromASnapshotAsIfNothingHadHappened) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    Dialogue whole = Dialogue::open(paper_engine(), some_tools());
    Dialogue parted = Dialogue::open(paper_engine(), some_tools());
    for (const Event& event : random_events(random, 40)) {
      apply(event, whole);
      apply(event, parted);
      ASSERT_EQ(parted.state_json(), whole.state_json());
      ASSERT_EQ(block_of(parted), block_of(whole));
      if (random() % 4 != 0) continue;
      Result<Dialogue> restored = Dialogue::restore(paper_engine(), some_tools(), {}, parted.snapshot());
      ASSERT_TRUE(restored) << restored.error().message;
      ASSERT_EQ(restored->snapshot(), parted.snapshot());
      parted = std::move(*restored);
    }
  }
}

// Parallel calls whose results come in any order, each with its id.
TEST(Properties, IndependentResultsMayComeInAnyOrder) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<Event> results;
    for (const char* id : {"a", "b", "c", "d"}) {
      Event result = random_events(random, 1)[0];
      while (result.kind != Event::result) result = random_events(random, 1)[0];
      result.id = id;
      results.push_back(result);
    }
    std::vector<Json> states;
    for (int order = 0; order < 3; ++order) {
      Dialogue d = Dialogue::open(paper_engine(), some_tools());
      d.user("Do it all.");
      for (const char* id : {"a", "b", "c", "d"})
        d.call(id, std::string("tool_") + id, std::string(R"({"n": ")") + id + "\"}");
      for (const Event& result : results) apply(result, d);
      std::shuffle(results.begin(), results.end(), random);
      Json state = state_of(d);
      std::sort(state["objects"].begin(), state["objects"].end(),
                [](const Json& a, const Json& b) { return a["id"] < b["id"]; });
      for (Json& slot : state["confirmed"]) slot.erase("confirmed");  // action.args are those of the last one to fail
      state.erase("action");
      states.push_back(state);
    }
    ASSERT_EQ(states[1], states[0]);
    ASSERT_EQ(states[2], states[0]);
  }
}

TEST(Properties, TenThousandTurnsStayWithinBounds) {
  std::mt19937 random(5);
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  size_t most_early = 0, most_late = 0;
  for (int round = 0; round < 1000; ++round) {
    for (const Event& event : random_events(random, 25)) apply(event, d);
    size_t& most = round < 200 ? most_early : most_late;
    most = std::max(most, d.memory());
  }
  EXPECT_GT(d.turn(), 9000u);
  EXPECT_LE(most_late, most_early + most_early / 4);
  EXPECT_LT(most_late, size_t{1} << 20);
  EXPECT_EQ(wrong_with(d), "");
}

// One large return does not make the dialogue large for good.
TEST(Properties, LargeReturnsAreForgotten) {
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  const std::string large = "[\"" + std::string(3 << 20, 'x') + "\"]";
  d.user("Book a table.");
  const size_t before = d.memory();
  for (int i = 0; i < 4; ++i) {
    d.call("", "book_table", "{}");
    d.result("", large);
  }
  for (int i = 0; i < 40; ++i) d.user("Book a table in Oslo, please.");
  EXPECT_LT(d.memory(), before + (size_t{64} << 10));
}

}  // namespace
}  // namespace wend::belief::testing
