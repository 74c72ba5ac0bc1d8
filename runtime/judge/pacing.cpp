#include "runtime/judge/pacing.h"

#include <algorithm>
#include <cmath>

namespace wend {
namespace {

// SplitMix64: a well-mixed 64-bit value for each input.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

TokenBucket::TokenBucket(double rate, double burst) : rate_(rate), burst_(std::max(burst, 1.0)), tokens_(burst_) {}

void TokenBucket::refill(PaceClock::time_point now) {
  if (started_ && now > last_) {
    const double seconds = std::chrono::duration<double>(now - last_).count();
    tokens_ = std::min(burst_, tokens_ + seconds * rate_);
  }
  if (!started_ || now > last_) last_ = now;
  started_ = true;
}

bool TokenBucket::take(PaceClock::time_point now) {
  if (rate_ <= 0) return true;
  refill(now);
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

PaceClock::duration TokenBucket::wait(PaceClock::time_point now) {
  if (rate_ <= 0) return {};
  refill(now);
  if (tokens_ >= 1) return {};
  // One nanosecond more than computed: rounding down would make the caller wake up just too early.
  const double nanoseconds = std::ceil((1 - tokens_) / rate_ * 1e9) + 1;
  return std::chrono::duration_cast<PaceClock::duration>(std::chrono::duration<double, std::nano>(nanoseconds));
}

std::chrono::milliseconds backoff_delay(const BackoffPolicy& policy, std::uint64_t stream, int failures) {
  const double limit = static_cast<double>(policy.limit.count());
  const double full = std::min(limit, std::ldexp(static_cast<double>(policy.base.count()), failures - 1));
  const std::uint64_t random = mix(mix(policy.seed ^ mix(stream)) + static_cast<std::uint64_t>(failures));
  const double unit = static_cast<double>(random >> 11) * 0x1.0p-53;
  return std::chrono::milliseconds(static_cast<std::int64_t>(full * (0.5 + 0.5 * unit)));
}

}  // namespace wend
