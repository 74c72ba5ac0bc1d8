// When the next request may leave: a token bucket for the rate, and a backoff for the next try of a failed one.
// Both take the time as an argument and keep no clock, so that they can be tested without waiting.
#pragma once

#include <chrono>
#include <cstdint>

namespace wend {

using PaceClock = std::chrono::steady_clock;

// Lets `rate` requests a second through, on average, and at most `burst` at once. A rate of 0 limits nothing.
class TokenBucket {
 public:
  TokenBucket(double rate, double burst);

  // Takes a token if there is one at `now`.
  bool take(PaceClock::time_point now);

  // How long after `now` the next token will be there; zero if there is one.
  PaceClock::duration wait(PaceClock::time_point now);

 private:
  void refill(PaceClock::time_point now);

  double rate_;
  double burst_;
  double tokens_;
  bool started_ = false;
  PaceClock::time_point last_{};
};

struct BackoffPolicy {
  std::chrono::milliseconds base{500};      // the delay after the first failure, before jitter
  std::chrono::milliseconds limit{30'000};  // no delay is longer
  std::uint64_t seed = 0;
};

// The delay before the try that follows failure number `failures` (1, 2, ...) of the request named by `stream`:
// base * 2^(failures - 1), at most `limit`, times a factor in [0.5, 1). The factor depends on the seed, the stream and
// the number only, not on the order in which requests happen to fail, so a run with the same seed backs off alike.
std::chrono::milliseconds backoff_delay(const BackoffPolicy& policy, std::uint64_t stream, int failures);

}  // namespace wend
