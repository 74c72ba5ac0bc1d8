// ContextStrategy: what a model is shown of a dialogue before each of its replies, by a `context` of a spec
// (docs/contexts.md).
//
// Where a model has to write something first (a draft, a summary), the strategy says what to ask, and goes on with the
// answer. It calls nobody, so that whoever runs many dialogues can put the questions of all of them together:
//
//   Result<ContextStrategy> strategy = ContextStrategy::make(program, "self_generated");
//   Result<Step> step = strategy->begin({messages, render});
//   while (step && step->kind == Step::Kind::ask) step = strategy->answer(ask_model(step->request));
//   reply = generate(step->messages);
//
// One strategy follows one dialogue: what it keeps of earlier turns is its own. It is a value; a copy goes on alone.
#ifndef WEND_RUNTIME_CONTEXT_STRATEGY_H_
#define WEND_RUNTIME_CONTEXT_STRATEGY_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/context/message.h"
#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::context {

struct DialogueView {
  std::span<const Message> messages;  // all so far; what the model is to see comes before its reply
  // Renders the live belief state as it is now; `render` is an index of the program's. May be empty for contexts that
  // show no state.
  std::function<std::string(uint32_t render)> render;
};

// What a model is asked for.
struct Request {
  enum class Stage : uint8_t {
    draft,    // a block, as a continuation of `prefix`
    carry,    // a text that is carried from turn to turn
    compress  // a text that takes the place of messages
  };
  Stage stage = Stage::draft;
  std::string author;             // who is asked, as the spec names it: policy, scorer, summariser, guideline
  std::string subject;            // draft: the render; carry: state, facts, constraints or summary; compress: history
  std::vector<Message> messages;  // a prompt for a chat model
  std::string prefix;             // draft: how the answer begins; the answer is what comes behind it
  // carry, compress, for back ends that want no prompt: the text so far, and the messages that it is to cover as well.
  std::string earlier;
  std::vector<Message> covered;
  int64_t budget = 0;  // compress: tokens that the answer may have, 0: any
};

struct Step {
  enum class Kind : uint8_t { ask, done };
  Kind kind = Kind::done;
  Request request;                // ask
  std::vector<Message> messages;  // done: what the model is shown
};

const char* name(Request::Stage stage);

class ContextStrategy {
 public:
  struct Options {
    std::vector<double> params;                           // the program's; empty: its defaults
    std::function<size_t(std::string_view)> tokens = {};  // of a text; empty: four bytes each, rounded up
  };
  // `context`: "fifo" or "iacm.contexts.fifo". Fails where there is none; the error suggests the nearest one.
  static Result<ContextStrategy> make(std::shared_ptr<const Program> program, std::string_view context,
                                      Options options);
  static Result<ContextStrategy> make(std::shared_ptr<const Program> program, std::string_view context) {
    return make(std::move(program), context, Options());
  }

  const ContextInfo& info() const { return program_->info().contexts[context_]; }
  // How the belief state that the view renders must have been kept up.
  UpdatePolicy update() const { return info().update(); }
  // The belief whose state the context shows (an index of the program's), so that the view needs `render`; none: it
  // shows no state.
  std::optional<uint32_t> belief() const { return belief_; }
  // Whether it may ask a model; what it shows then depends on the answers at earlier replies.
  bool asks() const;
  // The program's params from now on.
  void use_params(std::vector<double> params) { options_.params = std::move(params); }
  // Gives a parameter of the context the value that `text` says.
  Result<void> set(std::string_view param, std::string_view text);

  // The messages for the next reply of the agent. The view must stay as it is until the step is done. A strategy that
  // has begun anew forgets the steps of the last call that were not answered.
  Result<Step> begin(const DialogueView& view);
  // Goes on after Step::Kind::ask. An answer without text is none: nothing is put in, and what was kept stays.
  Result<Step> answer(std::string_view text);

 private:
  struct Kept {  // by carry and compress
    std::string text;
    size_t covers = 0;  // it stands for the messages before this one
  };
  struct Due {
    uint32_t step;
    int64_t amount;
  };

  ContextStrategy(std::shared_ptr<const Program> program, uint32_t context, Options options);

  static uint64_t apply(void* self, uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c);
  Result<void> ask_program();
  Step advance();
  std::optional<Step> run(const Due& due);
  Step ask_for_draft(const ContextStepInfo& step);
  std::optional<Step> ask_to_keep(const Due& due);
  Step done() const;
  void select(const ContextStepInfo& step, int64_t amount);
  bool shown(size_t message) const { return message >= first_ && message >= hidden_; }
  size_t tokens(std::string_view text) const;
  size_t history_tokens() const;
  void show_kept(size_t step);
  std::vector<Message> prompt(std::string_view more) const;

  std::shared_ptr<const Program> program_;
  uint32_t context_;
  std::optional<uint32_t> belief_;
  Options options_;
  std::vector<std::optional<uint64_t>> values_;  // of the context's parameters, where they were set
  std::vector<Kept> kept_;                       // by step

  // The reply in hand.
  DialogueView view_;
  std::vector<Due> due_;
  size_t at_ = 0;       // the next of due_
  bool asked_ = false;  // due_[at_] waits for an answer
  std::optional<int64_t> bad_amount_;
  size_t head_ = 0, turn_ = 0;  // messages: where the head of system messages ends, where the last user message stands
  size_t first_ = 0;            // the first that is shown behind the head
  size_t hidden_ = 0;           // what is compressed away ends here
  std::string block_;           // written, not yet put in
  std::vector<std::string> system_;  // by step: what it puts into the system prompt
  std::string user_;                 // what goes before the last user message
};

}  // namespace wend::context

#endif  // WEND_RUNTIME_CONTEXT_STRATEGY_H_
