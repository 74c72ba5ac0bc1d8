// What all functions of one module share while it is emitted: types, metadata, constants, debug information.
#ifndef WEND_COMPILER_CODEGEN_LLVM_MODULE_STATE_H_
#define WEND_COMPILER_CODEGEN_LLVM_MODULE_STATE_H_

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/llvm/analysis.h"
#include "compiler/plan/plan.h"

namespace wend::codegen {

// Line tables: functions named as in the spec, places in its files. Without `enabled` every answer is null.
class DebugInfo {
 public:
  DebugInfo(llvm::Module& module, const plan::Plan& plan, bool enabled);

  // A function of the spec, at Plan::places[source]. `inlined` ones have no code of their own.
  llvm::DISubprogram* function(const std::string& name, uint32_t source, bool inlined = false);
  // The place of a node within `scope`; `at` is where that scope is inlined, or null.
  llvm::DebugLoc location(llvm::DISubprogram* scope, uint32_t source, llvm::DILocation* at);
  void finish();

 private:
  struct Place {
    llvm::DIFile* file;
    unsigned line;
  };
  Place place(uint32_t source);

  const plan::Plan& plan_;
  std::unique_ptr<llvm::DIBuilder> builder_;
  llvm::DICompileUnit* unit_ = nullptr;
  std::map<std::string, llvm::DIFile*> files_;
  std::map<std::pair<llvm::DIScope*, llvm::DIFile*>, llvm::DIScope*> blocks_;
};

struct ModuleState {
  ModuleState(llvm::Module& module, const plan::Plan& plan, bool debug);

  llvm::Module& module;
  llvm::LLVMContext& context;
  const plan::Plan& plan;
  Analysis analysis;
  DebugInfo debug;
  llvm::Type *i1, *i8, *i32, *i64, *f64, *none;
  llvm::PointerType* ptr;
  llvm::MDNode* empty;  // operand of !invariant.load

  llvm::Type* held(plan::Type type) const;
  llvm::Constant* sentinel(plan::Type type) const;
  llvm::Constant* int32(uint32_t value) const { return llvm::ConstantInt::get(i32, value); }
  llvm::Constant* int64(int64_t value) const { return llvm::ConstantInt::get(i64, static_cast<uint64_t>(value), true); }
  llvm::Constant* real(double value) const { return llvm::ConstantFP::get(f64, value); }
  llvm::Constant* nan() const { return llvm::ConstantFP::getQNaN(f64); }

  // A function that never throws. Internal ones are kept apart by the inliner's own judgement unless `apart`.
  llvm::Function* define(const std::string& name, llvm::Type* result, std::vector<llvm::Type*> params, bool exported,
                         bool apart = false);
  // A text primitive (codegen/primitives), to be linked from bitcode.
  llvm::FunctionCallee primitive(const char* name, llvm::Type* result, std::vector<llvm::Type*> params);
  // A primitive that writes to the output of a render: where the output ended, then more; the result: where it ends
  // now.
  llvm::FunctionCallee writer(const char* name, std::vector<llvm::Type*> more);
  // The bytes of a text, with a zero behind them, as a private constant.
  llvm::Constant* bytes(llvm::StringRef text);

  // Values that are needed on different ways are emitted on each, so nested choices can make much code of a small plan.
  // Beyond this many values the plan is refused.
  static constexpr uint32_t kMostValues = 400'000;
  uint32_t values = 0;
  bool too_large() const { return values > kMostValues; }

  // Memory that no access with another tag touches: each memo array and each kind of output has its own.
  llvm::MDNode* alias_tag(const std::string& name);

 private:
  llvm::MDNode* alias_root_;
  std::map<std::string, llvm::MDNode*> alias_tags_;
  std::map<std::string, llvm::Constant*> bytes_;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_MODULE_STATE_H_
