#include "compiler/syntax/format_layout.h"

#include <utf8proc.h>

#include <algorithm>

#include "WendLexer.h"

namespace wend::syntax {
namespace {

using grammar::WendLexer;

// Where a line may be broken, loosest first; 0: nowhere. A break stands before the token, after a comma.
size_t looseness(const FormatToken& token) {
  switch (token.type) {
    case WendLexer::WITHIN:
      return token.parent == Grammar::RuleRenderBudget ? 12 : 0;
    case WendLexer::COMMA:
      return token.parent == Grammar::RuleClause ? 0 : 11;  // `for q, i in list` stays together
    case WendLexer::FOR:
    case WendLexer::WHERE:
      return 11;
    case WendLexer::IF:
      return 10;
    case WendLexer::CAP:
      return 9;
    case WendLexer::ELSE:
      return 8;
    case WendLexer::WHEN:
      return 7;
    case WendLexer::OR:
      return 6;
    case WendLexer::AND:
      return 5;
    case WendLexer::EQUAL:
    case WendLexer::NOT_EQUAL:
    case WendLexer::LESS:
    case WendLexer::LESS_EQUAL:
    case WendLexer::GREATER:
    case WendLexer::GREATER_EQUAL:
      return token.parent == Grammar::RuleComparator ? 4 : 0;
    case WendLexer::COALESCE:
      return 3;
    case WendLexer::PLUS:
      return 2;
    case WendLexer::MINUS:
      return token.parent == Grammar::RuleAdditive ? 2 : 0;
    case WendLexer::STAR:
    case WendLexer::SLASH:
      return 1;
    default:
      return 0;
  }
}

bool opens(size_t type) {
  return type == WendLexer::LPAREN || type == WendLexer::LBRACKET || type == WendLexer::LBRACE;
}

bool closes(size_t type) {
  return type == WendLexer::RPAREN || type == WendLexer::RBRACKET || type == WendLexer::RBRACE;
}

// Brackets that follow what they belong to without a space.
bool hugs(const FormatToken& opener) {
  return is_one_of(opener.parent, {Grammar::RuleArguments, Grammar::RuleParameters, Grammar::RuleHandler,
                                   Grammar::RulePoint, Grammar::RuleCallLiteral, Grammar::RuleSuffix});
}

// `:` with a space before it: where columns of names and types line up.
bool spaced_colon(const FormatToken& colon) {
  return is_one_of(colon.parent,
                   {Grammar::RuleParam, Grammar::RuleMetric, Grammar::RuleCueEntry, Grammar::RuleBeliefField});
}

}  // namespace

size_t display_width(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  size_t width = 0;
  for (size_t i = 0; i < text.size();) {
    utf8proc_int32_t code = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i,
                                         static_cast<utf8proc_ssize_t>(text.size() - i), &code);
    if (length <= 0) return width;
    width += static_cast<size_t>(std::max(0, utf8proc_charwidth(code)));
    i += static_cast<size_t>(length);
  }
  return width;
}

bool Layout::space_between(const FormatToken& left, const FormatToken& right) const {
  switch (left.type) {
    case WendLexer::LPAREN:
    case WendLexer::LBRACKET:
    case WendLexer::DOT:
      return false;
    case WendLexer::MINUS:
      if (left.parent == Grammar::RuleUnary) return right.type == WendLexer::MINUS;
      break;
    case WendLexer::INTEGER:
    case WendLexer::REAL:  // or the point would belong to the number
      if (right.type == WendLexer::DOT) return true;
      break;
    case WendLexer::LESS:
      if (left.parent == Grammar::RuleType) return false;
      break;
    case WendLexer::DOTDOT:
      if (left.parent == Grammar::RuleTierArm && right.type != WendLexer::FAT_ARROW) return false;
      break;
    default:
      break;
  }
  switch (right.type) {
    case WendLexer::RPAREN:
    case WendLexer::RBRACKET:
    case WendLexer::COMMA:
    case WendLexer::DOT:
    case WendLexer::QUESTION:
      return false;
    case WendLexer::LPAREN:
    case WendLexer::LBRACKET:
      return !hugs(right);
    case WendLexer::DOTDOT:
      return right.parent != Grammar::RuleTierArm || left.type == WendLexer::COMMA || left.type == WendLexer::LBRACE;
    case WendLexer::COLON:
      return spaced_colon(right);
    case WendLexer::LESS:
    case WendLexer::GREATER:
      return right.parent != Grammar::RuleType;
    case WendLexer::RBRACE:
      return left.type != WendLexer::LBRACE;
    default:
      return true;
  }
}

std::string Layout::flat(size_t first, size_t last) const {
  std::string out;
  const FormatToken* left = nullptr;
  for (size_t i = first; i < last; ++i) {
    const FormatToken& token = tokens_[i];
    if (token.dropped) continue;
    if (left && space_between(*left, token)) out += ' ';
    out.append(token.pad, ' ');
    out += token.text;
    left = &token;
  }
  return out;
}

// The places of the loosest kind in [first, last) outside brackets.
std::vector<size_t> Layout::breaks(size_t first, size_t last) const {
  std::vector<size_t> places;
  size_t loosest = 0;
  for (size_t i = first; i < last; ++i) {
    const FormatToken& token = tokens_[i];
    if (opens(token.type)) {
      i = token.match;
      continue;
    }
    const bool next_phrase = token.type == WendLexer::TEXT && i > first && tokens_[i - 1].type == WendLexer::TEXT;
    const size_t level = token.dropped || i == first ? 0 : next_phrase ? 1 : looseness(token);
    if (level == 0 || level < loosest) continue;
    const size_t place = token.type == WendLexer::COMMA ? i + 1 : i;
    if (place >= last) continue;
    if (level > loosest) places.clear();
    loosest = level;
    places.push_back(place);
  }
  return places;
}

