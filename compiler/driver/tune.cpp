// `wend tune`: the reward of dialogues under other coefficients.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/options.h"
#include "compiler/driver/params.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/settings.h"
#include "compiler/driver/spec.h"
#include "compiler/driver/table.h"
#include "compiler/driver/tuning.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

struct TuneOptions {
  SpecOptions spec;
  DataOptions data;
  SettingOptions settings;
  std::string reward;
  size_t top = 10;
  bool json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend tune specs/iacm/reward.wend runs.jsonl --grid alpha=0..2:5 --grid gamma=0.25,0.5,1
  wend tune specs/iacm/reward.wend runs.jsonl --random 10000 --seed 7 --vary alpha=0..2 --vary stale_penalty
  wend tune reward.wend runs.jsonl --random 1000 --json
For each setting: the mean reward, and Spearman's rank correlation with the ranking under the params in force (the
defaults and --set): 1 means that the setting orders the dialogues in the same way. Then: which dialogues moved most.
Exit codes: 0 fine, 1 the input had errors, 2 usage.)";

struct Report {
  const ProgramInfo& info;
  const RewardInfo& reward;
  const std::vector<double>& base;
  const Settings& settings;
  const StoredDialogues& dialogues;
  TuneResult result;
  std::vector<uint32_t> best, moved;  // settings by mean, dialogues by how far they move; the largest first
};

// Indices of the `count` largest by `key`; equal ones in their order.
template <class Key>
std::vector<uint32_t> largest(size_t n, size_t count, const Key& key) {
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  const size_t kept = std::min(count, n);
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(kept), order.end(),
                    [&](uint32_t a, uint32_t b) { return std::pair(-key(a), a) < std::pair(-key(b), b); });
  order.resize(kept);
  return order;
}

Json params_json(const Report& report, const std::vector<double>& values) {
  Json json = Json::object();
  for (uint32_t i : report.settings.varied) {
    const ParamInfo& param = report.info.params[i];
    if (param.labels.empty() && param.type != "bool") {
      json[param.qualified] = values[i];
    } else {
      json[param.qualified] = param_text(param, values[i]);
    }
  }
  return json;
}

Json setting_json(const Report& report, uint32_t index) {
  const SettingResult& result = report.result.settings[index];
  return {{"index", index},
          {"params", params_json(report, report.settings.values[index])},
          {"mean", result.mean},
          {"rank_correlation", result.rank_correlation ? Json(*result.rank_correlation) : Json(nullptr)}};
}

