// Shares of a whole number of dialogues.
#include <gmock/gmock.h>

#include "compiler/synth/dialogues.h"

namespace wend::synth {
namespace {

using testing::ElementsAre;

TEST(Apportion, LargestRemaindersGetTheRest) {
  EXPECT_THAT(apportion(10, {1, 1, 1}), ElementsAre(4, 3, 3));
  EXPECT_THAT(apportion(100, {0.5, 0.25, 0.25}), ElementsAre(50, 25, 25));
  EXPECT_THAT(apportion(7, {0.4, 0, 0.6}), ElementsAre(3, 0, 4));  // 2.8 and 4.2
  EXPECT_THAT(apportion(3, {0, 0}), ElementsAre(0, 0));
  EXPECT_THAT(apportion(0, {1, 2}), ElementsAre(0, 0));
}

}  // namespace
}  // namespace wend::synth
