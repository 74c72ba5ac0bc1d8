// The parts that emit_program is made of; each .cpp holds one.
#ifndef WEND_COMPILER_CODEGEN_LLVM_PROGRAM_EMITTER_H_
#define WEND_COMPILER_CODEGEN_LLVM_PROGRAM_EMITTER_H_

#include <string>
#include <vector>

#include "compiler/codegen/llvm/function_emitter.h"
#include "compiler/codegen/llvm/module_state.h"

namespace wend::codegen {

class ProgramEmitter {
 public:
  ProgramEmitter(llvm::Module& module, const plan::Plan& plan, bool debug, bool exported)
      : m_(module, plan, debug), exported_(exported) {}

  // False: the plan is too large, the module is of no use.
  bool emit_all();

  struct Functions {
    llvm::Function *requests, *prepare, *signals, *reward, *attribute, *metrics;
    llvm::Function *begin, *on, *render, *context;  // null: the plan has neither beliefs nor contexts
  };
  // wend_program_get and the constants behind it (emit_tables.cpp).
  void emit_tables();

 private:
  // A function whose first argument is the context, then the range of traces.
  llvm::Function* context_function(const std::string& name, std::vector<llvm::Type*> more, bool exported, bool apart);
  void emit_report();  // wend_report: appends to the evidence sink
  llvm::Function* emit_pass(uint32_t pass);
  void emit_prepare();
  void emit_requests();
  void emit_signals();
  void emit_metrics();
  llvm::Function* emit_reward(const plan::Reward& reward, bool attribute);  // emit_rewards.cpp
  void emit_beliefs();                                                      // emit_procedures.cpp
  llvm::Function* emit_handler(const std::string& name, const plan::Procedure& procedure);
  llvm::Function* emit_render(const plan::Render& render);
  llvm::Function* emit_dispatch(const std::string& name, const std::vector<llvm::Function*>& rewards);

  void call_passes(FunctionEmitter& f, const std::vector<uint32_t>& passes, llvm::Value* begin, llvm::Value* end);
  // Runs body(trace) for all traces of the range, in blocks with the passes before each if there are any.
  void for_traces(FunctionEmitter& f, const std::vector<uint32_t>& passes,
                  const std::function<void(llvm::Value*)>& body);
  // Does the trace have all capabilities of the mask? Null for an empty mask.
  llvm::Value* evaluable(FunctionEmitter& f, llvm::Value* caps, uint32_t mask);

  ModuleState m_;
  bool exported_;
  std::vector<llvm::Function*> passes_;
  Functions functions_{};
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_PROGRAM_EMITTER_H_
