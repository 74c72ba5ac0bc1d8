// Memo of the interpreter's own for one trace: for what looks at a trace that another back end has scored, whose memo
// may be laid out otherwise.
#ifndef WEND_COMPILER_PLAN_TRACE_MEMO_H_
#define WEND_COMPILER_PLAN_TRACE_MEMO_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "compiler/plan/interpreter.h"

namespace wend::plan {

class TraceMemo {
 public:
  // Computes all columns of the trace, with the context's params, literals and judges.
  TraceMemo(const Interpreter& interpreter, const wend_context& given, uint32_t trace) : context_(given) {
    for (const Column& column : interpreter.plan().columns) {
      // Zeroed on demand: pages of other traces are never touched.
      const size_t rows = std::max<size_t>(1, given.batch->rows[column.table]);
      blocks_.emplace_back(std::calloc(rows, sizeof(uint64_t)), &std::free);
      pointers_.push_back(blocks_.back().get());
    }
    context_.memo = pointers_.data();
    context_.evidence = nullptr;
    Evaluator evaluator(interpreter.decoded(), context_);
    interpreter.store_columns(evaluator, context_, trace, false);
    interpreter.store_columns(evaluator, context_, trace, true);
  }
  TraceMemo(const TraceMemo&) = delete;
  TraceMemo& operator=(const TraceMemo&) = delete;

  // The context given, over this memo.
  const wend_context& context() const { return context_; }

 private:
  std::vector<std::unique_ptr<void, decltype(&std::free)>> blocks_;
  std::vector<void*> pointers_;
  wend_context context_;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_TRACE_MEMO_H_
