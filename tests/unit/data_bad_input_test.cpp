// Everything that data can be wrong in: one bad record is one issue, and the others are read.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "data_testing.h"

namespace wend {
namespace {

using testing::ReadFiles;
using testing::ReadText;
using testing::TempDir;
using testing::with_arguments;

const std::string kGood =
    R"({"id":"good","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]})";

// A bad record between two good ones: skipped, with this key and a cause that has this in it.
void expect_bad(const std::string& record, const std::string& key, const std::string& cause) {
  SCOPED_TRACE(record.substr(0, 120));
  const ReadText alone(kGood + "\n" + kGood);
  const ReadText read(kGood + "\n" + record + "\n" + kGood);
  EXPECT_EQ(read.report.records, 3u);
  EXPECT_EQ(read.report.skipped, 1u);
  ASSERT_EQ(read.report.issues.size(), 1u);
  const ReadIssue& issue = read.report.issues[0];
  EXPECT_EQ(issue.record, 2u);
  EXPECT_EQ(issue.line, 2u);
  EXPECT_EQ(issue.offset, kGood.size() + 1);
  EXPECT_EQ(issue.key, key);
  EXPECT_NE(issue.cause.find(cause), std::string::npos) << issue.cause;
  // Nothing of it stays behind.
  EXPECT_EQ(testing::dump(read.batch), testing::dump(alone.batch));
  for (int table = 0; table < WEND_N_TABLES; ++table) {
    EXPECT_EQ(read.batch.rows(static_cast<wend_table>(table)), alone.batch.rows(static_cast<wend_table>(table)))
        << table;
  }
  ReadOptions strict;
  strict.strict = true;
  const ReadText fatal(kGood + "\n" + record + "\n" + kGood, strict);
  EXPECT_NE(fatal.error.find("text:2: record 2: "), std::string::npos) << fatal.error;
  EXPECT_EQ(fatal.batch.traces(), 1u);
}

TEST(BadInput, NoJson) {
  expect_bad("hello", "", "an object was expected");
  expect_bad("{", "", "ends too early");
  expect_bad("{}", "messages", "missing");
  expect_bad("[1]", "messages[0]", "a message must be an object");
  expect_bad(R"({"messages":[]} {"messages":[]})", "", "something follows");
  expect_bad(R"({"messages":[],})", "", "a key was expected");
  expect_bad(R"({"messages":[] "id":1})", "", "comma");
  expect_bad(R"({"messages" []})", "", "colon");
  expect_bad(R"({"messages":[{"role":"user","content":"x"},]})", "messages", "comma");
  expect_bad(R"({"id":"never ends)", "", "never ends");
  expect_bad("{\"id\":\"a\tb\",\"messages\":[]}", "", "control character");
  expect_bad("{\"id\":\"\xFF\",\"messages\":[]}", "", "UTF-8");
  expect_bad(std::string(5000, '['), "messages[0]", "must be an object");
}

TEST(BadInput, Messages) {
  expect_bad(R"({"messages":7})", "messages", "must be a list");
  expect_bad(R"({"messages":null})", "messages", "must be a list");
  expect_bad(R"({"messages":[{"content":"x"}]})", "messages[0].role", "no role");
  expect_bad(R"({"messages":[{"role":"user"},{"role":"robot"}]})", "messages[1].role", "unknown role `robot`");
  expect_bad(R"({"messages":[{"role":3}]})", "messages[0].role", "a string was expected");
  expect_bad(R"({"messages":[{"role":"user","content":"\x"}]})", "messages[0].content", "backslash");
  expect_bad(R"({"messages":[{"role":"user","content":NaN}]})", "messages[0].content", "NaN");
  expect_bad(R"({"messages":[{"role":"assistant","tool_calls":[{"id":"a"}]}]})",
             "messages[0].tool_calls[0].function.name", "no name");
  expect_bad(R"({"messages":[{"role":"assistant","tool_calls":[7]}]})", "messages[0].tool_calls[0]",
             "must be an object");
  expect_bad(R"({"messages":[],"messages":[]})", "messages", "twice");
}

