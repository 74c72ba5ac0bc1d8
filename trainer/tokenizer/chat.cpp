#include "trainer/tokenizer/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "runtime/data/text.h"
#include "runtime/data/utf8.h"
#include "runtime/suggestion.h"

namespace wend::tokenizer {
namespace {

using context::Message;
using context::Role;
using context::ToolCall;
using Json = nlohmann::ordered_json;

constexpr std::string_view kFormats[] = {"qwen3", "chatml", "llama3"};
constexpr std::string_view kEmptyThink = "<think>\n\n</think>\n\n";

std::string_view name_of(Role role) {
  constexpr std::string_view kNames[] = {"system", "user", "assistant", "tool"};
  return kNames[static_cast<size_t>(role)];
}

std::string_view content_of(const Message& message) {
  return message.content ? std::string_view(*message.content) : std::string_view();
}

// What Python's str.strip() takes away.
bool is_space(uint32_t c) {
  if (c <= ' ') return c == ' ' || (c >= 9 && c <= 13) || c >= 0x1C;
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string_view trimmed(std::string_view text) {
  if (valid_utf8_prefix(text) != text.size()) return text;
  const char *begin = text.data(), *end = begin, *p = begin;
  bool started = false;
  while (p < text.data() + text.size()) {
    const char* const at = p;
    const bool space = is_space(take_utf8(p));
    if (!space && !started) begin = at;
    started |= !space;
    if (!space) end = p;
  }
  return {begin, static_cast<size_t>(end - begin)};
}

std::string_view without_leading_newlines(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

// Text in the making: markup is the format's own, said is somebody's.
class Writer {
 public:
  void markup(std::string_view text) { out_.text += text; }
  void said(std::string_view text) {
    if (text.empty()) return;
    const size_t begin = out_.text.size();
    out_.text += text;
    if (!out_.said.empty() && out_.said.back().second == begin) {
      out_.said.back().second = out_.text.size();
    } else {
      out_.said.emplace_back(begin, out_.text.size());
    }
  }
  void begin_reply(size_t message) { out_.replies.push_back({message, {out_.text.size(), 0}}); }
  void end_reply() { out_.replies.back().at.second = out_.text.size(); }
  ChatText take() { return std::move(out_); }

 private:
  ChatText out_;
};

class ChatMl {
 public:
  ChatMl(bool think, std::span<const Message> messages, std::span<const Json> tools)
      : think_(think), messages_(messages), tools_(tools) {}

  ChatText render(const ChatOptions& options) {
    const bool system = !messages_.empty() && messages_[0].role == Role::system;
    if (!tools_.empty()) {
      out_.markup("<|im_start|>system\n");
      if (system) {
        out_.said(content_of(messages_[0]));
        out_.markup("\n\n");
      }
      write_tools();
    } else if (system) {
      turn("system", content_of(messages_[0]));
    }
    find_last_query();
    for (size_t i = system ? 1 : 0; i < messages_.size(); ++i) message(i);
    if (options.add_generation_prompt) {
      out_.markup("<|im_start|>assistant\n");
      if (think_) out_.markup(kEmptyThink);
    }
    return out_.take();
  }

  static void write_calls(const Message& message, bool behind_content, Writer& out) {
    for (const ToolCall& call : message.tool_calls) {
      if (behind_content) out.markup("\n");
      behind_content = true;
      out.markup("<tool_call>\n{\"name\": \"");
      out.said(call.name);
      out.markup("\", \"arguments\": ");
      out.said(call.arguments);
      out.markup("}\n</tool_call>");
    }
  }

 private:
  void turn(std::string_view role, std::string_view content) {
    out_.markup(fmt::format("<|im_start|>{}\n", role));
    out_.said(content);
    out_.markup("<|im_end|>\n");
  }

  void write_tools() {
    out_.markup(
        "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with "
        "function "
        "signatures within <tools></tools> XML tags:\n<tools>");
    for (const Json& tool : tools_) {
      out_.markup("\n");
      out_.said(python_json(tool));
    }
    out_.markup(
        "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
        "<tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": "
        "<args-json-object>}\n</tool_call><|im_end|>\n");
  }

  // Messages behind the last thing that a user asked keep their think block.
  void find_last_query() {
    last_query_ = messages_.empty() ? 0 : messages_.size() - 1;
    for (size_t i = messages_.size(); i-- > 0;) {
      const std::string_view content = content_of(messages_[i]);
      const bool response = content.starts_with("<tool_response>") && content.ends_with("</tool_response>");
      if (messages_[i].role == Role::user && messages_[i].content && !response) {
        last_query_ = i;
        return;
      }
    }
  }

  void message(size_t i) {
    const Message& m = messages_[i];
    switch (m.role) {
      case Role::system:
      case Role::user:
        return turn(name_of(m.role), content_of(m));
      case Role::assistant:
        return assistant(i);
      case Role::tool:
        if (i == 0 || messages_[i - 1].role != Role::tool) out_.markup("<|im_start|>user");
        out_.markup("\n<tool_response>\n");
        out_.said(content_of(m));
        out_.markup("\n</tool_response>");
        if (i + 1 == messages_.size() || messages_[i + 1].role != Role::tool) out_.markup("<|im_end|>\n");
    }
  }

  void assistant(size_t i) {
    const Message& m = messages_[i];
    std::string_view content = content_of(m), reasoning;
    if (think_) split_reasoning(content, reasoning);
    out_.markup("<|im_start|>assistant\n");
    if (think_ && i > last_query_ && (i + 1 == messages_.size() || !reasoning.empty())) {
      out_.markup("<think>\n");
      out_.said(reasoning);
      out_.markup("\n</think>\n\n");
      out_.begin_reply(i);
      const std::string_view rest = without_leading_newlines(content);
      out_.said(rest);
    } else {
      out_.begin_reply(i);
      out_.said(content);
    }
    write_calls(m, !content.empty(), out_);
    out_.markup("<|im_end|>");
    out_.end_reply();
    out_.markup("\n");
  }

  // As the template has it: what stands behind the last closing tag is the answer.
  static void split_reasoning(std::string_view& content, std::string_view& reasoning) {
    constexpr std::string_view kOpen = "<think>", kClose = "</think>";
    const size_t close = content.find(kClose);
    if (close == std::string_view::npos) return;
    reasoning = content.substr(0, close);
    while (reasoning.ends_with('\n')) reasoning.remove_suffix(1);
    if (const size_t open = reasoning.rfind(kOpen); open != std::string_view::npos) {
      reasoning.remove_prefix(open + kOpen.size());
    }
    reasoning = without_leading_newlines(reasoning);
    while (reasoning.ends_with('\n')) reasoning.remove_suffix(1);
    content = without_leading_newlines(content.substr(content.rfind(kClose) + kClose.size()));
  }

  bool think_;
  std::span<const Message> messages_;
  std::span<const Json> tools_;
  Writer out_;
  size_t last_query_ = 0;
};

class Llama3 {
 public:
  Llama3(std::span<const Message> messages, std::span<const Json> tools) : messages_(messages), tools_(tools) {}

  Result<ChatText> render(const ChatOptions& options) {
    out_.markup("<|begin_of_text|>");
    size_t at = 0;
    std::string_view system;
    if (!messages_.empty() && messages_[0].role == Role::system) system = trimmed(content_of(messages_[at++]));
    header("system");
    if (!tools_.empty()) out_.markup("Environment: ipython\n");
    out_.markup(fmt::format("Cutting Knowledge Date: December 2023\nToday Date: {}\n\n", options.date));
    out_.said(system);
    out_.markup("<|eot_id|>");
    if (!tools_.empty()) {
      if (at == messages_.size()) return Error{"llama3 has no place for tools without a user message"};
      header("user");
      write_tools();
      out_.said(trimmed(content_of(messages_[at++])));
      out_.markup("<|eot_id|>");
    }
    for (; at < messages_.size(); ++at) {
      if (Result<void> written = message(at); !written) return written.error();
    }
    if (options.add_generation_prompt) header("assistant");
    return out_.take();
  }

  static void write_call(const ToolCall& call, Writer& out) {
    out.markup("{\"name\": \"");
    out.said(call.name);
    out.markup("\", \"parameters\": ");
    out.said(call.arguments);
    out.markup("}");
  }

 private:
  void header(std::string_view role) { out_.markup(fmt::format("<|start_header_id|>{}<|end_header_id|>\n\n", role)); }

  void write_tools() {
    out_.markup(
        "Given the following functions, please respond with a JSON for a function call with its proper arguments that "
        "best answers the given prompt.\n\nRespond in the format {\"name\": function name, \"parameters\": dictionary "
        "of argument name and its value}.Do not use variables.\n\n");
    for (const Json& tool : tools_) {
      out_.said(tool.dump(4));
      out_.markup("\n\n");
    }
  }

  Result<void> message(size_t i) {
    const Message& m = messages_[i];
    if (m.role == Role::tool) {
      header("ipython");
      out_.said(Json(content_of(m)).dump());
      out_.markup("<|eot_id|>");
      return {};
    }
    header(name_of(m.role));
    if (m.role == Role::assistant) out_.begin_reply(i);
    if (m.tool_calls.empty()) {
      out_.said(trimmed(content_of(m)));
    } else {
      if (m.tool_calls.size() > 1) return Error{"llama3 has no place for several calls in one message"};
      write_call(m.tool_calls[0], out_);
    }
    out_.markup("<|eot_id|>");
    if (m.role == Role::assistant) out_.end_reply();
    return {};
  }

  std::span<const Message> messages_;
  std::span<const Json> tools_;
  Writer out_;
};

// One call as JSON: {"name", "arguments" or "parameters"}.
void parse_call(std::string_view text, ParsedReply& out) {
  const Json call = Json::parse(text, nullptr, false);
  if (!call.is_object()) {
    out.wrong.push_back(fmt::format("a call is a JSON object {{\"name\", \"arguments\"}}, not `{}`",
                                    text.substr(0, text.size() > 80 ? valid_utf8_prefix(text.substr(0, 80)) : 80)));
    return;
  }
  const auto name = call.find("name");
  auto arguments = call.find("arguments");
  if (arguments == call.end()) arguments = call.find("parameters");
  if (name == call.end() || !name->is_string() || name->get<std::string>().empty()) {
    out.wrong.emplace_back("a call needs a `name`");
    return;
  }
  Json object = arguments == call.end() ? Json() : *arguments;
  if (object.is_string()) object = Json::parse(object.get<std::string>(), nullptr, false);
  if (!object.is_object()) {
    out.wrong.push_back(fmt::format("the `arguments` of `{}` are no JSON object", name->get<std::string>()));
    return;
  }
  out.message.tool_calls.push_back({"", name->get<std::string>(), python_json(object)});
}

ParsedReply parse_chatml(std::string_view text) {
  constexpr std::string_view kOpen = "<tool_call>", kClose = "</tool_call>", kThought = "</think>";
  ParsedReply out;
  out.message.role = Role::assistant;
  if (const size_t thought = text.rfind(kThought); thought != std::string_view::npos) {
    text.remove_prefix(thought + kThought.size());
  }
  std::string content;
  while (!text.empty()) {
    const size_t open = text.find(kOpen);
    content += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + kOpen.size());
    const size_t close = text.find(kClose);
    if (close == std::string_view::npos) {
      out.wrong.push_back(fmt::format("a call does not end with {}", kClose));
      break;
    }
    parse_call(trimmed(text.substr(0, close)), out);
    text.remove_prefix(close + kClose.size());
  }
  if (const std::string_view rest = trimmed(content); !rest.empty()) out.message.content = std::string(rest);
  return out;
}

ParsedReply parse_llama3(std::string_view text) {
  ParsedReply out;
  out.message.role = Role::assistant;
  const std::string_view rest = trimmed(text);
  if (rest.starts_with('{') && rest.find("\"name\"") != std::string_view::npos) {
    parse_call(rest, out);
  } else if (!rest.empty()) {
    out.message.content = std::string(rest);
  }
  return out;
}

void write_python(const Json& json, std::string& out) {
  if (json.is_object()) {
    out += '{';
    for (auto member = json.begin(); member != json.end(); ++member) {
      if (member != json.begin()) out += ", ";
      out += Json(member.key()).dump();
      out += ": ";
      write_python(member.value(), out);
    }
    out += '}';
  } else if (json.is_array()) {
    out += '[';
    for (size_t i = 0; i < json.size(); ++i) {
      if (i > 0) out += ", ";
      write_python(json[i], out);
    }
    out += ']';
  } else {
    out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

}  // namespace

Result<ChatFormat> chat_format(std::string_view name) {
  const auto found = std::find(std::begin(kFormats), std::end(kFormats), name);
  if (found != std::end(kFormats)) return static_cast<ChatFormat>(found - std::begin(kFormats));
  const std::vector<std::string_view> names(std::begin(kFormats), std::end(kFormats));
  return Error{fmt::format("no chat format is called `{}`{}; the formats are qwen3, chatml and llama3", name,
                           suggestion(name, names))};
}

Result<ChatText> render_chat(ChatFormat format, std::span<const Message> messages, std::span<const Json> tools,
                             const ChatOptions& options) {
  if (format == ChatFormat::llama3) return Llama3(messages, tools).render(options);
  return ChatMl(format == ChatFormat::qwen3, messages, tools).render(options);
}

std::string_view end_of_reply(ChatFormat format) { return format == ChatFormat::llama3 ? "<|eot_id|>" : "<|im_end|>"; }

std::vector<std::string> control_tokens(ChatFormat format) {
  if (format == ChatFormat::llama3) {
    return {"<|begin_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>"};
  }
  return {"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
}

std::vector<std::string> added_tokens(ChatFormat format) {
  if (format == ChatFormat::llama3) return {};
  std::vector<std::string> out = {"<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>"};
  if (format == ChatFormat::qwen3) out.insert(out.end(), {"<think>", "</think>"});
  return out;
}

std::string reply_text(ChatFormat format, const Message& message) {
  Writer out;
  if (format == ChatFormat::llama3) {
    if (message.tool_calls.empty()) {
      out.said(trimmed(content_of(message)));
    } else {
      Llama3::write_call(message.tool_calls[0], out);
    }
  } else {
    out.said(content_of(message));
    ChatMl::write_calls(message, !content_of(message).empty(), out);
  }
  return out.take().text;
}

ParsedReply parse_reply(ChatFormat format, std::string_view text) {
  return format == ChatFormat::llama3 ? parse_llama3(text) : parse_chatml(text);
}

std::string python_json(const Json& json) {
  std::string out;
  write_python(json, out);
  return out;
}

}  // namespace wend::tokenizer
