#include "compiler/codegen/llvm/lower.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include <iterator>
#include <set>
#include <string>

namespace wend::codegen {

namespace {

std::string host_features() {
  std::string text;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    if (!text.empty()) text += ',';
    text += feature.second ? '+' : '-';
    text += feature.first();
  }
  return text;
}

// What pays off on code like ours, where every value is in a register already and loops are short: a fifth of the time
// of LLVM's own O2 for code that runs as fast.
constexpr const char* kPasses =
    "cgscc(inline),function(mem2reg,simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,loop-"
    "simplify,"
    "lcssa,loop-mssa(licm),"
    "gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(Level level, Cpu cpu) {
  const std::string triple = llvm::sys::getProcessTriple();
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) return Error{"no code can be made for this machine: " + problem};
  std::string name = cpu == Cpu::x86_64_v2 ? "x86-64-v2" : "x86-64-v3", features;
  if (cpu == Cpu::host) {
    name = llvm::sys::getHostCPUName().str();
    features = host_features();
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // a*b+c is two roundings, as everywhere else
  auto machine = target->createTargetMachine(
      triple, name, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      level == Level::O0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default, true);
  if (!machine) return Error{"no code can be made for the processor " + name};
  return std::unique_ptr<llvm::TargetMachine>(machine);
}

Result<void> link_primitives(llvm::Module& module, std::string_view bitcode, Primitives which) {
  llvm::MemoryBufferRef buffer({bitcode.data(), bitcode.size()}, "primitives");
  auto primitives = llvm::getLazyBitcodeModule(buffer, module.getContext());
  if (!primitives) return Error{"the embedded primitives cannot be read: " + llvm::toString(primitives.takeError())};
  (*primitives)->setTargetTriple(module.getTargetTriple());
  (*primitives)->setDataLayout(module.getDataLayout());
  for (llvm::Function& function : **primitives) {
    const bool small = function.getName() == "wend_same_bytes" || function.getName() == "wend_code_points";
    if (which == Primitives::small && !small && !function.hasLocalLinkage()) function.deleteBody();
  }
  std::set<std::string> defined;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration()) defined.insert(function.getName().str());
  }
  if (llvm::Linker::linkModules(module, std::move(*primitives), llvm::Linker::LinkOnlyNeeded)) {
    return Error{"the embedded primitives cannot be linked"};
  }
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasLocalLinkage()) continue;  // ours are local
    variable.setLinkage(llvm::GlobalVariable::InternalLinkage);
    variable.setComdat(nullptr);
  }
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || defined.count(function.getName().str()) != 0) continue;
    function.setLinkage(llvm::Function::InternalLinkage);
    function.setComdat(nullptr);
    function.setUWTableKind(llvm::UWTableKind::None);  // nothing is thrown through it
    // It was compiled for any processor; here it is compiled for the one of the module.
    for (const char* attribute : {"target-cpu", "target-features", "tune-cpu"}) function.removeFnAttr(attribute);
  }
  return {};
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, Level level) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (level == Level::O0) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  } else {
    llvm::cantFail(builder.parsePassPipeline(passes, kPasses));
  }
  passes.run(module, modules);
}

void configure_llvm() {
  // Options of LLVM's own that have no other door. Both passes cost a fifth of code generation and gain nothing
  // measurable on loops over a handful of rows (docs/decisions, jit-tiers).
  static constexpr const char* kArguments[] = {"wend", "-disable-lsr", "-disable-post-ra"};
  llvm::cl::ParseCommandLineOptions(static_cast<int>(std::size(kArguments)), kArguments);
}

Result<std::string> generate(llvm::Module& module, llvm::TargetMachine& machine, Artifact artifact) {
  if (artifact == Artifact::ir) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, nullptr);
    return out.str();
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  auto type = artifact == Artifact::object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type, true)) {
    return Error{"the code generator cannot write this kind of file"};
  }
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace wend::codegen
