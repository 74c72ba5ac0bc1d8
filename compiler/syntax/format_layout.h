// How tokens stand on a line, and where a line that is too long is broken. Internal to the formatter.
#ifndef WEND_COMPILER_SYNTAX_FORMAT_LAYOUT_H_
#define WEND_COMPILER_SYNTAX_FORMAT_LAYOUT_H_

#include <string>
#include <vector>

#include "compiler/syntax/format_tree.h"

namespace wend::syntax {

constexpr size_t kLineWidth = 100;
constexpr size_t kIndent = 2;

// Columns that a text takes, up to its first line end.
size_t display_width(std::string_view text);

class Layout {
 public:
  explicit Layout(const std::vector<FormatToken>& tokens) : tokens_(tokens) {}

  // [first, last) on one line.
  std::string flat(size_t first, size_t last) const;
  size_t flat_width(size_t first, size_t last) const { return display_width(flat(first, last)); }

  // Where broken lines stand: the line itself and what closes a bracket at `indent`, what continues it at `hang`.
  struct Margin {
    size_t indent = 0, hang = 0;
  };
  // [first, last) beginning at `column`, broken where it does not fit.
  std::string broken(size_t first, size_t last, Margin margin, size_t column) const;

 private:
  bool space_between(const FormatToken& left, const FormatToken& right) const;
  std::vector<size_t> breaks(size_t first, size_t last) const;
  size_t widest_bracket(size_t first, size_t last) const;
  std::string pieces(const std::vector<size_t>& starts, size_t last, Margin margin, size_t column) const;
  std::string vertical(size_t opener, size_t first, size_t last, Margin margin) const;

  const std::vector<FormatToken>& tokens_;
};

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_FORMAT_LAYOUT_H_
