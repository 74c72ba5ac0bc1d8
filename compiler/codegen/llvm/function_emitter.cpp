#include "compiler/codegen/llvm/function_emitter.h"

#include <algorithm>

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Value;
using plan::Node;
using plan::NodeId;
using plan::Op;

namespace {
// What the entry block loads, by kind; the index says which.
enum Loaded {
  kBatch,
  kColumns,
  kColumn,
  kRows,
  kTableRows,
  kMemoArrays,
  kMemo,
  kParams,
  kParam,
  kLiterals,
  kLiteral,
  kJudgedArrays,
  kJudged,
  kSink
};
}  // namespace

FunctionEmitter::FunctionEmitter(ModuleState& module, llvm::Function* function, const std::string& spec_name,
                                 uint32_t source)
    : m(module), b(module.context), function_(function), source_(source), values_(module.plan.nodes.size()) {
  scope_ = m.debug.function(spec_name, source);
  function_->setSubprogram(scope_);
  entry_ = BasicBlock::Create(m.context, "entry", function_);
  enter(BasicBlock::Create(m.context, "body", function_));
  locate(source);
}

void FunctionEmitter::finish() {
  BasicBlock* body = entry_->getNextNode();
  b.SetInsertPoint(entry_);
  b.SetCurrentDebugLocation(m.debug.location(scope_, source_, nullptr));
  b.CreateBr(body);
}

void FunctionEmitter::locate(uint32_t source) {
  b.SetCurrentDebugLocation(inner_scope_ ? m.debug.location(inner_scope_, source, inlined_at_)
                                         : m.debug.location(scope_, source, nullptr));
}

void FunctionEmitter::in_spec_function(const std::string& name, uint32_t source) {
  inner_scope_ = nullptr;
  if (!scope_ || name.empty()) return locate(source_);
  inlined_at_ = m.debug.location(scope_, source_, nullptr).get();
  inner_scope_ = m.debug.function(name, source, true);
  locate(source);
}

// ---- Behind the context -----------------------------------------------------------------------------------------

Value* FunctionEmitter::in_entry(const std::function<Value*()>& make) {
  llvm::IRBuilderBase::InsertPointGuard guard(b);
  b.SetInsertPoint(entry_);
  b.SetCurrentDebugLocation(m.debug.location(scope_, source_, nullptr));
  return make();
}

// The address of a member of a C struct that `base` points to, loaded.
#define WEND_MEMBER(type, base, struct_name, member) \
  load_fixed(type, at(base, m.int64(0), 1, static_cast<uint32_t>(offsetof(struct_name, member))))

Value* FunctionEmitter::column(uint32_t index) {
  Value*& batch = loaded_[{kBatch, 0}];
  if (!batch) batch = in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, batch); });
  Value*& columns = loaded_[{kColumns, 0}];
  if (!columns) columns = in_entry([&] { return WEND_MEMBER(m.ptr, batch, wend_batch, columns); });
  if (batch_changes_) return load_fixed(m.ptr, at(columns, m.int64(index), sizeof(void*)));
  Value*& known = loaded_[{kColumn, index}];
  if (!known) known = in_entry([&] { return load_fixed(m.ptr, at(columns, m.int64(index), sizeof(void*))); });
  return known;
}

Value* FunctionEmitter::rows(uint32_t table) {
  Value*& batch = loaded_[{kBatch, 0}];
  if (!batch) batch = in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, batch); });
  Value*& known = loaded_[{kTableRows, table}];
  if (!known) {
    known = in_entry([&] {
      Value* rows = WEND_MEMBER(m.ptr, batch, wend_batch, rows);
      return load_fixed(m.i32, at(rows, m.int64(table), sizeof(uint32_t)));
    });
  }
  return known;
}

Value* FunctionEmitter::memo(uint32_t index) {
  Value*& arrays = loaded_[{kMemoArrays, 0}];
  if (!arrays) arrays = in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, memo); });
  Value*& known = loaded_[{kMemo, index}];
  if (!known) known = in_entry([&] { return load_fixed(m.ptr, at(arrays, m.int64(index), sizeof(void*))); });
  return known;
}

