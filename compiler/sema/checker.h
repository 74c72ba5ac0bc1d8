// The checker's state, shared by the files check_*.cpp. Internal to sema.
#ifndef WEND_COMPILER_SEMA_CHECKER_H_
#define WEND_COMPILER_SEMA_CHECKER_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::sema {

struct Symbol {
  enum class Kind { param, function, metric, reward, judge, enumeration, type, other };
  Kind kind = Kind::other;
  uint32_t index = 0;  // in the Program's vector of that kind
  uint32_t module = 0;
  Span span;
  const ast::Declaration* decl = nullptr;
};

// What is known at a point of an expression.
struct Env {
  uint32_t module = 0;
  std::vector<std::pair<std::string, uint32_t>> variables;  // innermost last
  std::vector<std::string> present;  // paths ("c.result") that are known to exist
  std::vector<std::pair<std::string, Range>> facts;  // what is known of the numbers written so ("judge.acr(u)")
  uint32_t granted = 0;              // capabilities that are known to hold
  bool guarded = false;              // a division here has an `else`
  bool metric = false;               // `turns`, `traces`... mean those of the whole data
  int64_t self = -1;                 // function being checked
  int64_t judge = -1;                // judge being checked: it may not ask a judge
};

class Checker {
 public:
  Checker(const SourceSet& sources, Program& program, Diagnostics& diagnostics)
      : sources_(sources), program_(program), diagnostics_(diagnostics) {}

  // `modules` in dependency order; `used[i]` are the modules that i uses; `main[i]`: given by the user.
  void run(const std::vector<std::vector<uint32_t>>& used, const std::vector<bool>& main);

  // ---- expressions (check_expr.cpp, check_fold.cpp, check_call.cpp) ----
  Expr check(const ast::Expr& e, Env& env);
  Expr check_as(const ast::Expr& e, Env& env, Type wanted, std::string_view what);  // with implicit conversion
  Expr check_condition(const ast::Expr& e, Env& env);
  // What `e` being true lets later parts rely on.
  void learn(const ast::Expr& e, const Expr& checked, Env& env) const;

  Type resolve_type(const ast::TypeRef& ref, uint32_t module);
  uint32_t new_variable(std::string name, Type type, uint32_t earlier_than = 0xFFFFFFFFu);

 private:
  // declarations (check_decl.cpp, check_reward.cpp)
  void declare(uint32_t module);
  void declare_one(uint32_t module, const ast::Declaration& d);
  void check_function(uint32_t index);
  void check_param(uint32_t index, const ast::ParamDecl& d);
  void check_judge(uint32_t index, const ast::JudgeDecl& d);
  void check_metric(uint32_t index);
  void check_reward(uint32_t index, const ast::RewardDecl& d);
  void check_layer(const ast::Layer& layer, Reward& reward, Env& env);
  void check_stop(const ast::Stop& stop, Reward& reward, Env& env);
  void check_test(const Test& test, uint32_t module);
  void check_sign(const std::string& name, const Term& term);
  void warn_judges(const Reward& reward, const ast::RewardDecl& d);
  void warn_unused(const std::vector<bool>& main);
  std::string hole_text(const ast::Expr& text, Env& env, std::vector<Expr>& holes);

  // expressions
  Expr check_kind(const ast::Expr& e, Env& env);
  Expr check_name(const ast::Expr& e, Env& env);
  Expr check_field(const ast::Expr& e, Env& env);
  Expr check_call(const ast::Expr& e, Env& env);
  Expr check_builtin(const ast::Expr& e, const std::string& name, std::vector<const ast::Expr*> args, Env& env);
  Expr call_function(uint32_t function, std::vector<Expr> args, Span span, Env& env,
                     const std::vector<const ast::Expr*>& written);
  Expr check_judge_call(const ast::Expr& e, Env& env);
  Expr check_unary(const ast::Expr& e, Env& env);
  Expr check_binary(const ast::Expr& e, Env& env);
  Expr check_arithmetic(const ast::Expr& e, Env& env);
  Expr check_comparison(const ast::Expr& e, Env& env);
  Expr check_logic(const ast::Expr& e, Env& env);
  Expr check_in(const ast::Expr& e, Env& env);
  Expr check_is(const ast::Expr& e, Env& env);
  Expr check_has(const ast::Expr& e, Env& env);
  Expr check_coalesce(const ast::Expr& e, Env& env);
  Expr check_guard(const ast::Expr& e, Env& env);
  Expr check_choose(const ast::Expr& e, Env& env);
  Expr check_cap(const ast::Expr& e, Env& env);
  Expr check_tier(const ast::Expr& e, Env& env);
  Expr check_fold(const ast::Expr& e, Env& env);
  Expr check_list(const ast::Expr& e, Env& env);
  Expr fold_over_detector(const ast::Expr& e, uint32_t detector, FoldKind kind, const ast::Expr& scope, Env& env);
  Expr finish_fold(Expr fold, const ast::Expr& e, Env& env, bool outer_guarded);
  bool bind_loop(const ast::Clause& clause, bool first, Expr& fold, Env& env);

  // helpers
  const Symbol* find(const std::string& name, uint32_t module) const;
  const Symbol* detector_named(const ast::Expr& e, const Env& env) const;
  const uint32_t* variable_named(const std::string& name, const Env& env) const;
  std::vector<std::string> visible_names(const Env& env, bool detectors_only) const;
  static std::string path_of(const ast::Expr& e);
  Expr failed(Span span) const;
  Expr error(Kind kind, Span span, std::string message, std::string help = "");
  bool unify(Expr& a, Expr& b);          // numbers to real, literals to json/folded; false if they cannot be compared
  bool require_present(const Expr& e);   // reports and returns false for an optional
  void to_real(Expr& e) const;
  std::string type_text(const Expr& e) const { return program_.text(e.type); }

  const SourceSet& sources_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::vector<std::map<std::string, Symbol>> names_;        // by module: values
  std::vector<std::map<std::string, Symbol>> type_names_;   // by module: enums, beliefs
  std::vector<std::map<std::string, Symbol>> judge_names_;  // by module
  std::vector<std::vector<uint32_t>> used_;
  enum class State : uint8_t { unchecked, checking, done };
  std::vector<State> function_state_, metric_state_, judge_state_;
  std::vector<const ast::Declaration*> function_decl_, metric_decl_;
  std::vector<uint32_t> function_module_, metric_module_;
};

// "t.calls" of a count: what is counted, for knowing that a ratio is at most 1.
std::string extent_of(const Expr& count);

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_CHECKER_H_
