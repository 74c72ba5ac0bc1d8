#include "compiler/syntax/format.h"

#include <algorithm>

#include "WendLexer.h"
#include "compiler/syntax/format_layout.h"
#include "compiler/syntax/tree.h"

namespace wend {
namespace syntax {
namespace {

using grammar::WendLexer;

class Formatter {
 public:
  explicit Formatter(std::vector<FormatToken> tokens) : tokens_(std::move(tokens)), layout_(tokens_) {}

  std::vector<FormatToken>& tokens() { return tokens_; }

  std::string file(const std::vector<Node>& items) {
    align(items);
    std::string out, previous;
    for (size_t i = 0; i < items.size(); ++i) {
      std::string text = node(items[i], 0);
      const bool blank = i > 0 && (tokens_[items[i].first].blank_before || lines_of_code(previous) > 1 ||
                                   lines_of_code(text) > 1 || heads(items[i]) != heads(items[i - 1]));
      if (blank) out += '\n';
      out += text;
      previous = std::move(text);
    }
    const FormatToken& end = tokens_.back();
    for (const Comment& comment : end.above) {
      const bool first = &comment == &end.above.front();
      if (!out.empty() && (first ? end.blank_before : comment.blank_before)) out += '\n';
      out += comment.text + '\n';
    }
    return out;
  }

 private:
  bool heads(const Node& item) const {
    const size_t type = tokens_[item.first].type;
    return type == WendLexer::EDITION || type == WendLexer::MODULE || type == WendLexer::USE;
  }
  static size_t lines_of_code(const std::string& text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) count += text.compare(at, 2, "//") != 0;
    return count;
  }

  // ---- columns
  void align(const std::vector<Node>& items) {
    // A declaration over several lines stands alone between empty lines, so it lines up with none.
    std::vector<bool> alone(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      const bool declaration = items[i].rule == Grammar::RuleItem;
      alone[i] = declaration && (items[i].segments.size() > 1 || lines_of_code(node(items[i], 0)) > 1);
    }
    for (size_t i = 0; i < items.size();) {
      size_t end = i + 1;
      while (end < items.size() && !alone[end - 1] && !alone[end] && lines_up(items[end - 1], items[end])) ++end;
      if (end > i + 1 && !align_group(items, i, end)) {
        // Columns that make a declaration too long are not worth it: without the longest of them.
        alone[longest(items, i, end)] = true;
        continue;
      }
      i = end;
    }
    for (const Node& item : items) {
      for (const Segment& segment : item.segments) {
        if (segment.opens_block) align(segment.items);
      }
    }
  }

  size_t longest(const std::vector<Node>& items, size_t begin, size_t end) const {
    const auto width = [&](const Node& item) { return layout_.flat_width(item.first, item.last); };
    size_t found = begin;
    for (size_t i = begin; i < end; ++i) {
      if (width(items[i]) > width(items[found])) found = i;
    }
    return found;
  }

  bool lines_up(const Node& a, const Node& b) const {
    const bool same = a.rule == b.rule && tokens_[a.first].type == tokens_[b.first].type;
    const bool both_items = a.rule == Grammar::RuleScenarioItem && b.rule == a.rule;
    return !a.marks.empty() && !b.marks.empty() && (same || both_items) && !tokens_[b.first].blank_before;
  }

