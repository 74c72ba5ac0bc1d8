// Each statement of a belief, worked out by hand (docs/belief.md, Fields and statements).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/belief/testing.h"

namespace wend::belief::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What the engine keeps under the fields and handlers of a spec.
Dialogue dialogue_of(const std::string& fields_and_handlers, Options options = {}) {
  return Dialogue::open(engine_of(compile("belief B {\n" + fields_and_handlers + "\n}\n")), some_tools(),
                        std::move(options));
}

// Slots as "key value [replaced] confirmed turn".
std::vector<std::string> slots_of(const Dialogue& dialogue, const std::string& field = "s") {
  std::vector<std::string> out;
  const Json state = state_of(dialogue);
  for (const Json& slot : state[field]) {
    out.push_back(std::string(slot["key"]) + " " + slot["value"].dump() + " " + slot["replaced"].dump() +
                  (slot["confirmed"] ? " confirmed " : " open ") + slot["turn"].dump());
  }
  return out;
}

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& item : list) out.push_back(item["text"]);
  return out;
}

TEST(Slots, OverwritingKeepsTheOldValueAndTakesBackTheNewOne) {
  Dialogue d = dialogue_of("slots s\non call(c) { overwrite s with c.args }");
  d.user("one");
  d.call("1", "book_table", R"({"city": "Oslo", "people": 2})");
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Oslo" [] open 1)", "book_table.people 2 [] open 1"));
  d.user("two");
  d.call("2", "book_table", R"({"city": " OSLO ", "people": "2.0"})");  // the same values, loosely
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Oslo" [] open 1)", "book_table.people 2 [] open 1"));
  d.call("3", "book_table", R"({"city": "Rome"})");
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Rome" ["Oslo"] open 2)", "book_table.people 2 [] open 1"));
  d.call("4", "book_table", R"({"city": "Bonn"})");
  d.call("5", "book_table", R"({"city": "oslo"})");  // comes back: it is no longer stale
  EXPECT_EQ(slots_of(d)[0], R"(book_table.city "oslo" ["Rome","Bonn"] open 2)");
  d.call("6", "other_tool", R"({"city": "Rome"})");
  EXPECT_EQ(slots_of(d)[2], R"(other_tool.city "Rome" [] open 2)");
}

TEST(Slots, ConfirmAndUnconfirm) {
  Dialogue d = dialogue_of(
      "slots s\nlast a\non call(c) { a = c  confirm c.args }\n"
      "on result(r) { a = r  when r.error { unconfirm a.args } }");
  d.user("one");
  d.call("1", "book_table", R"({"city": "Oslo"})");
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Oslo" [] confirmed 1)"));
  d.call("1", "book_table", R"({"city": "Oslo"})");
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Oslo" [] confirmed 1)"));
  d.call("2", "book_table", R"({"city": "Rome"})");
  d.result("1", "Error: no table");  // of the first call, whose value is gone
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Rome" ["Oslo"] confirmed 1)"));
  d.result("1", "ok");
  d.result("2", R"({"error": "no table"})");
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Rome" ["Oslo"] open 1)"));
}

// A call that still has what the user has replaced brings it back only once a call has used the new value.
TEST(Slots, AStaleCallDoesNotReplaceWhatTheUserSaid) {
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  d.user("Book a table in Oslo at 7pm.");
  d.call("1", "book_table", R"({"city": "Oslo", "time": "19:00"})");
  d.result("1", "ok");
  d.user("Actually, make it 8pm.");
  const auto time = [&] { return slots_of(d, "confirmed")[1]; };
  EXPECT_EQ(time(), R"(book_table.time "20:00" ["19:00"] open 2)");
  d.call("2", "book_table", R"({"city": "Oslo", "time": "7pm"})");  // stale
  EXPECT_EQ(time(), R"(book_table.time "20:00" ["19:00"] open 2)");
  d.call("3", "book_table", R"({"city": "Oslo", "time": "21:00"})");      // neither stale nor what the user said
  EXPECT_EQ(time(), R"(book_table.time "21:00" ["19:00"] confirmed 2)");  // what no call has used is not stale
  d.result("3", "Error: no table");  // it was used all the same: the agent may go back
  d.call("4", "book_table", R"({"city": "Oslo", "time": "20:00"})");
  EXPECT_EQ(time(), R"(book_table.time "20:00" ["19:00","21:00"] confirmed 2)");
}

