#include "compiler/codegen/gdb_registry.h"

#include <cstdint>
#include <mutex>

// The interface is two global names that gdb looks up: a function with a breakpoint in it, and a list. Both are the
// debugger's, which is why there is one of each per process.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;  // 1: registered, 2: unregistered
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

// Weak, because other parts of the process (LLVM's own linker) may define the same.
__attribute__((weak, used)) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
__attribute__((weak, used, noinline)) void __jit_debug_register_code() { asm volatile("" ::: "memory"); }

}  // extern "C"

namespace {
std::mutex registry_mutex;
}
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

namespace wend::codegen {

struct GdbRegistration::Entry : jit_code_entry {};

GdbRegistration::GdbRegistration(std::string object) : object_(std::move(object)), entry_(std::make_unique<Entry>()) {
  std::lock_guard lock(registry_mutex);
  entry_->symfile_addr = object_.data();
  entry_->symfile_size = object_.size();
  entry_->prev_entry = nullptr;
  entry_->next_entry = __jit_debug_descriptor.first_entry;
  if (entry_->next_entry) entry_->next_entry->prev_entry = entry_.get();
  __jit_debug_descriptor.first_entry = entry_.get();
  __jit_debug_descriptor.relevant_entry = entry_.get();
  __jit_debug_descriptor.action_flag = 1;
  __jit_debug_register_code();
}

GdbRegistration::~GdbRegistration() {
  std::lock_guard lock(registry_mutex);
  if (entry_->prev_entry) {
    entry_->prev_entry->next_entry = entry_->next_entry;
  } else {
    __jit_debug_descriptor.first_entry = entry_->next_entry;
  }
  if (entry_->next_entry) entry_->next_entry->prev_entry = entry_->prev_entry;
  __jit_debug_descriptor.relevant_entry = entry_.get();
  __jit_debug_descriptor.action_flag = 2;
  __jit_debug_register_code();
}

}  // namespace wend::codegen
