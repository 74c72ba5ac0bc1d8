// wend_program_get and the constants behind it: what a shared object exports.
#include "compiler/codegen/llvm/program_emitter.h"
#include "compiler/codegen/program_tables.h"

namespace wend::codegen {

using llvm::Constant;

namespace {

Constant* constant(llvm::Module& module, Constant* value, const llvm::Twine& name) {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the module owns it
  auto* global =
      new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::InternalLinkage, value, name);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

}  // namespace

void ProgramEmitter::emit_tables() {
  const ProgramTables tables(m_.plan);
  llvm::LLVMContext& context = m_.context;
  auto numbers = [&](const auto& values, const char* name) {
    return constant(m_.module, llvm::ConstantDataArray::get(context, llvm::ArrayRef(values)), name);
  };
  auto size = [&](const auto& values) { return m_.int32(static_cast<uint32_t>(values.size())); };

  auto* bytes = llvm::StructType::get(context, {m_.ptr, m_.i64});
  auto* literal = llvm::StructType::get(context, {m_.i32, bytes});
  std::vector<Constant*> literals;
  for (const auto& [kind, text] : tables.literals) {
    auto* data = llvm::ConstantStruct::get(bytes, {m_.bytes(text), m_.int64(static_cast<int64_t>(text.size()))});
    literals.push_back(llvm::ConstantStruct::get(literal, {m_.int32(kind), data}));
  }
  auto* literal_array = llvm::ConstantArray::get(llvm::ArrayType::get(literal, literals.size()), literals);
  std::vector<uint32_t> memo;
  for (const wend_memo& entry : tables.memo) memo.insert(memo.end(), {entry.table, entry.type});

  Constant* beliefs = llvm::ConstantPointerNull::get(m_.ptr);
  if (functions_.begin) {  // wend_belief_program
    beliefs = constant(m_.module,
                       llvm::ConstantStruct::getAnon(
                           context, {size(m_.plan.beliefs), size(m_.plan.renders), size(m_.plan.contexts),
                                     functions_.begin, functions_.on, functions_.render, functions_.context}),
                       "wend.beliefs");
  }

  // In the order of wend_program's members; the layouts of the two are the same by C's rules.
  std::vector<Constant*> members{
      m_.int32(WEND_ABI_VERSION),
      m_.int32(WEND_BATCH_VERSION),
      m_.bytes(tables.metadata),
      size(tables.param_defaults),
      size(tables.literals),
      size(tables.memo),
      m_.int32(tables.n_judges),
      size(tables.signal_requires),
      m_.int32(tables.n_metrics),
      m_.int32(tables.n_rewards),
      size(tables.term_requires),
      numbers(tables.param_defaults, "wend.param_defaults"),
      constant(m_.module, literal_array, "wend.literals"),
      numbers(memo, "wend.memo"),
      numbers(tables.signal_requires, "wend.signal_requires"),
      numbers(tables.term_requires, "wend.term_requires"),
      numbers(tables.reward_terms, "wend.reward_terms"),
      functions_.requests,
      functions_.prepare,
      functions_.signals,
      functions_.reward,
      functions_.attribute,
      functions_.metrics,
      beliefs,
  };
  Constant* program = constant(m_.module, llvm::ConstantStruct::getAnon(context, members), "wend.program");
  llvm::Function* get = m_.define("wend_program_get", m_.ptr, {}, true);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", get));
  builder.CreateRet(program);
}

}  // namespace wend::codegen
