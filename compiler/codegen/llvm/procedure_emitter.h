// Emits the instructions of one procedure (plan::Procedure) into a function.
//
// Variables are places on the stack, which mem2reg turns into registers; expressions read them as values. What an
// instruction changes is forgotten by the emitter of expressions: a variable with what depends on it; by an effect,
// which changes the state, everything. Behind a branch and in a loop what any way through it changes is forgotten.
//
// A render keeps the end of its output in such a place too (`at`), and tells the output at the end:
//
//   put "<Current_User>{"          %at.2 = call ptr @wend_put_bytes(ptr %output, ptr %at.1, ptr @bytes, i64 15)
//   put quoted goal.text[v2]       %at.3 = call ptr @wend_put_quoted(ptr %output, ptr %at.2, ptr %texts, i32 %text,
//   ...)
#ifndef WEND_COMPILER_CODEGEN_LLVM_PROCEDURE_EMITTER_H_
#define WEND_COMPILER_CODEGEN_LLVM_PROCEDURE_EMITTER_H_

#include <map>
#include <utility>
#include <vector>

#include "compiler/codegen/llvm/function_emitter.h"

namespace wend::codegen {

class ProcedureEmitter {
 public:
  // `function` has got nothing but its entry.
  explicit ProcedureEmitter(FunctionEmitter& function) : f_(function), m_(function.m), b_(function.b) {}

  // Argument 1 of the function is the wend_engine.
  void handle(const plan::Procedure& procedure);
  // Argument 1 of the function is the wend_output.
  void render(const plan::Procedure& procedure);

 private:
  // What running some instructions may change.
  struct Changes {
    std::map<int64_t, llvm::Type*> variables;
    bool state = false;
  };
  Changes changes_of(const plan::Procedure& procedure) const;
  void collect(const plan::Procedure& procedure, Changes& changes) const;
  void begin(const plan::Procedure& procedure);
  void assign(int64_t variable, llvm::Value* value);
  void rebind(const Changes& changes);  // variables are what their places hold
  void forget(const Changes& changes);

  void run(const plan::Procedure& procedure);
  void run(const plan::Instruction& i);
  void run_effect(const plan::Instruction& i);
  void run_when(const plan::Instruction& i);
  void run_each(const plan::Instruction& i);
  llvm::Value* argument(const plan::Instruction& i, size_t index) { return f_.emit(i.args[index]); }
  llvm::Value* as_bits(llvm::Value* value);
  llvm::Value* of_bits(llvm::Value* bits, plan::Type type);

  // emit_puts.cpp
  void put(const plan::Instruction& i);
  void put_text(const plan::Instruction& i, llvm::Value* text, const char* writer);
  void put_value_text(const plan::Instruction& i);
  void put_json(const plan::Instruction& i);
  void put_separator(const plan::Instruction& i);
  void mark_block(const plan::Instruction& i);
  void write(const char* writer, const std::vector<llvm::Value*>& more);
  void write_bytes(llvm::StringRef bytes);
  llvm::Value* limit(const plan::Instruction& i, size_t offset);  // a member of wend_limit; UINT32_MAX without
  llvm::Value* left_out(const plan::Instruction& i);
  llvm::Value* size_of_output();
  llvm::Value* at() { return b_.CreateLoad(m_.ptr, at_); }

  FunctionEmitter& f_;
  ModuleState& m_;
  llvm::IRBuilder<>& b_;
  std::map<int64_t, std::pair<llvm::Value*, llvm::Type*>> slots_;  // of the variables
  llvm::Value *state_ = nullptr, *apply_ = nullptr;                // of the engine
  llvm::Value* at_ = nullptr;                                      // holds the end of the output
  llvm::Value *limits_ = nullptr, *blocks_ = nullptr;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_PROCEDURE_EMITTER_H_
