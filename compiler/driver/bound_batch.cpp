#include "compiler/driver/bound_batch.h"

#include <algorithm>

#include "runtime/data/bind.h"

namespace wend::driver {

BoundBatch::BoundBatch(const Program& program)
    : program_(program),
      buffers_(program.memo().size()),
      memo_(program.memo().size()),
      judged_(program.info().judges.size()) {}

void* BoundBatch::room(Buffer& buffer, size_t rows) {
  if (buffer.size < rows) {
    // A little more than is needed, so that batches of about one size do not allocate again.
    buffer.size = rows + rows / 4;
    buffer.data = std::make_unique<uint64_t[]>(buffer.size);
  }
  return buffer.data.get();
}

void BoundBatch::bind(Batch& batch, std::span<const double> params) {
  batch_ = &batch;
  literals_.resize(program_.literals().size());
  wend::bind(batch, program_.literals(), literals_.data());

  const wend_batch& whole = *batch.view();
  std::copy_n(whole.columns, WEND_N_COLUMNS, columns_.begin());
  uint32_t judges = 0;
  for (size_t k = 0; k < judged_.size(); ++k) judges |= static_cast<uint32_t>(WEND_CAP_JUDGE0) << k;
  caps_ = batch.columns().trace_caps;
  for (uint32_t& caps : caps_) caps |= judges;
  columns_[WEND_COLUMN_trace_caps] = caps_.data();
  view_ = whole;
  view_.columns = columns_.data();

  for (size_t i = 0; i < memo_.size(); ++i) memo_[i] = room(buffers_[i], whole.rows[program_.memo()[i].table]);
  std::fill(judged_.begin(), judged_.end(), nullptr);
  context_ = {&view_, params.data(), literals_.data(), memo_.data(), judged_.data(), nullptr};
}

}  // namespace wend::driver
