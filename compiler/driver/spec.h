// A spec ready to run: from the file named on the command line to a Program.
#ifndef WEND_COMPILER_DRIVER_SPEC_H_
#define WEND_COMPILER_DRIVER_SPEC_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/made.h"
#include "compiler/driver/options.h"
#include "compiler/plan/interpreter.h"
#include "compiler/plan/plan.h"
#include "runtime/program.h"

namespace wend::driver {

struct Spec {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const plan::Plan> plan;                       // null for a shared object
  std::shared_ptr<const plan::InterpretedProgram> interpreted;  // null for a shared object
  std::vector<double> params;
};

// Whether the file is one (rather than a spec).
bool is_shared_object(const std::string& path);

// The program by `options.engine`.
Made<std::shared_ptr<const Program>> make_program(const SpecOptions& options,
                                                  const std::shared_ptr<const plan::Plan>& plan);

// All of it, with params set: a .wend file is compiled, a shared object opened.
Made<Spec> open_spec(const SpecOptions& options);

// The reward called `name`; if that is empty, the first of the file `spec`, else of the program.
Result<uint32_t> default_reward(const ProgramInfo& info, const std::string& name, const std::string& spec);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SPEC_H_
