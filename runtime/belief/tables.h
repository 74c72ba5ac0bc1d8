// Tables: columns with the texts and values that they speak of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data/columns.h"
#include "runtime/data/texts.h"
#include "runtime/data/values.h"

namespace wend::belief {

class Tables {
 public:
  static constexpr size_t kTextBlock = 8192;  // bytes

  Tables() : texts(columns, kTextBlock), values(columns, texts) { refresh(); }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  // Of empty tables: begin with the tools of others, whose texts' bytes stay there.
  void begin(const Tables& base);

  std::string_view text(uint32_t row) const { return row == WEND_NONE ? std::string_view() : texts.text(row); }
  // A value's own text: a string's, the canonical JSON of anything else.
  std::string_view value_text(uint32_t value) const { return texts.text(columns.value_text[value]); }
  bool is_string(uint32_t value) const { return columns.value_type[value] == WEND_JSON_TEXT; }
  void append_json(uint32_t value, std::string& out) const;
  bool same(uint32_t a, uint32_t b) const { return columns.value_folded[a] == columns.value_folded[b]; }

  // The batch as programs see it. refresh() after the tables have changed; the batch itself stays where it is.
  const wend_batch& batch() const { return batch_; }
  void refresh() { starts_ = columns.starts(); }

  // What texts and values take, dead ones with the rest, in bytes.
  size_t used() const;
  size_t memory() const;

  Columns columns;
  TextTable texts;
  ValueTable values;

 private:
  std::array<const void*, WEND_N_COLUMNS> starts_{};
  wend_batch batch_{WEND_BATCH_VERSION, WEND_N_COLUMNS, starts_.data(), columns.rows.data()};
};

}  // namespace wend::belief
