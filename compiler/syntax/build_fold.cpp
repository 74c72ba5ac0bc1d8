// Calls, folds, lists and objects: what stands between brackets.
#include <algorithm>

#include "WendLexer.h"
#include "compiler/syntax/builder.h"

namespace wend::syntax {
namespace {

using ast::Expr;
using ast::ExprKind;
using grammar::WendLexer;

const std::vector<std::string>& fold_names() {
  static const std::vector<std::string> names{"sum", "count", "any", "all", "mean", "min", "max", "first", "last"};
  return names;
}

bool is_fold_name(const Expr& callee) {
  const auto& names = fold_names();
  return callee.kind == ExprKind::name && std::find(names.begin(), names.end(), callee.text) != names.end();
}

// `u in turns` without brackets around it.
bool is_membership(const Expr& e) {
  return e.kind == ExprKind::binary && e.binary == ast::BinaryOp::in && e.children[0].kind == ExprKind::name;
}

bool has_for(const std::vector<Grammar::ClauseContext*>& clauses) {
  return std::any_of(clauses.begin(), clauses.end(),
                     [](Grammar::ClauseContext* clause) { return clause->FOR() != nullptr; });
}

ast::Name name_of(const Expr& e) { return {e.text, e.span}; }

}  // namespace

// `f(a, , b)`: commas separate; one may follow the last element of a list, an object or a tier.
void Builder::check_commas(antlr4::ParserRuleContext* ctx) {
  bool after_comma = false;
  for (Tree* child : ctx->children) {
    const bool comma = token_type(child) == WendLexer::COMMA;
    if (comma && after_comma) {
      const Span place = span(static_cast<antlr4::tree::TerminalNode*>(child));
      Diagnostic& reported = report(Kind::unexpected_token, place, "expected a value between two commas");
      reported.help = "remove one `,`";
      reported.fix = Fix{place, ""};
    }
    after_comma = comma;
  }
}

Expr Builder::call(Expr callee, Grammar::ArgumentsContext* ctx, Span place) {
  const auto arguments = ctx->argument();
  const bool folds = std::any_of(arguments.begin(), arguments.end(), [](Grammar::ArgumentContext* argument) {
    return has_for(argument->clause()) || argument->DISTINCT();
  });
  const bool filters = arguments.size() == 1 && !arguments[0]->clause().empty();
  if (folds || (filters && is_fold_name(callee))) return fold(std::move(callee), ctx, place);
  for (Grammar::ArgumentContext* argument : arguments) {
    for (Grammar::ClauseContext* clause : argument->clause()) filter_without_fold(clause);
  }
  check_commas(ctx);
  Expr result;
  result.kind = ExprKind::call;
  result.span = place;
  const bool fold_name = is_fold_name(callee);
  result.children.push_back(std::move(callee));
  for (Grammar::ArgumentContext* argument : arguments) result.children.push_back(expr(argument->expression()));
  const bool bracketed = result.children.size() == 2 && arguments[0]->start->getType() == WendLexer::LPAREN;
  if (!fold_name || result.children.size() != 2 || !is_membership(result.children[1]) || bracketed) return result;
  // count(hit in u): a fold over a list, or over the places where a detector fires.
  Expr membership = std::move(result.children[1]);
  Expr folded;
  folded.kind = ExprKind::fold;
  folded.span = place;
  folded.text = result.children[0].text;
  folded.name_span = result.children[0].span;
  folded.clauses.push_back({name_of(membership.children[0]), {}, {std::move(membership.children[1])}, {}});
  return folded;
}

Expr Builder::fold(Expr callee, Grammar::ArgumentsContext* ctx, Span place) {
  Expr result;
  result.kind = ExprKind::fold;
  result.span = place;
  result.text = callee.text;
  result.name_span = callee.kind == ExprKind::field ? callee.name_span : callee.span;
  if (!is_fold_name(callee)) {
    const std::string near = callee.kind == ExprKind::name ? nearest(callee.text, fold_names()) : "";
    report(Kind::not_a_fold, result.name_span, "`" + text(callee.span) + "` does not fold a list").help =
        near.empty() ? "folds are: sum, count, any, all, mean, min, max, first, last" : "did you mean `" + near + "`?";
  }
  const auto arguments = ctx->argument();
  if (arguments.size() > 1) {
    report(Kind::bad_clause, join(span(arguments[0]), span(arguments[1])), "a fold has one body").help =
        "combine the values, or write one fold for each";
  }
  Grammar::ArgumentContext* argument = arguments[0];
  result.distinct = argument->DISTINCT() != nullptr;
  Expr body = expr(argument->expression());
  const auto list = argument->clause();
  const bool over_list = is_membership(body) && (list.empty() || list[0]->IF());
  if (over_list) {
    result.clauses.push_back({name_of(body.children[0]), {}, {std::move(body.children[1])}, {}});
  } else {
    result.children.push_back(std::move(body));
  }
  clauses(result, list);
  return result;
}

void Builder::filter_without_fold(Grammar::ClauseContext* ctx) {
  report(Kind::if_without_for, span(ctx->IF()), "`if` belongs to a fold, after `for NAME in LIST`").help =
      "a value under a condition is `VALUE when CONDITION else VALUE`";
}

void Builder::clauses(Expr& fold, const std::vector<Grammar::ClauseContext*>& list) {
  for (Grammar::ClauseContext* ctx : list) {
    Expr inner = expr(ctx->expression());
    if (ctx->FOR()) {
      const auto variables = ctx->name();
      ast::Clause clause{name(variables[0]), {}, {}, {}};
      if (variables.size() > 1) clause.index = name(variables[1]);
      clause.source.push_back(std::move(inner));
      fold.clauses.push_back(std::move(clause));
    } else if (!fold.clauses.empty()) {
      fold.clauses.back().conditions.push_back(std::move(inner));
    } else {
      filter_without_fold(ctx);
    }
  }
}

Expr Builder::list(Grammar::ListContext* ctx) {
  Expr result;
  result.kind = ExprKind::list;
  result.span = span(ctx);
  check_commas(ctx);
  const auto arguments = ctx->argument();
  for (Grammar::ArgumentContext* argument : arguments) {
    const auto list = argument->clause();
    if (!list.empty() && arguments.size() > 1) {
      report(Kind::bad_clause, span(argument), "a list made with `for` has one body").help =
          "put the other elements in a list of their own";
    }
    if (argument->DISTINCT()) result.distinct = true;
    result.children.push_back(expr(argument->expression()));
    clauses(result, list);
  }
  return result;
}

Expr Builder::object(Grammar::ObjectContext* ctx) {
  Expr result;
  result.kind = ExprKind::object;
  result.span = span(ctx);
  check_commas(ctx);
  const auto entries = ctx->entry();
  for (Grammar::EntryContext* entry : entries) {
    ast::Name key;
    if (entry->NAME()) {
      key = name(entry->NAME());
    } else {
      key = {contents(entry->text()), span(entry->text())};
    }
    result.keys.push_back(std::move(key));
    result.children.push_back(expr(entry->expression()));
  }
  const auto list = ctx->clause();
  if (!list.empty() && entries.size() != 1) {
    report(Kind::bad_clause, span(list[0]), "an object made with `for` has one entry").help =
        "for example `{ \"task_{i}\": q.text for q, i in b.pending }`";
  }
  clauses(result, list);
  return result;
}

}  // namespace wend::syntax
