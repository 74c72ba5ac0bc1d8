// The constant tables of a plan's wend_program, as values. Both the JIT (which points at them) and the ahead-of-time
// compiler (which writes them into the object) use these.
#ifndef WEND_COMPILER_CODEGEN_PROGRAM_TABLES_H_
#define WEND_COMPILER_CODEGEN_PROGRAM_TABLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include <wend/wend.h>

#include "compiler/plan/plan.h"

namespace wend::codegen {

struct ProgramTables {
  explicit ProgramTables(const plan::Plan& plan);

  std::string metadata;
  std::vector<double> param_defaults;
  std::vector<std::pair<uint32_t, std::string>> literals;
  std::vector<wend_memo> memo;
  std::vector<uint32_t> signal_requires, term_requires, reward_terms;
  uint32_t n_judges, n_metrics, n_rewards;
};

}  // namespace wend::codegen

#endif  // WEND_COMPILER_CODEGEN_PROGRAM_TABLES_H_
