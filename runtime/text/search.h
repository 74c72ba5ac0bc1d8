// Search in texts: the primitives behind `contains` and `mentions` of the language.
//
// Texts and needles are UTF-8 and arrive folded (case folded, white space unified; see wend/columns.def). The functions
// are plain: no allocation, no state, nothing of the C++ library, so that the same source is compiled natively for the
// interpreter and to bitcode for generated code.
//
// A *mention* is an occurrence at word boundaries: where the needle's edge is a word character, the code point beside
// it must not be one. Word characters are letters, marks, digits and `_`, except those of scripts that are written
// without spaces between words (Han, kana, Thai, ...) or glue suffixes to words (Hangul): beside them no boundary can
// be demanded. A `.`, `,` or `-` between two digits is part of a number: `2` is not mentioned in `1.2`, `2,000` or
// `2024-01`, but is in `$2` and in `room 2.`.
#ifndef WEND_RUNTIME_TEXT_SEARCH_H_
#define WEND_RUNTIME_TEXT_SEARCH_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace wend::text_search {

// ---- Finding bytes ---------------------------------------------------------------------------------------------

inline constexpr size_t kNotFound = ~size_t{0};

// Where three bytes of a needle of m bytes (the first, the middle and the last one) stand at their places: bit i of
// probe(text) is set where they do for the needle at text + i.
#if defined(__AVX2__)
inline constexpr size_t kLanes = 32;
struct Probe {
  __m256i first, middle, last;
  size_t half, end;
  Probe(const char* needle, size_t m)
      : first(_mm256_set1_epi8(needle[0])),
        middle(_mm256_set1_epi8(needle[m / 2])),
        last(_mm256_set1_epi8(needle[m - 1])),
        half(m / 2),
        end(m - 1) {}
  static __m256i equal(const char* a, __m256i byte) {
    return _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)), byte);
  }
  uint32_t operator()(const char* text) const {
    const __m256i ends = _mm256_and_si256(equal(text, first), equal(text + end, last));
    return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_and_si256(ends, equal(text + half, middle))));
  }
};
// Is any of some bytes, at most 8, among the next kLanes?
struct Blocks {
  __m256i bytes[8];
  size_t count;
  Blocks(const char* wanted, size_t n) : count(n) {
    for (size_t i = 0; i < n; ++i) bytes[i] = _mm256_set1_epi8(wanted[i]);
  }
  bool any(const char* text) const {
    __m256i found = Probe::equal(text, bytes[0]);
    for (size_t i = 1; i < count; ++i) found = _mm256_or_si256(found, Probe::equal(text, bytes[i]));
    return _mm256_movemask_epi8(found) != 0;
  }
};
#elif defined(__SSE2__)
inline constexpr size_t kLanes = 16;
struct Probe {
  __m128i first, middle, last;
  size_t half, end;
  Probe(const char* needle, size_t m)
      : first(_mm_set1_epi8(needle[0])),
        middle(_mm_set1_epi8(needle[m / 2])),
        last(_mm_set1_epi8(needle[m - 1])),
        half(m / 2),
        end(m - 1) {}
  static __m128i equal(const char* a, __m128i byte) {
    return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)), byte);
  }
  uint32_t operator()(const char* text) const {
    const __m128i ends = _mm_and_si128(equal(text, first), equal(text + end, last));
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_and_si128(ends, equal(text + half, middle))));
  }
};
struct Blocks {
  __m128i bytes[8];
  size_t count;
  Blocks(const char* wanted, size_t n) : count(n) {
    for (size_t i = 0; i < n; ++i) bytes[i] = _mm_set1_epi8(wanted[i]);
  }
  bool any(const char* text) const {
    __m128i found = Probe::equal(text, bytes[0]);
    for (size_t i = 1; i < count; ++i) found = _mm_or_si128(found, Probe::equal(text, bytes[i]));
    return _mm_movemask_epi8(found) != 0;
  }
};
#else
inline constexpr size_t kLanes = 8;
struct Probe {
  char first, middle, last;
  size_t half, end;
  Probe(const char* needle, size_t m)
      : first(needle[0]), middle(needle[m / 2]), last(needle[m - 1]), half(m / 2), end(m - 1) {}
  uint32_t operator()(const char* text) const {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < kLanes; ++i) {
      bits |= uint32_t{text[i] == first && text[i + half] == middle && text[i + end] == last} << i;
    }
    return bits;
  }
};
struct Blocks {
  const char* bytes;
  size_t count;
  Blocks(const char* wanted, size_t n) : bytes(wanted), count(n) {}
  bool any(const char* text) const {
    for (size_t i = 0; i < kLanes; ++i) {
      for (size_t k = 0; k < count; ++k) {
        if (text[i] == bytes[k]) return true;
      }
    }
    return false;
  }
};
#endif

