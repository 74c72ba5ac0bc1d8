#include "compiler/syntax/format_tree.h"

#include <algorithm>

#include "WendLexer.h"

namespace wend::syntax {
namespace {

using grammar::WendLexer;

// Rules whose braces hold items, each on a line of its own.
bool has_items(size_t rule) {
  return is_one_of(rule, {Grammar::RuleJudge, Grammar::RuleReward, Grammar::RuleLayer, Grammar::RuleTest,
                          Grammar::RuleTrace, Grammar::RuleGoldLiteral, Grammar::RuleBelief, Grammar::RuleBlock,
                          Grammar::RuleCues, Grammar::RuleRender, Grammar::RuleScenario, Grammar::RuleInject,
                          Grammar::RuleScenarioGold, Grammar::RulePhrases, Grammar::RuleFilter, Grammar::RuleContext});
}

// Rules that have a rule with items as a part.
bool carries_block(size_t rule) {
  return is_one_of(rule, {Grammar::RuleItem, Grammar::RuleHandler, Grammar::RuleStatement, Grammar::RuleTraceItem,
                          Grammar::RuleScenarioItem}) ||
         has_items(rule);
}

class Reducer {
 public:
  Reducer(size_t base, std::vector<FormatToken>& tokens) : next_(base), tokens_(tokens) {}

  Node node(Tree* tree) {
    Node out;
    out.first = next_;
    const size_t type = token_type(tree);
    out.rule = type != 0 ? 0 : rule(tree)->getRuleIndex();
    out.segments.push_back({next_, next_, false, {}});
    add(tree, out);
    out.last = next_;
    if (out.segments.back().first == next_ && out.segments.size() > 1) out.segments.pop_back();
    find_marks(out);
    return out;
  }

 private:
  // Tokens are met in order, so the place in the list is counted along.
  void add(Tree* tree, Node& out) {
    antlr4::ParserRuleContext* ctx = rule(tree);
    const size_t index = ctx->getRuleIndex();
    if (!carries_block(index)) {
      skim(ctx, out);
      return;
    }
    bool inside = false;
    for (Tree* child : ctx->children) {
      const size_t type = token_type(child);
      if (type == antlr4::Token::EOF) continue;
      if (type != 0) {
        const bool brace = has_items(index);
        if (brace && type == WendLexer::RBRACE) {
          inside = false;
          out.segments.push_back({next_, next_, false, {}});
        }
        if (inside) {  // a comma between fields
          drop(next_);
          take(index);
          continue;
        }
        take(index);
        out.segments.back().last = next_;
        if (brace && type == WendLexer::LBRACE) {
          inside = true;
          out.segments.back().opens_block = true;
        }
      } else if (inside) {
        out.segments.back().items.push_back(node(child));
      } else {
        add(child, out);
      }
    }
  }

  // All tokens of a part without blocks.
  void skim(Tree* tree, Node& out) {
    antlr4::ParserRuleContext* ctx = rule(tree);
    const size_t index = ctx->getRuleIndex();
    for (size_t i = 0; i < ctx->children.size(); ++i) {
      Tree* child = ctx->children[i];
      if (token_type(child) == 0) {
        skim(child, out);
        continue;
      }
      const size_t type = token_type(child);
      const bool closes = type == WendLexer::RPAREN || type == WendLexer::RBRACKET || type == WendLexer::RBRACE;
      if (closes && next_ > 0 && tokens_[next_ - 1].type == WendLexer::COMMA) drop(next_ - 1);
      take(index);
    }
    out.segments.back().last = next_;
  }

  void take(size_t parent) {
    FormatToken& token = tokens_[next_];
    token.parent = parent;
    switch (token.type) {
      case WendLexer::LPAREN:
      case WendLexer::LBRACKET:
      case WendLexer::LBRACE:
        open_.push_back(next_);
        break;
      case WendLexer::RPAREN:
      case WendLexer::RBRACKET:
      case WendLexer::RBRACE:
        token.match = open_.back();
        tokens_[open_.back()].match = next_;
        open_.pop_back();
        break;
      default:
        break;
    }
    ++next_;
  }

