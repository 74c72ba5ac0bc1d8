// gdb's JIT compilation interface: tells a debugger, now or when it attaches, about code made at run time.
#ifndef WEND_COMPILER_CODEGEN_GDB_REGISTRY_H_
#define WEND_COMPILER_CODEGEN_GDB_REGISTRY_H_

#include <memory>
#include <string>

namespace wend::codegen {

// Registered from construction to destruction. `object` is an ELF file whose sections' addresses say where they lie.
class GdbRegistration {
 public:
  explicit GdbRegistration(std::string object);
  ~GdbRegistration();
  GdbRegistration(const GdbRegistration&) = delete;
  GdbRegistration& operator=(const GdbRegistration&) = delete;

 private:
  struct Entry;
  std::string object_;
  std::unique_ptr<Entry> entry_;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_GDB_REGISTRY_H_