Value* FunctionEmitter::judged(uint32_t judge) {
  Value*& known = loaded_[{kJudged, judge}];
  if (known) return known;
  return known = in_entry([&] {
           // Without outside scores the caller may leave out the list of arrays as well.
           Value* arrays = WEND_MEMBER(m.ptr, arg(0), wend_context, judged);
           Value* none = b.CreateIsNull(arrays);
           Value* address = b.CreateSelect(none, at(arg(0), m.int64(0), 1), at(arrays, m.int64(judge), sizeof(void*)));
           return b.CreateSelect(none, llvm::ConstantPointerNull::get(m.ptr), load_fixed(m.ptr, address));
         });
}

Value* FunctionEmitter::evidence_sink() {
  Value*& known = loaded_[{kSink, 0}];
  if (!known) known = in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, evidence); });
  return known;
}

Value* FunctionEmitter::param(const Node& node) {
  Value*& params = loaded_[{kParams, 0}];
  if (!params) {
    params = params_ ? params_ : in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, params); });
  }
  Value*& known = loaded_[{kParam, node.integer * 8 + static_cast<int64_t>(node.type)}];
  if (known) return known;
  return known = in_entry([&]() -> Value* {
           Value* value = load_fixed(m.f64, at(params, m.int64(node.integer), sizeof(double)));
           if (node.type == plan::Type::real) return value;
           if (node.type == plan::Type::boolean) return b.CreateFCmpUNE(value, m.real(0));
           return b.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {m.i64, m.f64}, {value});
         });
}

Value* FunctionEmitter::literal(uint32_t index) {
  Value*& literals = loaded_[{kLiterals, 0}];
  if (!literals) literals = in_entry([&] { return WEND_MEMBER(m.ptr, arg(0), wend_context, literals); });
  Value*& known = loaded_[{kLiteral, index}];
  if (!known) known = in_entry([&] { return load_fixed(m.i32, at(literals, m.int64(index), sizeof(uint32_t))); });
  return known;
}

// ---- Memory -----------------------------------------------------------------------------------------------------

Value* FunctionEmitter::load_fixed(llvm::Type* type, Value* address) {
  auto* load = b.CreateLoad(type, address);
  if (!batch_changes_) load->setMetadata(llvm::LLVMContext::MD_invariant_load, m.empty);
  return load;
}

Value* FunctionEmitter::slot(llvm::Constant* initial) {
  return in_entry([&] {
    Value* place = b.CreateAlloca(initial->getType());
    b.CreateStore(initial, place);
    return place;
  });
}

Value* FunctionEmitter::at(Value* array, Value* index, uint32_t size, uint32_t offset) {
  if (index->getType() == m.i32) index = b.CreateZExt(index, m.i64);
  Value* address = array;
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (constant) {
    offset += static_cast<uint32_t>(constant->getZExtValue() * size);
  } else {
    llvm::Type* unit = size == 1 ? m.i8 : size == 4 ? m.i32 : size == 8 ? m.i64 : llvm::ArrayType::get(m.i8, size);
    address = b.CreateInBoundsGEP(unit, array, index);
  }
  return offset == 0 ? address : b.CreateInBoundsGEP(m.i8, address, m.int64(offset));
}

void FunctionEmitter::store(Value* value, Value* address, const std::string& alias) {
  b.CreateStore(value, address)->setMetadata(llvm::LLVMContext::MD_tbaa, m.alias_tag(alias));
}

Value* FunctionEmitter::load(llvm::Type* type, Value* address, const std::string& alias) {
  auto* load = b.CreateLoad(type, address);
  load->setMetadata(llvm::LLVMContext::MD_tbaa, m.alias_tag(alias));
  return load;
}

std::pair<Value*, Value*> FunctionEmitter::span(uint32_t index, Value* row_value) {
  Value* array = column(index);
  Value* begin = load_fixed(m.i32, at(array, row_value, sizeof(wend_span), offsetof(wend_span, begin)));
  Value* end = load_fixed(m.i32, at(array, row_value, sizeof(wend_span), offsetof(wend_span, end)));
  return {begin, end};
}

// ---- Control flow -----------------------------------------------------------------------------------------------

BasicBlock* FunctionEmitter::block(const llvm::Twine& name) { return BasicBlock::Create(m.context, name, function_); }

