// Writes nested lists: (head item item ...). Internal to the dump.
#ifndef WEND_COMPILER_SYNTAX_DUMP_WRITER_H_
#define WEND_COMPILER_SYNTAX_DUMP_WRITER_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/syntax/ast.h"

namespace wend::syntax {

class DumpWriter {
 public:
  // ---- words
  void word(std::string_view text) {
    if (!out_.empty() && out_.back() != '(' && out_.back() != '\n' && out_.back() != ' ') out_ += ' ';
    out_ += text;
  }
  void quoted(std::string_view text);
  void number(int64_t value) { word(std::to_string(value)); }

  // ---- lists
  template <typename Body>
  void list(std::string_view head, Body body) {
    word("(");
    out_ += head;
    body();
    out_ += ')';
  }
  // A list on a line of its own, further in.
  template <typename Body>
  void line(std::string_view head, Body body) {
    ++depth_;
    out_ += '\n' + std::string(2 * depth_, ' ');
    list(head, body);
    --depth_;
  }

  // ---- parts of the tree (dump_expr.cpp)
  void name(const ast::Name& name);
  void names(std::string_view head, const std::vector<ast::Name>& names);
  void optional(std::string_view head, const std::optional<ast::Name>& name);
  void doc(const ast::Doc& doc);
  void expr(const ast::Expr& e);
  void exprs(std::string_view head, const std::vector<ast::Expr>& list);  // nothing when empty
  void type(const ast::TypeRef& type);
  void parameter(std::string_view head, const ast::Parameter& parameter);
  void call(const ast::CallLiteral& call);

  // ---- declarations (dump_core.cpp, dump_rest.cpp)
  void declaration(const ast::Declaration& declaration);

  std::string take() { return std::move(out_); }

 private:
  void operator_node(const ast::Expr& e);
  void clauses(const std::vector<ast::Clause>& clauses);
  void arms(const std::vector<ast::TierArm>& arms);

  void body(const ast::ParamDecl& d);
  void body(const ast::EnumDecl& d);
  void body(const ast::FnDecl& d);
  void body(const ast::DetectDecl& d);
  void body(const ast::MetricDecl& d);
  void body(const ast::JudgeDecl& d);
  void body(const ast::RewardDecl& d);
  void body(const ast::TestDecl& d);
  void body(const ast::BeliefDecl& d);
  void body(const ast::CuesDecl& d);
  void body(const ast::RenderDecl& d);
  void body(const ast::ScenarioDecl& d);
  void body(const ast::PhrasesDecl& d);
  void body(const ast::FilterDecl& d);
  void body(const ast::ContextDecl& d);
  void trace(const ast::TraceLiteral& trace);
  void gold(const ast::GoldLiteral& gold);
  void statements(std::string_view head, const std::vector<ast::Statement>& list);
  void binding(const ast::Binding& binding);
  void point(const ast::InjectPoint& point);
  void change(const ast::CallChange& change);
  void inject(const ast::Inject& inject);
  void scenario_gold(const ast::ScenarioGold& gold);

  std::string out_;
  size_t depth_ = 0;
};

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_DUMP_WRITER_H_
