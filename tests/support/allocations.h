// Counts what operator new is asked for. To be included by one source of a test: it replaces the operators.
#ifndef WEND_TESTS_SUPPORT_ALLOCATIONS_H_
#define WEND_TESTS_SUPPORT_ALLOCATIONS_H_

#include <atomic>
#include <cstdlib>
#include <new>

namespace wend {
inline std::atomic<size_t> allocations = 0;
}

// Not inlined: then the compiler does not look for the malloc behind them.
[[gnu::noinline]] void* operator new(size_t size) {
  ++wend::allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
// Libraries (LLVM) allocate with this one, and free with the one below.
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++wend::allocations;
  return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

#endif  // WEND_TESTS_SUPPORT_ALLOCATIONS_H_