// A value that the message seemed to give one tool, and that a call of another takes, was said for that call.
TEST(Slots, WhatACallTakesIsGivenBackByOtherTools) {
  const auto follow = [](const char* before) {
    Dialogue d = dialogue_of(
        "slots s\nlast a\non user(m) { overwrite s with mentioned(m.text) }\non call(c) { a = c  confirm c.args }");
    if (before) d.call("1", "book_table", before);
    d.user("Book a table in Rome.");
    d.call("2", "other_tool", R"({"place": "Rome"})");
    return slots_of(d);
  };
  EXPECT_THAT(follow(R"({"city": "Oslo"})"),
              ElementsAre(R"(book_table.city "Oslo" [] confirmed 1)", R"(other_tool.place "Rome" [] confirmed 1)"));
  EXPECT_THAT(follow(nullptr), ElementsAre(R"(other_tool.place "Rome" [] confirmed 1)"));
}

TEST(Slots, ToolAndParameterTogetherNameASlot) {
  Dialogue d = dialogue_of("slots s\non call(c) { confirm c.args }");
  d.call("1", "a.b", R"({"c": 1})");
  d.call("2", "a", R"({"b.c": 2})");
  EXPECT_THAT(slots_of(d), ElementsAre("a.b.c 1 [] confirmed 0", "a.b.c 2 [] confirmed 0"));
}

TEST(Slots, SelectionsAreCollectedBeforeTheyAreApplied) {
  Dialogue d = dialogue_of(
      "slots s\nslots t\non call(c) { overwrite s with c.args  overwrite t with [x for x in s.active if x.turn > 1] "
      "overwrite s with [x for x in t.active] }");
  d.user("one");
  d.call("1", "book_table", R"({"city": "Oslo"})");
  d.user("two");
  d.call("2", "book_table", R"({"time": "07:00"})");
  EXPECT_THAT(slots_of(d, "t"), ElementsAre(R"(book_table.time "07:00" [] open 2)"));
  EXPECT_THAT(slots_of(d), ElementsAre(R"(book_table.city "Oslo" [] open 1)", R"(book_table.time "07:00" [] open 2)"));
}

TEST(Goals, StackAndCurrentGoal) {
  Dialogue d = dialogue_of("goal g\nstack st\non user(m) { push st g  g = m.text }\non reply(a) { pop st into g }");
  EXPECT_EQ(state_of(d)["g"].dump(), R"({"text":null,"turn":0})");
  d.user("first");
  EXPECT_TRUE(state_of(d)["st"].empty());  // there was no goal to push
  d.user("second");
  d.user("third");
  EXPECT_EQ(state_of(d)["st"].dump(), R"([{"text":"first","turn":1},{"text":"second","turn":2}])");
  EXPECT_EQ(state_of(d)["g"].dump(), R"({"text":"third","turn":3})");
  d.reply("done");
  EXPECT_EQ(state_of(d)["g"].dump(), R"({"text":"second","turn":2})");
  d.reply("done");
  d.reply("done");  // an empty stack: nothing
  EXPECT_EQ(state_of(d)["g"].dump(), R"({"text":"first","turn":1})");
  d.user(" \n ");  // no text
  EXPECT_EQ(state_of(d)["g"].dump(), R"({"text":null,"turn":4})");
}

TEST(Queues, QuestionsOnceAndByName) {
  Dialogue d = dialogue_of(
      "last a\nqueue q\non call(c) { a = c }\non user(m) { q.add(m.text) }\non reply(x) { suspend q }\n"
      "on result(r) { q.remove(r.text)  resume q }");
  d.user("time");
  d.user("time");
  d.user("cancel_order.reason");
  d.user("size");
  EXPECT_THAT(texts_of(state_of(d)["q"]), ElementsAre("time", "cancel_order.reason", "size"));
  EXPECT_EQ(state_of(d)["q"][0].dump(),
            R"({"text":"time","tool":"book_table","param":"time","suspended":false,"turn":1})");
  EXPECT_EQ(state_of(d)["q"][1]["tool"], "cancel_order");
  EXPECT_EQ(state_of(d)["q"][1]["param"], "reason");
  EXPECT_TRUE(state_of(d)["q"][2]["tool"].is_null());
  d.reply("later");
  EXPECT_EQ(state_of(d)["q"][2]["suspended"], true);
  d.result("", "time");
  EXPECT_THAT(texts_of(state_of(d)["q"]), ElementsAre("cancel_order.reason", "size"));
  EXPECT_EQ(state_of(d)["q"][1]["suspended"], false);
}

