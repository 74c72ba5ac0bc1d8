#include "compiler/syntax/failure.h"

#include <algorithm>
#include <vector>

#include "WendLexer.h"
#include "WendParser.h"

namespace wend::syntax {
namespace {

using antlr4::misc::IntervalSet;
using grammar::WendLexer;
using grammar::WendParser;

[[noreturn]] void give_up(antlr4::Parser* parser) {
  throw Failure{parser->getCurrentToken(), parser->getExpectedTokens(), parser->getContext()->getRuleIndex()};
}

bool contains(const IntervalSet& set, size_t type) { return set.contains(type); }

// ---- what was expected, in words ------------------------------------------------------------------------------------

// What may stand in the block of a rule: loops end silently, so ANTLR knows only of the `}`.
std::string_view contents_of(size_t rule) {
  switch (rule) {
    case WendParser::RuleReward:
      return "`stop`, `layer`, `clamp` or `}`";
    case WendParser::RuleLayer:
      return "a term (`name = value`) or `}`";
    case WendParser::RuleJudge:
      return "`rule = ...`, `system \"...\"`, `prompt \"...\"` or `}`";
    case WendParser::RuleTest:
      return "`trace`, `set`, `expect` or `}`";
    case WendParser::RuleTrace:
      return "`tool`, `system`, `user`, `call`, `result`, `reply`, `gold`, `chain`, `family`, `scenario` or `}`";
    case WendParser::RuleGoldLiteral:
      return "`calls`, `stale`, `signal`, `kind`, `missing` or `}`";
    case WendParser::RuleBelief:
      return "a field (`slots`, `goal`, `stack`, `last`, `queue`, `objects` and its name, or `name : type`), `on` or "
             "`}`";
    case WendParser::RuleBlock:
      return "a statement or `}`";
    case WendParser::RuleCues:
      return "an entry (`label : \"phrase\" ...`) or `}`";
    case WendParser::RuleRender:
      return "a block (`Name { ... }` or `Name [ ... ]`) or `}`";
    case WendParser::RuleScenario:
      return "`from`, `let`, `inject`, `splice`, `gold`, `require`, `primary`, `share` or `}`";
    case WendParser::RuleInject:
      return "`user`, `reply`, `system`, `call`, `result` or `}`";
    case WendParser::RuleScenarioGold:
      return "`calls`, `stale`, `signal`, `kind`, `missing`, `abandon`, `reference` or `}`";
    case WendParser::RulePhrases:
      return "a text or `}`";
    case WendParser::RuleFilter:
      return "`every`, `require` or `}`";
    case WendParser::RuleContext:
      return "`history`, `draft`, `render`, `inject`, `carry`, `compress` or `}`";
    case WendParser::RuleObject:
      return "`name: value` or `}`";
    case WendParser::RuleEnumeration:
      return "`,` or `}`";
    case WendParser::RuleArguments:
    case WendParser::RuleParameters:
    case WendParser::RuleCallLiteral:
      return "`,` or `)`";
    case WendParser::RuleList:
      return "`,` or `]`";
    default:
      return {};
  }
}

std::string join_words(const std::vector<std::string>& words) {
  std::string result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

std::string quoted(size_t type, const antlr4::dfa::Vocabulary& vocabulary) {
  switch (type) {
    case WendLexer::NAME:
      return "a name";
    case WendLexer::INTEGER:
      return "a whole number";
    case WendLexer::REAL:
      return "a number";
    case WendLexer::PERCENT:
      return "a percentage";
    case WendLexer::TEXT:
    case WendLexer::LONG_TEXT:
      return "a text";
    case WendLexer::WHEN_BLOCK:
      return "`when`";
    case antlr4::Token::EOF:
      return "the end of the declaration";
    default:
      break;
  }
  std::string literal = vocabulary.getLiteralName(type);  // with single quotes around
  if (literal.size() > 2) literal = literal.substr(1, literal.size() - 2);
  return "`" + literal + "`";
}

std::string expected_words(const Failure& failure) {
  if (failure.expected.contains(static_cast<size_t>(WendLexer::RBRACE)) ||
      failure.expected.contains(static_cast<size_t>(WendLexer::RPAREN)) ||
      failure.expected.contains(static_cast<size_t>(WendLexer::RBRACKET))) {
    const std::string_view contents = contents_of(failure.rule);
    if (!contents.empty()) return std::string(contents);
  }
  const IntervalSet& set = failure.expected;
  const bool value =
      contains(set, WendLexer::NAME) && contains(set, WendLexer::INTEGER) && contains(set, WendLexer::LPAREN);
  const bool any_name =
      contains(set, WendLexer::NAME) && contains(set, WendLexer::TRACE) && contains(set, WendLexer::SLOTS);
  std::vector<std::string> words;
  if (value)
    words.push_back("a value");
  else if (any_name)
    words.push_back("a name");
  static const WendLexer vocabulary_of(nullptr);
  const antlr4::dfa::Vocabulary& vocabulary = vocabulary_of.getVocabulary();
  for (const ssize_t element : set.toList()) {
    const auto type = static_cast<size_t>(element);
    const bool soft = type >= WendLexer::EDITION && type <= WendLexer::NAME;
    const bool in_value = type <= WendLexer::NAME || (type >= WendLexer::INTEGER && type <= WendLexer::TEXT) ||
                          type == WendLexer::LPAREN || type == WendLexer::LBRACKET || type == WendLexer::LBRACE ||
                          type == WendLexer::MINUS;
    if ((value && in_value) || (any_name && soft)) continue;
    std::string word = quoted(type, vocabulary);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  }
  return join_words(words);
}

// ---- the likely mistake ---------------------------------------------------------------------------------------------

class Explanation {
 public:
  Explanation(const Failure& failure, const SourceSet& sources, const TokenList& tokens, const Item& item)
      : failure_(failure), sources_(sources), tokens_(tokens), item_(item), type_(failure.found->getType()) {
    if (type_ == antlr4::Token::EOF) {
      place_ = item.first + item.count;
      const Span last = span_of(tokens.file, *tokens.code[place_ - 1]);
      span_ = {tokens.file, last.end, last.end};
    } else {
      while (tokens.code[item.first + place_] != failure.found) ++place_;
      place_ += item.first;
      span_ = span_of(tokens.file, *failure.found);
    }
  }

  void report(Diagnostics& diagnostics) const {
    if (assignment(diagnostics) || filter_without_fold(diagnostics) || unknown_declaration(diagnostics)) return;
    const std::string expected = expected_words(failure_);
    const std::string found =
        type_ == antlr4::Token::EOF ? "before the end of the declaration" : "found " + found_words();
    const std::string comma = type_ == antlr4::Token::EOF ? " " : ", ";
    Diagnostic& reported = diagnostics.report(Kind::unexpected_token, span_, "expected " + expected + comma + found);
    reported.help = help();
  }

 private:
  size_t type_at(size_t place) const {
    return place >= item_.first && place < item_.first + item_.count ? tokens_.code[place]->getType() : 0;
  }
  std::string text_at(size_t place) const {
    return std::string(sources_.text(span_of(tokens_.file, *tokens_.code[place])));
  }
  bool expects(size_t type) const { return contains(failure_.expected, type); }

  std::string found_words() const {
    switch (type_) {
      case WendLexer::TEXT:
      case WendLexer::LONG_TEXT:
        return "a text";
      default:
        return "`" + std::string(sources_.text(span_)) + "`";
    }
  }

  // `u.index = 3` where a value ends.
  bool assignment(Diagnostics& diagnostics) const {
    if (type_ != WendLexer::ASSIGN || expects(WendLexer::COLON) || expects(WendLexer::NAME) ||
        expects(WendLexer::LBRACE)) {
      return false;
    }
    const bool names_first = place_ <= item_.first + 1;
    if (names_first) return false;
    Diagnostic& reported =
        diagnostics.report(Kind::assignment_for_equality, span_, "`=` defines a name and cannot stand in a value");
    reported.help = "to compare, write `==`";
    reported.fix = Fix{span_, "=="};
    return true;
  }

  bool filter_without_fold(Diagnostics& diagnostics) const {
    if (type_ != WendLexer::IF) return false;
    Diagnostic& reported =
        diagnostics.report(Kind::if_without_for, span_, "`if` belongs to a fold, after `for NAME in LIST`");
    reported.help = "a value under a condition is `VALUE when CONDITION else VALUE`";
    return true;
  }

  bool unknown_declaration(Diagnostics& diagnostics) const {
    if (failure_.rule != WendParser::RuleItem || place_ != item_.first) return false;
    const std::string word = text_at(place_);
    Diagnostic& reported =
        diagnostics.report(Kind::unknown_word, span_, "no declaration begins with `" + word.substr(0, 60) + "`");
    const std::string near = nearest(word, declaration_words());
    if (near.empty()) {
      reported.help =
          "declarations are: param, enum, fn, detect, metric, judge, reward, test, belief, cues, render, "
          "scenario, phrases, filter, context";
    } else {
      reported.help = "did you mean `" + near + "`?";
      reported.fix = Fix{span_, near};
    }
    return true;
  }

  static std::vector<std::string> declaration_words() {
    return {"edition", "module", "use",    "param", "enum",   "fn",       "detect",  "metric", "judge",
            "reward",  "test",   "belief", "cues",  "render", "scenario", "phrases", "filter", "context"};
  }

  std::string help() const {
    if (expects(WendLexer::COLON) && type_ == WendLexer::ASSIGN) return "a type comes first: `: real`";
    if (expects(WendLexer::COLON) && type_ == WendLexer::NAME) return "put `:` before the type";
    if (expects(WendLexer::ASSIGN) && type_ == WendLexer::COLON) return "write `=`";
    if (expects(WendLexer::ASSIGN) && type_ == WendLexer::EQUAL) return "to define a name, write `=`";
    const bool reserved = type_ >= WendLexer::AND && type_ <= WendLexer::DISTINCT;
    const bool wants_name = expects(WendLexer::NAME);
    if (reserved && wants_name && type_at(place_ - 1) != 0) {
      return "`" + text_at(place_) + "` is a word of the language; choose another name";
    }
    if (type_ == WendLexer::NAME) {
      const std::string near = nearest(text_at(place_), expected_keywords());
      if (!near.empty()) return "did you mean `" + near + "`?";
      if (const std::string advice = advice_for_word(text_at(place_)); !advice.empty()) return advice;
    }
    if (expects(WendLexer::LBRACE) && failure_.rule == WendParser::RuleLayer &&
        type_at(place_ - 1) == WendLexer::NAME) {
      const std::string near = nearest(text_at(place_ - 1), {"layer", "stop", "clamp"});
      if (!near.empty()) return "did you mean `" + near + "` for `" + text_at(place_ - 1) + "`?";
    }
    if (expects(WendLexer::FAT_ARROW)) return "an arm of a tier is `FROM .. TO => VALUE`";
    if (type_ == WendLexer::LBRACKET && failure_.rule == WendParser::RuleStatement)
      return "an assignment is `NAME = VALUE`";
    return {};
  }

  // Words of other languages.
  static std::string advice_for_word(const std::string& word) {
    if (word == "then" || word == "elif" || word == "elseif") return "a condition is `VALUE when CONDITION else VALUE`";
    if (word == "where" || word == "such") return "a fold is filtered with `if`";
    if (word == "return") return "a declaration's value follows its `=`";
    if (word == "null" || word == "nil") return "write `none`";
    return {};
  }

  std::vector<std::string> expected_keywords() const {
    std::vector<std::string> words;
    const std::string all = expected_words(failure_);  // every word in backticks is one
    for (size_t at = all.find('`'); at != all.npos; at = all.find('`', at)) {
      const size_t end = all.find('`', at + 1);
      const std::string quoted_words = all.substr(at + 1, end - at - 1);
      words.push_back(quoted_words.substr(0, quoted_words.find(' ')));
      at = end + 1;
    }
    return words;
  }

  const Failure& failure_;
  const SourceSet& sources_;
  const TokenList& tokens_;
  const Item& item_;
  size_t type_;
  size_t place_ = 0;  // of the failure in TokenList::code
  Span span_;
};

}  // namespace

void GiveUp::recover(antlr4::Parser* parser, std::exception_ptr) { give_up(parser); }

antlr4::Token* GiveUp::recoverInline(antlr4::Parser* parser) { give_up(parser); }

void report_failure(const Failure& failure, const SourceSet& sources, const TokenList& tokens, const Item& item,
                    Diagnostics& diagnostics) {
  Explanation(failure, sources, tokens, item).report(diagnostics);
}

}  // namespace wend::syntax