// Are the m bytes at `a` the needle's, given that the first and the last one are? Inline for short needles.
inline bool same_inside(const char* a, const char* needle, size_t m) {
  if (m <= 2) return true;
  if (m > 10) return memcmp(a + 1, needle + 1, m - 2) == 0;
  for (size_t i = 1; i + 1 < m; ++i) {
    if (a[i] != needle[i]) return false;
  }
  return true;
}

// All occurrences from `from` on in linear time, whatever the texts, for needles that `find` spent too much on.
// Occurrences that overlap by more than half are a period of the needle apart: the next one needs only that many new
// bytes compared.
template <class Accept>
inline size_t find_hard(const char* text, size_t n, const char* needle, size_t m, size_t from, Accept accept) {
  size_t previous = kNotFound;
  while (n - from >= m) {
    const void* found = memmem(text + from, n - from, needle, m);
    if (!found) return kNotFound;
    size_t at = static_cast<size_t>(static_cast<const char*>(found) - text);
    const size_t period = previous == kNotFound ? m : at - previous;
    for (;;) {
      if (accept(at)) return at;
      const bool again =
          period <= m / 2 && at + period + m <= n && memcmp(text + at + m, needle + m - period, period) == 0;
      if (!again) break;
      at += period;
    }
    previous = at;
    from = at + 1;
  }
  return kNotFound;
}

// Least position >= from at which the needle (m >= 1 bytes) occurs and that `accept` takes, or kNotFound. Looks for
// three of the needle's bytes in many positions at once, and compares what is between only where all fit.
template <class Accept>
__attribute__((always_inline)) inline size_t find(const char* text, size_t n, const char* needle, size_t m, size_t from,
                                                  Accept accept) {
  if (m > n || from > n - m) return kNotFound;
  const size_t positions = n - m + 1;  // candidates are [from, positions)
  size_t at = from;
  if (positions - from < kLanes) {
    const char* last = text + m - 1;
    for (; at < positions; ++at) {
      if (text[at] == needle[0] && last[at] == needle[m - 1] && same_inside(text + at, needle, m) && accept(at)) {
        return at;
      }
    }
    return kNotFound;
  }
  const Probe probe(needle, m);
  size_t allowance = 8 * n;  // bytes of long needles that may be compared before this is a hard case
  while (at < positions) {
    // The last block overlaps the one before: positions already looked at cannot match again.
    if (at > positions - kLanes) at = positions - kLanes;
    uint64_t bits = probe(text + at);
    size_t step = kLanes;
    if (at + 2 * kLanes <= positions) {
      bits |= uint64_t{probe(text + at + kLanes)} << kLanes;
      step = 2 * kLanes;
    }
    for (; bits != 0; bits &= bits - 1) {
      const size_t candidate = at + static_cast<size_t>(__builtin_ctzll(bits));
      if (m > 64) {
        if (!accept(candidate) || memcmp(text + candidate, needle, 32) != 0) continue;
        if (allowance < m) return find_hard(text, n, needle, m, candidate, accept);
        allowance -= m;
        if (same_inside(text + candidate, needle, m)) return candidate;
      } else if (same_inside(text + candidate, needle, m) && accept(candidate)) {
        return candidate;
      }
    }
    at += step;
  }
  return kNotFound;
}

// ---- Word boundaries -------------------------------------------------------------------------------------------

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_continuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

struct Range {
  uint16_t low, high;
};

