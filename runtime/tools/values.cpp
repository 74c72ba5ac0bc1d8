#include "runtime/tools/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace wend::tools {
namespace {

constexpr uint32_t kMaxNesting = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

uint32_t Values::declare(std::string_view name) {
  const auto [at, added] = by_name_.try_emplace(std::string(name), static_cast<uint32_t>(kinds_.size()));
  if (added) kinds_.push_back({std::string(name), {}, {}, false});
  return at->second;
}

Result<void> Values::read_form(uint32_t kind, std::string_view form) {
  std::vector<Piece> pieces;
  std::string text;
  bool digits = false, parts = false;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '{') {
      digits = digits || form[i] == '#';
      text += form[i];
      continue;
    }
    const size_t end = form.find('}', i);
    if (end == std::string_view::npos) return Error{fmt::format("a brace is not closed in `{}`", form)};
    const uint32_t part = find(form.substr(i + 1, end - i - 1));
    if (part == kNoKind) return Error{fmt::format("`{}` is no kind of value", form.substr(i + 1, end - i - 1))};
    if (!text.empty()) pieces.push_back({std::move(text), kNoKind});
    text.clear();
    pieces.push_back({"", part});
    parts = true;
    i = end;
  }
  if (!text.empty()) pieces.push_back({std::move(text), kNoKind});
  kinds_[kind].form = std::move(pieces);
  kinds_[kind].id = digits && !parts;
  return {};
}

Result<void> Values::add(const Json& kinds) {
  if (!kinds.is_object()) return Error{"kinds of values are an object: {\"city\": [\"Oslo\", ...]}"};
  for (const auto& [name, value] : kinds.items()) declare(name);
  for (const auto& [name, value] : kinds.items()) {
    const uint32_t kind = find(name);
    kinds_[kind].values.clear();
    kinds_[kind].form.clear();
    if (value.is_string()) {
      const Result<void> read = read_form(kind, value.get_ref<const std::string&>());
      if (!read) return Error{fmt::format("kind `{}`: {}", name, read.error().message)};
    } else if (value.is_array()) {
      for (const Json& one : value) {
        if (!one.is_string() || one.get_ref<const std::string&>().empty())
          return Error{fmt::format("kind `{}`: a value is a text that is not empty", name)};
        kinds_[kind].values.push_back(one.get<std::string>());
      }
    }
    if (kinds_[kind].values.empty() && kinds_[kind].form.empty())
      return Error{fmt::format("kind `{}` has no value", name)};
  }
  for (uint32_t k = 0; k < kinds_.size(); ++k)
    if (inside_itself(k, 0)) return Error{fmt::format("kind `{}` is made of itself", kinds_[k].name)};
  return {};
}

bool Values::inside_itself(uint32_t kind, uint32_t depth) const {
  if (depth > kMaxNesting) return true;
  return std::any_of(kinds_[kind].form.begin(), kinds_[kind].form.end(),
                     [&](const Piece& piece) { return piece.kind != kNoKind && inside_itself(piece.kind, depth + 1); });
}

uint32_t Values::find(std::string_view name) const {
  const auto at = by_name_.find(std::string(name));
  return at == by_name_.end() ? kNoKind : at->second;
}

uint32_t Values::find_or_make_id(std::string_view name) {
  if (const uint32_t known = find(name); known != kNoKind) return known;
  const uint32_t kind = declare(name);
  std::string prefix;
  for (const char c : name)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 && prefix.size() < 2)
      prefix += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  kinds_[kind].form = {{prefix + "-######", kNoKind}};
  kinds_[kind].id = true;
  return kind;
}

uint32_t Values::guess(std::string_view parameter) const {
  for (std::string_view rest = parameter;;) {
    if (const uint32_t kind = find(rest); kind != kNoKind) return kind;
    const size_t underscore = rest.find('_');
    if (underscore == std::string_view::npos) return kNoKind;
    rest.remove_prefix(underscore + 1);
  }
}

std::string Values::draw(uint32_t kind, Random& random) const {
  const Kind& k = kinds_[kind];
  if (!k.values.empty()) return k.values[random.below(static_cast<uint32_t>(k.values.size()))];
  std::string out;
  for (const Piece& piece : k.form) {
    if (piece.kind != kNoKind) {
      out += draw(piece.kind, random);
      continue;
    }
    bool first = true;
    for (const char c : piece.text) {
      out += c != '#' ? c : static_cast<char>('0' + (first ? 1 + random.below(9) : random.below(10)));
      first = first && c != '#';
    }
  }
  return out;
}

bool Values::makes(uint32_t kind, std::string_view value) const {
  const Kind& k = kinds_[kind];
  if (!k.values.empty()) return std::find(k.values.begin(), k.values.end(), value) != k.values.end();
  if (!k.id) return false;
  const std::string& shape = k.form[0].text;
  if (shape.size() != value.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '#' ? !is_digit(value[i]) : shape[i] != value[i]) return false;
  return true;
}

}  // namespace wend::tools
