// A file read up to the parse tree: what parser.cpp builds from and what the formatter prints from. Internal.
#ifndef WEND_COMPILER_SYNTAX_TREE_H_
#define WEND_COMPILER_SYNTAX_TREE_H_

#include <functional>
#include <memory>

#include "compiler/syntax/builder.h"
#include "compiler/syntax/tokens.h"

namespace wend::syntax {

// Whether a file is text of reasonable size; reports what is wrong with it.
bool is_readable(const SourceSet& sources, uint32_t file, Diagnostics& diagnostics);

// One ANTLR parser for all items of a file: SLL prediction first, and full LL only where that fails.
class TreeParser {
 public:
  TreeParser();
  ~TreeParser();
  // Parse trees live until the next call. Nothing, and a report, where the tokens do not fit.
  Grammar::ItemContext* item(const SourceSet& sources, const TokenList& tokens, const Item& item,
                             Diagnostics& diagnostics);
  Grammar::WholeExpressionContext* expression(const SourceSet& sources, const TokenList& tokens,
                                              Diagnostics& diagnostics);

 private:
  template <typename Rule>
  auto parse(Rule rule, const SourceSet& sources, const TokenList& tokens, const Item& item, Diagnostics& diagnostics)
      -> decltype(rule());

  std::unique_ptr<antlr4::TokenStream> stream_;
  std::unique_ptr<Grammar> parser_;
};

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_TREE_H_
