// scenario, phrases, filter, context.
#include "WendLexer.h"
#include "compiler/syntax/builder.h"

namespace wend::syntax {

using grammar::WendLexer;

ast::ScenarioDecl Builder::scenario(Grammar::ScenarioContext* ctx) {
  ast::ScenarioDecl out;
  const auto words = ctx->name();
  out.name = name(words[0]);
  if (words.size() > 1) out.family = name(words[1]);
  if (ctx->text()) {
    out.title_span = span(ctx->text());
    out.title = contents(ctx->text());
  }
  out.span = span(ctx);
  for (Grammar::ScenarioItemContext* item : ctx->scenarioItem()) scenario_item(item, out);
  if (out.base.text.empty()) {
    missing(out.name.span, "scenario `" + out.name.text + "` has no `from`",
            "add `from BASE`: the dialogues that it changes");
  }
  return out;
}

void Builder::scenario_item(Grammar::ScenarioItemContext* ctx, ast::ScenarioDecl& out) {
  switch (ctx->start->getType()) {
    case WendLexer::FROM:
      if (!out.base.text.empty()) repeated(span(ctx), "`from`", out.base.span);
      out.base = name(ctx->name());
      out.base_with.clear();
      for (size_t i = 3; i < ctx->children.size(); ++i) {
        out.base_with.push_back(name(static_cast<antlr4::tree::TerminalNode*>(ctx->children[i])));
      }
      return;
    case WendLexer::LET:
      out.bindings.push_back(binding(ctx->binding()));
      return;
    case WendLexer::INJECT:
      out.changes.emplace_back(inject(ctx->inject()));
      return;
    case WendLexer::SPLICE: {
      ast::Splice splice;
      for (antlr4::tree::TerminalNode* word : ctx->NAME()) splice.words.push_back(name(word));
      splice.point = point(ctx->point());
      splice.span = span(ctx);
      out.changes.emplace_back(std::move(splice));
      return;
    }
    case WendLexer::REQUIRE:
      out.requirements.push_back(expr(ctx->expression()));
      return;
    case WendLexer::PRIMARY:
      if (out.primary) repeated(span(ctx), "`primary`", out.primary->span);
      out.primary = name(ctx->name());
      return;
    case WendLexer::SHARE:
      if (!out.share.empty()) repeated(span(ctx), "`share`", out.share[0].span);
      out.share = {expr(ctx->additive())};
      return;
    default:
      if (out.gold) repeated(span(ctx->scenarioGold()->GOLD()), "`gold`", out.gold->span);
      out.gold = scenario_gold(ctx->scenarioGold());
  }
}

ast::Binding Builder::binding(Grammar::BindingContext* ctx) {
  ast::Binding out;
  out.name = name(ctx->name());
  out.kind = ctx->ONE()     ? ast::BindingKind::one_of
             : ctx->FRESH() ? ast::BindingKind::fresh_value
                            : ast::BindingKind::value;
  out.span = span(ctx);
  const auto expressions = ctx->expression();
  out.source = expr(expressions[0]);
  for (size_t i = 1; i < expressions.size(); ++i) out.conditions.push_back(expr(expressions[i]));
  if (!out.conditions.empty() && out.kind != ast::BindingKind::one_of) {
    report(Kind::if_without_for, span(ctx->IF(0)), "`if` filters `one of LIST`").help =
        "a value under a condition is `VALUE when CONDITION else VALUE`";
  }
  return out;
}

ast::Inject Builder::inject(Grammar::InjectContext* ctx) {
  ast::Inject out;
  out.point = point(ctx->point());
  out.span = span(ctx);
  for (Grammar::ScenarioStepContext* step : ctx->scenarioStep()) out.steps.push_back(scenario_step(step));
  for (Grammar::BindingContext* part : ctx->binding()) out.where.push_back(binding(part));
  return out;
}

ast::InjectPoint Builder::point(Grammar::PointContext* ctx) {
  ast::InjectPoint out;
  out.after = ctx->AFTER() != nullptr;
  out.event = name(ctx->name());
  out.span = span(ctx);
  if (ctx->expression()) out.subject.push_back(expr(ctx->expression()));
  return out;
}

ast::ScenarioStep Builder::scenario_step(Grammar::ScenarioStepContext* ctx) {
  ast::ScenarioStep out;
  out.span = span(ctx);
  switch (ctx->start->getType()) {
    case WendLexer::SYSTEM:
      out.kind = ast::StepKind::system;
      break;
    case WendLexer::USER:
      out.kind = ast::StepKind::user;
      break;
    case WendLexer::REPLY:
      out.kind = ast::StepKind::reply;
      break;
    case WendLexer::RESULT:
      out.kind = ast::StepKind::result;
      break;
    default:
      out.kind = ast::StepKind::call;
  }
  if (ctx->expression()) out.text.push_back(expr(ctx->expression()));
  if (ctx->text()) out.text.push_back(text_literal(ctx->text()));
  for (Grammar::CallChangeContext* call : ctx->callChange()) out.calls.push_back(call_change(call));
  return out;
}

ast::CallChange Builder::call_change(Grammar::CallChangeContext* ctx) {
  ast::CallChange out;
  out.call = expr(ctx->postfix());
  out.span = span(ctx);
  for (Grammar::ChangeContext* change : ctx->change()) {
    out.changes.emplace_back(name(change->name()), expr(change->additive()));
  }
  return out;
}

ast::ScenarioGold Builder::scenario_gold(Grammar::ScenarioGoldContext* ctx) {
  ast::ScenarioGold out;
  out.span = span(ctx);
  const auto once = [&](std::optional<ast::Name>& slot, Grammar::ScenarioGoldItemContext* item,
                        const std::string& what) {
    if (slot) repeated(span(item), what, slot->span);
    slot = name(item->label());
  };
  for (Grammar::ScenarioGoldItemContext* item : ctx->scenarioGoldItem()) {
    check_commas(item);
    const auto expressions = item->expression();
    switch (item->start->getType()) {
      case WendLexer::CALLS:
        if (item->name()) out.calls_of.push_back(name_expr(item->name()));
        for (Grammar::CallChangeContext* call : item->callChange()) out.calls.push_back(call_change(call));
        break;
      case WendLexer::STALE:
        out.stale.push_back({expr(item->postfix()), expr(expressions[0])});
        break;
      case WendLexer::SIGNAL:
        once(out.signal, item, "`signal`");
        break;
      case WendLexer::KIND:
        once(out.kind, item, "`kind`");
        break;
      case WendLexer::MISSING:
        for (Grammar::ExpressionContext* slot : expressions) out.missing.push_back(expr(slot));
        break;
      case WendLexer::ABANDON:
        out.abandon.push_back(name(item->name()));
        break;
      default:
        if (!out.reference.empty()) repeated(span(item), "`reference`", out.reference[0].span);
        out.reference = {expr(expressions[0])};
    }
  }
  return out;
}

ast::PhrasesDecl Builder::phrases(Grammar::PhrasesContext* ctx) {
  ast::PhrasesDecl out{name(ctx->name()), parameters(ctx->parameters(), false), {}};
  for (Grammar::TextContext* variant : ctx->text()) out.variants.push_back(text_literal(variant));
  if (out.variants.empty()) missing(out.name.span, "`" + out.name.text + "` has no phrase", "add at least one text");
  return out;
}

ast::FilterDecl Builder::filter(Grammar::FilterContext* ctx) {
  ast::FilterDecl out;
  out.name = name(ctx->name());
  for (Grammar::FilterRuleContext* part : ctx->filterRule()) {
    ast::FilterRule added;
    added.span = span(part);
    if (part->EVERY()) {
      added.variable = name(part->name());
      added.source.push_back(expr(part->expression()));
    }
    for (Grammar::FilterCheckContext* check : part->filterCheck()) {
      added.checks.push_back({expr(check->expression()), {}});
      if (check->REPAIR()) added.checks.back().repair = name(check->name());
    }
    out.rules.push_back(std::move(added));
  }
  return out;
}

ast::ContextDecl Builder::context(Grammar::ContextContext* ctx) {
  ast::ContextDecl out;
  out.name = name(ctx->label());
  if (ctx->parameters()) out.parameters = parameters(ctx->parameters(), true);
  for (Grammar::ContextStepContext* step : ctx->contextStep()) out.steps.push_back(context_step(step));
  return out;
}

ast::ContextStep Builder::context_step(Grammar::ContextStepContext* ctx) {
  using ast::ContextKind;
  ast::ContextStep out;
  out.span = span(ctx);
  const auto words = ctx->name();
  if (!words.empty()) out.subject = name(words[0]);
  if (words.size() > 1) out.by = name(words[1]);
  switch (ctx->start->getType()) {
    case WendLexer::HISTORY:
      out.kind = ctx->ALL()       ? ContextKind::history_all
                 : ctx->NONE()    ? ContextKind::history_none
                 : ctx->CURRENT() ? ContextKind::history_current_turn
                                  : ContextKind::history_last;
      if (ctx->expression()) out.amount.push_back(expr(ctx->expression()));
      return out;
    case WendLexer::DRAFT:
      out.kind = ContextKind::draft;
      return out;
    case WendLexer::RENDER:
      out.kind = ContextKind::render;
      return out;
    case WendLexer::INJECT:
      out.kind = ContextKind::inject;
      return out;
    case WendLexer::CARRY:
      out.kind = ContextKind::carry;
      return out;
    case WendLexer::UPDATE:
      out.kind = ContextKind::update;
      return out;
    case WendLexer::INSTRUCT:
      out.kind = ContextKind::instruct;
      out.text.push_back(text_literal(ctx->text()));
      return out;
    default:
      break;
  }
  out.kind = ContextKind::compress;
  if (ctx->additive()) out.amount.push_back(expr(ctx->additive()));
  if (ctx->disjunction()) out.condition.push_back(expr(ctx->disjunction()));
  return out;
}

}  // namespace wend::syntax
