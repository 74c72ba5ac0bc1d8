// The checker's state, shared by the files check_*.cpp. Internal to sema.
#ifndef WEND_COMPILER_SEMA_CHECKER_H_
#define WEND_COMPILER_SEMA_CHECKER_H_

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sema/module_files.h"
#include "compiler/sema/program.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::sema {

struct Symbol {
  enum class Kind {
    param,
    function,
    metric,
    reward,
    judge,
    classifier,
    enumeration,
    belief,
    render,
    scenario,
    phrases,
    other
  };
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
  std::vector<std::string> present;                         // paths ("c.result") that are known to exist
  std::vector<std::pair<std::string, Range>> facts;         // what is known of the numbers written so ("judge.acr(u)")
  uint32_t granted = 0;                                     // capabilities that are known to hold
  bool guarded = false;                                     // a division here has an `else`
  bool metric = false;                                      // `turns`, `traces`... mean those of the whole data
  int64_t self = -1;                                        // function being checked
  int64_t judge = -1;                                       // judge being checked: it may not ask a judge
  bool state = false;     // the functions of beliefs and renders are there, texts have {holes}
  bool scenario = false;  // so are the operators of scenarios
};

// Limits with the functions that are called written out. No spec that a person writes comes near; they bound the time
// and the stack that the passes after this one need.
inline constexpr uint32_t kMaxDepth = 1200;
inline constexpr double kMaxSize = 200'000;

class Checker {
 public:
  Checker(const SourceSet& sources, ModuleFiles& files, Program& program, Diagnostics& diagnostics)
      : sources_(sources), files_(files), program_(program), diagnostics_(diagnostics) {}

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
  bool add_symbol(std::vector<std::map<std::string, Symbol>>& names, const ast::Name& name, Symbol::Kind kind,
                  size_t index, uint32_t module, const ast::Declaration& d);
  bool is_broken(const ast::Declaration& d) const;  // a syntax error stands in it
  void check_sign(const std::string& name, const Term& term);
  void warn_judges(const Reward& reward, const ast::RewardDecl& d);
  void warn_unused(const std::vector<bool>& main);
  std::string hole_text(const ast::Expr& text, Env& env, std::vector<Expr>& holes);

  // beliefs, cues, classifiers, renders (check_state.cpp, check_belief.cpp)
  void declare_belief(uint32_t module, const ast::Declaration& d, const ast::BeliefDecl& b);
  void declare_cues(uint32_t module, const ast::Declaration& d, const ast::CuesDecl& c);
  void check_classifiers();
  void check_state();
  void check_belief(uint32_t index, uint32_t module, const ast::BeliefDecl& d);
  std::vector<Statement> check_statements(const std::vector<ast::Statement>& written, uint32_t belief, Env& env);
  bool check_statement(const ast::Statement& s, uint32_t belief, Env& env, Statement& out);
  bool check_assignment(const ast::Statement& s, uint32_t belief, Env& env, Statement& out);
  bool check_operation(const ast::Statement& s, uint32_t belief, Env& env, Statement& out);
  bool find_place(const ast::Expr& place, uint32_t belief, const Env& env, std::initializer_list<ast::FieldKind> kinds,
                  std::string_view verb, uint32_t& field);
  Expr check_slot_values(const ast::Expr& e, Env& env, std::string_view verb);
  Expr check_labelled(const ast::Expr& e, Env& env, Type wanted, std::string_view what);  // names are labels
  bool check_observable(const Expr& e, std::optional<Span> within);
  void check_cues(Cues& cues, uint32_t module, const ast::CuesDecl& d);
  void check_classifier(uint32_t index, uint32_t module, const ast::JudgeDecl& d);
  void check_render(uint32_t index, uint32_t module, const ast::RenderDecl& d);
  // What a render cannot do: recognition, and texts that are made other than to be written out; null: nothing.
  const Expr* beyond_a_render(const Expr& e, bool shown) const;
  void check_shortening(const ast::RenderDecl& d, std::vector<RenderBlock>& blocks);
  uint32_t check_budget(const ast::Expr& written, uint32_t module);

  // values of beliefs and renders (check_document.cpp)
  Expr check_fill(const ast::Expr& text, Env& env);
  Expr check_json(const ast::Expr& e, Env& env);
  Expr check_comprehension(const ast::Expr& e, Env& env);
  Expr check_lookup(const ast::Expr& e, Env& env);
  std::optional<Expr> check_belief_field(const ast::Expr& e, const Expr& owner) const;
  std::optional<Expr> check_state_function(const ast::Expr& e, const std::string& name,
                                           const std::vector<const ast::Expr*>& args, Env& env);
  Expr check_classify(const ast::Expr& e, const std::vector<const ast::Expr*>& args, Env& env);

