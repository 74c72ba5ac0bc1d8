// Dialogues that we wrote ourselves, through the reader that reads everybody else's.
#ifndef WEND_COMPILER_DRIVER_NATIVE_BATCH_H_
#define WEND_COMPILER_DRIVER_NATIVE_BATCH_H_

#include <string_view>

#include "runtime/data/batch.h"
#include "runtime/result.h"

namespace wend::driver {

// Clears the batch and fills it with the lines of a native file. Fails on the first line that cannot be read.
Result<void> read_native(std::string_view lines, Batch& batch);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_NATIVE_BATCH_H_
