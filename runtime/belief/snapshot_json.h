// Reading JSON that must have one form: what is wrong is said with the key where it is.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data/json_cursor.h"

namespace wend::belief {

// The first wrong thing stays; what is read behind it has no meaning.
class SnapshotJson {
 public:
  bool ok() const { return error_.empty(); }
  // "KEY[3].KEY: cause"
  const std::string& error() const { return error_; }

  // A key of the path, as long as it is looked into.
  class Within {
   public:
    Within(SnapshotJson& reader, std::string_view key) : reader_(reader), size_(reader.path_.size()) {
      if (size_ > 0 && !key.starts_with('[')) reader.path_.push_back('.');
      reader.path_.append(key);
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    ~Within() { reader_.path_.resize(size_); }

   private:
    SnapshotJson& reader_;
    size_t size_;
  };

  void fail(std::string_view cause) {
    if (error_.empty()) error_ = path_.empty() ? std::string(cause) : fmt::format("{}: {}", path_, cause);
  }
  bool good(const Cursor& at) {
    if (!at.ok()) fail(fmt::format("{} (at byte {})", at.error(), at.offset()));
    return error_.empty();
  }

  // The members of an object, all of which must be there.
  template <size_t n>
  bool members(Cursor& at, const std::string_view (&keys)[n], Cursor (&values)[n]) {
    if (at.ok() && at.peek() != '{' && at.peek() != '\0') fail("an object was expected");
    if (!good(at)) return false;
    if (at.peek() == '\0') return fail("the value ends too early"), false;
    at.collect(keys, values);
    if (!good(at)) return false;
    for (size_t i = 0; i < n; ++i) {
      if (!values[i].given()) fail(fmt::format("the key `{}` is missing", keys[i]));
    }
    return error_.empty();
  }
  // Calls item(cursor) for each element; the elements are skipped here.
  template <class Item>
  void elements(Cursor& at, uint32_t most, Item&& item) {
    if (at.peek() != '[') return fail("a list was expected");
    at.enter_array();
    for (uint32_t i = 0; error_.empty() && at.next_element(); ++i) {
      if (i == most) return fail(fmt::format("more than {} elements", most));
      const Within within(*this, fmt::format("[{}]", i));
      Cursor element = at;
      at.skip();
      if (good(at)) item(element);
    }
    good(at);
  }
  // Calls member(key, cursor) for each.
  template <class Member>
  void named(Cursor& at, uint32_t most, Member&& member) {
    if (at.peek() != '{') return fail("an object was expected");
    at.enter_object();
    uint32_t count = 0;
    for (std::string_view key; error_.empty() && at.next_field(key);) {
      if (count++ == most) return fail(fmt::format("more than {} members", most));
      const Within within(*this, key);
      const std::string name(key);  // the cursor may need its place
      Cursor value = at;
      at.skip();
      if (good(at)) member(name, value);
    }
    good(at);
  }
  std::string_view string(Cursor& at) {
    if (at.peek() != '"') return fail("a string was expected"), std::string_view();
    const std::string_view text = at.string(string_);
    return good(at) ? text : std::string_view();
  }
  int64_t integer(Cursor& at, int64_t low, int64_t high) {
    int64_t number = low;
    if (!at.integer(number) || number < low || number > high) {
      fail("a whole number in its range was expected");
      return low;
    }
    return number;
  }
  bool boolean(Cursor& at) {
    bool is = false;
    if (!at.boolean(is)) fail("true or false was expected");
    return is;
  }
  template <class Read>
  auto at(std::string_view key, Read&& read) {
    const Within within(*this, key);
    return read();
  }

 private:
  PaddedBuffer string_;
  std::string path_, error_;
};

}  // namespace wend::belief
