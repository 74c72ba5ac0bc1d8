// Bind: the literals of a program as rows of a batch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/include/wend/wend.h"

namespace wend {

// rows[i] for literals[i]: the row of a text (kind 0) or of a JSON value (kind 1), or the `folded` number of a JSON
// value (kind 2); WEND_NONE for JSON that is none. A literal that the batch does not hold is added to it, so that
// every row can be followed. Bind first, then take view(): binding may move arrays.
void bind(Batch& batch, std::span<const wend_literal> literals, uint32_t* rows);

inline std::vector<uint32_t> bind(Batch& batch, const wend_program& program) {
  std::vector<uint32_t> rows(program.n_literals);
  bind(batch, {program.literals, program.n_literals}, rows.data());
  return rows;
}

}  // namespace wend
