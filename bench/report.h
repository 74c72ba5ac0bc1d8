// Results as counters of Google Benchmark, for scripts/bench to collect: `ours`, `other`, `ratio`; the label is the
// unit.
#ifndef WEND_BENCH_REPORT_H_
#define WEND_BENCH_REPORT_H_

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/stopwatch.h"

namespace wend::bench {

// What a number of ours is held against; with no second program, a bound.
inline void report(benchmark::State& state, double ours, double other, double ratio, const std::string& unit) {
  state.counters["ours"] = ours;
  state.counters["other"] = other;
  state.counters["ratio"] = ratio;
  state.SetLabel(unit);
}

inline void report(benchmark::State& state, double ours, double other, const std::string& unit) {
  report(state, ours, other, other > 0 ? ours / other : 0, unit);
}

// Rounds of a comparison: $WEND_BENCH_ROUNDS, else 11.
inline int rounds() {
  const char* text = std::getenv("WEND_BENCH_ROUNDS");
  const int n = text ? std::atoi(text) : 0;
  return n > 0 ? n : 11;
}

// Megabytes of made-up dialogues: $WEND_BENCH_MB, else 30.
inline size_t synthetic_bytes() {
  const char* text = std::getenv("WEND_BENCH_MB");
  const int n = text ? std::atoi(text) : 0;
  return size_t{1000000} * static_cast<size_t>(n > 0 ? n : 30);
}

}  // namespace wend::bench

#endif  // WEND_BENCH_REPORT_H_
