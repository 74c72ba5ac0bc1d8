// JsonIndex and Cursor: reading JSON in one forward pass, straight from the text.
//
// simdjson finds where each token of a text starts (and checks UTF-8, quotes and control characters); a Cursor walks
// those positions. Nothing is built, what is skipped costs a few instructions a token, and several records that stand
// one after the other may share one index. A wrong turn stops the cursor: from then on it is at its end, and error()
// says why.
//
//   Cursor c = ...;
//   std::string_view key;
//   if (c.enter_object()) {
//     while (c.next_field(key)) {
//       if (key == "id") c.string(scratch, id); else c.skip();
//     }
//   }
//   if (!c.ok()) report(c.error());
//
// Every field and element must be consumed by exactly one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace wend {

inline constexpr size_t kJsonPadding = 64;  // readable bytes needed behind a text that is indexed
inline constexpr int kMaxJsonDepth = 512;

// A buffer for a string of up to `size` bytes with room for the padding behind it.
class PaddedBuffer {
 public:
  char* room(size_t size) {
    if (bytes_.size() < size + kJsonPadding) bytes_.resize(2 * size + kJsonPadding);
    return bytes_.data();
  }
  std::string_view copy(std::string_view text) {
    char* at = room(text.size());
    text.copy(at, text.size());
    return {at, text.size()};
  }
  size_t capacity() const { return bytes_.capacity(); }
  // Gives a large buffer back.
  void trim() {
    if (bytes_.capacity() > size_t{16} * 1024) bytes_ = {};
  }

 private:
  std::vector<char> bytes_;
};

// Whether a byte of `text` is a backslash; up to 8 bytes behind it may be read.
inline bool has_backslash(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101u, kHighs = 0x8080808080808080u;
  for (size_t i = 0; i < text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    const size_t left = text.size() - i;
    if (left < 8) word &= (uint64_t{1} << 8 * left) - 1;
    const uint64_t differ = word ^ (kOnes * '\\');
    if ((differ - kOnes) & ~differ & kHighs) return true;
  }
  return false;
}

class Cursor {
 public:
  Cursor() = default;
  Cursor(const char* text, const uint32_t* at, uint32_t limit) : text_(text), at_(at), limit_(limit) {}

  // First character of the next token, '\0' at the end (or after an error).
  char peek() const { return *at_ < limit_ ? text_[*at_] : '\0'; }
  bool ok() const { return error_ == nullptr; }
  // False for one that was made without a text.
  bool given() const { return at_ != nullptr; }
  const char* error() const { return error_; }
  // Where the next token (or the error) is, in bytes from the start of the indexed text.
  uint32_t offset() const { return error_ ? error_at_ : *at_; }
  const uint32_t* token() const { return at_; }
  // The text from the next token on.
  const char* here() const { return text_ + *at_; }
  // The end of the token before: of the list or object that was just left.
  const char* end_of_last() const { return text_ + at_[-1] + 1; }
  size_t left() const { return *at_ < limit_ ? limit_ - *at_ : 0; }
  // Moves over `tokens` tokens, known to be the next value.
  void jump(uint32_t tokens) { at_ += tokens; }

  // Stops the cursor. The first cause stays.
  void fail(const char* cause) {
    if (error_) return;
    error_ = cause;
    error_at_ = *at_;
    limit_ = 0;
  }

  bool enter_object() { return enter('{', "an object was expected"); }
  bool enter_array() { return enter('[', "a list was expected"); }

  // The next field's key, whose value is then the next token; false (and out of the object) at its end. A key with
  // escapes is unescaped into a buffer of the cursor and valid until the next such key.
  bool next_field(std::string_view& key) {
    // What nearly always comes: [,] "key" :
    const uint32_t* at = at_;
    if (!first_ && is(at, ',')) ++at;
    if (at != at_ || first_) {
      const char* const begin = text_ + *at + 1;
      const char* const end = text_ + at[1] - 1;
      if (is(at, '"') && is(at + 1, ':') && end >= begin && *end == '"') {
        key = {begin, static_cast<size_t>(end - begin)};
        if (!has_backslash(key)) {
          at_ = at + 2;
          first_ = false;
          return true;
        }
      }
    } else if (is(at, '}')) {
      ++at_;
      return false;
    }
    return next_unusual_field(key);
  }
  bool next_element() {
    if (!separated(']')) return false;
    if (peek() == ']') fail("a comma stands before the end of a list");
    return ok();
  }
  // Moves over the object that comes next and sets values[i] to where the value of keys[i] is, the first of that key;
  // those that are not there stay as they are. Anything else than an object is skipped.
  template <size_t n>
  void collect(const std::string_view (&keys)[n], Cursor (&values)[n]) {
    if (peek() != '{') return skip();
    enter_object();
    for (std::string_view key; next_field(key); skip()) {
      for (size_t i = 0; i < n; ++i) {
        if (keys[i] == key && !values[i].given()) values[i] = *this;
      }
    }
  }

