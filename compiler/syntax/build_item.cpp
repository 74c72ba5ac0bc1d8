// The core declarations: module, param, enum, fn, detect, metric, judge, reward.
#include <algorithm>
#include <charconv>

#include "WendLexer.h"
#include "compiler/syntax/builder.h"
#include "compiler/syntax/text_literal.h"

namespace wend::syntax {

using grammar::WendLexer;

size_t token_type(Tree* node) {
  auto* terminal = dynamic_cast<antlr4::tree::TerminalNode*>(node);
  return terminal ? terminal->getSymbol()->getType() : 0;
}

// ---- places and words -----------------------------------------------------------------------------------------------

Span Builder::span(const antlr4::ParserRuleContext* ctx) const {
  return {tokens_.file, static_cast<uint32_t>(ctx->start->getStartIndex()),
          static_cast<uint32_t>(ctx->stop ? ctx->stop->getStopIndex() + 1 : ctx->start->getStartIndex())};
}

Span Builder::span(antlr4::tree::TerminalNode* node) const { return span_of(tokens_.file, *node->getSymbol()); }

ast::Name Builder::name(antlr4::ParserRuleContext* ctx) const {
  const Span place = span(ctx);
  std::string word = text(place);
  // A path may be written with space around its points.
  std::erase_if(word, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
  return {std::move(word), place};
}

ast::Name Builder::name(antlr4::tree::TerminalNode* node) const { return {text(span(node)), span(node)}; }

ast::Name Builder::key(Grammar::KeyContext* ctx) {
  return ctx->text() ? ast::Name{contents(ctx->text()), span(ctx)} : name(ctx->name());
}

std::vector<ast::Name> Builder::names(const std::vector<Grammar::NameContext*>& list) const {
  std::vector<ast::Name> result;
  for (Grammar::NameContext* ctx : list) result.push_back(name(ctx));
  return result;
}

std::string Builder::text_of(Span place) { return text_contents(sources_, place, diagnostics_); }

// The `///` lines right before a declaration; other comments among them are left out.
ast::Doc Builder::doc_before(const antlr4::ParserRuleContext* ctx) const {
  size_t first = ctx->start->getTokenIndex();
  while (first > 0 && tokens_.all[first - 1]->getChannel() != antlr4::Token::DEFAULT_CHANNEL) --first;
  ast::Doc doc;
  for (size_t i = first; i < ctx->start->getTokenIndex(); ++i) {
    if (tokens_.all[i]->getType() != WendLexer::DOC) continue;
    std::string line = text(span_of(tokens_.file, *tokens_.all[i])).substr(3);
    if (line.starts_with(' ')) line.erase(0, 1);
    while (line.ends_with(' ') || line.ends_with('\t')) line.pop_back();
    if (!doc.text.empty()) doc.text += '\n';
    doc.text += line;
  }
  return doc;
}

int64_t Builder::whole_number(antlr4::tree::TerminalNode* node) {
  const ast::Expr number = literal(node);  // which reports digits beyond 64 bits
  return number.integer_overflow ? 0 : number.integer;
}

// ---- mistakes that the grammar lets through -------------------------------------------------------------------------

void Builder::repeated(Span place, const std::string& what, Span first) {
  Diagnostic& reported = report(Kind::repeated_part, place, what + " is written twice");
  reported.label = Label{first, "the first is here"};
  reported.help = "remove one of the two";
}

void Builder::missing(Span place, const std::string& what, const std::string& help) {
  report(Kind::missing_part, place, what).help = help;
}

void Builder::unknown(const ast::Name& word, const std::string& what, const std::vector<std::string>& known) {
  Diagnostic& reported = report(Kind::unknown_word, word.span, "`" + word.text + "` is no " + what);
  const std::string near = nearest(word.text, known);
  if (!near.empty()) {
    reported.help = "did you mean `" + near + "`?";
    reported.fix = Fix{word.span, near};
    return;
  }
  reported.help = "known: ";
  for (size_t i = 0; i < known.size(); ++i) reported.help += (i > 0 ? ", " : "") + known[i];
}

// ---- items ----------------------------------------------------------------------------------------------------------

void Builder::item(Grammar::ItemContext* ctx, ast::Module& module) {
  if (auto* line = ctx->edition()) return edition(line, module);
  if (auto* line = ctx->moduleName()) {
    if (!module.name.text.empty()) return repeated(span(line), "`module`", module.name.span);
    module.name = name(line->path());
    return;
  }
  if (auto* line = ctx->use()) {
    module.uses.push_back({name(line->path()), span(line)});
    return;
  }
  ast::Declaration out;
  out.doc = doc_before(ctx);
  out.span = span(rule(ctx->children[0]));
  out.body = declaration(ctx, out);
  module.declarations.push_back(std::move(out));
}

void Builder::edition(Grammar::EditionContext* ctx, ast::Module& module) {
  if (module.edition) return repeated(span(ctx), "`edition`", module.edition_span);
  module.edition = whole_number(ctx->INTEGER());
  module.edition_span = span(ctx);
  if (*module.edition == 1) return;
  Diagnostic& reported = report(Kind::bad_edition, span(ctx->INTEGER()), "this compiler knows edition 1 only");
  reported.help = "write `edition 1`";
  reported.fix = Fix{span(ctx->INTEGER()), "1"};
}

ast::DeclBody Builder::declaration(Grammar::ItemContext* ctx, ast::Declaration& out) {
  const auto named = [&](auto body) -> ast::DeclBody {
    out.name = body.name;
    return body;
  };
  if (auto* d = ctx->param()) return named(param(d));
  if (auto* d = ctx->enumeration()) return named(enumeration(d));
  if (auto* d = ctx->fn()) return named(fn(d));
  if (auto* d = ctx->detect())
    return named(ast::DetectDecl{name(d->name()), subject(d->subject()), expr(d->expression())});
  if (auto* d = ctx->metric()) return named(ast::MetricDecl{name(d->name()), type(d->type()), expr(d->expression())});
  if (auto* d = ctx->judge()) return named(judge(d));
  if (auto* d = ctx->reward()) return named(reward(d));
  if (auto* d = ctx->test()) return test(d);
  if (auto* d = ctx->belief()) return named(belief(d));
  if (auto* d = ctx->cues()) return cues(d);
  if (auto* d = ctx->render()) return named(render(d));
  if (auto* d = ctx->scenario()) return named(scenario(d));
  if (auto* d = ctx->phrases()) return named(phrases(d));
  if (auto* d = ctx->filter()) return named(filter(d));
  return named(context(ctx->context()));
}

ast::ParamDecl Builder::param(Grammar::ParamContext* ctx) {
  ast::ParamDecl out{name(ctx->name()), type(ctx->type()), expr(ctx->coalescence())};
  const auto bounds = ctx->additive();
  if (bounds.empty()) return out;
  if (!out.type.low.empty()) repeated(join(span(bounds[0]), span(bounds[1])), "the range", out.type.low[0].span);
  out.type.low = {expr(bounds[0])};
  out.type.high = {expr(bounds[1])};
  return out;
}

ast::EnumDecl Builder::enumeration(Grammar::EnumerationContext* ctx) {
  check_commas(ctx);
  ast::EnumDecl out{name(ctx->name()), {}};
  for (Grammar::LabelContext* label : ctx->label()) out.labels.push_back(name(label));
  return out;
}

ast::FnDecl Builder::fn(Grammar::FnContext* ctx) {
  ast::FnDecl out{name(ctx->name()), parameters(ctx->parameters(), true), {}, expr(ctx->expression())};
  if (ctx->type()) out.result = type(ctx->type());
  return out;
}

ast::JudgeDecl Builder::judge(Grammar::JudgeContext* ctx) {
  ast::JudgeDecl out{name(ctx->name()), subject(ctx->subject()), {}, {}, {}};
  std::optional<Span> rule_place;
  for (Grammar::JudgePartContext* part : ctx->judgePart()) {
    if (part->NAME()) {
      const ast::Name word = name(part->NAME());
      if (word.text != "rule") unknown(word, "part of a judge", {"rule", "system", "prompt"});
      if (rule_place) repeated(span(part), "`rule`", *rule_place);
      rule_place = span(part);
      out.rule = expr(part->expression());
      continue;
    }
    std::optional<ast::Expr>& slot = part->SYSTEM() ? out.system : out.prompt;
    if (slot) repeated(span(part), part->SYSTEM() ? "`system`" : "`prompt`", slot->span);
    slot = text_literal(part->text());
  }
  if (!rule_place) {
    missing(out.name.span, "judge `" + out.name.text + "` has no `rule`",
            "add `rule = VALUE`: the score, from -1 to 1, where no model is asked");
  }
  return out;
}

ast::RewardDecl Builder::reward(Grammar::RewardContext* ctx) {
  ast::RewardDecl out;
  out.name = name(ctx->name());
  out.subject = subject(ctx->subject());
  if (auto* limit = ctx->judgeLimit()) {
    out.judge_limit = whole_number(limit->INTEGER());
    out.judge_limit_span = span(limit);
  }
  for (Grammar::StopContext* stop : ctx->stop()) out.stops.push_back({name(stop->name()), expr(stop->expression())});
  for (Grammar::LayerContext* part : ctx->layer()) out.layers.push_back(layer(part));
  for (Grammar::ClampContext* clamp : ctx->clamp()) {
    if (!out.clamp_low.empty()) {
      repeated(span(clamp), "`clamp`", out.clamp_span);
      break;
    }
    out.clamp_span = span(clamp);
    out.clamp_low.push_back(expr(clamp->additive(0)));
    out.clamp_high.push_back(expr(clamp->additive(1)));
  }
  return out;
}

ast::Layer Builder::layer(Grammar::LayerContext* ctx) {
  ast::Layer out;
  out.name = name(ctx->name());
  out.span = span(ctx);
  if (ctx->expression()) out.weight = expr(ctx->expression());
  if (ctx->supervises()) out.supervises = names(ctx->supervises()->name());
  for (Grammar::TermContext* term : ctx->term()) {
    out.terms.push_back({doc_before(term), name(term->NAME()), expr(term->expression())});
  }
  return out;
}

ast::Parameter Builder::subject(Grammar::SubjectContext* ctx) { return {name(ctx->name()), type(ctx->type()), {}}; }

std::vector<ast::Parameter> Builder::parameters(Grammar::ParametersContext* ctx, bool typed) {
  check_commas(ctx);
  std::vector<ast::Parameter> out;
  for (Grammar::ParameterContext* parameter : ctx->parameter()) {
    out.push_back({name(parameter->name()), {}, {}});
    if (parameter->type()) out.back().type = type(parameter->type());
    if (parameter->expression()) out.back().default_value.push_back(expr(parameter->expression()));
    if (parameter->type() || !typed) continue;
    missing(out.back().name.span, "parameter `" + out.back().name.text + "` has no type",
            "write `" + out.back().name.text + ": TYPE`");
  }
  return out;
}

ast::TypeRef Builder::type(Grammar::TypeContext* ctx) {
  ast::TypeRef out;
  out.name = name(ctx->name());
  out.span = span(ctx);
  out.optional = ctx->QUESTION() != nullptr;
  for (Grammar::TypeContext* argument : ctx->type()) out.arguments.push_back(type(argument));
  const auto bounds = ctx->additive();
  if (!bounds.empty()) {
    out.low.push_back(expr(bounds[0]));
    out.high.push_back(expr(bounds[1]));
  }
  return out;
}

}  // namespace wend::syntax
