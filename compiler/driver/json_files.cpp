#include "compiler/driver/json_files.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "compiler/driver/files.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxNested = 256;
constexpr size_t kMaxNodes = 4'000'000;

template <class Number>
bool whole(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Json scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // in quotes
  if (text == "null" || text == "~" || text.empty()) return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  int64_t integer = 0;
  if (whole(text, integer)) return integer;
  double real = 0;
  const bool number = text.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (number && whole(text, real)) return real;
  return text;
}

// Anchors let a small file stand for a very large one.
class YamlReader {
 public:
  Json read(const YAML::Node& node, int depth = 0) {
    if (depth > kMaxNested) throw YAML::Exception(node.Mark(), "it is nested too deep");
    if (++nodes_ > kMaxNodes) throw YAML::Exception(node.Mark(), "it stands for too many values");
    if (node.IsScalar()) return scalar(node);
    if (node.IsSequence()) {
      Json list = Json::array();
      for (const YAML::Node& item : node) list.push_back(read(item, depth + 1));
      return list;
    }
    if (!node.IsMap()) return nullptr;
    Json object = Json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = read(entry.second, depth + 1);
    return object;
  }

 private:
  size_t nodes_ = 0;
};

Result<Json> read_yaml(const std::string& path, const std::string& text) {
  try {
    return YamlReader().read(YAML::Load(text));
  } catch (const YAML::Exception& failure) {
    return Error{fmt::format("{}:{}:{}: {}", path, failure.mark.line + 1, failure.mark.column + 1, failure.msg)};
  }
}

// Says where the text, which begins at line `first` of the file, is not JSON.
Error not_json(const std::string& path, std::string_view text, size_t first) {
  size_t at = 0;
  try {
    [[maybe_unused]] const Json parsed = Json::parse(text);
  } catch (const Json::parse_error& failure) {
    at = std::min<size_t>(failure.byte > 0 ? failure.byte - 1 : 0, text.size());
  }
  const std::string_view before = text.substr(0, at);
  const auto lines = static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t line_end = before.rfind('\n');
  const size_t column = line_end == std::string_view::npos ? at + 1 : at - line_end;
  return Error{fmt::format("{}:{}:{}: this is not JSON", path, first + lines, column)};
}

}  // namespace

Result<Json> read_json_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (path.ends_with(".yaml") || path.ends_with(".yml")) return read_yaml(path, *text);
  Json whole = Json::parse(*text, nullptr, false);
  if (!whole.is_discarded()) return whole;
  Json lines = Json::array();
  size_t number = 0;
  for (size_t begin = 0; begin < text->size();) {
    const size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    lines.push_back(Json::parse(line, nullptr, false));
    if (!lines.back().is_discarded()) continue;
    return lines.size() == 1 ? not_json(path, *text, 1) : not_json(path, line, number);
  }
  if (lines.empty()) return Error{path + ": the file is empty"};
  return lines;
}

}  // namespace wend::driver
