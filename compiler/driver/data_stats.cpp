// `wend data stats`: what a data set is made of.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/files.h"
#include "compiler/driver/options.h"
#include "compiler/driver/pipeline.h"
#include "compiler/driver/statistics.h"
#include "compiler/driver/tool_pool.h"

namespace wend::driver {
namespace {

struct StatsOptions {
  DataOptions data;
  std::string html;
  bool json = false;
  size_t sample = 500;
  PoolOptions pool;
};

constexpr const char* kFooter = R"(
Examples:
  wend data stats data/train.jsonl                          the paper's tables: scenarios, turns, calls, tools, pools
  wend data stats data/train.jsonl --html stats.html        the same with plots, all in one file
Tokens are four bytes each. distinct-n: different n-grams by all, self-BLEU: of each message against the others, both of
at most --sample users' messages (they depend on the number). Exit codes: 0 fine, 1 the input had errors, 2 usage.)";

Exit stats(const StatsOptions& options) {
  Result<Reader> reader = open_data(options.data);
  if (!reader) return complain(Exit::input, reader.error().message);
  std::error_code error;
  for (const std::string& file : options.data.files)
    if (!options.html.empty() && std::filesystem::equivalent(file, options.html, error))
      return complain(Exit::usage, fmt::format("--html {} is one of the inputs", options.html));
  Statistics all(options.sample);
  const auto make_work = [&]() -> Work<Statistics> {
    return [&](std::unique_ptr<Batch>& batch) {
      Statistics one(options.sample);
      one.add(*batch);
      return one;
    };
  };
  Pipeline<Statistics> pipeline(*reader, make_work, [&](Statistics&& one) {
    all.merge(one);
    return true;
  });
  Progress progress("counting", data_size(options.data), options.data.quiet);
  pipeline.on_progress([&](uint64_t bytes) { progress.update(bytes); });
  const Result<void> done = pipeline.run(thread_count(options.data.threads));
  if (!done) return complain(Exit::input, done.error().message);
  print_issues(pipeline.report());
  if (all.dialogues() == 0) return complain(Exit::input, "the files hold no dialogue");
  const Result<tools::Pool> pool = open_pool(options.pool);
  if (!pool && !options.pool.tools.empty()) return complain(Exit::input, pool.error().message);
  Categories categories;
  if (pool)
    for (const tools::PoolTool& tool : pool->tools()) categories[tool.name] = tool.category;
  if (!options.html.empty()) {
    std::string title;
    for (const std::string& file : options.data.files) title += (title.empty() ? "" : ", ") + file;
    const Result<void> written = write_file(options.html, statistics_page(all, categories, title));
    if (!written) return complain(Exit::input, written.error().message);
  }
  if (options.json)
    write_out(statistics_json(all, categories).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
              "\n");
  else
    show(statistics_text(all, categories));
  return Exit::fine;
}

}  // namespace

void add_data_stats(CLI::App& data, Action& action) {
  auto options = std::make_shared<StatsOptions>();
  CLI::App& command =
      *data.add_subcommand("stats", "What a data set is made of: scenarios, turns, calls, tools, variety");
  declare(command, options->data);
  command.add_flag("--json", options->json, "One JSON object instead of tables");
  command.add_option("--html", options->html, "A page with the tables and plots as well")->type_name("FILE");
  command.add_option("--pool", options->pool.tools, "Tools with their categories; else those shipped")
      ->type_name("FILE");
  command.add_option("--sample", options->sample, "Users' messages that variety is measured on (500)")
      ->check(CLI::Range(0u, 20000u));
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return stats(*options); }; });
}

void add_data(CLI::App& app, Action& action) {
  CLI::App& data = *app.add_subcommand("data", "Data sets: statistics, duplicates");
  data.require_subcommand(1);
  add_data_stats(data, action);
  add_data_dedupe(data, action);
}

}  // namespace wend::driver