  void skip() {
    if (is(at_, '"')) {
      ++at_;
    } else {
      skip_unusual();
    }
  }
  // Skips the next value and returns its text.
  std::string_view raw();
  // The next value is the literal null: skips it.
  bool null();
  // A scalar token that is not a string: true, false, null, a number or something wrong.
  std::string_view scalar();
  bool boolean(bool& value);
  bool integer(int64_t& value);

  // The body of the next string, still escaped, without quotes; skips it.
  std::string_view string_body() {
    if (is(at_, '"')) {
      const char* const begin = text_ + *at_ + 1;
      const char* const end = token_end() - 1;
      if (end >= begin && *end == '"') {
        ++at_;
        return {begin, static_cast<size_t>(end - begin)};
      }
    }
    return fail_string();
  }
  // The next string, unescaped: into `buffer`, unless it is the text as it stands.
  std::string_view string(PaddedBuffer& buffer) {
    const std::string_view body = string_body();
    return has_backslash(body) ? Unescaped(body, buffer) : body;
  }

  // After the last value: fails if something else follows.
  void end() {
    if (peek() != '\0') fail("something follows the end of the value");
  }

 private:
  bool enter(char open, const char* cause) {
    if (peek() != open) {
      fail(error_ ? error_ : peek() == '\0' ? "the value ends too early" : cause);
      return false;
    }
    ++at_;
    first_ = true;
    return true;
  }
  // The token at `at` is of this record and starts with `c`.
  bool is(const uint32_t* at, char c) const { return *at < limit_ && text_[*at] == c; }
  bool separated(char close) {
    const char c = peek();
    if (c == close) {
      ++at_;
      first_ = false;
      return false;
    }
    if (first_) {
      first_ = false;
      return ok();
    }
    if (c != ',') {
      fail(c == '\0' ? "the value ends too early" : "a comma is missing");
      return false;
    }
    ++at_;
    return true;
  }
  bool next_unusual_field(std::string_view& key);
  void skip_unusual();
  std::string_view fail_string();
  std::string_view Unescaped(std::string_view body, PaddedBuffer& buffer);
  // End of the token at at_, without the white space behind it.
  const char* token_end() const {
    const uint32_t next = at_[1] < limit_ ? at_[1] : limit_;
    const char* end = text_ + next;
    while (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\t' || end[-1] == '\r') --end;
    return end;
  }

  const char* text_ = nullptr;
  const uint32_t* at_ = nullptr;
  uint32_t limit_ = 0;
  uint32_t error_at_ = 0;
  const char* error_ = nullptr;
  bool first_ = false;  // just entered: no comma before the next item
  PaddedBuffer* key_buffer_ = nullptr;
  friend class JsonIndex;
};

class JsonIndex {
 public:
  JsonIndex();
  ~JsonIndex();
  JsonIndex(JsonIndex&&) noexcept;
  JsonIndex& operator=(JsonIndex&&) noexcept;

  // Indexes `text`, behind which kJsonPadding bytes must be readable; nullptr, or why the text is no JSON.
  const char* build(std::string_view text);

  // A cursor over the whole text.
  Cursor all();
  // A cursor over what lies in bytes [begin, end), starting the search at token `from`.
  Cursor Part(uint32_t begin, uint32_t end, const uint32_t*& from);
  const uint32_t* tokens() const;

 private:
  std::unique_ptr<simdjson::internal::dom_parser_implementation> impl_;
  std::unique_ptr<PaddedBuffer> keys_;
  std::string_view text_;
};

}  // namespace wend
