// Syntax of how dialogues are made and what a model is shown: `scenario`, `phrases`, `filter`, `context`.
// Included by ast.h.
#ifndef WEND_COMPILER_SYNTAX_AST_SCENARIO_H_
#define WEND_COMPILER_SYNTAX_AST_SCENARIO_H_

#include "compiler/syntax/ast.h"

namespace wend::ast {

// let k = one of trace.calls if ...  |  v = fresh value of p  |  n = count(trace.calls)
enum class BindingKind { one_of, fresh_value, value };
struct Binding {
  Name name;
  BindingKind kind = BindingKind::value;
  Expr source;
  std::vector<Expr> conditions;  // one_of only
  Span span;
};

// k with p = v and q = w: the call k with some arguments changed; without changes, any expression of a call.
struct CallChange {
  Expr call;
  std::vector<std::pair<Name, Expr>> changes;
  Span span;
};

// after result(k), before reply, after question
struct InjectPoint {
  bool after = true;
  Name event;
  std::vector<Expr> subject;  // at most one
  Span span;
};
struct ScenarioStep {
  StepKind kind = StepKind::user;
  std::vector<Expr> text;         // user, reply, system, result: a text or phrases; at most one, `result` may have none
  std::vector<CallChange> calls;  // call: one or more, joined by commas: parallel
  Span span;
};
struct Inject {  // inject after result(k) { steps } where v = fresh value of p, ...
  InjectPoint point;
  std::vector<ScenarioStep> steps;
  std::vector<Binding> where;
  Span span;
};
struct Splice {             // splice orthogonal simple after question
  std::vector<Name> words;  // what is spliced in
  InjectPoint point;
  Span span;
};

struct StaleChange {  // stale p = p.value
  Expr slot, value;
};
struct ScenarioGold {
  std::vector<CallChange> calls;  // calls [k with p = v]
  std::vector<Expr> calls_of;     // calls spliced; at most one, instead of `calls`
  std::vector<StaleChange> stale;
  std::optional<Name> signal, kind;
  std::vector<Expr> missing;    // missing [p, q]
  std::vector<Name> abandon;    // abandon suspended
  std::vector<Expr> reference;  // reference "...": what a good answer after the switch does; at most one
  Span span;
};

struct ScenarioDecl {  // scenario task_modification in Modification "Task Modification" { items }
  Name name, family;
  std::string title;
  Span title_span;
  Name base;                    // from simple_multi
  std::vector<Name> base_with;  // from trace with withheld required param: the words after `with`
  std::vector<Binding> bindings;
  std::vector<std::variant<Inject, Splice>> changes;  // in order
  std::optional<ScenarioGold> gold;
  std::vector<Expr> requirements;
  std::optional<Name> primary;
  std::vector<Expr> share;  // at most one
  Span span;
};

struct PhrasesDecl {  // phrases change_mind(p, old, new) { "Actually, make the {p} {new} instead of {old}." ... }
  Name name;
  std::vector<Parameter> parameters;  // types may be left out: then type.name is empty
  std::vector<Expr> variants;         // texts with {holes}
};

struct FilterCheck {  // declared(a) repair drop
  Expr condition;
  std::optional<Name> repair;
};
struct FilterRule {  // every a in calls.args: checks   |   require checks (then variable is empty)
  Name variable;
  std::vector<Expr> source;  // at most one
  std::vector<FilterCheck> checks;
  Span span;
};
struct FilterDecl {
  Name name;
  std::vector<FilterRule> rules;
};

enum class ContextKind {
  history_all,
  history_none,
  history_current_turn,
  history_last,  // history last amount turns
  draft,         // draft ContextManager [from StateSummary]: written by the policy, prompted by a render
  render,        // render ContextManager: written by the renderer
  inject,        // inject system
  update,        // update last_only: when the belief state is kept up
  instruct,      // instruct "Think first.": goes behind the system prompt
  carry,         // carry state drafted by policy
  compress,      // compress history by scorer [to amount tokens] [when condition]
};
struct ContextStep {
  ContextKind kind = ContextKind::history_all;
  Name subject, by;  // by: carry, compress; draft: the render behind `from`, empty if there is none
  std::vector<Expr> amount, condition, text;  // at most one each
  Span span;
};
struct ContextDecl {  // context fifo(k: int = 5) { history last k turns }
  Name name;
  std::vector<Parameter> parameters;
  std::vector<ContextStep> steps;
};

}  // namespace wend::ast

#endif  // WEND_COMPILER_SYNTAX_AST_SCENARIO_H_
