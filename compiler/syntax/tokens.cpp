#include "compiler/syntax/tokens.h"

#include <array>
#include <utility>

#include "WendLexer.h"
#include "compiler/syntax/stream.h"

namespace wend::syntax {
namespace {

using antlr4::CommonToken;
using grammar::WendLexer;

constexpr size_t kFirstKeyword = WendLexer::AND;
constexpr size_t kLastKeyword = WendLexer::TOKENS;
constexpr size_t kLastReserved = WendLexer::DISTINCT;

bool is_keyword(size_t type) { return type >= kFirstKeyword && type <= kLastKeyword; }

bool is_verb(size_t type) {
  return is_one_of(type, {WendLexer::OVERWRITE, WendLexer::PUSH, WendLexer::POP, WendLexer::SUSPEND, WendLexer::RESUME,
                          WendLexer::CONFIRM, WendLexer::UNCONFIRM, WendLexer::CLEAR});
}

// ---- keywords that are names here -----------------------------------------------------------------------------------

// Whether a keyword stands where only a name makes sense.
bool is_name_here(const CommonToken* prev, const CommonToken& token, const CommonToken* next,
                  const CommonToken* after) {
  const size_t type = token.getType();
  const size_t before = prev ? prev->getType() : 0;
  const size_t following = next ? next->getType() : 0;
  if (before == WendLexer::DOT) return true;
  if (following == WendLexer::ASSIGN || following == WendLexer::COLON) return true;
  switch (type) {
    case WendLexer::JUDGE:
      return !is_word(next);
    case WendLexer::MENTIONED:
      return following != WendLexer::IN || value_must_follow(prev);
    case WendLexer::ONE:
      return following != WendLexer::OF;
    case WendLexer::FRESH:
      return following != WendLexer::VALUE || !after || after->getType() != WendLexer::OF;
    case WendLexer::STOP:
    case WendLexer::LAYER:
      return value_must_follow(prev) || !is_word(next);
    case WendLexer::CLAMP: {
      const bool number = following == WendLexer::INTEGER || following == WendLexer::REAL ||
                          following == WendLexer::PERCENT || following == WendLexer::MINUS;
      return value_must_follow(prev) || !(number || is_word(next));
    }
    default:
      return is_verb(type) && (value_must_follow(prev) || !is_word(next));
  }
}

void tell_keywords_from_names(const std::vector<CommonToken*>& code) {
  for (size_t i = 0; i < code.size(); ++i) {
    if (!is_keyword(code[i]->getType())) continue;
    const CommonToken* prev = i > 0 ? code[i - 1] : nullptr;
    const CommonToken* next = i + 1 < code.size() ? code[i + 1] : nullptr;
    const CommonToken* after = i + 2 < code.size() ? code[i + 2] : nullptr;
    if (is_name_here(prev, *code[i], next, after)) code[i]->setType(WendLexer::NAME);
  }
}

// ---- mistakes within a token ----------------------------------------------------------------------------------------

using Advice = std::pair<std::string_view, std::string_view>;

constexpr std::array kForeign = std::to_array<Advice>({
    {"&&", "write `and`"},
    {"&", "write `and`"},
    {"||", "write `or`"},
    {"|", "write `or`"},
    {"!", "write `not`"},
    {"<>", "write `!=`"},
    {"===", "write `==`"},
    {"!==", "write `!=`"},
    {"**", "there is no power; multiply"},
    {"%", "there is no remainder; a percentage is written together, as in `80%`"},
    {"++", "nothing changes in a spec; write `x + 1`"},
    {"--", "write `- -` apart, or `// ` for a comment"},
    {"+=", "nothing changes in a spec; define a new name with `=`"},
    {"-=", "nothing changes in a spec; define a new name with `=`"},
    {":=", "write `=`"},
    {"...", "a range has two points: `a .. b`"},
});

constexpr std::array kStray = std::to_array<Advice>({
    {"#", "a comment begins with `//`"},
    {";", "declarations and terms need no `;`; remove it"},
    {"'", "texts stand between `\"`"},
    {"`", "texts stand between `\"`"},
    {"\u201c", "write `\"`"},
    {"\u201d", "write `\"`"},
    {"\u2018", "write `\"`"},
    {"\u2019", "write `\"`"},
    {"\u201e", "write `\"`"},
    {"\u00ab", "write `\"`"},
    {"\u2013", "write `-`"},
    {"\u2014", "write `-`"},
    {"\u2212", "write `-`"},
    {"\u00d7", "write `*`"},
    {"\u00f7", "write `/`"},
    {"\u2264", "write `<=`"},
    {"\u2265", "write `>=`"},
    {"\u2260", "write `!=`"},
    {"\u2192", "write `->`"},
    {"\u21d2", "write `=>`"},
    {"\u2026", "a range has two points: `a .. b`"},
    {"\u00a0", "this is a no-break space; write a plain one"},
    {"\u202f", "this is a narrow no-break space; write a plain one"},
    {"\ufeff", "this is a byte order mark; save the file as UTF-8 without one"},
});

template <size_t N>
std::string advice_for(const std::array<Advice, N>& table, std::string_view text) {
  for (const auto& [known, advice] : table) {
    if (text == known) return std::string(advice);
  }
  return {};
}

size_t first_character_length(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

std::string printable(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character.front());
  if (byte >= 0x20 && byte != 0x7F) return "`" + std::string(character) + "`";
  constexpr char digits[] = "0123456789ABCDEF";
  return std::string("control character U+00") + digits[byte >> 4] + digits[byte & 15];
}

Diagnostic stray(Span span, std::string_view text) {
  const std::string_view character = text.substr(0, first_character_length(text));
  span.end = span.begin + static_cast<uint32_t>(character.size());
  Diagnostic mistake{Kind::stray_character,         span, "stray " + printable(character), {},
                     advice_for(kStray, character), {}};
  std::string& help = mistake.help;
  if (help.empty() && static_cast<unsigned char>(character.front()) >= 0x80) {
    help = "names are made of ASCII letters, digits and `_`; any other text stands between `\"`";
  }
  if (help.starts_with("write `")) mistake.fix = Fix{span, help.substr(7, help.rfind('`') - 7)};
  return mistake;
}

Diagnostic foreign(Span span, std::string_view text) {
  Diagnostic mistake{Kind::foreign_operator, span, "no such operator: `" + std::string(text) + "`", {}, {}, {}};
  mistake.help = advice_for(kForeign, text);
  if (mistake.help.starts_with("write `") && mistake.help.ends_with("`")) {
    mistake.fix = Fix{span, mistake.help.substr(7, mistake.help.size() - 8)};
  }
  return mistake;
}

std::string help_for_number(std::string_view text) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'b')) return "write the number in decimal";
  if (text.find("__") != text.npos || text.ends_with("_")) return "`_` stands between two digits";
  if (digits == text.size() || text[digits] == '.') return "a number has one point: `1.25`";
  const char unit = text[digits];
  if (unit == 'e' || unit == 'E') return "an exponent has digits: `1e6`";
  return "a name cannot begin with a digit; put a space between a number and a word";
}