std::string tune_json(const Report& report) {
  Json json = {{"reward", report.reward.name},
               {"dialogues", report.dialogues.chosen()},
               {"left_out", report.dialogues.left_out()},
               {"partial", report.dialogues.partial()},
               {"base", {{"params", params_json(report, report.base)}, {"mean", report.result.base_mean}}}};
  Json settings = Json::array(), moved = Json::array();
  for (uint32_t s = 0; s < report.result.settings.size(); ++s) settings.push_back(setting_json(report, s));
  for (uint32_t i : report.moved) {
    const Moved& one = report.result.moved[i];
    auto index = [](uint32_t setting) { return setting == WEND_NONE ? Json(nullptr) : Json(setting); };
    moved.push_back({{"id", one.id},
                     {"base", one.base},
                     {"low", one.low},
                     {"low_setting", index(one.low_setting)},
                     {"high", one.high},
                     {"high_setting", index(one.high_setting)}});
  }
  json["settings"] = std::move(settings);
  json["top"] = report.best;
  json["moved"] = std::move(moved);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string correlation_text(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; }

// More params than this do not fit on a line.
constexpr size_t kShownParams = 6;

std::string settings_table(const Report& report) {
  const bool shown = report.settings.varied.size() <= kShownParams;
  const std::vector<uint32_t> columns = shown ? report.settings.varied : std::vector<uint32_t>();
  Table table(std::vector<bool>(columns.size() + 3, true));
  std::vector<std::string> head = {"setting", "mean", "rank corr."};
  for (uint32_t i : columns) head.push_back(report.info.params[i].name);
  table.row(std::move(head));
  auto row = [&](std::string name, double mean, std::string correlation, const std::vector<double>& values) {
    std::vector<std::string> cells = {std::move(name), fmt::format("{:+.4f}", mean), std::move(correlation)};
    for (uint32_t i : columns) {
      const ParamInfo& param = report.info.params[i];
      const bool named = !param.labels.empty() || param.type == "bool";
      cells.push_back(named ? param_text(param, values[i]) : fmt::format("{:.6g}", values[i]));
    }
    table.row(std::move(cells));
  };
  row("in force", report.result.base_mean, "1.0000", report.base);
  for (uint32_t s : report.best) {
    const SettingResult& result = report.result.settings[s];
    row(std::to_string(s), result.mean, correlation_text(result.rank_correlation), report.settings.values[s]);
  }
  if (shown) return table.text();
  return table.text() +
         fmt::format("({} params differ: --json says what each setting gives them)\n", report.settings.varied.size());
}

// The setting that orders the dialogues most differently.
std::string most_different(const Report& report) {
  std::optional<uint32_t> worst;
  for (uint32_t s = 0; s < report.result.settings.size(); ++s) {
    const std::optional<double>& here = report.result.settings[s].rank_correlation;
    if (here && (!worst || *here < *report.result.settings[*worst].rank_correlation)) worst = s;
  }
  if (!worst) return "";
  return fmt::format("lowest rank correlation: {:.4f}, setting {}\n", *report.result.settings[*worst].rank_correlation,
                     *worst);
}

std::string tune_table(const Report& report) {
  const StoredDialogues& dialogues = report.dialogues;
  std::string out =
      fmt::format("reward {}: {} settings on {} dialogues{}", report.reward.name, report.settings.values.size(),
                  dialogues.chosen(), dialogues.partial() ? ", all scored in part" : "");
  if (dialogues.left_out() > 0) out += fmt::format("; {} left out, not complete", dialogues.left_out());
  out += "\n\n" + settings_table(report) + "\n" + most_different(report);
  Table table({false, true, true, true});
  table.row({"moved most", "in force", "lowest", "highest"});
  for (uint32_t i : report.moved) {
    const Moved& one = report.result.moved[i];
    if (one.high == one.low) break;
    table.row(
        {one.id, fmt::format("{:+.4f}", one.base), fmt::format("{:+.4f}", one.low), fmt::format("{:+.4f}", one.high)});
  }
  return out + "\n" + table.text();
}

Exit tune(const TuneOptions& options) {
  Made<Spec> spec = open_spec(options.spec);
  if (!spec) return spec.code();
  const ProgramInfo& info = spec->program->info();
  Result<uint32_t> reward = default_reward(info, options.reward, options.spec.spec);
  if (!reward) return complain(options.reward.empty() ? Exit::input : Exit::usage, reward.error().message);
  Result<Settings> settings = make_settings(info, spec->params, options.settings);
  if (!settings) return complain(Exit::usage, settings.error().message);
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);

  const unsigned threads = thread_count(options.data.threads);
  std::vector<std::unique_ptr<Batch>> batches;
  using Stored = std::unique_ptr<Batch>;
  auto make_work = []() -> Work<Stored> { return [](Stored& batch) { return std::move(batch); }; };
  auto accept = [&](Stored&& batch) {
    if (batch->traces() > 0) batches.push_back(std::move(batch));
    return true;
  };
  Pipeline<Stored> pipeline(*reader, make_work, accept);
  Result<void> done = pipeline.run(threads);
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());

  StoredDialogues dialogues(*spec->program, std::move(batches));
  dialogues.choose(spec->params, *reward, threads);
  if (dialogues.chosen() == 0) return complain(Exit::input, "the data hold no dialogue that can be scored");
  Progress progress("tuning", settings->values.size(), options.data.quiet);
  Report report{info, info.rewards[*reward], spec->params, *settings, dialogues, {}, {}, {}};
  report.result =
      dialogues.tune(spec->params, settings->values, *reward, threads, [&](uint64_t count) { progress.update(count); });
  const TuneResult& result = report.result;
  report.best = largest(result.settings.size(), options.top, [&](uint32_t s) { return result.settings[s].mean; });
  report.moved =
      largest(result.moved.size(), options.top, [&](uint32_t i) { return result.moved[i].high - result.moved[i].low; });
  options.json ? write_out(tune_json(report)) : show(tune_table(report));
  return Exit::fine;
}

}  // namespace

void add_tune(CLI::App& app, Action& action) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App& command = *app.add_subcommand("tune", "Rewards under many settings of the params");
  declare(command, options->spec);
  declare(command, options->data);
  command.add_option("--reward", options->reward, "The reward; without it, the first of the spec")->type_name("NAME");
  command.add_option("--grid", options->settings.grid, "NAME=a,b,c or NAME=lo..hi:steps; several are multiplied")
      ->type_name("GRID")
      ->take_all()
      ->expected(1, 1 << 20)
      ->allow_extra_args(false);
  command.add_option("--random", options->settings.random, "That many random settings")->type_name("N");
  command.add_option("--seed", options->settings.seed, "Seed of the random settings (0)")->type_name("S");
  command
      .add_option("--vary", options->settings.vary,
                  "What random settings change: NAME, NAME=lo..hi or NAME=a,b,c; without it, every bounded number")
      ->type_name("VARY")
      ->take_all()
      ->expected(1, 1 << 20)
      ->allow_extra_args(false);
  command.add_option("--top", options->top, "How many settings and dialogues to show (10)")->type_name("K");
  command.add_flag("--json", options->json, "One JSON object with every setting");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return tune(*options); }; });
}

}  // namespace wend::driver
