// Cuts the tokens of a file into items, and checks in the same pass what would hurt the parser or its error messages:
// brackets that do not match, nesting too deep, operators without end.
#include <algorithm>
#include <array>

#include "WendLexer.h"
#include "compiler/syntax/tokens.h"

namespace wend::syntax {
namespace {

using antlr4::CommonToken;
using grammar::WendLexer;

constexpr size_t kMaxNesting = 200;
constexpr size_t kMaxOperators = 1000;
constexpr size_t kMaxBrokenItems = 100;  // then the file is something else; the rest is left alone

struct Open {
  const CommonToken* token;
  size_t prefixes;   // prefix operators right before it, which nest too
  size_t operators;  // so far in the expression around it
};

size_t closer_of(size_t opener) {
  switch (opener) {
    case WendLexer::LPAREN:
      return WendLexer::RPAREN;
    case WendLexer::LBRACKET:
      return WendLexer::RBRACKET;
    default:
      return WendLexer::RBRACE;
  }
}

bool opens(size_t type) {
  return type == WendLexer::LPAREN || type == WendLexer::LBRACKET || type == WendLexer::LBRACE;
}
bool closes(size_t type) {
  return type == WendLexer::RPAREN || type == WendLexer::RBRACKET || type == WendLexer::RBRACE;
}

bool begins_declaration(size_t type) {
  return is_one_of(type, {WendLexer::EDITION, WendLexer::MODULE, WendLexer::USE, WendLexer::PARAM, WendLexer::ENUM,
                          WendLexer::FN, WendLexer::DETECT, WendLexer::METRIC, WendLexer::JUDGE, WendLexer::REWARD,
                          WendLexer::TEST, WendLexer::BELIEF, WendLexer::CUES, WendLexer::RENDER, WendLexer::SCENARIO,
                          WendLexer::PHRASES, WendLexer::FILTER, WendLexer::CONTEXT});
}

// Where one expression ends and the count of operators begins anew.
bool separates(size_t type) {
  return is_one_of(type, {WendLexer::ASSIGN, WendLexer::COMMA, WendLexer::COLON, WendLexer::FAT_ARROW, WendLexer::FOR,
                          WendLexer::IF, WendLexer::WHEN_BLOCK});
}

bool is_operator(size_t type) {
  return is_one_of(type, {WendLexer::AND,  WendLexer::OR,         WendLexer::NOT,      WendLexer::IN,
                          WendLexer::IS,   WendLexer::HAS,        WendLexer::CAP,      WendLexer::WHEN,
                          WendLexer::ELSE, WendLexer::EXISTS,     WendLexer::NONEMPTY, WendLexer::EXCEPT,
                          WendLexer::DOT,  WendLexer::COALESCE,   WendLexer::EQUAL,    WendLexer::NOT_EQUAL,
                          WendLexer::LESS, WendLexer::LESS_EQUAL, WendLexer::GREATER,  WendLexer::GREATER_EQUAL,
                          WendLexer::PLUS, WendLexer::MINUS,      WendLexer::STAR,     WendLexer::SLASH});
}

class Cutter {
 public:
  Cutter(const SourceSet& sources, TokenList& tokens, Diagnostics& diagnostics)
      : text_(sources.file(tokens.file).text),
        sources_(sources),
        tokens_(tokens),
        code_(tokens.code),
        diagnostics_(diagnostics) {}

  std::vector<Item> run(bool cut) {
    for (size_t i = 0; i < code_.size(); ++i) {
      if (i == 0 || (cut && begins_item(i))) start_item(i);
      if (broken_items_ > kMaxBrokenItems) return std::move(items_);
      step(i);
    }
    if (!items_.empty()) end_item(code_.size());
    return std::move(items_);
  }

 private:
  // ---- items
  void start_item(size_t i) {
    if (!items_.empty()) end_item(i);
    items_.push_back({i, 0, false});
    open_.clear();
    suspect_ = nullptr;
    prefixes_ = nesting_ = operators_ = 0;
  }

  void end_item(size_t i) {
    Item& item = items_.back();
    item.count = i - item.first;
    report_mistakes(i);
    if (!open_.empty()) unclosed(open_.front().token, i);
    if (item.broken) ++broken_items_;
  }

