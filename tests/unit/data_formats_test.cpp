// tau-bench, tau2-bench and BFCL in small, and all of the shared transcripts where they are at hand.
#include <gtest/gtest.h>

#include "data_testing.h"

namespace wend {
namespace {

using testing::ReadFiles;
using testing::shared_data;
using testing::TempDir;

TEST(Tau, RunsAndTheirQuirks) {
  const TempDir dir;
  const std::string path = dir.File("runs.json", R"([
    {"task_id": 3, "reward": 1.0, "info": {"task": {"user_id": "u", "actions": [
       {"name": "cancel", "kwargs": {"id": "A1"}}, {"name": "book", "kwargs": {"n": 2}}], "instruction": "..."}},
     "traj": [
       {"role": "system", "content": "policy"},
       {"role": "user", "content": "Cancel A1"},
       {"role": "assistant", "content": null, "tool_calls": [{"id": "x", "type": "function", "function": {"name": "cancel", "arguments": "{\"id\": \"A1\"}"}}]},
       {"role": "tool", "tool_call_id": "x", "name": "cancel", "content": ""},
       {"role": "assistant", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "cancel", "arguments": "{'id': 'A2'}"}}]},
       {"role": "tool", "tool_call_id": "x", "content": "Error: none"},
       {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "think", "arguments": "{}"}}]},
       {"role": "tool", "content": "1.5"},
       {"role": "user", "content": "###STOP###"}],
     "trial": 2},
    {"task_id": 4, "reward": 0, "info": {"error": "broke off"}, "traj": [], "trial": 0}
  ])");
  const std::string tools = dir.File(
      "tools.json",
      R"([{"type":"function","function":{"name":"cancel","parameters":{"properties":{"id":{"type":"string"}}}}}])");
  ReadOptions options;
  options.tools = tools;
  const ReadFiles read({path}, options);
  EXPECT_EQ(read.format, Format::kTau);
  EXPECT_EQ(read.dump, R"(trace 3/2 family - scenario - caps 35 profile -
  message 0 turn - text policy folded policy answers -
  message 1 turn 0 text Cancel A1 folded cancel a1 answers -
  message 2 turn 0 text - folded answers -
    call 0 cancel id=4:A1! made turn 0 tool cancel
  message 3 turn 0 text - folded answers 0
  message 2 turn 0 text - folded answers -
    call 1 cancel id=4:A2! made turn 0 tool cancel
  message 3 turn 0 text Error: none folded error: none answers 1
  message 2 turn 0 text - folded answers -
    call 2 think made turn 0 tool -
  message 3 turn 0 text 1.5 folded 1.5 answers 2
  message 1 turn 1 text ###STOP### folded ###stop### answers -
  turn 1 kind 0 signal 0 labelled 0 answered 1 messages 7 calls 3 user yes
  turn 2 kind 0 signal 0 labelled 0 answered 0 messages 1 calls 0 user yes
  gold calls 2
  tool cancel -
    param id 4 -
trace 4/0 family - scenario - caps 32 profile -
  gold calls 0
  tool cancel -
    param id 4 -
)");
}

