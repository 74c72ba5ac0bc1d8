// Agents that a reward should not favour, and the one that it should.
#ifndef WEND_COMPILER_DRIVER_POLICIES_H_
#define WEND_COMPILER_DRIVER_POLICIES_H_

#include <string_view>
#include <vector>

#include "compiler/driver/dialogue.h"

namespace wend::driver {

struct NamedPolicy {
  std::string_view name;  // "always ask"
  std::string_view what;  // one line for the table's legend
  Policy act;
};

// The degenerate ones in the order of the report, without gold.
const std::vector<NamedPolicy>& degenerate_policies();
// Makes the expected calls of each turn, asks for what is missing, answers in words elsewhere.
const NamedPolicy& gold_policy();

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_POLICIES_H_
