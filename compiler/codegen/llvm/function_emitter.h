// Emits the body of one function: plan nodes to SSA values.
//
// A node is emitted once where its value can be used again. Values are remembered by *scope*: entering a branch or a
// loop body marks the log of what is known, leaving it rolls back, so that a value is found again exactly where its
// definition dominates.
//
//   count(c in turn.calls where c.result exists)     ; fold_count over [begin, end)
//
//     %more = icmp ult i32 %begin, %end
//     br i1 %more, label %fold, label %fold.exit
//   fold:
//     %i = phi i32 [ %begin, %entry ], [ %next, %fold ]
//     %sum = phi i64 [ 0, %entry ], [ %sum.next, %fold ]
//     %result = load i32, ptr (call.result + %i), !invariant.load
//     %exists = icmp ne i32 %result, -1
//     %sum.next = add i64 %sum, zext(%exists)
//     ...
#ifndef WEND_COMPILER_CODEGEN_LLVM_FUNCTION_EMITTER_H_
#define WEND_COMPILER_CODEGEN_LLVM_FUNCTION_EMITTER_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/codegen/llvm/module_state.h"

namespace wend::codegen {

class FunctionEmitter {
 public:
  // `source` is where the function stands in the spec.
  FunctionEmitter(ModuleState& module, llvm::Function* function, const std::string& spec_name, uint32_t source);

  ModuleState& m;
  llvm::IRBuilder<> b;

  llvm::Argument* arg(unsigned i) { return function_->getArg(i); }
  // Argument 0 is the wend_context, unless this is called first (metrics).
  void use_metric_arguments(llvm::Value* params, llvm::Value* sums) {
    params_ = params;
    sums_ = sums;
  }

  // What lies behind the columns may change while the function runs (handlers of beliefs): it is loaded where it is
  // used, never before. To be called first.
  void batch_may_change() { batch_changes_ = true; }

  // ---- What lies behind the context; loaded once, in the entry block -------------------------------------------
  llvm::Value* column(uint32_t column);  // array start
  llvm::Value* memo(uint32_t index);
  llvm::Value* judged(uint32_t judge);  // null if the rule is to be used
  llvm::Value* rows(uint32_t table);
  llvm::Value* evidence_sink();

  // ---- Memory -------------------------------------------------------------------------------------------------
  // Element of the batch: never changes while a program runs.
  llvm::Value* load_fixed(llvm::Type* type, llvm::Value* address);
  llvm::Value* at(llvm::Value* array, llvm::Value* index, uint32_t size, uint32_t offset = 0);
  void store(llvm::Value* value, llvm::Value* address, const std::string& alias);
  llvm::Value* load(llvm::Type* type, llvm::Value* address, const std::string& alias);
  std::pair<llvm::Value*, llvm::Value*> span(uint32_t column, llvm::Value* row);

  // Loads a member of what argument `arg` points to, in the entry block.
  llvm::Value* member_of_argument(unsigned argument, llvm::Type* type, size_t offset) {
    return in_entry([&] { return load_fixed(type, at(arg(argument), m.int64(0), 1, static_cast<uint32_t>(offset))); });
  }

  // A place on the stack that holds `initial`.
  llvm::Value* slot(llvm::Constant* initial);
  // Room for `count` reals on the stack.
  llvm::Value* scratch(uint32_t count) {
    return in_entry([&] { return b.CreateAlloca(m.f64, m.int32(count)); });
  }

  // ---- Control flow -------------------------------------------------------------------------------------------
  llvm::BasicBlock* block(const llvm::Twine& name);
  void enter(llvm::BasicBlock* block) { b.SetInsertPoint(block); }
  // for (i = begin; i < end; i += step) body(i), all uint32. What the body emits is forgotten behind the loop.
  void loop(llvm::Value* begin, llvm::Value* end, const std::string& name,
            const std::function<void(llvm::Value*)>& body, uint32_t step = 1);
  // The rows of a table in a trace, ascending (plan::rows_of), each with the rows that it lies in: the trace first.
  void for_rows(uint32_t table, bool gold, llvm::Value* trace,
                const std::function<void(const std::vector<llvm::Value*>& owners, llvm::Value*)>& body);

  // ---- Nodes --------------------------------------------------------------------------------------------------
  void bind(int64_t variable, llvm::Value* value, bool is_row);
  // What the columns say that lead from the variable's row to those that it lies in (`arg.call`, `call.trace`).
  void know_owners(int64_t variable, const std::vector<llvm::Value*>& owners);
  llvm::Value* emit(plan::NodeId id);
  // Sums and counts that the roots need, over the same rows, in one loop. To be called where all are evaluated.
  void emit_fused(const std::vector<plan::NodeId>& roots);
  // The value of a node is this from here on, to the end of the scope.
  void set(plan::NodeId id, llvm::Value* value);

  // Forgets what depends on a variable, or all: to the end of the scope.
  void forget(int64_t variable);
  void forget_all();