TEST(Tau2, SimulationsAndTheirTasks) {
  const std::string tasks =
      R"("tasks": [{"id": "t1", "evaluation_criteria": {"actions": [{"requestor": "assistant", "name": "book", "arguments": {"n": 1}},
        {"requestor": "user", "name": "toggle", "arguments": {}}]}}, {"id": "t2", "evaluation_criteria": {"actions": null}},
        {"id": "t3", "evaluation_criteria": {"actions": []}}])";
  const std::string simulations = R"("simulations": [
      {"id": "s1", "task_id": "t1", "messages": [
        {"role": "assistant", "content": "Hello", "tool_calls": null, "turn_idx": 0},
        {"role": "user", "content": null, "tool_calls": [{"id": "u1", "name": "toggle", "arguments": {"on": true}, "requestor": "user"}]},
        {"id": "u1", "role": "tool", "content": "toggled", "requestor": "user", "error": false},
        {"role": "user", "content": "two please", "tool_calls": null},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "book", "arguments": {"n": 2}, "requestor": "assistant"},
                                                            {"id": "c1", "name": "book", "arguments": {"n": 3}, "requestor": "assistant"}],
         "raw_data": {"tool_calls": [{"function": {"name": "never", "arguments": "{}"}}]}},
        {"id": "c1", "role": "tool", "content": "ok", "requestor": "assistant"},
        {"id": "c1", "role": "tool", "content": "no", "requestor": "assistant"}]},
      {"id": "s2", "task_id": "t2", "messages": []},
      {"id": "s3", "task_id": "t3", "messages": []}])";
  const std::string expected = R"(trace s1 family - scenario - caps 3 profile -
  message 2 turn - text Hello folded hello answers -
  message 1 turn 0 text toggle({"on": true}) folded toggle({"on": true}) answers -
  message 3 turn 0 text toggled folded toggled answers -
  message 1 turn 1 text two please folded two please answers -
  message 2 turn 1 text - folded answers -
    call 0 book n=2:2 made turn 1 tool -
    call 1 book n=2:3 made turn 1 tool -
  message 3 turn 1 text ok folded ok answers 0
  message 3 turn 1 text no folded no answers 1
  turn 1 kind 0 signal 0 labelled 0 answered 0 messages 2 calls 0 user yes
  turn 2 kind 0 signal 0 labelled 0 answered 1 messages 4 calls 2 user yes
  gold calls 1
trace s2 family - scenario - caps 0 profile -
  gold calls 0
trace s3 family - scenario - caps 2 profile -
  gold calls 0
)";
  const TempDir dir;
  const std::string info = R"("timestamp": "now, \"today\"", "info": {"x": [1, {"y": "}"}]}, )";
  const ReadFiles after({dir.File("a.json", "{" + info + tasks + ",\n" + simulations + "}")});
  EXPECT_EQ(after.format, Format::kTau2) << after.error;
  EXPECT_EQ(after.dump, expected);
  const ReadFiles before({dir.File("b.json", "{" + info + simulations + ", " + tasks + ", \"n\": 1.5}")});
  EXPECT_EQ(before.dump, expected) << before.error;
  const ReadFiles without({dir.File("c.json", "{" + simulations + "}")});
  EXPECT_EQ(without.traces, 3u);
  EXPECT_EQ(without.gold_calls, 0u);
  const ReadFiles broken({dir.File("d.json", "{" + info + "\"simulations\": 7}")});
  EXPECT_NE(broken.error.find("`simulations`"), std::string::npos) << broken.error;
}

TEST(Bfcl, SingleTurnAnswers) {
  const TempDir dir;
  const std::string path = dir.File(
      "q.json",
      R"({"id": "q_0", "question": [[{"role": "system", "content": "s"}, {"role": "user", "content": "hi"}]], "function": [{"name": "a.b", "description": "d", "parameters": {"type": "dict", "properties": {"x": {"type": "float"}, "o": {"type": "dict"}}, "required": ["x"]}}]})"
      "\n"
      R"({"id": "q_1", "question": [[{"role": "user", "content": "no answer to this"}]], "function": []})"
      "\n");
  dir.File(
      "possible_answer/q.json",
      R"({"id": "q_0", "ground_truth": [{"a.b": {"x": [1.5, "", 2], "o": [{"k": ["p", "q"], "l": ["", 3]}], "e": [], "list": [[1, 2]], "ls": [[{"u": ["m", "n"]}]]}}]})"
      "\n");
  const ReadFiles read({path});
  EXPECT_EQ(read.dump, R"(trace q_0 family - scenario - caps 38 profile -
  message 0 turn - text s folded s answers -
  message 1 turn 0 text hi folded hi answers -
  turn 1 kind 0 signal 0 labelled 1 answered 0 messages 1 calls 0 user yes
    call 0 a.b x=3:1.5|2?! o=6:{"k":"p","l":3}|{"k":"p"}|{"k":"q","l":3}|{"k":"q"}! e=4:? list=5:[1,2] ls=5:[{"u":"m"}]|[{"u":"n"}] gold turn 0 tool a.b
  gold calls 1
  tool a.b d
    param x 3 required -
    param o 6 -
trace q_1 family - scenario - caps 32 profile -
  message 1 turn 0 text no answer to this folded no answer to this answers -
  turn 1 kind 0 signal 0 labelled 0 answered 0 messages 1 calls 0 user yes
  gold calls 0
)");
}

