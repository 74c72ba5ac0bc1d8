// Nodes other than folds.
#include <algorithm>
#include <cassert>
#include <iterator>

#include "compiler/codegen/llvm/function_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Value;
using plan::kNoNode;
using plan::Node;
using plan::NodeId;
using plan::Op;
using plan::Type;

Value* FunctionEmitter::emit(NodeId id) {
  if (values_[id]) return values_[id];
  ++m.values;
  if (m.too_large()) return llvm::UndefValue::get(m.held(m.plan.nodes[id].type));  // what is made will not be used
  llvm::DebugLoc outer = b.getCurrentDebugLocation();
  if (m.plan.nodes[id].source != 0) locate(m.plan.nodes[id].source);
  Value* value = emit_new(id);
  b.SetCurrentDebugLocation(outer);
  set(id, value);
  return value;
}

Value* FunctionEmitter::emit_new(NodeId id) {
  const Node& node = m.plan.nodes[id];
  switch (node.op) {
    case Op::constant:
      if (node.type == Type::real) return m.real(node.real);
      if (node.type == Type::boolean) return b.getInt1(node.integer != 0);
      return llvm::ConstantInt::get(m.held(node.type), static_cast<uint64_t>(node.integer), true);
    case Op::absent:
      return m.sentinel(node.type);
    case Op::literal:
      return literal(static_cast<uint32_t>(node.integer));
    case Op::param:
      return param(node);
    case Op::variable:
      return variables_.at(node.integer).value;
    case Op::load:
      return emit_load(node);
    case Op::span_begin:
      return load_fixed(m.i32, at(column(node.column), row(node.children[0]), sizeof(wend_span), 0));
    case Op::span_end:
      return load_fixed(m.i32, at(column(node.column), row(node.children[0]), sizeof(wend_span), 4));
    case Op::memo:
      return emit_memo(node);
    case Op::to_real:
      return b.CreateSIToFP(emit(node.children[0]), m.f64);
    case Op::to_integer:
      return b.CreateZExt(emit(node.children[0]), m.i64);
    case Op::to_row:
      return b.CreateTrunc(emit(node.children[0]), m.i32);
    case Op::exists:
      return exists(emit(node.children[0]), m.plan.nodes[node.children[0]].type);
    case Op::has_bits: {
      Value* value = load_fixed(m.i32, at(column(node.column), row(node.children[0]), sizeof(uint32_t)));
      auto* mask = m.int32(static_cast<uint32_t>(node.integer));
      return b.CreateICmpEQ(b.CreateAnd(value, mask), mask);
    }
    case Op::logical_and:
    case Op::logical_or:
      return emit_logical(id);
    case Op::logical_not:
      return b.CreateNot(emit(node.children[0]));
    case Op::choose:
      return emit_choose(node);
    case Op::judged:
      return emit_judged(node);
    case Op::signal_sum:
      return load_fixed(m.f64, at(sums_, m.int64(node.integer), sizeof(double)));
    default:
      break;
  }
  if (is_fold(node.op)) return emit_fold(id);
  if (is_text(node.op)) return emit_text(node);
  if (node.op >= Op::equal && node.op <= Op::greater_equal) return emit_compare(node);
  return emit_arithmetic(node);
}

Value* FunctionEmitter::emit_load(const Node& node) {
  Value* index = row(node.children[0]);
  uint32_t size = element_size(node.column);
  Value* address = at(column(node.column), index, size);
  if (node.type == Type::real) return load_fixed(m.f64, address);
  Value* value = load_fixed(size == 1 ? m.i8 : size == 8 ? m.i64 : m.i32, address);
  if (node.type == Type::boolean) return b.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
  return b.CreateZExt(value, m.held(node.type));
}

Value* FunctionEmitter::emit_memo(const Node& node) {
  const std::string alias = "memo." + std::to_string(node.integer);
  Value* address = at(memo(static_cast<uint32_t>(node.integer)), row(node.children[0]), 8);
  if (node.type == Type::boolean) return b.CreateICmpNE(load(m.i64, address, alias), m.int64(0));
  return load(m.held(node.type), address, alias);  // the low half comes first
}

Value* FunctionEmitter::emit_arithmetic(const Node& node) {
  assert((node.op >= Op::add && node.op <= Op::maximum) || node.op == Op::divide);
  const bool real = node.type == Type::real;
  Value* x = emit(node.children[0]);
  if (node.op == Op::negate) return real ? b.CreateFNeg(x) : b.CreateNeg(x);
  Value* y = emit(node.children[1]);
  switch (node.op) {
    case Op::add:
      return real ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
    case Op::subtract:
      return real ? b.CreateFSub(x, y) : b.CreateSub(x, y);
    case Op::multiply:
      return real ? b.CreateFMul(x, y) : b.CreateMul(x, y);
    case Op::divide:
      return b.CreateFDiv(x, y);
    // As std::min and std::max: the first where they are equal.
    case Op::minimum:
      return b.CreateSelect(real ? b.CreateFCmpOLT(y, x) : b.CreateICmpSLT(y, x), y, x);
    default:
      return b.CreateSelect(real ? b.CreateFCmpOLT(x, y) : b.CreateICmpSLT(x, y), y, x);
  }
}

