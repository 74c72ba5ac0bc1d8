// What the formatter prints from: the tokens of a file with what the parse tree says about each, and the tree reduced
// to lines and blocks. Internal to the formatter.
#ifndef WEND_COMPILER_SYNTAX_FORMAT_TREE_H_
#define WEND_COMPILER_SYNTAX_FORMAT_TREE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/syntax/builder.h"
#include "compiler/syntax/tokens.h"

namespace wend::syntax {

struct Comment {
  std::string text;
  bool is_doc = false;
  bool blank_before = false;  // an empty line stands before it
};

// As it stands inside an expression: a doc comment would become that of what follows.
inline std::string inner_text(const Comment& comment) { return comment.is_doc ? comment.text.substr(1) : comment.text; }

struct FormatToken {
  std::string text;
  size_t type = 0;
  size_t parent = 0;           // the rule of the parse tree that it is a direct part of
  size_t match = 0;            // of a bracket: its partner
  size_t pad = 0;              // spaces put before it so that columns align
  bool blank_before = false;   // an empty line stands before it, or before the comments above it
  bool dropped = false;        // a comma that the layout makes superfluous
  std::vector<Comment> above;  // on lines of their own
  std::vector<Comment> after;  // at the end of its line
};

struct Node;
// `tokens [first, last)`, the last of them possibly `{` of a block whose items follow.
struct Segment {
  size_t first = 0, last = 0;
  bool opens_block = false;
  std::vector<Node> items;
};
// A line of the canonical layout, with the blocks that it opens.
struct Node {
  size_t rule = 0;
  size_t first = 0, last = 0;  // all tokens, blocks included
  std::vector<Segment> segments;
  std::vector<size_t> marks;  // tokens that line up with those of neighbours
};

// The tokens of a file without errors, with comments attached.
std::vector<FormatToken> format_tokens(const SourceSet& sources, const TokenList& tokens);

// Reduces the tree of an item whose first token is `base`, and notes in `tokens` what it says.
Node reduce(antlr4::ParserRuleContext* item, size_t base, std::vector<FormatToken>& tokens);

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_FORMAT_TREE_H_
