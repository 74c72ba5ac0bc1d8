#include "runtime/text/search.h"

#include <utf8proc.h>

#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace wend {
namespace {

bool contains(std::string_view text, std::string_view needle) {
  return wend_text_contains(text.data(), text.size(), needle.data(), needle.size());
}
bool mentions(std::string_view text, std::string_view needle) {
  return wend_text_mentions(text.data(), text.size(), needle.data(), needle.size());
}
bool names(std::string_view text, std::string_view needle) {
  return wend_text_names(text.data(), text.size(), needle.data(), needle.size());
}

// ---- The definition, spelt out over code points -----------------------------------------------------------------

std::vector<int32_t> code_points(std::string_view text) {
  std::vector<int32_t> out;
  for (size_t at = 0; at < text.size();) {
    int32_t c = 0;
    auto size = utf8proc_iterate(reinterpret_cast<const uint8_t*>(text.data()) + at,
                                 static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    EXPECT_GT(size, 0);
    out.push_back(c);
    at += static_cast<size_t>(size > 0 ? size : 1);
  }
  return out;
}

bool digit(int32_t c) { return c >= '0' && c <= '9'; }
bool separator(int32_t c) { return c == '.' || c == ',' || c == '-'; }
bool word(int32_t c) { return text_search::is_word(static_cast<uint32_t>(c)); }

bool bounded(const std::vector<int32_t>& text, size_t begin, size_t end) {
  if (begin > 0 && word(text[begin])) {
    if (word(text[begin - 1])) return false;
    if (begin > 1 && digit(text[begin]) && separator(text[begin - 1]) && digit(text[begin - 2])) return false;
  }
  if (end < text.size() && word(text[end - 1])) {
    if (word(text[end])) return false;
    if (end + 1 < text.size() && digit(text[end - 1]) && separator(text[end]) && digit(text[end + 1])) return false;
  }
  return true;
}

enum class How { contains, mentions, names };

bool reference(std::string_view text_bytes, std::string_view needle_bytes, How how) {
  std::vector<int32_t> text = code_points(text_bytes), needle = code_points(needle_bytes);
  if (needle.empty()) return true;
  for (size_t begin = 0; begin + needle.size() <= text.size(); ++begin) {
    bool same = true;
    for (size_t i = 0; i < needle.size(); ++i) {
      int32_t c = text[begin + i];
      same &= c == needle[i] || (how == How::names && needle[i] == '_' && (c == ' ' || c == '-'));
    }
    if (same && (how == How::contains || bounded(text, begin, begin + needle.size()))) return true;
  }
  return false;
}

// ---- Tests ------------------------------------------------------------------------------------------------------

TEST(Contains, FindsBytesAnywhere) {
  EXPECT_TRUE(contains("", ""));
  EXPECT_TRUE(contains("abc", ""));
  EXPECT_FALSE(contains("", "a"));
  EXPECT_TRUE(contains("set an alarm", "n al"));
  EXPECT_FALSE(contains("set an alarm", "alarms"));
  EXPECT_TRUE(contains("alarm", "alarm"));
  std::string text(1000, 'x');
  for (size_t at : {0u, 1u, 15u, 16u, 17u, 31u, 32u, 33u, 500u, 996u}) {
    std::string with = text;
    with.replace(at, 4, "yabz");
    EXPECT_TRUE(contains(with, "yabz")) << at;
    EXPECT_FALSE(contains(with, "yacz")) << at;
  }
}

TEST(Mentions, NeedsWordBoundaries) {
  EXPECT_TRUE(mentions("wake me at seven", "seven"));
  EXPECT_FALSE(mentions("seventeen people", "seven"));
  EXPECT_FALSE(mentions("eleven", "even"));
  EXPECT_TRUE(mentions("(seven)", "seven"));
  EXPECT_FALSE(mentions("seven_days", "seven"));
  EXPECT_TRUE(mentions("seventeen or seven", "seven"));
  EXPECT_TRUE(mentions("to caf\u00e9 luna", "caf\u00e9"));
  EXPECT_FALSE(mentions("to caf\u00e9 luna", "caf"));
  EXPECT_FALSE(mentions("\u0434\u043e\u043c\u0430", "\u0434\u043e\u043c"));
  EXPECT_TRUE(mentions("\u00abmoin\u00bb", "moin"));
  EXPECT_TRUE(mentions("see you \U0001F600seven\U0001F600", "seven"));
}

TEST(Mentions, AnEdgeThatIsNoWordNeedsNoBoundary) {
  EXPECT_TRUE(mentions("cost$5now$", "$5now$"));
  EXPECT_TRUE(mentions("a#b", "#b"));
  EXPECT_FALSE(mentions("a#bc", "#b"));
}

TEST(Mentions, ScriptsWithoutSpacesNeedNoBoundary) {
  EXPECT_TRUE(mentions("\u6211\u8981\u53bb\u5317\u4eac\u65c5\u6e38", "\u5317\u4eac"));
  EXPECT_TRUE(mentions("7\uc2dc\uc5d0", "7"));
  EXPECT_TRUE(mentions("\uc11c\uc6b8\uc5d0\uc11c", "\uc11c\uc6b8"));
  EXPECT_TRUE(mentions("\u660e\u65e5google\u3067", "google"));
  EXPECT_TRUE(
      mentions("\u0e44\u0e1b\u0e40\u0e0a\u0e35\u0e22\u0e07\u0e43\u0e2b\u0e21\u0e48", "\u0e40\u0e0a\u0e35\u0e22\u0e07"));
}

TEST(Mentions, NumbersAreWhole) {
  EXPECT_FALSE(mentions("in 2024", "2"));
  EXPECT_FALSE(mentions("1.2", "2"));
  EXPECT_FALSE(mentions("2.5", "2"));
  EXPECT_FALSE(mentions("1,200", "200"));
  EXPECT_FALSE(mentions("2024-01-02", "01"));
  EXPECT_TRUE(mentions("room 2.", "2"));
  EXPECT_TRUE(mentions("room 2. then", "2"));
  EXPECT_TRUE(mentions("1, 2, 3", "2"));
  EXPECT_TRUE(mentions("$2", "2"));
  EXPECT_TRUE(mentions("2", "2"));
  EXPECT_TRUE(mentions(".2", "2"));
  EXPECT_TRUE(mentions("2.5 or 2", "2"));
  EXPECT_TRUE(mentions("costs 1.25 usd", "1.25"));
}

TEST(Names, UnderscoreIsASpaceOrAHyphenToo) {
  EXPECT_TRUE(names("what start time?", "start_time"));
  EXPECT_TRUE(names("what start-time?", "start_time"));
  EXPECT_TRUE(names("what start_time?", "start_time"));
  EXPECT_FALSE(names("what starttime?", "start_time"));
  EXPECT_FALSE(names("restart time", "start_time"));
  EXPECT_FALSE(names("start times", "start_time"));
  EXPECT_TRUE(names("restart time, start time", "start_time"));
  EXPECT_TRUE(names("start_x start_y", "start_y"));
  EXPECT_TRUE(names("a _b", "_b"));
  EXPECT_TRUE(names("x - y", "_"));
  EXPECT_FALSE(names("", "_"));
  EXPECT_TRUE(names("plain", "plain"));
  EXPECT_TRUE(names("", ""));
}

TEST(Length, CountsCodePoints) {
  std::string text = "a\u00e9\u5317\U0001F600";
  EXPECT_EQ(wend_text_length(text.data(), text.size()), 4);
  EXPECT_EQ(wend_text_length("", 0), 0);
}

TEST(WordTable, IsUnicodesOutsideOfUnspacedScripts) {
  auto unspaced = [](int32_t c) {
    const std::pair<int32_t, int32_t> blocks[] = {
        {0x0E00, 0x0FFF}, {0x1000, 0x109F}, {0x1100, 0x11FF}, {0x1780, 0x17FF}, {0x1950, 0x19FF},
        {0x1A20, 0x1AAF}, {0x20D0, 0x20FF}, {0x2E80, 0xA4CF}, {0xA960, 0xA97F}, {0xA9E0, 0xA9FF},
        {0xAA60, 0xAADF}, {0xAC00, 0xD7FF}, {0xF900, 0xFAFF}, {0xFE00, 0xFE0F}, {0xFF66, 0xFFDC}};
    for (auto [low, high] : blocks) {
      if (c >= low && c <= high) return true;
    }
    return false;
  };
  int differing = 0;
  for (int32_t c = 1; c < 0x10000; ++c) {
    auto category = utf8proc_category(c);
    if (category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_CS) continue;
    bool letter = (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ND) ||
                  category == UTF8PROC_CATEGORY_NL || c == '_';
    // Letters that later versions of Unicode assigned inside a closed gap or outside of one may differ.
    differing += word(c) != (letter && !unspaced(c));
  }
  EXPECT_LE(differing, 30);
}

std::string random_text(std::mt19937& random, size_t size, const std::vector<std::string>& alphabet) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += alphabet[random() % alphabet.size()];
  return text;
}

TEST(Search, AgreesWithTheDefinitionOnRandomTexts) {
  std::mt19937 random(7);
  const std::vector<std::vector<std::string>> alphabets = {
      {"a", "b"},
      {"a", "b", " ", "_", "-"},
      {"1", "2", ".", ",", "-", " "},
      {"a", "\u00e9", "\u5317", "\uc2dc", " ", "2", ".", "\U0001F600", "\u2014"},
  };
  size_t found = 0, mentioned = 0, named = 0;
  const int rounds = 40000;
  for (int round = 0; round < rounds; ++round) {
    const auto& alphabet = alphabets[random() % alphabets.size()];
    // Needles from longer than a probe's lanes to shorter; sometimes cut from the text, so that long ones occur.
    std::string text = random_text(random, random() % 120, alphabet);
    std::string needle = random_text(random, random() % (random() % 8 == 0 ? 40 : 4), alphabet);
    if (random() % 3 == 0) {
      std::string more = random_text(random, 1 + random() % 80, alphabet);
      text += more + random_text(random, random() % 3, alphabet);
      needle = more;
    }
    EXPECT_EQ(contains(text, needle), reference(text, needle, How::contains)) << text << "|" << needle;
    EXPECT_EQ(mentions(text, needle), reference(text, needle, How::mentions)) << text << "|" << needle;
    EXPECT_EQ(names(text, needle), reference(text, needle, How::names)) << text << "|" << needle;
    found += contains(text, needle);
    mentioned += mentions(text, needle);
    named += names(text, needle);
    if (HasFailure()) return;
  }
  // The inputs exercise both answers.
  EXPECT_GT(found, rounds / 10u);
  EXPECT_LT(found, rounds * 9u / 10);
  EXPECT_GT(mentioned, rounds / 20u);
  EXPECT_LT(mentioned, found);
  EXPECT_GT(named, mentioned);
}

bool contains_any(std::string_view text, const std::vector<std::string>& needles) {
  std::string all;
  for (const std::string& needle : needles) all += static_cast<char>(needle.size()) + needle;
  return wend_text_contains_any(text.data(), text.size(), all.data(), needles.size());
}

TEST(ContainsAny, FindsTheOneThatIsThere) {
  const std::vector<std::string> tags = {"<tool_call>", "</tool_call>", "<a>"};
  EXPECT_FALSE(contains_any("", tags));
  EXPECT_FALSE(contains_any("<a", tags));
  EXPECT_TRUE(contains_any("<a>", tags));
  for (size_t at = 0; at < 200; ++at) {
    const std::string text(at, '.');
    EXPECT_FALSE(contains_any(text + "<tool_calls></tool", tags)) << at;
    EXPECT_TRUE(contains_any(text + "</tool_call>", tags)) << at;
    EXPECT_TRUE(contains_any(text + "<a>" + std::string(100, '<'), tags)) << at;
  }
  EXPECT_TRUE(contains_any(std::string(300, 'x') + std::string(255, 'y'), {std::string(255, 'y'), "z"}));
}

TEST(ContainsAny, AgreesWithOneAfterTheOtherOnRandomTexts) {
  std::mt19937 random(11);
  const std::vector<std::vector<std::string>> alphabets = {
      {"a", "b"}, {"a", "b", "c", "d", "e", "f", " ", "<", ">"}, {"a", "\u00e9", "\u5317", "?", "\uff1f"}};
  size_t found = 0;
  const int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    const auto& alphabet = alphabets[random() % alphabets.size()];
    const std::string text = random_text(random, random() % 150, alphabet);
    std::vector<std::string> needles(1 + random() % 8);
    bool expected = false;
    for (std::string& needle : needles) {
      needle = random_text(random, 1 + random() % (random() % 8 == 0 ? 40 : 7), alphabet);
      expected = expected || contains(text, needle);
    }
    EXPECT_EQ(contains_any(text, needles), expected) << text;
    found += expected;
    if (HasFailure()) return;
  }
  EXPECT_GT(found, rounds / 10u);
  EXPECT_LT(found, rounds * 9u / 10);
}

