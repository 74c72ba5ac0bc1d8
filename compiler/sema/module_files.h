// Where modules are found. Internal to sema.
#ifndef WEND_COMPILER_SEMA_MODULE_FILES_H_
#define WEND_COMPILER_SEMA_MODULE_FILES_H_

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/sema/check.h"
#include "compiler/source/source.h"

namespace wend::sema {

// What a module can be asked for from outside.
enum class NameSpace { value, judge, type };

class ModuleFiles {
 public:
  ModuleFiles(const SourceSet& sources, const SearchPath& path) : sources_(sources), path_(path) {}

  // The files that `use NAME` in file `from` may mean: beside it, by as many of the last parts of the name as fit, then
  // along the search path.
  std::vector<std::filesystem::path> candidates(const std::string& name, uint32_t from) const;

  // The names of the modules along the search path.
  std::vector<std::string> known() const;

  // The module beside `from` or along the search path that declares `name` and that `from` can use; "" if there is
  // none.
  std::string declaring(NameSpace space, const std::string& name, uint32_t from);

  // The text of a file; none if it cannot be read.
  static std::optional<std::string> read(const std::filesystem::path& file);
  // The name after `module` at the start of a line: which module a file is, before it is parsed.
  static std::string module_of(const std::string& text);
  // One name for each file, however it is reached.
  static std::string canonical(const std::filesystem::path& file);

 private:
  struct Place {
    std::string module, file;
  };

  void scan(const std::filesystem::path& folder, bool below);
  void note_declarations(const std::filesystem::path& file);
  bool usable(const Place& place, uint32_t from) const;

  const SourceSet& sources_;
  const SearchPath& path_;
  std::set<std::string> scanned_;  // folders and files, canonical
  std::map<std::pair<NameSpace, std::string>, std::vector<Place>> declared_;
};

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_MODULE_FILES_H_