void FunctionEmitter::loop(Value* begin, Value* end, const std::string& name, const std::function<void(Value*)>& body,
                           uint32_t step) {
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* inside = block(name);
  BasicBlock* exit = block(name + ".exit");
  b.CreateCondBr(b.CreateICmpULT(begin, end), inside, exit);
  enter(inside);
  auto* index = b.CreatePHI(m.i32, 2, name + ".i");
  index->addIncoming(begin, before);
  size_t known = mark();
  body(index);
  rollback(known);
  // With a step above 1 the caller's end leaves room below 2^32.
  Value* next = b.CreateAdd(index, m.int32(step), "", true);
  index->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, end), inside, exit);
  enter(exit);
}

void FunctionEmitter::for_rows(uint32_t table, bool gold, Value* trace,
                               const std::function<void(const std::vector<Value*>&, Value*)>& body) {
  std::vector<uint32_t> path = plan::rows_of(table, gold);
  std::vector<Value*> owners;
  std::function<void(size_t, Value*)> descend = [&](size_t depth, Value* row_value) {
    if (depth == path.size()) return body(owners, row_value);
    owners.push_back(row_value);
    auto [begin, end] = span(path[depth], row_value);
    loop(begin, end, "rows", [&](Value* index) { descend(depth + 1, index); });
  };
  descend(0, trace);
}

void FunctionEmitter::know_owners(int64_t variable, const std::vector<Value*>& owners) {
  if (owners.empty()) return;
  const auto owner_of = [&](NodeId id, uint32_t column) {
    const Node& node = m.plan.nodes[id];
    return node.op == Op::load && node.column == column;
  };
  for (NodeId id = 0; id < m.plan.nodes.size(); ++id) {
    const Node& node = m.plan.nodes[id];
    if (node.op != Op::load) continue;
    const Node& below = m.plan.nodes[node.children[0]];
    const bool own = below.op == Op::variable && below.integer == variable;
    const bool of_call = owner_of(node.children[0], WEND_COLUMN_arg_call) && values_[node.children[0]];
    const bool of_chain = owner_of(node.children[0], WEND_COLUMN_link_chain) && values_[node.children[0]];
    switch (node.column) {
      case WEND_COLUMN_turn_trace:
      case WEND_COLUMN_message_trace:
      case WEND_COLUMN_chain_trace:
      case WEND_COLUMN_call_trace:
        if (own || of_call || of_chain) set(id, owners.front());
        break;
      case WEND_COLUMN_arg_call:
      case WEND_COLUMN_link_chain:
        if (own) set(id, owners.back());
        break;
      default:
        break;
    }
  }
}

// ---- Scopes -----------------------------------------------------------------------------------------------------

void FunctionEmitter::set(NodeId id, Value* value) {
  log_.emplace_back(id, values_[id]);
  values_[id] = value;
}

void FunctionEmitter::forget(int64_t variable) {
  for (NodeId id : m.analysis.dependents(variable)) {
    if (values_[id]) set(id, nullptr);
  }
}

void FunctionEmitter::forget_all() {
  for (NodeId id = 0; id < values_.size(); ++id) {
    if (values_[id]) set(id, nullptr);
  }
}

std::vector<std::pair<NodeId, Value*>> FunctionEmitter::take(size_t mark) {
  std::vector<std::pair<NodeId, Value*>> taken;
  while (log_.size() > mark) {
    auto [id, before] = log_.back();
    if (values_[id]) taken.emplace_back(id, values_[id]);
    values_[id] = before;
    log_.pop_back();
  }
  // The last change of a node came first; `assume` has to see it last.
  std::reverse(taken.begin(), taken.end());
  return taken;
}

void FunctionEmitter::assume(const std::vector<std::pair<NodeId, Value*>>& facts) {
  for (const auto& [id, value] : facts) set(id, value);
}

void FunctionEmitter::bind(int64_t variable, Value* value, bool is_row) { variables_[variable] = {value, is_row}; }

void FunctionEmitter::bind_in_fold(int64_t variable, Value* value, bool is_row) {
  // Where an outer fold's variable has the same number, what was computed from that one is hidden for a while.
  if (variables_.count(variable) != 0) {
    for (NodeId id = 0; id < values_.size(); ++id) {
      if (values_[id] && m.analysis.depends_on(id, variable)) set(id, nullptr);
    }
  }
  bind(variable, value, is_row);
}

}  // namespace wend::codegen
