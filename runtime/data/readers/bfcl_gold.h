// BfclGold: the answers of BFCL as gold calls.
//
//   single turn: [{"fn": {"param": [acceptable, ...]}}, ...]   "" among them: the parameter may be left out
//   multi turn:  [["fn(a='x', 3)", ...], ...]                  one list a turn
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/builder.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/python_literal.h"
#include "runtime/data/readers/bfcl.h"

namespace wend {

class BfclGold {
 public:
  explicit BfclGold(BatchBuilder& builder) : b_(builder) {}

  // `turns`: turn number of each turn of the question. `functions`: what the calls may name, for positional arguments.
  bool read(const std::string& json, const std::vector<uint32_t>& turns,
            const std::vector<const BfclFunction*>& functions);

  // Starts and ends a call written as a Python expression.
  bool read_call_text(std::string_view text, const std::vector<const BfclFunction*>& functions, bool gold);

 private:
  bool read_call_object(Cursor& cursor);
  bool read_acceptable(Cursor& cursor, uint32_t name);
  bool read_turn_calls(Cursor& cursor, const std::vector<const BfclFunction*>& functions);

  BatchBuilder& b_;
  PaddedBuffer buffer_, text_;
  JsonIndex index_;
  PythonCall call_;
};

}  // namespace wend