// A multi-turn question of a service with two functions.
struct MultiTurn {
  MultiTurn(const std::string& truth, const std::string& extra = "") {
    path = dir.File(
        "m.json",
        R"({"id": "m_0", "question": [[{"role": "user", "content": "one"}], [], [{"role": "user", "content": "three"}]], "involved_classes": ["MathAPI"])" +
            extra + "}\n");
    dir.File("possible_answer/m.json", R"({"id": "m_0", "ground_truth": )" + truth + "}\n");
    dir.File(
        "multi_turn_func_doc/math_api.json",
        R"({"name": "add", "description": "adds", "parameters": {"type": "dict", "properties": {"left": {"type": "float"}, "right": {"type": "float"}}, "required": ["left", "right"]}})"
        "\n"
        R"({"name": "log", "description": "logs", "parameters": {"type": "dict", "properties": {}}})"
        "\n");
  }
  TempDir dir;
  std::string path;
};

TEST(Bfcl, MultiTurnAnswers) {
  const MultiTurn files(
      R"~([["add(1, right=9876543210123456)", "log()"], [], ["add(left='it\\'s', right=[True, None])"]])~",
      R"(, "excluded_function": ["log"])");
  const ReadFiles read({files.path});
  EXPECT_EQ(read.dump, R"(trace m_0 family - scenario - caps 38 profile -
  message 1 turn 0 text one folded one answers -
  message 1 turn 2 text three folded three answers -
  turn 1 kind 0 signal 0 labelled 1 answered 0 messages 1 calls 0 user yes
    call 0 add left=2:1! right=2:9876543210123456! gold turn 0 tool add
    call 1 log gold turn 0 tool -
  turn 2 kind 2 signal 0 labelled 1 answered 0 messages 0 calls 0 user -
  turn 3 kind 0 signal 0 labelled 1 answered 0 messages 1 calls 0 user yes
    call 2 add left=4:it's! right=5:[true,null]! gold turn 2 tool add
  gold calls 3
  tool add adds
    param left 3 required -
    param right 3 required -
)") << read.error;
  ReadOptions play;
  play.play_gold = true;
  const ReadFiles played({files.path}, play);
  EXPECT_EQ(played.calls, 3u);
  EXPECT_EQ(played.messages[WEND_ROLE_ASSISTANT], 5u);
  EXPECT_EQ(played.answered, 3u);
}

TEST(Bfcl, MalformedAnswersQuoteTheCall) {
  const MultiTurn files(R"~([["add(left='it's')"], [], []])~");
  const ReadFiles read({files.path});
  ASSERT_EQ(read.report.issues.size(), 1u);
  EXPECT_EQ(read.report.issues[0].key, "ground_truth[0][0]");
  EXPECT_NE(read.report.issues[0].cause.find("`add(left='it's')`"), std::string::npos);
  const MultiTurn unknown(R"~([["sub(1)"], [], []])~");
  const ReadFiles positional({unknown.path});
  ASSERT_EQ(positional.report.issues.size(), 1u);
  EXPECT_NE(positional.report.issues[0].cause.find("positional"), std::string::npos);
}

TEST(Bfcl, TextsAreNoCalls) {
  const MultiTurn files(R"~(["Michael"])~");
  const ReadFiles read({files.path});
  EXPECT_EQ(read.traces, 1u);
  EXPECT_EQ(read.gold_calls, 0u);
}

TEST(Bfcl, Results) {
  const MultiTurn files(R"~([["add(1, 2)"], [], []])~");
  const auto with = [&files](const std::string& result) {
    ReadOptions options;
    options.results = files.dir.File("results.json", R"({"id": "m_0", "result": )" + result + "}\n");
    return ReadFiles({files.path}, options);
  };
  const ReadFiles decoded = with(
      R"~([[[{"add": "{\"left\": 1, \"right\": 2}"}], "Done."], ["nothing to do"], [[{"add": {"left": 1}}, {"log": {}}]]])~");
  EXPECT_EQ(decoded.calls, 3u) << decoded.error;
  EXPECT_EQ(decoded.answered, 3u);
  EXPECT_EQ(decoded.messages[WEND_ROLE_ASSISTANT], 4u);
  const ReadFiles texts = with(R"~([["[add(left=1, right='a, b'), log()]", "all done"], [], ["add(3, 4)"]])~");
  EXPECT_EQ(texts.calls, 3u) << texts.error;
  EXPECT_EQ(texts.messages[WEND_ROLE_ASSISTANT], 3u);
  EXPECT_EQ(with("\"I cannot do that\"").calls, 0u);
  EXPECT_EQ(with("7").report.skipped, 1u);
}

