#include "runtime/data/text.h"

#include <utf8proc.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace wend {
namespace {

constexpr size_t kBlock = 16;

// 16 bytes and the questions that the loops below ask of them; bit i of an answer is byte i.
#ifdef __SSE2__
struct Block {
  __m128i v;
  static Block Load(const char* p) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))}; }
  void Store(char* p) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
  uint32_t High() const { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }
  uint32_t Equal(char c) const { return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)))); }
  // ASCII only: lower case, white space to ' ' (reported in `space`).
  Block Fold(uint32_t& space) const {
    const __m128i below = _mm_add_epi8(v, _mm_set1_epi8(127 - 'Z'));  // 'A'..'Z' wrap to the top 26 values
    const __m128i upper = _mm_cmpgt_epi8(below, _mm_set1_epi8(127 - 26));
    const __m128i lower = _mm_or_si128(v, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
    const __m128i control = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(8)), _mm_cmplt_epi8(v, _mm_set1_epi8(14)));
    const __m128i white = _mm_or_si128(control, _mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
    space = static_cast<uint32_t>(_mm_movemask_epi8(white));
    return {_mm_or_si128(_mm_andnot_si128(control, lower), _mm_and_si128(control, _mm_set1_epi8(' ')))};
  }
};
#else
struct Block {
  unsigned char v[kBlock];
  static Block Load(const char* p) {
    Block b;
    std::memcpy(b.v, p, kBlock);
    return b;
  }
  void Store(char* p) const { std::memcpy(p, v, kBlock); }
  template <class F>
  uint32_t Bits(F f) const {
    uint32_t bits = 0;
    for (size_t i = 0; i < kBlock; ++i) bits |= static_cast<uint32_t>(f(v[i])) << i;
    return bits;
  }
  uint32_t High() const {
    return Bits([](unsigned char c) { return c > 0x7F; });
  }
  uint32_t Equal(char e) const {
    return Bits([e](unsigned char c) { return c == static_cast<unsigned char>(e); });
  }
  Block Fold(uint32_t& space) const {
    Block b = *this;
    space = Bits([](unsigned char c) { return c == ' ' || (c > 8 && c < 14); });
    for (auto& c : b.v) c = (c > 8 && c < 14) ? ' ' : (c >= 'A' && c <= 'Z') ? static_cast<unsigned char>(c | 0x20) : c;
    return b;
  }
};
#endif

uint32_t FirstBits(size_t n) { return n >= kBlock ? 0xFFFFu : (1u << n) - 1; }

// Appends one code point as UTF-8.
char* Put(uint32_t c, char* out) {
  return out + utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), reinterpret_cast<utf8proc_uint8_t*>(out));
}

bool Hex4(const char* p, uint32_t& value) {
  value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    uint32_t digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      digit = static_cast<uint32_t>((c | 0x20) - 'a' + 10);
    } else {
      return false;
    }
    value = value << 4 | digit;
  }
  return true;
}

// Reads \uXXXX, or the pair of a surrogate pair, at src; false if the digits are wrong.
bool UnicodeEscape(const char*& src, const char* end, uint32_t& c) {
  if (end - src < 6 || !Hex4(src + 2, c)) return false;
  src += 6;
  if (c < 0xD800 || c > 0xDFFF) return true;
  uint32_t low;
  if (c < 0xDC00 && end - src >= 6 && src[0] == '\\' && src[1] == 'u' && Hex4(src + 2, low) && low >= 0xDC00 &&
      low <= 0xDFFF) {
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    src += 6;
  } else {
    c = 0xFFFD;
  }
  return true;
}

// One code point of valid UTF-8.
uint32_t Decode(const char*& p) {
  const auto byte = [&p](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(p[i])); };
  const uint32_t lead = byte(0);
  uint32_t c;
  if (lead < 0x80) {
    c = lead;
    p += 1;
  } else if (lead < 0xE0) {
    c = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    p += 2;
  } else if (lead < 0xF0) {
    c = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    p += 3;
  } else {
    c = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    p += 4;
  }
  return c;
}

