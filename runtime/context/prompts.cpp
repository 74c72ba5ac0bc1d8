#include "runtime/context/prompts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/draft/shape.h"

namespace wend::context {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const size_t begin = text.find_first_not_of(kWhite);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kWhite) + 1 - begin);
}

std::string between_tags(std::string_view tag, std::string_view text) {
  return fmt::format("<{0}>\n{1}\n</{0}>", tag, text);
}

// The text with no closing tag of this name in it, whatever its spelling.
std::string contained(std::string_view text, const std::string& tag) {
  const DraftShape shape(tag, {});
  std::string out;
  uint32_t at = 0;
  for (DraftTag found; next_tag(shape, text, at, found);) {
    out += text.substr(at, found.at.begin - at);
    out += found.names == kTheBlock && found.closes ? "&lt;" : "<";
    at = found.at.begin + 1;
  }
  return out.append(text.substr(at));
}

// state -> State
std::string tag_for(std::string_view what) {
  std::string tag(what);
  tag[0] = static_cast<char>(tag[0] - 'a' + 'A');
  return tag;
}

std::string_view explained(std::string_view what) {
  if (what == "state")
    return "what the user wants now, the values that hold, what was done and what came of it, what is still missing";
  if (what == "facts") return "what is known from the user and from the results of tools";
  if (what == "constraints") return "what the user wants to be kept to, and what to be avoided";
  return "what was wanted, said and done, and what came of it";
}

std::string transcript(std::span<const Message> messages) {
  std::string text;
  const auto line = [&](std::string_view who, std::string_view what) { text += fmt::format("{}: {}\n", who, what); };
  for (const Message& m : messages) {
    constexpr const char* kSpeakers[] = {"system", "user", "assistant", "result"};
    if (m.content) line(kSpeakers[static_cast<size_t>(m.role)], *m.content);
    for (const ToolCall& call : m.tool_calls) line("assistant calls", call.name + call.arguments);
  }
  return std::string(trimmed(text));
}

}  // namespace

std::string rendered_block(const RenderInfo& render, std::string_view text) {
  return render.xml ? std::string(text) : between_tags(tag_of(render.name), text);
}

std::string draft_prefix(const RenderInfo& render) { return fmt::format("<{}>\n", tag_of(render.name)); }

std::string drafted_block(const RenderInfo& render, std::string_view written) {
  const std::string name = tag_of(render.name);
  const DraftShape shape = DraftShape::of(render, name);
  DraftTag tag;
  for (uint32_t at = 0; next_tag(shape, written, at, tag); at = tag.at.begin + 1) {
    if (tag.names == kTheBlock && !tag.closes) {  // it was opened once more
      written.remove_prefix(tag.at.end);
      break;
    }
    if (tag.names == kTheBlock) break;
  }
  std::string body;
  const auto add = [&](std::string_view text) {
    for (char c : text) body += c == '<' ? std::string("\\u003c") : std::string(1, c);
  };
  uint32_t at = 0;
  while (next_tag(shape, written, at, tag)) {
    if (tag.names == kTheBlock && tag.closes) {
      written = written.substr(0, tag.at.begin);
      break;
    }
    add(written.substr(at, tag.at.begin - at));
    if (tag.names < shape.size() && render.xml) {
      body += written.substr(tag.at.begin, tag.at.end - tag.at.begin);
    } else {
      add(written.substr(tag.at.begin, tag.at.end - tag.at.begin));
    }
    at = tag.at.end;
  }
  add(written.substr(at));
  const std::string_view block = trimmed(body);
  return block.empty() ? "" : between_tags(name, block);
}

std::string draft_instruction(const RenderInfo& render, std::string_view summary) {
  std::vector<std::string_view> names;
  for (const RenderBlockInfo& block : render.blocks) names.push_back(block.name);
  std::string text = fmt::format(
      "Before the next answer, write the block {0}: what holds now in this dialogue. {1} {2}. Write nothing behind "
      "</{0}>.",
      tag_of(render.name),
      render.xml ? "It has one line of JSON between the tags of each of" : "It is one JSON object with the members",
      fmt::join(names, ", "));
  if (!summary.empty()) text += fmt::format("\nThe state so far:\n{}", summary);
  return text;
}

std::string kept_block(std::string_view what, std::string_view text) {
  const std::string tag = tag_for(what);
  return between_tags(tag, contained(trimmed(text), tag));
}

std::vector<Message> keeping_prompt(std::string_view what, std::string_view earlier, std::span<const Message> messages,
                                    int64_t budget) {
  Message system{Role::system, {}, {}, {}}, user{Role::user, {}, {}, {}};
  const std::string limit = budget > 0 ? fmt::format(", in at most {} tokens", budget) : "";
  system.content = fmt::format(
      "A user and an assistant with tools are in a dialogue. The assistant will not see the messages below again, only "
      "the {0} that you keep for it: {1}. Write the {0} anew and in full{2}: what still holds of the {0} so far, "
      "changed "
      "by the messages. Write values exactly as they were given, and name those that no longer hold. Answer with the "
      "{0} alone.",
      what, explained(what), limit);
  const std::string so_far = trimmed(earlier).empty() ? "" : kept_block(what, earlier) + "\n";
  user.content = so_far + between_tags("Messages", contained(transcript(messages), "Messages"));
  return {std::move(system), std::move(user)};
}

}  // namespace wend::context
