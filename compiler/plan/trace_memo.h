// Memo laid out as the interpreter does it, for one trace: for what looks at a trace that another back end has scored.
#ifndef WEND_COMPILER_PLAN_TRACE_MEMO_H_
#define WEND_COMPILER_PLAN_TRACE_MEMO_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "compiler/plan/interpreter.h"

namespace wend::plan {

class TraceMemo {
 public:
  // Computes all columns of the trace, with the context's params, literals and judges.
  TraceMemo(const Interpreter& interpreter, const wend_context& given, uint32_t trace) : context_(given) {
    make_room(interpreter.plan());
    Evaluator evaluator(interpreter.decoded(), context_);
    interpreter.store_columns(evaluator, context_, trace, false);
    interpreter.store_columns(evaluator, context_, trace, true);
  }
  // Takes over what compiled code has computed for the trace into memo of `layout` (Program::memo), so that nothing is
  // computed twice. Late columns hold what the last of signals, reward and attribute stored.
  TraceMemo(const Interpreter& interpreter, const wend_context& scored, std::span<const wend_memo> layout,
            uint32_t trace)
      : context_(scored) {
    make_room(interpreter.plan());
    for (const Pass& pass : interpreter.plan().passes) {
      for (uint32_t row : trace_rows(*scored.batch, trace, pass.table, pass.gold)) {
        for (uint32_t index : pass.columns) take(scored.memo[index], layout[index].type, index, row);
      }
    }
  }
  TraceMemo(const TraceMemo&) = delete;
  TraceMemo& operator=(const TraceMemo&) = delete;

  // The context given, over this memo.
  const wend_context& context() const { return context_; }

 private:
  void make_room(const Plan& plan) {
    for (const Column& column : plan.columns) {
      // Zeroed on demand: pages of other traces are never touched.
      const size_t rows = std::max<size_t>(1, context_.batch->rows[column.table]);
      // NOLINTNEXTLINE(cppcoreguidelines-no-malloc,cppcoreguidelines-owning-memory)
      blocks_.emplace_back(std::calloc(rows, sizeof(uint64_t)), &std::free);
      pointers_.push_back(blocks_.back().get());
    }
    context_.memo = pointers_.data();
    context_.evidence = nullptr;
  }

  void take(const void* column, uint32_t type, uint32_t index, uint32_t row) {
    constexpr size_t kSizes[] = {sizeof(double), sizeof(int64_t), sizeof(uint32_t), sizeof(uint8_t)};
    const size_t size = kSizes[type];
    // Compiled code leaves the bytes behind a smaller value as they are; here they are zero.
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(static_cast<uint64_t*>(pointers_[index]) + row, static_cast<const uint64_t*>(column) + row, size);
  }

  std::vector<std::unique_ptr<void, decltype(&std::free)>> blocks_;
  std::vector<void*> pointers_;
  wend_context context_;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_TRACE_MEMO_H_
