// A spec before any back end: checked, and made into a plan.
#ifndef WEND_COMPILER_DRIVER_COMPILED_H_
#define WEND_COMPILER_DRIVER_COMPILED_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/made.h"
#include "compiler/plan/plan.h"
#include "compiler/sema/check.h"
#include "compiler/source/source.h"

namespace wend::driver {

struct Compiled {
  SourceSet sources;
  sema::Checked checked;
  std::shared_ptr<const plan::Plan> plan;
};

// Checks the files and builds the plan; errors are printed.
Made<Compiled> compile_files(const std::vector<std::string>& files);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_COMPILED_H_
