#include "runtime/data/json_cursor.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/data/text.h"

namespace wend {
namespace {

// What a token's first byte does to the nesting.
constexpr auto kDepth = [] {
  std::array<int8_t, 256> table{};
  table['{'] = table['['] = 1;
  table['}'] = table[']'] = -1;
  return table;
}();

}  // namespace

bool Cursor::next_unusual_field(std::string_view& key) {
  if (!separated('}')) return false;
  if (peek() != '"') {
    fail(peek() == '\0' ? "the value ends too early" : "a key was expected");
    return false;
  }
  const char* const begin = text_ + *at_ + 1;
  const char* const end = token_end() - 1;
  if (end < begin || *end != '"') {
    fail("a string never ends");
    return false;
  }
  key = {begin, static_cast<size_t>(end - begin)};
  if (has_backslash(key)) {
    char* out = key_buffer_->room(key.size());
    const wend::Unescaped made = unescape_json(key, out);
    if (made.error) {
      fail(made.error);
      return false;
    }
    key = {out, made.size};
  }
  ++at_;
  if (peek() != ':') {
    fail("a colon is missing after a key");
    return false;
  }
  ++at_;
  return true;
}

void Cursor::skip_unusual() {
  const char c = peek();
  if (c == '{' || c == '[') {
    const uint32_t* at = at_;
    int32_t depth = 0;
    for (uint32_t position = *at; position < limit_; position = *at) {
      ++at;
      depth += kDepth[static_cast<unsigned char>(text_[position])];
      if (depth == 0) {
        at_ = at;
        return;
      }
    }
    at_ = at;
    fail("the value ends too early");
  } else if (c == '\0' || c == ',' || c == ':' || c == '}' || c == ']') {
    fail(c == '\0' ? "the value ends too early" : "a value is missing");
  } else {
    ++at_;
  }
}

std::string_view Cursor::raw() {
  const char c = peek();
  const char* const begin = text_ + *at_;
  if (c == '{' || c == '[') {
    skip();
    if (!ok()) return {};
    return {begin, static_cast<size_t>(text_ + at_[-1] + 1 - begin)};
  }
  const char* const end = c == '\0' ? begin : token_end();
  skip();
  return ok() ? std::string_view(begin, static_cast<size_t>(end - begin)) : std::string_view();
}

std::string_view Cursor::scalar() {
  const char c = peek();
  if (c == '\0' || c == ',' || c == ':' || c == '}' || c == ']' || c == '{' || c == '[' || c == '"') {
    fail(c == '\0' ? "the value ends too early" : "a value is missing");
    return {};
  }
  const char* const begin = text_ + *at_;
  const std::string_view token(begin, static_cast<size_t>(token_end() - begin));
  ++at_;
  return token;
}

bool Cursor::null() {
  if (peek() != 'n') return false;
  const uint32_t* const before = at_;
  if (scalar() == "null") return true;
  at_ = before;
  return false;
}

bool Cursor::boolean(bool& value) {
  const std::string_view token = scalar();
  value = token == "true";
  if (!value && token != "false") fail("true or false was expected");
  return ok();
}

bool Cursor::integer(int64_t& value) {
  const std::string_view token = scalar();
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  if (token.empty() || read.ec != std::errc() || read.ptr != token.data() + token.size()) {
    fail("an integer was expected");
  }
  return ok();
}

std::string_view Cursor::fail_string() {
  fail(peek() == '"' ? "a string never ends" : peek() == '\0' ? "the value ends too early" : "a string was expected");
  return {};
}

// What the body of the string that was just read stands for.
std::string_view Cursor::Unescaped(std::string_view body, PaddedBuffer& buffer) {
  char* out = buffer.room(body.size());
  const wend::Unescaped made = unescape_json(body, out);
  if (made.error) {
    --at_;
    fail(made.error);
    return {};
  }
  return {out, made.size};
}

JsonIndex::JsonIndex() : keys_(std::make_unique<PaddedBuffer>()) {}
JsonIndex::~JsonIndex() = default;
JsonIndex::JsonIndex(JsonIndex&&) noexcept = default;
JsonIndex& JsonIndex::operator=(JsonIndex&&) noexcept = default;

const char* JsonIndex::build(std::string_view text) {
  text_ = {};
  if (text.size() > 0xFFFF0000u) return "the text is longer than 4 GiB";
  if (!impl_) {
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(
        std::max<size_t>(text.size(), 4096), simdjson::DEFAULT_MAX_DEPTH, impl_);
    if (error) return "out of memory";
  }
  if (impl_->capacity() < text.size() && impl_->set_capacity(text.size() + text.size() / 4)) return "out of memory";
  const auto error =
      impl_->stage1(reinterpret_cast<const uint8_t*>(text.data()), text.size(), simdjson::stage1_mode::regular);
  switch (error) {
    case simdjson::SUCCESS:
      break;
    case simdjson::EMPTY:
      return "nothing but white space";
    case simdjson::UTF8_ERROR:
      return "not valid UTF-8";
    case simdjson::UNCLOSED_STRING:
      return "a string never ends: is the text cut off?";
    case simdjson::UNESCAPED_CHARS:
      return "a raw control character inside a string";
    default:
      return "not JSON";
  }
  text_ = text;
  return nullptr;
}

const uint32_t* JsonIndex::tokens() const { return impl_->structural_indexes.get(); }

Cursor JsonIndex::all() {
  Cursor cursor(text_.data(), impl_->structural_indexes.get(), static_cast<uint32_t>(text_.size()));
  cursor.key_buffer_ = keys_.get();
  return cursor;
}

Cursor JsonIndex::Part(uint32_t begin, uint32_t end, const uint32_t*& from) {
  from = std::lower_bound(from, tokens() + impl_->n_structural_indexes, begin);
  Cursor cursor(text_.data(), from, end);
  cursor.key_buffer_ = keys_.get();
  return cursor;
}

}  // namespace wend
