// `wend check`: what is wrong with specs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/plan/build.h"
#include "compiler/plan/cost.h"
#include "compiler/sema/check.h"
#include "compiler/source/diagnostic.h"

namespace wend::driver {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string explain;
  std::string warnings;
  bool json = false, ranges = false, cost = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend check specs/iacm/reward.wend      errors and warnings, with place, cause and mend
  wend check specs stdlib                every .wend file in the folders
  wend check --ranges reward.wend        the interval of each term, layer, reward and metric
  wend check --explain unknown-name      what a kind of diagnostic means
Exit codes: 0 no errors, 1 errors (with -W error: or warnings), 2 usage.)";

Exit explain(const std::string& name) {
  std::optional<Kind> kind = kind_named(name);
  if (!kind) {
    std::vector<std::string> names;
    for (Kind one : all_kinds()) names.emplace_back(info(one).name);
    std::string near = nearest(name, names);
    return complain(Exit::usage, fmt::format("no kind of diagnostic is called `{}`{}", name,
                                             near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  std::string_view text = info(*kind).explanation;
  while (text.starts_with('\n')) text.remove_prefix(1);
  const char* severity = info(*kind).severity == Severity::error ? "error" : "warning";
  write_out(fmt::format("{} ({})\n\n{}\n", info(*kind).name, severity, text));
  return Exit::fine;
}

Exit check(const CheckOptions& options) {
  if (!options.explain.empty()) return explain(options.explain);
  if (options.files.empty()) return complain(Exit::usage, "name the files or folders to check");
  Result<std::vector<std::string>> files = spec_files(options.files);
  if (!files) return complain(Exit::input, files.error().message);

  SourceSet sources;
  Diagnostics diagnostics;
  std::string report;
  sema::Checked checked = sema::check_files(sources, *files, sema::SearchPath::standard(), diagnostics);
  if (!diagnostics.has_errors()) {
    if (options.ranges) report += sema::describe_ranges(checked.program);
    if (options.cost) report += plan::describe_cost(plan::build(checked.program, sources));
  }

  if (options.json) {
    write_out(render_json(diagnostics, sources));
  } else {
    std::string text = render_text(diagnostics, sources, color_on_stderr());
    std::fwrite(text.data(), 1, text.size(), stderr);
    show(report);
  }
  const bool warned = diagnostics.all().size() > diagnostics.errors();
  return diagnostics.has_errors() || (warned && options.warnings == "error") ? Exit::input : Exit::fine;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *app.add_subcommand("check", "Report what is wrong with specs");
  command.add_option("FILES", options->files, "Specs, or folders of them");
  command.add_flag("--json", options->json, "A JSON list of {kind, severity, file, line, column, message, help}");
  command.add_flag("--ranges", options->ranges, "Print the interval of each term, layer, reward and metric");
  command.add_flag("--cost", options->cost, "Print the static bound on the operations per dialogue");
  command.add_option("--explain", options->explain, "Explain a kind of diagnostic")->type_name("KIND");
  command.add_option("-W", options->warnings, "`-W error`: warnings fail the check too")
      ->check(CLI::IsMember({"error"}))
      ->type_name("error");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace wend::driver
