#include "compiler/codegen/jit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "compiler/codegen/object_loader.h"
#include "compiler/codegen/processor.h"
#include "compiler/codegen/program_tables.h"
#include "compiler/codegen/tiered_program.h"
#include "compiler/plan/sha256.h"

namespace wend::codegen {

// Embedded by the build.
extern const unsigned char primitives_bitcode[];
extern const std::size_t primitives_bitcode_size;
extern const unsigned char primitives_avx2_bitcode[];
extern const std::size_t primitives_avx2_bitcode_size;

namespace {

PrimitiveCode primitives() {
  return {{reinterpret_cast<const char*>(primitives_bitcode), primitives_bitcode_size},
          {reinterpret_cast<const char*>(primitives_avx2_bitcode), primitives_avx2_bitcode_size}};
}

// A wend_program with all that it points to.
struct CompiledProgram {
  CompiledProgram(const plan::Plan& plan, LinkedCode linked) : tables(plan), code(std::move(linked)) {
    for (const auto& [kind, text] : tables.literals) literals.push_back({kind, {text.data(), text.size()}});
    auto size = [](const auto& values) { return static_cast<uint32_t>(values.size()); };
    program.abi_version = WEND_ABI_VERSION;
    program.batch_version = WEND_BATCH_VERSION;
    program.metadata = tables.metadata.c_str();
    program.n_params = size(tables.param_defaults);
    program.n_literals = size(literals);
    program.n_memo = size(tables.memo);
    program.n_judges = tables.n_judges;
    program.n_signals = size(tables.signal_requires);
    program.n_metrics = tables.n_metrics;
    program.n_rewards = tables.n_rewards;
    program.n_terms = size(tables.term_requires);
    program.param_defaults = tables.param_defaults.data();
    program.literals = literals.data();
    program.memo = tables.memo.data();
    program.signal_requires = tables.signal_requires.data();
    program.term_requires = tables.term_requires.data();
    program.reward_terms = tables.reward_terms.data();
    program.requests = code.requests;
    program.prepare = code.prepare;
    program.signals = code.signals;
    program.reward = code.reward;
    program.attribute = code.attribute;
    program.metrics = code.metrics;
    if (!code.begin) return;
    beliefs = {size(plan.beliefs), size(plan.renders), size(plan.contexts), code.begin, code.on,
               code.render,        code.context};
    program.beliefs = &beliefs;
  }
  CompiledProgram(const CompiledProgram&) = delete;
  CompiledProgram& operator=(const CompiledProgram&) = delete;

