#include "compiler/driver/context_replies.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "runtime/context/stored.h"

namespace wend::driver {
namespace {

using context::ContextStrategy;
using context::Message;
using context::Request;
using context::Role;
using context::Step;

std::string stand_in(const Request& request) {
  return fmt::format("[{} of {} by {}]", name(request.stage), request.subject, request.author);
}

void hand_over(const Message& message, belief::Dialogue& state) {
  const std::string_view text = message.content ? std::string_view(*message.content) : std::string_view();
  if (message.role == Role::user) state.user(text);
  if (message.role == Role::tool) state.result(message.tool_call_id, text);
  if (message.role != Role::assistant) return;
  if (!text.empty()) state.reply(text);
  for (const context::ToolCall& call : message.tool_calls) state.call(call.id, call.name, call.arguments);
}

// One dialogue as it goes by.
class Play {
 public:
  Play(ContextStrategy strategy, std::optional<belief::Dialogue> state, const std::vector<std::string>& answers)
      : strategy_(std::move(strategy)), state_(std::move(state)), answers_(answers) {}

  Result<ContextReply> before_reply(std::span<const Message> messages) {
    ContextReply reply;
    reply.message = messages.size();
    context::DialogueView view{messages, {}};
    if (state_) {
      view.render = [&](uint32_t render) {
        state_->render(render, rendered_);
        reply.over_budget |= rendered_.over_budget;
        return rendered_.text;
      };
    }
    Result<Step> step = strategy_.begin(view);
    while (step && step->kind == Step::Kind::ask) {
      std::string answer = answered_ < answers_.size() ? answers_[answered_] : stand_in(step->request);
      ++answered_;
      reply.asked.push_back({std::move(step->request), answer});
      step = strategy_.answer(answer);
    }
    if (!step) return step.error();
    reply.messages = std::move(step->messages);
    return reply;
  }

  void go_on(const Message& message) {
    if (state_) hand_over(message, *state_);
  }

 private:
  ContextStrategy strategy_;
  std::optional<belief::Dialogue> state_;
  const std::vector<std::string>& answers_;
  size_t answered_ = 0;
  belief::Rendered rendered_;
};

}  // namespace

ContextPlayer::ContextPlayer(ContextStrategy strategy, std::shared_ptr<const belief::Engine> engine, Options options)
    : strategy_(std::move(strategy)), engine_(std::move(engine)), options_(std::move(options)) {
  options_.dialogue.policy = strategy_.update();
}

Result<void> ContextPlayer::play(const Batch& batch, uint32_t trace,
                                 const std::function<void(const ContextReply& reply)>& on_reply) const {
  std::optional<belief::Dialogue> state;
  if (engine_) {
    state.emplace(belief::Dialogue::open(engine_, belief::Tools::make(*batch.view(), batch.columns().trace_pool[trace]),
                                         options_.dialogue));
  }
  Play play(strategy_, std::move(state), options_.answers);
  const std::vector<Message> messages = context::stored_messages(batch, trace);
  uint64_t turn = 0;
  for (size_t i = 0; i <= messages.size(); ++i) {
    const bool at_end = i == messages.size();
    const bool reply_is_due =
        at_end ? i > 0 && messages[i - 1].role != Role::assistant : messages[i].role == Role::assistant;
    const bool shown = options_.turn == 0 || turn == options_.turn;
    // What a model is asked takes its turn even where it is not shown: the next answers are for later questions.
    if (reply_is_due && (shown || strategy_.asks())) {
      Result<ContextReply> reply = play.before_reply({messages.data(), i});
      if (!reply) return reply.error();
      reply->turn = turn;
      if (shown) on_reply(*reply);
    }
    if (at_end) break;
    if (messages[i].role == Role::user && ++turn > options_.turn && options_.turn > 0) break;
    play.go_on(messages[i]);
  }
  return {};
}

}  // namespace wend::driver