TEST(BadInput, Arguments) {
  expect_bad(with_arguments(R"({"a": NaN})").substr(0, with_arguments(R"({"a": NaN})").size() - 1),
             "messages[1].tool_calls[0].arguments.a", "NaN");
  expect_bad(with_arguments(R"({"a": 01})").substr(0, with_arguments(R"({"a": 01})").size() - 1),
             "messages[1].tool_calls[0].arguments.a", "neither");
  expect_bad(with_arguments(R"({"a": 1e999})").substr(0, with_arguments(R"({"a": 1e999})").size() - 1),
             "messages[1].tool_calls[0].arguments.a", "double");
}

TEST(BadInput, Tools) {
  expect_bad(R"({"messages":[],"tools":{}})", "tools", "a list was expected");
  expect_bad(R"({"messages":[],"tools":[{"description":"x"}]})", "tools[0]", "no name");
  expect_bad(R"({"messages":[],"tools":[{"name":"f"},{"name":"f"},{"nam":"g"}]})", "tools[2]", "no name");
  expect_bad(R"({"messages":[],"tools":[{"name":"f","parameters":{"properties":{"a":{"default":Infinity}}}}]})",
             "tools[0]", "NaN");
}

TEST(BadInput, Gold) {
  expect_bad(R"({"messages":[],"gold":7})", "gold", "must be an object");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"calls":[]}]}})", "gold.turns[0].turn", "missing");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":0}]}})", "gold.turns[0].turn", "from 1");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1},{"turn":1}]}})", "gold.turns[1].turn", "twice");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1,"kind":"dance"}]}})", "gold.turns[0].kind",
             "tool clarify language");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1,"signal":"x"}]}})", "gold.turns[0].signal", "none modified");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1,"stale":[{"tool":"f"}]}]}})", "gold.turns[0].stale[0]",
             "needs");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1,"calls":[{"arguments":{}}]}]}})",
             "gold.turns[0].calls[0].name", "no name");
  expect_bad(R"({"messages":[],"gold":{"turns":[],"calls":[]}})", "gold.calls", "both");
  expect_bad(R"({"messages":[],"gold":{"turns":[],"chains":[{"links":[{"turn":1,"call":0}]}]}})",
             "gold.chains[0].links[0].turn", "no turn 1");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":1}],"chains":[{"links":[{"turn":1,"call":0}]}]}})",
             "gold.chains[0].links[0].call", "no call 0");
  expect_bad(
      R"({"messages":[],"gold":{"turns":[{"turn":1,"calls":[{"name":"f"}]}],"chains":[{"links":[{"turn":1,"call":0,"needs":[{"link":0}]}]}]}})",
      "gold.chains[0].links[0].needs", "before it");
}

TEST(BadInput, TooMany) {
  std::string messages = R"({"messages":[{"role":"user","content":"x"})",
              calls = R"({"messages":[{"role":"assistant","tool_calls":[{"name":"f"})";
  for (int i = 0; i < 65536; ++i) messages += R"(,{"role":"assistant"})";
  for (int i = 0; i < 16384; ++i) calls += R"(,{"name":"f"})";
  expect_bad(messages + "]}", "messages[65536]", "more than 65536 messages");
  expect_bad(calls + "]}]}", "messages[0].tool_calls[16384]", "more than 16384 calls");
  expect_bad(R"({"messages":[],"gold":{"turns":[{"turn":16385}]}})", "gold.turns[0].turn", "from 1");
}

TEST(BadInput, MoreThanAToolOrACallCanHave) {
  std::string arguments = "{", params = R"({"messages":[],"tools":[{"name":"f","parameters":{"properties":{)",
              tools = R"({"messages":[],"tools":[{"name":"f"})";
  for (int i = 0; i < 1025; ++i) {
    arguments += (i ? ",\"" : "\"") + std::to_string(i) + "\":1";
    params += (i ? ",\"" : "\"") + std::to_string(i) + "\":{}";
  }
  for (int i = 0; i < 16384; ++i) tools += R"(,{"name":"f"})";
  const std::string call = with_arguments(arguments + "}");
  expect_bad(call.substr(0, call.size() - 1), "arguments", "more than 1024");
  expect_bad(params + "}}}]}", "tools[0]", "more than 1024");
  expect_bad(tools + "]}", "tools", "more than 16384");
}

