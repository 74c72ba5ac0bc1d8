#include "compiler/source/source.h"

#include <algorithm>

namespace wend {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

uint32_t SourceSet::add(std::string path, std::string text) {
  SourceFile file{std::move(path), std::move(text), {0}};
  for (uint32_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  }
  files_.push_back(std::move(file));
  return static_cast<uint32_t>(files_.size() - 1);
}

Position SourceSet::position(uint32_t file, uint32_t offset) const {
  const SourceFile& source = files_[file];
  offset = std::min(offset, static_cast<uint32_t>(source.text.size()));
  const auto next = std::upper_bound(source.line_starts.begin(), source.line_starts.end(), offset);
  const uint32_t start = *(next - 1);
  Position position{static_cast<uint32_t>(next - source.line_starts.begin()), 1};
  for (uint32_t i = start; i < offset; ++i) {
    if (!is_continuation(source.text[i])) ++position.column;
  }
  return position;
}

std::string_view SourceSet::text(Span span) const {
  const std::string_view text = files_[span.file].text;
  const size_t begin = std::min<size_t>(span.begin, text.size());
  const size_t end = std::clamp<size_t>(span.end, begin, text.size());
  return text.substr(begin, end - begin);
}

std::string_view SourceSet::line(uint32_t file, uint32_t line) const {
  const SourceFile& source = files_[file];
  if (line == 0 || line > source.line_starts.size()) return {};
  const uint32_t begin = source.line_starts[line - 1];
  const size_t end = line < source.line_starts.size() ? source.line_starts[line] : source.text.size();
  std::string_view result = std::string_view(source.text).substr(begin, end - begin);
  while (!result.empty() && (result.back() == '\n' || result.back() == '\r')) result.remove_suffix(1);
  return result;
}

std::string SourceSet::place(Span span) const {
  return files_[span.file].path + ":" + std::to_string(position(span.file, span.begin).line);
}

}  // namespace wend
