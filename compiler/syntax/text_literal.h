// Texts between quotes: escapes, indentation of long texts, {holes}.
#ifndef WEND_COMPILER_SYNTAX_TEXT_LITERAL_H_
#define WEND_COMPILER_SYNTAX_TEXT_LITERAL_H_

#include <string>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::syntax {

// The contents of a literal, which `span` covers with its quotes. Escapes are resolved. Of a long text, the line end
// after the opening quotes, the one before the closing quotes and the indentation that all its lines share are no part.
std::string text_contents(const SourceSet& sources, Span span, Diagnostics& diagnostics);

// The same, cut at {holes}: pieces of text, and for each hole the place of what stands between its braces.
struct TextPiece {
  bool is_hole = false;
  std::string text;
  Span span;
};
std::vector<TextPiece> text_pieces(const SourceSet& sources, Span span, Diagnostics& diagnostics);

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_TEXT_LITERAL_H_