// A list that lists all of its leaves again at every level would take more memory than there is.
TEST(BadInput, DeepAndLongValuesAreRefused) {
  std::string leaves = "1";
  for (int i = 0; i < 500000; ++i) leaves += ",1";
  const std::string value = std::string(400, '[') + leaves + std::string(400, ']');
  const std::string call = with_arguments("{\"a\":" + value + "}");
  expect_bad(call.substr(0, call.size() - 1), "messages[1].tool_calls[0].arguments.a", "too deep and too long");
}

TEST(BadInput, DeepNestingIsNoCrash) {
  const std::string deep = "{\"messages\":[],\"x\":" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_EQ(ReadText(deep).batch.traces(), 1u) << "an unknown key, skipped";
  const std::string args = with_arguments("{\"a\":" + std::string(600, '[') + std::string(600, ']') + "}");
  expect_bad(args.substr(0, args.size() - 1), "messages[1].tool_calls[0].arguments.a", "nested too deep");
}

TEST(BadInput, WhatIsOddButFine) {
  const std::string lines =
      R"({"messages":[{"role":"tool","tool_call_id":"none","content":"early"},{"role":"user","content":null}],"unknown":{"a":[1]}})"
      "\n"
      R"({"messages":[{"role":"user","content":"\ud83d lone"}],"score":NaN})"
      "\n"
      R"({"messages":[{"role":"user","content":"x","name":"u","audio":null}],"id":null,"family":null})"
      "\n"
      R"({"messages":[{"role":"developer","content":"x"},{"role":"function","name":"f","content":"r"}]})";
  const ReadText read(lines);
  EXPECT_EQ(read.batch.traces(), 4u) << read.issue();
  EXPECT_EQ(read.batch.text(read.c().message_text[2]), "\uFFFD lone");
}

TEST(BadInput, AKeyGivenTwiceIsAWarning) {
  const ReadText read(with_arguments(R"({"a":1,"a":2})") + with_arguments(R"({"a":{"b":1,"b":2}})"));
  EXPECT_EQ(read.batch.traces(), 2u);
  EXPECT_EQ(read.report.skipped, 0u);
  EXPECT_EQ(read.report.warnings, 2u);
  ASSERT_EQ(read.report.issues.size(), 2u);
  EXPECT_TRUE(read.report.issues[0].warning);
  EXPECT_EQ(read.batch.text(read.c().value_text[read.c().arg_value[0]]), "2");
}

TEST(BadInput, LongIntegersAndNumbersAsStrings) {
  const ReadText read(with_arguments(R"({"a":9007199254740993})") + with_arguments(R"({"a":9007199254740992})") +
                      with_arguments(R"({"a":"1"})") + with_arguments(R"({"a":1})") +
                      with_arguments(R"({"a":123456789012345678901234567890})"));
  const auto& key = read.c().call_key;
  ASSERT_EQ(key.size(), 5u) << read.issue();
  EXPECT_NE(key[0], key[1]);
  EXPECT_NE(key[2], key[3]);
  EXPECT_EQ(read.batch.text(read.c().value_text[read.c().arg_value[4]]), "123456789012345678901234567890");
}

TEST(BadInput, FilesThatAreNone) {
  const TempDir dir;
  const auto error = [](const std::string& path) { return ReadFiles({path}).error; };
  EXPECT_EQ(error(dir.path().string()), dir.path().string() + ": this is a directory; name the files in it");
  EXPECT_NE(error(dir.path().string() + "/nowhere").find("No such file"), std::string::npos);
  EXPECT_NE(error(dir.File("empty", "")).find("the file is empty"), std::string::npos);
  EXPECT_NE(error(dir.File("blank", "\n  \n")).find("the file is empty"), std::string::npos);
  EXPECT_NE(error(dir.File("a.gz", std::string("\x1F\x8B\x08\0", 4))).find("gzip"), std::string::npos);
  EXPECT_NE(error(dir.File("utf16", "\xFF\xFE{")).find("UTF-16"), std::string::npos);
  EXPECT_NE(error(dir.File("noise", "\x01\x02\x03")).find("neither JSON nor JSON Lines"), std::string::npos);
  EXPECT_NE(error(dir.File("list", "[]")).find("the list is empty"), std::string::npos);
}