  // What is known on either side of a branch besides what was known before it.
  struct Facts {
    std::vector<std::pair<plan::NodeId, llvm::Value*>> on_true, on_false;
  };
  // Jumps to one of two blocks. Each must be reached by this branch only for its facts to hold.
  Facts branch(plan::NodeId id, llvm::BasicBlock* on_true, llvm::BasicBlock* on_false);
  void assume(const std::vector<std::pair<plan::NodeId, llvm::Value*>>& facts);

  // Is the node safe to evaluate where it need not be, at no more than `budget` simple instructions?
  bool cheap(plan::NodeId id, int budget = 6) const { return cost(id, budget) <= budget; }
  int cost(plan::NodeId id, int budget) const;

  size_t mark() const { return log_.size(); }
  void rollback(size_t mark) { take(mark); }
  // Rolls back and returns what was known since.
  std::vector<std::pair<plan::NodeId, llvm::Value*>> take(size_t mark);

  // The value of a node, with the folds over entity tables in it reporting what contributes. A fold that the expression
  // uses twice reports once where both uses share its value, twice where they are on different ways.
  llvm::Value* emit_reporting(plan::NodeId id, llvm::Value* trace, uint32_t term);

  // Instructions from here on belong to this function of the spec, inlined here; null: to the function itself.
  void in_spec_function(const std::string& name, uint32_t source);
  void locate(uint32_t source);
  // Ends the entry block. To be called last.
  void finish();

 private:
  struct Fold;
  struct Reporting {
    llvm::Value* trace;
    uint32_t term;
  };

  llvm::Value* in_entry(const std::function<llvm::Value*()>& make);
  llvm::Value* param(const plan::Node& node);
  llvm::Value* literal(uint32_t index);
  llvm::Value* row(plan::NodeId id) { return b.CreateZExt(emit(id), m.i64); }

  llvm::Value* emit_new(plan::NodeId id);
  llvm::Value* emit_load(const plan::Node& node);
  llvm::Value* emit_memo(const plan::Node& node);
  llvm::Value* emit_arithmetic(const plan::Node& node);
  llvm::Value* emit_compare(const plan::Node& node);
  plan::NodeId dear_maximum(const plan::Node& node) const;
  llvm::Value* exists(llvm::Value* value, plan::Type type);
  llvm::Value* emit_logical(plan::NodeId id);
  llvm::Value* emit_choose(const plan::Node& node);
  llvm::Value* emit_judged(const plan::Node& node);
  llvm::Value* emit_text(const plan::Node& node);
  // `contains(x, "a") or contains(x, "b")`, perhaps each of them behind `exists(x)`.
  struct Alternatives {
    plan::NodeId text = plan::kNoNode;
    bool guarded = false;
    std::vector<int64_t> strings;
  };
  std::optional<Alternatives> alternatives(plan::NodeId id) const;
  llvm::Value* emit_alternatives(const Alternatives& any);
  std::pair<llvm::Value*, llvm::Value*> text(uint32_t column, llvm::Value* symbol);
  void emit_shared_parts(plan::NodeId first, plan::NodeId second);

  llvm::Value* emit_fold(plan::NodeId id);
  // Where a fold's loop runs, and what leads past it.
  struct Range {
    llvm::Value *begin, *end;
    llvm::BasicBlock* exit;
    std::vector<llvm::BasicBlock*> unused;
  };
  bool can_fuse(plan::NodeId id) const;
  void emit_fused_loop(const std::vector<plan::NodeId>& folds);
  llvm::Value* fused_step(const plan::Node& node, llvm::Value* sum);
  void narrow(const plan::Node& fold, Range& range);
  std::vector<plan::NodeId> first_conditions(const plan::Node& fold) const;
  bool limits_position(plan::NodeId id, const plan::Node& fold) const;
  llvm::Value* rows_within(const plan::Node& test, llvm::Value* list_begin, llvm::Value* begin, llvm::Value* end);
  llvm::Value* below(const plan::Node& fold, llvm::Value* x, llvm::Value* y);
  void bind_in_fold(int64_t variable, llvm::Value* value, bool is_row);
  void fold_step(Fold& fold);
  void report(const Fold& fold, llvm::Value* index, llvm::Value* value);
  void report_winner(const Fold& fold, llvm::Value* index, llvm::Value* value);

  std::optional<Reporting> reporting_;
  llvm::Function* function_;
  llvm::BasicBlock* entry_;
  llvm::DISubprogram* scope_;
  llvm::DISubprogram* inner_scope_ = nullptr;
  llvm::DILocation* inlined_at_ = nullptr;
  uint32_t source_;
  bool batch_changes_ = false;

  llvm::Value* params_ = nullptr;
  llvm::Value* sums_ = nullptr;
  std::map<std::pair<int, int64_t>, llvm::Value*> loaded_;  // by kind and index: what the entry block holds

  struct Binding {
    llvm::Value* value = nullptr;
    bool is_row = false;  // of an entity table, present for sure
  };
  std::map<int64_t, Binding> variables_;
  std::vector<llvm::Value*> values_;                        // by node, where known
  std::vector<std::pair<plan::NodeId, llvm::Value*>> log_;  // what values_ held before each change
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_LLVM_FUNCTION_EMITTER_H_
