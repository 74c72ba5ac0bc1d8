// How an ideal policy would have had a dialogue: for supervised learning (the paper's Base).
#pragma once

#include <vector>

#include "trainer/rollout/conversation.h"

namespace wend::rollout {

// A prompt and what is written behind it.
struct Demonstration {
  Prompt::Kind kind = Prompt::Kind::response;
  std::vector<int32_t> prompt, written;  // `written` ends with the end token
};

// Of the whole gold dialogue: for each reply, the blocks that are drafted before it, as the belief state renders them,
// then the reply. Texts that have no gold (a summary) are left empty, and are not demonstrated.
Result<std::vector<Demonstration>> demonstrate(const Setting& setting, const Task& task);

}  // namespace wend::rollout
