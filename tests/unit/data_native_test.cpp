#include <gtest/gtest.h>

#include <random>
#include <set>

#include "data_check.h"
#include "data_testing.h"

namespace wend {
namespace {

using testing::ReadText;
using testing::with_arguments;

std::string samples() {
  std::ifstream file(std::string(WEND_TEST_DATA) + "/samples/dialogues.jsonl");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST(Native, AlarmByHand) {
  const ReadText read(first_line(samples()));
  ASSERT_EQ(read.batch.traces(), 1u) << read.issue();
  EXPECT_EQ(testing::dump(read.batch),
            R"(trace alarm-1 family Modification scenario task_modification caps 63 profile {"home_city": "oslo"}
  message 1 turn 0 text Turn on Bluetooth and set an alarm for 7am tomorrow folded turn on bluetooth and set an alarm for 7am tomorrow answers -
  message 2 turn 0 text - folded answers -
    call 0 bluetooth action_type=4:open! made turn 0 tool bluetooth
    call 1 alarm time=4:07:00! repeat=4:once! made turn 0 tool alarm
  message 3 turn 0 text Bluetooth is on. folded bluetooth is on. answers 0
  message 3 turn 0 text Alarm set for 07:00. folded alarm set for 07:00. answers 1
  message 2 turn 0 text Bluetooth is on and the alarm is set for 07:00. folded bluetooth is on and the alarm is set for 07:00. answers -
  message 1 turn 1 text Actually, change the alarm to 6:30 folded actually, change the alarm to 6:30 answers -
  message 2 turn 1 text - folded answers -
    call 2 alarm time=4:06:30! repeat=4:once! made turn 1 tool alarm
  message 3 turn 1 text Alarm updated to 06:30. folded alarm updated to 06:30. answers 2
  message 2 turn 1 text Updated to 6:30. folded updated to 6:30. answers -
  turn 1 kind 0 signal 0 labelled 1 answered 1 messages 5 calls 2 user yes
    call 0 bluetooth action_type=4:open! gold turn 0 tool bluetooth
    call 1 alarm time=4:07:00! repeat=4:once! gold turn 0 tool alarm
  turn 2 kind 0 signal 1 labelled 1 answered 1 messages 4 calls 1 user yes
    call 2 alarm time=4:06:30|6:30! repeat=4:once?! gold turn 1 tool alarm
    stale alarm time 07:00
  gold calls 3
  tool alarm Set or change the alarm.
    param time 4 required -
    param repeat 4 once once,daily,weekdays,
  tool bluetooth Switch Bluetooth.
    param action_type 4 required - open,close,
  chain
    link 1 needs
    link 2 needs 0,
)");
}

TEST(Native, SamplesCoverWhatTheyAreFor) {
  const ReadText read(samples());
  EXPECT_TRUE(read.report.issues.empty()) << read.issue();
  EXPECT_EQ(read.batch.traces(), 16u);
  std::set<std::string> families;
  for (const uint32_t family : read.c().trace_family) families.emplace(read.batch.text(family));
  EXPECT_EQ(families, (std::set<std::string>{"Accumulation", "Baseline", "Chaining", "Clarification", "Interruption",
                                             "Modification"}));
  for (const uint8_t malformed : read.c().call_malformed) EXPECT_EQ(malformed, 0);
}

TEST(Native, EqualCallsHaveEqualKeys) {
  const ReadText read(
      R"({"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[)"
      R"({"function":{"name":"f","arguments":"{\"b\": 1.0, \"a\": [1]}"}},{"function":{"name":"f","arguments":{"a":[1.0],"b":1}}},)"
      R"({"function":{"name":"g","arguments":{"a":[1.0],"b":1}}},{"function":{"name":"f","arguments":{"a":[1],"b":"1"}}},)"
      R"({"function":{"name":"f","arguments":"broken"}},{"function":{"name":"f","arguments":"broken"}},)"
      R"({"function":{"name":"f","arguments":"other"}},{"function":{"name":"f"}},{"function":{"name":"f","arguments":null}}]}]})");
  const auto& key = read.c().call_key;
  ASSERT_EQ(key.size(), 9u) << read.issue();
  EXPECT_EQ(key[0], key[1]);
  EXPECT_NE(key[0], key[2]);
  EXPECT_NE(key[0], key[3]);
  EXPECT_EQ(key[4], key[5]);
  EXPECT_NE(key[4], key[6]);
  EXPECT_NE(key[4], key[7]);
  EXPECT_EQ(key[7], key[8]);
}

TEST(Native, ArgumentsInEveryShape) {
  const std::string lines = with_arguments(R"("{\"a\": 1}")") + with_arguments(R"({"a": 1.0})") +
                            with_arguments(R"("\"{\\\"a\\\": 1}\"")") + with_arguments(R"("{'a': 1}")") +
                            with_arguments(R"("  {\"a\": 1}  ")");
  const ReadText read(lines);
  ASSERT_EQ(read.batch.traces(), 5u) << read.issue();
  for (uint32_t k = 1; k < 5; ++k) EXPECT_EQ(read.c().call_key[k], read.c().call_key[0]) << k;
  EXPECT_EQ(read.c().call_malformed[0], 0);
}

TEST(Native, NoArguments) {
  const std::string lines = with_arguments("null") + with_arguments("\"\"") + with_arguments("{}") +
                            with_arguments("\"{}\"") + with_arguments("\"null\"") + with_arguments("\"  \"");
  const ReadText read(lines);
  ASSERT_EQ(read.batch.traces(), 6u);
  for (uint32_t k = 0; k < 6; ++k) {
    EXPECT_EQ(read.c().call_malformed[k], 0) << k;
    EXPECT_EQ(read.c().call_args[k].begin, read.c().call_args[k].end);
  }
}

TEST(Native, UnreadableArgumentsMarkTheCallOnly) {
  const std::string lines = with_arguments(R"("{\"a\": ")") + with_arguments(R"("[1, 2]")") + with_arguments("7") +
                            with_arguments(R"("{\"a\": NaN}")") + with_arguments(R"("{'a': open('x')}")") +
                            with_arguments("[1]") + with_arguments(R"("{\"a\":1} trailing")");
  const ReadText read(lines);
  EXPECT_EQ(read.batch.traces(), 7u) << read.issue();
  for (uint32_t k = 0; k < read.c().call_name.size(); ++k) {
    EXPECT_EQ(read.c().call_malformed[k], 1) << k;
    EXPECT_EQ(read.c().call_args[k].begin, read.c().call_args[k].end);
  }
}

TEST(Native, ContentInEveryShape) {
  const ReadText read(
      R"({"messages":[{"role":"user","content":[{"type":"text","text":"one"},{"type":"image_url","image_url":{}},{"type":"text","text":"two"}]},)"
      R"({"role":"assistant","content":null},{"role":"assistant","content":" \u00a0\n"},{"role":"assistant","content":""},)"
      R"({"role":"assistant","content":"{\"message\": \"hi\"}"},{"role":"tool","content":4.5},{"role":"tool","content":{"a":1}}]})");
  const auto& text = read.c().message_text;
  ASSERT_EQ(text.size(), 7u) << read.issue();
  EXPECT_EQ(read.batch.text(text[0]), "one\ntwo");
  EXPECT_EQ(text[1], WEND_NONE);
  EXPECT_EQ(text[2], WEND_NONE);
  EXPECT_EQ(text[3], WEND_NONE);
  EXPECT_EQ(read.batch.text(text[4]), R"({"message": "hi"})");
  EXPECT_EQ(read.batch.text(text[5]), "4.5");
  EXPECT_EQ(read.batch.text(text[6]), R"({"a":1})");
}

TEST(Native, EscapesInToolResultsAreDecodedForSearch) {
  const ReadText read(
      R"({"messages":[{"role":"user","content":"a\\u00fcb"},{"role":"tool","content":"{\"city\": \"M\\u00dcNCHEN\"}"}]})");
  const auto& text = read.c().message_text;
  ASSERT_EQ(text.size(), 2u);
  EXPECT_EQ(read.batch.folded(text[0]), "a\\u00fcb");
  EXPECT_EQ(read.batch.folded(text[1]), R"({"city": "münchen"})");
  EXPECT_EQ(read.batch.text(text[1]), R"({"city": "M\u00dcNCHEN"})");
}

// Which call (by number, - for none) each tool message answers.
std::string answers(const std::string& calls_and_results) {
  const ReadText read(R"({"messages":[{"role":"user","content":"x"},)" + calls_and_results + "]}");
  EXPECT_EQ(read.batch.traces(), 1u) << read.issue();
  std::string out;
  for (uint32_t m = 0; m < read.c().message_role.size(); ++m) {
    if (read.c().message_role[m] != WEND_ROLE_TOOL) continue;
    const uint32_t call = read.c().message_answers[m];
    out += call == WEND_NONE ? "-" : std::to_string(read.c().call_number[call]);
  }
  return out;
}

std::string calls(std::initializer_list<const char*> ids) {
  std::string out = R"({"role":"assistant","tool_calls":[)";
  for (const char* id : ids) {
    if (out.back() == '}') out += ",";
    out += R"({"type":"function",)" + (*id ? "\"id\":\"" + std::string(id) + "\"," : std::string()) +
           R"("function":{"name":"f"}})";
  }
  return out + "]}";
}

std::string Tool(const char* id) {
  return ",{\"role\":\"tool\"," + (*id ? "\"tool_call_id\":\"" + std::string(id) + "\"," : std::string()) +
         "\"content\":\"r\"}";
}

TEST(Native, ResultsFindTheirCalls) {
  EXPECT_EQ(answers(calls({"a", "b"}) + Tool("b") + Tool("a")), "10");
  EXPECT_EQ(answers(calls({"", ""}) + Tool("") + Tool("")), "01") << "without ids, in order";
  EXPECT_EQ(answers(calls({"x", "x", "x"}) + Tool("x") + Tool("x") + Tool("x")), "012") << "equal ids, in order";
  EXPECT_EQ(answers(calls({"a"}) + Tool("a") + "," + calls({"a"}) + Tool("a")), "01") << "an id used again";
  EXPECT_EQ(answers(calls({"a"}) + Tool("zzz")), "-") << "dangling";
  EXPECT_EQ(answers(calls({""}) + Tool("zzz")), "0") << "only the result has an id";
  EXPECT_EQ(answers(calls({"a"}) + Tool("a") + Tool("a")), "00") << "answered twice";
  EXPECT_EQ(answers(calls({"a", "b"}) + Tool("") + Tool("")), "01");
  EXPECT_EQ(answers(R"({"role":"tool","tool_call_id":"a","content":"early"},)" + calls({"a"}) + Tool("a")), "-0");
  EXPECT_EQ(answers(calls({}) + Tool("")), "-");
}

TEST(Native, CallsOfTheUserAreText) {
  const ReadText read(
      R"({"messages":[{"role":"user","content":"wait","tool_calls":[{"function":{"name":"toggle","arguments":"{\"on\": true}"}}]}]})");
  EXPECT_EQ(read.c().call_name.size(), 0u);
  EXPECT_EQ(read.batch.text(read.c().message_text[0]), "wait\ntoggle({\"on\": true})");
}

