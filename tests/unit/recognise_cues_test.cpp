// Tokens, sentences, stems and cues.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/data/text.h"
#include "runtime/recognise/recognise.h"
#include "runtime/recognise/tokens.h"
#include "runtime/text/search.h"

namespace wend::recognise {
namespace {

std::string split(std::string_view text) {
  Tokens tokens;
  tokens.read(text);
  std::string out;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) out += tokens[i].sentence != tokens[i - 1].sentence ? "|" : tokens[i].glued ? "+" : " ";
    out += tokens.folded(i);
  }
  return out;
}

TEST(Tokens, Words) {
  EXPECT_EQ(split(""), "");
  EXPECT_EQ(split("  \n\t "), "");
  EXPECT_EQ(split("Hello World"), "hello world");
  EXPECT_EQ(split("don't"), "don+'+t");
  EXPECT_EQ(split("don\u2019t"), "don+'+t");
  EXPECT_EQ(split("7:30pm, $20"), "7+:+30pm+, $+20");
  EXPECT_EQ(split("STRASSE Stra\u00dfe \u0130"), "strasse strasse i\u0307");
  EXPECT_EQ(split("zero\u200bwidth \u202eright\u202c"), "zerowidth right");
  EXPECT_EQ(split("\u628a\u65f6\u95f4"), "\u628a+\u65f6+\u95f4");
  EXPECT_EQ(split("a\u00a0b"), "a b");
  EXPECT_EQ(split("caf\u00e9 na\u00efve"), "caf\u00e9 na\u00efve");
  EXPECT_EQ(split("\U0001F600ok"), "\U0001F600+ok");
}

TEST(Tokens, Sentences) {
  EXPECT_EQ(split("No. Wait"), "no+.|wait");
  EXPECT_EQ(split("at 7 p.m. please"), "at 7 p+.+m+. please");
  EXPECT_EQ(split("v1.2 is"), "v1+.+2 is");
  EXPECT_EQ(split("Really? Yes!"), "really+?|yes+!");
  EXPECT_EQ(split("one\ntwo"), "one|two");
  EXPECT_EQ(split("\u597d\u3002\u518d"), "\u597d+\u3002|\u518d");
}

TEST(Tokens, Stems) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"guests", "guest"},     {"cities", "city"},    {"departing", "depart"},
      {"departure", "depart"}, {"leave", "leav"},     {"leaving", "leav"},
      {"arrival", "arriv"},    {"arriving", "arriv"}, {"stopping", "stop"},
      {"stopped", "stop"},     {"dates", "dat"},      {"date", "dat"},
      {"address", "address"},  {"status", "status"},  {"ids", "id"},
      {"this", "this"},        {"calling", "call"},   {"price", "pric"},
      {"prices", "pric"},      {"id", "id"},          {"\u00fcbers", "\u00fcbers"},
      {"checkin", "checkin"}};
  for (const auto& [word, stem] : cases) {
    EXPECT_EQ(stem_of(word), stem);
    EXPECT_EQ(stem_key(word), word_key(stem)) << word;
  }
}

CuesInfo table(std::vector<CueInfo> cues, std::vector<std::string> labels = {"none", "a", "b", "c"}) {
  return {"Signal", std::move(labels), std::move(cues)};
}

Classification classify_with(const std::vector<CueInfo>& cues, std::string_view text,
                             const std::vector<double>& params = {}) {
  const CuesInfo info = table(cues);
  const Cues compiled = Cues::compile(std::span(&info, 1));
  Scratch scratch;
  scratch.read(text);
  return classify(compiled, 0, params, scratch);
}

bool matches(const std::string& phrase, std::string_view text) {
  return classify_with({{phrase, 1, 1, -1}}, text).label == 1;
}

TEST(Cues, WordsAndBoundaries) {
  EXPECT_TRUE(matches("make it", "Please MAKE  it 7"));
  EXPECT_FALSE(matches("make it", "make its"));
  EXPECT_FALSE(matches("make it", "remake it"));
  EXPECT_FALSE(matches("make it", "make, it"));
  EXPECT_TRUE(matches("wait, first", "Wait, first do this"));
  EXPECT_FALSE(matches("wait, first", "wait first"));
  EXPECT_TRUE(matches("i don't know", "Hm, I don\u2019t know."));
  EXPECT_TRUE(matches("\u6539\u6210", "\u628a\u65f6\u95f4\u6539\u6210\u4e03\u70b9"));
  EXPECT_TRUE(matches("stra\u00dfe", "Die STRASSE"));
  EXPECT_TRUE(matches("\u043e\u0442\u043c\u0435\u043d\u0438", "\u041e\u0442\u043c\u0435\u043d\u0438!"));
  EXPECT_FALSE(matches("2", "it is 1.2"));
  EXPECT_FALSE(matches("2", "2,000"));
  EXPECT_TRUE(matches("2", "room 2."));
  EXPECT_TRUE(matches("change", "ch\u200bange it"));
}