// Unicode's White_Space beyond ASCII.
bool IsWideSpace(uint32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// Code points that are NFC whatever stands beside them, by ranges; leaves out some that are, takes in none that is not.
bool IsInert(uint32_t c) {
  if (c < 0x300) return true;
  if (c < 0x2000) return (c >= 0x400 && c <= 0x482) || (c >= 0x48A && c <= 0x52F);
  if (c < 0x2E80) {
    return (c >= 0x2002 && c <= 0x20CF) || (c >= 0x2190 && c <= 0x2328) || (c >= 0x232B && c <= 0x2ADB);
  }
  if (c < 0xE000) {
    return c <= 0x2EFF || (c >= 0x2FF0 && c <= 0x3029) || (c >= 0x3030 && c <= 0x3098) ||
           (c >= 0x309B && c <= 0xA66E) || (c >= 0xAC00 && c <= 0xD7A3);
  }
  return c <= 0xF8FF || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xFF00 && c <= 0xFFFD) ||
         (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x2F7FF) || (c >= 0x30000 && c <= 0x3FFFF);
}

// Folds ASCII from src on, up to `end` or the first byte above 0x7F. `space`: the last byte written was a space (or
// nothing was written yet).
char* FoldRun(const char*& src, const char* end, char* out, uint32_t& space) {
  while (src < end) {
    size_t n = static_cast<size_t>(end - src);
    Block block;
    if (n >= kBlock) {
      n = kBlock;
      block = Block::Load(src);
    } else {
      char tail[kBlock] = {};
      std::memcpy(tail, src, n);
      block = Block::Load(tail);
    }
    const uint32_t high = block.High() & FirstBits(n);
    if (high) n = static_cast<size_t>(std::countr_zero(high));
    uint32_t white;
    const Block folded = block.Fold(white);
    white &= FirstBits(n);
    const uint32_t extra = white & (white << 1 | space);  // white space after white space
    if (!extra) {
      folded.Store(out);
      out += n;
    } else {
      char bytes[kBlock];
      folded.Store(bytes);
      for (size_t i = 0; i < n; ++i) {
        *out = bytes[i];
        out += ~(extra >> i) & 1;
      }
    }
    src += n;
    if (n > 0) space = white >> (n - 1) & 1;
    if (high) break;
  }
  return out;
}

}  // namespace

Unescaped UnescapeJson(std::string_view body, char* out) {
  const char* src = body.data();
  const char* const end = src + body.size();
  char* const begin = out;
  uint32_t high = 0;
  const auto result = [&](const char* error) { return Unescaped{static_cast<size_t>(out - begin), high == 0, error}; };
  while (src < end) {
    const size_t n = static_cast<size_t>(end - src);
    const Block block = Block::Load(src);
    block.Store(out);
    const uint32_t valid = FirstBits(n);
    uint32_t escapes = block.Equal('\\') & valid;
    high |= block.High() & valid;
    if (!escapes) {
      const size_t step = n < kBlock ? n : kBlock;
      src += step;
      out += step;
      continue;
    }
    const size_t plain = static_cast<size_t>(std::countr_zero(escapes));
    src += plain;
    out += plain;
    if (end - src < 2) return result("a string ends in a backslash");
    switch (src[1]) {
      case '"':
        *out++ = '"';
        break;
      case '\\':
        *out++ = '\\';
        break;
      case '/':
        *out++ = '/';
        break;
      case 'n':
        *out++ = '\n';
        break;
      case 't':
        *out++ = '\t';
        break;
      case 'r':
        *out++ = '\r';
        break;
      case 'b':
        *out++ = '\b';
        break;
      case 'f':
        *out++ = '\f';
        break;
      case 'u': {
        uint32_t c;
        if (!UnicodeEscape(src, end, c)) return result("\\u without four hexadecimal digits");
        high |= c > 0x7F;
        out = Put(c, out);
        continue;
      }
      default:
        return result("a backslash before a character that needs none");
    }
    src += 2;
  }
  return result(nullptr);
}

