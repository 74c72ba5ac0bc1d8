// BfclResults: what a model answered to a BFCL question, played into the trace.
//
// A results file has lines {"id", "result"}. `result` is the answer to one turn, or, multi-turn, a list of turns, each
// a list of steps. A step is a list of calls [{"fn": {...} or "{...}"}], a text that is such a list in Python's
// notation ("[fn(a=1), g()]"), or any other text, which is what the agent said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/builder.h"
#include "runtime/data/readers/bfcl_gold.h"
#include "runtime/data/readers/messages.h"

namespace wend {

class BfclResults {
 public:
  BfclResults(BatchBuilder& builder, MessageReader& messages, BfclGold& gold)
      : b_(builder), messages_(messages), gold_(gold) {}

  bool load(const std::string& json);
  // Adds the agent's messages of turn `turn` (from 0) of the loaded result.
  bool answer(size_t turn, const std::vector<const BfclFunction*>& functions);

 private:
  bool Step(Cursor& cursor, const std::vector<const BfclFunction*>& functions);
  bool calls(Cursor& cursor);
  bool text_step(std::string_view text, const std::vector<const BfclFunction*>& functions);
  void results(size_t calls);

  BatchBuilder& b_;
  MessageReader& messages_;
  BfclGold& gold_;
  PaddedBuffer buffer_, text_;
  JsonIndex index_;
  Cursor result_;
  bool by_turn_ = false;
};

}  // namespace wend
