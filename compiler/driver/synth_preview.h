// One made dialogue for people, with what is expected of the agent beside it.
#ifndef WEND_COMPILER_DRIVER_SYNTH_PREVIEW_H_
#define WEND_COMPILER_DRIVER_SYNTH_PREVIEW_H_

#include <string>

#include "runtime/synth/trace.h"
#include "runtime/tools/pool.h"

namespace wend::driver {

std::string preview_of(const synth::Trace& trace, const tools::Pool& pool, size_t candidates, bool color);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SYNTH_PREVIEW_H_
