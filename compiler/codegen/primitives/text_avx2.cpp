// The text primitives once more, for processors with AVX2: twice as many bytes are compared at once.
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define __AVX2__ 1
#include "compiler/codegen/primitives/text.cpp"
#pragma clang attribute pop
