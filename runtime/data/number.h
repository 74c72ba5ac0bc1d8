// Number: the canonical text of a JSON number, by which numbers are compared.
//
//   1, 1.0, 10e-1 -> 1       9007199254740993 -> 9007199254740993       0.10 -> 0.1       -0.0 -> 0
//
// Integers keep all their digits. A number written with a fraction or an exponent is read as the nearest double; if
// that is a whole number its digits are written out, otherwise the shortest text that reads back as the same double.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wend {

struct Number {
  uint8_t type;  // WEND_JSON_INT or WEND_JSON_REAL
  double value;  // nearest double, finite
};

// False if `token` is not a JSON number or is too large for a double (and written as a real).
bool canonical_number(std::string_view token, std::string& text, Number& number);

// The same text for a double that is finite.
void append_real(double value, std::string& text);

}  // namespace wend
