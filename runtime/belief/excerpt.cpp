#include "runtime/belief/excerpt.h"

#include "runtime/data/text.h"

namespace wend::belief {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::string_view with_ellipsis(std::string_view kept, std::string& buffer) {
  buffer.assign(kept).append(kEllipsis);
  return buffer;
}

}  // namespace

std::string_view cut_to_bytes(std::string_view text, size_t most, std::string& buffer) {
  if (text.size() <= most) return text;
  size_t size = most - kEllipsis.size();
  while (size > 0 && !begins_character(text[size])) --size;
  return with_ellipsis(text.substr(0, size), buffer);
}

std::string_view cut_to_characters(std::string_view text, size_t most, std::string& buffer) {
  if (text.size() <= most) return text;
  size_t seen = 0, last = 0;  // `last`: where the character begins that the ellipsis may take the place of
  for (size_t i = 0; i < text.size(); ++i) {
    if (!begins_character(text[i])) continue;
    if (seen == most) return most == 0 ? std::string_view() : with_ellipsis(text.substr(0, last), buffer);
    ++seen;
    last = i;
  }
  return text;
}

std::string_view first_characters(std::string_view text, size_t most) {
  if (text.size() <= most) return text;
  size_t seen = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (begins_character(text[i]) && seen++ == most) return text.substr(0, i);
  }
  return text;
}

std::string_view valid_utf8(std::string_view text, std::string& buffer) {
  if (is_ascii(text)) return text;
  size_t valid = valid_utf8_prefix(text);
  if (valid == text.size()) return text;
  buffer.clear();
  while (!text.empty()) {
    buffer.append(text.substr(0, valid));
    text.remove_prefix(valid);
    if (text.empty()) break;
    // A run of bytes that are none of a character's is one replacement.
    size_t wrong = 1;
    while (wrong < text.size() && !begins_character(text[wrong])) ++wrong;
    buffer.append("\uFFFD");
    text.remove_prefix(wrong);
    valid = valid_utf8_prefix(text);
  }
  return buffer;
}

}  // namespace wend::belief
