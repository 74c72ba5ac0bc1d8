// Random dialogues: events that make a belief state change in every way.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/belief/dialogue.h"

namespace wend::belief::testing {

struct Event {
  enum Kind { user, call, result, reply } kind;
  std::string id, text, arguments;  // text: of a call its tool
  std::optional<bool> error;
};

void apply(const Event& event, Dialogue& dialogue);
std::vector<Event> random_events(std::mt19937& random, size_t count);

}  // namespace wend::belief::testing
