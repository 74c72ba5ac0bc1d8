#include "compiler/driver/tool_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "compiler/driver/console.h"
#include "compiler/driver/json_files.h"
#include "compiler/sema/check.h"
#include "runtime/tools/import.h"

namespace wend::driver {
namespace {

namespace fs = std::filesystem;

constexpr size_t kShown = 10;

Result<std::vector<std::string>> tool_files(const PoolOptions& options) {
  std::vector<std::string> named = options.tools;
  if (named.empty()) {
    for (const char* file : {"tools/wend.jsonl", "tools/wend-ood.jsonl"}) {
      const std::string shipped = shipped_file(file);
      if (shipped.empty()) return Error{fmt::format("the shipped {} is not there; --tools names another", file)};
      named.push_back(shipped);
    }
  }
  std::vector<std::string> files;
  for (const std::string& one : named) {
    std::error_code error;
    if (!fs::is_directory(one, error)) {
      files.push_back(one);
      continue;
    }
    std::vector<std::string> inside;
    for (const fs::directory_entry& entry : fs::directory_iterator(one, error)) {
      const std::string extension = entry.path().extension();
      const bool fits = extension == ".json" || extension == ".jsonl" || extension == ".yaml" || extension == ".yml";
      if (fits && entry.path().filename() != "values.json") inside.push_back(entry.path().string());
    }
    if (inside.empty()) return Error{fmt::format("{}: no files of tools", one)};
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

Result<tools::Values> read_values(const PoolOptions& options) {
  std::vector<std::string> files;
  if (const std::string shipped = shipped_file("tools/values.json"); !shipped.empty()) files.push_back(shipped);
  files.insert(files.end(), options.values.begin(), options.values.end());
  tools::Values values;
  for (const std::string& file : files) {
    const Result<nlohmann::ordered_json> kinds = read_json_file(file);
    if (!kinds) return kinds.error();
    const Result<void> added = values.add(*kinds);
    if (!added) return Error{file + ": " + added.error().message};
  }
  return values;
}

}  // namespace

std::string shipped_file(const std::string& name) {
  for (const fs::path& folder : sema::SearchPath::standard().folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error)) return (folder / name).string();
  }
  return "";
}

Result<tools::Pool> open_pool(const PoolOptions& options) {
  const Result<std::vector<std::string>> files = tool_files(options);
  if (!files) return files.error();
  Result<tools::Values> values = read_values(options);
  if (!values) return values.error();
  std::vector<tools::Tool> all;
  std::set<std::string> names;
  size_t said = 0;
  const auto say = [&](const std::string& text) {
    if (++said <= kShown) warn(text);
  };
  for (const std::string& file : *files) {
    const Result<nlohmann::ordered_json> document = read_json_file(file);
    if (!document) return document.error();
    const std::optional<tools::ToolFormat> format = tools::recognise_tools(*document);
    if (!format) return Error{file + ": these are no tools of a known format"};
    tools::ImportedTools imported = tools::import_tools(*document, *format);
    for (const tools::ToolIssue& issue : imported.issues)
      say(fmt::format("{}: `{}`: {}", file, issue.key, issue.cause));
    for (tools::Tool& tool : imported.tools) {
      if (names.insert(tool.name).second)
        all.push_back(std::move(tool));
      else
        say(fmt::format("skipped {}: tool `{}` is there already", file, tool.name));
    }
  }
  if (all.empty()) return Error{"there are no tools"};
  tools::Pool pool(all, std::move(*values));
  size_t usable = 0;
  for (const tools::PoolTool& tool : pool.tools()) {
    usable += tool.unusable.empty() ? 1 : 0;
    if (!tool.unusable.empty()) say(fmt::format("tool `{}` is not used: {}", tool.name, tool.unusable));
  }
  if (said > kShown) warn(fmt::format("and {} more about tools", said - kShown));
  if (usable == 0) return Error{"no tool is left whose calls could be made up"};
  return pool;
}

PoolSplit split_pool(const tools::Pool& pool, const std::vector<std::string>& ood_sources) {
  PoolSplit out;
  for (uint32_t t = 0; t < pool.size(); ++t) {
    const std::string& source = pool.tool(t).source;
    const bool ood = ood_sources.empty()
                         ? source.ends_with("-ood")
                         : std::find(ood_sources.begin(), ood_sources.end(), source) != ood_sources.end();
    (ood ? out.out : out.in).push_back(t);
  }
  return out;
}

}  // namespace wend::driver
