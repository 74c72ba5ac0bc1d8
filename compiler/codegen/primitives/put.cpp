// What generated renders write with (plan::Put). Where the output ends (`at`) is an argument and a result, so that
// generated code keeps it in a register; out->size is of no use meanwhile. The interpreter has its own definitions.
#include <emmintrin.h>
#include <string.h>

#include <wend/belief.h>

namespace {

constexpr uint32_t kAll = UINT32_MAX;
constexpr char kEllipsis[] = "\xE2\x80\xA6";

[[gnu::noinline, gnu::cold]] char* grow(wend_output* out, char* at, size_t more) {
  out->size = static_cast<size_t>(at - out->data);
  out->grow(out, more);
  return out->data + out->size;
}

inline char* room(wend_output* out, char* at, size_t more) {
  return static_cast<size_t>(out->data + out->capacity - at) >= more ? at : grow(out, at, more);
}

inline char* put(char* at, const char* bytes, size_t n) {
  memcpy(at, bytes, n);
  return at + n;
}

// From kSize to twice as many bytes.
template <size_t kSize>
void put_halves(char* at, const char* bytes, size_t n) {
  char first[kSize], last[kSize];
  memcpy(first, bytes, kSize);
  memcpy(last, bytes + n - kSize, kSize);
  memcpy(at, first, kSize);
  memcpy(at + n - kSize, last, kSize);
}

// ---- Escapes ------------------------------------------------------------------------------------------------------

struct Escape {
  char bytes[7];
  uint8_t size;
};
constexpr size_t kLongest = 6, kEscapes = '\\' + 1;

struct Escapes {
  Escape of[kEscapes];
  constexpr Escapes() : of{} {
    constexpr char kHex[] = "0123456789abcdef";
    for (size_t c = 0; c < kEscapes; ++c) of[c] = {{'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15], 0}, kLongest};
    constexpr char kNamed[] = "\"\\\n\t\r\b\f", kNames[] = "\"\\ntrbf";
    for (size_t i = 0; kNamed[i]; ++i) of[static_cast<size_t>(kNamed[i])] = {{'\\', kNames[i]}, 2};
  }
};
constexpr Escapes kEscape;

// kQuotes: quotes, backslashes and controls are part of the text, else they stand for themselves.
template <bool kQuotes>
bool is_special(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '<' || c == '>' || c == '&' || (kQuotes && (byte < 0x20 || c == '"' || c == '\\'));
}

template <bool kQuotes>
uint32_t specials(__m128i text) {
  const auto equal = [&](__m128i x, char c) { return _mm_cmpeq_epi8(x, _mm_set1_epi8(c)); };
  const auto without = [&](char bit) { return _mm_and_si128(text, _mm_set1_epi8(static_cast<char>(~bit))); };
  __m128i found = equal(without(2), '<');  // and >
  if (kQuotes) {
    found = _mm_or_si128(found, equal(without(4), '"'));  // and &
    found = _mm_or_si128(found, equal(text, '\\'));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1F)), text));
  } else {
    found = _mm_or_si128(found, equal(text, '&'));
  }
  return static_cast<uint32_t>(_mm_movemask_epi8(found));
}

__m128i load(const char* text) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text)); }
void store(char* at, __m128i text) { _mm_storeu_si128(reinterpret_cast<__m128i*>(at), text); }

char* put_escape(char* at, char c) {
  const Escape& escape = kEscape.of[static_cast<size_t>(c)];
  memcpy(at, &escape, sizeof escape);
  return at + escape.size;
}

template <bool kQuotes>
char* put_bytewise(char* at, const char* text, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (is_special<kQuotes>(text[i]))
      at = put_escape(at, text[i]);
    else
      *at++ = text[i];
  }
  return at;
}

// Fewer than 16 bytes: two halves that overlap.
template <bool kQuotes>
char* put_short(char* at, const char* text, size_t n) {
  if (n >= 8) {
    const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text));
    const __m128i last = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(text + n - 8));
    if (specials<kQuotes>(_mm_unpacklo_epi64(first, last)) == 0) {
      put_halves<8>(at, text, n);
      return at + n;
    }
  } else if (n >= 4) {
    int first, last;
    memcpy(&first, text, 4);
    memcpy(&last, text + n - 4, 4);
    if (specials<kQuotes>(_mm_set_epi32(last, first, last, first)) == 0) {
      put_halves<4>(at, text, n);
      return at + n;
    }
  }
  return put_bytewise<kQuotes>(at, text, n);
}

// 16 bytes of a text that goes on for at least 16 more, some of them special: what lies between two of those is copied
// with what comes behind it.
char* put_between(char* at, const char* text, uint32_t special) {
  unsigned done = 0;
  for (; special != 0; special &= special - 1) {
    const auto next = static_cast<unsigned>(__builtin_ctz(special));
    store(at, load(text + done));
    at = put_escape(at + (next - done), text[next]);
    done = next + 1;
  }
  store(at, load(text + done));
  return at + (16 - done);
}

template <bool kQuotes>
[[gnu::noinline]] char* put_escaped(wend_output* out, char* at, const char* text, size_t n) {
  constexpr size_t kRoom = 16 * kLongest + 16;  // for what 16 bytes become, and what is written behind it
  for (; n >= 16; text += 16, n -= 16) {
    at = room(out, at, kRoom);
    const __m128i block = load(text);
    const uint32_t special = specials<kQuotes>(block);
    if (special == 0) {
      store(at, block);
      at += 16;
    } else if (n >= 32) {
      at = put_between(at, text, special);
    } else {
      at = put_bytewise<kQuotes>(at, text, 16);
    }
  }
  return put_short<kQuotes>(room(out, at, kRoom), text, n);
}

