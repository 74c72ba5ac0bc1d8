#include "runtime/data/number.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "runtime/include/wend/wend.h"

namespace wend {
namespace {

// The parts of a JSON number; false if it is none.
bool scan(std::string_view token, bool& integer, size_t& digits_at) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t from = i;
    while (i < token.size() && token[i] >= '0' && token[i] <= '9') ++i;
    return i > from;
  };
  if (i < token.size() && token[i] == '-') ++i;
  digits_at = i;
  if (!digits()) return false;
  if (token[digits_at] == '0' && i > digits_at + 1) return false;
  integer = true;
  if (i < token.size() && token[i] == '.') {
    integer = false;
    ++i;
    if (!digits()) return false;
  }
  if (i < token.size() && (token[i] | 0x20) == 'e') {
    integer = false;
    ++i;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == token.size();
}

}  // namespace

void append_real(double value, std::string& text) {
  char buffer[400];  // the largest double has 309 digits
  if (value != std::trunc(value)) {
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    text.append(buffer, end.ptr);
  } else if (std::fabs(value) < 9007199254740992.0) {
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<int64_t>(value));
    text.append(buffer, end.ptr);
  } else {
    const int size = std::snprintf(buffer, sizeof buffer, "%.0f", value);
    text.append(buffer, static_cast<size_t>(size));
  }
}

bool canonical_number(std::string_view token, std::string& text, Number& number) {
  bool integer;
  size_t digits_at;
  if (!scan(token, integer, digits_at)) return false;
  if (integer && token.size() - digits_at <= 15) {
    int64_t value = 0;
    for (size_t i = digits_at; i < token.size(); ++i) value = value * 10 + (token[i] - '0');
    if (value == 0) {
      text = "0";
    } else {
      text.assign(token);
    }
    number = {WEND_JSON_INT, static_cast<double>(digits_at ? -value : value)};
    return true;
  }
  double value = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  const bool overflow = read.ec == std::errc::result_out_of_range;
  if (integer) {
    if (overflow) value = digits_at ? -std::numeric_limits<double>::max() : std::numeric_limits<double>::max();
    text.assign(token);
    number = {WEND_JSON_INT, value};
    return true;
  }
  if (overflow) {
    // Either too large, or so small that the nearest double is 0 (or subnormal).
    value = std::strtod(std::string(token).c_str(), nullptr);
    if (!std::isfinite(value)) return false;
  }
  if (value == 0) value = 0.0;
  number = {static_cast<uint8_t>(value == std::trunc(value) ? WEND_JSON_INT : WEND_JSON_REAL), value};
  text.clear();
  append_real(value, text);
  return true;
}

}  // namespace wend
