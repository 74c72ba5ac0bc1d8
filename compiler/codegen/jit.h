// Compiles plans in process, through a cache on disk.
//
//   std::shared_ptr<Jit> jit = Jit::create(JitOptions::of_environment());
//   Result<std::shared_ptr<const Program>> program = jit->compile(plan);
//
// A Jit is one long-lived session: LLVM is opened when the first program has to be compiled, and kept. Programs found
// in the cache are loaded without it. A program keeps what it needs alive, the session included, and frees its code
// when the last reference goes.
#ifndef WEND_COMPILER_CODEGEN_JIT_H_
#define WEND_COMPILER_CODEGEN_JIT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/codegen/backend.h"
#include "compiler/codegen/object_cache.h"
#include "compiler/codegen/options.h"
#include "compiler/plan/plan.h"
#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::codegen {

struct JitOptions {
  ObjectCache cache;
  bool perf_map = false;  // WEND_PERF=1: the names of compiled functions go to /tmp/perf-PID.map, for `perf report`

  static JitOptions of_environment();
};

struct CompileOptions {
  Level level = Level::O2;
  bool debug = true;  // lines of the spec for debuggers and profilers
  // The first result soon: code of O0 unless the cache has the optimised one; when it has run for a while, that one is
  // made on a thread of its own and takes over between two calls. Results are the same bit for bit.
  bool tiered = false;
};

class Jit : public std::enable_shared_from_this<Jit> {
 public:
  static std::shared_ptr<Jit> create(JitOptions options);

  // From the cache, or compiled (and kept there). May be called by several threads. A tiered program keeps the Jit.
  Result<std::shared_ptr<const Program>> compile(const plan::Plan& plan, const CompileOptions& options = {});

  // Text or bytes for `--emit`; never cached.
  Result<std::string> lower(const plan::Plan& plan, const LowerOptions& options, Artifact artifact);

  // What everything that the code depends on hashes to.
  std::string key(const plan::Plan& plan, const CompileOptions& options) const;

  struct Counts {
    uint32_t from_cache = 0, compiled = 0;
  };
  // Why something that was compiled could not be kept, "FOLDER: CAUSE"; "" if everything could.
  std::string cache_problem() const;
  Counts counts() const { return {from_cache_, compiled_}; }

 private:
  explicit Jit(JitOptions options) : options_(std::move(options)) {}
  Result<std::shared_ptr<const Program>> compile_at(const plan::Plan& plan, const CompileOptions& options);
  Result<std::shared_ptr<Backend>> backend();
  Result<LinkedCode> load(const std::string& object) const;

  JitOptions options_;
  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<Backend> backend_;
  std::string cache_problem_;
  std::atomic<uint32_t> from_cache_{0}, compiled_{0};
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_JIT_H_
