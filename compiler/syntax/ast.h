// The syntax tree of one module, as written: names unresolved, sugar kept. Value types throughout.
#ifndef WEND_COMPILER_SYNTAX_AST_H_
#define WEND_COMPILER_SYNTAX_AST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/source/source.h"

namespace wend::ast {

struct Name {
  std::string text;
  Span span;
};

enum class UnaryOp { negate, logical_not, exists, nonempty };
enum class BinaryOp {
  add,
  subtract,
  multiply,
  divide,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  in,
  not_in,  // x in list; D in scope (sema tells which)
  is,
  is_not,  // x is label; x is none
  has,
  has_not,       // t has DETECTOR; u has gold
  coalesce,      // a ?? b
  except,        // k.args except p
  mentioned_in,  // k.args mentioned in k.turn
};

enum class ExprKind {
  integer,  // text = digits, integer
  real,     // text as written, number
  percent,  // 100%: number = 1.0
  text,     // "...": text = contents, escapes resolved
  boolean,  // integer = 0 or 1
  none,
  name,    // text; in scenarios it may end in primes: k' is k after the change
  field,   // children[0] . text ; name_span = span of the field's name
  index,   // children[0] [ children[1] ]: belief.confirmed["alarm.time"]
  call,    // children[0] is what is called (a name or a field: judge.acr(u)); the rest are arguments
  unary,   // unary, children[0]
  binary,  // binary, children[0..1]
  guard,   // children[0] else children[1]: the right side where a division of the left has no value
  choose,  // children[0] when children[1] [else children[2]]
  cap,     // children[0] cap children[1]
  tier,    // tier children[0] { arms }
  fold,    // text = sum|count|any|all|mean|min|max|first|last ; children[0] = body ; clauses ; distinct
  list,    // [a, b, ...] ; with clauses: [children[0] for q, i in source if c]
  range,   // children[0] .. children[1]: integers, both ends included
  object,  // { key: value, ... }: keys[i] names children[i]; with clauses: one entry for each element
  stale,   // children[0] stale children[1]: an expectation of a value and of what it overwrote; top level in `expect`
};

struct Expr;

// `for name in source`, then any number of `if condition`, in the order written.
// count(u in turns if p) has one clause and no body; `count(hit in u)` parses the same way: sema tells them apart.
struct Clause {
  Name variable;
  Name index;                    // for q, i in ...: i counts from 0; empty text when not asked for
  std::vector<Expr> source;      // exactly one
  std::vector<Expr> conditions;  // in order
};

// `from..to => value`, `from.. => value`, `..to => value`, `x => value` (exact), `else value`.
struct TierArm {
  Span span;
  bool is_else = false, exact = false;
  std::vector<Expr> from, to;  // at most one each
  std::vector<Expr> value;     // exactly one
};

struct Expr {
  ExprKind kind = ExprKind::none;
  Span span;
  std::string text;
  Span name_span;  // field: of the name; fold: of the function name
  int64_t integer = 0;
  bool integer_overflow = false;  // digits beyond int64
  double number = 0;
  UnaryOp unary = UnaryOp::negate;
  BinaryOp binary = BinaryOp::add;
  bool distinct = false;
  std::vector<Expr> children;
  std::vector<Clause> clauses;
  std::vector<TierArm> arms;
  std::vector<Name> keys;
};

// `Trace`, `Call?`, `list<json>`, `real in -1 .. 1`, `percent`.
struct TypeRef {
  Name name;
  Span span;
  bool optional = false;
  std::vector<TypeRef> arguments;
  std::vector<Expr> low, high;  // at most one each: the range
};

struct Parameter {
  Name name;
  TypeRef type;
  std::vector<Expr> default_value;  // at most one
};

// The lines of /// before a declaration, without the marks.
struct Doc {
  std::string text;
};

struct ParamDecl {  // param alpha : real = 1.0 in 0 .. 10
  Name name;
  TypeRef type;  // with its range
  Expr value;
};
struct EnumDecl {  // enum Signal { none, modified }
  Name name;
  std::vector<Name> labels;
};
struct FnDecl {  // fn f(a: Arg, n: int) -> real? = e     (the result type may be left out: it is inferred)
  Name name;
  std::vector<Parameter> parameters;
  std::optional<TypeRef> result;
  Expr body;
};
struct DetectDecl {  // detect hit on c: Call = e
  Name name;
  Parameter subject;
  Expr body;
};
struct MetricDecl {  // metric JGA : percent = e
  Name name;
  TypeRef type;
  Expr body;
};
struct JudgeDecl {  // judge acr on u: Turn { rule = e   prompt "..." system "..." }: a score in -1 .. 1 with a rule as
                    // default
  Name name;
  Parameter subject;
  Expr rule;
  std::optional<Expr> system, prompt;  // text with {expr} holes kept as written; `holes` are these, parsed
};
struct Term {  // jga = e   (doc lines allowed)
  Doc doc;
  Name name;
  Expr value;
};
struct Layer {  // layer belief * alpha supervises slots { terms } ; `format { ... }` is a layer without weight
  Name name;
  std::optional<Expr> weight;
  std::vector<Name> supervises;
  std::vector<Term> terms;
  Span span;
};
struct Stop {  // stop loop = -2.0 when t has repeat_call: the value is a `choose` without else
  Name name;
  Expr value;
};
struct RewardDecl {  // reward multi_turn on t: Trace judges at most 2 { stops layers clamp }
  Name name;
  Parameter subject;
  std::optional<int64_t> judge_limit;
  Span judge_limit_span;
  std::vector<Stop> stops;
  std::vector<Layer> layers;
  std::vector<Expr> clamp_low, clamp_high;  // at most one each
  Span clamp_span;
};

// alarm(time: "07:00", repeat: "once"): a literal call in a test.
struct CallLiteral {
  Name tool;
  std::vector<Name> names;   // argument names
  std::vector<Expr> values;  // literals, lists and objects of literals
  Span span;
};
struct ToolLiteral {  // tool alarm(time: text, repeat: text = "once"): parameters with a default are optional
  Name name;
  std::vector<Parameter> parameters;
  Span span;
};
struct StaleLiteral {  // stale alarm.time = "07:00"
  Name tool, param;
  Expr value;
};
struct GoldLiteral {  // gold turn 2 { calls [...] stale ... signal modified kind clarify missing [time] }
  Span span;
  int64_t turn = 0;
  std::vector<CallLiteral> calls;
  std::vector<StaleLiteral> stale;
  std::optional<Name> signal, kind;
  std::vector<Name> missing;
};
struct ChainLiteral {  // chain [turn 1 call 1, turn 1 call 2 needs 1]: links by gold call, from 1; needs = earlier
                       // links
  struct Link {
    int64_t turn = 0, call = 0;
    std::vector<int64_t> needs;
    Span span;
  };
  std::vector<Link> links;
  Span span;
};
enum class StepKind { system, user, call, result, reply };
struct Step {
  StepKind kind;
  Span span;
  std::string text;                // system, user, result, reply
  std::vector<CallLiteral> calls;  // call: one or more, joined by `and`: parallel
};
struct TraceLiteral {
  std::vector<ToolLiteral> tools;
  std::vector<Step> steps;
  std::vector<GoldLiteral> gold;
  std::vector<ChainLiteral> chains;
  std::optional<Name> family, scenario;
  Span span;
};
struct TestDecl {  // test "..." { trace { ... } set alpha = 2 expect E, E }
  std::string title;
  TraceLiteral trace;
  std::vector<std::pair<Name, Expr>> settings;
  std::vector<Expr> expectations;  // each a comparison over metrics, rewards and terms: multi_turn.belief.jga == 2.5
};

}  // namespace wend::ast

#include "compiler/syntax/ast_scenario.h"  // scenario, phrases, filter, context
#include "compiler/syntax/ast_state.h"     // belief, cues, render

namespace wend::ast {

using DeclBody = std::variant<ParamDecl, EnumDecl, FnDecl, DetectDecl, MetricDecl, JudgeDecl, RewardDecl, TestDecl,
                              BeliefDecl, CuesDecl, RenderDecl, ScenarioDecl, PhrasesDecl, FilterDecl, ContextDecl>;

struct Declaration {
  Doc doc;
  Span span;
  Name name;  // empty for tests and filters without one
  DeclBody body;
};

struct Use {
  Name module;  // "iacm.detect"
  Span span;
};

struct Module {
  uint32_t file = 0;
  std::optional<int64_t> edition;
  Span edition_span;
  Name name;  // "iacm.reward"
  std::vector<Use> uses;
  std::vector<Declaration> declarations;
};

}  // namespace wend::ast

#endif  // WEND_COMPILER_SYNTAX_AST_H_