// The opener of the widest bracket; `last` if there is none with contents.
size_t Layout::widest_bracket(size_t first, size_t last) const {
  size_t widest = 0, found = last;
  for (size_t i = first; i < last; ++i) {
    if (!opens(tokens_[i].type)) continue;
    const size_t width = flat_width(i, tokens_[i].match + 1);
    if (tokens_[i].match > i + 1 && width > widest) {
      widest = width;
      found = i;
    }
    i = tokens_[i].match;
  }
  return found;
}

// The token printed before token `i`.
size_t Layout::before(size_t i) const {
  do {
    --i;
  } while (tokens_[i].dropped);
  return i;
}

bool Layout::keeps_comments(size_t i) const {
  const FormatToken &left = tokens_[before(i)], &right = tokens_[i];
  if (opens(left.type)) return !closes(right.type);
  if (closes(right.type)) return true;
  if (left.type == WendLexer::COMMA) return looseness(left) > 0;
  if (left.type == WendLexer::TEXT && right.type == WendLexer::TEXT) return true;
  if (left.type == WendLexer::ASSIGN) {
    return is_one_of(left.parent, {Grammar::RuleParam, Grammar::RuleFn, Grammar::RuleDetect, Grammar::RuleMetric});
  }
  return right.type != WendLexer::COMMA && looseness(right) > 0;
}

bool Layout::holds_comments(size_t first, size_t last) const {
  for (size_t i = first + 1; i < last; ++i) {
    if (tokens_[i].dropped) continue;
    const bool any = !tokens_[i].above.empty() || !tokens_[before(i)].after.empty();
    if (any && keeps_comments(i)) return true;
  }
  return false;
}

std::string Layout::line_end(size_t i, size_t comments, size_t indent) const {
  std::string out;
  for (const Comment& comment : tokens_[before(i)].after) out += "  " + comment.text;
  out += '\n';
  for (const Comment& comment : tokens_[i].above) out += std::string(comments, ' ') + inner_text(comment) + '\n';
  return out + std::string(indent, ' ');
}

// The opener of the first bracket that holds comments; `last` if there is none.
size_t Layout::commented_bracket(size_t first, size_t last) const {
  for (size_t i = first; i < last; ++i) {
    if (!opens(tokens_[i].type)) continue;
    if (holds_comments(i, tokens_[i].match + 1)) return i;
    i = tokens_[i].match;
  }
  return last;
}

std::string Layout::broken(size_t first, size_t last, Margin margin, size_t column) const {
  std::string line = flat(first, last);
  const size_t width = display_width(line);
  const bool commented = holds_comments(first, last);
  if (column + width <= kLineWidth && !commented) return line;
  std::vector<size_t> starts{first};
  const std::vector<size_t> places = breaks(first, last);
  starts.insert(starts.end(), places.begin(), places.end());
  size_t opener = commented ? commented_bracket(first, last) : last;
  if (opener == last) opener = widest_bracket(first, last);
  if (opener == last) return places.empty() ? line : pieces(starts, last, margin, column);

  // Where all pieces fit on their lines, or no bracket holds the most of it, between the pieces; else inside the
  // bracket.
  bool all_fit = !places.empty();
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : last;
    all_fit = all_fit && (i > 0 ? margin.hang : column) + flat_width(starts[i], end) <= kLineWidth;
  }
  const size_t closer = tokens_[opener].match;
  const bool dominates = 2 * flat_width(opener, closer + 1) > width;
  const bool head_fits = column + flat_width(first, opener + 1) <= kLineWidth;
  const bool tail_fits = margin.indent + flat_width(closer, last) <= kLineWidth;
  bool inside = !all_fit && dominates && head_fits && tail_fits;
  if (commented) {
    // Only where the bracket holds all the comments.
    const bool outside = holds_comments(first, opener + 1) || holds_comments(closer, last);
    inside = !outside && dominates && head_fits && tail_fits;
  }
  if (places.empty()) inside = true;
  return inside ? vertical(opener, first, last, margin) : pieces(starts, last, margin, column);
}

// Each piece on a line of its own, those after the first at the margin's hang.
std::string Layout::pieces(const std::vector<size_t>& starts, size_t last, Margin margin, size_t column) const {
  std::string out;
  const Margin inner{margin.hang, margin.hang + kIndent};
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : last;
    if (i > 0) out += line_end(starts[i], margin.hang, margin.hang);
    out += broken(starts[i], end, inner, i > 0 ? margin.hang : column);
  }
  return out;
}

// What is inside the bracket on lines of its own.
std::string Layout::vertical(size_t opener, size_t first, size_t last, Margin margin) const {
  const size_t closer = tokens_[opener].match;
  const size_t deeper = margin.indent + kIndent;
  std::string out = flat(first, opener + 1);
  std::vector<size_t> starts{opener + 1};
  const std::vector<size_t> places = breaks(opener + 1, closer);
  const auto parts = [&](size_t i) {  // of a list or a fold
    const size_t type = tokens_[i].type;
    return type == WendLexer::FOR || type == WendLexer::IF || tokens_[i - 1].type == WendLexer::COMMA;
  };
  if (!places.empty() && parts(places.front())) starts.insert(starts.end(), places.begin(), places.end());
  // Parts stand below each other, and so do alternatives that nothing separates from the bracket.
  const Margin inner{deeper, starts.size() > 1 ? deeper + kIndent : deeper};
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : closer;
    out += line_end(starts[i], deeper, deeper) + broken(starts[i], end, inner, deeper);
  }
  return out + line_end(closer, deeper, margin.indent) + broken(closer, last, margin, margin.indent);
}

}  // namespace wend::syntax
