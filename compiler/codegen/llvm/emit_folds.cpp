// Folds: one loop with the accumulator in a phi.
#include "compiler/codegen/llvm/function_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::PHINode;
using llvm::Value;
using plan::kNoNode;
using plan::Node;
using plan::NodeId;
using plan::Op;
using plan::Type;

// The fold being emitted. `next` is reached from `skip` (step not taken, or it changes nothing) and from the end of the
// step; `exit` from before the loop, from its end and, where a step can decide, from `found`.
struct FunctionEmitter::Fold {
  const Node* node;
  bool reports;
  Type type;
  BasicBlock *skip, *next, *found = nullptr;
  PHINode* sum;               // the value so far
  PHINode* winner = nullptr;  // index of the step that it comes from
  Value* index;
  // Set by the step, in the block that jumps to `next`; null: the step jumped by itself.
  Value* new_sum = nullptr;
  Value* new_winner = nullptr;
  Value* found_value = nullptr;

  bool stops() const { return node->op == Op::fold_any || node->op == Op::fold_all || node->op == Op::fold_first; }
  bool picks() const { return node->op == Op::fold_min || node->op == Op::fold_max || node->op == Op::fold_last; }
};

void FunctionEmitter::report(const Fold& fold, Value* index, Value* value) {
  llvm::Function* function = m.module.getFunction("wend_report");
  b.CreateCall(function, {evidence_sink(), reporting_->trace, m.int32(reporting_->term), m.int32(fold.node->table),
                          index, value});
}

// Reports the step that a min, max, first or last took its value from.
void FunctionEmitter::report_winner(const Fold& fold, Value* index, Value* value) {
  Value* amount = m.real(1);
  if (fold.type == Type::real) amount = value;
  if (fold.type == Type::integer) amount = b.CreateSIToFP(value, m.f64);
  report(fold, index, amount);
}

Value* FunctionEmitter::emit_reporting(NodeId id, Value* trace, uint32_t term) {
  // What was computed without reports is to be computed again.
  size_t before = mark();
  for (NodeId known = 0; known <= id; ++known) {
    if (values_[known] && m.analysis.reports(known)) set(known, nullptr);
  }
  reporting_ = Reporting{trace, term};
  Value* value = emit(id);
  reporting_.reset();
  rollback(before);
  return value;
}

Value* FunctionEmitter::emit_fold(NodeId id) {
  const Node& node = m.plan.nodes[id];
  Fold fold{};
  fold.node = &node;
  fold.type = node.type;
  fold.reports = reporting_ && node.table != WEND_N_TABLES && node.index_type == Type::row;

  Value* begin = emit(node.children[0]);
  Value* end = emit(node.children[1]);
  const bool rows = node.index_type == Type::row;
  auto below = [&](Value* x, Value* y) { return rows ? b.CreateICmpULT(x, y) : b.CreateICmpSLT(x, y); };
  Value* initial = node.op == Op::fold_all ? b.getTrue()
                   : node.op == Op::fold_count || node.op == Op::fold_sum || node.op == Op::fold_any
                       ? llvm::Constant::getNullValue(m.held(fold.type))
                       : m.sentinel(fold.type);

  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* inside = block("fold");
  BasicBlock* exit = block("fold.exit");
  fold.skip = block("fold.skip");
  fold.next = block("fold.next");
  if (fold.stops()) fold.found = block("fold.found");
  b.CreateCondBr(below(begin, end), inside, exit);

  enter(inside);
  auto* index = b.CreatePHI(begin->getType(), 2, "i");
  index->addIncoming(begin, before);
  fold.index = index;
  fold.sum = b.CreatePHI(m.held(fold.type), 2, "sum");
  fold.sum->addIncoming(initial, before);
  if (fold.reports && fold.picks()) {
    fold.winner = b.CreatePHI(m.i32, 2, "winner");
    fold.winner->addIncoming(m.int32(WEND_NONE), before);
  }
  size_t known = mark();
  auto outer = variables_.find(node.integer);
  const auto shadowed = outer == variables_.end() ? std::nullopt : std::optional(outer->second);
  bind_in_fold(node.integer, index, node.table != WEND_N_TABLES);
  fold_step(fold);
  if (shadowed) {
    variables_[node.integer] = *shadowed;
  } else {
    variables_.erase(node.integer);
  }
  rollback(known);
  BasicBlock* step_end = b.GetInsertBlock();
  if (fold.new_sum) b.CreateBr(fold.next);

  enter(fold.skip);
  b.CreateBr(fold.next);
  enter(fold.next);
  auto* sum = b.CreatePHI(m.held(fold.type), 2);
  sum->addIncoming(fold.sum, fold.skip);
  if (fold.new_sum) sum->addIncoming(fold.new_sum, step_end);
  PHINode* winner = nullptr;
  if (fold.winner) {
    winner = b.CreatePHI(m.i32, 2);
    winner->addIncoming(fold.winner, fold.skip);
    if (fold.new_winner) winner->addIncoming(fold.new_winner, step_end);
    fold.winner->addIncoming(winner, fold.next);
  }
  fold.sum->addIncoming(sum, fold.next);
  Value* next = rows ? b.CreateAdd(index, m.int32(1), "", true) : b.CreateAdd(index, m.int64(1), "", false, true);
  index->addIncoming(next, fold.next);
  b.CreateCondBr(below(next, end), inside, exit);

  enter(exit);
  auto* result = b.CreatePHI(m.held(fold.type), 3);
  result->addIncoming(initial, before);
  result->addIncoming(sum, fold.next);
  if (fold.found) {
    enter(fold.found);
    if (fold.reports) {
      if (node.op == Op::fold_first) {
        report_winner(fold, index, fold.found_value);
      } else {
        report(fold, index, m.real(node.op == Op::fold_any ? 1 : 0));
      }
    }
    b.CreateBr(exit);
    result->addIncoming(fold.found_value, fold.found);
    enter(exit);
  }
  if (fold.winner) {
    auto* chosen = b.CreatePHI(m.i32, 2);
    chosen->addIncoming(m.int32(WEND_NONE), before);
    chosen->addIncoming(winner, fold.next);
    BasicBlock* tell = block("fold.winner");
    BasicBlock* done = block("fold.done");
    b.CreateCondBr(exists(result, fold.type), tell, done);
    enter(tell);
    report_winner(fold, chosen, result);
    b.CreateBr(done);
    enter(done);
  }
  return result;
}