// ---- Limits -------------------------------------------------------------------------------------------------------

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The bytes of the first `characters` of a text.
size_t prefix(const char* text, size_t n, uint64_t characters) {
  if (n <= characters) return n;
  uint64_t seen = 0;
  for (size_t i = 0; i < n; ++i) {
    if (begins_character(text[i]) && seen++ == characters) return i;
  }
  return n;
}

// Of a text that is escaped already, where an escape is one character: the bytes that are kept, n if it is not cut.
size_t kept_of_escaped(const char* text, size_t n, uint32_t characters) {
  uint64_t seen = 0;
  size_t kept = 0;
  for (size_t i = 0; i < n; ++seen) {
    if (seen < characters) kept = i;
    if (seen == characters) return kept;
    if (text[i] == '\\') {
      i += text[i + 1] == 'u' ? 6 : 2;
    } else {
      for (++i; i < n && !begins_character(text[i]);) ++i;
    }
  }
  return n;
}

char* put_ellipsis(wend_output* out, char* at) { return put(room(out, at, 3), kEllipsis, 3); }

// A text, escaped, of at most `limit` characters.
char* put_text(wend_output* out, char* at, const char* text, size_t n, uint32_t limit) {
  if (limit == kAll || prefix(text, n, limit) == n) return put_escaped<true>(out, at, text, n);
  at = put_escaped<true>(out, at, text, prefix(text, n, limit == 0 ? 0 : limit - 1));
  return put_ellipsis(out, at);
}

char* put_mark(wend_output* out, char* at) {
  at = room(out, at, 1);
  *at = '"';
  return at + 1;
}

// The texts of a JSON value are cut, its keys whole.
[[gnu::noinline]] char* put_cut_texts(wend_output* out, char* at, const char* json, size_t n, uint32_t limit) {
  size_t done = 0;
  for (size_t i = 0; i < n; ++i) {
    if (json[i] != '"') continue;
    const size_t begin = ++i;
    while (json[i] != '"') i += json[i] == '\\' ? 2 : 1;
    const bool key = i + 1 < n && json[i + 1] == ':';
    const size_t kept = key ? i - begin : kept_of_escaped(json + begin, i - begin, limit);
    if (kept == i - begin) continue;
    at = put_escaped<false>(out, at, json + done, begin + kept - done);
    at = put_ellipsis(out, at);
    done = i;
  }
  return put_escaped<false>(out, at, json + done, n - done);
}

}  // namespace

extern "C" {

// Bytes as they are: in blocks of which the last one overlaps.
char* wend_put_bytes(wend_output* out, char* at, const char* bytes, size_t n) {
  at = room(out, at, n);
  if (n >= 16) {
    for (size_t i = 0; i + 16 < n; i += 16) store(at + i, load(bytes + i));
    store(at + n - 16, load(bytes + n - 16));
  } else if (n >= 8) {
    put_halves<8>(at, bytes, n);
  } else if (n >= 4) {
    put_halves<4>(at, bytes, n);
  } else {
    for (size_t i = 0; i < n; ++i) at[i] = bytes[i];
  }
  return at + n;
}

char* wend_put_boolean(wend_output* out, char* at, uint32_t value) {
  at = room(out, at, 5);
  return value != 0 ? put(at, "true", 4) : put(at, "false", 5);
}

// A text that exists, escaped: its first `most` characters, of these at most `limit`.
char* wend_put_text(wend_output* out, char* at, const wend_bytes* texts, uint32_t row, int64_t most, uint32_t limit) {
  const wend_bytes text = texts[row];
  return put_text(out, at, text.data, prefix(text.data, text.size, most < 0 ? 0 : static_cast<uint64_t>(most)), limit);
}

// The same in quotes; null where it is absent.
char* wend_put_quoted(wend_output* out, char* at, const wend_bytes* texts, uint32_t row, int64_t most, uint32_t limit) {
  if (row == WEND_NONE) return put(room(out, at, 4), "null", 4);
  return put_mark(out, wend_put_text(out, put_mark(out, at), texts, row, most, limit));
}

// A JSON value: its text is its own if it is one, else its canonical JSON. null where it is absent.
char* wend_put_json(wend_output* out, char* at, const uint8_t* types, const uint32_t* values, const wend_bytes* texts,
                    uint32_t row, uint32_t limit) {
  if (row == WEND_NONE) return put(room(out, at, 4), "null", 4);
  const uint8_t type = types[row];
  if (type == WEND_JSON_TEXT) return wend_put_quoted(out, at, texts, values[row], INT64_MAX, limit);
  const wend_bytes text = texts[values[row]];
  const bool deep = type == WEND_JSON_LIST || type == WEND_JSON_OBJECT;
  return deep && text.size > limit ? put_cut_texts(out, at, text.data, text.size, limit)
                                   : put_escaped<false>(out, at, text.data, text.size);
}

char* wend_put_integer(wend_output* out, char* at, int64_t value) {
  char digits[20];
  size_t begin = sizeof digits;
  uint64_t left = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  do {
    digits[--begin] = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left != 0);
  if (value < 0) digits[--begin] = '-';
  return put(room(out, at, sizeof digits), digits + begin, sizeof digits - begin);
}

char* wend_put_real(wend_output* out, char* at, double value) {
  out->size = static_cast<size_t>(at - out->data);
  out->real(out, value);
  return out->data + out->size;
}

// What was written from `begin` on, the inside of a string, is cut to the limit.
char* wend_put_cut(wend_output* out, char* at, size_t begin, uint32_t limit) {
  const char* text = out->data + begin;
  const auto n = static_cast<size_t>(at - text);
  if (n <= limit) return at;
  const size_t kept = kept_of_escaped(text, n, limit);
  return kept == n ? at : put_ellipsis(out, out->data + begin + kept);
}

}  // extern "C"