TEST(Cues, Gaps) {
  EXPECT_TRUE(matches("not * but", "Not Monday but Tuesday"));
  EXPECT_TRUE(matches("not * but", "not but"));
  EXPECT_FALSE(matches("not * but", "Not Monday. But Tuesday"));
  EXPECT_TRUE(matches("not * but", "Not this. I mean not Monday, but Tuesday."));
  EXPECT_FALSE(matches("not * but", "but not"));
  EXPECT_TRUE(matches("a * b * c", "a x b y c"));
  EXPECT_FALSE(matches("a * b * c", "a x c y b"));
  EXPECT_TRUE(matches("so * so", "so much, so good"));
  EXPECT_FALSE(matches("so * so", "so much"));
  EXPECT_TRUE(matches("a b * a b", "a b a b"));
  EXPECT_FALSE(matches("a a * a", "a a"));
  EXPECT_FALSE(matches("*", "anything"));
}

TEST(Cues, Confidence) {
  const std::vector<CueInfo> cues = {{"x", 1, 1, -1}, {"y", 2, 1, -1},  {"z", 2, 1.5, -1},
                                     {"w", 3, 0, 0},  {"n", 1, -2, -1}, {"i", 3, std::nan(""), -1}};
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
  Classification c = classify_with(cues, "x");
  EXPECT_TRUE(c.label == 1 && near(c.confidence, 1 / 1.5));
  c = classify_with(cues, "x x x");
  EXPECT_TRUE(c.label == 1 && near(c.confidence, 1 / 1.5));
  c = classify_with(cues, "y x");
  EXPECT_TRUE(c.label == 1 && near(c.confidence, 0.5 / 1.5)) << c.label << " " << c.confidence;
  c = classify_with(cues, "x z");
  EXPECT_TRUE(c.label == 2 && near(c.confidence, 1.5 / 2.5 * 1.5 / 2));
  c = classify_with(cues, "y z");
  EXPECT_TRUE(c.label == 2 && near(c.confidence, 2.5 / 3));
  c = classify_with(cues, "nothing");
  EXPECT_TRUE(c.label == 0 && near(c.confidence, 0.5));
  c = classify_with(cues, "x n i");
  EXPECT_TRUE(c.label == 0 && near(c.confidence, 0.5));
  c = classify_with(cues, "w", {3.0});
  EXPECT_TRUE(c.label == 3 && near(c.confidence, 3 / 3.5));
  c = classify_with(cues, "w", {});
  EXPECT_TRUE(c.label == 0 && near(c.confidence, 0.5));
}

TEST(Cues, TablesOfOneProgram) {
  const std::vector<CuesInfo> tables = {table({{"red", 1, 1, -1}}), table({{"red wine", 2, 1, -1}, {"red", 3, 2, -1}}),
                                        table({})};
  const Cues cues = Cues::compile(tables);
  Scratch scratch;
  scratch.read("Red wine");
  EXPECT_EQ(classify(cues, 0, {}, scratch).label, 1u);
  EXPECT_EQ(classify(cues, 1, {}, scratch).label, 3u);
  EXPECT_EQ(classify(cues, 2, {}, scratch).label, 0u);
  EXPECT_EQ(classify(cues, 9, {}, scratch).label, 0u);
}

// A cue without gaps matches exactly where the language's `mentions` finds it in the folded text.
TEST(Cues, AgreesWithMentions) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {"a", "b", "ab", "1",      "2",      "12", ".",      ",", "-",
                                           " ", " ", " ",  "\u00e9", "\u6539", "?",  "\u0410", "_"};
  int found = 0;
  for (int round = 0; round < 20000; ++round) {
    auto make = [&](size_t n) {
      std::string text;
      for (size_t i = 0; i < n; ++i) text += pieces[random() % pieces.size()];
      std::string folded;
      append_folded(text, folded);
      return folded;
    };
    const std::string phrase = make(1 + random() % 3), text = make(1 + random() % 12);
    if (phrase.empty()) continue;
    const bool expected = wend_text_mentions(text.data(), text.size(), phrase.data(), phrase.size());
    found += expected;
    ASSERT_EQ(matches(phrase, text), expected) << "'" << phrase << "' in '" << text << "'";
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace wend::recognise
