// Files of JSON, JSON Lines or YAML as JSON.
#ifndef WEND_COMPILER_DRIVER_JSON_FILES_H_
#define WEND_COMPILER_DRIVER_JSON_FILES_H_

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/result.h"

namespace wend::driver {

// The whole document; of JSON Lines a list of the lines. A file that ends in .yaml or .yml is YAML: plain scalars have
// the types of its core schema. The error names file, line and column.
Result<nlohmann::ordered_json> read_json_file(const std::string& path);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_JSON_FILES_H_
