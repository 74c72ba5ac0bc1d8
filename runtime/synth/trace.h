// A dialogue in the making: what is said, called and returned, and what gold says of it. Texts that depend on what
// comes later (summaries) and what calls return are filled in by `settle` (maker.h).
#ifndef WEND_RUNTIME_SYNTH_TRACE_H_
#define WEND_RUNTIME_SYNTH_TRACE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/tools/pool.h"

namespace wend::synth {

inline constexpr uint32_t kNone = 0xFFFFFFFFu;

// As the language's enums have them.
enum class Kind : uint8_t { tool, clarify, language };
enum class Signal : uint8_t { none, modified, interrupted, reset, clarify, accumulate };

// A value that `parameter` (of the tool) gets from an earlier call: `field` of what that returned.
struct Need {
  uint32_t parameter = 0, call = 0, field = 0;
  uint32_t fed_by = 0;  // `call`, or what has replaced it by then; set by `settle`
};

struct Arg {
  uint32_t parameter = 0;  // of the call's tool
  tools::Value value;
  bool implied = false;  // not said in the user's request: known from before, or from the profile
};

struct Call {
  uint32_t tool = 0;  // in the pool
  std::vector<Arg> args;
  std::vector<Need> needs;
  uint32_t replaces = kNone;  // the call that this one repeats with other arguments
  bool expected = false;
  std::vector<tools::Value> returned;  // by field of the tool
  std::string result;                  // what the agent gets: JSON, or a text of the scenario
  bool scripted = false;               // `result` is the scenario's
};

// A message of the agent and the results of its calls.
struct Step {
  std::string text;
  std::vector<uint32_t> calls;
  bool asks = false;
  bool sums_up = false;  // its text tells what the calls since the last summary returned; written by `settle`
};

struct StaleSlot {
  uint32_t tool = 0, parameter = 0;
  tools::Value value;
};

struct Turn {
  std::string user;
  std::string task;       // what is asked for, without the words around it; empty: nothing
  std::string reference;  // gold: what a good answer does; empty: not said
  std::vector<Step> steps;
  bool added = false;  // by an injection or a splice, or withheld and unclear requests
  // Gold.
  bool labelled = true;
  Kind kind = Kind::tool;
  Signal signal = Signal::none;
  std::vector<StaleSlot> stale;
  std::vector<std::string> missing;
  bool keeps_goal = false;  // the message goes on with the goal of the turn before
};

struct Trace {
  std::string system, profile;  // empty: none; `profile` is JSON
  std::vector<Turn> turns;      // by identity; `order` has them as they follow each other
  std::vector<uint32_t> order;
  std::vector<Call> calls;  // by identity
  uint32_t withheld_call = kNone, withheld_parameter = 0;
  std::optional<Need> fed;      // of a dependent task: which call of the other dialogue feeds its first one
  std::vector<uint32_t> named;  // tools that the agent speaks of: they are candidates
  uint32_t style = 0;           // how this user talks
  uint64_t seed = 0;            // of what its calls return

  // The calls in the order in which they are made.
  std::vector<uint32_t> calls_in_order() const {
    std::vector<uint32_t> out;
    for (const uint32_t t : order)
      for (const Step& step : turns[t].steps) out.insert(out.end(), step.calls.begin(), step.calls.end());
    return out;
  }
  // The turn that makes the call; kNone if none does.
  uint32_t turn_of(uint32_t call) const {
    for (const uint32_t t : order)
      for (const Step& step : turns[t].steps)
        for (const uint32_t c : step.calls)
          if (c == call) return t;
    return kNone;
  }
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_TRACE_H_