Value* FunctionEmitter::emit_compare(const Node& node) {
  using P = llvm::CmpInst::Predicate;
  // In the order of Op: equal, not_equal, less, less_equal, greater, greater_equal.
  static constexpr P kReal[] = {P::FCMP_OEQ, P::FCMP_UNE, P::FCMP_OLT, P::FCMP_OLE, P::FCMP_OGT, P::FCMP_OGE};
  static constexpr P kSigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_SLT, P::ICMP_SLE, P::ICMP_SGT, P::ICMP_SGE};
  static constexpr P kUnsigned[] = {P::ICMP_EQ, P::ICMP_NE, P::ICMP_ULT, P::ICMP_ULE, P::ICMP_UGT, P::ICMP_UGE};
  Type type = m.plan.nodes[node.children[0]].type;
  Value* x = emit(node.children[0]);
  Value* y = emit(node.children[1]);
  auto k = static_cast<size_t>(node.op) - static_cast<size_t>(Op::equal);
  if (type == Type::real) return b.CreateFCmp(kReal[k], x, y);
  return b.CreateICmp(type == Type::integer ? kSigned[k] : kUnsigned[k], x, y);
}

Value* FunctionEmitter::exists(Value* value, Type type) {
  if (type == Type::boolean) return b.getTrue();
  if (type == Type::real) return b.CreateFCmpORD(value, value);
  return b.CreateICmpNE(value, m.sentinel(type));
}

// ---- Logic ------------------------------------------------------------------------------------------------------

int FunctionEmitter::cost(NodeId id, int budget) const {
  constexpr int kUnsafe = 1 << 20;
  if (values_[id]) return 0;
  const Node& node = m.plan.nodes[id];
  switch (node.op) {
    case Op::constant:
    case Op::absent:
    case Op::literal:
    case Op::param:
    case Op::variable:
      return 0;
    case Op::load:
    case Op::span_begin:
    case Op::span_end:
    case Op::has_bits:
    case Op::memo: {
      // Only a row that is there on every path may be followed.
      const Node& index = m.plan.nodes[node.children[0]];
      if (index.op != Op::variable) return kUnsafe;
      auto binding = variables_.find(index.integer);
      return binding != variables_.end() && binding->second.is_row ? 2 : kUnsafe;
    }
    case Op::judged:
      return kUnsafe;
    default:
      if (is_fold(node.op) || is_text(node.op)) return kUnsafe;
  }
  int total = node.op == Op::divide ? 4 : 1;
  for (NodeId child : node.children) {
    if (total > budget) return kUnsafe;
    total += cost(child, budget - total);
  }
  return std::min(total, kUnsafe);
}

Value* FunctionEmitter::emit_logical(NodeId id) {
  const Node& node = m.plan.nodes[id];
  const bool is_and = node.op == Op::logical_and;
  if (auto any = alternatives(id)) return emit_alternatives(*any);
  if (cheap(node.children[1])) {
    Value* x = emit(node.children[0]);
    Value* y = emit(node.children[1]);
    return is_and ? b.CreateAnd(x, y) : b.CreateOr(x, y);
  }
  BasicBlock* on_true = block("true");
  BasicBlock* on_false = block("false");
  BasicBlock* merge = block("merge");
  branch(id, on_true, on_false);
  for (BasicBlock* side : {on_true, on_false}) {
    enter(side);
    b.CreateBr(merge);
  }
  enter(merge);
  auto* phi = b.CreatePHI(m.i1, 2);
  phi->addIncoming(b.getTrue(), on_true);
  phi->addIncoming(b.getFalse(), on_false);
  return phi;
}

// `x > max(a, b)` and the like, on integers, where one of a and b costs nothing and the other one does: the one that
// costs, which is looked at only where x is above the other; else kNoNode.
NodeId FunctionEmitter::dear_maximum(const Node& node) const {
  const bool greater = node.op == Op::greater || node.op == Op::greater_equal;
  if (!greater && node.op != Op::less && node.op != Op::less_equal) return kNoNode;
  const Node& most = m.plan.nodes[node.children[greater ? 1 : 0]];
  if (most.op != Op::maximum || most.type != Type::integer) return kNoNode;
  const bool first = cheap(most.children[0]), second = cheap(most.children[1]);
  return first == second ? kNoNode : most.children[first ? 1 : 0];
}

