// UTF-8 and JSON's \uXXXX, one character at a time. All input is valid UTF-8.
#pragma once

#include <utf8proc.h>

#include <cstddef>
#include <cstdint>

namespace wend {

// Writes one code point; returns the end.
inline char* put_utf8(uint32_t c, char* out) {
  return out + utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), reinterpret_cast<utf8proc_uint8_t*>(out));
}

// Reads one code point and moves behind it.
inline uint32_t take_utf8(const char*& p) {
  const auto byte = [&p](int i) { return static_cast<uint32_t>(static_cast<unsigned char>(p[i])); };
  const uint32_t lead = byte(0);
  uint32_t c = lead;
  int size = 1;
  if (lead >= 0xF0) {
    c = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    size = 4;
  } else if (lead >= 0xE0) {
    c = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    size = 3;
  } else if (lead >= 0x80) {
    c = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    size = 2;
  }
  p += size;
  return c;
}

// The value of `count` hexadecimal digits; false if they are not.
inline bool take_hex(const char* p, int count, uint32_t& value) {
  value = 0;
  for (int i = 0; i < count; ++i) {
    const char c = p[i], low = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value << 4 | static_cast<uint32_t>(c - '0');
    } else if (low >= 'a' && low <= 'f') {
      value = value << 4 | static_cast<uint32_t>(low - 'a' + 10);
    } else {
      return false;
    }
  }
  return true;
}

// Reads the \uXXXX at p, or the two of a surrogate pair, and moves behind it; a lone surrogate is U+FFFD. False if the
// digits are wrong.
inline bool take_unicode_escape(const char*& p, const char* end, uint32_t& c) {
  if (end - p < 6 || !take_hex(p + 2, 4, c)) return false;
  p += 6;
  if (c < 0xD800 || c > 0xDFFF) return true;
  uint32_t low;
  if (c < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && take_hex(p + 2, 4, low) && low >= 0xDC00 &&
      low <= 0xDFFF) {
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    p += 6;
  } else {
    c = 0xFFFD;
  }
  return true;
}

}  // namespace wend
