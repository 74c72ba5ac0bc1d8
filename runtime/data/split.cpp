#include "runtime/data/split.h"

#include <cstring>

namespace wend {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

void Splitter::cut() {
  scan_.at -= start_;
  start_ = 0;
}

void Splitter::Emit(size_t begin, size_t end, std::vector<RecordRange>& records) {
  if (!dropping_) records.push_back({begin, end, framing_ == Framing::kLines ? line_ : 0});
  dropping_ = false;
  start_ = scan_.at = end;
  inside_ = scalar_ = false;
}

void Splitter::scan(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  if (framing_ == Framing::kLines) {
    scan_lines(text, size, last, records);
  } else {
    scan_values(text, size, last, records);
  }
  if (dropping_) start_ = scan_.at;
}

void Splitter::scan_lines(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  while (start_ < size) {
    const auto* newline = static_cast<const char*>(std::memchr(text + scan_.at, '\n', size - scan_.at));
    if (!newline && !last) {
      scan_.at = size;
      return;
    }
    const size_t end = newline ? static_cast<size_t>(newline - text) : size;
    size_t from = start_, to = end;
    while (from < to && is_space(text[from])) ++from;
    while (to > from && is_space(text[to - 1])) --to;
    if (from < to || dropping_) Emit(from, to, records);
    start_ = scan_.at = newline ? end + 1 : size;
    ++line_;
  }
}

void Splitter::scan_values(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  while (!closed_) {
    if (!inside_ && !Between(text, size)) break;
    if (closed_ || !inside(text, size)) break;
    Emit(start_, scan_.at, records);
  }
  if (closed_) {
    start_ = scan_.at;
    return;
  }
  if (last && inside_) {
    size_t end = size;
    while (end > start_ && is_space(text[end - 1])) --end;
    Emit(start_, end, records);
    start_ = scan_.at = size;
  }
}

// Skips what stands between records; true at the start of one (or at the end of the list).
bool Splitter::Between(const char* text, size_t size) {
  while (scan_.at < size && (is_space(text[scan_.at]) || (text[scan_.at] == ',' && framing_ == Framing::kList)))
    ++scan_.at;
  start_ = scan_.at;
  if (scan_.at == size) return false;
  if (text[scan_.at] == ']' && framing_ == Framing::kList) {
    ++scan_.at;
    closed_ = true;
    return true;
  }
  inside_ = true;
  scalar_ = text[scan_.at] != '{' && text[scan_.at] != '[';
  scan_ = {start_, 0, 0, 0};
  return true;
}

// Goes on to the end of the record, scan_.at being then behind it; false if the text ends first.
bool Splitter::inside(const char* text, size_t size) {
  if (scalar_) {
    while (scan_.at < size && text[scan_.at] != ',' && text[scan_.at] != ']' && text[scan_.at] != '\n') ++scan_.at;
    if (scan_.at == size) return false;
    if (scan_.at == start_) ++scan_.at;  // a stray bracket
    return true;
  }
  return active_kernels().close(text, size, scan_);
}

}  // namespace wend
