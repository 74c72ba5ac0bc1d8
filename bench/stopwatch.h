// Time and statistics of the benchmarks.
//
// Times are processor time of the calling thread, so that other work on the machine disturbs them less. What is
// compared runs turn about, in one process, and what is reported is the median of the rounds' ratios.
#ifndef WEND_BENCH_STOPWATCH_H_
#define WEND_BENCH_STOPWATCH_H_

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace wend::bench {

// Seconds of processor time of this thread.
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The value below which a share `q` of the values lies; 0 of none.
inline double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const size_t at = std::min(values.size() - 1, static_cast<size_t>(q * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

// Runs of two things turn about.
class Comparison {
 public:
  template <class Ours, class Other>
  void round(Ours&& ours, Other&& other) {
    // Who goes first alternates: it finds colder caches.
    double a = 0, b = 0;
    if (ours_.size() % 2 == 0) {
      a = seconds(ours), b = seconds(other);
    } else {
      b = seconds(other), a = seconds(ours);
    }
    ours_.push_back(a);
    other_.push_back(b);
    ratios_.push_back(a / b);
  }

  double ours() const { return median(ours_); }
  double other() const { return median(other_); }
  double ratio() const { return median(ratios_); }

 private:
  template <class Work>
  static double seconds(Work&& work) {
    const double start = thread_seconds();
    work();
    return thread_seconds() - start;
  }

  std::vector<double> ours_, other_, ratios_;
};

}  // namespace wend::bench

#endif  // WEND_BENCH_STOPWATCH_H_
