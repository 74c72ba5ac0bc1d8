// for_each_batch: reads files on several threads, with results in the order of the files whatever the number of
// threads.
#pragma once

#include <cstddef>
#include <functional>

#include "runtime/data/reader.h"
#include "runtime/result.h"

namespace wend {

// What is left to do of a batch's work once all batches before it are done with; may be empty.
using InOrder = std::function<void()>;

// Calls `work` for each batch on any of `threads` threads, several at once; the InOrder steps that it returns run one
// at a time, batch 0 first. `index` counts the batches, `worker` < threads tells the threads apart (for scratch space
// that is kept between calls). Batches, and so all results, are the same for any number of threads. Stops at the first
// error, in the order of the batches, after the steps of those before it. The report is of what was read.
//
//   std::vector<Score> scores;
//   auto report = for_each_batch(reader, 8, [&](Batch& batch, size_t, unsigned) -> Result<InOrder> {
//     auto mine = ScoreAll(batch);
//     return InOrder([&scores, mine] { append(scores, mine); });
//   });
Result<ReadReport> for_each_batch(
    Reader& reader, unsigned threads,
    const std::function<Result<InOrder>(Batch& batch, size_t index, unsigned worker)>& work);

}  // namespace wend
