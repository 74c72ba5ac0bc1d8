// The typed expression: every name resolved, every type and range known.
#ifndef WEND_COMPILER_SEMA_EXPR_H_
#define WEND_COMPILER_SEMA_EXPR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/sema/domain.h"
#include "compiler/sema/types.h"
#include "compiler/source/source.h"

namespace wend::sema {

enum class Op : uint8_t {
  boolean,
  integer,
  real,
  text,
  absent,
  label,     // literals; label: `integer` of enum `type.enumeration`
  variable,  // index
  param,     // index in Program::params
  field,     // children[0] . field; through an optional: absent (or empty) when it is
  call,      // function `index` with children
  judge,     // judge `index` on children[0]
  back,      // children[0] (Call), children[1] (int): the call so many before, optional
  negate,
  logical_not,
  exists,
  nonempty,
  add,
  subtract,
  multiply,
  divide,
  equal,
  not_equal,
  same_row,
  less,
  less_equal,
  greater,
  greater_equal,  // equal on calls: canonical equality
  logical_and,
  logical_or,
  coalesce,  // children[0] ?? children[1]
  minimum,
  maximum,
  absolute,
  to_real,
  to_int_from_bool,
  contains,
  mentions,
  names,    // text, text or json
  in_list,  // children[0] in children[1] (a list)
  count,    // number of elements of the list children[0]
  guard,    // children[0], or children[1] where one of its divisors is zero
  choose,   // children: condition, then, else
  fold,     // fold_kind over loops; children[0] is the body (none for count)
  list,     // literal list of children
  range,    // integers children[0] .. children[1], both included
  granted,  // x has capability: children[0] a Trace (integer = capability bits) or a Turn (labelled)
  // metrics only
  metric,  // index in Program::metrics
  // beliefs, renders, scenarios, contexts only (state.h, scenario.h)
  belief_field,   // children[0] a belief: its field `index`
  lookup,         // children[0] Slots [ children[1] a text, the key ]: its StateSlot, optional
  fill,           // `text` with {0}, {1}... standing for the children
  object,         // JSON: children are key, value, key, value...; with loops: one pair for each element
  array,          // JSON: a list of the children
  comprehension,  // list of children[0] over the loops; of type json, if it is JSON
  classify,       // label of the text children[0] under the cues of enum `type.enumeration`
  classifier,     // Program::classifiers[index] on the message children[0]
  mentioned,      // StateSlots that the text children[0] gives values to; of the tool of children[1], if it is there
  resolved,       // References of the text children[0] to the objects children[1]
  keys,           // "tool.param" of the StateSlots children[0]
  label_name,     // the label children[0] as a text
  excerpt,        // the first children[1] characters of the text children[0]
  tokens,         // number of tokens of the history of a context
  phrase,         // one of Program::phrases[index], with children for its parameters
  fresh,          // another value for the argument or parameter children[0]
  mentioned_in,   // children[0] (an argument, a list of them, a value) is said in children[1] (a turn, a message, a
                  // text)
  without,        // the arguments children[0] but children[1]
  same_args,      // the lists of arguments are equal in names and values
};

enum class FoldKind : uint8_t { count, sum, any, all, mean, min, max, first, last };

struct Expr;

// `for variable in source if conditions`.
struct Loop {
  uint32_t variable = 0;
  Type element;
  std::vector<Expr> source;  // exactly one
  std::vector<Expr> conditions;
  int64_t position = -1;  // variable that counts the elements from 0; comprehensions only
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

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_EXPR_H_
