// The messages of a stored dialogue, as a chat model would have seen them.
#ifndef WEND_RUNTIME_CONTEXT_STORED_H_
#define WEND_RUNTIME_CONTEXT_STORED_H_

#include <cstdint>
#include <vector>

#include "runtime/context/message.h"
#include "runtime/data/batch.h"

namespace wend::context {

// Calls have the ids call-1, call-2...: batches do not keep those of the data. What the user's side called, and what
// came of it, is left out.
std::vector<Message> stored_messages(const Batch& batch, uint32_t trace);

}  // namespace wend::context

#endif  // WEND_RUNTIME_CONTEXT_STORED_H_
