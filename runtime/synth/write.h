// Made dialogues as lines of JSON (docs/trajectory-format.md).
#ifndef WEND_RUNTIME_SYNTH_WRITE_H_
#define WEND_RUNTIME_SYNTH_WRITE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/synth/trace.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

enum class Format : uint8_t {
  native,  // with gold
  openai,  // {"messages", "tools"}, as for fine-tuning
};

struct Labels {
  std::string_view id, scenario, family, split;
};

// One line with its line end. `tools`: the candidate pool.
std::string line_of(const Trace& trace, const tools::Pool& pool, const std::vector<uint32_t>& tools,
                    const Labels& labels, Format format);

// A step of the agent: the `step`-th of the turn at `position` in the order.
struct StepPlace {
  uint32_t position = 0, step = 0;
};
// The steps that gold says something of: calls, questions and answers in words; not summaries.
std::vector<StepPlace> gold_steps(const Trace& trace);
// The dialogue up to that step, which is left out; gold is that of this step alone, after what the turn has called so
// far.
std::string slice_of(const Trace& trace, const tools::Pool& pool, const std::vector<uint32_t>& tools,
                     const Labels& labels, StepPlace place);

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_WRITE_H_
