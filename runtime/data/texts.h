// TextTable: the `text` table of a batch and the bytes behind it.
//
// Names, values and needles are *interned*: equal bytes, equal row. Message texts are added as they come. Everything
// that goes in is valid UTF-8 and comes out NFC.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/arena.h"
#include "runtime/data/columns.h"
#include "runtime/data/hash_index.h"

namespace wend {

class TextTable {
 public:
  struct Mark {
    Arena::Mark bytes;
    uint32_t rows;
    size_t interned, upgraded;
  };

  explicit TextTable(Columns& columns) : columns_(columns) {}
  // For a small table: memory comes in blocks of this size.
  TextTable(Columns& columns, size_t block_size) : columns_(columns), arena_(block_size) {}

  // Of an empty table: begins with the rows of another one, whose bytes stay there.
  void begin(const TextTable& base);

  std::string_view text(uint32_t row) const { return View(columns_.text_data[row]); }
  std::string_view folded(uint32_t row) const { return View(columns_.text_folded[row]); }

  uint32_t intern(std::string_view text);
  // Interned, with its folded form.
  uint32_t intern_name(std::string_view text);
  // Interned; `text` is folded already.
  uint32_t intern_folded(std::string_view text);

  // A new row, not interned, from a JSON string's body. `decode` undoes \uXXXX inside the text in its folded form.
  // WEND_NONE for an empty text; `error` gets the cause of a bad escape.
  uint32_t add_json_string(std::string_view body, bool decode, const char*& error);
  // The same for texts that come again and again, such as system prompts: equal bodies may share a row.
  uint32_t add_repeated(std::string_view body, const char*& error);
  // A new row, not interned, with its folded form; WEND_NONE for an empty text.
  uint32_t add(std::string_view text, bool decode = false);
  // A new row, not interned, of a folded text alone.
  uint32_t add_folded(std::string_view text, bool decode);

  Mark mark() const { return {arena_.mark(), columns_.rows[WEND_TABLE_text], interned_.size(), upgraded_.size()}; }
  // Forgets every row and interned text since `mark`.
  void rollback(const Mark& mark);
  void clear();

  // Gives back what large texts took that are gone.
  void trim();
  // Bytes handed out for texts, and all that the table holds besides its columns.
  size_t used() const { return arena_.used(); }
  size_t memory() const;

 private:
  static std::string_view View(const wend_bytes& bytes) { return {bytes.data, bytes.size}; }
  static wend_bytes Bytes(std::string_view text) { return {text.data(), text.size()}; }

  struct Repeated {
    std::string_view body;
    uint32_t row;
  };
  static constexpr size_t kMaxRepeated = 4;

  // The row of an interned text, WEND_NONE if it is not there.
  uint32_t find(std::string_view text, uint64_t hash) const;
  uint32_t add_interned(std::string_view text, uint64_t hash);
  uint32_t new_row(std::string_view stored);
  uint32_t add_stored(std::string_view stored, bool ascii, bool decode);
  uint32_t intern_canonical(std::string_view text);
  wend_bytes store_folded(std::string_view text, bool ascii);

  Columns& columns_;
  Arena arena_;
  HashIndex interned_;
  std::vector<uint32_t> upgraded_;  // rows that got their folded form after they were made
  std::vector<Repeated> repeated_;
  std::string scratch_, decoded_;
};

}  // namespace wend
