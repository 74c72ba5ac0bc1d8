// Plan to LLVM IR: the functions of a wend_program, one module per spec.
//
//   wend_requests, wend_prepare, wend_signals, wend_reward, wend_attribute, wend_metrics   as in wend/wend.h
//   iacm.detect.hit                 the rows of one pass, named after its columns
//   multi_turn                      one reward over a range of traces; multi_turn.attribute with evidence
//
// prepare() works on blocks of traces, so that what a pass needs is loaded once per block and what it computes is still
// in the cache when the next pass reads it:
//
//   for (t = begin; t < end; t += kBlock)
//     for each pass: pass(ctx, t, min(t + kBlock, end))
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
