// How dialogues are made and what a model is shown, typed: scenarios, phrases, filters, contexts.
#ifndef WEND_COMPILER_SEMA_SCENARIO_H_
#define WEND_COMPILER_SEMA_SCENARIO_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/sema/expr.h"
#include "compiler/syntax/ast.h"

namespace wend::sema {

enum class Family : uint8_t { baseline, modification, interruption, clarification, accumulation, chaining };

// What a fresh trace is made like: `from trace with ...`.
enum class TraceKind : uint8_t {
  any,
  single_step,
  several_steps,
  dependent_steps,       // one call; calls of several tools; each fed by the one before
  withheld_param,        // the query leaves out a required parameter: the variable `withheld`
  unclear_intent,        // a fragmentary utterance goes first
  unclear_and_withheld,  // both, one after the other; `withheld` is there as well
  personal_profile,      // a user profile and device snapshot that arguments depend on
  language_only,         // a question that needs no tool
};

struct Binding {
  ast::BindingKind kind = ast::BindingKind::value;
  uint32_t variable = 0;
  Span span;
  Expr source;
  std::vector<Expr> conditions;
};

// The call `call` with the arguments `first` (variables) set to `second`.
struct ChangedCall {
  Expr call;
  std::vector<std::pair<uint32_t, Expr>> changes;
  std::optional<uint32_t> made;  // variable k': the call k as a step makes it
};

enum class ScenarioEvent : uint8_t { user, call, result, reply, question };
struct Point {
  bool after = true;
  ScenarioEvent event = ScenarioEvent::user;
  std::vector<Expr> subject;  // at most one: a Call for call and result, a Turn for the others
};
struct ScenarioStep {
  ast::StepKind kind = ast::StepKind::user;
  Span span;
  std::vector<Expr> text;          // at most one
  std::vector<ChangedCall> calls;  // parallel
};
struct Injection {
  Point point;
  std::vector<Binding> where;
  std::vector<ScenarioStep> steps;
};
struct Splicing {
  enum class Relation : uint8_t { orthogonal, dependent, parallel };
  Relation relation = Relation::orthogonal;
  enum class Size : uint8_t { simple, complex, scenario };
  Size size = Size::simple;
  uint32_t scenario = 0;  // where size says so
  Point point;
  uint32_t variable = 0;  // `spliced`: a Trace
};

struct ScenarioGold {
  std::vector<ChangedCall> calls;
  std::vector<Expr> calls_of;                // each a Trace or a list of calls
  std::vector<std::pair<Expr, Expr>> stale;  // argument, value
  std::optional<uint32_t> signal, kind;      // labels of the built-in enums
  std::vector<Expr> missing;                 // each a Param or an Arg
  bool abandons_suspended = false;
  std::vector<Expr> abandoned;  // calls
  std::vector<Expr> reference;  // a text; at most one
};

struct Scenario {
  std::string name, module, doc, title;
  Span span;
  Family family = Family::baseline;
  std::optional<uint32_t> base;  // another scenario; otherwise `trace_kind`
  TraceKind trace_kind = TraceKind::any;
  uint32_t trace = 0;                // variable
  std::optional<uint32_t> withheld;  // variable: a Param
  std::vector<Binding> bindings;
  std::vector<std::variant<Injection, Splicing>> changes;  // in order
  ScenarioGold gold;
  std::vector<Expr> requirements;
  uint32_t primary = 0;  // metric
  double share = 0;      // 0 .. 1
};

struct PhrasesParameter {
  std::string name;
  uint32_t variable = 0;
  bool any = false;  // no type written: takes whatever can be said
};
struct Phrases {
  std::string name, module, doc;
  Span span;
  std::vector<PhrasesParameter> parameters;
  std::vector<Expr> variants;  // fill or text
};

enum class Repair : uint8_t { none, drop, coerce, fill };  // leave it out; convert the value; put the default in
struct FilterCheck {
  Expr condition;
  Repair repair = Repair::none;
};
struct FilterRule {
  Span span;
  std::vector<Loop> loops;  // none: about the whole trace
  std::vector<FilterCheck> checks;
};
struct Filter {
  std::string name, module, doc;
  Span span;
  uint32_t trace = 0;  // variable
  std::vector<FilterRule> rules;
};

// Who writes, carries or compresses. A model's back end is chosen when a context runs.
enum class Author : uint8_t { policy, scorer, summariser, guideline };
enum class Carried : uint8_t { state, facts, constraints, summary };
// When a belief state follows the dialogue (paper, Table 10): always; anew in each turn; in the first turn alone.
enum class UpdatePolicy : uint8_t { accumulate, last_only, first_only };
struct ContextStep {
  ast::ContextKind kind = ast::ContextKind::history_all;
  Span span;
  uint32_t render = 0;                             // draft, render
  std::optional<uint32_t> prompt;                  // draft: the render that the policy is given to draft from
  UpdatePolicy policy = UpdatePolicy::accumulate;  // update
  std::string text;                                // instruct
  bool into_system = true;                         // inject: into the system prompt, or before the last user message
  Author author = Author::policy;                  // carry, compress
  Carried carried = Carried::state;                // carry
  std::vector<Expr> amount, condition;
};
struct Context {
  std::string name, module, doc;
  Span span;
  std::vector<uint32_t> parameters;  // variables
  std::vector<Expr> defaults;        // of each parameter
  uint32_t history = 0;              // variable: what `tokens(history)` counts
  std::vector<ContextStep> steps;
};

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_SCENARIO_H_
