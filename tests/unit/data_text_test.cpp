#include "runtime/data/text.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <random>
#include <string>

#include "runtime/data/kernels.h"
#include "runtime/data/utf8.h"

namespace wend {
namespace {

std::string unescape(std::string body, const char** error = nullptr) {
  const size_t size = body.size();
  body.resize(size + kKernelSlack, 'x');
  std::string out(size + kKernelSlack, '\0');
  const Unescaped made = unescape_json(std::string_view(body.data(), size), out.data());
  if (error) *error = made.error;
  EXPECT_EQ(made.ascii, is_ascii(std::string_view(out.data(), made.size)));
  out.resize(made.size);
  return out;
}

std::string folded(std::string_view text) {
  std::string out;
  append_folded(text, out);
  return out;
}

TEST(Unescape, EveryEscape) {
  EXPECT_EQ(unescape(R"(\"\\\/\n\t\r\b\f)"), "\"\\/\n\t\r\b\f");
  EXPECT_EQ(unescape("plain text that is longer than one block of bytes, and then some more of it"),
            "plain text that is longer than one block of bytes, and then some more of it");
  EXPECT_EQ(unescape(R"(\u0041\u00e9\u20AC)"), "Aé€");
  EXPECT_EQ(unescape(R"(\\u0041)"), "\\u0041");
  EXPECT_EQ(unescape(R"(a\u0000b)"), std::string("a\0b", 3));
}

TEST(Unescape, SurrogatePairsAndLoneSurrogates) {
  EXPECT_EQ(unescape(R"(\ud83d\ude00!)"), "😀!");
  EXPECT_EQ(unescape(R"(\ud83d!)"), "\uFFFD!");
  EXPECT_EQ(unescape(R"(\ude00\ud83d)"), "\uFFFD\uFFFD");
  EXPECT_EQ(unescape(R"(\ud83d\ud83d\ude00)"), "\uFFFD😀");
}

TEST(Unescape, EscapesAtEveryPlaceOfABlock) {
  for (size_t before = 0; before < 70; ++before) {
    for (const std::string escape : {"\\n", "\\\\", "\\u00fc", "\\ud83d\\ude00", "\\\\\\\""}) {
      const std::string made = unescape(std::string(before, 'a') + escape + "bc" + escape + std::string(before, 'd'));
      const std::string one = unescape(escape);
      EXPECT_EQ(made, std::string(before, 'a') + one + "bc" + one + std::string(before, 'd')) << before << escape;
    }
  }
}

TEST(Unescape, WrongEscapesHaveACause) {
  for (const std::string body : {"\\x", "\\u12", "\\u12g4", "\\"}) {
    const char* error = nullptr;
    unescape(body, &error);
    EXPECT_NE(error, nullptr) << body;
  }
}

TEST(Fold, CaseAndWhiteSpace) {
  EXPECT_EQ(folded("  Hello\t\n WORLD  "), "hello world");
  EXPECT_EQ(folded("10\u202f°C\u00a0 now"), "10 °c now");
  EXPECT_EQ(folded("Straße ÉCOLE"), "strasse école");
  EXPECT_EQ(folded("\u00a0\u3000"), "");
  EXPECT_EQ(folded("AZ[`az{@"), "az[`az{@");
  EXPECT_EQ(folded("서울 北京 "), "서울 北京");
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
    EXPECT_EQ(folded(text), expected) << text;
    for (const Kernels* kernels : runnable_kernels()) {
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
    const Unescaped one = run(runnable_kernels().front(), expected);
    for (const Kernels* kernels : runnable_kernels()) {
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
    const std::string text = "e" + std::string(bytes, static_cast<size_t>(put_utf8(c, bytes) - bytes)) + "\uAC00";
    if (is_surely_nfc(text)) {
      ASSERT_EQ(to_nfc(text), text) << std::hex << c;
    }
  }
}

TEST(Nfc, ComposesAndLeavesAlone) {
  EXPECT_EQ(to_nfc("e\u0301"), "é");
  EXPECT_FALSE(is_surely_nfc("e\u0301"));
  EXPECT_FALSE(is_surely_nfc("\u1112\u1161"));
  EXPECT_TRUE(is_surely_nfc("naïve ‘quote’ 서울 北京 😀"));
}

TEST(Utf8, PrefixOfBrokenText) {
  EXPECT_EQ(valid_utf8_prefix("abc\xFF"), 3u);
  EXPECT_EQ(valid_utf8_prefix("é\xC3"), 2u);
  EXPECT_EQ(valid_utf8_prefix("ok"), 2u);
}

TEST(UnicodeEscapes, InsideText) {
  std::string out;
  EXPECT_TRUE(decode_json_escapes(R"({"city": "M\u00fcnchen", "e": "\ud83d\ude00"})", out));
  EXPECT_EQ(out, R"({"city": "München", "e": "😀"})");
  EXPECT_TRUE(decode_json_escapes(R"({"address": "1 Main\nApt \"4\""})", out));
  EXPECT_EQ(out, "{\"address\": \"1 Main\nApt \"4\"\"}");
  EXPECT_TRUE(decode_json_escapes(R"(a \\u0041 b)", out));
  EXPECT_EQ(out, R"(a \u0041 b)");
  EXPECT_FALSE(decode_json_escapes(R"(C:\x, \)", out));
  EXPECT_FALSE(decode_json_escapes(R"(\u12)", out));
}

TEST(JsonString, ShortestEscapes) {
  std::string out;
  append_json_string("a\"\\\n\x01é", out);
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u0001é\"");
}

}  // namespace
}  // namespace wend