TEST(Bfcl, MissingAnswersFileGivenByTheUser) {
  const MultiTurn files("[]");
  ReadOptions options;
  options.answers = "/nowhere/answers.json";
  EXPECT_NE(ReadFiles({files.path}, options).error.find("/nowhere/answers.json"), std::string::npos);
}

// What the READMEs of the shared data count.
struct Expected {
  const char* file;
  Format format;
  uint64_t traces, skipped, turns, empty, system, user, assistant, tool, calls, gold;
};

const Expected kShared[] = {
    {"tau-bench/gpt-4o-airline.json", Format::kTau, 200, 0, 1490, 0, 200, 1490, 2454, 1164, 1164, 632},
    {"tau-bench/retail-tool-calling.json", Format::kTau, 100, 0, 725, 0, 100, 725, 1418, 793, 793, 545},
    {"tau-bench/retail-assertions-agent-first25.json", Format::kTau, 25, 0, 190, 0, 0, 190, 321, 155, 155, 177},
    {"tau2-bench/results-airline-gpt-4.1.json", Format::kTau2, 20, 0, 136, 0, 0, 136, 226, 148, 148, 61},
    {"tau2-bench/results-retail-gpt-4.1.json", Format::kTau2, 40, 0, 290, 0, 0, 290, 516, 299, 299, 186},
    {"tau2-bench/results-airline-gpt-5-toolorchestra.json", Format::kTau2, 50, 0, 234, 0, 0, 234, 505, 581, 581, 148},
    {"tau2-bench/results-telecom-gpt-4o.json", Format::kTau2, 20, 0, 263, 0, 0, 263, 237, 215, 215 - 125, 7},
    {"tau2-bench/results-airline-gpt-oss-120b-first12.json", Format::kTau2, 12, 0, 63, 0, 0, 63, 195, 164, 164, 0},
    {"bfcl/BFCL_v4_multi_turn_base.json", Format::kBfcl, 200, 0, 734, 0, 0, 734, 0, 0, 0, 1142},
    {"bfcl/BFCL_v4_multi_turn_miss_param.json", Format::kBfcl, 200, 0, 934, 0, 0, 934, 0, 0, 0, 1140},
    {"bfcl/BFCL_v4_multi_turn_miss_func.json", Format::kBfcl, 200, 0, 934, 200, 0, 734, 0, 0, 0, 1140},
    {"bfcl/BFCL_v4_multi_turn_long_context.first50.json", Format::kBfcl, 50, 0, 159, 0, 0, 159, 0, 0, 0, 336},
    // 11 calls that are no Python stand in 10 records.
    {"bfcl/BFCL_v4_multi_turn_composite.first60.json", Format::kBfcl, 50, 10, 262, 50, 0, 212, 0, 0, 0, 314},
    {"bfcl/BFCL_v4_simple_python.json", Format::kBfcl, 400, 0, 400, 0, 0, 400, 0, 0, 0, 400},
    {"bfcl/BFCL_v4_simple_java.json", Format::kBfcl, 100, 0, 100, 0, 0, 100, 0, 0, 0, 100},
    {"bfcl/BFCL_v4_simple_javascript.json", Format::kBfcl, 50, 0, 50, 0, 0, 50, 0, 0, 0, 50},
    {"bfcl/BFCL_v4_multiple.json", Format::kBfcl, 200, 0, 200, 0, 0, 200, 0, 0, 0, 200},
    {"bfcl/BFCL_v4_parallel.json", Format::kBfcl, 200, 0, 200, 0, 0, 200, 0, 0, 0, 540},
    {"bfcl/BFCL_v4_parallel_multiple.json", Format::kBfcl, 200, 0, 200, 0, 0, 200, 0, 0, 0, 607},
    {"bfcl/BFCL_v4_live_simple.json", Format::kBfcl, 258, 0, 258, 0, 11, 258, 0, 0, 0, 258},
    {"bfcl/BFCL_v4_live_multiple.first150.json", Format::kBfcl, 150, 0, 150, 0, 27, 150, 0, 0, 0, 150},
    {"bfcl/BFCL_v4_live_parallel.json", Format::kBfcl, 16, 0, 16, 0, 1, 16, 0, 0, 0, 39},
    {"bfcl/BFCL_v4_live_parallel_multiple.json", Format::kBfcl, 24, 0, 24, 0, 0, 24, 0, 0, 0, 55},
    {"bfcl/BFCL_v4_live_relevance.json", Format::kBfcl, 16, 0, 16, 0, 1, 16, 0, 0, 0, 0},
    {"bfcl/BFCL_v4_live_irrelevance.first80.json", Format::kBfcl, 80, 0, 80, 0, 0, 80, 0, 0, 0, 0},
    {"bfcl/BFCL_v4_irrelevance.first80.json", Format::kBfcl, 80, 0, 80, 0, 0, 80, 0, 0, 0, 0},
    {"bfcl/BFCL_v4_memory.first40.json", Format::kBfcl, 40, 0, 40, 0, 0, 40, 0, 0, 0, 0},
    {"bfcl/BFCL_v4_web_search.first30.json", Format::kBfcl, 30, 0, 30, 0, 0, 30, 0, 0, 0, 0},
};