TEST(BadInput, PipesAreReadOnce) {
  const TempDir dir;
  const auto through_pipe = [&dir](const std::string& name, const std::string& text) {
    const std::string path = (dir.path() / name).string();
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&path, &text] { std::ofstream(path) << text; });
    ReadFiles read({path});
    writer.join();
    return read;
  };
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += kGood + "\n";
  EXPECT_EQ(through_pipe("lines", lines).traces, 3000u);
  EXPECT_NE(through_pipe("tau2", R"({"info": {}, "tasks": [], "simulations": []})").error.find("pipe"),
            std::string::npos);
}

TEST(BadInput, ByteOrderMarkAndCarriageReturns) {
  const TempDir dir;
  const ReadFiles read({dir.File("bom", "\xEF\xBB\xBF" + kGood + "\r\n" + kGood + "\r\n")});
  EXPECT_EQ(read.traces, 2u) << read.error;
}

TEST(BadInput, TheSavedFiles) {
  const std::string folder = std::string(WEND_TEST_DATA) + "/bad/";
  const auto read = [&](const char* name) { return ReadFiles({folder + name}); };
  EXPECT_EQ(read("cut_off.jsonl").traces, 2u);
  EXPECT_EQ(read("cut_off.jsonl").report.skipped, 1u);
  EXPECT_EQ(read("broken_first_line.jsonl").traces, 2u);
  EXPECT_EQ(read("broken_in_list.json").traces, 2u);
  EXPECT_EQ(read("broken_in_list.json").report.skipped, 1u);
  EXPECT_EQ(read("not_utf8.jsonl").traces, 1u);
  EXPECT_EQ(read("not_utf8.jsonl").report.skipped, 1u);
  EXPECT_NE(read("compressed.jsonl.gz").error.find("gzip"), std::string::npos);
  EXPECT_NE(read("empty.jsonl").error.find("empty"), std::string::npos);
  EXPECT_NE(read("unknown.json").error.find("known formats"), std::string::npos);
  EXPECT_EQ(read("odd.jsonl").report.skipped, 0u);
}

TEST(BadInput, AFirstRecordThatIsNoObject) {
  const TempDir dir;
  const std::string good = R"({"id":"g","messages":[],"gold":{}})";
  for (const std::string first : {"3", "null", "\"x\"", "[1, 2]", "[null]", "[{\"a\": 1}]", "x", "["}) {
    const bool lines = first != "[";
    const ReadFiles read({dir.File("lines.jsonl", first + "\n" + good + (lines ? "\n" : ",\n") + good + "\n")});
    EXPECT_EQ(read.traces, 2u) << first << read.error;
    EXPECT_EQ(read.report.skipped, lines ? 1u : 0u) << first;
  }
  for (const std::string first : {"3", "null", "[1, 2]", "{\"a\": 1}"}) {
    const ReadFiles read({dir.File("list.json", "[" + first + ", " + good + ", " + good + "]")});
    EXPECT_EQ(read.traces, 2u) << first << read.error;
    EXPECT_EQ(read.report.skipped, 1u) << first;
  }
}

