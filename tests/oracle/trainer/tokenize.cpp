// What our tokenizer makes of lines of JSON, for tokenizer_run.py.
//   tokenize encode FOLDER        {"text"} -> {"ids", "text"}: ids, and what they decode to
//   tokenize chat FORMAT          {"messages", "tools", "add_generation_prompt"} -> {"text"} or {"error"}
//   tokenize train FOLDER SIZE    {"text"}, all of them -> a tokenizer in the folder
//   tokenize time FOLDER          {"text"} -> seconds for all of them
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "trainer/tokenizer/chat.h"
#include "trainer/tokenizer/train.h"

namespace {

using namespace wend;
using namespace wend::tokenizer;
using Json = nlohmann::ordered_json;

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

template <class Each>
void lines(const Each& each) {
  for (std::string line; std::getline(std::cin, line);) each(Json::parse(line));
}

std::string said(const Json& json) { return json.is_string() ? json.get<std::string>() : python_json(json); }

context::Message message_of(const Json& json) {
  context::Message out;
  const auto role = json.at("role").get<std::string>();
  out.role = role == "system"      ? context::Role::system
             : role == "user"      ? context::Role::user
             : role == "assistant" ? context::Role::assistant
                                   : context::Role::tool;
  if (json.contains("content") && json["content"].is_string()) out.content = json["content"].get<std::string>();
  for (const Json& call : json.value("tool_calls", Json::array())) {
    out.tool_calls.push_back({"", call["function"]["name"], said(call["function"]["arguments"])});
  }
  return out;
}

void chat(const std::string& format) {
  const ChatFormat of = need(chat_format(format));
  lines([&](const Json& line) {
    std::vector<context::Message> messages;
    for (const Json& message : line["messages"]) messages.push_back(message_of(message));
    const auto tools = line.value("tools", std::vector<Json>());
    ChatOptions options;
    options.add_generation_prompt = line.value("add_generation_prompt", false);
    const Result<ChatText> out = render_chat(of, messages, tools, options);
    std::cout << (out ? Json{{"text", out->text}} : Json{{"error", out.error().message}}).dump() << "\n";
  });
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string what = arguments[1], where = arguments[2];
  if (what == "chat") {
    chat(where);
  } else if (what == "train" && count > 3) {
    std::vector<std::string> texts;
    lines([&](const Json& line) { texts.push_back(line["text"]); });
    TrainOptions options;
    options.size = std::atoi(arguments[3]);
    options.special = control_tokens(ChatFormat::qwen3);
    options.added = added_tokens(ChatFormat::qwen3);
    if (const Result<void> saved = need(train(texts, options)).save(where, "<|im_end|>"); !saved) return 1;
  } else {
    const Tokenizer tokenizer = need(Tokenizer::load(where));
    double seconds = 0;
    lines([&](const Json& line) {
      const auto text = line["text"].get<std::string>();
      const auto begin = std::chrono::steady_clock::now();
      const std::vector<int32_t> ids = tokenizer.encode(text);
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (what == "encode") {
        std::cout << Json{{"ids", ids}, {"text", valid_utf8(tokenizer.decode(ids))}}.dump() << "\n";
      }
    });
    if (what == "time") std::cout << seconds << "\n";
  }
  return 0;
}