TEST(Native, CapsSayWhatCanBeEvaluated) {
  const auto caps = [](const std::string& line) {
    const ReadText read(line);
    EXPECT_EQ(read.batch.traces(), 1u) << read.issue();
    return read.batch.traces() ? read.c().trace_caps[0] : 0u;
  };
  EXPECT_EQ(caps(R"({"messages":[{"role":"user","content":"x"}]})"), 0u);
  EXPECT_EQ(caps(R"({"messages":[{"role":"assistant","content":"x"}]})"), 0u + WEND_CAP_RESPONSE);
  EXPECT_EQ(caps(R"({"messages":[],"tools":[]})"), 0u + WEND_CAP_POOL);
  EXPECT_EQ(caps(R"({"messages":[],"tools":null,"gold":null})"), 0u);
  EXPECT_EQ(caps(R"({"messages":[],"gold":{"calls":[{"name":"f"}]}})"), 0u + WEND_CAP_GOLD);
  EXPECT_EQ(caps(R"({"gold":{"turns":[]},"messages":[]})"),
            0u + WEND_CAP_GOLD + WEND_CAP_GOLD_TURNS + WEND_CAP_LABELS + WEND_CAP_CHAINS);
}

TEST(Native, GoldMayComeFirstInAnyOrderAndBeyondTheMessages) {
  const ReadText read(
      R"({"gold":{"turns":[{"turn":3,"kind":"clarify","missing":["a"]},{"calls":[{"arguments":{"p":1},"name":"f"}],"turn":1}]},)"
      R"("messages":[{"content":"x","role":"user"}]})");
  const Columns& c = read.c();
  ASSERT_EQ(c.turn_kind.size(), 3u) << read.issue();
  EXPECT_EQ(c.turn_kind[0], WEND_KIND_TOOL);
  EXPECT_EQ(c.turn_kind[2], WEND_KIND_CLARIFY);
  EXPECT_EQ(c.turn_labelled[1], 0);
  EXPECT_EQ(c.turn_user[2], WEND_NONE);
  EXPECT_EQ(c.turn_gold_calls[0].end - c.turn_gold_calls[0].begin, 1u);
  EXPECT_EQ(c.turn_missing[2].end - c.turn_missing[2].begin, 1u);
}