// Code points from U+0080 of the basic plane that are letters, marks or digits (Unicode 14: L, M, Nd, Nl) of scripts
// with spaces between words. Gaps that hold only unassigned code points are closed.
inline constexpr Range kWordRanges[] = {
    {0x00AA, 0x00AA}, {0x00B5, 0x00B5}, {0x00BA, 0x00BA}, {0x00C0, 0x00D6}, {0x00D8, 0x00F6}, {0x00F8, 0x02C1},
    {0x02C6, 0x02D1}, {0x02E0, 0x02E4}, {0x02EC, 0x02EC}, {0x02EE, 0x02EE}, {0x0300, 0x0374}, {0x0376, 0x037D},
    {0x037F, 0x037F}, {0x0386, 0x0386}, {0x0388, 0x03F5}, {0x03F7, 0x0481}, {0x0483, 0x0559}, {0x0560, 0x0588},
    {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2}, {0x05C4, 0x05C5}, {0x05C7, 0x05F2}, {0x0610, 0x061A},
    {0x0620, 0x0669}, {0x066E, 0x06D3}, {0x06D5, 0x06DC}, {0x06DF, 0x06E8}, {0x06EA, 0x06FC}, {0x06FF, 0x06FF},
    {0x0710, 0x07F5}, {0x07FA, 0x07FD}, {0x0800, 0x082D}, {0x0840, 0x085B}, {0x0860, 0x0887}, {0x0889, 0x088E},
    {0x0898, 0x08E1}, {0x08E3, 0x0963}, {0x0966, 0x096F}, {0x0971, 0x09F1}, {0x09FC, 0x09FC}, {0x09FE, 0x0A75},
    {0x0A81, 0x0AEF}, {0x0AF9, 0x0B6F}, {0x0B71, 0x0B71}, {0x0B82, 0x0BEF}, {0x0C00, 0x0C6F}, {0x0C80, 0x0C83},
    {0x0C85, 0x0D4E}, {0x0D54, 0x0D57}, {0x0D5F, 0x0D6F}, {0x0D7A, 0x0DF3}, {0x10A0, 0x10FA}, {0x10FC, 0x10FF},
    {0x1200, 0x135F}, {0x1380, 0x138F}, {0x13A0, 0x13FD}, {0x1401, 0x166C}, {0x166F, 0x167F}, {0x1681, 0x169A},
    {0x16A0, 0x16EA}, {0x16EE, 0x1734}, {0x1740, 0x1773}, {0x180B, 0x180D}, {0x180F, 0x193B}, {0x1946, 0x194F},
    {0x1A00, 0x1A1B}, {0x1AB0, 0x1B59}, {0x1B6B, 0x1B73}, {0x1B80, 0x1BF3}, {0x1C00, 0x1C37}, {0x1C40, 0x1C7D},
    {0x1C80, 0x1CBF}, {0x1CD0, 0x1CD2}, {0x1CD4, 0x1FBC}, {0x1FBE, 0x1FBE}, {0x1FC2, 0x1FCC}, {0x1FD0, 0x1FDB},
    {0x1FE0, 0x1FEC}, {0x1FF2, 0x1FFC}, {0x2071, 0x2071}, {0x207F, 0x207F}, {0x2090, 0x209C}, {0x2102, 0x2102},
    {0x2107, 0x2107}, {0x210A, 0x2113}, {0x2115, 0x2115}, {0x2119, 0x211D}, {0x2124, 0x2124}, {0x2126, 0x2126},
    {0x2128, 0x2128}, {0x212A, 0x212D}, {0x212F, 0x2139}, {0x213C, 0x213F}, {0x2145, 0x2149}, {0x214E, 0x214E},
    {0x2160, 0x2188}, {0x2C00, 0x2CE4}, {0x2CEB, 0x2CF3}, {0x2D00, 0x2D6F}, {0x2D7F, 0x2DFF}, {0x2E2F, 0x2E2F},
    {0xA4D0, 0xA4FD}, {0xA500, 0xA60C}, {0xA610, 0xA672}, {0xA674, 0xA67D}, {0xA67F, 0xA6F1}, {0xA717, 0xA71F},
    {0xA722, 0xA788}, {0xA78B, 0xA827}, {0xA82C, 0xA82C}, {0xA840, 0xA873}, {0xA880, 0xA8C5}, {0xA8D0, 0xA8F7},
    {0xA8FB, 0xA8FB}, {0xA8FD, 0xA92D}, {0xA930, 0xA953}, {0xA980, 0xA9C0}, {0xA9CF, 0xA9D9}, {0xAA00, 0xAA59},
    {0xAAE0, 0xAAEF}, {0xAAF2, 0xAB5A}, {0xAB5C, 0xAB69}, {0xAB70, 0xABEA}, {0xABEC, 0xABF9}, {0xFB00, 0xFB28},
    {0xFB2A, 0xFBB1}, {0xFBD3, 0xFD3D}, {0xFD50, 0xFDC7}, {0xFDF0, 0xFDFB}, {0xFE20, 0xFE2F}, {0xFE70, 0xFEFC},
    {0xFF10, 0xFF19}, {0xFF21, 0xFF3A}, {0xFF41, 0xFF5A},
};
inline constexpr size_t kWordRangeCount = sizeof(kWordRanges) / sizeof(kWordRanges[0]);