std::string repeated(std::string_view part, size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

TEST(Search, LongPeriodicTextsTakeLinearTime) {
  auto begin = std::chrono::steady_clock::now();
  const size_t n = 8 << 20, half = 300 << 10;
  // Nearly everywhere a long prefix fits.
  std::string text = repeated("a", n);
  std::string needle = repeated("a", half) + "b" + repeated("a", half);
  EXPECT_FALSE(contains(text, needle));
  EXPECT_FALSE(mentions(text, needle));
  EXPECT_TRUE(contains(text + needle, needle));
  EXPECT_FALSE(mentions(text, repeated("a", half)));
  EXPECT_TRUE(mentions(text + " " + repeated("a", half), repeated("a", half)));
  // The needle occurs every three bytes, and never at a boundary.
  text = repeated("ba ", n);
  needle = repeated("a b", half);
  EXPECT_TRUE(contains(text, needle));
  EXPECT_FALSE(mentions(text, needle));
  EXPECT_TRUE(mentions(text + " " + needle, needle));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Search, HardCasesAgreeWithTheDefinition) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    // Short periods, long needles: what find_hard is for; it is called directly as well.
    std::string part = random_text(random, 1 + random() % 4, {"a", "b", " "});
    std::string text, needle;
    for (int piece = 0; piece < 3; ++piece) {
      text += repeated(part, 60 + random() % 200) + random_text(random, random() % 2, {"a", "b", " "});
    }
    needle = text.substr(random() % 20, 66 + random() % 60);
    EXPECT_EQ(mentions(text, needle), reference(text, needle, How::mentions)) << text << "|" << needle;
    auto accept = [&](size_t at) {
      return text_search::at_boundaries(text.data(), text.size(), needle.data(), needle.size(), at);
    };
    size_t at = text_search::find_hard(text.data(), text.size(), needle.data(), needle.size(), 0, accept);
    EXPECT_EQ(at != text_search::kNotFound, reference(text, needle, How::mentions)) << text << "|" << needle;
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace wend
