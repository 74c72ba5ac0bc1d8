#include "runtime/data/split.h"

#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace wend {
namespace {

// One bit a byte, for 64 bytes.
struct Marks {
  uint64_t quote, backslash, open, close;
};

#ifdef __SSE2__
Marks MarksOf(const char* p) {
  Marks marks{};
  for (int i = 0; i < 4; ++i) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    const __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));  // '[' to '{', ']' to '}'
    const auto bits = [i](__m128i equal) {
      return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(equal))) << 16 * i;
    };
    marks.quote |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
    marks.backslash |= bits(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
    marks.open |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    marks.close |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
  }
  return marks;
}
#else
Marks MarksOf(const char* p) {
  Marks marks{};
  for (int i = 0; i < 64; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const char c = p[i];
    if (c == '"') marks.quote |= bit;
    if (c == '\\') marks.backslash |= bit;
    if (c == '{' || c == '[') marks.open |= bit;
    if (c == '}' || c == ']') marks.close |= bit;
  }
  return marks;
}
#endif

uint64_t PrefixXor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

// Which bytes stand behind an unescaped backslash. `carry`: whether the first one does; becomes that of the next block.
uint64_t Escaped(uint64_t backslash, uint64_t& carry) {
  if (!backslash) {
    const uint64_t first = carry;
    carry = 0;
    return first;
  }
  constexpr uint64_t kOdd = 0xAAAAAAAAAAAAAAAAu;
  const uint64_t escapes = backslash & ~carry;
  // Subtraction runs along each series of backslashes and flips at its end if the series is odd.
  const uint64_t ends = (((escapes << 1) | kOdd) - escapes) ^ kOdd;
  const uint64_t escaped = ends ^ (backslash | carry);
  carry = (ends & backslash) >> 63;
  return escaped;
}

bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

}  // namespace

void Splitter::Cut() {
  at_ -= start_;
  start_ = 0;
}

void Splitter::Emit(size_t begin, size_t end, std::vector<RecordRange>& records) {
  if (!dropping_) records.push_back({begin, end, framing_ == Framing::kLines ? line_ : 0});
  dropping_ = false;
  start_ = at_ = end;
  inside_ = scalar_ = false;
}

void Splitter::Scan(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  if (framing_ == Framing::kLines) {
    ScanLines(text, size, last, records);
  } else {
    ScanValues(text, size, last, records);
  }
  if (dropping_) start_ = at_;
}

void Splitter::ScanLines(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  while (start_ < size) {
    const auto* newline = static_cast<const char*>(std::memchr(text + at_, '\n', size - at_));
    if (!newline && !last) {
      at_ = size;
      return;
    }
    const size_t end = newline ? static_cast<size_t>(newline - text) : size;
    size_t from = start_, to = end;
    while (from < to && IsSpace(text[from])) ++from;
    while (to > from && IsSpace(text[to - 1])) --to;
    if (from < to || dropping_) Emit(from, to, records);
    start_ = at_ = newline ? end + 1 : size;
    ++line_;
  }
}

void Splitter::ScanValues(const char* text, size_t size, bool last, std::vector<RecordRange>& records) {
  while (!closed_) {
    if (!inside_ && !Between(text, size)) break;
    if (closed_ || !Inside(text, size)) break;
    Emit(start_, at_, records);
  }
  if (closed_) {
    start_ = at_;
    return;
  }
  if (last && inside_) {
    size_t end = size;
    while (end > start_ && IsSpace(text[end - 1])) --end;
    Emit(start_, end, records);
    start_ = at_ = size;
  }
}

// Skips what stands between records; true at the start of one (or at the end of the list).
bool Splitter::Between(const char* text, size_t size) {
  while (at_ < size && (IsSpace(text[at_]) || (text[at_] == ',' && framing_ == Framing::kList))) ++at_;
  start_ = at_;
  if (at_ == size) return false;
  if (text[at_] == ']' && framing_ == Framing::kList) {
    ++at_;
    closed_ = true;
    return true;
  }
  inside_ = true;
  scalar_ = text[at_] != '{' && text[at_] != '[';
  depth_ = 0;
  in_string_ = escaped_ = 0;
  return true;
}

// Goes on to the end of the record, at_ being then behind it; false if the text ends first.
bool Splitter::Inside(const char* text, size_t size) {
  if (scalar_) {
    while (at_ < size && text[at_] != ',' && text[at_] != ']' && text[at_] != '\n') ++at_;
    if (at_ == size) return false;
    if (at_ == start_) ++at_;  // a stray bracket
    return true;
  }
  while (at_ < size) {
    char tail[64];
    const char* block = text + at_;
    size_t n = size - at_;
    if (n < 64) {
      std::memset(tail, ' ', 64);
      std::memcpy(tail, block, n);
      block = tail;
    } else {
      n = 64;
    }
    Marks marks = MarksOf(block);
    uint64_t carry = escaped_;
    const uint64_t escaped = Escaped(marks.backslash, carry);
    const uint64_t quote = marks.quote & ~escaped;
    const uint64_t strings = PrefixXor(quote) ^ in_string_;
    const uint64_t open = marks.open & ~strings, close = marks.close & ~strings;
    if (depth_ <= std::popcount(close)) {
      for (uint64_t brackets = open | close; brackets; brackets &= brackets - 1) {
        const uint64_t bit = brackets & (~brackets + 1);
        depth_ += (open & bit) ? 1 : -1;
        if (depth_ <= 0) {
          at_ += static_cast<size_t>(std::countr_zero(bit)) + 1;
          return true;
        }
      }
    } else {
      depth_ += std::popcount(open) - std::popcount(close);
    }
    if (n < 64) {
      escaped_ = escaped >> n & 1;
      in_string_ = (strings >> (n - 1) & 1) ? ~uint64_t{0} : 0;
    } else {
      escaped_ = carry;
      in_string_ = static_cast<uint64_t>(static_cast<int64_t>(strings) >> 63);
    }
    at_ += n;
  }
  return false;
}

}  // namespace wend
