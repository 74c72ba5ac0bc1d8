// SHA-256 of bytes, in hexadecimal: what names a content for good.
#ifndef WEND_RUNTIME_DATA_DIGEST_H_
#define WEND_RUNTIME_DATA_DIGEST_H_

#include <string>
#include <string_view>

namespace wend {

std::string sha256(std::string_view bytes);

}  // namespace wend

#endif  // WEND_RUNTIME_DATA_DIGEST_H_