FunctionEmitter::Facts FunctionEmitter::branch(NodeId id, BasicBlock* on_true, BasicBlock* on_false) {
  const Node& node = m.plan.nodes[id];
  const bool known = values_[id] != nullptr;
  const bool logical = node.op == Op::logical_and || node.op == Op::logical_or;
  Facts facts;
  if (m.too_large()) {
    b.CreateCondBr(b.getFalse(), on_true, on_false);
    return facts;
  }
  if (!known && node.op == Op::logical_not) {
    facts = branch(node.children[0], on_false, on_true);
    std::swap(facts.on_true, facts.on_false);
  } else if (!known && logical && !cheap(node.children[1]) && !alternatives(id)) {
    const bool is_and = node.op == Op::logical_and;
    BasicBlock* rest = block(is_and ? "and" : "or");
    Facts first = is_and ? branch(node.children[0], rest, on_false) : branch(node.children[0], on_true, rest);
    enter(rest);
    size_t before = mark();
    assume(is_and ? first.on_true : first.on_false);
    Facts second = branch(node.children[1], on_true, on_false);
    // The side that is reached only through both parts knows all that either has found.
    auto& through = is_and ? facts.on_true : facts.on_false;
    through = take(before);
    auto& last = is_and ? second.on_true : second.on_false;
    through.insert(through.end(), last.begin(), last.end());
  } else if (const NodeId dear = known ? kNoNode : dear_maximum(node); dear != kNoNode) {
    const bool greater = node.op == Op::greater || node.op == Op::greater_equal;
    const Node& most = m.plan.nodes[node.children[greater ? 1 : 0]];
    const bool strict = node.op == Op::greater || node.op == Op::less;
    Value* x = emit(node.children[greater ? 0 : 1]);
    auto above = [&](Value* bound) { return strict ? b.CreateICmpSGT(x, bound) : b.CreateICmpSGE(x, bound); };
    BasicBlock* rest = block("above");
    b.CreateCondBr(above(emit(most.children[most.children[0] == dear ? 1 : 0])), rest, on_false);
    enter(rest);
    const size_t before = mark();
    Value* holds = above(emit(dear));
    facts.on_true = take(before);
    b.CreateCondBr(holds, on_true, on_false);
  } else {
    b.CreateCondBr(emit(id), on_true, on_false);
  }
  facts.on_true.emplace_back(id, b.getTrue());
  facts.on_false.emplace_back(id, b.getFalse());
  return facts;
}

// What both ways evaluate in any case is evaluated before they part, so that it is emitted once.
void FunctionEmitter::emit_shared_parts(NodeId first, NodeId second) {
  std::vector<NodeId> x = m.analysis.always_evaluated(first), y = m.analysis.always_evaluated(second), both;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
  for (NodeId id : both) emit(id);
}

Value* FunctionEmitter::emit_choose(const Node& node) {
  const auto& [condition, yes, no] = std::tie(node.children[0], node.children[1], node.children[2]);
  if (cheap(yes) && cheap(no)) {
    Value* chosen = emit(condition);
    Value* x = emit(yes);
    return b.CreateSelect(chosen, x, emit(no));
  }
  emit_shared_parts(yes, no);
  BasicBlock* on_true = block("then");
  BasicBlock* on_false = block("else");
  BasicBlock* merge = block("merge");
  Facts facts = branch(condition, on_true, on_false);
  auto side = [&](BasicBlock* start, const auto& known, NodeId value) {
    enter(start);
    size_t before = mark();
    assume(known);
    Value* result = emit(value);
    rollback(before);
    BasicBlock* end = b.GetInsertBlock();
    b.CreateBr(merge);
    return std::pair(result, end);
  };
  auto [x, x_end] = side(on_true, facts.on_true, yes);
  auto [y, y_end] = side(on_false, facts.on_false, no);
  enter(merge);
  auto* phi = b.CreatePHI(m.held(node.type), 2);
  phi->addIncoming(x, x_end);
  phi->addIncoming(y, y_end);
  return phi;
}

Value* FunctionEmitter::emit_judged(const Node& node) {
  Value* array = judged(static_cast<uint32_t>(node.integer));
  BasicBlock* outside = block("judged");
  BasicBlock* rule = block("rule");
  BasicBlock* merge = block("merge");
  Value* index = row(node.children[0]);
  b.CreateCondBr(b.CreateIsNotNull(array), outside, rule);
  enter(outside);
  Value* score = load_fixed(m.f64, at(array, index, sizeof(double)));
  b.CreateBr(merge);
  enter(rule);
  size_t before = mark();
  Value* value = emit(node.children[1]);
  rollback(before);
  BasicBlock* rule_end = b.GetInsertBlock();
  b.CreateBr(merge);
  enter(merge);
  auto* phi = b.CreatePHI(m.f64, 2);
  phi->addIncoming(score, outside);
  phi->addIncoming(value, rule_end);
  return phi;
}

}  // namespace wend::codegen
