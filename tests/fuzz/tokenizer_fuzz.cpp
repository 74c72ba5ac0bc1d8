// Any bytes as text: what is encoded decodes to the same (mended) text, whole or as a stream. Any JSON as a
// tokenizer.json or as what a model said: read, or refused with a cause.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/data/text.h"
#include "trainer/tokenizer/chat.h"
#include "trainer/tokenizer/train.h"

namespace {

using namespace wend::tokenizer;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

const Tokenizer& tokenizer() {
  static const Tokenizer made = [] {
    TrainOptions options;
    options.size = 330;
    options.special = control_tokens(ChatFormat::qwen3);
    options.added = added_tokens(ChatFormat::qwen3);
    const std::vector<std::string> texts(4, "Actually, make it 6:30 instead of 7:00, and tell Ida about it.");
    return *train(texts, options);
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<int32_t> ids = tokenizer().encode(text);
  const std::string back = tokenizer().decode(ids);
  require(wend::to_nfc(back) == wend::to_nfc(valid_utf8(text)), "another text comes back");
  DecodeStream stream(tokenizer(), false);
  std::string streamed;
  for (const int32_t id : ids) streamed += stream.feed(id);
  require(streamed + stream.flush() == back, "a stream says something else");
  for (const ChatFormat format : {ChatFormat::qwen3, ChatFormat::llama3}) {
    const ParsedReply reply = parse_reply(format, text);
    for (const std::string& cause : reply.wrong) require(!cause.empty(), "no cause");
  }
  const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!json.is_discarded()) {
    const wend::Result<Tokenizer> read = Tokenizer::parse(json, "x");
    require(read.ok() || read.error().message.starts_with("x: "), "no cause");
  }
  return 0;
}
