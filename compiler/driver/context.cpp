// `wend context`: what a model is shown of a dialogue before each of its replies.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/context_replies.h"
#include "compiler/driver/data.h"
#include "compiler/driver/dialogue.h"
#include "compiler/driver/files.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/selection.h"
#include "compiler/driver/spec.h"
#include "compiler/source/visible.h"
#include "runtime/context/strategy.h"

namespace wend::driver {
namespace {

using context::ContextStrategy;
using context::messages_json;
using context::messages_lines;
using context::Request;

struct ContextOptions {
  SpecOptions spec;
  DataOptions data;
  std::string context, id, answers;
  uint64_t turn = 0;  // 0: all
  bool all = false, json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend context specs/iacm/contexts.wend runs.jsonl --context fifo --set k=2
  wend context specs/iacm/contexts.wend runs.jsonl --context oracle --id alarm-1 --turn 2
  wend context specs/iacm/contexts.wend runs.jsonl --context mem1 --model-answers answers.json --json
Where a model would be asked first, the request is shown; its answer comes from the file, else a mark stands for it.
Exit codes: 0 fine, 1 no such dialogue, or the input had errors, 2 usage.)";

// ---- output ----

std::string asked_json(const AskedModel& asked) {
  const Request& r = asked.request;
  return fmt::format(R"({{"stage":{},"author":{},"subject":{},"budget":{},"messages":{},"prefix":{},"answer":{}}})",
                     json_text(name(r.stage)), json_text(r.author), json_text(r.subject), r.budget,
                     messages_json(r.messages), json_text(r.prefix), json_text(asked.answer));
}

std::string asked_text(const AskedModel& asked) {
  const Request& r = asked.request;
  const std::string budget = r.budget > 0 ? fmt::format(" in {} tokens", r.budget) : "";
  std::string text = fmt::format("  ask {} to {} {}{}: {}\n", r.author, name(r.stage), r.subject, budget,
                                 messages_lines(r.messages, "  "));
  if (!r.prefix.empty()) text += fmt::format("  it goes on behind {}\n", json_text(r.prefix));
  return text + fmt::format("  answer {}\n", json_text(asked.answer));
}

// One dialogue after another, each reply as soon as it is known: with a long history, all of them together are large.
class Writer {
 public:
  Writer(std::string_view id, std::string_view context, bool json, const Output& out)
      : id_(id), context_(context), json_(json), out_(out) {}

  void reply(const ContextReply& reply) {
    if (replies_ == 0) begin();
    json_ ? reply_json(reply) : reply_text(reply);
    ++replies_;
  }

  void end() {
    if (replies_ == 0) begin();
    if (json_) out_("]}\n");
  }

  size_t replies() const { return replies_; }

 private:
  void begin() {
    if (json_) {
      out_(fmt::format(R"({{"id":{},"context":{},"replies":[)", json_text(id_), json_text(context_)));
    } else {
      out_(visible(fmt::format("{}: context {}\n", id_, context_)));
    }
  }

  void reply_json(const ContextReply& reply) {
    std::string asked;
    for (const AskedModel& ask : reply.asked) asked += (asked.empty() ? "" : ",") + asked_json(ask);
    out_(fmt::format(R"({}{{"turn":{},"message":{},"asked":[{}],"messages":{}{}}})", replies_ > 0 ? "," : "",
                     reply.turn, reply.message, asked, messages_json(reply.messages),
                     reply.over_budget ? R"(,"over_budget":true)" : ""));
  }

  void reply_text(const ContextReply& reply) {
    std::string text = fmt::format("turn {}, before message {}{}\n", reply.turn, reply.message,
                                   reply.over_budget ? " (over the budget of its render)" : "");
    for (const AskedModel& ask : reply.asked) text += asked_text(ask);
    text += fmt::format("  show {}\n", messages_lines(reply.messages, "  "));
    out_(visible(text));
  }

  std::string_view id_, context_;
  bool json_;
  const Output& out_;
  size_t replies_ = 0;
};

// ---- the command ----

Result<std::vector<std::string>> read_answers(const std::string& path) {
  if (path.empty()) return std::vector<std::string>();
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  if (json.is_discarded())
    return Error{fmt::format("{}: not JSON; a list of texts is expected, the answers in order", path)};
  std::vector<std::string> answers;
  bool texts = json.is_array();
  for (const nlohmann::json& answer : texts ? json : nlohmann::json::array()) {
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

  ContextPlayer::Options playing;
  playing.dialogue.params = spec->params;
  playing.answers = *answers;
  playing.turn = options.turn;
  const std::string context = strategy->info().name;
  const ContextPlayer player(std::move(*strategy), engine, std::move(playing));
  Selection selection(options.id, options.all, 1);
  const auto make_work = [&]() -> Work<Selected> {
    return [&](std::unique_ptr<Batch>& batch) {
      return selection.select(*batch, [&](uint32_t trace, const Output& out) -> std::optional<Stop> {
        const std::string_view id = batch->trace_id(trace);
        Writer writer(id, context, options.json, out);
        const Result<void> played = player.play(*batch, trace, [&](const ContextReply& reply) { writer.reply(reply); });
        if (!played) return Stop{Exit::input, played.error().message};
        if (options.turn > 0 && writer.replies() == 0 && !options.all) {
          return Stop{Exit::input, fmt::format("dialogue `{}` has no reply in turn {}", id, options.turn)};
        }
        writer.end();
        return {};
      });
    };
  };
  Pipeline<Selected> pipeline(*reader, make_work, [&](Selected&& found) { return selection.accept(std::move(found)); });
  const Result<void> done = pipeline.run(1);
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());
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
  command.add_option("--turn", options->turn, "Only the replies of this turn, from 1")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{1}, uint64_t{UINT32_MAX}));
  command
      .add_option("--model-answers", options->answers, "JSON list of what models answer, in order; else marks stand")
      ->type_name("FILE");
  command.add_flag("--json", options->json, "JSON, one line a dialogue: {id, context, replies: [...]}");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return show_contexts(*options); }; });
}

}  // namespace wend::driver