  // False, and nothing is changed, when a declaration would not fit on its line.
  bool align_group(const std::vector<Node>& items, size_t begin, size_t end) {
    size_t marks = 0;
    for (size_t i = begin; i < end; ++i) marks = std::max(marks, items[i].marks.size());
    for (size_t mark = 0; mark < marks; ++mark) {
      size_t column = 0;
      const auto width = [&](const Node& item) {
        const size_t place = item.marks[mark];
        return layout_.flat_width(item.first, place + 1) - display_width(tokens_[place].text);
      };
      for (size_t i = begin; i < end; ++i) {
        if (items[i].marks.size() > mark) column = std::max(column, width(items[i]));
      }
      for (size_t i = begin; i < end; ++i) {
        if (items[i].marks.size() > mark) tokens_[items[i].marks[mark]].pad = column - width(items[i]);
      }
    }
    if (items[begin].rule != Grammar::RuleItem) return true;
    const auto fits = [&](const Node& item) { return layout_.flat_width(item.first, item.last) <= kLineWidth; };
    if (std::all_of(items.begin() + static_cast<long>(begin), items.begin() + static_cast<long>(end), fits))
      return true;
    for (size_t i = begin; i < end; ++i) {
      for (const size_t mark : items[i].marks) tokens_[mark].pad = 0;
    }
    return false;
  }

  // ---- a line and its blocks
  std::string node(const Node& item, size_t indent) {
    const std::string margin(indent, ' ');
    std::string out = comments_above(item, margin);
    if (collapses(item, indent)) {
      out += margin + collapsed(item);
    } else {
      out += margin;
      size_t column = indent;
      for (size_t i = 0; i < item.segments.size(); ++i) out += segment(item, i, indent, column);
    }
    return out + trailing(item.last - 1) + "\n";
  }

  std::string segment(const Node& item, size_t i, size_t indent, size_t& column) {
    const Segment& part = item.segments[i];
    std::string out;
    if (const size_t assign = i == 0 ? assign_to_break_after(part, item, indent) : 0) {
      const size_t deeper = indent + kIndent;
      out = layout_.broken(part.first, assign + 1, {indent, indent + kIndent}, column);
      out += layout_.line_end(assign + 1, deeper, deeper);
      out += layout_.broken(assign + 1, part.last, {deeper, deeper}, deeper);
    } else {
      out = layout_.broken(part.first, part.last, {indent, indent + kIndent}, column);
    }
    column = indent;
    if (!part.opens_block) return out;
    out += trailing(part.last - 1);
    const FormatToken& closer = tokens_[tokens_[part.last - 1].match];
    if (part.items.empty() && closer.above.empty() && tokens_[part.last - 1].after.empty()) return out;
    out += '\n';
    const size_t deeper = indent + kIndent;
    for (const Node& inner : part.items) {
      const bool first = &inner == &part.items.front();
      if (tokens_[inner.first].blank_before && !first) out += '\n';
      out += node(inner, deeper);
    }
    for (const Comment& comment : closer.above) {
      const bool first = &comment == &closer.above.front();
      if (comment.blank_before || (first && closer.blank_before && !part.items.empty())) out += '\n';
      out += std::string(deeper, ' ') + comment.text + '\n';
    }
    return out + std::string(indent, ' ');
  }

  // The place of the `=` of a declaration too long for a line, or with comments in it: its value goes on the lines
  // below. 0: none.
  size_t assign_to_break_after(const Segment& part, const Node& item, size_t indent) const {
    const bool commented = layout_.holds_comments(part.first, part.last);
    const bool fits = layout_.flat_width(part.first, part.last) + indent <= kLineWidth;
    if (item.rule != Grammar::RuleItem || (fits && !commented)) return 0;
    for (size_t i = part.first; i + 1 < part.last; ++i) {
      const size_t type = tokens_[i].type;
      if (type == WendLexer::LPAREN || type == WendLexer::LBRACKET || type == WendLexer::LBRACE) i = tokens_[i].match;
      if (tokens_[i].type != WendLexer::ASSIGN) continue;
      return commented || layout_.flat_width(part.first, i + 1) + indent <= kLineWidth ? i : 0;
    }
    return 0;
  }

  // ---- small blocks on one line
  static bool may_collapse(size_t rule) {
    switch (rule) {
      case Grammar::RuleBlock:
      case Grammar::RuleGoldLiteral:
      case Grammar::RuleScenarioGold:
      case Grammar::RuleInject:
      case Grammar::RuleContext:
        return true;
      default:
        return false;
    }
  }

