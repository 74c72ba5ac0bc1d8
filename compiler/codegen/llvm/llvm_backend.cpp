// The module's entry: Backend over LLVM.
#include <llvm/IR/LLVMContext.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>

#include "compiler/codegen/backend.h"
#include "compiler/codegen/llvm/emit_program.h"
#include "compiler/codegen/llvm/lower.h"
#include "compiler/codegen/llvm/session.h"

namespace wend::codegen {

namespace {

class LlvmBackend final : public Backend {
 public:
  explicit LlvmBackend(const PrimitiveCode& primitives) : primitives_(primitives) {}

  Result<std::string> lower(const plan::Plan& plan, const LowerOptions& options, Artifact artifact) override {
    auto machine = make_target_machine(options.level, options.cpu);
    if (!machine) return machine.error();
    llvm::LLVMContext context;  // fresh: what one compilation leaves in a context would stay there
    llvm::Module module(plan.name.empty() ? "spec" : plan.name, context);
    module.setTargetTriple((*machine)->getTargetTriple().str());
    module.setDataLayout((*machine)->createDataLayout());
    Result<void> emitted = emit_program(plan, module, {.debug = options.debug, .tables = options.tables});
    if (!emitted) return emitted.error();
    const bool avx2 = (*machine)->getMCSubtargetInfo()->checkFeatures("+avx2");
    const std::string_view primitives = avx2 ? primitives_.avx2 : primitives_.any;
    Result<void> small = link_primitives(module, primitives, Primitives::small);
    if (!small) return small.error();
    set_target(module, **machine);
    optimize(module, **machine, options.level);
    Result<void> large = link_primitives(module, primitives, Primitives::large);
    if (!large) return large.error();
    set_target(module, **machine);
    return generate(module, **machine, artifact);
  }

  Result<LinkedCode> link(const std::string& object) override {
    auto session = this->session();
    if (!session) return session.error();
    return (*session)->link(object);
  }

 private:
  // Made when first needed.
  Result<std::shared_ptr<Session>> session() {
    std::lock_guard lock(mutex_);
    if (!session_) {
      auto made = Session::create();
      if (!made) return made.error();
      session_ = *made;
    }
    return session_;
  }

  PrimitiveCode primitives_;
  std::mutex mutex_;
  std::shared_ptr<Session> session_;
};

}  // namespace

}  // namespace wend::codegen

extern "C" __attribute__((visibility("default"))) wend::codegen::Backend* wend_llvm_backend(
    unsigned version, const wend::codegen::PrimitiveCode& primitives) {
  if (version != wend::codegen::kBackendVersion) return nullptr;
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    wend::codegen::configure_llvm();
  });
  return std::make_unique<wend::codegen::LlvmBackend>(primitives).release();
}