void AppendJsonString(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out.append("\\\"");
        break;
      case '\\':
        out.append("\\\\");
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\t':
        out.append("\\t");
        break;
      case '\r':
        out.append("\\r");
        break;
      case '\b':
        out.append("\\b");
        break;
      case '\f':
        out.append("\\f");
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out.append("\\u00");
          out.push_back(kHex[c >> 4]);
          out.push_back(kHex[c & 15]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

bool IsAscii(std::string_view text) {
  uint64_t high = 0;
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    high |= word;
  }
  for (; i < text.size(); ++i) high |= static_cast<uint64_t>(static_cast<unsigned char>(text[i]));
  return (high & 0x8080808080808080u) == 0;
}

bool IsSurelyNfc(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    if (static_cast<signed char>(*p) >= 0) {
      ++p;
    } else if (!IsInert(Decode(p))) {
      return false;
    }
  }
  return true;
}

std::string ToNfc(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<size_t>(size));
}

size_t FoldAscii(std::string_view text, char* out) {
  const char* src = text.data();
  uint32_t space = 1;
  char* end = FoldRun(src, src + text.size(), out, space);
  if (space && end > out) --end;
  return static_cast<size_t>(end - out);
}

void AppendFolded(std::string_view text, std::string& out) {
  const size_t start = out.size();
  out.resize(start + 3 * text.size() + kBlock);  // folding a character makes it at most three times as long
  char* const begin = out.data() + start;
  char* to = begin;
  const char* src = text.data();
  const char* const end = src + text.size();
  uint32_t space = 1;
  bool folded = false;
  while (src < end) {
    to = FoldRun(src, end, to, space);
    while (src < end && static_cast<signed char>(*src) < 0) {
      const char* const from = src;
      const uint32_t c = Decode(src);
      if (IsWideSpace(c)) {
        if (!space) *to++ = ' ';
        space = 1;
        continue;
      }
      space = 0;
      if (utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->casefold_seqindex == UINT16_MAX) {
        std::memcpy(to, from, static_cast<size_t>(src - from));
        to += src - from;
        continue;
      }
      utf8proc_int32_t parts[8];
      int boundary = 0;
      const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 8, UTF8PROC_CASEFOLD, &boundary);
      for (int i = 0; i < n; ++i) to = Put(static_cast<uint32_t>(parts[i]), to);
      folded = true;
    }
  }
  if (space && to > begin) --to;
  out.resize(start + static_cast<size_t>(to - begin));
  // Folding may take a character apart.
  const std::string_view made(out.data() + start, out.size() - start);
  if (folded && !IsSurelyNfc(made)) {
    const std::string canonical = ToNfc(made);
    out.replace(start, std::string::npos, canonical);
  }
}

bool DecodeUnicodeEscapes(std::string_view text, std::string& out) {
  size_t at = text.find("\\u");
  if (at == std::string_view::npos) return false;
  out.clear();
  size_t from = 0;
  bool any = false;
  while (at != std::string_view::npos) {
    const char* src = text.data() + at;
    uint32_t c;
    // "\\u0041" inside JSON is a backslash followed by text, not an escape.
    size_t backslashes = 0;
    while (at > from + backslashes && text[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0 && UnicodeEscape(src, text.data() + text.size(), c)) {
      out.append(text.substr(from, at - from));
      char bytes[4];
      out.append(bytes, static_cast<size_t>(Put(c, bytes) - bytes));
      from = static_cast<size_t>(src - text.data());
      any = true;
    }
    at = text.find("\\u", at + 2 > from ? at + 2 : from);
  }
  out.append(text.substr(from));
  return any;
}

size_t ValidUtf8Prefix(std::string_view text) {
  const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  size_t at = 0;
  while (at < text.size()) {
    if (data[at] < 0x80) {
      ++at;
      continue;
    }
    utf8proc_int32_t c;
    const auto n = utf8proc_iterate(data + at, static_cast<utf8proc_ssize_t>(text.size() - at), &c);
    if (n <= 0) return at;
    at += static_cast<size_t>(n);
  }
  return at;
}

}  // namespace wend
