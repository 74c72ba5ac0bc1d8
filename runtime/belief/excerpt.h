// Texts cut to a size, ending in an ellipsis within it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wend::belief {

inline constexpr std::string_view kEllipsis = "\u2026";

// `text` is UTF-8. Returns it, or what is left of it in `buffer`.
std::string_view cut_to_bytes(std::string_view text, size_t most, std::string& buffer);
std::string_view cut_to_characters(std::string_view text, size_t most, std::string& buffer);

// The beginning of a text, without an ellipsis.
std::string_view first_characters(std::string_view text, size_t most);

// `text`, or a copy in `buffer` where what is not UTF-8 is U+FFFD.
std::string_view valid_utf8(std::string_view text, std::string& buffer);

}  // namespace wend::belief
