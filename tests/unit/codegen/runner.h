// Runs a program over a TestBatch, with the arrays that it asks for.
#ifndef WEND_TESTS_UNIT_CODEGEN_RUNNER_H_
#define WEND_TESTS_UNIT_CODEGEN_RUNNER_H_

#include <memory>
#include <vector>

#include "runtime/program.h"
#include "tests/unit/codegen/plan_builder.h"

namespace wend::test {

class Runner {
 public:
  Runner(std::shared_ptr<const Program> program, TestBatch& batch)
      : program_(std::move(program)),
        traces_(batch.rows(WEND_TABLE_trace)),
        params(program_->defaults()),
        literals(program_->literals().size(), WEND_NONE),
        judged(program_->info().judges.size() + 1, nullptr) {
    for (const wend_memo& entry : program_->memo()) memo_.emplace_back(batch.rows(entry.table), 0x5555555555555555);
    for (auto& array : memo_) memo_pointers_.push_back(array.data());
    context_.batch = batch.get();
    context_.memo = memo_pointers_.data();
  }

  const wend_context& context() {
    context_.params = params.data();
    context_.literals = literals.data();
    context_.judged = judged.data();
    return context_;
  }

  Runner& prepare() {
    program_->prepare(context(), 0, traces_);
    return *this;
  }
  std::vector<double> signals() {
    std::vector<double> out(traces_ * program_->signal_requires().size());
    program_->signals(context(), 0, traces_, out.data());
    return out;
  }

  struct Scores {
    std::vector<double> totals, terms;
    std::vector<uint32_t> status;
    std::vector<wend_evidence> evidence;
    size_t evidence_count = 0;
  };
  Scores reward(uint32_t which = 0) {
    Scores scores = room(which);
    program_->reward(context(), which, 0, traces_, scores.totals.data(), scores.terms.data(), scores.status.data());
    return scores;
  }
  Scores attribute(uint32_t which = 0, size_t capacity = 100) {
    Scores scores = room(which);
    scores.evidence.resize(capacity);
    wend_evidence_sink sink{scores.evidence.data(), capacity, 0};
    context_.evidence = &sink;
    program_->attribute(context(), which, 0, traces_, scores.totals.data(), scores.terms.data(), scores.status.data());
    context_.evidence = nullptr;
    scores.evidence_count = sink.count;
    scores.evidence.resize(std::min(sink.count, capacity));
    return scores;
  }
  const std::vector<uint64_t>& memo(size_t index) const { return memo_[index]; }
  uint32_t traces() const { return traces_; }
  const Program& program() const { return *program_; }

 private:
  Scores room(uint32_t which) const {
    Scores scores;
    scores.totals.resize(traces_);
    scores.terms.resize(traces_ * program_->n_terms(which));
    scores.status.resize(traces_, 77);
    return scores;
  }

  std::shared_ptr<const Program> program_;
  uint32_t traces_;
  std::vector<std::vector<uint64_t>> memo_;
  std::vector<void*> memo_pointers_;
  wend_context context_{};

 public:
  std::vector<double> params;
  std::vector<uint32_t> literals;
  std::vector<const double*> judged;
};

}  // namespace wend::test

#endif  // WEND_TESTS_UNIT_CODEGEN_RUNNER_H_
