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
      _mm_storel_epi64(reinterpret_cast<__m128i*>(at), first);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(at + n - 8), last);
      return at + n;
    }
  } else if (n >= 4) {
    int first, last;
    memcpy(&first, text, 4);
    memcpy(&last, text + n - 4, 4);
    if (specials<kQuotes>(_mm_set_epi32(last, first, last, first)) == 0) {
      memcpy(at, &first, 4);
      memcpy(at + n - 4, &last, 4);
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

char* wend_put_room(wend_output* out, char* at, size_t more) { return room(out, at, more); }

char* wend_put_boolean(wend_output* out, char* at, uint32_t value) {
  at = room(out, at, 5);
  return value != 0 ? put(at, "true", 4) : put(at, "false", 5);
}

// The bytes of the first `characters` of a text; none where that is negative.
size_t wend_put_prefix(const char* text, size_t n, int64_t characters) {
  return prefix(text, n, characters < 0 ? 0 : static_cast<uint64_t>(characters));
}

// A text, escaped, of at most `limit` characters.
char* wend_put_text(wend_output* out, char* at, const char* text, size_t n, uint32_t limit) {
  if (n <= limit || limit == kAll || prefix(text, n, limit) == n) return put_escaped<true>(out, at, text, n);
  at = put_escaped<true>(out, at, text, prefix(text, n, limit == 0 ? 0 : limit - 1));
  return put_ellipsis(out, at);
}

char* wend_put_quoted(wend_output* out, char* at, const char* text, size_t n, uint32_t limit) {
  at = room(out, at, 1);
  *at = '"';
  at = room(out, wend_put_text(out, at + 1, text, n, limit), 1);
  *at = '"';
  return at + 1;
}

// A JSON value; `text`: of a text its own, else its canonical JSON.
char* wend_put_json(wend_output* out, char* at, const char* text, size_t n, uint32_t type, uint32_t limit) {
  if (type == WEND_JSON_TEXT) return wend_put_quoted(out, at, text, n, limit);
  const bool deep = type == WEND_JSON_LIST || type == WEND_JSON_OBJECT;
  return deep && n > limit ? put_cut_texts(out, at, text, n, limit) : put_escaped<false>(out, at, text, n);
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
