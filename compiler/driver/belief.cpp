// `wend belief`: what the agent should remember after each message.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "compiler/driver/belief_print.h"
#include "compiler/driver/belief_steps.h"
#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/labelling.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/selection.h"
#include "compiler/driver/spec.h"

namespace wend::driver {
namespace {

struct BeliefOptions {
  SpecOptions spec;
  DataOptions data;
  JudgeOptions judge;
  std::string id, belief, render, update = "accumulate", today;
  bool all = false, json = false, html = false, blocks = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend belief specs/iacm/belief.wend runs.jsonl --id alarm-1         the state after each message, and the block
  wend belief specs/iacm/belief.wend runs.jsonl --html > state.html  to look at in a browser
  wend belief specs/iacm/belief.wend runs.jsonl --all --json         one JSON object a line: {id, steps}
What a message has changed is marked with `*`; overwritten values are struck through. --json prints a list of
{message, state, changes, block}. Exit codes: 0 fine, 1 no such dialogue, or the input had errors, 2 usage.)";

// What is to be followed, by the names of the command line.
struct Chosen {
  std::shared_ptr<const belief::Engine> engine;
  FollowOptions follow;
};

// YYYY-MM-DD of a day that exists; the day after it has to be one as well.
std::optional<recognise::Date> date_of(const std::string& text) {
  recognise::Date date;
  int read = 0;
  if (text.size() != 10 || text.find_first_not_of("0123456789-") != std::string::npos) return {};
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%n", &date.year, &date.month, &date.day, &read) != 3 || read != 10)
    return {};
  const std::chrono::year_month_day day{std::chrono::year(date.year),
                                        std::chrono::month(static_cast<unsigned>(date.month)),
                                        std::chrono::day(static_cast<unsigned>(date.day))};
  constexpr int kLastYear = 9998;
  if (date.year < 1 || date.year > kLastYear || !day.ok()) return {};
  return date;
}

Result<Chosen> choose(const Spec& spec, const BeliefOptions& options) {
  Chosen chosen;
  Result<std::shared_ptr<const belief::Engine>> engine = belief::Engine::make(spec.program, options.belief);
  if (!engine) return engine.error();
  chosen.engine = *engine;
  chosen.follow.dialogue.params = spec.params;
  Result<belief::UpdatePolicy> policy = belief::update_policy(options.update);
  if (!policy) return policy.error();
  chosen.follow.dialogue.policy = *policy;
  if (!options.today.empty()) {
    const std::optional<recognise::Date> date = date_of(options.today);
    if (!date) return Error{fmt::format("--today is a date such as 2026-03-31, not `{}`", options.today)};
    chosen.follow.dialogue.today = date;
  }
  if (!options.render.empty()) {
    Result<uint32_t> render = chosen.engine->find_render(options.render);
    if (!render) return render.error();
    chosen.follow.render = *render;
  } else if (!chosen.engine->renders().empty()) {
    chosen.follow.render = chosen.engine->renders().front();
  }
  return chosen;
}

BeliefPrintOptions printing(const Chosen& chosen, const BeliefOptions& options) {
  BeliefPrintOptions out;
  out.format = options.html                  ? BeliefFormat::page
               : options.json && options.all ? BeliefFormat::json_line
               : options.json                ? BeliefFormat::json
                                             : BeliefFormat::text;
  out.color = color_on_stdout();
  out.every_block = options.blocks;
  if (chosen.follow.render) out.render = chosen.engine->program().info().renders[*chosen.follow.render].name;
  return out;
}

Exit belief(const BeliefOptions& options) {
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  Result<Chosen> chosen = choose(*spec, options);
  if (!chosen) return complain(Exit::usage, chosen.error().message);
  Made<std::unique_ptr<belief::LabelJudge>> model = open_labelling(options.judge, spec->program->info());
  if (!model) return model.code();
  if (*model) chosen->follow.dialogue.ask = std::bind_front(&belief::LabelJudge::ask, model->get());
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  const BeliefPrintOptions print = printing(*chosen, options);
  const ProgramInfo& info = spec->program->info();
  const unsigned threads = options.all ? thread_count(options.data.threads) : 1;
  Selection selection(options.id, options.all, threads);
  auto make_work = [&]() -> Work<Selected> {
    return [&](std::unique_ptr<Batch>& batch) {
      return selection.select(*batch, [&](uint32_t trace, const Output& out) -> std::optional<Stop> {
        BeliefPrinter printer(info, chosen->engine->info(), print, batch->trace_id(trace), out);
        printer.begin();
        follow(chosen->engine, *batch, trace, chosen->follow, [&](const BeliefStep& step) { printer.step(step); });
        printer.end();
        if (options.all && print.format == BeliefFormat::text) out("\n");
        return {};
      });
    };
  };
  Pipeline<Selected> pipeline(*reader, make_work, [&](Selected&& found) { return selection.accept(std::move(found)); });
  Progress progress("following", data_size(options.data), options.data.quiet);
  pipeline.on_progress([&](uint64_t bytes) { progress.update(bytes); });
  Result<void> done = pipeline.run(threads);
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());
  if (*model) report_labelling(**model, info, options.data.quiet);
  return selection.finish();
}

}  // namespace

void add_belief(CLI::App& app, Action& action) {
  auto options = std::make_shared<BeliefOptions>();
  CLI::App& command = *app.add_subcommand("belief", "What the agent should remember after each message");
  declare(command, options->spec);
  declare(command, options->data);
  auto* id = command.add_option("--id", options->id, "The dialogue; without it, the first")->type_name("ID");
  auto* all = command.add_flag("--all", options->all, "Every dialogue; with --json, one line each")->excludes(id);
  command.add_option("--belief", options->belief, "The belief; without it, the first of the spec")->type_name("NAME");
  command.add_option("--render", options->render, "The render; without it, the belief's first")->type_name("NAME");
  command
      .add_option("--update", options->update,
                  "accumulate; last_only: forget before each turn; first_only: freeze after the first")
      ->check(CLI::IsMember({"accumulate", "last_only", "first_only"}));
  command.add_option("--today", options->today, "The date that `tomorrow` counts from")->type_name("YYYY-MM-DD");
  auto* blocks =
      command.add_flag("--blocks", options->blocks, "As text: the block after each message, not just after the last");
  auto* json =
      command.add_flag("--json", options->json, "JSON: a list of {message, state, changes, block}")->excludes(blocks);
  command.add_flag("--html", options->html, "A page to look at in a browser, all in one file")
      ->excludes(json)
      ->excludes(blocks)
      ->excludes(all);
  declare(command, options->judge);
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return belief(*options); }; });
}

}  // namespace wend::driver
