// A stored dialogue played through a context strategy: what the model is shown before each reply.
#ifndef WEND_COMPILER_DRIVER_CONTEXT_REPLIES_H_
#define WEND_COMPILER_DRIVER_CONTEXT_REPLIES_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/belief/dialogue.h"
#include "runtime/context/strategy.h"
#include "runtime/data/batch.h"
#include "runtime/result.h"

namespace wend::driver {

// A model that was asked on the way to a reply.
struct AskedModel {
  context::Request request;
  std::string answer;
};

struct ContextReply {
  uint64_t turn = 0;         // from 1; 0 before the first user message
  uint64_t message = 0;      // the reply's place among the messages, from 0
  bool over_budget = false;  // a block that it shows is larger than its render's budget allows
  std::vector<AskedModel> asked;
  std::vector<context::Message> messages;
};

class ContextPlayer {
 public:
  struct Options {
    belief::Options dialogue;          // its update policy is the strategy's
    std::vector<std::string> answers;  // of models, in order; behind the last, marks stand
    uint64_t turn = 0;                 // only the replies of this turn; 0: all
  };

  // `engine` may be null where the strategy shows no belief state.
  ContextPlayer(context::ContextStrategy strategy, std::shared_ptr<const belief::Engine> engine, Options options);

  // Calls `on_reply` for each reply as soon as it is known, so that only one is held at a time. Fails where an amount
  // of the context is out of range.
  Result<void> play(const Batch& batch, uint32_t trace,
                    const std::function<void(const ContextReply& reply)>& on_reply) const;

 private:
  context::ContextStrategy strategy_;
  std::shared_ptr<const belief::Engine> engine_;
  Options options_;
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_CONTEXT_REPLIES_H_