TEST(Objects, ComeWithResultsAndAreBroughtUpToDate) {
  Dialogue d = dialogue_of("objects o\non result(r) { o.add(r) }");
  d.user("one");
  d.call("1", "cancel_order", R"({"order_id": "#W1", "reason": "late"})");
  d.call("2", "cancel_order", R"({"order_id": "#W2"})");
  d.call("3", "book_table", "{}");
  d.user("two");
  d.result("3", R"({"status": "pending", "type": "table"})");
  d.result("1", R"({"error": "no such order"})");
  EXPECT_EQ(state_of(d)["o"].dump(),
            R"([{"id":"obj_book_table_1","type":"table","status":"pending","tool":"book_table","turn":2,"slots":{},)"
            R"("result":"{\"status\": \"pending\", \"type\": \"table\"}"},)"
            R"({"id":"obj_cancel_order_1","type":"order","status":"error","tool":"cancel_order","turn":2,)"
            R"("slots":{"order_id":"#W1","reason":"late"},"result":"{\"error\": \"no such order\"}"}])");
  d.result("2", "");
  d.call("4", "book_table", "{}");
  d.result("4", "ok");
  const Json objects = state_of(d)["o"];
  ASSERT_EQ(objects.size(), 3u);  // the second order is the first one's object; it stays in its place
  EXPECT_EQ(objects[1]["slots"].dump(), R"({"order_id":"#W2"})");
  EXPECT_TRUE(objects[1]["result"].is_null());
  EXPECT_EQ(objects[2]["id"], "obj_book_table_2");
  d.result("9", "of no call");
  EXPECT_EQ(state_of(d)["o"].size(), 3u);
}

TEST(Results, GoToTheOldestCallWithTheirIdElseToTheOldest) {
  Dialogue d = dialogue_of("last a\non result(r) { a = r }");
  EXPECT_TRUE(state_of(d)["a"].is_null());
  d.call("x", "t1", R"({"n": 1})");
  d.call("y", "t2", R"({"n": 2})");
  d.call("x", "t3", R"({"n": 3})");
  d.result("x", "a");
  EXPECT_EQ(state_of(d)["a"].dump(), R"({"tool":"t1","args":{"n":1},"result":"a","error":false,"turn":0})");
  d.result("x", "b", true);
  EXPECT_EQ(state_of(d)["a"].dump(), R"({"tool":"t3","args":{"n":3},"result":"b","error":true,"turn":0})");
  d.result("x", "c");
  EXPECT_EQ(state_of(d)["a"]["tool"], "t2");
  d.result("x", "d");
  EXPECT_EQ(state_of(d)["a"]["result"], "c");
}

TEST(Values, FieldsOfEveryTypeAndTheirFirstValues) {
  Dialogue d = dialogue_of(
      "n : int = 3\nr : real = 0.5\nb : bool = true\nt : text?\nj : json?\nl : list<text>\nv : list<json>\n"
      "on user(m) { n = n + 1  r = r / 4  b = not b  t = \"said {m.text} {n}\"  l = [\"x\", m.text ?? \"\"] }\n"
      "on call(c) { j = first(a.value for a in c.args)  v = [a.value for a in c.args] }\n"
      "on reply(a) { clear n  clear r  clear b  clear t  clear j  clear l  clear v }");
  EXPECT_EQ(d.state_json(), R"({"n":3,"r":0.5,"b":true,"t":null,"j":null,"l":[],"v":[]})");
  d.user("hi");
  d.call("", "t", R"({"b": [1.0, {"k": "v"}], "a": "x"})");
  EXPECT_EQ(d.state_json(), R"({"n":4,"r":0.125,"b":false,"t":"said hi 4","j":[1,{"k":"v"}],"l":["x","hi"],)"
                            R"("v":[[1,{"k":"v"}],"x"]})");
  d.reply("bye");
  EXPECT_EQ(d.state_json(), R"({"n":3,"r":0.5,"b":true,"t":null,"j":null,"l":[],"v":[]})");
}

TEST(Events, WhiteSpaceAloneIsNoText) {
  Dialogue d = dialogue_of("goal g\nn : int = 0\non user(m) { g = m.text }\non reply(a) { n = n + 1 }");
  for (int i = 0; i < 300; ++i) {
    d.reply(std::string(static_cast<size_t>(i), ' ') + "\u3000\n");
    ASSERT_EQ(d.state_json(), R"({"g":{"text":null,"turn":0},"n":0})");
  }
  d.user("\u3000 \t");
  EXPECT_EQ(d.state_json(), R"({"g":{"text":null,"turn":1},"n":0})");
  d.reply("x");
  EXPECT_EQ(state_of(d)["n"], 1);
}

TEST(Policies, WhatMayBeRemembered) {
  const std::string spec =
      "slots s\ngoal g\nn : int = 0\non user(m) { g = m.text  n = n + 1 }\non call(c) { overwrite s with c.args }";
  for (const auto policy : {UpdatePolicy::accumulate, UpdatePolicy::last_only, UpdatePolicy::first_only}) {
    Options options;
    options.policy = policy;
    Dialogue d = dialogue_of(spec, options);
    d.call("0", "t", R"({"x": 0})");
    d.user("one");
    d.call("1", "t", R"({"a": 1})");
    d.user("two");
    d.call("2", "t", R"({"b": 2})");
    const Json state = state_of(d);
    switch (policy) {
      case UpdatePolicy::accumulate:
        EXPECT_EQ(state["s"].size(), 3u);
        EXPECT_EQ(state["n"], 2);
        break;
      case UpdatePolicy::last_only:
        EXPECT_EQ(state["s"].size(), 1u);
        EXPECT_EQ(state["s"][0]["key"], "t.b");
        EXPECT_EQ(state["n"], 1);
        EXPECT_EQ(state["g"]["text"], "two");
        break;
      case UpdatePolicy::first_only:
        EXPECT_EQ(state["s"].size(), 2u);
        EXPECT_EQ(state["g"]["text"], "one");
        break;
    }
    EXPECT_EQ(d.turn(), 2u);
  }
}

TEST(Recognition, ReadsWhatTheDialogueHasBroughtUp) {
  Dialogue d = Dialogue::open(paper_engine(), some_tools());
  d.user("Book a table in Oslo at 7pm for 2 people.");
  EXPECT_EQ(state_of(d)["signal"], "none");
  d.call("1", "book_table", R"({"city": "Oslo", "time": "19:00", "people": 2})");
  d.result("1", R"([{"id": "A1", "price": 30}, {"id": "B2", "price": 20}])");
  d.user("Actually, make it 8pm, the cheapest one.");
  const Json state = state_of(d);
  EXPECT_EQ(state["signal"], "modified");
  EXPECT_EQ(state["confirmed"][1]["value"], "20:00");
  EXPECT_EQ(state["confirmed"][1]["replaced"].dump(), R"(["19:00"])");
  EXPECT_EQ(state["references"][0]["value"], "B2");
  EXPECT_THAT(block_of(d), HasSubstr("book_table.time is no longer 19:00"));
}

TEST(Recognition, AModelIsAskedWhereCuesLeaveItOpen) {
  std::string asked;
  Options options;
  options.ask = [&](uint32_t, std::string_view, std::string_view prompt) {
    asked = prompt;
    return std::optional<Label>(Label{3, 0.9});
  };
  Dialogue d = Dialogue::open(paper_engine(), some_tools(), options);
  d.user("Leave all that.");
  EXPECT_EQ(state_of(d)["signal"], "reset");
  EXPECT_THAT(asked, HasSubstr("Leave all that."));
  asked.clear();
  d.user("Never mind.");  // the cues are sure
  EXPECT_EQ(asked, "");
  options.ask = [](uint32_t, std::string_view, std::string_view) { return std::optional<Label>(Label{99, 1}); };
  Dialogue wrong = Dialogue::open(paper_engine(), some_tools(), options);
  wrong.user("Leave all that.");  // no such label: as if there were no answer
  EXPECT_EQ(state_of(wrong)["signal"], "none");
}

TEST(Engines, NameTheirBelief) {
  const auto program = compile("belief Memory { goal g on user(m) { g = m.text } }");
  const auto wrong = Engine::make(program, "Memorx");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "no belief is called `Memorx` (did you mean `Memory`?)");
  const auto none = Engine::make(compile("enum E { a, b }"));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("declares no belief"));
  const auto tools = Tools::parse(R"([{"name": "t"}, {"nam": "x"}])");
  ASSERT_FALSE(tools);
  EXPECT_THAT(tools.error().message, HasSubstr("tools[1]: a tool has no name"));
}

}  // namespace
}  // namespace wend::belief::testing
