// Splitter: where records begin and end in a text that arrives in pieces.
//
// Three framings: one record a line; the elements of one JSON list; JSON values one after the other. The last two know
// only quotes and brackets, so a broken record inside a list is one broken record, not a broken file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/data/kernels.h"

namespace wend {

enum class Framing : uint8_t { kLines, kList, kValues };

struct RecordRange {
  size_t begin, end;  // bytes, in the text given to Scan
  uint64_t line;      // from 1; 0 unless the framing is kLines
};

class Splitter {
 public:
  // A list's text starts behind its opening bracket.
  explicit Splitter(Framing framing) : framing_(framing) {}

  // Appends the records that end in text[0, size). What Scan has looked at is not looked at again: the next call must
  // give the same text from keep() on, now at its start, and more behind it. With `last` nothing follows, and what is
  // left becomes a record.
  void scan(const char* text, size_t size, bool last, std::vector<RecordRange>& records);
  // Bytes before this are done with.
  size_t keep() const { return start_; }
  // Tells that the text was cut at keep().
  void cut();
  // Tells that the record being scanned is given up: its bytes so far may be dropped.
  void drop_record() { dropping_ = true; }
  bool dropping() const { return dropping_; }

  // kList: the closing bracket was seen.
  bool closed() const { return closed_; }

 private:
  void scan_lines(const char* text, size_t size, bool last, std::vector<RecordRange>& records);
  void scan_values(const char* text, size_t size, bool last, std::vector<RecordRange>& records);
  bool Between(const char* text, size_t size);
  bool inside(const char* text, size_t size);
  void Emit(size_t begin, size_t end, std::vector<RecordRange>& records);

  Framing framing_;
  BracketScan scan_;  // scan_.at: next byte to look at, in every framing
  size_t start_ = 0;  // start of the current record, or of what is not consumed yet
  uint64_t line_ = 1;
  bool inside_ = false, closed_ = false, dropping_ = false;
  bool scalar_ = false;  // a record that is neither an object nor a list
};

}  // namespace wend
