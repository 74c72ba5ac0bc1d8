#include "runtime/data/text.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/data/utf8.h"

namespace wend {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080u;

// Unicode's White_Space beyond ASCII.
bool is_wide_space(uint32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// Code points that are NFC whatever stands beside them, by ranges; leaves out some that are, takes in none that is not.
bool is_inert(uint32_t c) {
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

}  // namespace

Unescaped unescape_json(std::string_view body, char* out) { return active_kernels().unescape(body, out); }

void append_json_string(std::string_view text, std::string& out) {
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

bool is_ascii(std::string_view text) {
  const char* const p = text.data();
  const size_t size = text.size();
  const auto word = [p](size_t at) {
    uint64_t bytes;
    std::memcpy(&bytes, p + at, 8);
    return bytes;
  };
  uint64_t high = 0;
  if (size >= 8) {
    for (size_t i = 0; i + 8 < size; i += 8) high |= word(i);
    high |= word(size - 8);
  } else {
    for (size_t i = 0; i < size; ++i) high |= static_cast<unsigned char>(p[i]);
  }
  return (high & kHighBits) == 0;
}

bool is_surely_nfc(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    if (end - p >= 8) {  // ASCII by words
      uint64_t word;
      std::memcpy(&word, p, 8);
      if (!(word & kHighBits)) {
        p += 8;
        continue;
      }
    }
    if (static_cast<signed char>(*p) >= 0) {
      ++p;
    } else if (!is_inert(take_utf8(p))) {
      return false;
    }
  }
  return true;
}

std::string to_nfc(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<size_t>(size));
}

size_t fold_ascii(std::string_view text, char* out) {
  const char* src = text.data();
  uint32_t space = 1;
  char* end = active_kernels().fold(src, src + text.size(), out, space);
  if (space && end > out) --end;
  return static_cast<size_t>(end - out);
}

void append_folded(std::string_view text, std::string& out) {
  const size_t start = out.size();
  out.resize(start + 3 * text.size() + kKernelSlack);  // folding a character makes it at most three times as long
  char* const begin = out.data() + start;
  char* to = begin;
  const char* src = text.data();
  const char* const end = src + text.size();
  uint32_t space = 1;
  bool folded = false;
  while (src < end) {
    to = active_kernels().fold(src, end, to, space);
    while (src < end && static_cast<signed char>(*src) < 0) {
      const char* const from = src;
      const uint32_t c = take_utf8(src);
      if (is_wide_space(c)) {
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
      for (int i = 0; i < n; ++i) to = put_utf8(static_cast<uint32_t>(parts[i]), to);
      folded = true;
    }
  }
  if (space && to > begin) --to;
  out.resize(start + static_cast<size_t>(to - begin));
  // Folding may take a character apart.
  const std::string_view made(out.data() + start, out.size() - start);
  if (folded && !is_surely_nfc(made)) {
    const std::string canonical = to_nfc(made);
    out.replace(start, std::string::npos, canonical);
  }
}

bool decode_json_escapes(std::string_view text, std::string& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  size_t at = text.find('\\');
  if (at == std::string_view::npos) return false;
  out.clear();
  size_t from = 0;  // what is before is written
  bool any = false;
  const char* const end = text.data() + text.size();
  for (; at != std::string_view::npos && at + 1 < text.size(); at = text.find('\\', at)) {
    const char* src = text.data() + at;
    const size_t known = kNames.find(text[at + 1]);
    uint32_t c;
    if (known != std::string_view::npos) {
      c = static_cast<unsigned char>(kMeanings[known]);
      src += 2;
    } else if (text[at + 1] != 'u' || !take_unicode_escape(src, end, c)) {
      ++at;
      continue;
    }
    out.append(text.substr(from, at - from));
    char bytes[4];
    out.append(bytes, static_cast<size_t>(put_utf8(c, bytes) - bytes));
    from = at = static_cast<size_t>(src - text.data());
    any = true;
  }
  out.append(text.substr(from));
  return any;
}

size_t valid_utf8_prefix(std::string_view text) {
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
