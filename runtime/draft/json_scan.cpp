#include "runtime/draft/json_scan.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "runtime/data/json_cursor.h"

namespace wend {
namespace {

static_assert(std::endian::native == std::endian::little);

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// The value of four hexadecimal digits behind a `u`; -1: there are none.
int code_unit(std::string_view text) {
  if (text.size() < 5 || text[0] != 'u' || !std::all_of(text.begin() + 1, text.begin() + 5, is_hex)) return -1;
  int value = 0;
  std::from_chars(text.data() + 1, text.data() + 5, value, 16);
  return value;
}

// The first of the eight bytes of `word` that is a quote, a backslash or below 0x20: a mask of high bits.
uint64_t ends_of_plain(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
  const uint64_t quote = word ^ (kOnes * '"'), slash = word ^ (kOnes * '\\');
  return ((quote - kOnes) & ~quote & kHighs) | ((slash - kOnes) & ~slash & kHighs) |
         ((word - kOnes * 0x20) & ~word & kHighs);
}

class StrictScan {
 public:
  StrictScan(std::string_view text, uint32_t from, std::vector<DraftField>& fields)
      : begin_(text.data()), at_(begin_ + from), end_(begin_ + text.size()), fields_(fields), first_(fields.size()) {}

  bool run(uint32_t& end);

 private:
  enum class Next : uint8_t { value, first_value, key, first_key, separator };

  uint32_t place() const { return static_cast<uint32_t>(at_ - begin_); }
  void skip_white() {
    while (at_ < end_ && is_white(*at_)) ++at_;
  }
  bool in_object() const { return (objects_[depth_ / 64] >> (depth_ % 64) & 1) != 0; }
  bool enter();
  bool string();
  bool literal(std::string_view word);
  bool number();
  bool digits();
  bool scalar();
  // Whether the values in the container in hand are on top.
  bool on_top() const { return depth_ == 1 || (depth_ == 2 && list_ && in_object()); }
  void begin_key() {
    if (!on_top()) return;
    fields_.emplace_back();
    fields_.back().item = depth_ == 2 ? item_ : WEND_NONE;
    fields_.back().key.begin = place();
  }
  void end_key() {
    if (on_top()) fields_.back().key.end = place();
  }
  void begin_value() {
    if (depth_ == 1 && list_) {
      if (*at_ == '{') return;  // its members are
      fields_.emplace_back();
      fields_.back().item = item_;
    }
    if (on_top()) fields_.back().value.begin = place();
  }
  // A value has ended; back in its container.
  void end_value() {
    if (depth_ == 1 && list_) {
      if (fields_.size() > first_ && fields_.back().item == item_ &&
          fields_.back().key.begin == fields_.back().key.end) {
        fields_.back().value.end = place();
      }
      ++item_;
    } else if (on_top()) {
      fields_.back().value.end = place();
    }
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::vector<DraftField>& fields_;
  size_t first_;
  int depth_ = 0;  // containers open
  uint64_t objects_[kMaxJsonDepth / 64 + 1] = {};
  bool list_ = false;  // the outermost is a list
  uint32_t item_ = 0;  // of the outermost list
};

bool StrictScan::enter() {
  if (depth_ == kMaxJsonDepth) return false;
  ++depth_;
  const uint64_t bit = uint64_t{1} << (depth_ % 64);
  uint64_t& word = objects_[depth_ / 64];
  word = *at_ == '{' ? word | bit : word & ~bit;
  ++at_;
  return true;
}

bool StrictScan::string() {
  ++at_;
  for (;;) {
    while (end_ - at_ >= 8) {
      uint64_t word;
      std::memcpy(&word, at_, 8);
      if (const uint64_t ends = ends_of_plain(word)) {
        at_ += static_cast<unsigned>(__builtin_ctzll(ends)) / 8;
        break;
      }
      at_ += 8;
    }
    if (at_ == end_) return false;
    const char c = *at_;
    if (c == '"') {
      ++at_;
      return true;
    }
    if (static_cast<unsigned char>(c) < 0x20) return false;
    ++at_;
    if (c != '\\') continue;
    const size_t escape = json_escape_size({at_, static_cast<size_t>(end_ - at_)});
    if (escape == 0) return false;
    at_ += escape;
  }
}

bool StrictScan::literal(std::string_view word) {
  if (static_cast<size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0) return false;
  at_ += word.size();
  return true;
}

bool StrictScan::digits() {
  const char* const from = at_;
  while (at_ < end_ && is_digit(*at_)) ++at_;
  return at_ > from;
}

bool StrictScan::number() {
  if (*at_ == '-') ++at_;
  const char* const first = at_;
  if (!digits() || (*first == '0' && at_ - first > 1)) return false;
  if (at_ < end_ && *at_ == '.') {
    ++at_;
    if (!digits()) return false;
  }
  if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
    if (!digits()) return false;
  }
  return true;
}

bool StrictScan::scalar() {
  switch (*at_) {
    case '"':
      return string();
    case 't':
      return literal("true");
    case 'f':
      return literal("false");
    case 'n':
      return literal("null");
    default:
      return number();
  }
}

bool StrictScan::run(uint32_t& end) {
  list_ = *at_ == '[';
  enter();
  Next next = list_ ? Next::first_value : Next::first_key;
  for (;;) {
    skip_white();
    if (at_ == end_) return false;
    const char c = *at_;
    const bool object = in_object();
    if (c == (object ? '}' : ']') && next != Next::value && next != Next::key) {
      ++at_;
      if (--depth_ == 0) break;
      end_value();
      next = Next::separator;
      continue;
    }
    if (next == Next::separator) {
      if (c != ',') return false;
      ++at_;
      next = object ? Next::key : Next::value;
      continue;
    }
    if (next == Next::key || next == Next::first_key) {
      if (c != '"') return false;
      begin_key();
      if (!string()) return false;
      end_key();
      skip_white();
      if (at_ == end_ || *at_ != ':') return false;
      ++at_;
      skip_white();
      if (at_ == end_) return false;
    }
    begin_value();
    if (*at_ == '{' || *at_ == '[') {
      next = *at_ == '{' ? Next::first_key : Next::first_value;
      if (!enter()) return false;
    } else {
      if (!scalar()) return false;
      end_value();
      next = Next::separator;
    }
  }
  end = place();
  return true;
}

}  // namespace

size_t json_escape_size(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'u') return std::string_view("\"\\/bfnrt").find(text[0]) != std::string_view::npos ? 1 : 0;
  const int unit = code_unit(text);
  if (unit < 0 || unit >> 10 == 0xDC00 >> 10) return 0;
  if (unit >> 10 != 0xD800 >> 10) return 5;
  const bool paired = text.size() > 5 && text[5] == '\\' && code_unit(text.substr(6)) >> 10 == 0xDC00 >> 10;
  return paired ? 11 : 0;
}

bool scan_json(std::string_view text, uint32_t from, uint32_t& end, std::vector<DraftField>& fields) {
  const size_t first = fields.size();
  if (!StrictScan(text, from, fields).run(end)) return false;
  for (size_t i = first; i < fields.size(); ++i) {
    fields[i].json_key = fields[i].key;
    fields[i].json_value = fields[i].value;
  }
  return true;
}

}  // namespace wend
