// `wend explain`: why a dialogue got its reward.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/explanation.h"
#include "compiler/driver/judging.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/selection.h"
#include "compiler/driver/spec.h"
#include "compiler/source/visible.h"

namespace wend::driver {
namespace {

struct ExplainOptions {
  SpecOptions spec;
  DataOptions data;
  JudgeOptions judge;
  std::string id, reward;
  bool all = false, json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend explain specs/iacm/reward.wend runs.jsonl                 the first dialogue
  wend explain specs/iacm/reward.wend runs.jsonl --id alarm-1 --reward multi_turn
  wend explain reward.wend runs.jsonl --all --json               every dialogue, one JSON object a line
Each term shows its value, the calls, arguments and messages that it comes from, and its line in the spec; each zero
shows why. The values add up to the total. Exit codes: 0 fine, 1 no such dialogue, or the input had errors, 2 usage.)";

// Dialogues with more calls and turns than this are worth a compilation: the interpreter is hundreds of times slower,
// and some rules look at all pairs of calls.
constexpr uint32_t kLong = 64;

// Explains the dialogues of one batch after the other.
class Explainer {
 public:
  Explainer(const Spec& spec, uint32_t reward, Judging* judging)
      : spec_(spec), reward_(reward), judging_(judging), bound_(*spec.program) {}

  // Compiles the spec when a long dialogue comes.
  void compile_for_long(const SpecOptions& options) { jit_ = &options; }

  void bind(Batch& batch) {
    batch_ = &batch;
    bound_.bind(batch, spec_.params);
  }

  Result<Explanation> explain(uint32_t trace) {
    BoundBatch& bound = binding_for(trace);
    if (judging_ != nullptr) {
      JudgeCounts counts;
      judging_->judge(bound, trace, trace + 1, counts);
    }
    bound.prepare(trace, trace + 1);
    return driver::explain(spec_, bound, trace, reward_);
  }

 private:
  BoundBatch& binding_for(uint32_t trace) {
    const Columns& columns = batch_->columns();
    const wend_span turns = columns.trace_turns[trace], calls = columns.trace_calls[trace];
    if (jit_ == nullptr || turns.end - turns.begin + (calls.end - calls.begin) <= kLong) return bound_;
    Made<std::shared_ptr<const Program>> program = make_program(*jit_, spec_.plan);
    if (!program) return bound_;
    compiled_ = *program;
    compiled_bound_.emplace(*compiled_);
    compiled_bound_->bind(*batch_, spec_.params);
    return *compiled_bound_;
  }

  const Spec& spec_;
  uint32_t reward_;
  Judging* judging_;
  BoundBatch bound_;
  Batch* batch_ = nullptr;
  const SpecOptions* jit_ = nullptr;
  std::shared_ptr<const Program> compiled_;
  std::optional<BoundBatch> compiled_bound_;
};

std::string printed(const Explanation& explanation, const ExplainOptions& options) {
  if (options.json) return explanation_json(explanation, !options.all) + "\n";
  return visible(explanation_text(explanation)) + (options.all ? "\n" : "");
}

Exit explain(const ExplainOptions& given) {
  ExplainOptions options = given;
  // One dialogue is explained sooner than a program is compiled; both give the same numbers.
  const bool either = options.spec.engine == "auto";
  const bool interpreted = !options.all && !is_shared_object(options.spec.spec);
  if (either) options.spec.engine = interpreted ? "interpreter" : "jit";
  SpecOptions jit = options.spec;
  jit.engine = "jit";
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  Result<uint32_t> reward = default_reward(spec->program->info(), options.reward, options.spec.spec);
  if (!reward) return complain(options.reward.empty() ? Exit::input : Exit::usage, reward.error().message);
  Made<std::unique_ptr<Judging>> judging = open_judging(options.judge, *spec);
  if (!judging) return judging.code();
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  const unsigned threads = options.all && !*judging ? thread_count(options.data.threads) : 1;
  Selection selection(options.id, options.all, threads);
  auto make_work = [&]() -> Work<Selected> {
    auto explainer = std::make_shared<Explainer>(*spec, *reward, judging->get());
    // A judge behind a server keeps to the program that it was opened for.
    if (either && interpreted && !*judging) explainer->compile_for_long(jit);
    return [&, explainer](std::unique_ptr<Batch>& batch) {
      if (batch->traces() > 0) explainer->bind(*batch);
      return selection.select(*batch, [&](uint32_t trace, const Output& out) -> std::optional<Stop> {
        Result<Explanation> explanation = explainer->explain(trace);
        if (!explanation) return Stop{Exit::ours, explanation.error().message + "; please report this"};
        out(printed(*explanation, options));
        return {};
      });
    };
  };
  Pipeline<Selected> pipeline(*reader, make_work, [&](Selected&& found) { return selection.accept(std::move(found)); });
  Progress progress("explaining", data_size(options.data), options.data.quiet);
  pipeline.on_progress([&](uint64_t bytes) { progress.update(bytes); });
  Result<void> done = pipeline.run(threads);
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());
  return selection.finish();
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExplainOptions>();
  options->spec.engine = "auto";
  CLI::App& command = *app.add_subcommand("explain", "Why a dialogue got its reward, term by term");
  declare(command, options->spec);
  declare(command, options->data);
  auto* id = command.add_option("--id", options->id, "The dialogue; without it, the first")->type_name("ID");
  command.add_option("--reward", options->reward, "The reward; without it, the first of the spec")->type_name("NAME");
  command.add_flag("--all", options->all, "Every dialogue; with --json, one line each")->excludes(id);
  command.add_flag("--json", options->json, "JSON: {id, reward, total, terms: [...]}");
  declare(command, options->judge);
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace wend::driver
