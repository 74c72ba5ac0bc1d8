#include "runtime/data/bind.h"

namespace wend {

void bind(Batch& batch, std::span<const wend_literal> literals, uint32_t* rows) {
  for (const wend_literal& literal : literals) {
    const std::string_view text(literal.text.data, literal.text.size);
    uint32_t row = WEND_NONE;
    if (literal.kind == 0) {
      row = batch.intern_name(text);
    } else {
      row = batch.intern_value(text);
      if (literal.kind == 2 && row != WEND_NONE) row = batch.columns().value_folded[row];
    }
    *rows++ = row;
  }
}

}  // namespace wend
