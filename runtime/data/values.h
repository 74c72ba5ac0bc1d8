// ValueTable: the `value` table of a batch: JSON values, interned by their canonical form (docs/metrics.md, Equality).
//
// Canonically equal values have equal rows; loosely equal values have equal `folded` numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/columns.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/texts.h"

namespace wend {

inline constexpr size_t kMaxRecordValues = size_t{256} << 20;

class ValueTable {
 public:
  struct Mark {
    uint32_t rows, leaves;
    size_t folds;
  };

  ValueTable(Columns& columns, TextTable& texts) : columns_(columns), texts_(texts) {}

  // Of an empty table: begins with the rows of another one. The texts have begun with the other one's texts.
  void begin(const ValueTable& base);

  // The row of the next value of `cursor`; WEND_NONE if the cursor failed.
  uint32_t read(Cursor& cursor) { return read(cursor, 0); }
  // The row of a JSON text, WEND_NONE if it is none.
  uint32_t ReadText(std::string_view json);
  uint32_t string(std::string_view text);

  // A record's values may take kMaxRecordValues bytes of rows and texts: a deep value lists what is in it at every
  // level.
  void start_record() { spent_ = 0; }

  // Objects read so far that had a key twice (the last one counts).
  uint64_t duplicate_keys() const { return duplicate_keys_; }

  Mark mark() const { return {columns_.rows[WEND_TABLE_value], columns_.rows[WEND_TABLE_leaf], folds_.size()}; }
  void rollback(const Mark& mark);
  void clear();
  // Gives back what large values took that are gone.
  void trim();
  // Bytes held besides the columns.
  size_t memory() const;

 private:
  struct Item {
    uint32_t name, value;
  };
  // What a folded number stands for: a string, or other JSON, as an interned text.
  struct Fold {
    uint32_t text;
    bool string;
  };

  uint32_t read(Cursor& cursor, int depth);
  uint32_t read_object(Cursor& cursor, int depth);
  uint32_t read_list(Cursor& cursor, int depth);
  uint32_t read_scalar(Cursor& cursor);
  uint32_t Json(uint8_t type, std::string_view canonical, double number);
  uint32_t container(Cursor& cursor, uint8_t type, size_t base);
  void print(uint8_t type, size_t base, bool folded);
  void finish_leaf(uint32_t row, uint32_t needle, uint32_t folded);
  uint32_t fold_number(uint32_t text, bool string);

  Columns& columns_;
  TextTable& texts_;
  std::vector<uint32_t> as_string_, as_json_;  // by text row: the value that it is, as a string, as other JSON
  std::vector<uint32_t> fold_as_string_, fold_as_json_;  // the same for folded numbers
  std::vector<Fold> folds_;
  std::vector<Item> items_;  // stack of the containers being read
  std::string scratch_, folded_;
  PaddedBuffer buffer_, text_buffer_;
  JsonIndex index_;
  uint64_t duplicate_keys_ = 0;
  size_t spent_ = 0;
};

}  // namespace wend
