// belief, cues, render.
#include "WendLexer.h"
#include "compiler/syntax/builder.h"

namespace wend::syntax {

using ast::StatementKind;
using grammar::WendLexer;

ast::BeliefDecl Builder::belief(Grammar::BeliefContext* ctx) {
  ast::BeliefDecl out;
  out.name = name(ctx->name());
  for (Grammar::BeliefFieldContext* field : ctx->beliefField()) out.fields.push_back(belief_field(field));
  for (Grammar::HandlerContext* handler : ctx->handler()) {
    const ast::Name event = name(handler->name(0));
    const bool known = event.text == "user" || event.text == "call" || event.text == "result" || event.text == "reply";
    if (!known) unknown(event, "event of a dialogue", {"user", "call", "result", "reply"});
    out.handlers.push_back({event, name(handler->name(1)), block(handler->block()), span(handler)});
  }
  return out;
}

ast::BeliefField Builder::belief_field(Grammar::BeliefFieldContext* ctx) {
  ast::BeliefField out;
  out.doc = doc_before(ctx);
  out.span = span(ctx);
  out.name = ctx->NAME() ? name(ctx->NAME()) : name(ctx->name());
  switch (ctx->start->getType()) {
    case WendLexer::SLOTS:
      out.kind = ast::FieldKind::slots;
      break;
    case WendLexer::GOAL:
      out.kind = ast::FieldKind::goal;
      break;
    case WendLexer::STACK:
      out.kind = ast::FieldKind::stack;
      break;
    case WendLexer::LAST:
      out.kind = ast::FieldKind::last;
      break;
    case WendLexer::QUEUE:
      out.kind = ast::FieldKind::queue;
      break;
    case WendLexer::OBJECTS:
      out.kind = ast::FieldKind::objects;
      break;
    default:
      out.kind = ast::FieldKind::value;
      out.type = type(ctx->type());
      if (ctx->expression()) out.default_value.push_back(expr(ctx->expression()));
  }
  return out;
}

std::vector<ast::Statement> Builder::block(Grammar::BlockContext* ctx) {
  std::vector<ast::Statement> out;
  for (Grammar::StatementContext* part : ctx->statement()) out.push_back(statement(part));
  return out;
}

ast::Statement Builder::statement(Grammar::StatementContext* ctx) {
  ast::Statement out;
  out.span = span(ctx);
  const auto operands = [&](StatementKind kind) {
    out.kind = kind;
    if (kind == StatementKind::push) out.operands.push_back(name_expr(ctx->name()));
    for (Grammar::ExpressionContext* operand : ctx->expression()) out.operands.push_back(expr(operand));
    return out;
  };
  switch (ctx->start->getType()) {
    case WendLexer::WHEN_BLOCK:
      out.kind = StatementKind::when;
      out.operands.push_back(expr(ctx->disjunction()));
      out.body = block(ctx->block(0));
      if (ctx->ELSE()) out.otherwise = block(ctx->block(1));
      return out;
    case WendLexer::OVERWRITE:
      return operands(StatementKind::overwrite);
    case WendLexer::PUSH:
      return operands(StatementKind::push);
    case WendLexer::POP:
      return operands(StatementKind::pop);
    case WendLexer::SUSPEND:
      return operands(StatementKind::suspend);
    case WendLexer::RESUME:
      return operands(StatementKind::resume);
    case WendLexer::CONFIRM:
      return operands(StatementKind::confirm);
    case WendLexer::UNCONFIRM:
      return operands(StatementKind::unconfirm);
    case WendLexer::CLEAR:
      return operands(StatementKind::clear);
    default:
      break;
  }
  const size_t suffixes = ctx->suffix().size();
  if (ctx->ASSIGN()) return assignment(ctx);
  out.kind = StatementKind::call;
  out.operands.push_back(postfix(ctx, 1 + suffixes));
  if (out.operands[0].kind != ast::ExprKind::call) {
    Diagnostic& reported = report(Kind::unexpected_token, out.span, "expected a statement, found a value");
    reported.help = "assign it (`NAME = VALUE`), or call something (`pending.add(x)`)";
  }
  return out;
}

// `signal = classify(m.text) ?? judge intent(m) when confidence < 0.6`: the judge is asked only under the condition.
ast::Statement Builder::assignment(Grammar::StatementContext* ctx) {
  ast::Statement out;
  out.kind = StatementKind::assign;
  out.span = span(ctx);
  out.operands.push_back(postfix(ctx, 1 + ctx->suffix().size()));
  ast::Expr value = expr(ctx->expression(0));
  const bool conditional = value.kind == ast::ExprKind::choose && value.children.size() == 2;
  const auto asks_judge = [](const ast::Expr& e) {
    return e.kind == ast::ExprKind::call && e.children[0].kind == ast::ExprKind::field &&
           e.children[0].children[0].kind == ast::ExprKind::name && e.children[0].children[0].text == "judge";
  };
  ast::Expr* choice = conditional ? &value.children[0] : nullptr;
  if (choice && choice->kind == ast::ExprKind::binary && choice->binary == ast::BinaryOp::coalesce &&
      asks_judge(choice->children[1])) {
    ast::Expr usual = std::move(choice->children[0]);
    out.fallback.push_back(std::move(choice->children[1]));
    out.condition.push_back(std::move(value.children[1]));
    value = std::move(usual);
  }
  out.operands.push_back(std::move(value));
  return out;
}

ast::CuesDecl Builder::cues(Grammar::CuesContext* ctx) {
  ast::CuesDecl out;
  out.labels = name(ctx->name());
  for (Grammar::CueEntryContext* entry : ctx->cueEntry()) {
    ast::CueEntry cue;
    cue.label = name(entry->NAME());
    cue.span = span(entry);
    for (Grammar::TextContext* phrase : entry->text()) cue.phrases.push_back(text_literal(phrase));
    if (entry->additive()) cue.weight.push_back(expr(entry->additive()));
    out.entries.push_back(std::move(cue));
  }
  return out;
}

ast::RenderDecl Builder::render(Grammar::RenderContext* ctx) {
  ast::RenderDecl out;
  out.name = name(ctx->name(0));
  out.subject = subject(ctx->subject());
  out.format = name(ctx->name(1));
  if (out.format.text != "xml" && out.format.text != "json") unknown(out.format, "format of a block", {"xml", "json"});
  if (Grammar::RenderBudgetContext* budget = ctx->renderBudget()) {
    out.budget.push_back(expr(budget->additive()));
    out.tokens = budget->TOKENS() != nullptr;
    for (Grammar::NameContext* block : budget->name()) out.shortening.push_back(name(block));
  }
  for (Grammar::RenderBlockContext* part : ctx->renderBlock()) {
    ast::RenderBlock block;
    block.name = name(part->name());
    block.value = part->list() ? list(part->list()) : object(part->object());
    block.doc = doc_before(part);
    block.span = span(part);
    out.blocks.push_back(std::move(block));
  }
  return out;
}

}  // namespace wend::syntax
