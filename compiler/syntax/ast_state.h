// Syntax of what an agent remembers: `belief`, the `cues` that classify user messages, `render`. Included by ast.h.
#ifndef WEND_COMPILER_SYNTAX_AST_STATE_H_
#define WEND_COMPILER_SYNTAX_AST_STATE_H_

#include "compiler/syntax/ast.h"

namespace wend::ast {

enum class FieldKind {
  slots,    // slots confirmed: parameters keyed tool.param, old values kept and flagged stale
  goal,     // goal current
  stack,    // stack deferred: goals set aside
  last,     // last action: the most recent call and its result
  queue,    // queue pending: what is still missing
  objects,  // objects active: what results have brought up
  value,    // signal : Signal = none
};
struct BeliefField {
  FieldKind kind = FieldKind::value;
  Name name;
  std::optional<TypeRef> type;      // value only
  std::vector<Expr> default_value;  // value only; at most one
  Doc doc;
  Span span;
};

enum class StatementKind {
  assign,     // operands = {place, value}; `v ?? judge f(m) when c` is {place, v} with fallback {judge.f(m)}, condition
              // {c}
  when,       // when operands[0] { body } [else { otherwise }]
  overwrite,  // overwrite operands[0] with operands[1]
  push,       // push operands[0] operands[1]: onto the stack operands[0]
  pop,        // pop operands[0] [into operands[1]]
  suspend,    // suspend operands[0]
  resume,     // resume operands[0]
  confirm,    // confirm operands[0]
  unconfirm,  // unconfirm operands[0]
  clear,      // clear operands[0]
  call,       // operands[0] is a call: pending.add(a.missing)
};
struct Statement {
  StatementKind kind = StatementKind::call;
  Span span;
  std::vector<Expr> operands;
  std::vector<Expr> fallback, condition;  // assign: at most one each, both or none
  std::vector<Statement> body, otherwise;
};

struct Handler {  // on user(m) { statements }: event is user, call, result or reply
  Name event, variable;
  std::vector<Statement> body;
  Span span;
};

struct BeliefDecl {
  Name name;
  std::vector<BeliefField> fields;
  std::vector<Handler> handlers;
};

// modified : "change" "make it" "not * but" weight 1.2      (the weight is of every phrase of the entry; without it, 1)
struct CueEntry {
  Name label;
  std::vector<Expr> phrases;  // texts
  std::vector<Expr> weight;   // at most one
  Span span;
};
struct CuesDecl {  // cues Signal { entries }; the declaration itself has no name
  Name labels;     // the enum
  std::vector<CueEntry> entries;
};

// Current_User { key: value, ... } or Pending_Tasks [ { ... } for q, i in b.pending ]
struct RenderBlock {
  Name name;
  Expr value;  // an object or a list, possibly a comprehension; texts in it have {holes}
  Doc doc;
  Span span;
};
struct RenderDecl {  // render ContextManager of b: BeliefState as xml within 1500 bytes shortening A, B { blocks }
  Name name;
  Parameter subject;
  Name format;               // xml or json
  std::vector<Expr> budget;  // at most one
  bool tokens = false;       // that the budget counts, else bytes
  std::vector<Name> shortening;
  std::vector<RenderBlock> blocks;
};

}  // namespace wend::ast

#endif  // WEND_COMPILER_SYNTAX_AST_STATE_H_
