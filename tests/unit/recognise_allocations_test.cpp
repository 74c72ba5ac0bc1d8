// Nothing allocates once a scratch has grown: every allocation of this program is counted.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/recognise/recognise.h"
#include "tests/support/allocations.h"

namespace wend::recognise {
namespace {

TEST(Allocations, NoneInTheSteadyState) {
  const CuesInfo table{"S", {"none", "a", "b"}, {{"make it", 1, 1, -1}, {"not * but", 1, 1, -1}, {"also", 2, 1, -1}}};
  const Cues cues = Cues::compile(std::span(&table, 1));
  const std::vector<ToolSchema> schemas = {{"book_table",
                                            {{"city", WEND_JSON_TEXT, {}},
                                             {"time", WEND_JSON_TEXT, {}},
                                             {"party_size", WEND_JSON_INT, {}},
                                             {"order_ids", WEND_JSON_LIST, {}},
                                             {"seating", WEND_JSON_TEXT, {"\"indoor\"", "\"outdoor\""}}}}};
  const Toolset tools = Toolset::compile(schemas);
  const std::string list = "[{\"id\": 1, \"price\": 5}, {\"id\": 2, \"price\": 3}]";
  const std::vector<ObjectView> objects = {{"order", "{\"order_id\": \"#W123456\"}", "{}"}, {"table", list, "{}"}};
  const std::vector<KnownSlot> slots = {{1, "\"19:00\""}};
  SeenValues seen;
  MentionContext context;
  context.slots = slots;
  context.seen = &seen;
  Scratch scratch;
  size_t found = 0;
  const std::vector<std::string> messages = {
      "Not 7pm but 8pm, for 4 people in San Mateo, the second one, also the order #W123456, outdoor please.",
      "\u041d\u0435 7pm, \u628a\u65f6\u95f4\u6539\u6210 caf\u00e9 \u201cquoted\u201d option 2, both of them, make it "
      "6:30."};
  auto all = [&] {
    for (const std::string& message : messages) {
      scratch.read(message);
      found += classify(cues, 0, {}, scratch).label;
      context.tool = kNone;
      found += mentioned(tools, context, scratch).size();
      context.tool = 0;
      found += mentioned(tools, context, scratch).size();
      found += resolved(objects, scratch).size();
      for (const Leaf& leaf : read_result(list, "get_very_long_table_descriptions_by_id", scratch).leaves) {
        seen.add(leaf.attribute, leaf.json);
      }
      for (const Leaf& leaf : read_result(objects[0].result, "get_order", scratch).leaves) {
        seen.add(leaf.attribute, leaf.json);
      }
      found += read_reply("Which city? And at what time would you like it?", tools, context, scratch).missing.size();
    }
  };
  for (int round = 0; round < 3; ++round) all();
  const size_t before = allocations, found_before = found;
  for (int round = 0; round < 100; ++round) all();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(found, found_before);
}

}  // namespace
}  // namespace wend::recognise
