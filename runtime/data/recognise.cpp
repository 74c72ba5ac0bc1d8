#include "runtime/data/recognise.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace wend {
namespace {

struct NamedFormat {
  std::string_view name;
  Format format;
};
constexpr NamedFormat kFormats[] = {{"native", Format::kNative}, {"openai", Format::kOpenai},
                                    {"tau-bench", Format::kTau}, {"tau2-bench", Format::kTau2},
                                    {"bfcl", Format::kBfcl},     {"auto", Format::kAuto}};
constexpr std::string_view kKnown = "native, openai, tau-bench, tau2-bench, bfcl";

constexpr size_t kMaxLinesTried = 16;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

Format format_of_keys(const std::vector<std::string_view>& keys);

// The keys of the object at the start of `text`, as far as it goes or until they say what it is.
std::vector<std::string_view> top_keys(std::string_view text) {
  std::vector<std::string_view> keys;
  int depth = 0;
  for (size_t i = 0; i < text.size() && keys.size() < 64; ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (--depth == 0) break;
    }
    if (c != '"') continue;
    const size_t from = ++i;
    while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
    if (depth != 1 || i >= text.size()) continue;
    size_t colon = i + 1;
    while (colon < text.size() && is_space(text[colon])) ++colon;
    if (colon < text.size() && text[colon] == ':') keys.push_back(text.substr(from, i - from));
    const Format format = format_of_keys(keys);
    if (format == Format::kTau || format == Format::kTau2 || format == Format::kBfcl) break;
  }
  return keys;
}

Format format_of_keys(const std::vector<std::string_view>& keys) {
  const auto has = [&keys](std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  if (has("traj") || (has("task_id") && has("info"))) return Format::kTau;
  if (has("simulations") || (has("info") && (has("tasks") || has("timestamp")))) return Format::kTau2;
  if (has("question")) return Format::kBfcl;
  if (has("gold") || has("scenario") || has("family")) return Format::kNative;
  if (has("messages")) return Format::kOpenai;
  if (has("tools")) return Format::kNative;
  return Format::kAuto;
}

// Whether the first line is a whole JSON value, and what the next line starts with.
bool is_whole_line(std::string_view line) {
  Splitter splitter(Framing::kValues);
  std::vector<RecordRange> records;
  splitter.scan(line.data(), line.size(), false, records);
  return records.size() == 1 && line.find_first_not_of(" \t\r", records[0].end) == std::string_view::npos;
}

Framing framing_of_values(std::string_view text) {
  const size_t newline = text.find('\n');
  if (newline == std::string_view::npos || is_whole_line(text.substr(0, newline))) return Framing::kLines;
  const size_t next = text.find_first_not_of("\r\n", newline);
  const bool again = next != std::string_view::npos && text[next] == text[0] && text[next - 1] == '\n';
  return again ? Framing::kLines : Framing::kValues;
}

Error unknown(const std::string& file, std::string_view what) {
  return {file + ": " + std::string(what) + " (known formats: " + std::string(kKnown) + "; --format NAME says which)"};
}

std::string Shown(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 24)) {
    const bool plain = c >= ' ' && c <= '~';
    shown.push_back(plain ? c : '?');
  }
  return shown;
}

Format with_default(Format wanted, Format seen) { return wanted == Format::kAuto ? seen : wanted; }

// What the lines behind the one at `at` say.
Format format_of_next_lines(std::string_view head, size_t at) {
  Format format = Format::kAuto;
  for (size_t line = 0; format == Format::kAuto && line < kMaxLinesTried; ++line) {
    const size_t newline = head.find('\n', at);
    if (newline == std::string_view::npos) break;
    at = newline + 1;
    if (at < head.size() && head[at] == '{') format = format_of_keys(top_keys(head.substr(at)));
  }
  return format;
}

