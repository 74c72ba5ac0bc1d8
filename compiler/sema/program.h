// The typed program: every name resolved, every type and range known. Immutable once checked.
#ifndef WEND_COMPILER_SEMA_PROGRAM_H_
#define WEND_COMPILER_SEMA_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/domain.h"
#include "compiler/sema/types.h"
#include "compiler/syntax/ast.h"

namespace wend::sema {

enum class Op : uint8_t {
  boolean, integer, real, text, absent, label,  // literals; label: `integer` of enum `type.enumeration`
  variable,     // index
  param,        // index in Program::params
  field,        // children[0] . field; through an optional: absent (or empty) when it is
  call,         // function `index` with children
  judge,        // judge `index` on children[0]
  back,         // children[0] (Call), children[1] (int): the call so many before, optional
  negate, logical_not, exists, nonempty,
  add, subtract, multiply, divide,
  equal, not_equal, same_row, less, less_equal, greater, greater_equal,  // equal on calls: canonical equality
  logical_and, logical_or,
  coalesce,     // children[0] ?? children[1]
  minimum, maximum, absolute, to_real, to_int_from_bool,
  contains, mentions, names,  // text, text or json
  in_list,      // children[0] in children[1] (a list)
  count,        // number of elements of the list children[0]
  guard,        // children[0], or children[1] where one of its divisors is zero
  choose,       // children: condition, then, else
  fold,         // fold_kind over loops; children[0] is the body (none for count)
  list,         // literal list of children
  range,        // integers children[0] .. children[1], both included
  granted,      // x has capability: children[0] a Trace (integer = capability bits) or a Turn (labelled)
  // metrics only
  metric,       // index in Program::metrics
};

enum class FoldKind : uint8_t { count, sum, any, all, mean, min, max, first, last };

struct Expr;

// `for variable in source if conditions`.
struct Loop {
  uint32_t variable = 0;
  Type element;
  std::vector<Expr> source;  // exactly one
  std::vector<Expr> conditions;
};

struct Expr {
  Op op = Op::absent;
  Type type;
  Range range;
  Span span;
  uint32_t index = 0;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  const Field* field = nullptr;
  FoldKind fold_kind = FoldKind::count;
  bool distinct = false;
  bool dataset = false;  // fold of a metric whose first loop runs over all traces: `turns`, `traces`...
  std::vector<Expr> children;
  std::vector<Loop> loops;
  uint32_t requirements = 0;  // WEND_CAP_* without which it has no value

  bool failed() const { return type.failed(); }
};

struct Param {
  std::string name, module, doc;
  Span span;
  Type type;  // real, integer, boolean or enumeration
  double fallback = 0;
  Range range;
  bool used = false;
};

struct Variable {
  std::string name;
  Type type;
  uint32_t earlier_than = 0xFFFFFFFFu;  // variable that all its values come before (recurrences)
  Range range = Range::count();         // of an integer
};

enum class FunctionKind : uint8_t { function, detector };

struct Function {
  FunctionKind kind = FunctionKind::function;
  std::string name, module, doc;
  Span span;
  std::vector<uint32_t> parameters;  // variables
  Type result;
  Range range;
  std::vector<Expr> body;  // one, once checked
  uint32_t requirements = 0;
  bool recursive = false;
  bool used = false;
};

struct Judge {
  std::string name, module, doc;
  Span span;
  uint32_t subject = 0;  // variable: a Turn
  std::vector<Expr> rule;
  std::string system, prompt;  // holes replaced by {0}, {1}...
  std::vector<Expr> holes;
};

struct Metric {
  std::string name, module, doc;
  Span span;
  bool percent = false;
  std::vector<Expr> body;
  uint32_t requirements = 0;
};

struct Term {
  std::string name, doc;
  Span span;
  Expr value;
};
struct Layer {
  std::string name;
  Span span;
  std::vector<Expr> weight;  // at most one
  std::vector<std::string> supervises;
  std::vector<Term> terms;
  Range range;  // of the weighted sum
};
struct Reward {
  std::string name, module, doc;
  Span span;
  uint32_t subject = 0;
  std::vector<Term> stops;  // value: choose with the condition
  std::vector<Layer> layers;
  std::vector<Expr> clamp_low, clamp_high;
  std::optional<int64_t> judge_limit;
  Range range;
};

struct Test {
  const ast::TestDecl* decl = nullptr;
  std::string module;
  Span span;
};

struct Program {
  std::string name;  // module of the first file
  std::vector<EnumInfo> enums;
  std::vector<Param> params;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Judge> judges;
  std::vector<Metric> metrics;
  std::vector<Reward> rewards;
  std::vector<Test> tests;
  std::vector<ast::Module> modules;  // in dependency order; tests point into it

  std::string text(Type type) const { return to_string(type, enums); }
};

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_PROGRAM_H_
