// The commands of `wend`, one file each. add_NAME declares the command's options and help, and what runs it.
#ifndef WEND_COMPILER_DRIVER_COMMANDS_H_
#define WEND_COMPILER_DRIVER_COMMANDS_H_

#include <functional>

#include "compiler/driver/exit_code.h"

namespace CLI {
class App;
}

namespace wend::driver {

// Set by the command that was named; run once the whole command line has been read.
using Action = std::function<Exit()>;

void add_check(CLI::App& app, Action& action);
void add_fmt(CLI::App& app, Action& action);
void add_test(CLI::App& app, Action& action);
void add_score(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_belief(CLI::App& app, Action& action);
void add_tune(CLI::App& app, Action& action);
void add_audit(CLI::App& app, Action& action);
void add_compile(CLI::App& app, Action& action);
void add_draft(CLI::App& app, Action& action);
void add_context(CLI::App& app, Action& action);
void add_tools(CLI::App& app, Action& action);
// A subcommand of `tools`.
void add_tools_graph(CLI::App& tools, Action& action);
void add_synth(CLI::App& app, Action& action);
void add_data(CLI::App& app, Action& action);
// Subcommands of `data`.
void add_data_stats(CLI::App& data, Action& action);
void add_data_dedupe(CLI::App& data, Action& action);

// The whole command: reads the command line, runs what it names.
Exit run(int argc, char** argv);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_COMMANDS_H_