  ProgramTables tables;
  std::vector<wend_literal> literals;
  LinkedCode code;
  wend_belief_program beliefs{};
  wend_program program{};
};

Result<std::shared_ptr<const Program>> finish(const plan::Plan& plan, LinkedCode code) {
  auto compiled = std::make_shared<CompiledProgram>(plan, std::move(code));
  return NativeProgram::make(&compiled->program, compiled);
}

// The compiler itself is part of what code depends on: a new build of it makes all entries old.
std::string identity_of_backend() {
  Result<std::string> file = backend_file();
  struct stat status{};
  if (!file || stat(file->c_str(), &status) != 0) return "none";
  return fmt::format("{}.{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// perf reads this file by itself; code that is freed stays in it, as the format has no way to say so.
void append_to_perf_map(const LoadedObject& object) {
  std::string path = fmt::format("/tmp/perf-{}.map", getpid());
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "a"), &std::fclose);
  if (!file) return;
  std::string lines = object.symbol_map();
  std::fwrite(lines.data(), 1, lines.size(), file.get());
}

}  // namespace

JitOptions JitOptions::of_environment() {
  JitOptions options;
  options.cache = ObjectCache::of_environment();
  const char* perf = std::getenv("WEND_PERF");
  options.perf_map = perf && *perf && std::strcmp(perf, "0") != 0;
  return options;
}

std::shared_ptr<Jit> Jit::create(JitOptions options) { return std::shared_ptr<Jit>(new Jit(std::move(options))); }

Result<std::shared_ptr<Backend>> Jit::backend() {
  std::lock_guard lock(mutex_);
  if (!backend_) {
    auto loaded = load_backend(primitives());
    if (!loaded) return loaded.error();
    backend_ = std::move(*loaded);
  }
  return backend_;
}

std::string Jit::key(const plan::Plan& plan, const CompileOptions& options) const {
  std::string text =
      fmt::format("fingerprint {}\nprimitives {}\ncompiler {}\nllvm {}\nprocessor {}\nlevel {}\n",
                  plan::fingerprint(plan), plan::sha256(std::string(primitives().any) + std::string(primitives().avx2)),
                  identity_of_backend(), WEND_LLVM_VERSION, processor(), options.level == Level::O0 ? "O0" : "O2");
  // Names are in the symbols, places in the debug information.
  for (const auto& column : plan.columns) text += column.name + "\n";
  for (const auto& reward : plan.rewards) text += reward.name + "\n";
  for (const auto& belief : plan.beliefs) text += belief.module + "." + belief.name + "\n";
  for (const auto& render : plan.renders) text += render.module + "." + render.name + "\n";
  for (const auto& context : plan.contexts) text += context.info.module + "." + context.info.name + "\n";
  if (options.debug) {
    text += "debug\n";
    for (const auto& node : plan.nodes) text += std::to_string(node.source) + " ";
    for (const auto& place : plan.places) text += place + "\n";
    for (const auto& reward : plan.rewards) text += reward.place + "\n";
  }
  return plan::sha256(text);
}

Result<LinkedCode> Jit::load(const std::string& object) const {
  auto loaded = LoadedObject::load(object);
  if (!loaded) return loaded.error();
  LinkedCode code;
  Result<void> resolved = resolve(code, [&](const char* name) { return (*loaded)->find(name); });
  if (!resolved) return resolved.error();
  if (options_.perf_map) append_to_perf_map(**loaded);
  code.owner = *loaded;
  return code;
}

Result<std::shared_ptr<const Program>> Jit::compile(const plan::Plan& plan, const CompileOptions& options) {
  if (!options.tiered) return compile_at(plan, options);
  const CompileOptions best{.level = Level::O2, .debug = options.debug};
  if (options_.cache.has(key(plan, best))) return compile_at(plan, best);
  auto quick = compile_at(plan, {.level = Level::O0, .debug = options.debug});
  if (!quick) return quick.error();
  auto improve = [self = shared_from_this(), plan, best] { return self->compile_at(plan, best); };
  return std::shared_ptr<const Program>(std::make_shared<TieredProgram>(*quick, improve));
}

Result<std::shared_ptr<const Program>> Jit::compile_at(const plan::Plan& plan, const CompileOptions& options) {
  const std::string key = this->key(plan, options);
  std::optional<std::string> object = options_.cache.get(key);
  if (object) {
    // An object that verifies but cannot be loaded (a system that differs in what the key does not see) is made anew.
    if (Result<LinkedCode> code = load(*object)) {
      ++from_cache_;
      return finish(plan, std::move(*code));
    }
  }
  auto backend = this->backend();
  if (!backend) return backend.error();
  auto made = (*backend)->lower(plan, {.level = options.level, .debug = options.debug}, Artifact::object);
  if (!made) return made.error();
  if (Result<void> kept = options_.cache.put(key, *made); !kept) {
    std::lock_guard lock(mutex_);
    cache_problem_ = kept.error().message;
  }
  ++compiled_;
  Result<LinkedCode> code = options_.perf_map ? load(*made) : (*backend)->link(*made);
  if (!code) return code.error();
  // Code that LLVM linked must not outlive it.
  code->owner =
      std::make_shared<std::pair<std::shared_ptr<Backend>, std::shared_ptr<const void>>>(*backend, code->owner);
  return finish(plan, std::move(*code));
}

std::string Jit::cache_problem() const {
  std::lock_guard lock(mutex_);
  return cache_problem_;
}

Result<std::string> Jit::lower(const plan::Plan& plan, const LowerOptions& options, Artifact artifact) {
  auto backend = this->backend();
  if (!backend) return backend.error();
  return (*backend)->lower(plan, options, artifact);
}

}  // namespace wend::codegen