  // The comments of a token that is not printed go to its neighbours.
  void drop(size_t i) {
    FormatToken& token = tokens_[i];
    token.dropped = true;
    FormatToken& before = tokens_[i - 1];
    FormatToken& behind = tokens_[i + 1];
    before.after.insert(before.after.end(), token.after.begin(), token.after.end());
    behind.above.insert(behind.above.begin(), token.above.begin(), token.above.end());
    token.after.clear();
    token.above.clear();
  }

  void mark(Node& out, size_t type) const {
    const size_t from = out.marks.empty() ? out.first + 1 : out.marks.back() + 1;
    for (size_t i = from; i < out.last; ++i) {
      if (tokens_[i].type == WendLexer::LPAREN || tokens_[i].type == WendLexer::LBRACKET) i = tokens_[i].match;
      if (tokens_[i].type == type) {
        out.marks.push_back(i);
        return;
      }
    }
  }

  void find_marks(Node& out) const {
    size_t kind = out.rule;
    if (kind == Grammar::RuleItem) {
      switch (tokens_[out.first].type) {
        case WendLexer::PARAM:
          kind = Grammar::RuleParam;
          break;
        case WendLexer::METRIC:
          kind = Grammar::RuleMetric;
          break;
        case WendLexer::DETECT:
          kind = Grammar::RuleDetect;
          break;
        default:
          break;
      }
    }
    switch (kind) {
      case Grammar::RuleTerm:
      case Grammar::RuleStop:
      case Grammar::RuleSetting:
        return mark(out, WendLexer::ASSIGN);
      case Grammar::RuleParam:
        mark(out, WendLexer::COLON), mark(out, WendLexer::ASSIGN), mark(out, WendLexer::IN);
        return;
      case Grammar::RuleMetric:
        mark(out, WendLexer::COLON), mark(out, WendLexer::ASSIGN);
        return;
      case Grammar::RuleDetect:
        mark(out, WendLexer::ON), mark(out, WendLexer::ASSIGN);
        return;
      case Grammar::RuleCueEntry:
        return mark(out, WendLexer::COLON);
      case Grammar::RuleScenarioItem:
        out.marks.push_back(out.first + 1);
        return;
      default:
        return;
    }
  }

  size_t next_;
  std::vector<FormatToken>& tokens_;
  std::vector<size_t> open_;
};

size_t line_ends(std::string_view text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

std::vector<FormatToken> format_tokens(const SourceSet& sources, const TokenList& tokens) {
  const std::string_view source = sources.file(tokens.file).text;
  std::vector<FormatToken> out(tokens.code.size() + 1);  // one more, for the comments at the end of the file
  size_t next = 0, end_of_last = 0;
  bool same_line = false;  // nothing but spaces since the token before
  for (const auto& token : tokens.all) {
    const std::string_view text =
        source.substr(token->getStartIndex(), token->getStopIndex() + 1 - token->getStartIndex());
    const size_t gap = line_ends(source.substr(end_of_last, token->getStartIndex() - end_of_last));
    if (gap > 0) same_line = false;
    end_of_last = token->getStopIndex() + 1;
    if (token->getChannel() == antlr4::Token::DEFAULT_CHANNEL) {
      FormatToken& own = out[next];
      own.text = text;
      own.type = token->getType();
      if (own.above.empty()) own.blank_before = gap > 1;
      ++next;
      same_line = true;
      continue;
    }
    std::string words(text.substr(0, text.find_last_not_of(" \t\r") + 1));
    const bool is_doc = token->getType() == WendLexer::DOC;
    if (same_line && !is_doc) {
      out[next - 1].after.push_back({std::move(words), false, false});
    } else {
      FormatToken& own = out[next];
      if (own.above.empty()) own.blank_before = gap > 1;
      own.above.push_back({std::move(words), is_doc, !own.above.empty() && gap > 1});
    }
  }
  return out;
}

Node reduce(antlr4::ParserRuleContext* item, size_t base, std::vector<FormatToken>& tokens) {
  return Reducer(base, tokens).node(item);
}

}  // namespace wend::syntax
