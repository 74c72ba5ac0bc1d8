#include "compiler/sema/module_files.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

namespace wend::sema {
namespace fs = std::filesystem;

namespace {

constexpr int kMostFiles = 2000;                    // looked at below a folder
constexpr size_t kLongestModule = size_t{1} << 20;  // bytes; a longer file is not searched for a name

void each_spec(const fs::path& folder, const std::function<void(const fs::path&)>& visit) {
  std::error_code failure;
  int budget = kMostFiles;
  for (auto it = fs::recursive_directory_iterator(folder, failure);
       !failure && it != fs::recursive_directory_iterator() && budget-- > 0; it.increment(failure)) {
    if (it->path().extension() == ".wend") visit(it->path());
  }
}

std::optional<NameSpace> name_space(std::string_view keyword) {
  if (keyword == "fn" || keyword == "detect" || keyword == "param" || keyword == "metric") return NameSpace::value;
  if (keyword == "judge") return NameSpace::judge;
  if (keyword == "enum" || keyword == "belief") return NameSpace::type;
  return std::nullopt;
}

// The next word of `line`, which is taken from it: letters, digits and `_`.
std::string_view word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto ends = [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '_'; };
  const auto end = std::find_if(line.begin(), line.end(), ends);
  const std::string_view found = line.substr(0, static_cast<size_t>(end - line.begin()));
  line.remove_prefix(found.size());
  return found;
}

}  // namespace

std::vector<fs::path> ModuleFiles::candidates(const std::string& name, uint32_t from) const {
  std::string slashed = name;
  std::replace(slashed.begin(), slashed.end(), '.', '/');
  const fs::path relative = slashed + ".wend", folder = fs::path(sources_.file(from).path).parent_path();
  std::vector<fs::path> out;
  fs::path tail = relative;
  while (true) {
    out.push_back(folder.empty() ? tail : folder / tail);
    auto first = tail.begin();
    if (std::next(first) == tail.end()) break;
    fs::path rest;
    for (auto it = std::next(first); it != tail.end(); ++it) rest /= *it;
    tail = rest;
  }
  for (const fs::path& f : path_.folders) out.push_back(f / relative);
  return out;
}

std::vector<std::string> ModuleFiles::known() const {
  std::vector<std::string> names;
  for (const fs::path& folder : path_.folders) {
    each_spec(folder, [&](const fs::path& file) {
      std::string name = file.lexically_relative(folder).replace_extension().string();
      std::replace(name.begin(), name.end(), '/', '.');
      names.push_back(name);
    });
  }
  return names;
}

std::string ModuleFiles::declaring(NameSpace space, const std::string& name, uint32_t from) {
  const fs::path beside = fs::path(sources_.file(from).path).parent_path();
  scan(beside.empty() ? "." : beside, false);
  for (const fs::path& folder : path_.folders) scan(folder, true);
  const auto places = declared_.find({space, name});
  if (places == declared_.end()) return "";
  for (const Place& place : places->second) {
    if (usable(place, from)) return place.module;
  }
  return "";
}

void ModuleFiles::scan(const fs::path& folder, bool below) {
  if (!scanned_.insert(canonical(folder) + (below ? "/**" : "/*")).second) return;
  if (below) return each_spec(folder, [&](const fs::path& file) { note_declarations(file); });
  std::error_code failure;
  int budget = kMostFiles;
  for (auto it = fs::directory_iterator(folder, failure); !failure && it != fs::directory_iterator() && budget-- > 0;
       it.increment(failure)) {
    if (it->path().extension() == ".wend") note_declarations(it->path());
  }
}

// By the words that lines begin with: parsing every module for the sake of one message would take too long.
void ModuleFiles::note_declarations(const fs::path& file) {
  std::string key = canonical(file);
  std::error_code failure;
  if (!scanned_.insert(key).second || fs::file_size(file, failure) > kLongestModule || failure) return;
  const std::optional<std::string> text = read(file);
  if (!text) return;
  const Place place{module_of(*text), std::move(key)};
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::string_view rest = line;
    if (const auto space = name_space(word(rest))) {
      declared_[{*space, std::string(word(rest))}].push_back(place);
    }
  }
}

bool ModuleFiles::usable(const Place& place, uint32_t from) const {
  if (place.module.empty() || place.file == canonical(sources_.file(from).path)) return false;
  const std::vector<fs::path> files = candidates(place.module, from);
  return std::any_of(files.begin(), files.end(), [&](const fs::path& file) { return canonical(file) == place.file; });
}

std::optional<std::string> ModuleFiles::read(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored) && !fs::is_fifo(file, ignored) && file != "/dev/stdin") return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string ModuleFiles::module_of(const std::string& text) {
  for (size_t at = 0; at != std::string::npos && at < text.size();) {
    size_t end = text.find('\n', at);
    std::string_view line(text.data() + at, (end == std::string::npos ? text.size() : end) - at);
    if (line.starts_with("module ")) {
      size_t begin = line.find_first_not_of(" \t", 7);
      size_t stop = begin == std::string_view::npos ? begin : line.find_first_of(" \t\r/", begin);
      return begin == std::string_view::npos
                 ? ""
                 : std::string(line.substr(begin, stop == std::string_view::npos ? stop : stop - begin));
    }
    at = end == std::string::npos ? end : end + 1;
  }
  return "";
}

std::string ModuleFiles::canonical(const fs::path& file) {
  std::error_code ignored;
  fs::path p = fs::weakly_canonical(file, ignored);
  return p.empty() ? file.string() : p.string();
}

}  // namespace wend::sema
