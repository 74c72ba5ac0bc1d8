// Text primitives of generated code, compiled to bitcode (cmake/WendBitcode.cmake) and inlined where they are called.
// The same sources in runtime/text are what the interpreter runs.
#include "runtime/text/search.h"

extern "C" bool wend_same_bytes(const char* a, size_t n, const char* b, size_t m) {
  return n == m && (n == 0 || memcmp(a, b, n) == 0);
}

extern "C" bool wend_contains(const char* text, size_t n, const char* needle, size_t m) {
  return wend_text_contains(text, n, needle, m);
}

extern "C" bool wend_contains_any(const char* text, size_t n, const char* needles, size_t count) {
  return wend_text_contains_any(text, n, needles, count);
}

extern "C" bool wend_mentions(const char* text, size_t n, const char* needle, size_t m) {
  return wend_text_mentions(text, n, needle, m);
}

extern "C" bool wend_names(const char* text, size_t n, const char* needle, size_t m) {
  return wend_text_names(text, n, needle, m);
}

extern "C" int64_t wend_code_points(const char* text, size_t n) { return wend_text_length(text, n); }
