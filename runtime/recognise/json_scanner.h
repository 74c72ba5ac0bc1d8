// JsonScanner: the tokens of a JSON text, one after the other, with nothing built.
//
// Checks the grammar as it goes; containers may nest 1,024 deep. Any bytes may be given. Used where a return is
// skimmed for a few attributes; values themselves are read by ValueTable.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wend::recognise {

class JsonScanner {
 public:
  static constexpr uint32_t kMaxDepth = 1024;

  enum class Event : uint8_t { begin_object, end_object, begin_list, end_list, key, scalar, done, broken };

  explicit JsonScanner(std::string_view text) : text_(text) {}

  Event next();

  // Of the event just returned: a key without its quotes (escapes as they are), a scalar as written, a bracket.
  std::string_view text() const { return text_.substr(begin_, at_ - begin_ - (key_ ? 1 : 0)); }
  size_t begin() const { return begin_; }  // in the whole text
  size_t end() const { return at_; }
  // Containers open behind the event.
  uint32_t depth() const { return depth_; }

 private:
  enum class Expect : uint8_t { value, first_item, first_key, key, colon, comma, nothing };

  Event broken();
  Event value(char c);
  Event open(bool object);
  Event close(char c);
  Event read_key();
  void skip_space();
  bool read_string();
  bool read_number();
  bool read_literal();
  void after_value() { expect_ = depth_ == 0 ? Expect::nothing : Expect::comma; }

  std::string_view text_;
  size_t begin_ = 0, at_ = 0;
  uint32_t depth_ = 0;
  Expect expect_ = Expect::value;
  bool key_ = false;
  bool broken_ = false;
  std::bitset<kMaxDepth> objects_;
};

}  // namespace wend::recognise
