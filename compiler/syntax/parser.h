// From text to syntax tree. Everything wrong is reported as a diagnostic, one for each mistake: parsing goes on at the
// next declaration, which a mistake before it cannot reach.
#ifndef WEND_COMPILER_SYNTAX_PARSER_H_
#define WEND_COMPILER_SYNTAX_PARSER_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"
#include "compiler/syntax/ast.h"

namespace wend {

// The declarations of a file that could be read; nothing when it is no text of reasonable size. Where errors were
// reported, declarations are missing: look at names only if there were none.
std::optional<ast::Module> parse_module(const SourceSet& sources, uint32_t file, Diagnostics& diagnostics);

// The expression that `span` covers; nothing when an error was reported.
std::optional<ast::Expr> parse_expression(const SourceSet& sources, Span span, Diagnostics& diagnostics);

// A text literal with holes, in order: "Make {p} {new}." is `Make `, p, ` `, new, `.`. A brace that is no hole is `\{`.
struct TextPart {
  std::string text;               // escapes resolved; empty for a hole
  std::optional<ast::Expr> hole;  // nothing for a text
  Span span;
};
// The parts of the literal that `span` covers with its quotes: the span of an Expr of kind `text`. Nothing when an
// error was reported.
std::optional<std::vector<TextPart>> parse_template(const SourceSet& sources, Span span, Diagnostics& diagnostics);

}  // namespace wend

#endif  // WEND_COMPILER_SYNTAX_PARSER_H_
