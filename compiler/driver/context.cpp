// `wend context`: what a model is shown of a dialogue before each of its replies.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/dialogue.h"
#include "compiler/driver/files.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/selection.h"
#include "compiler/driver/spec.h"
#include "compiler/source/visible.h"
#include "runtime/belief/dialogue.h"
#include "runtime/context/stored.h"
#include "runtime/context/strategy.h"

namespace wend::driver {
namespace {

using context::ContextStrategy;
using context::Message;
using context::Request;
using context::Role;
using context::Step;
using Json = nlohmann::ordered_json;

struct ContextOptions {
  SpecOptions spec;
  DataOptions data;
  std::string context, id, answers;
  uint64_t turn = 0;
  bool all = false, json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend context specs/iacm/contexts.wend runs.jsonl --context fifo --set k=2
  wend context specs/iacm/contexts.wend runs.jsonl --context oracle --id alarm-1 --turn 2
  wend context specs/iacm/contexts.wend runs.jsonl --context mem1 --model-answers answers.json --json
Where a model would be asked first, the request is shown; its answer comes from the file, else a mark stands for it.
Exit codes: 0 fine, 1 no such dialogue, or the input had errors, 2 usage.)";

struct Ask {
  Request request;
  std::string answer;
};

// What is shown before one reply.
struct Shown {
  uint64_t turn = 0;
  size_t message = 0;  // the reply's place among the messages
  std::vector<Ask> asks;
  std::vector<Message> messages;
};

std::string stand_in(const Request& request) {
  return fmt::format("[{} of {} by {}]", name(request.stage), request.subject, request.author);
}

class Player {
 public:
  Player(const Spec& spec, ContextStrategy strategy, std::shared_ptr<const belief::Engine> engine,
         std::vector<std::string> answers)
      : spec_(spec), strategy_(std::move(strategy)), engine_(std::move(engine)), answers_(std::move(answers)) {}

  Result<std::vector<Shown>> play(const Batch& batch, uint32_t trace) const {
    ContextStrategy strategy = strategy_;
    std::optional<belief::Dialogue> state;
    if (engine_) {
      belief::Options options;
      options.policy = strategy.update();
      options.params = spec_.params;
      auto tools = belief::Tools::make(*batch.view(), batch.columns().trace_pool[trace]);
      state.emplace(belief::Dialogue::open(engine_, std::move(tools), std::move(options)));
    }
    const std::vector<Message> messages = context::stored_messages(batch, trace);
    std::vector<Shown> out;
    size_t answered = 0;
    uint64_t turn = 0;
    for (size_t i = 0; i <= messages.size(); ++i) {
      const bool open_end = i == messages.size() && i > 0 && messages[i - 1].role != Role::assistant;
      if (open_end || (i < messages.size() && messages[i].role == Role::assistant)) {
        Result<Shown> shown = before_reply({messages.data(), i}, state, strategy, answered);
        if (!shown) return shown.error();
        shown->turn = turn;
        out.push_back(std::move(*shown));
      }
      if (i == messages.size()) break;
      turn += messages[i].role == Role::user ? 1 : 0;
      if (state) hand_over(messages[i], *state);
    }
    return out;
  }

 private:
  Result<Shown> before_reply(std::span<const Message> messages, const std::optional<belief::Dialogue>& state,
                             ContextStrategy& strategy, size_t& answered) const {
    context::DialogueView view{messages, {}};
    if (state) {
      view.render = [&](uint32_t render) {
        belief::Rendered rendered;
        state->render(render, rendered);
        return rendered.text;
      };
    }
    Shown shown;
    shown.message = messages.size();
    Result<Step> step = strategy.begin(view);
    while (step && step->kind == Step::Kind::ask) {
      std::string answer = answered < answers_.size() ? answers_[answered] : stand_in(step->request);
      ++answered;
      shown.asks.push_back({std::move(step->request), answer});
      step = strategy.answer(answer);
    }
    if (!step) return step.error();
    shown.messages = std::move(step->messages);
    return shown;
  }

  static void hand_over(const Message& message, belief::Dialogue& state) {
    const std::string_view text = message.content ? std::string_view(*message.content) : std::string_view();
    if (message.role == Role::user) state.user(text);
    if (message.role == Role::tool) state.result(message.tool_call_id, text);
    if (message.role != Role::assistant) return;
    if (!text.empty()) state.reply(text);
    for (const context::ToolCall& call : message.tool_calls) state.call(call.id, call.name, call.arguments);
  }

