#include "runtime/data/text.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <random>
#include <string>

#include "runtime/data/kernels.h"
#include "runtime/data/utf8.h"

namespace wend {
namespace {

std::string Unescape(std::string body, const char** error = nullptr) {
  const size_t size = body.size();
  body.resize(size + kKernelSlack, 'x');
  std::string out(size + kKernelSlack, '\0');
  const Unescaped made = UnescapeJson(std::string_view(body.data(), size), out.data());
  if (error) *error = made.error;
  EXPECT_EQ(made.ascii, IsAscii(std::string_view(out.data(), made.size)));
  out.resize(made.size);
  return out;
}

std::string Folded(std::string_view text) {
  std::string out;
  AppendFolded(text, out);
  return out;
}

TEST(Unescape, EveryEscape) {
  EXPECT_EQ(Unescape(R"(\"\\\/\n\t\r\b\f)"), "\"\\/\n\t\r\b\f");
  EXPECT_EQ(Unescape("plain text that is longer than one block of bytes, and then some more of it"),
            "plain text that is longer than one block of bytes, and then some more of it");
  EXPECT_EQ(Unescape(R"(\u0041\u00e9\u20AC)"), "Aé€");
  EXPECT_EQ(Unescape(R"(\\u0041)"), "\\u0041");
  EXPECT_EQ(Unescape(R"(a\u0000b)"), std::string("a\0b", 3));
}

TEST(Unescape, SurrogatePairsAndLoneSurrogates) {
  EXPECT_EQ(Unescape(R"(\ud83d\ude00!)"), "😀!");
  EXPECT_EQ(Unescape(R"(\ud83d!)"), "\uFFFD!");
  EXPECT_EQ(Unescape(R"(\ude00\ud83d)"), "\uFFFD\uFFFD");
  EXPECT_EQ(Unescape(R"(\ud83d\ud83d\ude00)"), "\uFFFD😀");
}

TEST(Unescape, EscapesAtEveryPlaceOfABlock) {
  for (size_t before = 0; before < 70; ++before) {
    for (const std::string escape : {"\\n", "\\\\", "\\u00fc", "\\ud83d\\ude00", "\\\\\\\""}) {
      const std::string made = Unescape(std::string(before, 'a') + escape + "bc" + escape + std::string(before, 'd'));
      const std::string one = Unescape(escape);
      EXPECT_EQ(made, std::string(before, 'a') + one + "bc" + one + std::string(before, 'd')) << before << escape;
    }
  }
}

TEST(Unescape, WrongEscapesHaveACause) {
  for (const std::string body : {"\\x", "\\u12", "\\u12g4", "\\"}) {
    const char* error = nullptr;
    Unescape(body, &error);
    EXPECT_NE(error, nullptr) << body;
  }
}

TEST(Fold, CaseAndWhiteSpace) {
  EXPECT_EQ(Folded("  Hello\t\n WORLD  "), "hello world");
  EXPECT_EQ(Folded("10\u202f°C\u00a0 now"), "10 °c now");
  EXPECT_EQ(Folded("Straße ÉCOLE"), "strasse école");
  EXPECT_EQ(Folded("\u00a0\u3000"), "");
  EXPECT_EQ(Folded("AZ[`az{@"), "az[`az{@");
  EXPECT_EQ(Folded("서울 北京 "), "서울 北京");
}

TEST(Fold, KernelsAgreeWithTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const size_t size = random() % 100;
    for (size_t i = 0; i < size; ++i) text.push_back("aZ \t\nbQ  .5\v"[random() % 12]);
    std::string expected;
    for (const char c : text) {
      const bool space = c == ' ' || (c >= '\t' && c <= '\r');
      if (space && (expected.empty() || expected.back() == ' ')) continue;
      expected.push_back(space ? ' ' : static_cast<char>(std::tolower(c)));
    }
    if (!expected.empty() && expected.back() == ' ') expected.pop_back();
    EXPECT_EQ(Folded(text), expected) << text;
    for (const Kernels* kernels : RunnableKernels()) {
      std::string out(text.size() + kKernelSlack, '\0');
      const char* src = text.data();
      uint32_t space = 1;
      char* end = kernels->fold(src, text.data() + text.size(), out.data(), space);
      if (space && end > out.data()) --end;
      out.resize(static_cast<size_t>(end - out.data()));
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(Unescape, KernelsAgree) {
  std::mt19937 random(11);
  const std::string pieces[] = {"a",
                                "bcd",
                                "\\n",
                                "\\\"\\\"\\\"",
                                "\\\\",
                                "\\u20ac",
                                "é",
                                "\\ud83d\\ude00",
                                "long plain run of text ",
                                "\\u0041",
                                "\t",
                                "\\/\\b\\f\\r\\t"};
  const std::string wrong[] = {"\\", "\\x", "\\é", "\\u12", "\\u00g0"};
  for (int round = 0; round < 5000; ++round) {
    std::string body;
    for (size_t i = random() % 40; i > 0; --i) body += pieces[random() % std::size(pieces)];
    if (round % 5 == 0) body += wrong[random() % std::size(wrong)];
    if (round % 10 == 0) body += "tail";
    const size_t size = body.size();
    body.resize(size + kKernelSlack, 'x');
    const auto run = [&](const Kernels* kernels, std::string& out) {
      out.assign(size + kKernelSlack, '\0');
      const Unescaped made = kernels->unescape({body.data(), size}, out.data());
      out.resize(made.size);
      return made;
    };
    std::string expected, got;
    const Unescaped one = run(RunnableKernels().front(), expected);
    for (const Kernels* kernels : RunnableKernels()) {
      const Unescaped two = run(kernels, got);
      ASSERT_STREQ(one.error, two.error) << body;
      if (one.error) continue;
      ASSERT_EQ(expected, got) << body;
      EXPECT_EQ(one.ascii, two.ascii) << body;
    }
  }
}

// Every code point that the quick check lets through is NFC, alone and behind a letter.
TEST(Nfc, QuickCheckIsNeverWrong) {
  for (uint32_t c = 1; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    char bytes[4];
    const std::string text = "e" + std::string(bytes, static_cast<size_t>(PutUtf8(c, bytes) - bytes)) + "\uAC00";
    if (IsSurelyNfc(text)) {
      ASSERT_EQ(ToNfc(text), text) << std::hex << c;
    }
  }
}

TEST(Nfc, ComposesAndLeavesAlone) {
  EXPECT_EQ(ToNfc("e\u0301"), "é");
  EXPECT_FALSE(IsSurelyNfc("e\u0301"));
  EXPECT_FALSE(IsSurelyNfc("\u1112\u1161"));
  EXPECT_TRUE(IsSurelyNfc("naïve ‘quote’ 서울 北京 😀"));
}

TEST(Utf8, PrefixOfBrokenText) {
  EXPECT_EQ(ValidUtf8Prefix("abc\xFF"), 3u);
  EXPECT_EQ(ValidUtf8Prefix("é\xC3"), 2u);
  EXPECT_EQ(ValidUtf8Prefix("ok"), 2u);
}

TEST(UnicodeEscapes, InsideText) {
  std::string out;
  EXPECT_TRUE(DecodeJsonEscapes(R"({"city": "M\u00fcnchen", "e": "\ud83d\ude00"})", out));
  EXPECT_EQ(out, R"({"city": "München", "e": "😀"})");
  EXPECT_TRUE(DecodeJsonEscapes(R"({"address": "1 Main\nApt \"4\""})", out));
  EXPECT_EQ(out, "{\"address\": \"1 Main\nApt \"4\"\"}");
  EXPECT_TRUE(DecodeJsonEscapes(R"(a \\u0041 b)", out));
  EXPECT_EQ(out, R"(a \u0041 b)");
  EXPECT_FALSE(DecodeJsonEscapes(R"(C:\x, \)", out));
  EXPECT_FALSE(DecodeJsonEscapes(R"(\u12)", out));
}

TEST(JsonString, ShortestEscapes) {
  std::string out;
  AppendJsonString("a\"\\\n\x01é", out);
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u0001é\"");
}

}  // namespace
}  // namespace wend
