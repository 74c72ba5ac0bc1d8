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
  bool backwards;  // the last value that exists is the first one from behind
  Type type;
  BasicBlock *skip, *next, *found = nullptr;
  PHINode* sum;               // the value so far
  PHINode* winner = nullptr;  // index of the step that it comes from
  Value* index;
  // Set by the step, in the block that jumps to `next`; null: the step jumped by itself.
  Value* new_sum = nullptr;
  Value* new_winner = nullptr;
  Value* found_value = nullptr;

  bool takes_first() const { return node->op == Op::fold_first || backwards; }
  bool stops() const { return node->op == Op::fold_any || node->op == Op::fold_all || takes_first(); }
  bool picks() const {
    return node->op == Op::fold_min || node->op == Op::fold_max || (node->op == Op::fold_last && !backwards);
  }
};

void FunctionEmitter::report(const Fold& fold, Value* index, Value* value) {
  if (!reporting_) return;
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

// The conjuncts of a fold's condition in order, as long as they can be seen to before its loop.
std::vector<NodeId> FunctionEmitter::first_conditions(const Node& fold) const {
  std::vector<NodeId> parts, open;
  if (fold.children.size() > 2 && fold.children[2] != kNoNode && !reporting_) open.push_back(fold.children[2]);
  while (!open.empty()) {
    const NodeId id = open.back();
    const Node& node = m.plan.nodes[id];
    open.pop_back();
    if (node.op == Op::logical_and && !values_[id]) {
      open.push_back(node.children[1]);
      open.push_back(node.children[0]);
      continue;
    }
    if (m.analysis.depends_on(id, fold.integer) && !limits_position(id, fold)) break;
    parts.push_back(id);
  }
  return parts;
}

namespace {

// The column that holds the positions of a list's rows in their trace; WEND_N_COLUMNS where there is none.
uint32_t positions_of(uint32_t list) {
  switch (list) {
    case WEND_COLUMN_trace_turns:
      return WEND_COLUMN_turn_number;  // from 1, the others from 0
    case WEND_COLUMN_trace_messages:
      return WEND_COLUMN_message_number;
    case WEND_COLUMN_trace_calls:
    case WEND_COLUMN_trace_gold_calls:
      return WEND_COLUMN_call_number;
    default:
      return WEND_N_COLUMNS;
  }
}

}  // namespace

// Is it `row.number < x` or the like, for the rows of a list of the trace, with the same x for all of them?
bool FunctionEmitter::limits_position(NodeId id, const Node& fold) const {
  const Node &test = m.plan.nodes[id], &begin = m.plan.nodes[fold.children[0]];
  if (test.op < Op::less || test.op > Op::greater_equal || begin.op != Op::span_begin) return false;
  const Node& number = m.plan.nodes[test.children[0]];
  if (number.op != Op::load || number.column != positions_of(begin.column)) return false;
  const Node& row = m.plan.nodes[number.children[0]];
  return row.op == Op::variable && row.integer == fold.integer &&
         !m.analysis.depends_on(test.children[1], fold.integer);
}

// Of a list's rows those with number < x (or number <= x) come first. Where they end, held within begin .. end.
Value* FunctionEmitter::rows_within(const Node& test, Value* list_begin, Value* begin, Value* end) {
  const Node& number = m.plan.nodes[test.children[0]];
  Value* limit = emit(test.children[1]);
  const bool inclusive = test.op == Op::less_equal || test.op == Op::greater;
  int64_t first = number.column == WEND_COLUMN_turn_number ? 1 : 0;
  if (!inclusive) ++first;  // number < x: number + 1 <= x
  // number = row - list_begin + first, so they are those with row + offset < limit; nothing here overflows.
  auto wide = [&](Value* row_value) { return b.CreateZExt(row_value, m.i64); };
  Value* offset = b.CreateSub(m.int64(first - 1), wide(list_begin));
  Value* low = b.CreateAdd(wide(begin), offset);
  Value* high = b.CreateAdd(wide(end), offset);
  Value* held =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, limit, low), high);
  return b.CreateTrunc(b.CreateSub(held, offset), m.i32);
}

