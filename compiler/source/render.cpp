// Diagnostics as text for people and as JSON for programs.
#include <utf8proc.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compiler/source/diagnostic.h"
#include "compiler/source/visible.h"

namespace wend {
namespace {

constexpr size_t kTabStop = 4;
// A line longer than this is cut around the place, so that a generated one-line file does not flood the terminal.
constexpr size_t kMaxColumns = 160;
constexpr size_t kContextBefore = 60;

struct Style {
  std::string_view bold, error, warning, note, reset;
};
constexpr Style kPlain{"", "", "", "", ""};
constexpr Style kColored{"\x1b[1m", "\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[0m"};

// A source line as printed: tabs expanded, control characters and broken bytes as `?`, and for each byte the printed
// column at which its character starts.
struct PrintedLine {
  std::string text;
  std::vector<size_t> byte_of_text;  // index in `text` at which the character of each source byte starts
  std::vector<size_t> column;        // printed column of each source byte; one more for the end
};

PrintedLine printed(std::string_view line) {
  PrintedLine result;
  size_t column = 0;
  for (size_t i = 0; i < line.size();) {
    utf8proc_int32_t code = -1;
    utf8proc_ssize_t length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(line.data()) + i,
                                               static_cast<utf8proc_ssize_t>(line.size() - i), &code);
    if (length <= 0) length = 1;
    for (utf8proc_ssize_t k = 0; k < length; ++k) {
      result.byte_of_text.push_back(result.text.size());
      result.column.push_back(column);
    }
    if (code == '\t') {
      const size_t width = kTabStop - column % kTabStop;
      result.text.append(width, ' ');
      column += width;
    } else if (is_control(code)) {
      result.text += '?';
      column += 1;
    } else {
      result.text.append(line.substr(i, static_cast<size_t>(length)));
      column += static_cast<size_t>(std::max(0, utf8proc_charwidth(code)));
    }
    i += static_cast<size_t>(length);
  }
  result.byte_of_text.push_back(result.text.size());
  result.column.push_back(column);
  return result;
}

class TextRenderer {
 public:
  TextRenderer(const SourceSet& sources, bool color) : sources_(sources), style_(color ? kColored : kPlain) {}

  std::string render(const std::vector<const Diagnostic*>& diagnostics) {
    for (const Diagnostic* diagnostic : diagnostics) one(*diagnostic);
    return std::move(out_);
  }

 private:
  void one(const Diagnostic& diagnostic) {
    const KindInfo& kind = info(diagnostic.kind);
    const bool is_error = kind.severity == Severity::error;
    const std::string_view tint = is_error ? style_.error : style_.warning;
    append(style_.bold, location(diagnostic.span), ": ", style_.reset);
    append(tint, is_error ? "error: " : "warning: ", style_.reset, style_.bold, visible(diagnostic.message),
           style_.reset);
    append(" [", kind.name, "]\n");

    const size_t gutter = gutter_width(diagnostic);
    excerpt(diagnostic.span, gutter, tint, "");
    if (diagnostic.label) {
      const Span& span = diagnostic.label->span;
      const bool elsewhere = span.file != diagnostic.span.file;
      excerpt(span, gutter, style_.note, diagnostic.label->text + (elsewhere ? " (" + location(span) + ")" : ""));
    }
    if (!diagnostic.help.empty()) append("  ", style_.note, "help:", style_.reset, " ", visible(diagnostic.help), "\n");
  }

  // The first line of a span with carets below it; a span over several lines also shows its last line.
  void excerpt(Span span, size_t gutter, std::string_view tint, std::string_view text) {
    const uint32_t first = sources_.position(span.file, span.begin).line;
    const uint32_t last = sources_.position(span.file, std::max(span.begin, span.end == 0 ? 0 : span.end - 1)).line;
    underlined(span, first, gutter, tint, last > first ? "" : text);
    if (last <= first) return;
    if (last > first + 1) append(std::string(gutter, ' '), " | ...\n");
    underlined(span, last, gutter, tint, text);
  }

