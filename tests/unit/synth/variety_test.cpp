// distinct-n and self-BLEU, with numbers worked out by hand.
#include <gmock/gmock.h>

#include <cmath>

#include "runtime/text/variety.h"

namespace wend::text {
namespace {

using testing::ElementsAre;

std::vector<std::vector<std::string>> texts(std::initializer_list<const char*> all) {
  std::vector<std::vector<std::string>> out;
  for (const char* text : all) out.push_back(words_of(text));
  return out;
}

TEST(Variety, Words) {
  EXPECT_THAT(words_of("It's 7am,  Zürich!"), ElementsAre("it", "'", "s", "7am", ",", "zürich", "!"));
  EXPECT_THAT(words_of(" "), ElementsAre());
}

TEST(Variety, DistinctIsDifferentByAll) {
  const auto some = texts({"a b a", "a b c"});
  EXPECT_DOUBLE_EQ(*distinct(some, 1), 3.0 / 6);  // a b c
  EXPECT_DOUBLE_EQ(*distinct(some, 2), 3.0 / 4);  // ab ba bc
  EXPECT_DOUBLE_EQ(*distinct(some, 3), 1.0);
  EXPECT_FALSE(distinct(some, 4));
  EXPECT_FALSE(distinct({}, 1));
}

TEST(Variety, EqualTextsHaveASelfBleuOfOne) {
  EXPECT_DOUBLE_EQ(*self_bleu(texts({"a b c d e", "a b c d e"})), 1.0);
  EXPECT_NEAR(*self_bleu(texts({"a b c d", "e f g h"})), 0.0, 1e-9);
  EXPECT_FALSE(self_bleu(texts({"a"})));
  EXPECT_FALSE(self_bleu(texts({"a", " "})));
}

// "a b c d" against "a b x d e f": precisions 3/4, (1+1)/(3+1), (0+1)/(2+1), (0+1)/(1+1), penalty exp(1 - 6/4). The
// other against it: 3/6, (1+1)/(5+1), 1/5, 1/4, no penalty.
TEST(Variety, SelfBleuByHand) {
  const double one = std::exp(1 - 6.0 / 4) * std::pow(3.0 / 4 * 2 / 4 * 1 / 3 * 1 / 2, 0.25);
  const double other = std::pow(3.0 / 6 * 2 / 6 * 1 / 5 * 1 / 4, 0.25);
  EXPECT_NEAR(*self_bleu(texts({"a b c d", "a b x d e f"})), (one + other) / 2, 1e-12);
}

}  // namespace
}  // namespace wend::text
