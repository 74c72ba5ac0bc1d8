// Expressions, from `cap` down to names and literals. Each level of the grammar with a single child is that child.
#include <charconv>
#include <cmath>

#include "WendLexer.h"
#include "compiler/syntax/builder.h"

namespace wend::syntax {
namespace {

using ast::BinaryOp;
using ast::Expr;
using ast::ExprKind;
using grammar::WendLexer;

BinaryOp operator_of(size_t token) {
  switch (token) {
    case WendLexer::OR:
      return BinaryOp::logical_or;
    case WendLexer::AND:
      return BinaryOp::logical_and;
    case WendLexer::COALESCE:
      return BinaryOp::coalesce;
    case WendLexer::PLUS:
      return BinaryOp::add;
    case WendLexer::MINUS:
      return BinaryOp::subtract;
    case WendLexer::STAR:
      return BinaryOp::multiply;
    default:
      return BinaryOp::divide;
  }
}

BinaryOp comparator_of(Grammar::ComparatorContext* ctx) {
  const bool negated = ctx->NOT() != nullptr;
  switch (ctx->start->getType()) {
    case WendLexer::EQUAL:
      return BinaryOp::equal;
    case WendLexer::NOT_EQUAL:
      return BinaryOp::not_equal;
    case WendLexer::LESS:
      return BinaryOp::less;
    case WendLexer::LESS_EQUAL:
      return BinaryOp::less_equal;
    case WendLexer::GREATER:
      return BinaryOp::greater;
    case WendLexer::GREATER_EQUAL:
      return BinaryOp::greater_equal;
    case WendLexer::IS:
      return negated ? BinaryOp::is_not : BinaryOp::is;
    case WendLexer::HAS:
      return negated ? BinaryOp::has_not : BinaryOp::has;
    case WendLexer::MENTIONED:
      return BinaryOp::mentioned_in;
    case WendLexer::NOT:
      return BinaryOp::not_in;
    default:
      return BinaryOp::in;
  }
}

std::string without_underscores(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  return digits;
}

}  // namespace

Expr Builder::binary(BinaryOp op, Expr left, Expr right, Span place) const {
  Expr result;
  result.kind = ExprKind::binary;
  result.binary = op;
  result.span = place;
  result.children.push_back(std::move(left));
  result.children.push_back(std::move(right));
  return result;
}

Expr Builder::expr(Tree* node) {
  antlr4::ParserRuleContext* ctx = rule(node);
  // Above `primary`, an only child is a rule.
  while (ctx->children.size() == 1 && ctx->getRuleIndex() != Grammar::RulePrimary) ctx = rule(ctx->children[0]);
  switch (ctx->getRuleIndex()) {
    case Grammar::RuleChoice:
      return choice(static_cast<Grammar::ChoiceContext*>(ctx));
    case Grammar::RuleComparison:
      return comparison(static_cast<Grammar::ComparisonContext*>(ctx));
    case Grammar::RuleUnary:
      return unary_minus(static_cast<Grammar::UnaryContext*>(ctx));
    case Grammar::RulePostfix:
      return postfix(ctx, ctx->children.size());
    case Grammar::RulePrimary:
      return primary(static_cast<Grammar::PrimaryContext*>(ctx));
    case Grammar::RuleInversion: {
      Expr result;
      result.kind = ExprKind::unary;
      result.unary = ast::UnaryOp::logical_not;
      result.span = span(ctx);
      result.children.push_back(expr(ctx->children[1]));
      return result;
    }
    default:
      return ladder(ctx, 2);
  }
}

// operand (operator operand)*, from the left.
Expr Builder::ladder(antlr4::ParserRuleContext* ctx, size_t operand_step) {
  Expr result = expr(ctx->children[0]);
  for (size_t i = operand_step; i < ctx->children.size(); i += operand_step) {
    const Span place = join(span(ctx), span(rule(ctx->children[i])));
    Expr right = expr(ctx->children[i]);
    switch (ctx->getRuleIndex()) {
      case Grammar::RuleExpression:
      case Grammar::RuleGuarded:
      case Grammar::RuleRanged: {
        Expr pair;
        pair.kind = ctx->getRuleIndex() == Grammar::RuleExpression ? ExprKind::cap
                    : ctx->getRuleIndex() == Grammar::RuleGuarded  ? ExprKind::guard
                                                                   : ExprKind::range;
        pair.span = place;
        pair.children.push_back(std::move(result));
        pair.children.push_back(std::move(right));
        result = std::move(pair);
        break;
      }
      default:
        result = binary(operator_of(token_type(ctx->children[i - 1])), std::move(result), std::move(right), place);
    }
  }
  return result;
}

Expr Builder::comparison(Grammar::ComparisonContext* ctx) {
  auto* comparator = static_cast<Grammar::ComparatorContext*>(ctx->children[1]);
  if (ctx->children.size() > 3) {
    const std::string first = text(span(rule(ctx->children[0]))), middle = text(span(rule(ctx->children[2])));
    const std::string last = text(span(rule(ctx->children[4])));
    const std::string op = text(span(comparator)), next = text(span(rule(ctx->children[3])));
    Diagnostic& reported = report(Kind::chained_comparison, span(ctx), "comparisons do not chain");
    reported.help = "write `" + first + " " + op + " " + middle + " and " + middle + " " + next + " " + last + "`";
  }
  const Span place = join(span(ctx), span(rule(ctx->children[2])));
  return binary(comparator_of(comparator), expr(ctx->children[0]), expr(ctx->children[2]), place);
}

Expr Builder::choice(Grammar::ChoiceContext* ctx) {
  Expr result;
  result.kind = ExprKind::choose;
  result.span = span(ctx);
  for (size_t i = 0; i < ctx->children.size(); i += 2) result.children.push_back(expr(ctx->children[i]));
  return result;
}

Expr Builder::unary_minus(Grammar::UnaryContext* ctx) {
  Expr result;
  result.kind = ExprKind::unary;
  result.unary = ast::UnaryOp::negate;
  result.span = span(ctx);
  // The least integer is a minus and digits beyond the greatest: no mistake.
  const Span digits = span(rule(ctx->children[1]));
  if (without_underscores(sources_.text(digits)) == "9223372036854775808") {
    Expr least;
    least.kind = ExprKind::integer;
    least.span = digits;
    least.text = "9223372036854775808";
    least.integer = INT64_MIN;
    least.integer_overflow = true;
    least.number = 9223372036854775808.0;
    result.children.push_back(std::move(least));
  } else {
    result.children.push_back(expr(ctx->children[1]));
  }
  return result;
}

// A primary (or a name) and its suffixes: the first `count` children.
Expr Builder::postfix(antlr4::ParserRuleContext* ctx, size_t count) {
  antlr4::ParserRuleContext* first = rule(ctx->children[0]);
  Expr result = first->getRuleIndex() == Grammar::RuleName ? name_expr(first) : expr(first);
  // Brackets around what is called or looked into are part of the place.
  for (size_t i = 1; i < count; ++i) {
    auto* next = static_cast<Grammar::SuffixContext*>(ctx->children[i]);
    result = suffix(std::move(result), next);
    result.span = join(span(ctx), span(next));
  }
  return result;
}

Expr Builder::suffix(Expr base, Grammar::SuffixContext* ctx) {
  Expr result;
  result.span = join(base.span, span(ctx));
  switch (ctx->start->getType()) {
    case WendLexer::LPAREN:
      return call(std::move(base), ctx->arguments(), result.span);
    case WendLexer::EXCEPT:
      return binary(BinaryOp::except, std::move(base), name_expr(ctx->name()), result.span);
    case WendLexer::DOT: {
      const ast::Name field = name(ctx->name());
      result.kind = ExprKind::field;
      result.text = field.text;
      result.name_span = field.span;
      result.children.push_back(std::move(base));
      return result;
    }
    case WendLexer::LBRACKET:
      result.kind = ExprKind::index;
      result.children.push_back(std::move(base));
      result.children.push_back(expr(ctx->expression()));
      return result;
    default:
      result.kind = ExprKind::unary;
      result.unary = ctx->EXISTS() ? ast::UnaryOp::exists : ast::UnaryOp::nonempty;
      result.children.push_back(std::move(base));
      return result;
  }
}

Expr Builder::primary(Grammar::PrimaryContext* ctx) {
  switch (ctx->start->getType()) {
    case WendLexer::LPAREN:
      return expr(ctx->expression());
    case WendLexer::TIER:
      return tier(ctx);
    case WendLexer::LBRACKET:
      return list(ctx->list());
    case WendLexer::LBRACE:
      return object(ctx->object());
    case WendLexer::TEXT:
    case WendLexer::LONG_TEXT:
      return text_literal(ctx);
    case WendLexer::JUDGE: {  // judge intent(m) is judge.intent(m)
      const ast::Name judge = name(ctx->name());
      Expr base;
      base.kind = ExprKind::name;
      base.text = "judge";
      base.span = span(ctx->JUDGE());
      Expr result;
      result.kind = ExprKind::field;
      result.span = span(ctx);
      result.text = judge.text;
      result.name_span = judge.span;
      result.children.push_back(std::move(base));
      return result;
    }
    case WendLexer::INTEGER:
    case WendLexer::REAL:
    case WendLexer::PERCENT:
    case WendLexer::TRUE:
    case WendLexer::FALSE:
    case WendLexer::NONE:
      return literal(static_cast<antlr4::tree::TerminalNode*>(ctx->children[0]));
    default:
      return name_expr(ctx);
  }
}

Expr Builder::name_expr(antlr4::ParserRuleContext* ctx) const {
  Expr result;
  result.kind = ExprKind::name;
  result.span = span(ctx);
  result.text = text(result.span);
  return result;
}

Expr Builder::text_literal(antlr4::ParserRuleContext* ctx) {
  Expr result;
  result.kind = ExprKind::text;
  result.span = span(ctx);
  result.text = text_of(result.span);
  return result;
}

Expr Builder::literal(antlr4::tree::TerminalNode* node) {
  Expr result;
  result.span = span(node);
  const size_t type = token_type(node);
  if (type == WendLexer::NONE) return result;
  if (type == WendLexer::TRUE || type == WendLexer::FALSE) {
    result.kind = ExprKind::boolean;
    result.integer = type == WendLexer::TRUE ? 1 : 0;
    return result;
  }
  result.text = without_underscores(sources_.text(result.span));
  std::string digits = result.text;
  if (type == WendLexer::PERCENT) digits.replace(digits.size() - 1, 1, "e-2");  // rounded once
  const char* begin = digits.data();
  const char* end = begin + digits.size();
  bool too_large = std::from_chars(begin, end, result.number).ec == std::errc::result_out_of_range;
  const size_t exponent = result.text.find_first_of("eE");
  if (too_large && exponent != std::string::npos && result.text[exponent + 1] == '-') {
    too_large = false;  // too small is no mistake: the nearest double is zero
    result.number = 0;
  }
  result.kind = type == WendLexer::REAL ? ExprKind::real : ExprKind::percent;
  if (type == WendLexer::INTEGER) {
    result.kind = ExprKind::integer;
    result.integer_overflow = std::from_chars(begin, end, result.integer).ec == std::errc::result_out_of_range;
    too_large = result.integer_overflow;
  }
  if (too_large) {
    const bool integer = type == WendLexer::INTEGER;
    report(Kind::number_too_large, result.span,
           integer ? "this integer needs more than 64 bits" : "this number is beyond a double")
        .help = integer ? "the greatest is 9_223_372_036_854_775_807; an identifier is a text: put it in quotes"
                        : "the greatest is about 1.8e308";
  }
  return result;
}

Expr Builder::tier(Grammar::PrimaryContext* ctx) {
  Expr result;
  result.kind = ExprKind::tier;
  result.span = span(ctx);
  result.children.push_back(expr(ctx->expression()));
  const ast::TierArm* otherwise = nullptr;
  check_commas(ctx);
  const auto arms = ctx->tierArm();
  result.arms.reserve(arms.size());
  for (Grammar::TierArmContext* arm : arms) {
    result.arms.push_back(tier_arm(arm));
    if (!result.arms.back().is_else) continue;
    if (otherwise) repeated(result.arms.back().span, "`else`", otherwise->span);
    otherwise = &result.arms.back();
  }
  if (!otherwise)
    missing(span(ctx->TIER()), "this tier has no `else`", "end it with `else 0`: the value where no arm fits");
  return result;
}

ast::TierArm Builder::tier_arm(Grammar::TierArmContext* ctx) {
  ast::TierArm arm;
  arm.span = span(ctx);
  arm.is_else = ctx->ELSE() != nullptr;
  arm.exact = !arm.is_else && !ctx->DOTDOT();
  const auto bounds = ctx->coalescence();
  const bool open_below = ctx->start->getType() == WendLexer::DOTDOT;
  if (!open_below && !bounds.empty()) arm.from.push_back(expr(bounds[0]));
  if (open_below) arm.to.push_back(expr(bounds[0]));
  if (!open_below && bounds.size() > 1) arm.to.push_back(expr(bounds[1]));
  arm.value.push_back(expr(ctx->expression()));
  return arm;
}

}  // namespace wend::syntax
