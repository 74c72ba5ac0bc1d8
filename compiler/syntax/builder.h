// From the parse tree to the syntax tree, in one walk. Internal to compiler/syntax.
#ifndef WEND_COMPILER_SYNTAX_BUILDER_H_
#define WEND_COMPILER_SYNTAX_BUILDER_H_

#include <string>
#include <utility>
#include <vector>

#include "WendParser.h"
#include "compiler/source/diagnostic.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/tokens.h"

namespace wend::syntax {

using Grammar = grammar::WendParser;
using Tree = antlr4::tree::ParseTree;

class Builder {
 public:
  Builder(const SourceSet& sources, const TokenList& tokens, Diagnostics& diagnostics)
      : sources_(sources), tokens_(tokens), diagnostics_(diagnostics) {}

  // build_item.cpp: adds the item to the module.
  void item(Grammar::ItemContext* ctx, ast::Module& module);
  // build_expr.cpp: any rule from `expression` to `primary`.
  ast::Expr expr(Tree* node);

 private:
  // ---- places and words
  Span span(const antlr4::ParserRuleContext* ctx) const;
  Span span(antlr4::tree::TerminalNode* node) const;
  std::string text(Span place) const { return std::string(sources_.text(place)); }
  ast::Name name(antlr4::ParserRuleContext* ctx) const;  // a `name`, `label` or `path`
  ast::Name name(antlr4::tree::TerminalNode* node) const;
  ast::Name key(Grammar::KeyContext* ctx);  // a name, or a text standing for one
  std::vector<ast::Name> names(const std::vector<Grammar::NameContext*>& list) const;
  ast::Doc doc_before(const antlr4::ParserRuleContext* ctx) const;
  std::string contents(Grammar::TextContext* ctx) { return text_of(span(ctx)); }
  std::string text_of(Span place);
  int64_t whole_number(antlr4::tree::TerminalNode* node);

  // ---- mistakes that the grammar lets through
  Diagnostic& report(Kind kind, Span place, std::string message) {
    return diagnostics_.report(kind, place, std::move(message));
  }
  void repeated(Span place, const std::string& what, Span first);
  void missing(Span place, const std::string& what, const std::string& help);
  void unknown(const ast::Name& word, const std::string& what, const std::vector<std::string>& known);

  // ---- build_expr.cpp
  ast::Expr ladder(antlr4::ParserRuleContext* ctx, size_t operand_step);
  ast::Expr binary(ast::BinaryOp op, ast::Expr left, ast::Expr right, Span place) const;
  ast::Expr comparison(Grammar::ComparisonContext* ctx);
  ast::Expr choice(Grammar::ChoiceContext* ctx);
  ast::Expr unary_minus(Grammar::UnaryContext* ctx);
  ast::Expr postfix(antlr4::ParserRuleContext* ctx, size_t count);
  ast::Expr suffix(ast::Expr base, Grammar::SuffixContext* ctx);
  ast::Expr primary(Grammar::PrimaryContext* ctx);
  ast::Expr literal(antlr4::tree::TerminalNode* node);
  ast::Expr text_literal(antlr4::ParserRuleContext* ctx);
  ast::Expr name_expr(antlr4::ParserRuleContext* ctx) const;
  ast::Expr tier(Grammar::PrimaryContext* ctx);
  ast::TierArm tier_arm(Grammar::TierArmContext* ctx);
  // build_fold.cpp
  ast::Expr call(ast::Expr callee, Grammar::ArgumentsContext* ctx, Span place);
  ast::Expr fold(ast::Expr callee, Grammar::ArgumentsContext* ctx, Span place);
  void filter_without_fold(Grammar::ClauseContext* ctx);
  void clauses(ast::Expr& fold, const std::vector<Grammar::ClauseContext*>& list);
  ast::Expr list(Grammar::ListContext* ctx);
  ast::Expr object(Grammar::ObjectContext* ctx);
  void check_commas(antlr4::ParserRuleContext* ctx);

  // ---- build_item.cpp
  void edition(Grammar::EditionContext* ctx, ast::Module& module);
  ast::DeclBody declaration(Grammar::ItemContext* ctx, ast::Declaration& out);
  ast::ParamDecl param(Grammar::ParamContext* ctx);
  ast::EnumDecl enumeration(Grammar::EnumerationContext* ctx);
  ast::FnDecl fn(Grammar::FnContext* ctx);
  ast::JudgeDecl judge(Grammar::JudgeContext* ctx);
  ast::RewardDecl reward(Grammar::RewardContext* ctx);
  ast::Layer layer(Grammar::LayerContext* ctx);
  ast::Parameter subject(Grammar::SubjectContext* ctx);
  std::vector<ast::Parameter> parameters(Grammar::ParametersContext* ctx, bool typed);
  ast::TypeRef type(Grammar::TypeContext* ctx);

  // ---- build_test.cpp
  ast::TestDecl test(Grammar::TestContext* ctx);
  ast::TraceLiteral trace(Grammar::TraceContext* ctx);
  void trace_item(Grammar::TraceItemContext* ctx, ast::TraceLiteral& trace);
  ast::CallLiteral call_literal(Grammar::CallLiteralContext* ctx);
  ast::GoldLiteral gold_literal(Grammar::GoldLiteralContext* ctx);
  ast::ChainLiteral::Link link(Grammar::LinkContext* ctx);
  ast::Name tool_name(Grammar::ToolNameContext* ctx, size_t parts);

  // ---- build_state.cpp
  ast::BeliefDecl belief(Grammar::BeliefContext* ctx);
  ast::BeliefField belief_field(Grammar::BeliefFieldContext* ctx);
  std::vector<ast::Statement> block(Grammar::BlockContext* ctx);
  ast::Statement statement(Grammar::StatementContext* ctx);
  ast::Statement assignment(Grammar::StatementContext* ctx);
  ast::CuesDecl cues(Grammar::CuesContext* ctx);
  ast::RenderDecl render(Grammar::RenderContext* ctx);

  // ---- build_scenario.cpp
  ast::ScenarioDecl scenario(Grammar::ScenarioContext* ctx);
  void scenario_item(Grammar::ScenarioItemContext* ctx, ast::ScenarioDecl& out);
  ast::Binding binding(Grammar::BindingContext* ctx);
  ast::Inject inject(Grammar::InjectContext* ctx);
  ast::InjectPoint point(Grammar::PointContext* ctx);
  ast::ScenarioStep scenario_step(Grammar::ScenarioStepContext* ctx);
  ast::CallChange call_change(Grammar::CallChangeContext* ctx);
  ast::ScenarioGold scenario_gold(Grammar::ScenarioGoldContext* ctx);
  ast::PhrasesDecl phrases(Grammar::PhrasesContext* ctx);
  ast::FilterDecl filter(Grammar::FilterContext* ctx);
  ast::ContextDecl context(Grammar::ContextContext* ctx);
  ast::ContextStep context_step(Grammar::ContextStepContext* ctx);

  const SourceSet& sources_;
  const TokenList& tokens_;
  Diagnostics& diagnostics_;
};

inline antlr4::ParserRuleContext* rule(Tree* node) { return static_cast<antlr4::ParserRuleContext*>(node); }
// The type of the token that a node is; 0 for a rule. (A node of the tree is one or the other.)
size_t token_type(Tree* node);

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_BUILDER_H_
