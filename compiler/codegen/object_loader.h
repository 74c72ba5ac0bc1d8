// Loads a relocatable ELF object (x86-64) made by our own code generator into this process, without LLVM: a cached
// program is ready in a fraction of the time that opening LLVM's library takes.
//
// Debuggers hear of the code through gdb's JIT interface, as they do of code linked by LLVM.
#ifndef WEND_COMPILER_CODEGEN_OBJECT_LOADER_H_
#define WEND_COMPILER_CODEGEN_OBJECT_LOADER_H_

#include <memory>
#include <string>
#include <string_view>

#include "runtime/result.h"

namespace wend::codegen {

class LoadedObject {
 public:
  // Fails on anything unusual: kinds of sections or relocations that our code does not have, names that the C library
  // does not define. `object` is not kept.
  static Result<std::shared_ptr<const LoadedObject>> load(std::string_view object);
  ~LoadedObject();
  LoadedObject(const LoadedObject&) = delete;
  LoadedObject& operator=(const LoadedObject&) = delete;

  // Address of a global function or null.
  void* find(std::string_view name) const;

  // Lines "START SIZE name" for each function, as in perf's /tmp/perf-PID.map.
  std::string symbol_map() const;

 private:
  struct Parts;
  explicit LoadedObject(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_OBJECT_LOADER_H_
