// Runs a plan without compiling it. The oracle for generated code: same results, bit for bit.
//
//   auto program = InterpretedProgram::make(plan);
//   program->prepare(context, 0, n);
//   program->reward(context, 0, 0, n, totals, terms, status);
//
// What wend_program leaves open is settled here:
//   - memo holds 64 bits a row, smaller values zero-extended.
//   - A trace that lacks what a term requires gets NaN for it, and the status PARTIAL. A stop that cannot be evaluated
//     does not stop. Once a stop fires, every other term is 0, with or without its requirements.
//   - Evidence is reported for terms that are evaluated, for stops where they fire. A fold reports once for each set of
//     values of its outer variables, however often the expression uses it.
//   - A metric without a value is NaN.
//   - A judge is not asked about turns of a trace that lacks what it requires.
#ifndef WEND_COMPILER_PLAN_INTERPRETER_H_
#define WEND_COMPILER_PLAN_INTERPRETER_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/plan/evaluate.h"
#include "compiler/plan/plan.h"
#include "runtime/program.h"

namespace wend::plan {

// Keeps a reference to the plan. Every function may run on any number of threads.
class Interpreter {
 public:
  explicit Interpreter(const Plan& plan) : plan_(plan), decoded_(plan) {}

  void requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const;
  void prepare(const wend_context& context, uint32_t begin, uint32_t end) const;
  void signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const;
  void reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
              uint32_t* status) const;
  void attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                 double* terms, uint32_t* status) const;
  void metrics(const double* params, const double* sums, double* value, uint8_t* valid) const;

  void begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const;
  void on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const;
  void render(const wend_context& context, uint32_t render, wend_output& output) const;
  void context(const wend_context& context, const wend_engine& engine, uint32_t which) const;

  // The texts that fill the holes of a judge's prompt for a turn; absent values are empty. The context's memo is not
  // used: another back end may have filled it.
  std::vector<std::string> holes(const wend_context& context, uint32_t judge, uint32_t turn) const;

  // Stores the columns of one trace to memo: the late ones, or all others.
  void store_columns(Evaluator& evaluator, const wend_context& context, uint32_t trace, bool late) const;

  const Plan& plan() const { return plan_; }
  const Decoded& decoded() const { return decoded_; }

 private:
  struct Outputs {
    double* total;
    double* terms;
    uint32_t* status;
  };

  void score(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
             uint32_t* status, wend_evidence_sink* sink) const;
  void score_trace(Evaluator& evaluator, const Reward& reward, uint32_t trace, uint32_t caps, const Outputs& out,
                   wend_evidence_sink* sink) const;
  double term_value(Evaluator& evaluator, const Term& term, uint32_t trace, uint32_t index,
                    wend_evidence_sink* sink) const;

  const Plan& plan_;
  Decoded decoded_;
};

// The rows of `table` that belong to a trace (see rows_of), ascending.
std::vector<uint32_t> trace_rows(const wend_batch& batch, uint32_t trace, uint32_t table, bool gold);

// An interpreter as a Program.
class InterpretedProgram final : public Program {
 public:
  static std::shared_ptr<const InterpretedProgram> make(std::shared_ptr<const Plan> plan);

  const Interpreter& interpreter() const { return interpreter_; }

  void requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const override {
    interpreter_.requests(context, begin, end, asks);
  }
  void prepare(const wend_context& context, uint32_t begin, uint32_t end) const override {
    interpreter_.prepare(context, begin, end);
  }
  void signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const override {
    interpreter_.signals(context, begin, end, out);
  }
  void reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
              uint32_t* status) const override {
    interpreter_.reward(context, reward, begin, end, totals, terms, status);
  }
  void attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                 double* terms, uint32_t* status) const override {
    interpreter_.attribute(context, reward, begin, end, totals, terms, status);
  }
  void metrics(const double* params, const double* sums, double* value, uint8_t* valid) const override {
    interpreter_.metrics(params, sums, value, valid);
  }
  void begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const override {
    interpreter_.begin(context, engine, belief);
  }
  void on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const override {
    interpreter_.on(context, engine, belief, event);
  }
  void render(const wend_context& context, uint32_t render, wend_output& output) const override {
    interpreter_.render(context, render, output);
  }
  bool context(const wend_context& context, const wend_engine& engine, uint32_t which) const override {
    interpreter_.context(context, engine, which);
    return true;
  }

 private:
  InterpretedProgram(std::shared_ptr<const Plan> plan, ProgramInfo info);

  std::shared_ptr<const Plan> plan_;
  Interpreter interpreter_;
  std::vector<double> param_defaults_;
  std::vector<wend_literal> literals_;
  std::vector<wend_memo> memo_;
  std::vector<uint32_t> signal_requires_, term_requires_, reward_terms_;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_INTERPRETER_H_
