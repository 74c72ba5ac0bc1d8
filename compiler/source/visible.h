// What may go to a terminal.
#ifndef WEND_COMPILER_SOURCE_VISIBLE_H_
#define WEND_COMPILER_SOURCE_VISIBLE_H_

#include <string>
#include <string_view>

namespace wend {

// Whether a terminal might obey the character instead of showing it: controls, those that turn the direction of text,
// and -1 for bytes that are no UTF-8.
inline bool is_control(int code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

// The text with `?` for such characters; tabs and line ends stay. Ids, names and messages come from files that others
// wrote.
std::string visible(std::string_view text);

}  // namespace wend

#endif  // WEND_COMPILER_SOURCE_VISIBLE_H_
