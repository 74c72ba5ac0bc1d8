#include "trainer/rollout/conversation.h"

#include <fmt/format.h>

#include <algorithm>

namespace wend::rollout {
namespace {

using context::Message;
using context::Role;
using tokenizer::ByteRange;
using tokenizer::ChatText;

// The ranges that lie in [begin, end), as ranges of that part.
std::vector<ByteRange> within(const std::vector<ByteRange>& ranges, size_t begin, size_t end) {
  std::vector<ByteRange> out;
  for (const auto& [from, to] : ranges) {
    const size_t first = std::max(from, begin), last = std::min(to, end);
    if (first < last) out.emplace_back(first - begin, last - begin);
  }
  return out;
}

}  // namespace

Result<Setting> Setting::complete(Setting setting) {
  Result<uint32_t> context = setting.program->info().find_context(setting.context);
  if (!context) return context.error();
  for (const ContextStepInfo& step : setting.program->info().contexts[*context].steps) {
    if (!step.author.empty() && step.author != "policy") {
      return Error{
          fmt::format("context `{}` asks `{}` to write, and here only the policy can", setting.context, step.author)};
    }
  }
  Result<context::ContextStrategy> strategy = context::ContextStrategy::make(setting.program, setting.context);
  if (!strategy) return strategy.error();
  if (strategy->belief()) {
    const std::string& name = setting.program->info().beliefs[*strategy->belief()].name;
    Result<std::shared_ptr<const belief::Engine>> engine = belief::Engine::make(setting.program, name);
    if (!engine) return engine.error();
    setting.engine = *engine;
  }
  for (const std::string& token : tokenizer::control_tokens(setting.format)) {
    const auto id = setting.tokenizer->id_of(token);
    if (!id || !setting.tokenizer->is_special(*id)) {
      return Error{fmt::format("the tokenizer has no control token `{}`, which the chat format needs", token)};
    }
  }
  setting.end = *setting.tokenizer->id_of(tokenizer::end_of_reply(setting.format));
  return setting;
}

Result<Conversation> Conversation::open(const Setting& setting, const Task& task) {
  context::ContextStrategy::Options options;
  options.tokens = [tokenizer = setting.tokenizer](std::string_view text) { return tokenizer->encode(text).size(); };
  Result<context::ContextStrategy> strategy =
      context::ContextStrategy::make(setting.program, setting.context, std::move(options));
  if (!strategy) return strategy.error();
  Conversation out(setting, task, std::move(*strategy));
  if (setting.engine != nullptr) {
    Result<std::shared_ptr<const belief::Tools>> tools =
        belief::Tools::parse(nlohmann::ordered_json(task.tools).dump());
    if (!tools) return Error{fmt::format("{}: {}", task.id, tools.error().message)};
    belief::Options belief_options;
    belief_options.policy = out.strategy_.update();
    out.belief_ =
        std::make_unique<belief::Dialogue>(belief::Dialogue::open(setting.engine, *tools, std::move(belief_options)));
  }
  for (const Message& message : task.messages) {
    if (message.role != Role::system) break;
    out.messages_.push_back(message);
  }
  return out;
}

void Conversation::user(std::string_view text) {
  Message message;
  message.role = Role::user;
  message.content = std::string(text);
  messages_.push_back(std::move(message));
  if (belief_) belief_->user(text);
}

Result<Prompt> Conversation::next() {
  context::DialogueView view;
  view.messages = messages_;
  view.render = [belief = belief_.get()](uint32_t render) {
    belief::Rendered out;
    if (belief != nullptr) belief->render(render, out);
    return out.text;
  };
  return prompt_of(strategy_.begin(view));
}

Result<Prompt> Conversation::wrote(std::string_view text) { return prompt_of(strategy_.answer(text)); }

Result<Prompt> Conversation::prompt_of(Result<context::Step> step) {
  if (!step) return step.error();
  Prompt out;
  const bool asks = step->kind == context::Step::Kind::ask;
  if (asks) {
    const bool draft = step->request.stage == context::Request::Stage::draft;
    out.kind = draft ? Prompt::Kind::draft : Prompt::Kind::keep;
    out.subject = step->request.subject;
    out.prefix = step->request.prefix;
  }
  Result<std::vector<int32_t>> tokens = encode(asks ? step->request.messages : step->messages, out.prefix);
  if (!tokens) return tokens.error();
  out.tokens = std::move(*tokens);
  return out;
}

// What was sampled stays as it was sampled: encoding its text again may give other tokens.
Result<std::vector<int32_t>> Conversation::encode(std::span<const Message> messages, std::string_view prefix) const {
  tokenizer::ChatOptions options;
  options.add_generation_prompt = true;
  Result<ChatText> chat = tokenizer::render_chat(setting_->format, messages, task_->tools, options);
  if (!chat) return chat.error();
  chat->text += prefix;
  const tokenizer::Tokenizer& tokens = *setting_->tokenizer;
  std::vector<int32_t> out;
  size_t from = 0;
  const auto until = [&](size_t end) {
    const std::vector<ByteRange> said = within(chat->said, from, end);
    const std::vector<int32_t> part = tokens.encode(std::string_view(chat->text).substr(from, end - from), said);
    out.insert(out.end(), part.begin(), part.end());
  };
  // A context shows the last replies of the dialogue, however many: they are counted from the end.
  const size_t shown = chat->replies.size();
  for (size_t i = 0; i < shown; ++i) {
    if (sampled_.size() + i < shown) continue;
    const std::vector<int32_t>& sampled = sampled_[sampled_.size() + i - shown];
    if (sampled.empty()) continue;
    until(chat->replies[i].at.first);
    out.insert(out.end(), sampled.begin(), sampled.end());
    if (sampled.back() != setting_->end) out.push_back(setting_->end);
    from = chat->replies[i].at.second;
  }
  until(chat->text.size());
  return out;
}

void Conversation::reply(Message message, std::vector<int32_t> tokens) {
  if (belief_) {
    if (message.content && !message.content->empty()) belief_->reply(*message.content);
    for (const context::ToolCall& call : message.tool_calls) belief_->call(call.id, call.name, call.arguments);
  }
  messages_.push_back(std::move(message));
  sampled_.push_back(std::move(tokens));
}

void Conversation::result(const std::string& call_id, std::string_view text) {
  Message message;
  message.role = Role::tool;
  message.content = std::string(text);
  message.tool_call_id = call_id;
  messages_.push_back(std::move(message));
  if (belief_) belief_->result(call_id, text);
}

Result<std::string> Conversation::rendered(std::string_view render) const {
  if (!belief_) return Error{fmt::format("context `{}` has no belief state to render", setting_->context)};
  Result<uint32_t> index = setting_->engine->find_render(render);
  if (!index) return index.error();
  belief::Rendered out;
  belief_->render(*index, out);
  return out.text;
}

std::vector<int32_t> Conversation::reply_tokens(const Message& message) const {
  const std::string text = tokenizer::reply_text(setting_->format, message);
  // Calls are written with tokens of their own; what is said beside them is text.
  const size_t said = message.content ? std::min(message.content->size(), text.size()) : 0;
  const std::vector<ByteRange> literal = said > 0 ? std::vector<ByteRange>{{0, said}} : std::vector<ByteRange>{};
  std::vector<int32_t> out = setting_->tokenizer->encode(text, literal);
  out.push_back(setting_->end);
  return out;
}

}  // namespace wend::rollout
