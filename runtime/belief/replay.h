// Replay: a stored dialogue, message by message, into a live one (docs/belief.md, Events).
#ifndef WEND_RUNTIME_BELIEF_REPLAY_H_
#define WEND_RUNTIME_BELIEF_REPLAY_H_

#include <cstdint>
#include <functional>

#include "runtime/belief/dialogue.h"

namespace wend::belief {

// Hands the messages of a trace to the dialogue, which should be new and have the trace's pool as its tools. `after` is
// called after each message that was an event, with its row in `message`.
void replay(const wend_batch& batch, uint32_t trace, Dialogue& dialogue,
            const std::function<void(uint32_t message)>& after);

}  // namespace wend::belief

#endif  // WEND_RUNTIME_BELIEF_REPLAY_H_