TEST(Native, MissingIdsNameThePlace) {
  testing::TempDir dir;
  const std::string path =
      dir.File("chat.jsonl", "{\"messages\":[]}\n\n{\"messages\":[],\"id\":7}\n{\"messages\":[]}\n");
  const testing::ReadFiles read({path});
  EXPECT_EQ(read.ids, (std::vector<std::string>{path + ":1", "7", path + ":4"}));
}

TEST(Native, PoolsWithTheSameBytesShareRows) {
  const std::string tools =
      R"("tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"a":{"type":"integer"}}}}},{"name":"g"}])";
  const std::string line = "{" + tools + ",\"messages\":[]}\n";
  const ReadText read(line + line + R"({"tools":[{"name":"g"}],"messages":[]})" + "\n" + line);
  ASSERT_EQ(read.batch.traces(), 4u) << read.issue();
  const auto& pool = read.c().trace_pool;
  EXPECT_EQ(pool[0].begin, pool[1].begin);
  EXPECT_EQ(pool[0].begin, pool[3].begin);
  EXPECT_NE(pool[0].begin, pool[2].begin);
  EXPECT_EQ(read.c().tool_name.size(), 3u);
}

// What a batch says of a dialogue does not depend on what else is in it: shared pools, shared names and values, and
// broken records in between that had got as far as they could.
TEST(Native, DialoguesDoNotTouchEachOther) {
  std::mt19937 random(5);
  const std::string tools[] = {
      R"({"name":"f","parameters":{"properties":{"a":{"type":"integer","default":1},"b":{"enum":["x","y"]}},"required":["a"]}})",
      R"({"type":"function","function":{"name":"g","description":"G","parameters":{"properties":{"a":{}}}}})",
      R"({"name":"h"})", R"({"name":"f","description":"another f"})"};
  const std::string values[] = {"1", "1.0", "\"x\"", "[1,\"X\"]", "{\"k\":null}", "\"1\"", "true", "9007199254740993"};
  const std::string broken[] = {
      R"({"role":"robot"})",
      R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{"a":[1,NaN]}}}]})",
      R"({"role":"user","content":"\q"})"};
  std::string all, good;
  for (int i = 0; i < 400; ++i) {
    std::string pool;
    for (size_t n = random() % 4; n > 0; --n) pool += (pool.empty() ? "" : ",") + tools[random() % 4];
    std::string messages = R"({"role":"system","content":"s)" + std::to_string(random() % 3) +
                           R"("},{"role":"user","content":"Find )" + std::to_string(i) + "\"}";
    for (size_t n = random() % 3; n > 0; --n) {
      messages += R"(,{"role":"assistant","tool_calls":[{"id":"c","function":{"name":")" +
                  std::string(1, static_cast<char>('f' + random() % 3)) + R"(","arguments":{"a":)" +
                  values[random() % 8] + ",\"b\":" + values[random() % 8] +
                  R"(}}}]},{"role":"tool","tool_call_id":"c","content":"r"})";
    }
    const bool bad = random() % 3 == 0;
    if (bad) messages += "," + broken[random() % 3];
    const std::string line = R"({"id":")" + std::to_string(i) + R"(","tools":[)" + pool + R"(],"messages":[)" +
                             messages + R"(],"gold":{"turns":[{"turn":1,"calls":[{"name":"f","arguments":{"a":)" +
                             values[random() % 8] + "}}]}]}}\n";
    all += line;
    if (!bad) good += testing::dump(ReadText(line).batch);
  }
  const ReadText read(all);
  EXPECT_GT(read.report.skipped, 50u);
  EXPECT_EQ(testing::dump(read.batch), good);
  EXPECT_EQ(testing::check_batch(read.batch), "");
}

