#include "compiler/codegen/llvm/module_state.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/MDBuilder.h>

#include <charconv>
#include <filesystem>

namespace wend::codegen {

using llvm::Type;

// ---- Debug information ----------------------------------------------------------------------------------------

DebugInfo::DebugInfo(llvm::Module& module, const plan::Plan& plan, bool enabled) : plan_(plan) {
  if (!enabled) return;
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  builder_ = std::make_unique<llvm::DIBuilder>(module);
  Place main = place(0);
  // The language only has to be one that debuggers know; C has no name mangling.
  unit_ = builder_->createCompileUnit(llvm::dwarf::DW_LANG_C99, main.file, "wend", true, "", 0, "",
                                      llvm::DICompileUnit::LineTablesOnly);
}

DebugInfo::Place DebugInfo::place(uint32_t source) {
  std::string text = source < plan_.places.size() ? plan_.places[source] : plan_.name + ":0";
  unsigned line = 0;
  size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
    text.resize(colon);
  }
  if (text.empty()) text = plan_.name.empty() ? "spec" : plan_.name;  // a node without a place
  llvm::DIFile*& file = files_[text];
  if (!file) {
    std::filesystem::path path(text);
    file = builder_->createFile(path.filename().string(), path.parent_path().string());
  }
  return {file, line};
}

llvm::DISubprogram* DebugInfo::function(const std::string& name, uint32_t source, bool inlined) {
  if (!builder_) return nullptr;
  Place at = place(source);
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  auto flags = llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized;
  if (inlined) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
  return builder_->createFunction(at.file, name, name, at.file, at.line, type, at.line, llvm::DINode::FlagPrototyped,
                                  flags);
}

llvm::DebugLoc DebugInfo::location(llvm::DISubprogram* scope, uint32_t source, llvm::DILocation* at) {
  if (!builder_ || !scope) return {};
  Place node = place(source);
  llvm::DIScope* block = scope;
  if (node.file != scope->getFile()) {
    llvm::DIScope*& known = blocks_[{scope, node.file}];
    if (!known) known = builder_->createLexicalBlockFile(scope, node.file);
    block = known;
  }
  return llvm::DILocation::get(scope->getContext(), node.line, 0, block, at);
}

void DebugInfo::finish() {
  if (builder_) builder_->finalize();
}

// ---- Module ---------------------------------------------------------------------------------------------------

ModuleState::ModuleState(llvm::Module& m, const plan::Plan& p, bool with_debug)
    : module(m),
      context(m.getContext()),
      plan(p),
      analysis(p),
      debug(m, p, with_debug),
      i1(Type::getInt1Ty(context)),
      i8(Type::getInt8Ty(context)),
      i32(Type::getInt32Ty(context)),
      i64(Type::getInt64Ty(context)),
      f64(Type::getDoubleTy(context)),
      none(Type::getVoidTy(context)),
      ptr(llvm::PointerType::getUnqual(context)),
      empty(llvm::MDNode::get(context, {})),
      alias_root_(llvm::MDBuilder(context).createTBAARoot("wend")) {}

Type* ModuleState::held(plan::Type type) const {
  switch (type) {
    case plan::Type::boolean:
      return i1;
    case plan::Type::integer:
      return i64;
    case plan::Type::real:
      return f64;
    case plan::Type::row:
    case plan::Type::symbol:
    case plan::Type::value:
      return i32;
  }
  return i32;
}

llvm::Constant* ModuleState::sentinel(plan::Type type) const {
  switch (type) {
    case plan::Type::integer:
      return int64(INT64_MIN);
    case plan::Type::real:
      return nan();
    case plan::Type::boolean:
      return llvm::ConstantInt::getFalse(context);  // no optional boolean exists
    default:
      return int32(WEND_NONE);
  }
}

llvm::Function* ModuleState::define(const std::string& name, Type* result, std::vector<Type*> params, bool exported,
                                    bool apart) {
  auto* type = llvm::FunctionType::get(result, params, false);
  auto linkage = exported ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
  auto* function = llvm::Function::Create(type, linkage, name, module);
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::MustProgress);
  function->addFnAttr("frame-pointer", "all");  // profilers walk the stack by it
  if (apart) function->addFnAttr(llvm::Attribute::NoInline);
  return function;
}

llvm::FunctionCallee ModuleState::primitive(const char* name, Type* result, std::vector<Type*> params) {
  auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, params, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  // Texts are constant while a program runs, and the primitives have no state: equal arguments, equal results.
  function->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
  function->addFnAttr(llvm::Attribute::WillReturn);
  if (result == i1) function->addRetAttr(llvm::Attribute::ZExt);
  return callee;
}

llvm::FunctionCallee ModuleState::writer(const char* name, std::vector<Type*> more) {
  more.insert(more.begin(), {ptr, ptr});
  auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(ptr, more, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

llvm::Constant* ModuleState::bytes(llvm::StringRef text) {
  llvm::Constant*& known = bytes_[text.str()];
  if (!known) {
    auto* data = llvm::ConstantDataArray::getString(context, text, true);
    auto* global = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data);
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    known = global;
  }
  return known;
}

llvm::MDNode* ModuleState::alias_tag(const std::string& name) {
  llvm::MDNode*& known = alias_tags_[name];
  if (!known) {
    llvm::MDBuilder builder(context);
    auto* type = builder.createTBAAScalarTypeNode(name, alias_root_);
    known = builder.createTBAAStructTagNode(type, type, 0);
  }
  return known;
}

}  // namespace wend::codegen
