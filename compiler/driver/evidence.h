// Evidence in a person's words: which turn, call and argument a row of a batch is.
#ifndef WEND_COMPILER_DRIVER_EVIDENCE_H_
#define WEND_COMPILER_DRIVER_EVIDENCE_H_

#include <cstdint>
#include <string>

#include "runtime/data/batch.h"

namespace wend::driver {

struct Place {
  uint32_t turn = 0;     // from 1; 0: none
  uint32_t call = 0;     // from 1, among the calls of the dialogue (or of gold); 0: none
  bool gold = false;     // an expected call, not one that was made
  std::string argument;  // empty: none
  std::string text;      // `alarm(time: "07:00")`, `time = "07:00"`, the words of a message
};

// The place of row `row` of `table` (enum wend_table).
Place place_of(const Batch& batch, uint32_t table, uint32_t row);

// "turn 2, call 3, argument time"; "" for the dialogue as a whole.
std::string describe(const Place& place);

// `alarm(time: "07:00", repeat: "once")`.
std::string call_text(const Batch& batch, uint32_t call);

// At most `limit` bytes of a text on one line, white space as one space, cut between characters, with "..." where
// something is left out.
std::string shortened(std::string_view text, size_t limit);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_EVIDENCE_H_