// One step, from the condition on. Leaves the builder where the step ends.
void FunctionEmitter::fold_step(Fold& fold) {
  const Node& node = *fold.node;
  NodeId condition = node.children.size() > 2 ? node.children[2] : kNoNode;
  NodeId body = node.children.size() > 3 ? node.children[3] : kNoNode;

  // Counting and cheap sums take every step, without a jump.
  const bool straight =
      condition != kNoNode && !fold.reports && (node.op == Op::fold_count || (node.op == Op::fold_sum && cheap(body)));
  Value* taken = nullptr;
  if (straight) {
    taken = emit(condition);
  } else if (condition != kNoNode) {
    BasicBlock* step = block("fold.step");
    Facts facts = branch(condition, step, fold.skip);
    enter(step);
    assume(facts.on_true);
  }

  if (node.op == Op::fold_count) {
    if (fold.reports) report(fold, fold.index, m.real(1));
    fold.new_sum = b.CreateAdd(fold.sum, taken ? b.CreateZExt(taken, m.i64) : m.int64(1));
    return;
  }
  if (node.op == Op::fold_any || node.op == Op::fold_all) {
    fold.found_value = b.getInt1(node.op == Op::fold_any);
    node.op == Op::fold_any ? branch(body, fold.found, fold.skip) : branch(body, fold.skip, fold.found);
    return;
  }

  Value* value = emit(body);
  const bool real = fold.type == Type::real;
  switch (node.op) {
    case Op::fold_sum: {
      Value* sum = real ? b.CreateFAdd(fold.sum, value) : b.CreateAdd(fold.sum, value);
      fold.new_sum = taken ? b.CreateSelect(taken, sum, fold.sum) : sum;
      if (!fold.reports) return;
      BasicBlock* tell = block("fold.tell");
      BasicBlock* told = block("fold.told");
      Value* amount = real ? value : b.CreateSIToFP(value, m.f64);
      b.CreateCondBr(b.CreateFCmpUNE(amount, m.real(0)), tell, told);
      enter(tell);
      report(fold, fold.index, amount);
      b.CreateBr(told);
      enter(told);
      return;
    }
    case Op::fold_first:
      fold.found_value = value;
      b.CreateCondBr(exists(value, fold.type), fold.found, fold.skip);
      return;
    default:
      break;
  }
  Value* better = exists(value, fold.type);
  if (node.op != Op::fold_last) {
    const bool least = node.op == Op::fold_min;
    Value* beats = real ? (least ? b.CreateFCmpOLT(value, fold.sum) : b.CreateFCmpOGT(value, fold.sum))
                        : (least ? b.CreateICmpSLT(value, fold.sum) : b.CreateICmpSGT(value, fold.sum));
    Value* is_first = b.CreateNot(exists(fold.sum, fold.type));
    better = b.CreateAnd(better, b.CreateOr(is_first, beats));
  }
  fold.new_sum = b.CreateSelect(better, value, fold.sum);
  if (fold.winner) fold.new_winner = b.CreateSelect(better, fold.index, fold.winner);
}

}  // namespace wend::codegen
