#include "compiler/driver/exact_json.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

// Before the digits of a number that is kept as a text; twice before a text that begins so itself. A private character.
constexpr std::string_view kMark = "\xEE\x80\x80", kEscapedMark = "\\ue000";

bool is_exact(std::string_view number) {
  const char* const end = number.data() + number.size();
  if (number.find_first_of(".eE") == std::string_view::npos) {
    int64_t value = 0;
    const auto read = std::from_chars(number.data(), end, value);
    return read.ec == std::errc() && read.ptr == end;
  }
  double value = 0;
  const auto read = std::from_chars(number.data(), end, value);
  return read.ec == std::errc();
}

// Behind the string that begins at `at`.
size_t string_end(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

bool in_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; }

bool begins_marked(std::string_view string) {
  const std::string_view inside = string.substr(1);
  if (inside.starts_with(kMark)) return true;
  std::string head(inside.substr(0, kEscapedMark.size()));
  for (char& c : head) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return head == kEscapedMark;
}

}  // namespace

Json exact_json(std::string_view text) {
  std::string marked;
  marked.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const size_t end = string_end(text, at);
      const std::string_view string = text.substr(at, end - at);
      marked += '"';
      if (begins_marked(string)) marked += kMark;
      marked += string.substr(1);
      at = end;
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      size_t end = at;
      while (end < text.size() && in_number(text[end])) ++end;
      const std::string_view number = text.substr(at, end - at);
      if (is_exact(number)) {
        marked += number;
      } else {
        marked.append("\"").append(kMark).append(number).append("\"");
      }
      at = end;
    } else {
      marked += text[at++];
    }
  }
  return Json::parse(marked, nullptr, false);
}

Json exact_string(std::string_view text) {
  return text.starts_with(kMark) ? std::string(kMark).append(text) : std::string(text);
}

std::string text_for_doubles(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) text.erase(at, kMark.size());
  return text;
}

std::string exact_text(const Json& json, int indent) {
  const std::string written = json.dump(indent, ' ', false, Json::error_handler_t::replace);
  if (written.find(kMark) == std::string::npos) return written;
  std::string text;
  for (size_t at = 0; at < written.size();) {
    if (written[at] != '"') {
      text += written[at++];
      continue;
    }
    const size_t end = string_end(written, at);
    const std::string_view string = std::string_view(written).substr(at, end - at);
    at = end;
    if (!string.substr(1).starts_with(kMark)) {
      text += string;
    } else if (string.substr(1 + kMark.size()).starts_with(kMark)) {
      text.append("\"").append(string.substr(1 + kMark.size()));
    } else {
      text += string.substr(1 + kMark.size(), string.size() - kMark.size() - 2);
    }
  }
  return text;
}

}  // namespace wend::driver
