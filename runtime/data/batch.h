// Batch: dialogues as columns (include/wend/columns.def), with everything that the columns point to.
//
// A batch is filled by a BatchBuilder and then read through view(). It is a value that owns its memory; clear() keeps
// that memory for the next dialogues. Rows mean something only within their batch.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/data/call_keys.h"
#include "runtime/data/columns.h"
#include "runtime/data/pool.h"
#include "runtime/data/texts.h"
#include "runtime/data/values.h"
#include "runtime/include/wend/wend.h"

namespace wend {

class Batch {
 public:
  Batch() : texts_(columns_), values_(columns_, texts_), pools_(columns_, texts_, values_), call_keys_(columns_) {}
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // The batch as programs see it; valid until the batch is changed, cleared or gone.
  const wend_batch* view() const {
    starts_ = columns_.starts();
    view_ = {WEND_BATCH_VERSION, WEND_N_COLUMNS, starts_.data(), columns_.rows.data()};
    return &view_;
  }
  void clear() {
    columns_.clear();
    texts_.clear();
    values_.clear();
    pools_.clear();
    call_keys_.clear();
  }

  uint32_t rows(wend_table table) const { return columns_.rows[table]; }
  uint32_t traces() const { return rows(WEND_TABLE_trace); }
  const Columns& columns() const { return columns_; }
  // The text of a row of `text`; empty for WEND_NONE.
  std::string_view text(uint32_t row) const { return row == WEND_NONE ? std::string_view() : texts_.text(row); }
  std::string_view folded(uint32_t row) const { return row == WEND_NONE ? std::string_view() : texts_.folded(row); }
  std::string_view trace_id(uint32_t trace) const { return text(columns_.trace_id[trace]); }

  // The row of a name or of a JSON value, added if it is not there: how literals of a program become rows (bind.h).
  // May move the arrays that an earlier view() showed.
  uint32_t intern_name(std::string_view name) { return texts_.intern_name(name); }
  // WEND_NONE if `json` is no JSON value.
  uint32_t intern_value(std::string_view json) { return values_.ReadText(json); }

 private:
  friend class BatchBuilder;

  Columns columns_;
  TextTable texts_;
  ValueTable values_;
  PoolTable pools_;
  CallKeys call_keys_;
  mutable wend_batch view_{};
  mutable std::array<const void*, WEND_N_COLUMNS> starts_{};
};

}  // namespace wend
