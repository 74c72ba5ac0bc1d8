// Texts: comparison, search, and several searches of one text as one.
#include <tuple>

#include "compiler/codegen/llvm/function_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Value;
using plan::kNoNode;
using plan::Node;
using plan::NodeId;
using plan::Op;
using plan::Type;

std::pair<Value*, Value*> FunctionEmitter::text(uint32_t index, Value* symbol) {
  Value* element = at(column(index), symbol, sizeof(wend_bytes));
  Value* data = load_fixed(m.ptr, element);
  return {data, load_fixed(m.i64, at(element, m.int64(0), 1, offsetof(wend_bytes, size)))};
}

std::optional<FunctionEmitter::Alternatives> FunctionEmitter::alternatives(NodeId id) const {
  constexpr size_t kMost = 8, kLongest = 255;
  if (m.plan.nodes[id].op != Op::logical_or) return std::nullopt;
  Alternatives any;
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const Node* node = &m.plan.nodes[open.back()];
    open.pop_back();
    if (node->op == Op::logical_or) {
      open.insert(open.end(), {node->children[1], node->children[0]});
      continue;
    }
    NodeId there = kNoNode;
    if (node->op == Op::logical_and && m.plan.nodes[node->children[0]].op == Op::exists) {
      there = m.plan.nodes[node->children[0]].children[0];
      node = &m.plan.nodes[node->children[1]];
    }
    if (node->op != Op::text_contains || any.strings.size() == kMost) return std::nullopt;
    const NodeId text = node->children[0];
    const size_t size = m.plan.strings[static_cast<size_t>(node->integer)].size();
    if ((there != kNoNode && there != text) || size == 0 || size > kLongest) return std::nullopt;
    if (!any.strings.empty() && (any.text != text || any.guarded != (there != kNoNode))) return std::nullopt;
    any.text = text;
    any.guarded = there != kNoNode;
    any.strings.push_back(node->integer);
  }
  return any;
}

Value* FunctionEmitter::emit_alternatives(const Alternatives& any) {
  Value* symbol = emit(any.text);
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* there = block("there");
  BasicBlock* merge = block("merge");
  b.CreateCondBr(any.guarded ? exists(symbol, Type::symbol) : b.getTrue(), there, merge);
  enter(there);
  std::string needles;
  for (int64_t string : any.strings) {
    const std::string& bytes = m.plan.strings[static_cast<size_t>(string)];
    needles += static_cast<char>(bytes.size());
    needles += bytes;
  }
  auto [data, size] = text(WEND_COLUMN_text_folded, symbol);
  Value* found = b.CreateCall(m.primitive("wend_contains_any", m.i1, {m.ptr, m.i64, m.ptr, m.i64}),
                              {data, size, m.bytes(needles), m.int64(static_cast<int64_t>(any.strings.size()))});
  b.CreateBr(merge);
  enter(merge);
  auto* phi = b.CreatePHI(m.i1, 2);
  phi->addIncoming(b.getFalse(), before);
  phi->addIncoming(found, there);
  return phi;
}

Value* FunctionEmitter::emit_text(const Node& node) {
  Value* symbol = emit(node.children[0]);
  if (node.op == Op::text_length) {
    auto [data, size] = text(WEND_COLUMN_text_data, symbol);
    return b.CreateCall(m.primitive("wend_code_points", m.i64, {m.ptr, m.i64}), {data, size});
  }
  if (node.op == Op::text_equal) {
    Value* other = emit(node.children[1]);
    BasicBlock* before = b.GetInsertBlock();
    BasicBlock* compare = block("compare");
    BasicBlock* merge = block("merge");
    b.CreateCondBr(b.CreateICmpEQ(symbol, other), merge, compare);
    enter(compare);
    auto [data, size] = text(WEND_COLUMN_text_data, symbol);
    auto [other_data, other_size] = text(WEND_COLUMN_text_data, other);
    Value* same = b.CreateCall(m.primitive("wend_same_bytes", m.i1, {m.ptr, m.i64, m.ptr, m.i64}),
                               {data, size, other_data, other_size});
    b.CreateBr(merge);
    enter(merge);
    auto* phi = b.CreatePHI(m.i1, 2);
    phi->addIncoming(b.getTrue(), before);
    phi->addIncoming(same, compare);
    return phi;
  }
  auto [data, size] = text(WEND_COLUMN_text_folded, symbol);
  Value *needle, *needle_size;
  const char* name = "wend_contains";
  if (node.op == Op::text_contains) {
    const std::string& constant = m.plan.strings[static_cast<size_t>(node.integer)];
    needle = m.bytes(constant);
    needle_size = m.int64(static_cast<int64_t>(constant.size()));
  } else {
    std::tie(needle, needle_size) = text(WEND_COLUMN_text_folded, emit(node.children[1]));
    name = node.op == Op::text_mentions ? "wend_mentions" : "wend_names";
  }
  return b.CreateCall(m.primitive(name, m.i1, {m.ptr, m.i64, m.ptr, m.i64}), {data, size, needle, needle_size});
}

}  // namespace wend::codegen
