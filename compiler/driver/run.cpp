// The command line as a whole: which command, --help, --version, and what becomes of failures.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <new>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/source/diagnostic.h"

#ifndef WEND_VERSION
#define WEND_VERSION "0.1.0"
#endif

namespace wend::driver {
namespace {

constexpr const char* kFooter = R"(
A first look:
  wend check specs/iacm                             is every spec of the folder right?
  wend score specs/iacm/reward.wend runs.jsonl      metrics and rewards of dialogues, with intervals
  wend explain specs/iacm/reward.wend runs.jsonl    why a dialogue got its reward, term by term
Each command has its own --help with an example. Exit codes: 0 fine, 1 the input had errors, 2 usage, 3 a bug of ours.)";

constexpr const char* kReport = "this is a bug in wend; please report it with the command line and the input";

// The first word that is no option names the command. CLI11 would only say that one is missing.
Exit check_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return Exit::fine;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return Exit::fine;
  const std::string near = nearest(argv[1], names);
  complain(Exit::usage, fmt::format("there is no command `{}`{}", argv[1],
                                    near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  note(near.empty() ? fmt::format("the commands are {}", fmt::join(names, " ")) : "try `wend --help`");
  return Exit::usage;
}

Exit run_command(CLI::App& app, Action& action, int argc, char** argv) {
  if (const Exit known = check_command(app, argc, argv); known != Exit::fine) return known;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    // CLI11 reports --help and --version in the same way, with exit code 0.
    if (failure.get_exit_code() == 0) {
      app.exit(failure);
      return Exit::fine;
    }
    const std::vector<CLI::App*> commands = app.get_subcommands();
    const std::string name = commands.empty() ? "wend" : "wend " + commands.front()->get_name();
    complain(Exit::usage, failure.what());
    note("try `" + name + " --help`");
    return Exit::usage;
  }
  return action();
}

}  // namespace

Exit run(int argc, char** argv) {
  // A reader that has seen enough (`wend score ... | head`) is no failure of ours.
  std::signal(SIGPIPE, SIG_DFL);
  Exit code = Exit::ours;
  try {
    CLI::App app("Wend: specs of what an agent should remember when users change their minds, and scores by them.",
                 "wend");
    app.set_version_flag("--version", "wend " WEND_VERSION);
    app.require_subcommand(1);
    app.footer(kFooter);
    app.get_formatter()->column_width(34);
    Action action;
    for (auto* add : {add_check, add_fmt, add_test, add_score, add_explain, add_belief, add_context, add_draft,
                      add_tune, add_audit, add_compile, add_tools, add_synth, add_data}) {
      add(app, action);
    }
    code = run_command(app, action, argc, argv);
  } catch (const std::bad_alloc&) {
    code = complain(Exit::ours, "out of memory");
  } catch (const std::exception& failure) {
    complain(Exit::ours, failure.what());
    note(kReport);
  }
  if (!flush_out() && code == Exit::fine) return complain(Exit::input, "the output could not be written");
  return code;
}

}  // namespace wend::driver