TEST(Native, SchemaTypes) {
  EXPECT_EQ(json_type_of("dict"), WEND_JSON_OBJECT);
  EXPECT_EQ(json_type_of("HashMap"), WEND_JSON_OBJECT);
  EXPECT_EQ(json_type_of("float"), WEND_JSON_REAL);
  EXPECT_EQ(json_type_of("number"), WEND_JSON_REAL);
  EXPECT_EQ(json_type_of("tuple"), WEND_JSON_LIST);
  EXPECT_EQ(json_type_of("ArrayList"), WEND_JSON_LIST);
  EXPECT_EQ(json_type_of("String"), WEND_JSON_TEXT);
  EXPECT_EQ(json_type_of("integer"), WEND_JSON_INT);
  EXPECT_EQ(json_type_of("any"), WEND_JSON_ANY);
  EXPECT_EQ(json_type_of(""), WEND_JSON_ANY);
  const ReadText read(
      R"({"messages":[],"tools":[{"name":"f","parameters":{"type":"dict","required":["a"],"properties":{"a":{"type":["string","null"]},)"
      R"("b":{"anyOf":[{"type":"integer"},{"type":"null"}]},"c":{"anyOf":[{"type":"integer"},{"type":"string"}]},"d":{},"e":{"type":"boolean","default":false,"enum":[true,false]}}}},)"
      R"({"name":"g","parameters":[{"name":"p","type":"string","required":true}]}]})");
  ASSERT_EQ(read.batch.traces(), 1u) << read.issue();
  const auto& type = read.c().param_type;
  EXPECT_EQ(type, (std::vector<uint8_t>{WEND_JSON_TEXT, WEND_JSON_INT, WEND_JSON_ANY, WEND_JSON_ANY, WEND_JSON_BOOL,
                                        WEND_JSON_TEXT}));
  EXPECT_EQ(read.c().param_required, (std::vector<uint8_t>{1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(read.batch.text(read.c().value_text[read.c().param_default_value[4]]), "false");
}

TEST(Native, GoldIsPlayedBack) {
  ReadOptions options;
  options.play_gold = true;
  const ReadText read(samples(), options);
  ASSERT_EQ(read.batch.traces(), 16u) << read.issue();
  const Columns& c = read.c();
  for (uint32_t t = 0; t < 16; ++t) {
    const wend_span made = c.trace_calls[t], gold = c.trace_gold_calls[t];
    ASSERT_EQ(made.end - made.begin, gold.end - gold.begin);
    for (uint32_t k = 0; k < made.end - made.begin; ++k) {
      EXPECT_EQ(c.call_key[made.begin + k], c.call_key[gold.begin + k]);
      EXPECT_EQ(c.call_turn[made.begin + k], c.call_turn[gold.begin + k]);
      EXPECT_EQ(c.message_answers[c.call_result[made.begin + k]], made.begin + k);
    }
    for (uint32_t u = c.trace_turns[t].begin; u < c.trace_turns[t].end; ++u) EXPECT_EQ(c.turn_answered[u], 1);
  }
}

TEST(Native, DraftsAreThoseOfMessagesWithABlock) {
  const std::string block = R"("block":"<Current_User>{}</Current_User>")";
  const std::string agent = R"({"role":"assistant","content":"x")",
                    drafted = R"("draft":"<Current_User>{}</Current_User>")";
  const std::string line = R"({"messages":[)" + agent + "," + block + R"(},{"role":"user","content":"a"},)" + agent +
                           "," + block + "," + drafted + "}," + agent + "," + drafted +
                           R"(},{"role":"user","content":"b",)" + block + "}," + agent + "," + block +
                           R"(}],"gold":{"turns":[{"turn":3}]}})";
  const std::string bad = R"({"messages":[)" + agent + "," + block + "}," + agent + R"(,"block":"none"}]})";
  const ReadText read(line + "\n" + bad + "\n" + line);
  const Columns& c = read.c();
  ASSERT_EQ(read.batch.traces(), 2u);
  ASSERT_EQ(read.report.issues.size(), 3u);  // turn 3 of gold is not reached, twice
  EXPECT_EQ(read.report.issues[1].key, "messages[1].block");
  EXPECT_EQ(testing::check_batch(read.batch), "");
  EXPECT_EQ(c.draft_message, (std::vector<uint32_t>{0, 2, 5, 6, 8, 11}));
  EXPECT_EQ(c.draft_turn, (std::vector<uint32_t>{WEND_NONE, 0, 1, WEND_NONE, 3, 4}));
  EXPECT_EQ(c.sub_block_exact, (std::vector<uint8_t>{0, 1, 0, 0, 1, 0}));
  for (uint32_t t = 0; t < 2; ++t) {
    EXPECT_NE(c.trace_caps[t] & WEND_CAP_DRAFTS, 0u);
    EXPECT_EQ(c.trace_drafts[t].end - c.trace_drafts[t].begin, 3u);
    const uint32_t u = c.trace_turns[t].begin;
    for (const auto& [turn, n] : {std::pair(u, 1u), std::pair(u + 1, 1u), std::pair(u + 2, 0u)}) {
      EXPECT_EQ(c.turn_drafts[turn].end - c.turn_drafts[turn].begin, n);
    }
  }
  ReadOptions options;
  options.play_gold = true;
  const ReadText played(line, options);
  EXPECT_EQ(played.batch.rows(WEND_TABLE_draft), 0u);
  EXPECT_EQ(played.c().trace_caps[0] & WEND_CAP_DRAFTS, 0u);
}

TEST(Native, SystemPromptsMayShareARow) {
  const std::string line =
      R"({"messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"Be kind."}]})";
  const ReadText read(line + "\n" + line);
  const auto& text = read.c().message_text;
  EXPECT_EQ(text[0], text[2]);
  EXPECT_NE(text[1], text[3]);
  EXPECT_EQ(read.batch.folded(text[0]), "be kind.");
}

}  // namespace
}  // namespace wend
