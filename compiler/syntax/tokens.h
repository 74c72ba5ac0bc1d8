// A source text as tokens, its keywords told apart from names, and cut into items. Internal to compiler/syntax.
#ifndef WEND_COMPILER_SYNTAX_TOKENS_H_
#define WEND_COMPILER_SYNTAX_TOKENS_H_

#include <antlr4-runtime.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::syntax {

struct TokenList {
  uint32_t file = 0;
  std::vector<std::unique_ptr<antlr4::CommonToken>> all;  // in order, with comments; a token's index is its place here
  std::vector<antlr4::CommonToken*> code;                 // without comments
  std::vector<antlr4::Token*> for_parser;                 // `code`, as TokenSlice reads it
  std::unique_ptr<antlr4::CommonToken> end;               // type EOF

  // Mistakes within a token, in order of place. Reported once per item, when the items are known.
  std::vector<Diagnostic> mistakes;
};

// Whether `type` is among the types of tokens, or of rules, listed.
inline bool is_one_of(size_t type, std::initializer_list<size_t> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

Span span_of(uint32_t file, const antlr4::Token& token);

// Tokens of [begin, end) of a file.
TokenList lex(const SourceSet& sources, uint32_t file, uint32_t begin, uint32_t end);

// What `prev` before a place says about it: true where a value must follow (after an operator, `=`, `(`, `,` ...).
bool value_must_follow(const antlr4::CommonToken* prev);
// A word: a name or a keyword that can be one.
bool is_word(const antlr4::CommonToken* token);

// Within the tokens of one belief: tells `when` at the head of a statement from `when` after a value.
void mark_statement_whens(antlr4::CommonToken* const* first, size_t count);

// A part of the file that is parsed on its own: a declaration, `module`, `use` or `edition`.
struct Item {
  size_t first = 0, count = 0;  // in TokenList::code
  bool broken = false;          // something in it has been reported already; it cannot be parsed
};
// Cuts at declarations and checks brackets, nesting and length of expressions. Reports what it finds: at most one
// mistake per item. A declaration that begins a line ends an item even inside brackets, so a missing `}` costs one
// declaration.
std::vector<Item> cut_items(const SourceSet& sources, TokenList& tokens, Diagnostics& diagnostics);
// The same checks for tokens that are one expression; false when something was reported.
bool check_expression_tokens(const SourceSet& sources, TokenList& tokens, Diagnostics& diagnostics);

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_TOKENS_H_