  const Spec& spec_;
  ContextStrategy strategy_;
  std::shared_ptr<const belief::Engine> engine_;
  std::vector<std::string> answers_;
};

// ---- output ----

Json messages_as_json(std::span<const Message> messages) { return Json::parse(context::messages_json(messages)); }

std::string printed_json(const std::string& id, const std::string& context, const std::vector<Shown>& all) {
  Json replies = Json::array();
  for (const Shown& shown : all) {
    Json asked = Json::array();
    for (const Ask& ask : shown.asks) {
      const Request& r = ask.request;
      asked.push_back({{"stage", name(r.stage)},
                       {"author", r.author},
                       {"subject", r.subject},
                       {"budget", r.budget},
                       {"messages", messages_as_json(r.messages)},
                       {"prefix", r.prefix},
                       {"answer", ask.answer}});
    }
    replies.push_back({{"turn", shown.turn},
                       {"message", shown.message},
                       {"asked", asked},
                       {"messages", messages_as_json(shown.messages)}});
  }
  const Json out = {{"id", id}, {"context", context}, {"replies", replies}};
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string printed_text(const std::string& id, const std::string& context, const std::vector<Shown>& all) {
  std::string text = fmt::format("{}: context {}\n", id, context);
  for (const Shown& shown : all) {
    text += fmt::format("turn {}, before message {}\n", shown.turn, shown.message);
    for (const Ask& ask : shown.asks) {
      const Request& r = ask.request;
      const std::string budget = r.budget > 0 ? fmt::format(" in {} tokens", r.budget) : "";
      text += fmt::format("  ask {} to {} {}{}: {}\n", r.author, name(r.stage), r.subject, budget,
                          messages_json(r.messages, "  "));
      if (!r.prefix.empty()) text += fmt::format("  it goes on behind {}\n", json_text(r.prefix));
      text += fmt::format("  answer {}\n", json_text(ask.answer));
    }
    text += fmt::format("  show {}\n", messages_json(shown.messages, "  "));
  }
  return text;
}

// ---- the command ----

Result<std::vector<std::string>> read_answers(const std::string& path) {
  if (path.empty()) return std::vector<std::string>();
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const Json json = Json::parse(*text, nullptr, false);
  std::vector<std::string> answers;
  bool texts = json.is_array();
  for (const Json& answer : texts ? json : Json::array()) {
    texts = texts && answer.is_string();
    if (texts) answers.push_back(answer);
  }
  if (!texts) return Error{fmt::format("{}: expected a JSON list of texts, the answers in order", path)};
  return answers;
}

// A name of --set is a parameter of the context, else a param of the spec.
Result<void> set_one(const std::string& setting, ContextStrategy& strategy, Spec& spec) {
  const size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Error{fmt::format("--set needs NAME=VALUE, not `{}`", setting)};
  }
  const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
  const ProgramInfo& info = spec.program->info();
  const bool own = strategy.info().find_param(name).ok();
  if (own || (!strategy.info().params.empty() && !info.find_param(name))) return strategy.set(name, value);
  return set_param(info, spec.params, name, value);
}

Exit show_contexts(const ContextOptions& given) {
  ContextOptions options = given;
  // Which steps hold is soon known: no need to compile for it.
  if (options.spec.engine == "auto") options.spec.engine = is_shared_object(options.spec.spec) ? "jit" : "interpreter";
  options.spec.sets.clear();
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  const ProgramInfo& info = spec->program->info();
  if (info.contexts.empty()) return complain(Exit::input, fmt::format("{} declares no context", options.spec.spec));
  Result<ContextStrategy> strategy = ContextStrategy::make(spec->program, options.context);
  for (size_t i = 0; strategy && i < given.spec.sets.size(); ++i) {
    Result<void> set = set_one(given.spec.sets[i], *strategy, *spec);
    if (!set) strategy = set.error();
  }
  if (!strategy) return complain(Exit::usage, strategy.error().message);
  strategy->use_params(spec->params);
  const Result<std::vector<std::string>> answers = read_answers(options.answers);
  if (!answers) return complain(Exit::input, answers.error().message);
  std::shared_ptr<const belief::Engine> engine;
  if (strategy->belief()) {
    Result<std::shared_ptr<const belief::Engine>> made =
        belief::Engine::make(spec->program, info.beliefs[*strategy->belief()].name);
    if (!made) return complain(Exit::input, made.error().message);
    engine = *made;
  }
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  const Player player(*spec, *strategy, engine, *answers);
  Selection selection(options.id, options.all);
  std::optional<Error> failed;
  const auto make_work = [&]() -> Work<Selected> {
    return [&](std::unique_ptr<Batch>& batch) {
      return selection.select(*batch, [&](uint32_t trace) -> Result<std::string> {
        Result<std::vector<Shown>> shown = player.play(*batch, trace);
        if (!shown) {
          failed = shown.error();
          return std::string();
        }
        const std::string id(batch->trace_id(trace));
        if (options.turn > 0) std::erase_if(*shown, [&](const Shown& s) { return s.turn != options.turn; });
        if (options.turn > 0 && shown->empty() && !options.all) {
          failed = Error{fmt::format("dialogue `{}` has no reply in turn {}", id, options.turn)};
          return std::string();
        }
        return options.json ? printed_json(id, strategy->info().name, *shown)
                            : visible(printed_text(id, strategy->info().name, *shown));
      });
    };
  };
  Pipeline<Selected> pipeline(*reader, make_work, [&](Selected&& found) { return selection.accept(std::move(found)); });
  const Result<void> done = pipeline.run(1);
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());
  if (failed) return complain(Exit::input, failed->message);
  return selection.finish();
}

}  // namespace

void add_context(CLI::App& app, Action& action) {
  auto options = std::make_shared<ContextOptions>();
  options->spec.engine = "auto";
  CLI::App& command = *app.add_subcommand("context", "What a model is shown of a dialogue before each of its replies");
  declare(command, options->spec);
  declare(command, options->data);
  command.add_option("--context", options->context, "Name of the context")->type_name("NAME")->required();
  auto* id = command.add_option("--id", options->id, "The dialogue; without it, the first")->type_name("ID");
  command.add_flag("--all", options->all, "Every dialogue")->excludes(id);
  command.add_option("--turn", options->turn, "Only the replies of this turn, from 1")->type_name("N");
  command
      .add_option("--model-answers", options->answers, "JSON list of what models answer, in order; else marks stand")
      ->type_name("FILE");
  command.add_flag("--json", options->json, "JSON, one line a dialogue: {id, context, replies: [...]}");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return show_contexts(*options); }; });
}

}  // namespace wend::driver
