// Test blocks: a trace written out, params set, what is expected.
#include "WendLexer.h"
#include "compiler/syntax/builder.h"

namespace wend::syntax {

using grammar::WendLexer;

ast::TestDecl Builder::test(Grammar::TestContext* ctx) {
  ast::TestDecl out;
  out.title = contents(ctx->text());
  bool traced = false;
  for (Grammar::TraceContext* part : ctx->trace()) {
    if (traced) repeated(span(part->TRACE()), "`trace`", out.trace.span);
    out.trace = trace(part);
    traced = true;
  }
  if (!traced)
    missing(span(ctx->text()), "this test has no `trace`", "add `trace { ... }`: the dialogue that is judged");
  for (Grammar::SettingContext* setting : ctx->setting()) {
    out.settings.emplace_back(name(setting->name()), expr(setting->expression()));
  }
  for (Grammar::ExpectationContext* list : ctx->expectation()) {
    for (Grammar::ExpectedContext* expected : list->expected()) {
      ast::Expr value = expr(expected->expression(0));
      if (expected->STALE()) {
        ast::Expr pair;
        pair.kind = ast::ExprKind::stale;
        pair.span = span(expected);
        pair.children.push_back(std::move(value));
        pair.children.push_back(expr(expected->expression(1)));
        value = std::move(pair);
      }
      out.expectations.push_back(std::move(value));
    }
  }
  return out;
}

ast::TraceLiteral Builder::trace(Grammar::TraceContext* ctx) {
  ast::TraceLiteral out;
  out.span = span(ctx);
  for (Grammar::TraceItemContext* item : ctx->traceItem()) trace_item(item, out);
  return out;
}

void Builder::trace_item(Grammar::TraceItemContext* ctx, ast::TraceLiteral& trace) {
  const auto say = [&](ast::StepKind kind) { trace.steps.push_back({kind, span(ctx), contents(ctx->text()), {}}); };
  const auto once = [&](std::optional<ast::Name>& slot, const std::string& what) {
    if (slot) repeated(span(ctx), what, slot->span);
    slot = name(ctx->label());
  };
  switch (ctx->start->getType()) {
    case WendLexer::SYSTEM:
      return say(ast::StepKind::system);
    case WendLexer::USER:
      return say(ast::StepKind::user);
    case WendLexer::RESULT:
      return say(ast::StepKind::result);
    case WendLexer::REPLY:
      return say(ast::StepKind::reply);
    case WendLexer::FAMILY:
      return once(trace.family, "`family`");
    case WendLexer::SCENARIO:
      return once(trace.scenario, "`scenario`");
    case WendLexer::TOOL: {
      const size_t parts = ctx->toolName()->children.size();
      trace.tools.push_back({tool_name(ctx->toolName(), parts), parameters(ctx->parameters(), true), span(ctx)});
      return;
    }
    case WendLexer::CALL: {
      ast::Step step{ast::StepKind::call, span(ctx), {}, {}};
      for (Grammar::CallLiteralContext* call : ctx->callLiteral()) step.calls.push_back(call_literal(call));
      trace.steps.push_back(std::move(step));
      return;
    }
    case WendLexer::CHAIN: {
      check_commas(ctx);
      ast::ChainLiteral chain;
      chain.span = span(ctx);
      for (Grammar::LinkContext* part : ctx->link()) chain.links.push_back(link(part));
      trace.chains.push_back(std::move(chain));
      return;
    }
    default:
      trace.gold.push_back(gold_literal(ctx->goldLiteral()));
  }
}

// Names of tools may hold points, and anything else between quotes. The first `parts` children, points included.
ast::Name Builder::tool_name(Grammar::ToolNameContext* ctx, size_t parts) {
  ast::Name out{"", span(ctx)};
  for (size_t i = 0; i < parts; ++i) {
    Tree* child = ctx->children[i];
    if (token_type(child) == WendLexer::DOT) {
      out.text += '.';
    } else if (rule(child)->getRuleIndex() == Grammar::RuleText) {
      out.text += text_of(span(rule(child)));
    } else {
      out.text += text(span(rule(child)));
    }
  }
  return out;
}

ast::CallLiteral Builder::call_literal(Grammar::CallLiteralContext* ctx) {
  check_commas(ctx);
  ast::CallLiteral out;
  out.span = span(ctx);
  out.tool = tool_name(ctx->toolName(), ctx->toolName()->children.size());
  for (Grammar::ArgumentLiteralContext* argument : ctx->argumentLiteral()) {
    out.names.push_back(key(argument->key()));
    out.values.push_back(expr(argument->expression()));
  }
  return out;
}

ast::GoldLiteral Builder::gold_literal(Grammar::GoldLiteralContext* ctx) {
  ast::GoldLiteral out;
  out.span = span(ctx);
  out.turn = whole_number(ctx->INTEGER());
  const auto once = [&](std::optional<ast::Name>& slot, Grammar::GoldLiteralItemContext* item,
                        const std::string& what) {
    if (slot) repeated(span(item), what, slot->span);
    slot = name(item->label());
  };
  for (Grammar::GoldLiteralItemContext* item : ctx->goldLiteralItem()) {
    switch (item->start->getType()) {
      case WendLexer::CALLS:
        check_commas(item);
        for (Grammar::CallLiteralContext* call : item->callLiteral()) out.calls.push_back(call_literal(call));
        break;
      case WendLexer::SIGNAL:
        once(out.signal, item, "`signal`");
        break;
      case WendLexer::KIND:
        once(out.kind, item, "`kind`");
        break;
      case WendLexer::MISSING:
        check_commas(item);
        for (Grammar::KeyContext* word : item->key()) out.missing.push_back(key(word));
        break;
      default: {  // stale TOOL.PARAM = value
        Grammar::ToolNameContext* slot = item->toolName();
        const size_t parts = slot->children.size();
        if (parts < 3) {
          missing(span(slot), "this stale value names no parameter", "write `stale TOOL.PARAM = VALUE`");
          break;
        }
        ast::Name param{"", span(rule(slot->children[parts - 1]))};
        const bool is_text = rule(slot->children[parts - 1])->getRuleIndex() == Grammar::RuleText;
        param.text = is_text ? text_of(param.span) : text(param.span);
        out.stale.push_back({tool_name(slot, parts - 2), std::move(param), expr(item->expression())});
      }
    }
  }
  return out;
}

ast::ChainLiteral::Link Builder::link(Grammar::LinkContext* ctx) {
  const auto numbers = ctx->INTEGER();
  ast::ChainLiteral::Link out;
  out.turn = whole_number(numbers[0]);
  out.call = whole_number(numbers[1]);
  for (size_t i = 2; i < numbers.size(); ++i) out.needs.push_back(whole_number(numbers[i]));
  out.span = span(ctx);
  return out;
}

}  // namespace wend::syntax