// What the conditions of a fold that come first say of all its steps. Ends in a block that is reached only if there are
// steps, except where there was nothing to say.
void FunctionEmitter::narrow(const Node& fold, Range& range) {
  Value* list_begin = range.begin;
  auto go_on_if = [&](Value* holds) {
    range.unused.push_back(b.GetInsertBlock());
    BasicBlock* on = block("fold.on");
    b.CreateCondBr(holds, on, range.exit);
    enter(on);
  };
  for (NodeId id : first_conditions(fold)) {
    if (range.unused.empty()) go_on_if(below(fold, range.begin, range.end));
    if (!m.analysis.depends_on(id, fold.integer)) {
      go_on_if(emit(id));
    } else {
      const Node& test = m.plan.nodes[id];
      const bool first = test.op == Op::less || test.op == Op::less_equal;
      Value*& side = first ? range.end : range.begin;
      side = rows_within(test, list_begin, range.begin, range.end);
      go_on_if(below(fold, range.begin, range.end));
    }
    set(id, b.getTrue());
  }
}

Value* FunctionEmitter::below(const Node& fold, Value* x, Value* y) {
  return fold.index_type == Type::row ? b.CreateICmpULT(x, y) : b.CreateICmpSLT(x, y);
}

// NOLINTNEXTLINE(readability-function-size): the blocks of a loop, in the order in which they run
Value* FunctionEmitter::emit_fold(NodeId id) {
  const Node& node = m.plan.nodes[id];
  Fold fold{};
  fold.node = &node;
  fold.type = node.type;
  fold.reports = reporting_ && node.table != WEND_N_TABLES && node.index_type == Type::row;
  fold.backwards = node.op == Op::fold_last && !reporting_;

  Value* initial = node.op == Op::fold_all ? b.getTrue()
                   : node.op == Op::fold_count || node.op == Op::fold_sum || node.op == Op::fold_any
                       ? llvm::Constant::getNullValue(m.held(fold.type))
                       : m.sentinel(fold.type);
  BasicBlock* inside = block("fold");
  BasicBlock* exit = block("fold.exit");
  fold.skip = block("fold.skip");
  fold.next = block("fold.next");
  if (fold.stops()) fold.found = block("fold.found");

  Range range{emit(node.children[0]), emit(node.children[1]), exit, {}};
  const size_t outside = mark();
  narrow(node, range);
  BasicBlock* before = b.GetInsertBlock();
  auto one = [&](Value* x) { return llvm::ConstantInt::get(x->getType(), 1); };
  Value* start = fold.backwards ? b.CreateSub(range.end, one(range.end)) : range.begin;
  if (range.unused.empty()) {
    range.unused.push_back(before);
    b.CreateCondBr(below(node, range.begin, range.end), inside, exit);
  } else {
    b.CreateBr(inside);
  }

  enter(inside);
  auto* index = b.CreatePHI(start->getType(), 2, "i");
  index->addIncoming(start, before);
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
  if (fold.backwards) {
    index->addIncoming(b.CreateSub(index, one(index)), fold.next);
    b.CreateCondBr(below(node, range.begin, index), inside, exit);
  } else {
    Value* next = b.CreateAdd(index, one(index), "", node.index_type == Type::row, node.index_type != Type::row);
    index->addIncoming(next, fold.next);
    b.CreateCondBr(below(node, next, range.end), inside, exit);
  }
  rollback(outside);

  enter(exit);
  auto* result = b.CreatePHI(m.held(fold.type), 3);
  for (BasicBlock* from : range.unused) result->addIncoming(initial, from);
  result->addIncoming(sum, fold.next);
  if (fold.found) {
    enter(fold.found);
    if (fold.reports) {
      if (fold.takes_first()) {
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
    for (BasicBlock* from : range.unused) chosen->addIncoming(m.int32(WEND_NONE), from);
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
  if (fold.takes_first()) {
    fold.found_value = value;
    b.CreateCondBr(exists(value, fold.type), fold.found, fold.skip);
    return;
  }
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
