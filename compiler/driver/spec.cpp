#include "compiler/driver/spec.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "compiler/codegen/jit.h"
#include "compiler/driver/compiled.h"
#include "compiler/driver/console.h"
#include "compiler/driver/params.h"
#include "compiler/plan/build.h"
#include "compiler/source/diagnostic.h"

namespace wend::driver {
namespace {

Made<Spec> open_shared_object(const SpecOptions& options) {
  if (options.engine == "interpreter") {
    return Failure{complain(Exit::usage, "the interpreter needs the spec itself, not a shared object made of it")};
  }
  Result<std::shared_ptr<const Program>> program = open_program(options.spec);
  if (!program) return Failure{complain(Exit::input, program.error().message)};
  Spec spec;
  spec.program = *program;
  return spec;
}

Made<Spec> compile_spec(const SpecOptions& options) {
  Made<Compiled> compiled = compile_files({options.spec});
  if (!compiled) return Failure{compiled.code()};
  Spec spec;
  spec.plan = compiled->plan;
  spec.interpreted = plan::InterpretedProgram::make(spec.plan);
  if (options.engine == "interpreter") {
    spec.program = spec.interpreted;
    return spec;
  }
  Made<std::shared_ptr<const Program>> program = make_program(options, spec.plan);
  if (!program) return Failure{program.code()};
  spec.program = *program;
  return spec;
}

}  // namespace

bool is_shared_object(const std::string& path) {
  char magic[4] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(magic, sizeof magic) && std::string_view(magic, 4) ==
                                               "\x7f"
                                               "ELF";
}

Made<Compiled> compile_files(const std::vector<std::string>& files) {
  Compiled compiled;
  Diagnostics diagnostics;
  compiled.checked = sema::check_files(compiled.sources, files, sema::SearchPath::standard(), diagnostics);
  if (diagnostics.has_errors()) {
    const std::string text = render_text(diagnostics, compiled.sources, color_on_stderr());
    std::fwrite(text.data(), 1, text.size(), stderr);
    return Failure{Exit::input};
  }
  compiled.plan = std::make_shared<const plan::Plan>(plan::build(compiled.checked.program, compiled.sources));
  return compiled;
}

Made<std::shared_ptr<const Program>> make_program(const SpecOptions& options,
                                                  const std::shared_ptr<const plan::Plan>& plan) {
  if (options.engine == "interpreter") return std::shared_ptr<const Program>(plan::InterpretedProgram::make(plan));
  // The session lives as long as its programs do.
  std::shared_ptr<codegen::Jit> jit = codegen::Jit::create(codegen::JitOptions::of_environment());
  codegen::CompileOptions how;
  if (options.opt == "0") how.level = codegen::Level::O0;
  how.tiered = options.opt == "auto";
  Result<std::shared_ptr<const Program>> program = jit->compile(*plan, how);
  if (!program) return Failure{complain(Exit::ours, program.error().message)};
  if (const std::string problem = jit->cache_problem(); !problem.empty()) {
    warn(
        fmt::format("the compiled spec cannot be kept in {}; until that is mended each run compiles it anew (the "
                    "variable WEND_CACHE names another folder, or none)",
                    problem));
  }
  return *program;
}

Made<Spec> open_spec(const SpecOptions& options) {
  Made<Spec> spec = is_shared_object(options.spec) ? open_shared_object(options) : compile_spec(options);
  if (!spec) return spec;
  Result<std::vector<double>> params = param_values(*spec->program, options);
  // A bad value is the command line's fault, unless a file of params holds it.
  if (!params) {
    const bool in_file = !options.set_file.empty() && params.error().message.find(options.set_file) == 0;
    return Failure{complain(in_file ? Exit::input : Exit::usage, params.error().message)};
  }
  spec->params = *params;
  return spec;
}

Result<uint32_t> default_reward(const ProgramInfo& info, const std::string& name, const std::string& spec) {
  if (info.rewards.empty()) return Error{fmt::format("{} declares no reward", spec)};
  if (!name.empty()) return info.find_reward(name);
  for (uint32_t r = 0; r < info.rewards.size(); ++r) {
    if (info.rewards[r].place.starts_with(spec + ":")) return r;
  }
  return 0u;
}

}  // namespace wend::driver
