// Kernels: the loops over bytes that reading spends its time in, in a version for every CPU and for those of
// x86-64 one with AVX2 and one with AVX-512 (VBMI2), chosen when the program runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wend {

inline constexpr size_t kKernelSlack = 64;  // bytes that a kernel may read or write past the end

// What became of a JSON string's body.
struct Unescaped {
  size_t size = 0;              // bytes written
  bool ascii = true;            // no byte above 0x7F was written
  const char* error = nullptr;  // cause, if an escape is not one of JSON's
};

// Where a scan for the end of a JSON value stands.
struct BracketScan {
  size_t at = 0;         // next byte to look at
  int64_t depth = 0;     // brackets open
  uint64_t string = 0;   // all ones inside a string, else 0
  uint64_t escaped = 0;  // 1 if the byte at `at` is escaped
};

struct Kernels {
  // See unescape_json (text.h).
  Unescaped (*unescape)(std::string_view body, char* out);
  // Writes the folded form of the ASCII text from src on and moves src to its end or the first byte above 0x7F.
  // `space`: 1 if the last byte written is a space, or nothing was written yet.
  char* (*fold)(const char*& src, const char* end, char* out, uint32_t& space);
  // Goes on to the bracket that closes the value, scan.at being then behind it; false if the text ends first.
  bool (*close)(const char* text, size_t size, BracketScan& scan);
};

// All that this CPU runs, the best ones last.
std::vector<const Kernels*> runnable_kernels();
// The best ones.
const Kernels& active_kernels();

}  // namespace wend
