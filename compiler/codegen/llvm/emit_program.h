// Plan to LLVM IR: the functions of a wend_program, one module per spec.
//
//   wend_requests, wend_prepare, wend_signals, wend_reward, wend_attribute, wend_metrics   as in wend/wend.h
//   wend_begin, wend_on, wend_render, wend_context   as in wend/belief.h, where the spec has beliefs or contexts
//   iacm.belief.BeliefState.user    a handler; iacm.belief.ContextManager   a render (procedure_emitter.h)
//   iacm.detect.hit                 the rows of one pass, named after its columns
//   multi_turn                      one reward over a range of traces; multi_turn.attribute with evidence
//
// prepare() works on blocks of traces, so that what a pass needs is loaded once per block and what it computes is still
// in the cache when the next pass reads it:
//
//   for (t = begin; t < end; t += kBlock)
//     for each pass: pass(ctx, t, min(t + kBlock, end))
//
// What wend.h and plan.h leave open, the same in the interpreter:
//   NaN        in terms[] means that the term could not be evaluated; in metrics, that there is no value. Signals are
//              computed whatever the trace offers; who sums them up looks at signal_requires.
//   stops      one that cannot be evaluated does not fire. Where one fires every other term is 0, whatever it needs.
//   evidence   of a term, in the order of evaluation, of all folds over entity tables in Term::evidence, also inner:
//              count: each step taken, 1; sum: each step, its addend as a double, if not 0; any: the step that made it
//              true, 1; all: the step that made it false, 0; min, max, first, last: the step whose value it is, with
//              that value (1 for texts, values and rows). Of a stop only where it fires.
//   requests   computes what the questions depend on, since it comes before prepare().
#ifndef WEND_COMPILER_CODEGEN_LLVM_EMIT_PROGRAM_H_
#define WEND_COMPILER_CODEGEN_LLVM_EMIT_PROGRAM_H_

#include <llvm/IR/Module.h>

#include "compiler/plan/plan.h"
#include "runtime/result.h"

namespace wend::codegen {

struct EmitOptions {
  bool debug = true;    // line tables
  bool tables = false;  // export only wend_program_get, with everything that it points to
};

// Emits the plan into an empty module and verifies it. The target is not set here.
Result<void> emit_program(const plan::Plan& plan, llvm::Module& module, const EmitOptions& options);

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_EMIT_PROGRAM_H_
