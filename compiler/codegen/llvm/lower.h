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

// Once per process, before anything else.
void configure_llvm();

// Fresh for each compilation (they are cheap and not to be shared by threads).
Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Level level, Cpu cpu);

// The bodies of the primitives that the module calls, as internal functions. Small ones are linked before the passes,
// so that they inline; the large ones, which search, escape or format, after them: they were optimised when Wend was
// built, a copy at every call would only cost time.
enum class Primitives { small, large };
Result<void> link_primitives(llvm::Module& module, std::string_view bitcode, Primitives which);

// Sets the target of all functions.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

// Runs the passes of the level.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, Level level);

Result<std::string> generate(llvm::Module& module, llvm::TargetMachine& machine, Artifact artifact);

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_LOWER_H_
