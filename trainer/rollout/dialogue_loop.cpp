#include "trainer/rollout/dialogue_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "runtime/random.h"
#include "runtime/tools/import.h"

namespace wend::rollout {
namespace {

using context::Message;
using context::Role;
using context::ToolCall;

// The mock that answers a task's calls, and the pool that it reads.
class Backend {
 public:
  Backend(const Task& task, const LoopOptions& options, uint64_t seed)
      : pool_(tools::import_tools(tools::Json(task.tools), tools::ToolFormat::openai).tools, tools::Values()),
        mock_(pool_, options.strictness, seed) {
    std::map<std::string, std::string> results;
    for (const Message& message : task.messages) {
      if (message.role == Role::tool) results[message.tool_call_id] = message.content.value_or("");
      if (message.role == Role::system) mock_.hear(message.content.value_or(""));
    }
    for (const Message& message : task.messages) {
      for (const ToolCall& call : message.tool_calls) mock_.expect(call.name, call.arguments, results[call.id]);
    }
  }
  mock::MockTools& tools() { return mock_; }

 private:
  tools::Pool pool_;
  mock::MockTools mock_;
};

std::string error_json(std::string_view code, std::string_view message) {
  return nlohmann::ordered_json({{"error", {{"code", code}, {"message", message}}}}).dump();
}

// One dialogue on its way.
class Running {
 public:
  Running(const Setting& setting, const Task& task, size_t index, const LoopOptions& options)
      : setting_(setting),
        task_(task),
        options_(options),
        backend_(task, options, seed_of(options.seed, "mock", index)) {
    out_.task = index;
    for (const Message& message : task.messages) {
      if (message.role == Role::user) users_.push_back(message.content.value_or(""));
    }
    Result<Conversation> talk = Conversation::open(setting, task);
    if (talk) {
      talk_.emplace(std::move(*talk));
    } else {
      out_.end = End::failed;
      out_.problem = talk.error().message;
    }
  }

  // What the policy has to write next; none: the dialogue is over.
  std::optional<GenerationRequest> begin() {
    if (!talk_) return {};
    return next_turn() ? ask(talk_->next()) : std::nullopt;
  }

  std::optional<GenerationRequest> take(Completion done) {
    if (done.reason == StopReason::capacity && done.tokens.empty()) return over(End::capacity);
    Written written{prompt_.kind,
                    turn_,
                    std::move(prompt_.tokens),
                    std::move(done.tokens),
                    std::move(done.log_probs),
                    done.reason != StopReason::stop};
    out_.written.push_back(std::move(written));
    const Written& last = out_.written.back();
    const std::string text = tokenizer::valid_utf8(setting_.tokenizer->decode(last.tokens, true));
    if (last.kind != Prompt::Kind::response) return ask(talk_->wrote(text));
    return reply(text, last);
  }

  Episode finish() {
    if (talk_) out_.messages = talk_->messages();
    out_.refusals = backend_.tools().counts();
    return std::move(out_);
  }

 private:
  std::optional<GenerationRequest> over(End end) {
    out_.end = end;
    return {};
  }

  bool next_turn() {
    if (turn_ == users_.size()) {
      over(End::finished);
      return false;
    }
    if (static_cast<int64_t>(turn_) == options_.user_turns || replies_ >= options_.replies) {
      over(End::turns);
      return false;
    }
    backend_.tools().hear(users_[turn_]);
    talk_->user(users_[turn_++]);
    replies_in_turn_ = 0;
    return true;
  }

  std::optional<GenerationRequest> ask(Result<Prompt> prompt) {
    if (!prompt) {
      out_.problem = prompt.error().message;
      return over(End::failed);
    }
    prompt_ = std::move(*prompt);
    GenerationRequest request;
    request.session = out_.task;
    request.prompt = prompt_.tokens;
    request.sampling = {options_.temperature, options_.top_p,
                        seed_of(seed_of(options_.seed, "text", out_.task), "piece", out_.written.size())};
    request.stop = {setting_.end};
    request.most = prompt_.kind == Prompt::Kind::response ? options_.most_response : options_.most_draft;
    return request;
  }

  std::optional<GenerationRequest> reply(const std::string& text, const Written& last) {
    tokenizer::ParsedReply parsed = tokenizer::parse_reply(setting_.format, text);
    out_.malformed += parsed.wrong.size();
    Message& message = parsed.message;
    for (ToolCall& call : message.tool_calls) call.id = fmt::format("call_{}", ++calls_);
    const std::vector<ToolCall> calls = message.tool_calls;
    talk_->reply(std::move(message), last.tokens);
    ++replies_;
    ++replies_in_turn_;
    for (const ToolCall& call : calls) {
      const mock::Reply answer = backend_.tools().call(call.name, call.arguments);
      talk_->result(call.id, answer.text);
    }
    // What could not be read is answered as well, so that the policy can mend it.
    for (const std::string& wrong : parsed.wrong) talk_->result("", error_json("malformed_call", wrong));
    const bool called = !calls.empty() || !parsed.wrong.empty();
    if (called && replies_ >= options_.replies) return over(End::turns);
    if (called && replies_in_turn_ < options_.replies_per_turn) return ask(talk_->next());
    return next_turn() ? ask(talk_->next()) : std::nullopt;
  }

  const Setting& setting_;
  const Task& task_;
  const LoopOptions& options_;
  Backend backend_;
  std::optional<Conversation> talk_;
  std::vector<std::string> users_;
  Prompt prompt_;
  Episode out_;
  uint32_t turn_ = 0;
  int64_t replies_ = 0, replies_in_turn_ = 0;
  uint64_t calls_ = 0;
};

}  // namespace

std::vector<Episode> run_dialogues(const Setting& setting, Generator& generator, std::span<const Task> tasks,
                                   const LoopOptions& options) {
  std::vector<Episode> out(tasks.size());
  std::map<uint64_t, std::unique_ptr<Running>> running;
  size_t next = 0;
  const auto go_on = [&](uint64_t session, std::optional<GenerationRequest> request) {
    if (request) return generator.submit(std::move(*request));
    generator.release(session);
    out[session] = running[session]->finish();
    running.erase(session);
  };
  while (next < tasks.size() || !running.empty()) {
    // As many as have a slot of their own: more would only take each other's.
    while (next < tasks.size() && static_cast<int64_t>(running.size()) < generator.options().slots) {
      running[next] = std::make_unique<Running>(setting, tasks[next], next, options);
      const size_t session = next++;
      go_on(session, running[session]->begin());
    }
    for (Completion& done : generator.step()) {
      const uint64_t session = done.session;
      go_on(session, running[session]->take(std::move(done)));
    }
  }
  return out;
}

}  // namespace wend::rollout
