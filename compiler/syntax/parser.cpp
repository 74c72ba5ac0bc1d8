#include "compiler/syntax/parser.h"

#include "WendLexer.h"
#include "compiler/syntax/text_literal.h"
#include "compiler/syntax/tree.h"

namespace wend {
namespace {

using grammar::WendLexer;

// `module` leads, `use` comes before the declarations.
void check_order(const SourceSet& sources, const syntax::TokenList& tokens, const std::vector<syntax::Item>& items,
                 Diagnostics& diagnostics) {
  bool declared = false, named = false;
  for (const syntax::Item& item : items) {
    const antlr4::CommonToken& first = *tokens.code[item.first];
    const size_t type = first.getType();
    const bool heads = type == WendLexer::EDITION || type == WendLexer::MODULE || type == WendLexer::USE;
    const bool again = type == WendLexer::MODULE && named;  // said when the item is read
    const bool late = !again && ((heads && declared) || (type == WendLexer::EDITION && named));
    if (late && !item.broken) {
      const Span place = syntax::span_of(tokens.file, first);
      const std::string word(sources.text(place));
      diagnostics.report(Kind::unexpected_token, place, "`" + word + "` comes too late").help =
          "a file begins with `edition`, then `module`, then each `use`";
    }
    if (type == WendLexer::MODULE) named = true;
    if (!heads && !item.broken) declared = true;
  }
  if (named) return;
  const Span place =
      items.empty() ? Span{tokens.file, 0, 0} : syntax::span_of(tokens.file, *tokens.code[items[0].first]);
  std::string stem = sources.file(tokens.file).path;
  stem = stem.substr(stem.find_last_of('/') + 1);
  stem = stem.substr(0, stem.find('.'));
  diagnostics.report(Kind::missing_module, place, "this file does not say which module it is").help =
      "begin it with `module " + stem + "`";
}

}  // namespace

std::optional<ast::Module> parse_module(const SourceSet& sources, uint32_t file, Diagnostics& diagnostics) {
  if (!syntax::is_readable(sources, file, diagnostics)) return std::nullopt;
  const auto size = static_cast<uint32_t>(sources.file(file).text.size());
  syntax::TokenList tokens = syntax::lex(sources, file, 0, size);
  const size_t before = diagnostics.errors();
  const std::vector<syntax::Item> items = syntax::cut_items(sources, tokens, diagnostics);
  const bool cut_short = diagnostics.errors() > before + 100;
  if (!cut_short) check_order(sources, tokens, items, diagnostics);

  ast::Module module;
  module.file = file;
  syntax::TreeParser parser;
  syntax::Builder builder(sources, tokens, diagnostics);
  for (const syntax::Item& item : items) {
    if (item.broken) continue;
    if (diagnostics.errors() > before + 100) break;  // whatever this file is, enough has been said
    if (tokens.code[item.first]->getType() == WendLexer::BELIEF) {
      syntax::mark_statement_whens(tokens.code.data() + item.first, item.count);
    }
    auto* tree = parser.item(sources, tokens, item, diagnostics);
    if (!tree) continue;
    const size_t reported = diagnostics.errors(), declared = module.declarations.size();
    builder.item(tree, module);
    // What the later stages see is well formed.
    if (diagnostics.errors() > reported && module.declarations.size() > declared) module.declarations.pop_back();
  }
  return module;
}

std::optional<ast::Expr> parse_expression(const SourceSet& sources, Span span, Diagnostics& diagnostics) {
  syntax::TokenList tokens = syntax::lex(sources, span.file, span.begin, span.end);
  const size_t before = diagnostics.errors();
  if (tokens.code.empty()) {
    diagnostics.report(Kind::unexpected_token, span, "expected a value, found nothing").help = "write an expression";
    return std::nullopt;
  }
  if (!syntax::check_expression_tokens(sources, tokens, diagnostics)) return std::nullopt;
  syntax::TreeParser parser;
  auto* tree = parser.expression(sources, tokens, diagnostics);
  if (!tree) return std::nullopt;
  ast::Expr result = syntax::Builder(sources, tokens, diagnostics).expr(tree->expression());
  if (diagnostics.errors() > before) return std::nullopt;
  return result;
}

std::optional<std::vector<TextPart>> parse_template(const SourceSet& sources, Span span, Diagnostics& diagnostics) {
  const size_t before = diagnostics.errors();
  std::vector<TextPart> parts;
  for (syntax::TextPiece& piece : syntax::text_pieces(sources, span, diagnostics)) {
    TextPart part{std::move(piece.text), {}, piece.span};
    if (piece.is_hole) part.hole = parse_expression(sources, piece.span, diagnostics);
    parts.push_back(std::move(part));
  }
  if (diagnostics.errors() > before) return std::nullopt;
  return parts;
}

}  // namespace wend
