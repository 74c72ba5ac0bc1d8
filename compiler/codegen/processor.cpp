#include "compiler/codegen/processor.h"

#include <cpuid.h>
#include <fmt/format.h>

namespace wend::codegen {

std::string processor() {
  std::string text;
  struct Leaf {
    unsigned leaf, subleaf;
    bool a, b, c, d;
  };
  // Leaf 1: ebx holds the number of the core at hand, which changes from run to run.
  constexpr Leaf kLeaves[] = {{0, 0, true, true, true, true},
                              {1, 0, true, false, true, true},
                              {7, 0, false, true, true, true},
                              {7, 1, true, true, true, true},
                              {0x80000001u, 0, true, true, true, true}};
  for (const Leaf& leaf : kLeaves) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(leaf.leaf, leaf.subleaf, &a, &b, &c, &d)) continue;
    text += fmt::format("{:x}.{}:{:x},{:x},{:x},{:x};", leaf.leaf, leaf.subleaf, leaf.a ? a : 0, leaf.b ? b : 0,
                        leaf.c ? c : 0, leaf.d ? d : 0);
    bool saves = leaf.leaf == 1 && (c & bit_OSXSAVE);
    if (!saves) continue;
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // registers that the system saves
    text += fmt::format("xcr0:{:x}{:08x};", high, low);
  }
  return text;
}

}  // namespace wend::codegen
