#include "runtime/judge/pacing.h"

#include <gtest/gtest.h>

namespace wend {
namespace {

using std::chrono::milliseconds;

const PaceClock::time_point kStart = PaceClock::time_point() + std::chrono::hours(1);

TEST(TokenBucket, SpacesRequestsEvenly) {
  TokenBucket bucket(10, 1);
  EXPECT_TRUE(bucket.take(kStart));
  EXPECT_FALSE(bucket.take(kStart));
  EXPECT_FALSE(bucket.take(kStart + milliseconds(99)));
  EXPECT_TRUE(bucket.take(kStart + milliseconds(101)));
  EXPECT_FALSE(bucket.take(kStart + milliseconds(102)));
}

TEST(TokenBucket, SavesUpNoMoreThanItsBurst) {
  TokenBucket bucket(10, 3);
  int taken = 0;
  for (int i = 0; i < 10; ++i) taken += bucket.take(kStart) ? 1 : 0;
  EXPECT_EQ(taken, 3);
  for (int i = 0; i < 10; ++i) taken += bucket.take(kStart + std::chrono::seconds(100)) ? 1 : 0;
  EXPECT_EQ(taken, 6);
}

TEST(TokenBucket, HasATokenAfterTheWaitItNames) {
  for (double rate : {0.3, 3.0, 7.0, 1000.0 / 3}) {
    TokenBucket bucket(rate, 1);
    PaceClock::time_point now = kStart;
    for (int i = 0; i < 100; ++i) {
      now += bucket.wait(now);
      ASSERT_TRUE(bucket.take(now)) << "rate " << rate << ", request " << i;
    }
    const double seconds = std::chrono::duration<double>(now - kStart).count();
    EXPECT_NEAR(seconds, 99 / rate, 0.001);
  }
}

TEST(TokenBucket, WithoutRateLimitsNothing) {
  TokenBucket bucket(0, 1);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(bucket.take(kStart));
  EXPECT_EQ(bucket.wait(kStart).count(), 0);
}

TEST(TokenBucket, IgnoresAClockThatStepsBack) {
  TokenBucket bucket(10, 1);
  EXPECT_TRUE(bucket.take(kStart));
  EXPECT_FALSE(bucket.take(kStart - std::chrono::seconds(5)));
  EXPECT_FALSE(bucket.take(kStart + milliseconds(50)));
}

TEST(BackoffDelay, DoublesWithinItsJitterUpToTheLimit) {
  const BackoffPolicy policy{milliseconds(100), milliseconds(1000), 7};
  for (std::uint64_t stream = 0; stream < 200; ++stream) {
    for (int failures = 1; failures <= 70; ++failures) {
      const double full = failures >= 5 ? 1000 : 100 << (failures - 1);
      const auto delay = static_cast<double>(backoff_delay(policy, stream, failures).count());
      ASSERT_GE(delay, full / 2);
      ASSERT_LE(delay, full);
    }
  }
}

TEST(BackoffDelay, DependsOnSeedStreamAndNumberOnly) {
  BackoffPolicy policy{milliseconds(100'000), milliseconds(100'000), 1};
  const auto delay = backoff_delay(policy, 5, 1);
  EXPECT_EQ(backoff_delay(policy, 5, 1), delay);
  EXPECT_NE(backoff_delay(policy, 6, 1), delay);
  EXPECT_NE(backoff_delay(policy, 5, 2), delay);
  policy.seed = 2;
  EXPECT_NE(backoff_delay(policy, 5, 1), delay);
}

}  // namespace
}  // namespace wend
