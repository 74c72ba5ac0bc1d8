// Finding and reading modules, in dependency order; check_files.
#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "compiler/sema/check.h"
#include "compiler/sema/checker.h"
#include "compiler/sema/module_files.h"
#include "compiler/syntax/parser.h"

namespace wend::sema {
namespace fs = std::filesystem;

namespace {

class Loader {
 public:
  Loader(SourceSet& sources, const ModuleFiles& files, Diagnostics& diagnostics, Program& program)
      : sources_(sources), files_(files), diagnostics_(diagnostics), program_(program) {}

  // Loads a file that the user named. Returns its index in Program::modules, or -1.
  int64_t load_main(const std::string& file, uint32_t* index) {
    auto text = ModuleFiles::read(file);
    *index = sources_.add(file, text.value_or(""));
    if (!text) {
      std::error_code ignored;
      std::string cause = fs::is_directory(file, ignored) ? "it is a directory"
                          : fs::exists(file, ignored)     ? "it cannot be opened"
                                                          : "there is no such file";
      diagnostics_.report(Kind::unreadable_file, {*index, 0, 0}, fmt::format("cannot read `{}`: {}", file, cause));
      return -1;
    }
    return load(*index, ModuleFiles::canonical(file));
  }

  std::vector<std::vector<uint32_t>> used;

 private:
  int64_t load(uint32_t file, const std::string& key) {
    if (auto it = done_.find(key); it != done_.end()) return it->second;
    done_[key] = -1;
    std::optional<ast::Module> module = parse_module(sources_, file, diagnostics_);
    if (!module) return -1;
    if (auto it = by_name_.find(module->name.text); it != by_name_.end() && !module->name.text.empty()) {
      Diagnostic& d = diagnostics_.report(Kind::duplicate_module, module->name.span,
                                          fmt::format("module `{}` is given by two files", module->name.text));
      d.label = Label{program_.modules[it->second].name.span, "also here"};
      return -1;
    }
    loading_.push_back({key, module->name.text});
    std::vector<uint32_t> needs;
    for (const ast::Use& use : module->uses)
      if (int64_t m = load_used(use, file); m >= 0) needs.push_back(static_cast<uint32_t>(m));
    loading_.pop_back();
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    auto index = static_cast<uint32_t>(program_.modules.size());
    if (!module->name.text.empty()) by_name_[module->name.text] = index;
    program_.modules.push_back(std::move(*module));
    used.push_back(std::move(needs));
    done_[key] = index;
    return index;
  }

  int64_t load_used(const ast::Use& use, uint32_t from) {
    const std::string& name = use.module.text;
    auto cycle = std::find_if(loading_.begin(), loading_.end(), [&](const auto& l) { return l.second == name; });
    if (cycle != loading_.end()) {
      std::string way;
      for (auto it = cycle; it != loading_.end(); ++it) way += it->second + " -> ";
      diagnostics_
          .report(Kind::cyclic_modules, use.span, fmt::format("modules use each other in a circle: {}{}", way, name))
          .help = "move what both need into a third module";
      return -1;
    }
    if (auto it = by_name_.find(name); it != by_name_.end()) return it->second;
    std::vector<fs::path> tried;
    std::vector<std::string> others;
    for (const fs::path& candidate : files_.candidates(name, from)) {
      std::error_code ignored;
      if (!fs::is_regular_file(candidate, ignored)) {
        tried.push_back(candidate);
        continue;
      }
      std::string key = ModuleFiles::canonical(candidate);
      auto text = ModuleFiles::read(candidate);
      if (!text) continue;
      if (std::string other = ModuleFiles::module_of(*text); !other.empty() && other != name) {
        if (candidate.filename() != candidate)
          others.push_back(fmt::format("{} is module `{}`", candidate.lexically_normal().string(), other));
        tried.push_back(candidate);
        continue;
      }
      if (auto it = done_.find(key); it != done_.end()) return it->second;
      uint32_t file = sources_.add(candidate.lexically_normal().string(), *text);
      return load(file, key);
    }
    Diagnostic& d =
        diagnostics_.report(Kind::unknown_module, use.module.span, fmt::format("unknown module `{}`", name));
    std::string near = nearest(name, files_.known());
    d.help = !others.empty() ? fmt::format("{}", fmt::join(others, "; "))
             : !near.empty() ? fmt::format("did you mean `{}`?", near)
                             : fmt::format("looked for {}", fmt::join(strings(tried), ", "));
    return -1;
  }

  static std::vector<std::string> strings(const std::vector<fs::path>& paths) {
    std::vector<std::string> out;
    out.reserve(paths.size());
    for (const fs::path& p : paths) out.push_back(p.lexically_normal().string());
    return out;
  }

  SourceSet& sources_;
  const ModuleFiles& files_;
  Diagnostics& diagnostics_;
  Program& program_;
  std::map<std::string, int64_t> done_;                       // by canonical path
  std::map<std::string, uint32_t> by_name_;                   // module name -> index
  std::vector<std::pair<std::string, std::string>> loading_;  // path and module name, outermost first
};

}  // namespace

SearchPath SearchPath::standard() {
  SearchPath path;
  if (const char* variable = std::getenv("WEND_PATH")) {
    std::stringstream in(variable);
    for (std::string folder; std::getline(in, folder, ':');)
      if (!folder.empty()) path.folders.emplace_back(folder);
  }
  std::error_code ec;
  fs::path binary = fs::read_symlink("/proc/self/exe", ec);
  if (!ec) {
    fs::path bin = binary.parent_path();
    for (const fs::path& root : {bin.parent_path().parent_path(), bin.parent_path() / "share" / "wend"})
      for (const char* folder : {"stdlib", "specs"})
        if (fs::is_directory(root / folder, ec)) path.folders.push_back(root / folder);
  }
  return path;
}

Checked check_files(SourceSet& sources, const std::vector<std::string>& files, const SearchPath& path,
                    Diagnostics& diagnostics) {
  Checked checked;
  ModuleFiles modules(sources, path);
  Loader loader(sources, modules, diagnostics, checked.program);
  std::vector<int64_t> given;
  for (const std::string& file : files) {
    uint32_t index = 0;
    given.push_back(loader.load_main(file, &index));
    checked.main_files.push_back(index);
  }
  Program& program = checked.program;
  std::vector<bool> main(program.modules.size(), false);
  for (int64_t m : given)
    if (m >= 0) main[static_cast<size_t>(m)] = true;
  if (!given.empty() && given[0] >= 0) program.name = program.modules[static_cast<size_t>(given[0])].name.text;
  // What is missing from a text that does not parse, or from a module that is not there, is not worth reporting.
  if (diagnostics.has_errors()) return checked;
  Checker checker(sources, modules, program, diagnostics);
  checker.run(loader.used, main);
  return checked;
}

std::string describe_ranges(const Program& program) {
  std::string out;
  auto line = [&](const std::string& name, Range r) { out += fmt::format("{:<40} {}\n", name, to_string(r)); };
  for (const Metric& m : program.metrics)
    if (!m.body.empty()) line(m.name, m.percent ? m.body[0].range * Range::exactly(100) : m.body[0].range);
  for (const Reward& r : program.rewards) {
    for (const Term& s : r.stops) line(fmt::format("{}.stop.{}", r.name, s.name), s.value.children[1].range);
    for (const Layer& l : r.layers) {
      for (const Term& t : l.terms) line(fmt::format("{}.{}.{}", r.name, l.name, t.name), t.value.range);
      line(fmt::format("{}.{}", r.name, l.name), l.range);
    }
    line(r.name, r.range);
  }
  return out;
}

}  // namespace wend::sema