  // scenarios (check_scenario.cpp), phrases, filters, contexts (check_context.cpp)
  void check_scenarios();
  void check_scenario(uint32_t index, uint32_t module, const ast::Declaration& d, const ast::ScenarioDecl& s);
  void check_base(const ast::ScenarioDecl& s, Scenario& out, Env& env);
  std::optional<Binding> check_binding(const ast::Binding& b, Env& env);
  void check_injection(const ast::Inject& inject, Scenario& out, Env& env);
  void check_splicing(const ast::Splice& splice, Scenario& out, Env& env);
  bool check_point(const ast::InjectPoint& point, const Scenario& scenario, Env& env, Point& out);
  std::optional<ChangedCall> check_changed_call(const ast::CallChange& c, Env& env);
  void check_scenario_gold(const ast::ScenarioDecl& s, Scenario& out, Env& env);
  std::optional<uint32_t> check_gold_label(const std::optional<ast::Name>& label, uint16_t enumeration);
  Expr check_scenario_operator(const ast::Expr& e, Env& env);
  Expr check_phrases_call(uint32_t index, const ast::Expr& e, Env& env);
  void check_phrases(uint32_t index, uint32_t module, const ast::PhrasesDecl& d);
  void check_filter(uint32_t module, const ast::Declaration& d, const ast::FilterDecl& f);
  bool check_filter_source(const ast::Expr& source, const ast::Name& variable, FilterRule& rule, Env& env);
  void check_context(uint32_t module, const ast::Declaration& d, const ast::ContextDecl& c);
  bool check_context_step(const ast::ContextStep& s, const Context& context, Env& env, ContextStep& out);
  const Symbol* named(const ast::Name& name, uint32_t module, Symbol::Kind kind, std::string_view what);

  // expressions
  Expr check_kind(const ast::Expr& e, Env& env);
  Expr check_name(const ast::Expr& e, Env& env);
  Expr check_field(const ast::Expr& e, Env& env);
  Expr check_call(const ast::Expr& e, Env& env);
  Expr check_builtin(const ast::Expr& e, const std::string& name, const std::vector<const ast::Expr*>& args, Env& env);
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
  Loop dataset_loop(Entity entity, const ast::Clause& clause, Expr& fold, const Env& env);

  // helpers
  // The declaration that `name` means in `module`; two modules in use that both declare it are an error at `span`.
  const Symbol* find(const std::string& name, uint32_t module, Span span = {}) const;
  const Symbol* detector_named(const ast::Expr& e, const Env& env) const;
  const uint32_t* variable_named(const std::string& name, const Env& env) const;
  std::vector<std::string> visible_names(const Env& env, bool detectors_only) const;
  // The help for a name that file `file` does not know: a module to use, the nearest of `candidates`, or `otherwise`.
  std::string help_for_unknown(NameSpace space, const std::string& name, uint32_t file,
                               const std::vector<std::string>& candidates, std::string otherwise = "") const;
  static std::string path_of(const ast::Expr& e);
  Expr failed(Span span) const;
  Expr error(Kind kind, Span span, std::string message, std::string help = "");
  bool unify(Expr& a, Expr& b);         // numbers to real, literals to json/folded; false if they cannot be compared
  bool require_present(const Expr& e);  // reports and returns false for an optional
  void to_real(Expr& e) const;
  std::string type_text(const Expr& e) const { return program_.text(e.type); }

  const SourceSet& sources_;
  ModuleFiles& files_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::vector<std::map<std::string, Symbol>> names_;        // by module: values
  std::vector<std::map<std::string, Symbol>> type_names_;   // by module: enums, beliefs
  std::vector<std::map<std::string, Symbol>> judge_names_;  // by module
  std::vector<std::vector<uint32_t>> used_;
  enum class State : uint8_t { unchecked, checking, done };
  std::vector<State> function_state_, metric_state_, judge_state_;
  // How large an expression is with the functions that it calls written out: every pass over it takes that long, and
  // goes that deep.
  struct Extent {
    double size = 1;
    uint32_t depth = 1;
  };
  Extent extent(const Expr& e) const;
  bool check_extent(const Expr& checked, Extent& out);
  std::map<uint32_t, Extent> extents_, metric_extents_;  // of the bodies of functions and of metrics
  uint32_t depth_ = 0;                                   // of `check` within itself
  std::vector<const ast::Declaration*> function_decl_, metric_decl_;
  std::vector<uint32_t> function_module_, metric_module_;
  std::vector<Span> syntax_errors_;
  std::set<uint32_t> incomplete_files_;  // where declarations are missing: of modules that could not be read in full
  std::vector<std::pair<uint32_t, const ast::Declaration*>> phrases_decl_, scenario_decl_, render_decl_,
      classifier_decl_;
  std::map<uint32_t, uint32_t> call_of_arg_;  // of scenarios: the variable of the call whose argument a variable is
};

// "t.calls" of a count: what is counted, for knowing that a ratio is at most 1.
std::string extent_of(const Expr& count);

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_CHECKER_H_
