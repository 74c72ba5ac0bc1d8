// From files to a typed program.
#ifndef WEND_COMPILER_SEMA_CHECK_H_
#define WEND_COMPILER_SEMA_CHECK_H_

#include <filesystem>
#include <string>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"

namespace wend::sema {

// Where `use a.b` looks for a/b.wend: these folders in order. A module is also looked for beside the file that uses it,
// by the last parts of its name.
struct SearchPath {
  std::vector<std::filesystem::path> folders;
  // The folders of WEND_PATH, then stdlib/ and specs/ relative to the running binary (build tree or installed).
  static SearchPath standard();
};

struct Checked {
  Program program;                   // meaningful only if there were no errors
  std::vector<uint32_t> main_files;  // files given, as indices in the SourceSet
};

// Reads, parses, resolves and checks `files` (paths) and all that they use. Errors and warnings go to `diagnostics`.
Checked check_files(SourceSet& sources, const std::vector<std::string>& files, const SearchPath& path,
                    Diagnostics& diagnostics);

// For `wend check --ranges`: one line per term, layer, reward and metric: "multi_turn.belief.jga   0 .. 5".
std::string describe_ranges(const Program& program);

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_CHECK_H_
