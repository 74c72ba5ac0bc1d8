#include "runtime/data/kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "runtime/data/utf8.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace wend {
namespace {

// What a backslash and this byte stand for; 0 if it is not a one-letter escape.
constexpr auto kEscapes = [] {
  std::array<char, 256> table{};
  table['"'] = '"';
  table['\\'] = '\\';
  table['/'] = '/';
  table['n'] = '\n';
  table['t'] = '\t';
  table['r'] = '\r';
  table['b'] = '\b';
  table['f'] = '\f';
  return table;
}();

// What 64 bytes hold, one bit a byte.
struct Brackets {
  uint64_t quote, backslash, open, close;
};

// Which bytes stand behind an unescaped backslash. `carry`: whether the first one does; becomes that of the next block.
inline uint64_t escaped_by(uint64_t backslash, uint64_t& carry) {
  constexpr uint64_t kOdd = 0xAAAAAAAAAAAAAAAAu;
  const uint64_t escapes = backslash & ~carry;
  // Subtraction runs along each series of backslashes and flips at its end if the series is odd.
  const uint64_t ends = (((escapes << 1) | kOdd) - escapes) ^ kOdd;
  const uint64_t escaped = ends ^ (backslash | carry);
  carry = (ends & backslash) >> 63;
  return escaped;
}

// The lowest n bits.
inline uint64_t first_bits(size_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

#ifdef __x86_64__

namespace base {
// Bit i: whether an odd number of the bits up to i are set.
inline uint64_t prefix_xor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}
constexpr size_t kBlock = 16;
struct Block {
  __m128i v;
  static Block load(const char* p) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))}; }
  void store(char* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
  static uint64_t bits(__m128i mask) { return static_cast<uint32_t>(_mm_movemask_epi8(mask)); }
  uint64_t high() const { return bits(v); }
  uint64_t equal(char c) const { return bits(_mm_cmpeq_epi8(v, _mm_set1_epi8(c))); }
  // ASCII in lower case, white space as ' ' (told in `white`).
  Block fold(uint64_t& white) const {
    const __m128i shifted = _mm_add_epi8(v, _mm_set1_epi8(127 - 'Z'));  // 'A'..'Z' become the 26 highest
    const __m128i upper = _mm_cmpgt_epi8(shifted, _mm_set1_epi8(127 - 26));
    const __m128i lower = _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
    const __m128i control = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(8)), _mm_cmplt_epi8(v, _mm_set1_epi8(14)));
    white = bits(_mm_or_si128(control, _mm_cmpeq_epi8(v, _mm_set1_epi8(' '))));
    return {_mm_or_si128(_mm_andnot_si128(control, lower), _mm_and_si128(control, _mm_set1_epi8(' ')))};
  }
  void add_to(Brackets& marks, size_t at) const {
    const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));  // '[' to '{', ']' to '}'
    marks.quote |= equal('"') << at;
    marks.backslash |= equal('\\') << at;
    marks.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{'))) << at;
    marks.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))) << at;
  }
};
#include "runtime/data/kernels_close.inc"
#include "runtime/data/kernels_runs.inc"
constexpr Kernels kKernels = {unescape, fold, close};
}  // namespace base

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt,pclmul"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt,pclmul")
#endif
namespace avx2 {
inline uint64_t prefix_xor(uint64_t bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)), _mm_set1_epi8(static_cast<char>(0xFF)), 0);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
}
constexpr size_t kBlock = 32;
struct Block {
  __m256i v;
  static Block load(const char* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
  void store(char* p) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
  static uint64_t bits(__m256i mask) { return static_cast<uint32_t>(_mm256_movemask_epi8(mask)); }
  uint64_t high() const { return bits(v); }
  uint64_t equal(char c) const { return bits(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(c))); }
  Block fold(uint64_t& white) const {
    const __m256i shifted = _mm256_add_epi8(v, _mm256_set1_epi8(127 - 'Z'));
    const __m256i upper = _mm256_cmpgt_epi8(shifted, _mm256_set1_epi8(127 - 26));
    const __m256i lower = _mm256_or_si256(v, _mm256_and_si256(upper, _mm256_set1_epi8(0x20)));
    const __m256i control =
        _mm256_and_si256(_mm256_cmpgt_epi8(v, _mm256_set1_epi8(8)), _mm256_cmpgt_epi8(_mm256_set1_epi8(14), v));
    white = bits(_mm256_or_si256(control, _mm256_cmpeq_epi8(v, _mm256_set1_epi8(' '))));
    return {_mm256_blendv_epi8(lower, _mm256_set1_epi8(' '), control)};
  }
  void add_to(Brackets& marks, size_t at) const {
    const __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    marks.quote |= equal('"') << at;
    marks.backslash |= equal('\\') << at;
    marks.open |= bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{'))) << at;
    marks.close |= bits(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}'))) << at;
  }
};
#include "runtime/data/kernels_close.inc"
#include "runtime/data/kernels_runs.inc"
constexpr Kernels kKernels = {unescape, fold, close};
}  // namespace avx2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,popcnt,pclmul"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi,popcnt,pclmul")
#endif
namespace avx512 {
using avx2::prefix_xor;
constexpr size_t kBlock = 64;
struct Block {
  __m512i v;
  static Block load(const char* p) { return {_mm512_loadu_si512(p)}; }
  // The first n bytes, and zeros.
  static Block load_first(const char* p, size_t n) { return {_mm512_maskz_loadu_epi8(first_bits(n), p)}; }
  void store(char* p) const { _mm512_storeu_si512(p, v); }
  uint64_t high() const { return _mm512_movepi8_mask(v); }
  uint64_t equal(char c) const { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); }
  // The bytes of `kept`, side by side.
  Block compress(uint64_t kept) const { return {_mm512_maskz_compress_epi8(kept, v)}; }
  // The bytes of `escaped` replaced by what they stand for behind a backslash; `unusual`: those that stand for nothing.
  Block meanings(uint64_t escaped, uint64_t& unusual) const {
    const __m512i low = _mm512_loadu_si512(kEscapes.data()), high = _mm512_loadu_si512(kEscapes.data() + 64);
    const __m512i meant = _mm512_permutex2var_epi8(low, v, high);
    unusual = escaped & (this->high() | _mm512_testn_epi8_mask(meant, meant));
    return {_mm512_mask_mov_epi8(v, escaped, meant)};
  }
  Block fold(uint64_t& white) const {
    const uint64_t upper = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8('A')), _mm512_set1_epi8(26));
    const uint64_t control = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(9)), _mm512_set1_epi8(5));
    white = control | equal(' ');
    const __m512i lower = _mm512_mask_add_epi8(v, upper, v, _mm512_set1_epi8('a' - 'A'));
    return {_mm512_mask_mov_epi8(lower, control, _mm512_set1_epi8(' '))};
  }
  void add_to(Brackets& marks, size_t) const {
    const Block folded{_mm512_or_si512(v, _mm512_set1_epi8(0x20))};
    marks = {equal('"'), equal('\\'), folded.equal('{'), folded.equal('}')};
  }
};
#include "runtime/data/kernels_close.inc"
#include "runtime/data/kernels_compress.inc"
constexpr Kernels kKernels = {unescape, fold, close};
}  // namespace avx512
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else  // any other CPU