// What the elements of a list say, `text` starting behind its bracket: a broken one says nothing.
Format format_of_elements(std::string_view text) {
  Splitter splitter(Framing::kList);
  std::vector<RecordRange> records;
  splitter.scan(text.data(), text.size(), true, records);
  Format format = Format::kAuto;
  for (size_t i = 0; format == Format::kAuto && i < std::min(records.size(), kMaxLinesTried); ++i) {
    const std::string_view record = text.substr(records[i].begin, records[i].end - records[i].begin);
    if (record.starts_with('{')) format = format_of_keys(top_keys(record));
  }
  return format;
}

}  // namespace

Result<Format> format_of(std::string_view name) {
  for (const NamedFormat& known : kFormats) {
    if (known.name == name) return known.format;
  }
  if (name == "tau") return Format::kTau;
  if (name == "tau2") return Format::kTau2;
  return Error{"unknown format `" + std::string(name) + "`; known: " + std::string(kKnown)};
}

std::string_view format_name(Format format) {
  for (const NamedFormat& known : kFormats) {
    if (known.format == format) return known.name;
  }
  return "auto";
}

Result<Layout> recognise_format(const std::string& file, std::string_view head, bool whole, Format wanted) {
  // The first line that starts like JSON: broken lines before it are bad records, not another format.
  size_t at = 0;
  for (size_t line = 0; line < kMaxLinesTried; ++line) {
    while (at < head.size() && is_space(head[at])) ++at;
    if (at == head.size() || head[at] == '{' || head[at] == '[') break;
    const size_t newline = head.find('\n', at);
    at = newline == std::string_view::npos ? head.size() : newline;
  }
  if (at == head.size()) {
    const size_t first = head.find_first_not_of(" \t\r\n");
    return unknown(file, "neither JSON nor JSON Lines: it starts with `" +
                             Shown(first == std::string_view::npos ? head : head.substr(first)) + "`");
  }
  std::string_view text = head.substr(at);
  Layout layout;
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (text[0] == '[') {
    const size_t item = text.find_first_not_of(" \t\r\n", 1);
    const auto keys = item == std::string_view::npos ? std::vector<std::string_view>() : top_keys(text.substr(item));
    if (std::find(keys.begin(), keys.end(), "role") != keys.end()) {
      if (wanted != Format::kAuto && wanted != Format::kNative && wanted != Format::kOpenai) {
        return unknown(file, "a list of messages is not " + std::string(format_name(wanted)));
      }
      layout = {with_default(wanted, Format::kOpenai), framing_of_values(text), first == at ? at : 0};
      return layout;
    }
    Format seen = format_of_keys(keys);
    if (seen == Format::kAuto) {
      // A list on a line of its own may be one bad record among good ones.
      const Format next = format_of_next_lines(head, at);
      if (next != Format::kAuto && is_whole_line(text.substr(0, text.find('\n')))) {
        return Layout{with_default(wanted, next), Framing::kLines, 0};
      }
      seen = format_of_elements(text.substr(1));
    }
    layout = {with_default(wanted, seen), Framing::kList, at + 1};
    if (layout.format == Format::kAuto) {
      return unknown(file, item != std::string_view::npos && text[item] == ']'
                               ? std::string("the list is empty")
                               : "a JSON list whose first elements have no key of a known format");
    }
    return layout;
  }
  layout = {with_default(wanted, format_of_keys(top_keys(text))), framing_of_values(text), 0};
  // A first record that is broken says little: the next lines may say more.
  if (layout.format == Format::kAuto) layout.format = format_of_next_lines(head, at);
  if (layout.format == Format::kAuto) {
    const auto keys = top_keys(text);
    std::string shown;
    for (size_t i = 0; i < keys.size() && i < 6; ++i) shown += (i ? ", " : "") + Shown(keys[i]);
    return unknown(file, std::string(whole ? "" : "the beginning of ") +
                             "the first record has none of the keys of a known format; it has " +
                             (shown.empty() ? "none" : shown));
  }
  return layout;
}

}  // namespace wend
