// The metrics and the multi-turn reward of specs/iacm written by hand in C++: what compiled specs are measured against.
//
// It does what prepare(), signals() and reward() of the compiled spec do, over the same columns and with the same text
// search, as one would write it for speed without a language: one pass over each trace, nothing computed that is not
// asked for, early exits, flat scratch memory. Its numbers are those of the compiled spec, bit for bit; the benchmark
// checks that before it takes any time.
#ifndef WEND_BENCH_HANDWRITTEN_H_
#define WEND_BENCH_HANDWRITTEN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/engine.h"
#include "runtime/data/batch.h"
#include "runtime/program.h"

namespace wend::bench {

// The params that the rules read, by name.
struct RewardParams {
  double issr_threshold, alpha, beta, gamma, jga_scale, jga_cap, stale_penalty, halluc_penalty, invalid_penalty,
      excess_penalty, low_precision_penalty, low_hit_rate, low_precision_calls, progress_bonus, progress_cap,
      acr_weight, chain_full, chain_high, chain_partial, issr_weight, empty_penalty, tags_penalty, loop_penalty,
      reward_min, reward_max;

  static RewardParams of(const Program& program);
};

// Sums that metrics are made of, for one trace.
struct TraceSignals {
  double jga = 0, with_gold = 0, evaluated = 0, jga_all = 0, jga_loose = 0, stale = 0, modified = 0, redundant = 0,
         redundant_name = 0, answered = 0, cycle = 0, response = 0, chain_score = 0, chains = 0, switched = 0,
         interrupted = 0, gold_used = 0, gold_calls = 0, hits = 0, calls = 0;
};

// Counts that the reward is made of, for one trace.
struct TraceFacts {
  bool repeats = false;
  double call_scores = 0, acr = 0, issr = 0;
  int64_t stale = 0, fabricated = 0, out_of_pool = 0, excess = 0, hits = 0, calls = 0, distinct_hits = 0, empty = 0,
          tags = 0;
  double chain_rewards = 0;
};

class Handwritten {
 public:
  explicit Handwritten(const Program& program);

  // Once per batch, before its view is taken.
  void bind(Batch& batch);
  // For traces [begin, end); signals in the order of the program's, terms in that of its multi-turn reward.
  void run(uint32_t begin, uint32_t end, Scores& scores);

  // Signals of the program that no rule here computes: empty if the comparison is fair.
  const std::vector<std::string>& unknown_signals() const { return unknown_; }

 private:
  struct View {
#define WEND_COLUMN(table, name, ctype) const ctype* table##_##name;
#include "runtime/include/wend/columns.def"
  };
  // Where a signal of the program comes from.
  struct Source {
    double TraceSignals::* value;
    int family;  // index of a family, -1: any
  };
  struct Stale {
    bool overwritten;
    uint32_t active;
  };

  bool has(uint32_t trace, uint32_t caps) const { return (v_.trace_caps[trace] & caps) == caps; }
  bool evaluated(uint32_t turn) const { return v_.turn_labelled[turn] && v_.turn_answered[turn]; }
  bool text_contains(uint32_t text, std::string_view needle) const;
  bool mentions(uint32_t text, uint32_t needle) const;

  bool same_call(uint32_t call, uint32_t gold) const;
  bool is_default(uint32_t arg) const;
  bool same_call_loosely(uint32_t call, uint32_t gold) const;
  template <class Same>
  bool same_sets(wend_span calls, wend_span golds, Same same) const;
  wend_span candidates(uint32_t call) const;
  void match_calls(uint32_t trace);

  Stale stale_state(uint32_t arg) const;
  bool grounded(uint32_t arg) const;
  bool seen(uint32_t leaf, uint32_t first, uint32_t end, uint32_t profile) const;

  double acr(uint32_t turn) const;
  double named_share(uint32_t turn) const;
  bool pivoted(uint32_t turn) const;
  bool empty_reply(uint32_t turn) const;
  bool residual_tags(uint32_t message) const;
  double completion(uint32_t chain);

  void count_calls(uint32_t trace, TraceSignals& signals, TraceFacts& facts);
  uint32_t count_stale(uint32_t call) const;
  void count_turns(uint32_t trace, TraceSignals& signals, TraceFacts& facts);
  void count_chains(uint32_t trace, TraceSignals& signals, TraceFacts& facts);
  void put_reward(uint32_t trace, const TraceFacts& facts, double* total, double* terms, uint32_t* status) const;

  RewardParams params_;
  std::vector<Source> sources_;
  std::vector<std::string> unknown_;
  uint32_t n_terms_ = 0;

  Batch* batch_ = nullptr;
  View v_{};
  std::array<uint32_t, 6> families_{};
  uint32_t blank_ = 0;  // what values that are blank texts fold to
  // By row, of the traces that have been run.
  std::vector<uint32_t> used_;   // by call: the gold call that it uses up
  std::vector<uint8_t> taken_;   // by gold call
  std::vector<uint32_t> stale_;  // by call: its stale arguments
  std::vector<uint8_t> redundant_, redundant_name_;
  std::vector<uint32_t> completed_;  // by link: position of the call that completes it
};

}  // namespace wend::bench

#endif  // WEND_BENCH_HANDWRITTEN_H_
