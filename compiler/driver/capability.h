// What dialogues may lack, in words.
#ifndef WEND_COMPILER_DRIVER_CAPABILITY_H_
#define WEND_COMPILER_DRIVER_CAPABILITY_H_

#include <cstdint>
#include <string>

#include "runtime/program.h"

namespace wend::driver {

// "the expected calls by turn, the candidate tools" for WEND_CAP_* bits.
std::string capability_text(const ProgramInfo& info, uint32_t bits);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_CAPABILITY_H_
