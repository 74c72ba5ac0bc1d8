// Pools of tools named on the command line, ready for making dialogues.
#ifndef WEND_COMPILER_DRIVER_TOOL_POOL_H_
#define WEND_COMPILER_DRIVER_TOOL_POOL_H_

#include <string>
#include <vector>

#include "runtime/result.h"
#include "runtime/tools/pool.h"

namespace wend::driver {

struct PoolOptions {
  std::vector<std::string> tools;   // files of any format that is imported, or folders of them; empty: the pool shipped
  std::vector<std::string> values;  // files of kinds of values, besides those shipped
};

// What is left out is said on stderr. Fails where a file cannot be read or no tool is left.
Result<tools::Pool> open_pool(const PoolOptions& options);

// The file of that name below the standard library ("tools/values.json"); empty if it is nowhere.
std::string shipped_file(const std::string& name);

// Tools by split: those of the sources named, or else of sources that end in "-ood", are out of distribution.
struct PoolSplit {
  std::vector<uint32_t> in, out;
};
PoolSplit split_pool(const tools::Pool& pool, const std::vector<std::string>& ood_sources);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TOOL_POOL_H_
