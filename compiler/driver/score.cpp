// `wend score`: metrics and rewards of dialogues.
#include <CLI/CLI.hpp>
#include <memory>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/judging.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/score_report.h"
#include "compiler/driver/scorer.h"
#include "compiler/driver/spec.h"
#include "compiler/driver/tally.h"

namespace wend::driver {
namespace {

struct ScoreOptions {
  SpecOptions spec;
  DataOptions data;
  JudgeOptions judge;
  BootstrapOptions bootstrap;
  bool json = false, rows = false, families = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend score specs/iacm/reward.wend runs.jsonl                   a table
  wend score specs/iacm/reward.wend runs/*.json --json           one JSON object
  wend score reward.wend runs.jsonl --set alpha=0.5 --rows       one JSON line for each dialogue
  wend score reward.wend BFCL_v3_multi_turn_base.json --play gold
                                                                 what the expected calls would earn
What a dialogue does not offer (expected calls, candidate tools...) is left out and said, never counted as zero.
Exit codes: 0 fine (skipped records are counted and reported), 1 the input had errors, 2 usage.)";

void print_notes(const ScoreOptions& options, const ScoreReport& report, const ReadReport& read) {
  print_issues(read);
  if (options.data.quiet || report.all.dialogues == 0 || report.responding > 0) return;
  note(
      "no dialogue holds a response of the agent, so there is nothing to score; "
      "`--play gold` scores the expected calls");
}

Exit score(const ScoreOptions& options) {
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  if (spec->program->info().metrics.empty() && spec->program->info().rewards.empty()) {
    warn(options.spec.spec + " declares no metric and no reward: nothing is scored");
  }
  const Program& program = *spec->program;
  Made<std::unique_ptr<Judging>> judging = open_judging(options.judge, *spec);
  if (!judging) return judging.code();
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  Tally tally(program);
  RowsWriter rows(program, spec->params);
  auto make_work = [&]() -> Work<BatchScores> {
    auto scorer = std::make_shared<Scorer>(program, spec->params, judging->get());
    return [scorer](std::unique_ptr<Batch>& batch) { return scorer->score(*batch); };
  };
  auto accept = [&](BatchScores&& scores) {
    if (options.rows) write_out(rows.lines(scores));
    tally.add(scores);
    return true;
  };
  Pipeline<BatchScores> pipeline(*reader, make_work, accept);
  Progress progress("scoring", data_size(options.data), options.data.quiet);
  pipeline.on_progress([&](uint64_t bytes) { progress.update(bytes); });
  // A judge behind a server has threads of its own, and is asked in the order of the data.
  const unsigned threads = thread_count(options.data.threads);
  Result<void> done = pipeline.run(*judging ? 1 : threads);
  if (!done) return complain(Exit::input, done.error().message);

  BootstrapOptions bootstrap = options.bootstrap;
  bootstrap.threads = threads;
  if (options.rows) bootstrap.resamples = 0;
  const ScoreReport report = tally.report(spec->params, bootstrap);
  if (options.json) {
    write_out(score_json(program.info(), report, pipeline.report()));
  } else if (!options.rows) {
    const Families families = options.families ? Families::in_full : Families::side_by_side;
    show(score_table(program.info(), report, pipeline.report(), families));
  }
  print_notes(options, report, pipeline.report());
  if (*judging) {
    for (const std::string& warning : (*judging)->warnings()) warn(warning);
  }
  // Where not one record could be read, nothing was scored: a script must not take that for a result.
  const bool nothing_read = report.all.dialogues == 0 && pipeline.report().skipped > 0;
  return nothing_read ? Exit::input : Exit::fine;
}

}  // namespace

void add_score(CLI::App& app, Action& action) {
  auto options = std::make_shared<ScoreOptions>();
  CLI::App& command = *app.add_subcommand("score", "Metrics and rewards of dialogues, with intervals");
  declare(command, options->spec);
  declare(command, options->data);
  auto* json = command.add_flag("--json", options->json, "One JSON object instead of a table");
  auto* rows = command.add_flag("--rows", options->rows, "One JSON line for each dialogue instead")->excludes(json);
  command.add_flag("--families", options->families, "Each family in full: intervals, n, the terms of rewards")
      ->excludes(json)
      ->excludes(rows);
  command
      .add_option("--bootstrap", options->bootstrap.resamples, "Resamples for the intervals (1000); 0: no intervals")
      ->type_name("B")
      ->check(CLI::Range(0u, 1'000'000u));
  command.add_option("--seed", options->bootstrap.seed, "Seed of the resamples (1)")->type_name("S");
  declare(command, options->judge);
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return score(*options); }; });
}

}  // namespace wend::driver
