// LLVM IR to machine code: target, primitives, passes, code generation.
#ifndef WEND_COMPILER_CODEGEN_LLVM_LOWER_H_
#define WEND_COMPILER_CODEGEN_LLVM_LOWER_H_

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>
#include <string_view>

#include "compiler/codegen/options.h"
#include "runtime/result.h"

namespace wend::codegen {

// Fresh for each compilation (they are cheap and not to be shared by threads).
Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Level level, Cpu cpu);

// Links those primitives that the module calls, as internal functions.
Result<void> link_primitives(llvm::Module& module, std::string_view bitcode);

// Sets the target on module and functions, and runs the passes of the level.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, Level level);

Result<std::string> generate(llvm::Module& module, llvm::TargetMachine& machine, Artifact artifact);

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_LOWER_H_
