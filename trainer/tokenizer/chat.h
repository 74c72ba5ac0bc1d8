// Dialogues as the text that a model was trained on, byte for byte as its own template has it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/context/message.h"
#include "runtime/result.h"
#include "trainer/tokenizer/tokenizer.h"

namespace wend::tokenizer {

enum class ChatFormat : uint8_t {
  qwen3,   // ChatML with tools, thinking switched off by an empty think block
  chatml,  // the same without any think block: what was said before never changes its form
  llama3   // Llama 3.1: tools in the first user message, one call a message
};
Result<ChatFormat> chat_format(std::string_view name);

struct ChatOptions {
  bool add_generation_prompt = false;     // end where the model is to answer
  std::string_view date = "26 Jul 2024";  // llama3: "Today Date"
};

struct ChatText {
  std::string text;
  // What people, models and tools said: names of control tokens in it are mere text.
  std::vector<ByteRange> said;
  // What an assistant would have generated in each assistant message, its end token included: a rollout puts the
  // tokens there that were sampled.
  struct Reply {
    size_t message;
    ByteRange at;
  };
  std::vector<Reply> replies;
};

// `tools`: {"type": "function", "function": {...}}, or bare functions, as they are to be shown. Fails where the format
// has no place for a message (two calls at once in llama3).
Result<ChatText> render_chat(ChatFormat format, std::span<const context::Message> messages,
                             std::span<const nlohmann::ordered_json> tools, const ChatOptions& options);

// The token that ends what the assistant says.
std::string_view end_of_reply(ChatFormat format);
// All control tokens that the format writes, and the others that it treats as whole.
std::vector<std::string> control_tokens(ChatFormat format);
std::vector<std::string> added_tokens(ChatFormat format);

// How a call, or an answer with calls, is written.
std::string reply_text(ChatFormat format, const context::Message& message);

// What an assistant generated, read leniently.
struct ParsedReply {
  context::Message message;        // content and calls that could be read; calls have no ids
  std::vector<std::string> wrong;  // one finished sentence for each call that could not
};
ParsedReply parse_reply(ChatFormat format, std::string_view text);

// As Python's json.dumps(ensure_ascii=False) writes it: in one line, ", " and ": ".
std::string python_json(const nlohmann::ordered_json& json);

}  // namespace wend::tokenizer
