// What a live dialogue remembers, message by message: a recorded dialogue replayed through the engine of beliefs.
#ifndef WEND_COMPILER_DRIVER_BELIEF_STEPS_H_
#define WEND_COMPILER_DRIVER_BELIEF_STEPS_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/belief/dialogue.h"
#include "runtime/data/batch.h"
#include "runtime/program.h"

namespace wend::driver {

// One line of JSON: {"id", "steps": [{"message", "state", "changes", "block"}]}.
//   message: {number (from 1), turn (0 before the first user message), role, text?, calls?: [{name, arguments}]}
//   state:   the fields of the belief, as belief::Dialogue::state_json gives them
//   changes: [{field, key?, from?, to?, confirmed?}], what the message has changed; `key` names a slot (tool.param) or
//            an item, a member that is absent stands for nothing
//   block:   the render, absent if there is none
//   over_budget: true where the block is larger than its budget allows, else absent
struct BeliefStep {
  nlohmann::ordered_json message, state, changes;
  std::optional<std::string> block;
  bool over_budget = false;
};

struct FollowOptions {
  belief::Options dialogue;
  std::optional<uint32_t> render;
};

// Replays one trace of the batch from an empty state. Each step goes to `on_step` as soon as it is known: all of them
// together are large where a dialogue is long.
void follow(const std::shared_ptr<const belief::Engine>& engine, const Batch& batch, uint32_t trace,
            const FollowOptions& options, const std::function<void(const BeliefStep& step)>& on_step);

// What differs between two states of a belief.
nlohmann::ordered_json changes(const BeliefInfo& belief, const nlohmann::ordered_json& before,
                               const nlohmann::ordered_json& after);

nlohmann::ordered_json step_json(const BeliefStep& step);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_BELIEF_STEPS_H_