TEST(BadInput, GoldOfTurnsThatTheDialogueDoesNotReach) {
  const std::string begin = R"({"messages":[{"role":"user","content":"x"}],"gold":{"turns":[{"turn":1})";
  const ReadText read(begin + "]}}\n" + begin + R"(,{"turn":2}]}})" + "\n" + begin + R"(,{"turn":4},{"turn":3}]}})");
  EXPECT_EQ(read.batch.traces(), 3u);
  EXPECT_EQ(read.report.skipped, 0u);
  EXPECT_EQ(read.report.warnings, 2u);
  ASSERT_EQ(read.report.issues.size(), 2u);
  EXPECT_TRUE(read.report.issues[0].warning);
  EXPECT_EQ(read.report.issues[0].text(),
            "text:2: record 2: `gold.turns`: the dialogue ends before turn 2; what gold says of it is not evaluated");
  EXPECT_EQ(read.report.issues[1].cause,
            "the dialogue ends before turns 3 to 4; what gold says of them is not evaluated");
}

TEST(BadInput, AFileOfToolsThatIsNone) {
  const TempDir dir;
  const std::string data = dir.File("data.jsonl", kGood + "\n" + kGood + "\n");
  ReadOptions options;
  options.tools = dir.File("object.json", R"({"tools": []})");
  EXPECT_NE(ReadFiles({data}, options).error.find("object.json: `tools`: a list was expected"), std::string::npos);
  options.tools = dir.File("second.json", R"([{"name": "a"}, {"nam": "b"}])");
  EXPECT_NE(ReadFiles({data}, options).error.find("second.json: `tools[1]`: a tool has no name"), std::string::npos);
  options.tools = dir.File("good.json", R"([{"name": "a"}])");
  EXPECT_EQ(ReadFiles({data}, options).traces, 2u);
}

TEST(BadInput, ListsThatAreCutOffOrGoOn) {
  const TempDir dir;
  const ReadFiles cut({dir.File("cut.json", "[" + kGood + "," + kGood.substr(0, 40))});
  EXPECT_EQ(cut.traces, 1u);
  EXPECT_EQ(cut.report.skipped, 1u);
  EXPECT_EQ(cut.report.warnings, 1u);
  const ReadFiles between({dir.File("between.json", "[" + kGood + ",")});
  EXPECT_EQ(between.traces, 1u);
  ASSERT_EQ(between.report.issues.size(), 1u);
  EXPECT_NE(between.report.issues[0].text().find("never ends"), std::string::npos);
  const ReadFiles more({dir.File("more.json", "[" + kGood + "]\n[" + kGood + "]")});
  EXPECT_EQ(more.report.warnings, 1u);
}

TEST(BadInput, AHugeRecord) {
  const TempDir dir;
  const std::string text(50 << 20, 'a');
  const std::string huge = R"({"messages":[{"role":"user","content":")" + text + "\"}]}\n";
  const ReadFiles read({dir.File("huge.jsonl", kGood + "\n" + huge + kGood + "\n")});
  EXPECT_EQ(read.traces, 3u) << read.error;
  EXPECT_EQ(read.report.skipped, 0u);
}

TEST(BadInput, ARecordBeyondTheLimit) {
  const TempDir dir;
  const std::string huge = R"({"messages":[{"role":"user","content":")" + std::string(70 << 20, 'a') + "\"}]}";
  const ReadFiles lines({dir.File("huge.jsonl", kGood + "\n" + huge + "\n" + kGood + "\n")});
  EXPECT_EQ(lines.traces, 2u) << lines.error;
  ASSERT_EQ(lines.report.issues.size(), 1u);
  EXPECT_EQ(lines.report.issues[0].record, 2u);
  EXPECT_NE(lines.report.issues[0].cause.find("64 MiB"), std::string::npos);
  EXPECT_EQ(lines.report.records, 3u);
  const ReadFiles list({dir.File("huge.json", "[" + kGood + "," + huge + "," + kGood + "]")});
  EXPECT_EQ(list.traces, 2u);
  EXPECT_EQ(list.report.skipped, 1u);
}

TEST(BadInput, IssuesAreKeptUpToALimitAndAllCounted) {
  std::string lines;
  for (int i = 0; i < 2500; ++i) lines += "{}\n";
  const ReadText read(lines);
  EXPECT_EQ(read.report.skipped, 2500u);
  EXPECT_EQ(read.report.issues.size(), kMaxIssues);
}

}  // namespace
}  // namespace wend