// Does a boundary have to be between this code point and another such one?
inline bool is_word(uint32_t c) {
  if (c < 0x80) {
    uint32_t letter = c | 0x20;
    return (letter >= 'a' && letter <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }
  if (c > 0xFFFF) return c < 0x1AFF0 || (c >= 0x1BC00 && c < 0x1F000);  // historic scripts, mathematical letters
  size_t low = 0, high = kWordRangeCount;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (kWordRanges[middle].high < c) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < kWordRangeCount && kWordRanges[low].low <= c;
}

// The code point that starts at `at` (at < n). Damaged UTF-8 gives some value, never a read outside.
inline uint32_t code_point_at(const char* text, size_t n, size_t at) {
  uint32_t lead = static_cast<uint8_t>(text[at]);
  if (lead < 0xC0) return lead;
  size_t more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  uint32_t value = lead & (0x3Fu >> more);
  for (size_t i = 1; i <= more && at + i < n; ++i) value = value << 6 | (static_cast<uint8_t>(text[at + i]) & 0x3F);
  return value;
}

// The code point that ends at `at` (at > 0).
inline uint32_t code_point_before(const char* text, size_t n, size_t at) {
  size_t start = at - 1;
  while (start > 0 && at - start < 4 && is_continuation(text[start])) --start;
  return code_point_at(text, n, start);
}

// Beside a digit: does a separator of numbers with another digit behind it follow (or precede)?
inline bool continues_number(char separator, bool has_far, char far) {
  return has_far && (separator == '.' || separator == ',' || separator == '-') && is_digit(far);
}

// Would the word (m >= 1 bytes, what the text has or will prove to have at `at`) be bounded by non-words there?
inline bool at_boundaries(const char* text, size_t n, const char* word, size_t m, size_t at) {
  const size_t end = at + m;
  if (at > 0 && is_word(code_point_at(word, m, 0))) {
    if (is_word(code_point_before(text, n, at))) return false;
    if (is_digit(word[0]) && continues_number(text[at - 1], at > 1, at > 1 ? text[at - 2] : ' ')) return false;
  }
  if (end < n && is_word(code_point_before(word, m, m))) {
    if (is_word(code_point_at(text, n, end))) return false;
    if (is_digit(word[m - 1]) && continues_number(text[end], end + 1 < n, end + 1 < n ? text[end + 1] : ' ')) {
      return false;
    }
  }
  return true;
}

// ---- Names: `_` of the needle stands for itself, a space or a hyphen ---------------------------------------------

inline bool same_name(const char* a, const char* needle, size_t m) {
  for (size_t i = 0; i < m; ++i) {
    if (a[i] != needle[i] && !(needle[i] == '_' && (a[i] == ' ' || a[i] == '-'))) return false;
  }
  return true;
}

struct Piece {
  size_t begin, size;
};

// The longest part of the needle without `_`; size 0 where there is none.
inline Piece longest_piece(const char* needle, size_t m) {
  Piece best = {0, 0};
  for (size_t begin = 0; begin < m;) {
    size_t end = begin;
    while (end < m && needle[end] != '_') ++end;
    if (end - begin > best.size) best = {begin, end - begin};
    begin = end + 1;
  }
  return best;
}

}  // namespace wend::text_search

