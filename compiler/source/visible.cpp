#include "compiler/source/visible.h"

#include <utf8proc.h>

namespace wend {

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    utf8proc_int32_t code = -1;
    utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i,
                                               static_cast<utf8proc_ssize_t>(text.size() - i), &code);
    if (length <= 0) length = 1;
    if (is_control(code) && code != '\n' && code != '\t') {
      out += '?';
    } else {
      out.append(text.substr(i, static_cast<size_t>(length)));
    }
    i += static_cast<size_t>(length);
  }
  return out;
}

}  // namespace wend