class Shared : public ::testing::TestWithParam<Expected> {};

TEST_P(Shared, CountsAreThoseOfTheReadme) {
  const Expected& expected = GetParam();
  if (shared_data().empty()) GTEST_SKIP() << "WEND_SHARED_DATA is not set";
  const ReadFiles read({(shared_data() / expected.file).string()});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.format, expected.format);
  EXPECT_EQ(read.traces, expected.traces);
  EXPECT_EQ(read.report.skipped, expected.skipped);
  EXPECT_EQ(read.turns, expected.turns);
  EXPECT_EQ(read.empty_turns, expected.empty);
  EXPECT_EQ(read.messages[WEND_ROLE_SYSTEM], expected.system);
  EXPECT_EQ(read.messages[WEND_ROLE_USER], expected.user);
  EXPECT_EQ(read.messages[WEND_ROLE_ASSISTANT], expected.assistant);
  EXPECT_EQ(read.messages[WEND_ROLE_TOOL], expected.tool);
  EXPECT_EQ(read.calls, expected.calls);
  EXPECT_EQ(read.gold_calls, expected.gold);
  EXPECT_EQ(read.malformed, 0u);
  EXPECT_EQ(read.answered, expected.calls) << "every call has its result";
}

INSTANTIATE_TEST_SUITE_P(Transcripts, Shared, ::testing::ValuesIn(kShared), [](const auto& file) {
  std::string name;
  for (const char c : std::string_view(file.param.file))
    name.push_back(std::isalnum(static_cast<unsigned char>(c)) ? c : '_');
  return name;
});

TEST(Shared, WhatIsNoTranscriptIsSaidToBeNone) {
  if (shared_data().empty()) GTEST_SKIP() << "WEND_SHARED_DATA is not set";
  const ReadFiles read({(shared_data() / "tau-bench/few-shot-airline.jsonl").string()});
  EXPECT_NE(read.error.find("messages_display"), std::string::npos) << read.error;
}

}  // namespace
}  // namespace wend
