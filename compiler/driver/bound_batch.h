// A batch bound to a program: all that the program's functions need to run over it.
//
//   BoundBatch bound(*program);
//   bound.bind(batch, params);
//   bound.prepare(0, bound.traces());
//   program->reward(bound.context(), 0, 0, bound.traces(), totals, terms, status);
#ifndef WEND_COMPILER_DRIVER_BOUND_BATCH_H_
#define WEND_COMPILER_DRIVER_BOUND_BATCH_H_

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <wend/wend.h>

#include "runtime/data/batch.h"
#include "runtime/program.h"

namespace wend::driver {

class BoundBatch {
 public:
  explicit BoundBatch(const Program& program);
  // The context points into the object.
  BoundBatch(const BoundBatch&) = delete;
  BoundBatch& operator=(const BoundBatch&) = delete;

  // Looks up the program's literals in the batch and makes room for its memo; keeps memory of earlier batches. Every
  // judge counts as having answered (the rules do) until judged() says otherwise. `params` and `batch` must outlive
  // the binding.
  void bind(Batch& batch, std::span<const double> params);

  // Scores of judge `judge` by turn row, in place of its rule.
  void set_judged(uint32_t judge, const double* scores) { judged_[judge] = scores; }
  void clear_caps(uint32_t trace, uint32_t bits) { caps_[trace] &= ~bits; }
  void set_params(std::span<const double> params) { context_.params = params.data(); }

  void prepare(uint32_t begin, uint32_t end) { program_.prepare(context_, begin, end); }

  const Program& program() const { return program_; }
  const Batch& batch() const { return *batch_; }
  const wend_context& context() const { return context_; }
  // The context with a place for evidence.
  wend_context reporting_to(wend_evidence_sink* sink) const {
    wend_context context = context_;
    context.evidence = sink;
    return context;
  }
  uint32_t traces() const { return batch_->traces(); }
  uint32_t caps(uint32_t trace) const { return caps_[trace]; }

 private:
  struct Buffer {
    std::unique_ptr<uint64_t[]> data;
    size_t size = 0;
  };

  void* room(Buffer& buffer, size_t rows);

  const Program& program_;
  const Batch* batch_ = nullptr;
  // A view of the batch in which trace.caps is `caps_`: it tells which judges answered.
  wend_batch view_{};
  std::array<const void*, WEND_N_COLUMNS> columns_{};
  std::vector<uint32_t> caps_;
  std::vector<uint32_t> literals_;
  std::vector<Buffer> buffers_;
  std::vector<void*> memo_;
  std::vector<const double*> judged_;
  wend_context context_{};
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_BOUND_BATCH_H_
