#include "compiler/driver/native_batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/data/builder.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/readers/record_reader.h"

namespace wend::driver {

Result<void> read_native(std::string_view lines, Batch& batch) {
  batch.clear();
  BatchBuilder builder(batch);
  const Sidecar sidecar;
  const std::unique_ptr<RecordReader> records = make_native_reader(builder, sidecar);
  PaddedBuffer buffer;
  JsonIndex index;
  uint64_t number = 0;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = lines.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    builder.begin_trace();
    const char* cause = index.build(buffer.copy(line));
    const bool read = cause == nullptr && records->read(index.all(), {number, number});
    if (!read) builder.abandon_trace();
    if (read && builder.finish_trace()) continue;
    const RecordError& error = builder.error();
    return Error{fmt::format("record {}: {}{}", number,
                             error.key.empty() ? "" : "`" + error.key + "`: ", cause != nullptr ? cause : error.cause)};
  }
  return {};
}

}  // namespace wend::driver
