// Folds over the same rows that are all needed: one loop for all of them, with an accumulator each.
//
//   sum(a for u in t.turns if evaluated(u))        for u in t.turns:
//   count(u in t.turns if evaluated(u) and b)  ->    e = evaluated(u); sum += e ? a : nothing; count += e and b
#include <algorithm>
#include <map>
#include <tuple>

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

// Sums and counts over all rows of a range; those that may be over before their first row, or stop early, gain nothing.
bool FunctionEmitter::can_fuse(NodeId id) const {
  const Node& node = m.plan.nodes[id];
  return (node.op == Op::fold_sum || node.op == Op::fold_count) && !values_[id] && first_conditions(node).empty();
}

void FunctionEmitter::emit_fused(const std::vector<NodeId>& roots) {
  using Rows = std::tuple<NodeId, NodeId, int64_t, Type>;
  std::map<Rows, std::vector<NodeId>> groups;
  for (NodeId root : roots) {
    for (NodeId id : m.analysis.always_evaluated(root)) {
      if (!can_fuse(id)) continue;
      const Node& node = m.plan.nodes[id];
      std::vector<NodeId>& group = groups[{node.children[0], node.children[1], node.integer, node.index_type}];
      if (std::find(group.begin(), group.end(), id) == group.end()) group.push_back(id);
    }
  }
  for (const auto& [rows, folds] : groups) {
    if (folds.size() > 1 && variables_.count(std::get<2>(rows)) == 0) emit_fused_loop(folds);
  }
}

void FunctionEmitter::emit_fused_loop(const std::vector<NodeId>& folds) {
  const Node& rows = m.plan.nodes[folds.front()];
  Value* begin = emit(rows.children[0]);
  Value* end = emit(rows.children[1]);
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* inside = block("fused");
  BasicBlock* exit = block("fused.exit");
  b.CreateCondBr(below(rows, begin, end), inside, exit);

  enter(inside);
  auto* index = b.CreatePHI(begin->getType(), 2, "i");
  index->addIncoming(begin, before);
  std::vector<PHINode*> sums;
  for (NodeId id : folds) {
    sums.push_back(b.CreatePHI(m.held(m.plan.nodes[id].type), 2, "sum"));
    sums.back()->addIncoming(llvm::Constant::getNullValue(sums.back()->getType()), before);
  }
  const size_t known = mark();
  bind_in_fold(rows.integer, index, rows.table != WEND_N_TABLES);
  std::vector<Value*> after;
  after.reserve(folds.size());
  for (size_t k = 0; k < folds.size(); ++k) after.push_back(fused_step(m.plan.nodes[folds[k]], sums[k]));
  variables_.erase(rows.integer);
  rollback(known);
  const bool unsigned_index = rows.index_type == Type::row;
  Value* next = b.CreateAdd(index, llvm::ConstantInt::get(index->getType(), 1), "", unsigned_index, !unsigned_index);
  BasicBlock* step_end = b.GetInsertBlock();
  index->addIncoming(next, step_end);
  for (size_t k = 0; k < folds.size(); ++k) sums[k]->addIncoming(after[k], step_end);
  b.CreateCondBr(below(rows, next, end), inside, exit);

  enter(exit);
  for (size_t k = 0; k < folds.size(); ++k) {
    auto* result = b.CreatePHI(sums[k]->getType(), 2);
    result->addIncoming(llvm::Constant::getNullValue(sums[k]->getType()), before);
    result->addIncoming(after[k], step_end);
    set(folds[k], result);
  }
}

// The accumulator behind one step of one of the folds.
Value* FunctionEmitter::fused_step(const Node& node, Value* sum) {
  const NodeId condition = node.children[2];
  const bool counts = node.op == Op::fold_count;
  const auto added = [&] {
    Value* value = counts ? m.int64(1) : emit(node.children[3]);
    return node.type == Type::real ? b.CreateFAdd(sum, value) : b.CreateAdd(sum, value);
  };
  if (condition == kNoNode) return added();
  if (counts) return b.CreateAdd(sum, b.CreateZExt(emit(condition), m.i64));
  if (cheap(node.children[3])) {
    Value* taken = emit(condition);
    return b.CreateSelect(taken, added(), sum);
  }
  BasicBlock* step = block("fused.step");
  BasicBlock* skip = block("fused.skip");
  BasicBlock* merge = block("fused.next");
  Facts facts = branch(condition, step, skip);
  enter(step);
  const size_t before = mark();
  assume(facts.on_true);
  Value* more = added();
  rollback(before);
  BasicBlock* step_end = b.GetInsertBlock();
  b.CreateBr(merge);
  enter(skip);
  b.CreateBr(merge);
  enter(merge);
  auto* phi = b.CreatePHI(sum->getType(), 2);
  phi->addIncoming(more, step_end);
  phi->addIncoming(sum, skip);
  return phi;
}

}  // namespace wend::codegen
