#include "runtime/data/split.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/data/recognise.h"

namespace wend {
namespace {

// The records of `text`, given to the splitter in pieces of `step` bytes, as the reader does it.
std::vector<std::string> split(const std::string& text, Framing framing, size_t step) {
  Splitter splitter(framing);
  std::vector<std::string> out;
  std::string held;
  for (size_t at = 0; at < text.size() || at == 0;) {
    const size_t n = std::min(step, text.size() - at);
    held += text.substr(at, n);
    at += n;
    std::vector<RecordRange> ranges;
    splitter.scan(held.data(), held.size(), at == text.size(), ranges);
    for (const RecordRange& range : ranges) out.push_back(held.substr(range.begin, range.end - range.begin));
    held.erase(0, splitter.keep());
    splitter.cut();
    if (n == 0) break;
  }
  return out;
}

void expect_split(const std::string& text, Framing framing, const std::vector<std::string>& records) {
  for (size_t step = 1; step < 200; ++step) EXPECT_EQ(split(text, framing, step), records) << step;
}

TEST(Split, Lines) {
  expect_split("{\"a\":1}\n\n  {\"b\":2}  \r\n[3]", Framing::kLines, {"{\"a\":1}", "{\"b\":2}", "[3]"});
  expect_split("\n\n", Framing::kLines, {});
}

TEST(Split, List) {
  expect_split(R"( {"a": "]},{"}, {"b": [1, {"c": "\"}"}]} ,[2], 7, {"d":"\\"} ] tail)", Framing::kList,
               {R"({"a": "]},{"})", R"({"b": [1, {"c": "\"}"}]})", "[2]", "7", R"({"d":"\\"})"});
}

TEST(Split, ListCutOff) { expect_split(R"({"a":1}, {"b": "x)", Framing::kList, {R"({"a":1})", R"({"b": "x)"}); }

TEST(Split, Values) {
  expect_split("{\"a\":\n 1}\n{\"b\": 2}[3]", Framing::kValues, {"{\"a\":\n 1}", "{\"b\": 2}", "[3]"});
}

TEST(Split, LineNumbersCountBlankLines) {
  Splitter splitter(Framing::kLines);
  std::vector<RecordRange> ranges;
  const std::string text = "a\n\n\nb\n";
  splitter.scan(text.data(), text.size(), true, ranges);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].line, 1u);
  EXPECT_EQ(ranges[1].line, 4u);
}

// A value's end as a plain loop finds it.
size_t plain_close(const std::string& text) {
  int depth = 0;
  bool string = false, escaped = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && !escaped) string = !string;
    escaped = c == '\\' && !escaped;
    if (string) continue;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
  }
  return 0;
}

TEST(Split, KernelsFindTheSameEnd) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "{";
    const size_t size = random() % 300;
    for (size_t i = 0; i < size; ++i) text.push_back("{}[]\"\\\\\\\"aaaa ,"[random() % 15]);
    const size_t expected = plain_close(text);
    for (const Kernels* kernels : runnable_kernels()) {
      BracketScan scan;
      bool closed = false;
      // In two parts, cut anywhere.
      const size_t cut = random() % (text.size() + 1);
      closed = kernels->close(text.data(), cut, scan) || kernels->close(text.data(), text.size(), scan);
      ASSERT_EQ(closed ? scan.at : 0, expected) << text;
    }
  }
}

Layout Seen(std::string_view head, Format wanted = Format::kAuto) {
  const auto layout = recognise_format("f", head, true, wanted);
  EXPECT_TRUE(layout.ok()) << (layout ? "" : layout.error().message);
  return layout.value_or(Layout{});
}

TEST(Recognise, Formats) {
  EXPECT_EQ(Seen(R"({"messages": []})").format, Format::kOpenai);
  EXPECT_EQ(Seen(R"({"id": "a", "tools": [], "messages": [], "gold": {}})").format, Format::kNative);
  EXPECT_EQ(Seen(R"([{"task_id": 0, "reward": 1, "info": {}, "traj": []}])").format, Format::kTau);
  EXPECT_EQ(Seen(R"({"timestamp": "", "info": {}, "tasks": [], "simulations": []})").format, Format::kTau2);
  EXPECT_EQ(Seen(R"({"id": "x", "question": [[]], "function": []})").format, Format::kBfcl);
  EXPECT_EQ(Seen(R"([{"role": "user", "content": "hi"}])").format, Format::kOpenai);
  EXPECT_EQ(Seen(R"([{"messages": []}, {"messages": []}])").format, Format::kOpenai);
}

TEST(Recognise, Framings) {
  EXPECT_EQ(Seen("{\"messages\": []}\n{\"messages\": []}\n").framing, Framing::kLines);
  EXPECT_EQ(Seen("{\n \"messages\": []\n}\n").framing, Framing::kValues);
  EXPECT_EQ(Seen("[{\"messages\": []}]").framing, Framing::kList);
  EXPECT_EQ(Seen("[{\"role\": \"user\"}]\n[{\"role\": \"user\"}]\n").framing, Framing::kLines);
  EXPECT_EQ(Seen("[\n {\"role\": \"user\"}\n]").framing, Framing::kValues);
  // A broken first line does not change what the file is.
  EXPECT_EQ(Seen("{\"id\": 1, \"messages\": [{\n{\"messages\": []}\n").framing, Framing::kLines);
  EXPECT_EQ(Seen("garbage\n{\"messages\": []}\n").format, Format::kOpenai);
}

TEST(Recognise, UnknownNamesTheFormats) {
  for (const char* text : {"{\"a\": 1}", "[1, 2]", "hello", "[]", "{\"messages_display\": \"user: hi\"}"}) {
    const auto layout = recognise_format("file.json", text, true, Format::kAuto);
    ASSERT_FALSE(layout.ok()) << text;
    EXPECT_NE(layout.error().message.find("file.json: "), std::string::npos);
    EXPECT_NE(layout.error().message.find("native, openai, tau-bench, tau2-bench, bfcl"), std::string::npos);
  }
  EXPECT_FALSE(format_of("csv").ok());
  EXPECT_TRUE(format_of("bfcl").ok());
}

}  // namespace
}  // namespace wend