// The mistake that token `i` of `code` is, if it is one.
std::optional<Diagnostic> mistake_in(std::string_view text, uint32_t file, const std::vector<CommonToken*>& code,
                                     size_t i) {
  const CommonToken& token = *code[i];
  const Span span = span_of(file, token);
  const std::string_view own = text.substr(span.begin, span.end - span.begin);
  switch (token.getType()) {
    case WendLexer::STRAY:
      return stray(span, own);
    case WendLexer::FOREIGN:
      return foreign(span, own);
    case WendLexer::BAD_NUMBER:
      return Diagnostic{Kind::bad_number,     span, "not a number: `" + std::string(own.substr(0, 40)) + "`", {},
                        help_for_number(own), {}};
    case WendLexer::UNTERMINATED_TEXT:
      return Diagnostic{Kind::unterminated_text,
                        {file, span.begin, span.begin + 1},
                        "this text has no closing `\"`",
                        {},
                        "put `\"` where the text ends; a text over several lines stands between `\"\"\"`",
                        {}};
    case WendLexer::INTEGER: {
      const CommonToken* prev = i > 0 ? code[i - 1] : nullptr;
      if (!prev || prev->getType() != WendLexer::DOT || prev->getStopIndex() + 1 != token.getStartIndex()) return {};
      if (i > 1 && !value_must_follow(code[i - 2])) return {};
      const Span whole{file, span.begin - 1, span.end};
      const std::string mended = "0." + std::string(own);
      return Diagnostic{
          Kind::bad_number,  whole, "not a number: `." + std::string(own) + "`", {}, "write `" + mended + "`",
          Fix{whole, mended}};
    }
    default:
      return {};
  }
}

// `"""` without an end is lexed as an empty text with another text right behind it.
bool opens_long_text(std::string_view text, const CommonToken& token) {
  return token.getType() == WendLexer::TEXT && token.getStopIndex() == token.getStartIndex() + 1 &&
         text.substr(token.getStopIndex() + 1).starts_with('"');
}

