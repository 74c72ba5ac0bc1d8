// Evaluation of a plan's expressions: the part that the interpreter (interpreter.h) and explanations (why.h) share.
//
// The definition of every operation, written for clarity: one function per node, values as 64 bits. What is done for
// speed is only that nodes are decoded into a flat form, and that folds and shared nodes are not computed twice under
// the same variables.
#ifndef WEND_COMPILER_PLAN_EVALUATE_H_
#define WEND_COMPILER_PLAN_EVALUATE_H_

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <wend/wend.h>

#include "compiler/plan/plan.h"

namespace wend::plan {

// A value of any type as 64 bits; smaller ones are zero-extended. It does not know its type: nodes do.
struct Value {
  uint64_t bits = 0;

  static Value of(bool value) { return {uint64_t{value}}; }
  static Value of(int64_t value) { return {static_cast<uint64_t>(value)}; }
  static Value of(uint32_t value) { return {value}; }
  static Value of(double value) { return {std::bit_cast<uint64_t>(value)}; }

  bool boolean() const { return bits != 0; }
  int64_t integer() const { return static_cast<int64_t>(bits); }
  uint32_t row() const { return static_cast<uint32_t>(bits); }
  double real() const { return std::bit_cast<double>(bits); }
};

inline bool is_id(Type type) { return type == Type::row || type == Type::symbol || type == Type::value; }

Value absent(Type type);
bool exists(Value value, Type type);
double as_double(Value value, Type type);  // of integer or real; 1.0 for the other types

// A node ready to be evaluated.
struct Step {
  Op op = Op::constant;
  Type type = Type::boolean;
  Type operand = Type::boolean;  // type of the first child
  Type index_type = Type::row;
  uint32_t column = 0, table = WEND_N_TABLES;
  uint32_t element = 0;  // size of the column's elements
  int64_t integer = 0;
  Value constant;
  NodeId child[4] = {kNoNode, kNoNode, kNoNode, kNoNode};
  uint32_t cache = kNoNode;               // slot, for folds and nodes used more than once
  uint32_t free_begin = 0, free_end = 0;  // of Decoded::free_variables; cached nodes only
};

struct Decoded {
  explicit Decoded(const Plan& plan);

  const Plan* plan;
  std::vector<Step> steps;  // by NodeId
  std::vector<uint32_t> free_variables;
  uint32_t n_caches = 0;
};

// Evaluates over one context. Not for several threads; cheap enough to make one per call of the interpreter.
class Evaluator {
 public:
  Evaluator(const Decoded& decoded, const wend_context& context);
  virtual ~Evaluator() = default;

  // Values computed so far may be out of date: memo, or the trace in hand, has changed.
  void renew() { floor_ = ++clock_; }
  void set(int64_t variable, Value value);
  Value get(int64_t variable) const { return variables_[static_cast<size_t>(variable)]; }
  Value evaluate(NodeId id);
  const Plan& plan() const { return *decoded_.plan; }

  // From now on every fold over an entity table reports its contributing rows. Null: not.
  void report_to(wend_evidence_sink* sink, uint32_t trace, uint32_t term);
  // From now on node `id` has this value. kNoNode: none has.
  void replace(NodeId id, Value value);
  void use_sums(const double* sums) { sums_ = sums; }

 protected:
  // Called for each step of each fold that is evaluated, after its condition: `taken` is what the condition said.
  virtual void on_step(NodeId, bool /*taken*/) {}

  const Decoded& decoded_;
  const wend_context& context_;

 private:
  struct Cached {
    uint64_t stamp = 0;
    Value value;
  };

  Value compute(NodeId id, const Step& step);
  Value load(const Step& step);
  Value arithmetic(const Step& step);
  Value compare(const Step& step);
  Value fold(NodeId id, const Step& step);
  Value fold_steps(NodeId id, const Step& step);
  Value text(const Step& step);
  Value judged(const Step& step);
  bool is_current(const Step& step) const;
  void report(const Step& step, int64_t row, double value);
  const char* element(const Step& step, uint32_t row) const;
  wend_bytes bytes(uint32_t column, uint32_t symbol) const;

  std::vector<Value> variables_;
  std::vector<uint64_t> variable_stamps_;
  std::vector<Cached> caches_;
  uint64_t clock_ = 1, floor_ = 1;
  NodeId replaced_ = kNoNode;
  Value replacement_;
  const double* sums_ = nullptr;
  wend_evidence_sink* sink_ = nullptr;
  uint32_t trace_ = 0, term_ = 0;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_EVALUATE_H_
