// What tau2-bench results say besides the simulations.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>

#include "runtime/data/readers/record_reader.h"
#include "runtime/result.h"

namespace wend {

struct Tau2Sidecar : Sidecar {
  std::unordered_map<std::string, std::string> actions;  // by task id: the JSON of its expected calls
};

// Looks for `tasks` and `simulations` in {..., "tasks": [...], "simulations": [...]}; `start` becomes the byte behind
// the bracket that opens the simulations. A file that is a list of simulations has neither.
Result<std::unique_ptr<Sidecar>> load_tau2(const std::string& path, size_t& start, bool is_list);

}  // namespace wend
