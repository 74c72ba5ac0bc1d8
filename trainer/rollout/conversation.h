// One dialogue between a user, the policy and tools: what has been said, the belief state that follows it, and the
// prompts that the policy is given. It samples nothing and calls nobody.
//
//   Result<Conversation> talk = Conversation::open(setting, task);
//   talk->user("Set an alarm for 7.");
//   Result<Prompt> prompt = talk->next();
//   while (prompt && prompt->kind != Prompt::Kind::response) prompt = talk->wrote(sample(prompt->tokens));
//   talk->reply(message, tokens);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/belief/dialogue.h"
#include "runtime/context/strategy.h"
#include "runtime/program.h"
#include "runtime/result.h"
#include "trainer/rollout/task.h"
#include "trainer/tokenizer/chat.h"
#include "trainer/tokenizer/tokenizer.h"

namespace wend::rollout {

// What all dialogues of a run share.
struct Setting {
  std::shared_ptr<const Program> program;  // declares the context, and the belief that it shows
  std::string context;                     // "self_generated"
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;
  tokenizer::ChatFormat format = tokenizer::ChatFormat::chatml;

  // Made by complete().
  std::shared_ptr<const belief::Engine> engine;  // none: the context shows no state
  int32_t end = 0;                               // the token that ends what the policy writes

  // Fails where the program has no such context, where it asks somebody else than the policy to write, and where the
  // tokenizer lacks a control token of the format; says which.
  static Result<Setting> complete(Setting setting);
};

struct Prompt {
  enum class Kind : uint8_t {
    draft,    // the policy goes on behind the opening tag of a block
    keep,     // a text that is carried along or takes the place of messages
    response  // an answer to the user, or calls
  };
  Kind kind = Kind::response;
  std::vector<int32_t> tokens;
  std::string subject;  // draft: the render
  std::string prefix;   // draft: what the block begins with, at the end of the prompt
};

class Conversation {
 public:
  static Result<Conversation> open(const Setting& setting, const Task& task);

  void user(std::string_view text);
  // What the policy is to write before its next reply, and then the reply itself.
  Result<Prompt> next();
  // It wrote this for the last prompt, which was no response; tokens as they were sampled, end token included.
  Result<Prompt> wrote(std::string_view text);
  // Its reply: the message that was understood, and the tokens as they were sampled; without tokens the message's text
  // is encoded.
  void reply(context::Message message, std::vector<int32_t> tokens);
  void result(const std::string& call_id, std::string_view text);

  const std::vector<context::Message>& messages() const { return messages_; }
  // A render of the belief state as it is now: what an ideal policy drafts.
  Result<std::string> rendered(std::string_view render) const;
  // A reply as tokens, end token included.
  std::vector<int32_t> reply_tokens(const context::Message& message) const;

 private:
  Conversation(const Setting& setting, const Task& task, context::ContextStrategy strategy)
      : setting_(&setting), task_(&task), strategy_(std::move(strategy)) {}

  Result<Prompt> prompt_of(Result<context::Step> step);
  Result<std::vector<int32_t>> encode(std::span<const context::Message> messages, std::string_view prefix) const;

  const Setting* setting_;
  const Task* task_;
  context::ContextStrategy strategy_;
  std::unique_ptr<belief::Dialogue> belief_;  // none: the context shows no state
  std::vector<context::Message> messages_;
  std::vector<std::vector<int32_t>> sampled_;  // of each assistant message; empty: encode its text
};

}  // namespace wend::rollout
