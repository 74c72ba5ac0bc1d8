// JSON with every number as it is written: nlohmann_json knows whole numbers of 64 bits and doubles only, and refuses
// what no double holds.
#ifndef WEND_COMPILER_DRIVER_EXACT_JSON_H_
#define WEND_COMPILER_DRIVER_EXACT_JSON_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace wend::driver {

// The value of a JSON text; discarded if it is none. A number that would change is kept as a marked text, which
// exact_text() writes as the number again.
nlohmann::ordered_json exact_json(std::string_view text);
// A text as exact_text() writes it.
nlohmann::ordered_json exact_string(std::string_view text);
// `indent` as for dump().
std::string exact_text(const nlohmann::ordered_json& json, int indent = -1);
// For readers that have doubles only: numbers that they would change are texts of their digits.
std::string text_for_doubles(const nlohmann::ordered_json& json);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_EXACT_JSON_H_
