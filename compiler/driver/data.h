// Data files as the command line names them.
#ifndef WEND_COMPILER_DRIVER_DATA_H_
#define WEND_COMPILER_DRIVER_DATA_H_

#include "compiler/driver/options.h"
#include "runtime/data/reader.h"
#include "runtime/result.h"

namespace wend::driver {

Result<Reader> open_data(const DataOptions& options);

// Bytes of all the files, 0 where that cannot be known: what progress is measured against.
uint64_t data_size(const DataOptions& options);

// Says on stderr what was skipped and why: the first few records, and how many more.
void print_issues(const ReadReport& report);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_DATA_H_
