// The plan: what a compiled spec computes, as pure expressions over the columns of a batch.
//
// One plan feeds three back ends that agree bit for bit: the interpreter (compiler/plan/interpreter.h, the oracle),
// the JIT and the ahead-of-time compiler (compiler/codegen). It is typed, has no names to resolve, no implicit
// conversion, no undefined operation (divisors are guarded, rows are tested for presence before they are followed).
//
// Evaluation order, the same in every back end:
//   prepare:  for each trace, for each pass in order, for each row of the pass's table in the trace, ascending, its
//             columns in order are stored to memo. Columns with `late` are left out.
//   signals, reward, attribute: for each trace, first the late columns, in the same way; then the roots.
// `logical_and`, `logical_or`, `choose` evaluate their right parts only when needed (a load behind a presence test must
// not be executed without it). Arithmetic is IEEE double without contraction or reassociation; integers are int64
// (sema has shown that they cannot overflow).
#ifndef WEND_COMPILER_PLAN_PLAN_H_
#define WEND_COMPILER_PLAN_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <wend/wend.h>

#include "runtime/program.h"

namespace wend::plan {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFFu;

// How a value is held. An absent optional is a sentinel: WEND_NONE for row, symbol and value; INT64_MIN for integer; a
// NaN for real (no other NaN can occur). There is no optional boolean.
enum class Type : uint8_t {
  boolean,  // i1
  integer,  // int64
  real,     // double
  row,      // uint32: row of an entity table
  symbol,   // uint32: row of `text`
  value,    // uint32: row of `value`
};

enum class Op : uint8_t {
  // leaves
  constant,  // boolean, integer: `integer`; real: `real`
  absent,    // the sentinel of `type`
  literal,   // ctx->literals[integer]: symbol or value; WEND_NONE when the batch does not have it
  param,     // ctx->params[integer], a double: real as is, integer truncated, boolean != 0
  variable,  // the variable `integer`: a fold's index, a column's subject row, a root's trace row
  // columns of the batch; children[0] is the row, present for sure
  load,        // columns[column][row]: uint8 -> integer, uint32 -> row, symbol or value, double -> real; by `type`
  span_begin,  // columns[column][row].begin, a row
  span_end,
  memo,  // ctx->memo[integer][row], held as `type`
  // arithmetic on integers or reals (both operands and the result of one type)
  add,
  subtract,
  multiply,
  negate,
  minimum,
  maximum,
  divide,      // real; the divisor is not zero wherever this is evaluated
  to_real,     // integer -> real
  to_integer,  // row, symbol or value -> integer (zero-extended); boolean -> 0 or 1
  to_row,      // integer -> row (truncated); used for spans made of arithmetic
  // comparison -> boolean. Operands of one type; equality is bit equality for row, symbol, value
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  exists,    // children[0] is not the sentinel
  has_bits,  // boolean: (columns[column][row] & integer) == integer; a uint32 column (capabilities of a trace)
  // logic
  logical_and,
  logical_or,
  logical_not,
  choose,  // children[0] ? children[1] : children[2]
  // folds: variable `integer` (a row or an integer, by `index_type`) runs from children[0] up to, not including,
  // children[1]; steps where children[2] (condition, kNoNode = always) is false are skipped; children[3] is the body.
  fold_count,  // integer: number of steps taken; no body (kNoNode)
  fold_sum,    // integer or real: sum in order, starting from 0
  fold_any,    // boolean: body true at some step; stops there
  fold_all,    // boolean: body true at every step; stops at the first false
  fold_min,    // least body that exists (integer, real); absent if none. Equal: the first
  fold_max,
  fold_first,  // first body that exists; absent if none; stops there
  fold_last,   // last body that exists (forward over all steps; where none is to be reported, as well from behind)
  // text; children are symbols that exist, except where said
  text_equal,     // same bytes (symbols need not be interned)
  text_contains,  // children[0]'s folded text holds plan.strings[integer] (already folded), anywhere
  text_mentions,  // children[0]'s folded text holds children[1]'s folded text at word boundaries; an empty needle: true
  text_names,     // as text_mentions, with `_` of the needle matching a space as well
  text_length,    // code points of children[0]'s text -> integer
  // outside scores
  judged,      // real: ctx->judged[integer] (by turn row children[0]) if that array is there, else children[1]
  signal_sum,  // real: sums[integer]; only below metric roots
};

struct Node {
  Op op = Op::constant;
  Type type = Type::boolean;
  Type index_type = Type::row;     // folds
  uint32_t column = 0;             // load, span_*: enum wend_column
  uint32_t table = WEND_N_TABLES;  // folds whose index is a row of this table (evidence), else WEND_N_TABLES
  int64_t integer = 0;
  double real = 0;
  std::vector<NodeId> children;
  uint32_t source = 0;  // index in Plan::places: file and line for debug information