  // The first of the mistakes within tokens is the item's mistake.
  void report_mistakes(size_t i) {
    const size_t limit = i < code_.size() ? code_[i]->getStartIndex() : text_.size() + 1;
    for (; next_mistake_ < tokens_.mistakes.size() && tokens_.mistakes[next_mistake_].span.begin < limit;
         ++next_mistake_) {
      if (items_.back().broken) continue;
      Diagnostic& mistake = tokens_.mistakes[next_mistake_];
      Diagnostic& reported = report(mistake.kind, mistake.span, mistake.message);
      reported.help = mistake.help;
      reported.fix = mistake.fix;
    }
  }

  Diagnostic& report(Kind kind, Span span, std::string message) {
    items_.back().broken = true;
    return diagnostics_.report(kind, span, std::move(message));
  }

  bool begins_line(size_t i) const {
    for (size_t at = code_[i]->getStartIndex(); at > 0; --at) {
      const char c = text_[at - 1];
      if (c == '\n' || c == '\r') return true;
      if (c != ' ' && c != '\t') return false;
    }
    return true;
  }
  size_t column(const CommonToken* token) const { return token->getCharPositionInLine(); }

  bool begins_item(size_t i) const {
    const CommonToken* prev = code_[i - 1];
    const CommonToken* next = i + 1 < code_.size() ? code_[i + 1] : nullptr;
    if (!next) return false;
    const size_t type = code_[i]->getType();
    const size_t following = next->getType();
    if (!begins_declaration(type)) {
      // A misspelt word for a declaration: two words in a row at the beginning of a line, where nothing is open.
      return type == WendLexer::NAME && open_.empty() && column(code_[i]) == 0 && is_word(next) && begins_line(i) &&
             !value_must_follow(prev);
    }
    const bool shaped = is_word(next) || following == WendLexer::TEXT || following == WendLexer::LONG_TEXT ||
                        (type == WendLexer::EDITION && following == WendLexer::INTEGER) ||
                        (type == WendLexer::CONTEXT && following == WendLexer::NONE);
    if (!shaped) return begins_line(i) && column(code_[i]) == 0 && open_.empty() && !value_must_follow(prev);
    if (open_.empty() && !value_must_follow(prev)) return true;
    return begins_line(i) && column(code_[i]) == 0 && has_shape_of_declaration(i);
  }

  // The third token decides where the first two might be something else.
  bool has_shape_of_declaration(size_t i) const {
    const size_t third = i + 2 < code_.size() ? code_[i + 2]->getType() : 0;
    switch (code_[i]->getType()) {
      case WendLexer::PARAM:
      case WendLexer::METRIC:
        return third == WendLexer::COLON;
      case WendLexer::FN:
      case WendLexer::PHRASES:
        return third == WendLexer::LPAREN;
      case WendLexer::DETECT:
      case WendLexer::JUDGE:
      case WendLexer::REWARD:
        return third == WendLexer::ON;
      case WendLexer::RENDER:
        return third == WendLexer::OF;
      case WendLexer::SCENARIO:
        return third == WendLexer::IN || third == WendLexer::LBRACE;
      case WendLexer::CONTEXT:
        return third == WendLexer::LPAREN || third == WendLexer::LBRACE;
      case WendLexer::ENUM:
      case WendLexer::TEST:
      case WendLexer::BELIEF:
      case WendLexer::CUES:
      case WendLexer::FILTER:
        return third == WendLexer::LBRACE;
      default:
        return false;
    }
  }

  // ---- brackets, nesting, length
  void step(size_t i) {
    const CommonToken* token = code_[i];
    const size_t type = token->getType();
    const CommonToken* prev = i > items_.back().first ? code_[i - 1] : nullptr;
    const bool prefix = (type == WendLexer::MINUS && (value_must_follow(prev) || !prev)) || type == WendLexer::NOT;
    if (opens(type)) {
      if (prev && !value_must_follow(prev)) count_operator(token);  // f(x)(y)(z): a chain too
      open_.push_back({token, prefixes_, operators_});
      nesting_ += prefixes_ + 1;
      operators_ = 0;
    } else if (closes(type)) {
      close(token, type);
    } else if (separates(type)) {
      operators_ = 0;
    } else if (is_operator(type)) {
      count_operator(token);
    }
    prefixes_ = prefix ? prefixes_ + 1 : 0;
    if (nesting_ + prefixes_ > kMaxNesting && !items_.back().broken) {
      report(Kind::nesting_too_deep, span_of(tokens_.file, *token), "nested deeper than 200").help =
          "name parts of the expression with `fn`";
    }
  }