  void underlined(Span span, uint32_t line, size_t gutter, std::string_view tint, std::string_view text) {
    const std::string_view source = sources_.line(span.file, line);
    const uint32_t start = sources_.file(span.file).line_starts[line - 1];
    const auto offset = [&](uint32_t place) {
      return place <= start ? size_t{0} : std::min<size_t>(place - start, source.size());
    };
    size_t from = offset(span.begin);
    const size_t to = std::max(from, offset(span.end));
    if (span.begin < start) from = std::min(source.find_first_not_of(" \t"), to);  // the tail of a longer span

    const PrintedLine shown = printed(source);
    size_t cut = 0;  // source bytes left out in front
    if (shown.column.back() > kMaxColumns && shown.column[from] > kContextBefore) {
      while (shown.column[cut] + kContextBefore < shown.column[from]) ++cut;
      while (cut < from && shown.byte_of_text[cut] == shown.byte_of_text[cut - 1]) ++cut;
    }
    const size_t cut_column = shown.column[cut];
    size_t end = source.size();
    while (end > cut && shown.column[end] - cut_column > kMaxColumns) --end;
    while (end > cut && end < source.size() && shown.byte_of_text[end] == shown.byte_of_text[end - 1]) --end;

    const std::string number = std::to_string(line);
    const std::string_view lead = cut > 0 ? "..." : "";
    append(std::string(gutter - number.size(), ' '), number, " | ", lead);
    append(shown.text.substr(shown.byte_of_text[cut], shown.byte_of_text[end] - shown.byte_of_text[cut]));
    append(end < source.size() ? "...\n" : "\n");

    const size_t begin_column = shown.column[from] - cut_column + lead.size();
    const size_t end_column = shown.column[std::clamp(to, from, std::max(end, from))] - cut_column + lead.size();
    append(std::string(gutter, ' '), " | ", std::string(begin_column, ' '), tint);
    append(std::string(std::max<size_t>(1, end_column - begin_column), '^'));
    if (!text.empty()) append(" ", visible(text));
    append(style_.reset, "\n");
  }

  size_t gutter_width(const Diagnostic& diagnostic) const {
    uint32_t line = sources_.position(diagnostic.span.file, diagnostic.span.end).line;
    if (diagnostic.label) {
      line = std::max(line, sources_.position(diagnostic.label->span.file, diagnostic.label->span.end).line);
    }
    return std::max<size_t>(5, std::to_string(line).size() + 1);
  }

  std::string location(Span span) const {
    const Position position = sources_.position(span.file, span.begin);
    return visible(sources_.file(span.file).path) + ":" + std::to_string(position.line) + ":" +
           std::to_string(position.column);
  }

  template <typename... Parts>
  void append(const Parts&... parts) {
    (out_.append(parts), ...);
  }

  const SourceSet& sources_;
  const Style style_;
  std::string out_;
};

std::vector<const Diagnostic*> sorted(const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> result;
  for (const Diagnostic& diagnostic : diagnostics.all()) result.push_back(&diagnostic);
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::pair(a->span.file, a->span.begin) < std::pair(b->span.file, b->span.begin);
  });
  return result;
}

}  // namespace

std::string render_text(const Diagnostics& diagnostics, const SourceSet& sources, bool color) {
  return TextRenderer(sources, color).render(sorted(diagnostics));
}

std::string render_json(const Diagnostics& diagnostics, const SourceSet& sources) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic* diagnostic : sorted(diagnostics)) {
    const KindInfo& kind = info(diagnostic->kind);
    const Position position = sources.position(diagnostic->span.file, diagnostic->span.begin);
    list.push_back({{"kind", kind.name},
                    {"severity", kind.severity == Severity::error ? "error" : "warning"},
                    {"file", sources.file(diagnostic->span.file).path},
                    {"line", position.line},
                    {"column", position.column},
                    {"message", diagnostic->message},
                    {"help", diagnostic->help}});
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace wend
