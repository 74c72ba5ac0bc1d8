// The inside of Engine.
#pragma once

#include "runtime/belief/dialogue.h"
#include "runtime/belief/workspace.h"

namespace wend::belief {

struct Engine::Impl {
  recognise::Cues cues;
  // The fields that recognition reads: the first of their kind; WEND_NONE if the belief has none.
  uint32_t slots = WEND_NONE, last = WEND_NONE;
  mutable Workspaces workspaces;
};

}  // namespace wend::belief
