// The values of a program's params: its defaults, then --set-file, then --set in order.
#ifndef WEND_COMPILER_DRIVER_PARAMS_H_
#define WEND_COMPILER_DRIVER_PARAMS_H_

#include <vector>

#include "compiler/driver/options.h"
#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::driver {

Result<std::vector<double>> param_values(const Program& program, const SpecOptions& options);

// A value as a person would write it: "0.5", "true", an enum's label.
std::string param_text(const ParamInfo& param, double value);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_PARAMS_H_
