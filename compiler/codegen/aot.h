// Ahead of time: a spec as a file. `runtime/program.h` opens shared objects (open_program); nothing of LLVM is needed
// to run one.
#ifndef WEND_COMPILER_CODEGEN_AOT_H_
#define WEND_COMPILER_CODEGEN_AOT_H_

#include <string>

#include "compiler/codegen/jit.h"
#include "compiler/codegen/options.h"
#include "compiler/plan/plan.h"
#include "runtime/result.h"

namespace wend::codegen {

struct AotOptions {
  Level level = Level::O2;
  Cpu cpu = Cpu::x86_64_v2;
  bool debug = true;
};

// LLVM IR or assembly as text, or an object's bytes: with everything that a shared object of the plan exports.
Result<std::string> emit(Jit& jit, const plan::Plan& plan, Artifact artifact, const AotOptions& options = {});

// Writes a shared object that exports wend_program_get. Linked with $CC, else cc.
Result<void> emit_shared(Jit& jit, const plan::Plan& plan, const std::string& path, const AotOptions& options = {});

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_AOT_H_
