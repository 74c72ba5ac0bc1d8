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

  // [first, last) on one line, without its comments.
  std::string flat(size_t first, size_t last) const;
  size_t flat_width(size_t first, size_t last) const { return display_width(flat(first, last)); }

  // Whether the comments before token `i` (at the end of the line before it, or on lines of their own) can stay there:
  // it is a place where a line may end. Those of other places move above the line.
  bool keeps_comments(size_t i) const;
  // Whether such comments stand inside [first, last), which then takes several lines.
  bool holds_comments(size_t first, size_t last) const;
  // The end of the line before token `i` with the comments there, those on lines of their own indented by `comments`,
  // and the beginning of the next line.
  std::string line_end(size_t i, size_t comments, size_t indent) const;

  // Where broken lines stand: the line itself and what closes a bracket at `indent`, what continues it at `hang`.
  struct Margin {
    size_t indent = 0, hang = 0;
  };
  // [first, last) beginning at `column`, broken where it does not fit.
  std::string broken(size_t first, size_t last, Margin margin, size_t column) const;

 private:
  bool space_between(const FormatToken& left, const FormatToken& right) const;
  std::vector<size_t> breaks(size_t first, size_t last) const;
  size_t before(size_t i) const;
  size_t widest_bracket(size_t first, size_t last) const;
  size_t commented_bracket(size_t first, size_t last) const;
  std::string pieces(const std::vector<size_t>& starts, size_t last, Margin margin, size_t column) const;
  std::string vertical(size_t opener, size_t first, size_t last, Margin margin) const;

  const std::vector<FormatToken>& tokens_;
};

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_FORMAT_LAYOUT_H_
