// Runs the procedures of beliefs and renders: the definition of every instruction, and the oracle for generated code.
#ifndef WEND_COMPILER_PLAN_PROCEDURE_H_
#define WEND_COMPILER_PLAN_PROCEDURE_H_

#include <wend/belief.h>

#include "compiler/plan/evaluate.h"
#include "compiler/plan/plan.h"

namespace wend::plan {

// For one call: not for several threads.
class ProcedureRun {
 public:
  ProcedureRun(const Decoded& decoded, const wend_context& context) : context_(context), evaluator_(decoded, context) {}

  void handle(const Procedure& procedure, const wend_engine& engine);
  void render(const Procedure& procedure, wend_output& output);

 private:
  void run(const Procedure& procedure);
  void run(const Instruction& i);
  void ask(const Instruction& i);
  void put(const Instruction& i);
  void put_text(uint32_t text, const Instruction& i);
  void put_json(uint32_t value, const Instruction& i);
  void append(std::string_view bytes);
  Value argument(const Instruction& i, size_t index) { return evaluator_.evaluate(i.args[index]); }

  const wend_context& context_;
  Evaluator evaluator_;
  const wend_engine* engine_ = nullptr;
  wend_output* output_ = nullptr;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_PROCEDURE_H_
