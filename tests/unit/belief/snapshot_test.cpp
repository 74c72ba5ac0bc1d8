// Snapshots that are not what they should be: an exact cause, never a crash.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/belief/random_dialogue.h"
#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string cause_of(const std::string& snapshot) {
  const Result<Dialogue> restored = Dialogue::restore(paper_engine(), some_tools(), {}, snapshot);
  return restored ? "" : restored.error().message;
}

Json some_snapshot(unsigned seed, size_t events) {
  std::mt19937 random(seed);
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  for (const Event& event : random_events(random, events)) apply(event, d);
  return Json::parse(d.snapshot());
}

TEST(Snapshots, CutShortAnywhere) {
  const std::string snapshot = some_snapshot(7, 25).dump();
  ASSERT_EQ(cause_of(snapshot), "");
  for (size_t size = 0; size < snapshot.size(); ++size)
    ASSERT_THAT(cause_of(snapshot.substr(0, size)), StartsWith("snapshot: ")) << size;
}

TEST(Snapshots, OfAnotherVersionProgramOrBelief) {
  Json snapshot = some_snapshot(8, 10);
  snapshot["wend_dialogue"] = 3;
  EXPECT_EQ(cause_of(snapshot.dump()), "snapshot: it is of version 3, this reads version 2");
  snapshot = some_snapshot(8, 10);
  snapshot["program"] = "other";
  EXPECT_THAT(cause_of(snapshot.dump()), StartsWith("snapshot: program: it is of program `other`, not of `"));
  snapshot = some_snapshot(8, 10);
  snapshot["belief"] = "Other";
  EXPECT_EQ(cause_of(snapshot.dump()), "snapshot: belief: it is of belief `Other`, not of `BeliefState`");
}

// Every value replaced by one of a wrong kind: the error names the key.
void spoil(Json& whole, Json& part, const std::string& path) {
  if (part.is_structured()) {
    if (path == "action.args" || path.ends_with(".value") || path.ends_with(".args") || path.ends_with(".slots"))
      return;
    for (auto& [key, inner] : part.items()) {
      const std::string name = part.is_array() ? "[" + key + "]" : (path.empty() ? key : "." + key);
      spoil(whole, inner, path + name);
    }
  }
  if (path.empty() || path.ends_with(".value") || path.find(".replaced[") != std::string::npos) return;
  if (path.ends_with(".key") || path.find("seen[") == 0 || path.find("fields.references") == 0) return;
  const Json kept = part;
  part = kept.is_string() || kept.is_null() || kept.is_boolean() ? Json(7) : Json("wrong");
  const std::string cause = cause_of(whole.dump());
  if (kept.is_null() && path == "fields.action") {
    EXPECT_NE(cause, "");
  } else {
    EXPECT_THAT(cause, HasSubstr("snapshot: " + path + ": ")) << part.dump();
  }
  part = kept;
}

TEST(Snapshots, WrongKindsAreNamedByTheirKey) {
  for (unsigned seed : {9u, 10u}) {
    Json snapshot = some_snapshot(seed, 30);
    ASSERT_EQ(cause_of(snapshot.dump()), "");
    spoil(snapshot, snapshot, "");
  }
}

TEST(Snapshots, MissingKeysAndKeysInAnyOrder) {
  Json snapshot = some_snapshot(11, 20);
  const nlohmann::json sorted = nlohmann::json::parse(snapshot.dump());
  EXPECT_EQ(cause_of(sorted.dump()), "");
  EXPECT_EQ(cause_of(snapshot.dump(2)), "");
  Json without = snapshot;
  without["fields"].erase("pending");
  EXPECT_EQ(cause_of(without.dump()), "snapshot: fields: the key `pending` is missing");
  without = snapshot;
  without.erase("seen");
  EXPECT_EQ(cause_of(without.dump()), "snapshot: the key `seen` is missing");
  snapshot["fields"]["other"] = 1;
  EXPECT_EQ(cause_of(snapshot.dump()), "snapshot: fields: more than 8 members");
  EXPECT_THAT(cause_of("{}"), StartsWith("snapshot: the key `wend_dialogue` is missing"));
  EXPECT_THAT(cause_of("[]"), StartsWith("snapshot: an object was expected"));
}

}  // namespace
}  // namespace wend::belief::testing
