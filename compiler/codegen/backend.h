// The part of the code generator that needs LLVM, as an interface.
//
// LLVM's library takes 15 ms to load and a process that finds its code in the cache, or only checks a spec, never needs
// it. So that part is a shared module of its own (codegen/llvm, libwend_llvm.so), opened when the first thing has to be
// compiled.
#ifndef WEND_COMPILER_CODEGEN_BACKEND_H_
#define WEND_COMPILER_CODEGEN_BACKEND_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <wend/belief.h>

#include "compiler/codegen/options.h"
#include "compiler/plan/plan.h"
#include "runtime/result.h"

namespace wend::codegen {

// The functions of a wend_program in this process. Whoever holds `owner` holds the code.
struct LinkedCode {
  decltype(wend_program::requests) requests = nullptr;
  decltype(wend_program::prepare) prepare = nullptr;
  decltype(wend_program::signals) signals = nullptr;
  decltype(wend_program::reward) reward = nullptr;
  decltype(wend_program::attribute) attribute = nullptr;
  decltype(wend_program::metrics) metrics = nullptr;
  // Null where the program has neither beliefs nor contexts.
  decltype(wend_belief_program::begin) begin = nullptr;
  decltype(wend_belief_program::on) on = nullptr;
  decltype(wend_belief_program::render) render = nullptr;
  decltype(wend_belief_program::context) context = nullptr;
  std::shared_ptr<const void> owner;
};

// Fills in all functions; find(name) gives the address of an exported symbol or null.
template <class Find>
Result<void> resolve(LinkedCode& code, const Find& find) {
  auto get = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find(name));
    return function != nullptr;
  };
  bool all = get(code.requests, "wend_requests") && get(code.prepare, "wend_prepare") &&
             get(code.signals, "wend_signals") && get(code.reward, "wend_reward") &&
             get(code.attribute, "wend_attribute") && get(code.metrics, "wend_metrics");
  if (get(code.begin, "wend_begin"))
    all = all && get(code.on, "wend_on") && get(code.render, "wend_render") && get(code.context, "wend_context");
  if (!all) return Error{"the object lacks a function of the program interface"};
  return {};
}

// All functions may be called from several threads at once.
class Backend {
 public:
  virtual ~Backend() = default;
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // Text or the bytes of an object.
  virtual Result<std::string> lower(const plan::Plan& plan, const LowerOptions& options, Artifact artifact) = 0;

  // Links an object (lowered without `tables`) into this process, known to debuggers.
  virtual Result<LinkedCode> link(const std::string& object) = 0;
};

// Bitcode of codegen/primitives, embedded in the program.
struct PrimitiveCode {
  std::string_view any, avx2;  // for any x86-64 processor; for those with AVX2
};

// Opens the module. The bitcode outlives the backend.
Result<std::shared_ptr<Backend>> load_backend(const PrimitiveCode& primitives);

// The file that load_backend opens; an error says where it was looked for.
Result<std::string> backend_file();

inline constexpr unsigned kBackendVersion = 3;  // changes with the interface above
// The module's one entry, `wend_llvm_backend`: null if the version is not its own.
using BackendEntry = Backend* (*)(unsigned version, const PrimitiveCode& primitives);

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_BACKEND_H_
