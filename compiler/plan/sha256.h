// SHA-256 (FIPS 180-4).
#ifndef WEND_COMPILER_PLAN_SHA256_H_
#define WEND_COMPILER_PLAN_SHA256_H_

#include <string>
#include <string_view>

namespace wend::plan {

// The digest as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_SHA256_H_
