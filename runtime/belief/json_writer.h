// Writing JSON of a state's rows, without blanks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/belief/tables.h"

namespace wend::belief {

class JsonWriter {
 public:
  explicit JsonWriter(const Tables& tables) : tables_(tables) {}

  void open(char bracket) {
    separate();
    out_.push_back(bracket);
  }
  void close(char bracket) { out_.push_back(bracket); }
  // The name of the member that is written next.
  void name(std::string_view name);

  void string(std::string_view text);
  void integer(int64_t number);
  void real(double number);  // null for what is not finite
  void boolean(bool is);
  void null();
  void raw(std::string_view json);
  // Rows; null for WEND_NONE.
  void text(uint32_t row);
  void value(uint32_t row);

  template <class Write>
  void list(const wend_span& rows, Write&& write) {
    open('[');
    for (uint32_t row = rows.begin; row < rows.end; ++row) write(row);
    close(']');
  }

  std::string take() { return std::move(out_); }

 private:
  // A comma, unless what is next is the first of its list or object, or has a name.
  void separate() {
    if (!out_.empty() && out_.back() != '{' && out_.back() != '[' && !named_) out_.push_back(',');
    named_ = false;
  }

  const Tables& tables_;
  std::string out_;
  bool named_ = false;
};

}  // namespace wend::belief