  friend bool operator==(const Node&, const Node&) = default;
};

// A per-row value, computed once per row and kept in memo. May refer to itself at smaller rows of the same trace.
struct Column {
  std::string name;    // "iacm.detect.hit": what debuggers and --emit show
  uint32_t table = 0;  // enum wend_table; its rows in a trace are found by rows_of(table)
  Type type = Type::boolean;
  int64_t subject = 0;  // the variable that holds the row
  NodeId body = kNoNode;
  bool late = false;  // depends on a number param: recomputed by signals and reward
  bool gold = false;  // table call or arg: over the gold rows instead of the agent's
};

// Consecutive columns over the same rows that one loop computes (`columns` are indices in Plan::columns, ascending).
struct Pass {
  uint32_t table = 0;
  bool gold = false;
  bool late = false;
  std::vector<uint32_t> columns;
};

struct ParamInfo {
  std::string name;       // "alpha"; module-qualified in `qualified`
  std::string qualified;  // "iacm.reward.alpha"
  std::string doc, place;
  std::string type;                 // real, int, bool, or the enum's name
  std::vector<std::string> labels;  // enum
  double fallback = 0, low = 0, high = 0;
  bool structural = false;  // bool or enum: changing it needs prepare() again
};

struct Signal {
  std::string name;           // "JGA.sum", "JGA.count"
  NodeId value = kNoNode;     // real; free variable: Plan::trace_variable
  uint32_t requirements = 0;  // WEND_CAP_*
};

struct Metric {
  std::string name, doc, place;
  bool percent = false;
  NodeId value = kNoNode;    // real over signal_sum; evaluated only when `defined` is true
  NodeId defined = kNoNode;  // boolean: every divisor is non-zero
  uint32_t requirements = 0;
};

struct Term {
  std::string layer, name, doc, place;  // "belief", "jga"; stops: layer "stop"; the clamp's change: layer "", "clamp"
  uint32_t requirements = 0;
  NodeId raw = kNoNode;        // real, before the layer's weight; from memo where possible
  NodeId weighted = kNoNode;   // real: raw * weight; what is summed
  NodeId evidence = kNoNode;   // the raw value again with its folds in place: attribute() evaluates this one, and every
                               // fold of it with a table reports its contributing elements (interpreter.h)
  NodeId condition = kNoNode;  // stops: boolean; the stop's value is in `weighted`
  std::string text;            // the expression as written, for explanations
};

struct Layer {
  std::string name;
  std::vector<std::string> supervises;
  NodeId weight = kNoNode;
};

// total = if a stop's condition holds (first in order): its value, every other term 0; else
//         clamp(((t0 + t1) + t2) + ..., low, high), terms in order; a last term "clamp" holds clamped - unclamped.
struct Reward {
  std::string name, doc, place;
  std::vector<Layer> layers;
  std::vector<Term> stops;  // requirements and condition
  std::vector<Term> terms;  // in order; term index in outputs: stops first, then terms, then the clamp if there is one
  NodeId clamp_low = kNoNode, clamp_high = kNoNode;
  uint32_t judge_limit = 0xFFFFFFFFu;
};

struct Judge {
  std::string name;        // "acr"
  NodeId asked = kNoNode;  // boolean, free variable: `subject` (turn row): is a score needed for this turn?
  int64_t subject = 0;
  std::string system, prompt;  // templates: {0}, {1}.. stand for holes
  std::vector<NodeId> holes;   // symbol, value, integer or real nodes over `subject`
  uint32_t requirements = 0;
};

// ---- Beliefs and renders (docs/decisions/0005) ---------------------------------------------------------------------

// What an instruction writes. Texts are escaped for JSON inside XML: quotes, backslashes, controls, `<`, `>`, `&`.
// `integer` of quoted, json, left_out, text_end: the sub-block whose limit (wend_limit) holds, -1: none. A text that is
// cut ends in an ellipsis, its last character within the limit; of a list or object the texts in it are cut, not its
// keys. args[1] of quoted and text: at most so many characters, without an ellipsis.
enum class Put : uint8_t {
  constant,     // Plan::strings[integer] as it is
  quoted,       // args[0], a text, in quotes; null where it is absent
  text,         // args[0], a text that exists, inside quotes that are there already
  json,         // args[0], a value: its canonical JSON; null where it is absent
  value_text,   // args[0], a value that exists: a string's own text, the JSON of others, inside quotes
  integer,      // args[0]
  real,         // args[0], shortest form that reads back the same
  boolean,      // args[0]
  separator,    // Plan::strings[integer] unless `variable` is 0; then 1 is added to it
  left_out,     // writes nothing: variable = how many elements of a list of args[0] elements the limit leaves out
  text_begin,   // writes nothing: variable = bytes of the output; the inside of a string that has a limit begins
  text_end,     // what was written since is cut to the limit
  block_begin,  // sub-block `integer` begins `second` bytes before the end of the output
  block_end,    // and ends there
};

// One instruction of a procedure. Variables are the plan's: expressions of later instructions may read them.
struct Instruction {
  enum class Kind : uint8_t {
    effect,  // asks the engine: `effect` on `field` with args; the answer goes into `variable` (-1: nowhere) as
             // `type`; its upper half, a row, into `second` (-1: nowhere)
    let,     // variable, a `type`, = args[0]
    put,     // renders only
    when,    // body where args[0] holds, else `otherwise`
    each,    // variable, a row or an integer by `type`, runs from args[0] up to, not including, args[1] (both as they
             // are before the first step); where args[2] (kNoNode: always) holds, body
  };
  Kind kind = Kind::effect;
  uint32_t effect = 0, field = WEND_NONE;
  Put put = Put::constant;
  Type type = Type::integer;
  int64_t variable = -1, second = -1;
  int64_t integer = 0;
  std::vector<NodeId> args;
  std::vector<Instruction> body, otherwise;
  uint32_t source = 0;  // index in Plan::places
};
using Procedure = std::vector<Instruction>;

struct Belief {
  std::string name, module, doc, place;
  std::vector<BeliefFieldInfo> fields;
  Procedure begin;        // first values
  Procedure handlers[4];  // by WEND_EVENT_*
};

struct Render {
  std::string name, module, doc, place;
  uint32_t belief = 0;
  bool xml = true;
  std::vector<RenderBlockInfo> blocks;
  uint32_t budget = 0;  // 0: none
  bool tokens = false;
  Procedure body;
};

struct Context {
  ContextInfo info;
  Procedure body;  // asks for the steps that hold now (wend_belief_program.context)
};

struct Plan {
  std::string name;                                        // module of the main file
  std::vector<Node> nodes;                                 // children before parents; hash-consed
  std::vector<std::string> strings;                        // folded constant texts of text_contains; constants of Put
  std::vector<std::pair<uint32_t, std::string>> literals;  // wend_literal kind, text
  std::vector<ParamInfo> params;
  std::vector<Column> columns;
  std::vector<Pass> passes;
  std::vector<Signal> signals;
  std::vector<Metric> metrics;
  std::vector<Reward> rewards;
  std::vector<Judge> judges;
  std::vector<Belief> beliefs;
  std::vector<CuesInfo> cues;
  std::vector<ClassifierInfo> classifiers;
  std::vector<Render> renders;
  std::vector<Context> contexts;
  std::vector<std::string> places;        // "file:line"
  std::map<NodeId, std::string> written;  // conditions as their author wrote them, for explanations
  int64_t trace_variable = 0;             // variable that holds the trace row in signals, terms and layer weights
  int64_t n_variables = 1;

  const Node& node(NodeId id) const { return nodes[id]; }
};

// How the rows of `table` in a trace are reached: a list of span columns to follow from the trace row.
// turn: {trace_turns}; arg: {trace_calls, call_args}; gold arg: {trace_gold_calls, call_args}; link: {trace_chains,
// chain_links}; slot: {trace_turns, turn_slots}; trace: {}.
std::vector<uint32_t> rows_of(uint32_t table, bool gold);

// Readable form, one definition a line: `wend compile --emit plan`.
std::string print(const Plan& plan);

// The program's description as JSON (wend_program.metadata).
std::string metadata(const Plan& plan);

// Hash of everything that the generated code depends on (not of names, docs or defaults), hex.
std::string fingerprint(const Plan& plan);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_PLAN_H_
