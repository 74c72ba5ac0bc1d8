// Running a Program in tests: a context with its memory, and all outputs of one run.
#ifndef WEND_TESTS_SUPPORT_PROGRAM_RUN_H_
#define WEND_TESTS_SUPPORT_PROGRAM_RUN_H_

#include <algorithm>
#include <tuple>
#include <vector>

#include "runtime/program.h"

namespace wend {

struct RewardOutput {
  std::vector<double> totals, terms;
  std::vector<uint32_t> status;
};

// Holds what a context points to. Memo of rows that are not computed is filled with a pattern, so that reading one
// shows.
class ProgramRun {
 public:
  ProgramRun(const Program& program, const wend_batch& batch, std::vector<uint32_t> literals = {})
      : program_(program), batch_(batch), params(program.defaults()), literals_(std::move(literals)) {
    literals_.resize(program.literals().size(), WEND_NONE);
    for (const wend_memo& memo : program.memo()) {
      memo_.emplace_back(std::max(1u, batch.rows[memo.table]), uint64_t{0xA5A5A5A5A5A5A5A5u});
    }
    for (auto& memo : memo_) memo_pointers_.push_back(memo.data());
  }
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  uint32_t traces() const { return batch_.rows[WEND_TABLE_trace]; }

  wend_context context() {
    wend_context context = {};
    context.batch = &batch_;
    context.params = params.data();
    context.literals = literals_.data();
    context.memo = memo_pointers_.data();
    context.judged = judged.empty() ? nullptr : judged.data();
    return context;
  }

  void prepare() { program_.prepare(context(), 0, traces()); }

  std::vector<uint8_t> requests() {
    std::vector<uint8_t> asks(program_.info().judges.size() * batch_.rows[WEND_TABLE_turn]);
    program_.requests(context(), 0, traces(), asks.data());
    return asks;
  }
  std::vector<double> signals() {
    std::vector<double> out(traces() * program_.info().signals.size());
    program_.signals(context(), 0, traces(), out.data());
    return out;
  }
  RewardOutput reward(uint32_t index) {
    RewardOutput out = sized(index);
    program_.reward(context(), index, 0, traces(), out.totals.data(), out.terms.data(), out.status.data());
    return out;
  }
  RewardOutput attribute(uint32_t index, std::vector<wend_evidence>& evidence) {
    RewardOutput out = sized(index);
    evidence.resize(64);
    for (;;) {
      wend_evidence_sink sink = {evidence.data(), evidence.size(), 0};
      wend_context with_sink = context();
      with_sink.evidence = &sink;
      program_.attribute(with_sink, index, 0, traces(), out.totals.data(), out.terms.data(), out.status.data());
      const bool complete = sink.count <= sink.capacity;
      evidence.resize(sink.count);
      if (complete) return out;
    }
  }

 private:
  RewardOutput sized(uint32_t index) const {
    return {std::vector<double>(traces()), std::vector<double>(size_t{traces()} * program_.n_terms(index)),
            std::vector<uint32_t>(traces())};
  }

  const Program& program_;
  const wend_batch& batch_;

 public:
  std::vector<double> params;
  std::vector<const double*> judged;

 private:
  std::vector<uint32_t> literals_;
  std::vector<std::vector<uint64_t>> memo_;
  std::vector<void*> memo_pointers_;
};

}  // namespace wend

#endif  // WEND_TESTS_SUPPORT_PROGRAM_RUN_H_