  bool collapses(const Node& item, size_t indent) const {
    bool has_block = false;
    for (const Segment& part : item.segments) {
      if (layout_.holds_comments(part.first, part.last)) return false;
      if (!part.opens_block) continue;
      has_block = true;
      if (!may_collapse(tokens_[part.last - 1].parent) || part.items.size() > 4) return false;
      for (const Node& inner : part.items) {
        if (inner.segments.size() > 1) return false;  // blocks in blocks are easier to read on lines of their own
      }
      // Comments of the lines around it move above; those inside stay inside.
      const size_t opener = part.last - 1, closer = tokens_[opener].match;
      for (size_t i = opener; i <= closer; ++i) {
        if ((i > opener && !tokens_[i].above.empty()) || (i < closer && !tokens_[i].after.empty())) return false;
      }
    }
    if (!has_block) return false;
    const std::string line = collapsed(item);
    return indent + display_width(line) <= kLineWidth && line.find('\n') == line.npos;
  }

  std::string collapsed(const Node& item) const {
    std::string out;
    for (const Segment& part : item.segments) {
      out += layout_.flat(part.first, part.last);
      if (!part.opens_block || part.items.empty()) continue;
      out += ' ';
      for (const Node& inner : part.items) {
        if (&inner != &part.items.front()) out += "  ";
        out += layout_.flat(inner.first, inner.last);
      }
      out += ' ';
    }
    return out;
  }

  // ---- comments
  std::string comments_above(const Node& item, const std::string& margin) const {
    std::string out;
    const auto write = [&](const Comment& comment, bool moved) {
      if (comment.blank_before && !out.empty()) out += '\n';
      out += margin + (moved ? inner_text(comment) : comment.text) + '\n';
    };
    for (const Comment& comment : tokens_[item.first].above) write(comment, false);
    for (const Segment& part : item.segments) {
      for (size_t i = part.first; i < part.last; ++i) {
        const bool closer = tokens_[i].type == WendLexer::RBRACE && i == part.first && i > item.first;
        if (i != item.first && !closer && !(i > part.first && layout_.keeps_comments(i))) {
          for (const Comment& comment : tokens_[i].above) write(comment, true);
        }
        const bool ends_line = i + 1 == item.last || (part.opens_block && i + 1 == part.last);
        size_t next = i + 1;
        while (next < part.last && tokens_[next].dropped) ++next;
        if (ends_line || (next < part.last && layout_.keeps_comments(next))) continue;
        for (const Comment& comment : tokens_[i].after) write(comment, true);
      }
    }
    return out;
  }

  std::string trailing(size_t token) const {
    std::string out;
    for (const Comment& comment : tokens_[token].after) out += "  " + comment.text;
    return out;
  }

  std::vector<FormatToken> tokens_;
  Layout layout_;
};

}  // namespace
}  // namespace syntax

std::string format_module(const SourceSet& sources, uint32_t file) {
  Diagnostics diagnostics;
  const auto size = static_cast<uint32_t>(sources.file(file).text.size());
  syntax::TokenList tokens = syntax::lex(sources, file, 0, size);
  const std::vector<syntax::Item> items = syntax::cut_items(sources, tokens, diagnostics);
  for (const syntax::Item& item : items) {
    if (tokens.code[item.first]->getType() == grammar::WendLexer::BELIEF) {
      syntax::mark_statement_whens(tokens.code.data() + item.first, item.count);
    }
  }
  syntax::Formatter formatter(syntax::format_tokens(sources, tokens));
  syntax::TreeParser parser;
  std::vector<syntax::Node> nodes;
  for (const syntax::Item& item : items) {
    auto* tree = item.broken ? nullptr : parser.item(sources, tokens, item, diagnostics);
    if (!tree) return sources.file(file).text;  // the caller did not check for errors
    nodes.push_back(syntax::reduce(tree, item.first, formatter.tokens()));
  }
  return formatter.file(nodes);
}

}  // namespace wend
