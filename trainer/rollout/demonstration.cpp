#include "trainer/rollout/demonstration.h"

#include <fmt/format.h>

namespace wend::rollout {
namespace {

using context::Message;
using context::Role;

// What stands before a reply: the drafts, each taught by the belief state.
Result<Prompt> draft_all(const Setting& setting, Conversation& talk, std::vector<Demonstration>& out) {
  Result<Prompt> prompt = talk.next();
  while (prompt && prompt->kind != Prompt::Kind::response) {
    if (prompt->kind == Prompt::Kind::keep) {
      prompt = talk.wrote("");
      continue;
    }
    Result<std::string> block = talk.rendered(prompt->subject);
    if (!block) return block.error();
    if (!block->starts_with(prompt->prefix)) {
      return Error{fmt::format("render `{}` does not begin with `{}`", prompt->subject, prompt->prefix)};
    }
    const std::string written = block->substr(prompt->prefix.size());
    const std::vector<tokenizer::ByteRange> all = {{0, written.size()}};
    Demonstration one{Prompt::Kind::draft, prompt->tokens, setting.tokenizer->encode(written, all)};
    one.written.push_back(setting.end);
    out.push_back(std::move(one));
    prompt = talk.wrote(written);
  }
  return prompt;
}

}  // namespace

Result<std::vector<Demonstration>> demonstrate(const Setting& setting, const Task& task) {
  Result<Conversation> talk = Conversation::open(setting, task);
  if (!talk) return talk.error();
  std::vector<Demonstration> out;
  for (const Message& message : task.messages) {
    switch (message.role) {
      case Role::system:
        break;  // those at the beginning are the conversation's already
      case Role::user:
        talk->user(message.content.value_or(""));
        break;
      case Role::tool:
        talk->result(message.tool_call_id, message.content.value_or(""));
        break;
      case Role::assistant: {
        Result<Prompt> prompt = draft_all(setting, *talk, out);
        if (!prompt) return prompt.error();
        out.push_back({Prompt::Kind::response, std::move(prompt->tokens), talk->reply_tokens(message)});
        talk->reply(message, out.back().written);
      }
    }
  }
  return out;
}

}  // namespace wend::rollout
