// What a belief state keeps at most (docs/belief.md).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/recognise/recognise.h"

namespace wend::belief {

inline constexpr size_t kMaxName = 256, kMaxText = 4096, kMaxValue = 4096;  // bytes
inline constexpr size_t kMaxResult = 2000;                                  // characters
inline constexpr uint32_t kMaxSlots = 512, kMaxReplaced = 32, kMaxGoals = 64, kMaxQuestions = 64, kMaxItems = 256,
                          kMaxReferences = 32, kMaxArguments = 64, kMaxOpenCalls = 64;
// References are read from the results of so many objects, as far as they are no longer than this.
using recognise::kMaxReadAgain;
using recognise::kObjectsRead;

}  // namespace wend::belief