  void count_operator(const CommonToken* token) {
    if (++operators_ <= kMaxOperators || items_.back().broken) return;
    report(Kind::expression_too_long, span_of(tokens_.file, *token), "more than 1000 operators in one expression")
        .help = "name parts of it with `fn`, or fold over a list: `sum(x for x in [...])`";
  }

  void close(const CommonToken* token, size_t type) {
    if (open_.empty()) {
      if (items_.back().broken) return;
      report(Kind::unmatched_bracket, span_of(tokens_.file, *token), "`" + word(*token) + "` closes nothing").help =
          "remove it, or add the bracket that opens";
      return;
    }
    if (closer_of(open_.back().token->getType()) != type) {
      mismatched(token, type);
      return;
    }
    const Open closed = open_.back();
    open_.pop_back();
    nesting_ -= closed.prefixes + 1;
    operators_ = closed.operators;
    // Braces that do not line up: the first such pair is likely where one is missing.
    if (type == WendLexer::RBRACE && !suspect_ && indentation(closed.token) > indentation(token) && alone(token)) {
      suspect_ = closed.token;
    }
  }

  void mismatched(const CommonToken* token, size_t type) {
    const auto fits = std::find_if(open_.rbegin(), open_.rend(),
                                   [&](const Open& open) { return closer_of(open.token->getType()) == type; });
    if (!items_.back().broken) {
      const CommonToken* opener = open_.back().token;
      missing_closer(opener, span_of(tokens_.file, *token), "before `" + word(*token) + "`");
    }
    if (fits == open_.rend()) {  // taken for the bracket that was meant
      pop();
      return;
    }
    while (closer_of(open_.back().token->getType()) != type) pop();
    pop();
  }
  void pop() {
    nesting_ -= open_.back().prefixes + 1;
    operators_ = open_.back().operators;
    open_.pop_back();
  }

  // The item ends with a bracket open.
  void unclosed(const CommonToken* opener, size_t i) {
    if (items_.back().broken) return;
    if (suspect_ && opener->getType() == WendLexer::LBRACE) opener = suspect_;
    const CommonToken* last = code_[i - 1];
    const auto end = static_cast<uint32_t>(last->getStopIndex() + 1);
    const bool at_end = i == code_.size();
    const Span span = at_end ? Span{tokens_.file, end, end} : span_of(tokens_.file, *code_[i]);
    missing_closer(opener, span, at_end ? "before the end of the file" : "before the next declaration");
  }

  void missing_closer(const CommonToken* opener, Span span, const std::string& where) {
    const std::string closer = opener->getType() == WendLexer::LPAREN     ? ")"
                               : opener->getType() == WendLexer::LBRACKET ? "]"
                                                                          : "}";
    Diagnostic& reported = report(Kind::unclosed_bracket, span, "expected `" + closer + "` " + where);
    reported.label = Label{span_of(tokens_.file, *opener), "this `" + word(*opener) + "` is not closed"};
    reported.help = "add `" + closer + "`";
  }

  std::string word(const antlr4::Token& token) const {
    return std::string(sources_.text(span_of(tokens_.file, token)));
  }

  // Column of the first character of the token's line that is not white space.
  size_t indentation(const CommonToken* token) const {
    const std::string_view line = sources_.line(tokens_.file, static_cast<uint32_t>(token->getLine()));
    const size_t first = line.find_first_not_of(" \t");
    return first == line.npos ? 0 : first;
  }
  bool alone(const CommonToken* token) const { return indentation(token) == column(token); }

  const std::string_view text_;
  const SourceSet& sources_;
  TokenList& tokens_;
  const std::vector<CommonToken*>& code_;
  Diagnostics& diagnostics_;

  std::vector<Item> items_;
  std::vector<Open> open_;
  const CommonToken* suspect_ = nullptr;
  size_t prefixes_ = 0, nesting_ = 0, operators_ = 0, next_mistake_ = 0, broken_items_ = 0;
};

}  // namespace

std::vector<Item> cut_items(const SourceSet& sources, TokenList& tokens, Diagnostics& diagnostics) {
  return Cutter(sources, tokens, diagnostics).run(true);
}

bool check_expression_tokens(const SourceSet& sources, TokenList& tokens, Diagnostics& diagnostics) {
  const std::vector<Item> items = Cutter(sources, tokens, diagnostics).run(false);
  return items.empty() || !items.front().broken;
}

}  // namespace wend::syntax