namespace base {
// Bit i: whether an odd number of the bits up to i are set.
inline uint64_t prefix_xor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}
constexpr size_t kBlock = 16;
struct Block {
  unsigned char v[kBlock];
  static Block load(const char* p) {
    Block block;
    std::memcpy(block.v, p, kBlock);
    return block;
  }
  void store(char* p) const { std::memcpy(p, v, kBlock); }
  template <class Ask>
  uint64_t bits(Ask ask) const {
    uint64_t bits = 0;
    for (size_t i = 0; i < kBlock; ++i) bits |= static_cast<uint64_t>(ask(v[i])) << i;
    return bits;
  }
  uint64_t high() const {
    return bits([](unsigned char c) { return c > 0x7F; });
  }
  uint64_t equal(char e) const {
    return bits([e](unsigned char c) { return c == static_cast<unsigned char>(e); });
  }
  Block fold(uint64_t& white) const {
    Block block = *this;
    white = bits([](unsigned char c) { return c == ' ' || (c > 8 && c < 14); });
    for (unsigned char& c : block.v) {
      if (c > 8 && c < 14) c = ' ';
      if (c >= 'A' && c <= 'Z') c |= 0x20;
    }
    return block;
  }
  void add_to(Brackets& marks, size_t at) const {
    marks.quote |= equal('"') << at;
    marks.backslash |= equal('\\') << at;
    marks.open |= bits([](unsigned char c) { return (c | 0x20) == '{'; }) << at;
    marks.close |= bits([](unsigned char c) { return (c | 0x20) == '}'; }) << at;
  }
};
#include "runtime/data/kernels_close.inc"
#include "runtime/data/kernels_runs.inc"
constexpr Kernels kKernels = {unescape, fold, close};
}  // namespace base

#endif

}  // namespace

std::vector<const Kernels*> runnable_kernels() {
  std::vector<const Kernels*> kernels = {&base::kKernels};
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("pclmul")) {
    kernels.push_back(&avx2::kKernels);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2")) {
      kernels.push_back(&avx512::kKernels);
    }
  }
#endif
  return kernels;
}

const Kernels& active_kernels() {
  static const Kernels& best = *runnable_kernels().back();
  return best;
}

}  // namespace wend
