// Spec files named on the command line.
#ifndef WEND_COMPILER_DRIVER_FILES_H_
#define WEND_COMPILER_DRIVER_FILES_H_

#include <string>
#include <vector>

#include "runtime/result.h"

namespace wend::driver {

// The files, and for each folder the *.wend files in it and below, in order of name. Fails where a folder has none.
Result<std::vector<std::string>> spec_files(const std::vector<std::string>& named);

// The whole file; `-` is standard input.
Result<std::string> read_file(const std::string& path);
// Written beside the file and renamed, so that nobody sees half of it. A symbolic link stays one: its target is
// written.
Result<void> write_file(const std::string& path, std::string_view bytes);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_FILES_H_