extern "C" {

// Does the needle occur anywhere? An empty needle does.
inline bool wend_text_contains(const char* text, size_t n, const char* needle, size_t m) {
  if (m == 0) return true;
  return wend::text_search::find(text, n, needle, m, 0, [](size_t) { return true; }) != wend::text_search::kNotFound;
}

// Does any of some needles occur? They stand one behind the other, each behind a byte that says how long it is (1 ..
// 255); there are 1 .. 8 of them. One pass over the text looks for the first bytes of all.
inline bool wend_text_contains_any(const char* text, size_t n, const char* needles, size_t count) {
  using wend::text_search::find;
  using wend::text_search::kLanes;
  struct Needle {
    const char* bytes;
    size_t size;
  } needle[8];
  char firsts[8];
  size_t longest = 0, n_firsts = 0;
  for (size_t k = 0; k < count; ++k) {
    const size_t size = static_cast<uint8_t>(*needles);
    needle[k] = {needles + 1, size};
    needles += 1 + size;
    longest = size > longest ? size : longest;
    size_t i = 0;
    while (i < n_firsts && firsts[i] != needle[k].bytes[0]) ++i;
    if (i == n_firsts) firsts[n_firsts++] = needle[k].bytes[0];
  }
  size_t at = 0;
  if (n >= longest - 1 + kLanes) {
    // Blocks of positions that all needles may start at, up to the first block that one does start in, perhaps.
    const size_t last = n - (longest - 1) - kLanes;
    const wend::text_search::Blocks blocks(firsts, n_firsts);
    while (!blocks.any(text + at)) {
      if (at == last) {
        at = last + kLanes;
        break;
      }
      at = at + kLanes < last ? at + kLanes : last;
    }
  }
  for (size_t k = 0; k < count; ++k) {
    const auto any = [](size_t) { return true; };
    if (find(text, n, needle[k].bytes, needle[k].size, at, any) != wend::text_search::kNotFound) return true;
  }
  return false;
}

// Does the needle occur at word boundaries? An empty needle does.
inline bool wend_text_mentions(const char* text, size_t n, const char* needle, size_t m) {
  if (m == 0) return true;
  auto bounded = [=](size_t at) { return wend::text_search::at_boundaries(text, n, needle, m, at); };
  return wend::text_search::find(text, n, needle, m, 0, bounded) != wend::text_search::kNotFound;
}

// As wend_text_mentions, where `_` of the needle also matches a space or `-`: `start_time` names "start time".
inline bool wend_text_names(const char* text, size_t n, const char* needle, size_t m) {
  const wend::text_search::Piece piece = wend::text_search::longest_piece(needle, m);
  if (piece.size == m) return wend_text_mentions(text, n, needle, m);
  if (m > n) return false;
  auto matches = [=](size_t at) {
    const char* begin = text + (at - piece.begin);
    return wend::text_search::same_name(begin, needle, m) &&
           wend::text_search::at_boundaries(text, n, begin, m, at - piece.begin);
  };
  // The piece may lie in [piece.begin, stop); the rest of the needle is compared around it.
  const size_t stop = n - m + piece.begin + piece.size;
  if (piece.size > 0) {
    return wend::text_search::find(text, stop, needle + piece.begin, piece.size, piece.begin, matches) !=
           wend::text_search::kNotFound;
  }
  for (size_t at = 0; at <= stop; ++at) {
    if (matches(at)) return true;
  }
  return false;
}

// Code points.
inline int64_t wend_text_length(const char* text, size_t n) {
  int64_t count = 0;
  for (size_t i = 0; i < n; ++i) count += !wend::text_search::is_continuation(text[i]);
  return count;
}

}  // extern "C"

#endif  // WEND_RUNTIME_TEXT_SEARCH_H_
