// Snapshots: JSON with a version and the fingerprint of the program that the fields are of.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/belief/state.h"
#include "runtime/result.h"

namespace wend::belief {

inline constexpr int64_t kSnapshotVersion = 2;

// Fills a state that holds its first values.
Result<void> read_snapshot(std::string_view snapshot, Dialogue::State& state, Workspace& work);

}  // namespace wend::belief