void find_mistakes(std::string_view text, TokenList& tokens) {
  for (size_t i = 0; i < tokens.code.size(); ++i) {
    if (opens_long_text(text, *tokens.code[i])) {
      const auto begin = static_cast<uint32_t>(tokens.code[i]->getStartIndex());
      tokens.mistakes.push_back({Kind::unterminated_text,
                                 {tokens.file, begin, begin + 3},
                                 "this text has no closing `\"\"\"`",
                                 {},
                                 "put `\"\"\"` on a line after the text",
                                 {}});
      tokens.code.resize(i + 1);  // what follows is the inside of the text
      return;
    }
    if (auto mistake = mistake_in(text, tokens.file, tokens.code, i)) tokens.mistakes.push_back(std::move(*mistake));
  }
}

}  // namespace

Span span_of(uint32_t file, const antlr4::Token& token) {
  return {file, static_cast<uint32_t>(token.getStartIndex()), static_cast<uint32_t>(token.getStopIndex() + 1)};
}

bool is_word(const CommonToken* token) {
  if (!token) return false;
  const size_t type = token->getType();
  return type == WendLexer::NAME || (is_keyword(type) && type > kLastReserved);
}

bool value_must_follow(const CommonToken* prev) {
  if (!prev) return false;
  return is_one_of(
      prev->getType(),
      {WendLexer::ASSIGN,        WendLexer::ARROW,     WendLexer::FAT_ARROW, WendLexer::COLON,      WendLexer::COMMA,
       WendLexer::LPAREN,        WendLexer::LBRACKET,  WendLexer::DOTDOT,    WendLexer::DOT,        WendLexer::COALESCE,
       WendLexer::EQUAL,         WendLexer::NOT_EQUAL, WendLexer::LESS,      WendLexer::LESS_EQUAL, WendLexer::GREATER,
       WendLexer::GREATER_EQUAL, WendLexer::PLUS,      WendLexer::MINUS,     WendLexer::STAR,       WendLexer::SLASH,
       WendLexer::AND,           WendLexer::OR,        WendLexer::NOT,       WendLexer::IN,         WendLexer::IS,
       WendLexer::HAS,           WendLexer::CAP,       WendLexer::WHEN,      WendLexer::ELSE,       WendLexer::EXCEPT,
       WendLexer::FOR,           WendLexer::IF,        WendLexer::TIER,      WendLexer::DISTINCT});
}

TokenList lex(const SourceSet& sources, uint32_t file, uint32_t begin, uint32_t end) {
  TokenList tokens;
  tokens.file = file;
  const std::string_view text = sources.file(file).text;
  ByteStream bytes(text, begin, end);
  WendLexer lexer(&bytes);
  lexer.removeErrorListeners();
  for (;;) {
    std::unique_ptr<antlr4::Token> next = lexer.nextToken();
    std::unique_ptr<CommonToken> token(static_cast<CommonToken*>(next.release()));  // what its factory makes
    if (token->getType() == antlr4::Token::EOF) {
      token->setStartIndex(end);
      token->setStopIndex(end - 1);  // unsigned, but read back with + 1
      tokens.end = std::move(token);
      break;
    }
    token->setTokenIndex(tokens.all.size());
    if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) tokens.code.push_back(token.get());
    tokens.all.push_back(std::move(token));
  }
  tell_keywords_from_names(tokens.code);
  find_mistakes(text, tokens);
  tokens.for_parser.assign(tokens.code.begin(), tokens.code.end());
  return tokens;
}

void mark_statement_whens(CommonToken* const* first, size_t count) {
  // A statement `when c {` has its block after the condition; `v when c` ends before a `{` at its own depth: at `=`, at
  // a verb, at another `when` or where the block around it ends.
  const auto has_block = [&](size_t i) {
    size_t depth = 0;
    bool tier = false;
    for (; i < count; ++i) {
      const size_t type = first[i]->getType();
      if (type == WendLexer::LPAREN || type == WendLexer::LBRACKET) ++depth;
      const bool closes = type == WendLexer::RPAREN || type == WendLexer::RBRACKET;
      if (closes && depth-- == 0) return false;
      if (depth > 0) continue;
      if (type == WendLexer::TIER) tier = true;
      if (type == WendLexer::LBRACE) return !tier && !value_must_follow(first[i - 1]);
      if (type == WendLexer::RBRACE || type == WendLexer::WHEN || type == WendLexer::ASSIGN || is_verb(type))
        return false;
    }
    return false;
  };
  for (size_t i = 0; i < count; ++i) {
    if (first[i]->getType() != WendLexer::WHEN) continue;
    const size_t before = i > 0 ? first[i - 1]->getType() : 0;
    const bool begins_statement = before == WendLexer::LBRACE || before == WendLexer::RBRACE;
    if (begins_statement || has_block(i + 1)) first[i]->setType(WendLexer::WHEN_BLOCK);
  }
}

}  // namespace wend::syntax
