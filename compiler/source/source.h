// Spec texts and places in them.
#ifndef WEND_COMPILER_SOURCE_SOURCE_H_
#define WEND_COMPILER_SOURCE_SOURCE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wend {

// A half-open range of bytes of one source file.
struct Span {
  uint32_t file = 0;  // index in SourceSet
  uint32_t begin = 0, end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// From the start of `a` to the end of `b`.
inline Span join(Span a, Span b) { return {a.file, a.begin, b.end}; }

// A place as a reader counts it: from 1; columns are code points.
struct Position {
  uint32_t line = 1, column = 1;
};

struct SourceFile {
  std::string path;  // as the user wrote it; what diagnostics print
  std::string text;
  std::vector<uint32_t> line_starts;  // byte offset of each line
};

// All files of a compilation. Files are only added.
class SourceSet {
 public:
  uint32_t add(std::string path, std::string text);
  const SourceFile& file(uint32_t index) const { return files_[index]; }
  size_t size() const { return files_.size(); }

  Position position(uint32_t file, uint32_t offset) const;
  std::string_view text(Span span) const;
  // Line `line` (from 1) without its line end.
  std::string_view line(uint32_t file, uint32_t line) const;
  // "file:line", for evidence and debug information.
  std::string place(Span span) const;

 private:
  std::vector<SourceFile> files_;
};

}  // namespace wend

#endif  // WEND_COMPILER_SOURCE_SOURCE_H_
