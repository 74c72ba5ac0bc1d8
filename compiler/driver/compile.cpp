// `wend compile`: every stage of a spec, and the shared object that runs without the compiler.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "compiler/codegen/aot.h"
#include "compiler/codegen/jit.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/compiled.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/plan/plan.h"
#include "compiler/syntax/dump.h"

namespace wend::driver {
namespace {

struct EmitOptions {
  std::string spec, emit = "so", output, opt = "2", cpu;
};

constexpr const char* kFooter = R"(
Examples:
  wend compile reward.wend --emit so -o reward.so     then: wend score reward.so runs.jsonl, anywhere
  wend compile reward.wend --emit plan                what is computed, one definition a line
  wend compile reward.wend --emit llvm --opt 0        LLVM IR, as first made
Stages: ast, plan, llvm, asm, obj, so. Text goes to standard output unless -o names a file; obj and so need -o.
A shared object runs on processors from about 2009 on; --cpu v3 (2013) and --cpu host use more of the machine.
Exit codes: 0 fine, 1 the spec had errors or the file could not be written, 2 usage.)";

Exit put(const EmitOptions& options, std::string_view bytes) {
  if (options.output.empty() || options.output == "-") {
    write_out(bytes);
    return Exit::fine;
  }
  Result<void> written = write_file(options.output, bytes);
  return written ? Exit::fine : complain(Exit::input, written.error().message);
}

Exit put_ast(const EmitOptions& options, const Compiled& compiled) {
  std::string text;
  for (const ast::Module& module : compiled.checked.program.modules) {
    for (uint32_t file : compiled.checked.main_files) {
      if (module.file == file) text += dump(module) + "\n";
    }
  }
  return put(options, text);
}

codegen::AotOptions aot_options(const EmitOptions& options) {
  codegen::AotOptions how;
  if (options.opt == "0") how.level = codegen::Level::O0;
  if (options.cpu == "host") how.cpu = codegen::Cpu::host;
  if (options.cpu == "v3") how.cpu = codegen::Cpu::x86_64_v3;
  return how;
}

Exit put_code(const EmitOptions& options, const plan::Plan& plan) {
  const codegen::AotOptions how = aot_options(options);
  const std::shared_ptr<codegen::Jit> jit = codegen::Jit::create(codegen::JitOptions::of_environment());
  if (options.emit == "so") {
    Result<void> made = codegen::emit_shared(*jit, plan, options.output, how);
    return made ? Exit::fine : complain(Exit::input, made.error().message);
  }
  const codegen::Artifact artifact = options.emit == "llvm"  ? codegen::Artifact::ir
                                     : options.emit == "asm" ? codegen::Artifact::assembly
                                                             : codegen::Artifact::object;
  Result<std::string> bytes = codegen::emit(*jit, plan, artifact, how);
  return bytes ? put(options, *bytes) : complain(Exit::ours, bytes.error().message);
}

Exit compile(const EmitOptions& options) {
  if ((options.emit == "so" || options.emit == "obj") && options.output.empty()) {
    return complain(Exit::usage, fmt::format("--emit {} needs a file to write: -o FILE", options.emit));
  }
  Made<Compiled> compiled = compile_files({options.spec});
  if (!compiled) return compiled.code();
  if (options.emit == "ast") return put_ast(options, *compiled);
  if (options.emit == "plan") return put(options, plan::print(*compiled->plan));
  return put_code(options, *compiled->plan);
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  auto options = std::make_shared<EmitOptions>();
  CLI::App& command = *app.add_subcommand("compile", "Make a shared object of a spec, or show a stage on the way");
  command.add_option("SPEC", options->spec, "The spec")->required();
  command.add_option("--emit", options->emit, "ast, plan, llvm, asm, obj or so (the default)")
      ->check(CLI::IsMember({"ast", "plan", "llvm", "asm", "obj", "so"}))
      ->type_name("STAGE");
  command.add_option("-o,--output", options->output, "The file to write")->type_name("FILE");
  command.add_option("--opt", options->opt, "How hard to optimise: 0 or 2 (the default)")
      ->check(CLI::IsMember({"0", "2"}))
      ->type_name("N");
  command.add_option("--cpu", options->cpu, "The oldest processor to run on: v2 (the default), v3 or host")
      ->check(CLI::IsMember({"v2", "v3", "host"}))
      ->type_name("CPU");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return compile(*options); }; });
}

}  // namespace wend::driver
