// Whole dialogues of the policy: the user speaks, the policy drafts its context and answers, tools answer its calls,
// until the user has said everything (Fig. 4 of the paper). Many at once, as many as the generator has slots for.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/mock/mock_tools.h"
#include "trainer/rollout/conversation.h"
#include "trainer/rollout/generator.h"

namespace wend::rollout {

struct LoopOptions {
  double temperature = 1, top_p = 1;
  uint64_t seed = 0;
  int64_t most_draft = 1024, most_response = 1024;  // tokens
  int64_t user_turns = 12, replies = 12;            // of one dialogue
  int64_t replies_per_turn = 6;                     // rounds of calls before the user speaks again
  mock::Strictness strictness = mock::Strictness::strict;
};

// One text that the policy wrote.
struct Written {
  Prompt::Kind kind = Prompt::Kind::response;
  uint32_t turn = 0;  // from 1
  std::vector<int32_t> prompt, tokens;
  std::vector<float> log_probs;
  bool truncated = false;  // a limit of tokens ended it
};

// Why a dialogue ended.
enum class End : uint8_t {
  finished,  // the user has nothing more to say
  turns,     // a limit of turns or replies
  capacity,  // a prompt is longer than the generator's slots: nothing more could be asked
  failed     // `problem` says why
};

struct Episode {
  size_t task = 0;  // index of the tasks
  End end = End::finished;
  std::string problem;
  std::vector<context::Message> messages;
  std::vector<Written> written;                      // in the order of time
  uint64_t malformed = 0;                            // calls that could not be read
  std::array<uint64_t, mock::kRefusals> refusals{};  // by a real API
  bool truncated() const { return end != End::finished; }
};

// In the order of the tasks. With temperature 0, and on the CPU in fp32 always, an episode does not depend on the
// others.
std::vector<Episode> run_dialogues(const Setting& setting, Generator& generator, std::span<const Task> tasks,
                                   const LoopOptions& options);

}  // namespace wend::rollout
