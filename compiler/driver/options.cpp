#include "compiler/driver/options.h"

#include <CLI/CLI.hpp>
#include <thread>

namespace wend::driver {

void declare(CLI::App& command, SpecOptions& options) {
  command.add_option("SPEC", options.spec, "The spec: a .wend file, or a shared object made by `wend compile`")
      ->required();
  command.add_option("--set", options.sets, "Set a param: NAME=VALUE (may be given many times)")
      ->type_name("NAME=V")
      ->take_all()
      ->expected(1, 1 << 20)
      ->allow_extra_args(false);
  command.add_option("--set-file", options.set_file, "Set params from a YAML or JSON file: a map of names to values")
      ->type_name("FILE");
  command.add_option("--engine", options.engine, "What runs the spec: jit, interpreter (slow, the reference) or auto")
      ->check(CLI::IsMember({"auto", "jit", "interpreter"}))
      ->type_name("E");
  command.add_option("--opt", options.opt, "How hard the JIT optimises: 0, 2 or auto")
      ->check(CLI::IsMember({"auto", "0", "2"}))
      ->type_name("N");
}

void declare(CLI::App& command, DataOptions& options) {
  command.add_option("DATA", options.files, "Files of dialogues; `-` is standard input")->required();
  command.add_option("--format", options.format, "native, openai, tau-bench, tau2-bench or bfcl, instead of looking")
      ->check(CLI::IsMember({"auto", "native", "openai", "tau-bench", "tau2-bench", "bfcl"}))
      ->type_name("F");
  command.add_option("--tools", options.tools, "File with the candidate tools, where the data have none")
      ->type_name("FILE");
  command.add_option("--answers", options.answers, "BFCL: file or folder of possible answers")->type_name("PATH");
  command.add_option("--results", options.results, "BFCL: file or folder of a model's calls, the responses to score")
      ->type_name("PATH");
  command.add_option("--play", options.play, "`gold`: score the expected calls as if the agent had made them")
      ->check(CLI::IsMember({"gold"}))
      ->type_name("WHO");
  command.add_flag("--strict", options.strict, "Stop at the first bad record instead of skipping it");
  command.add_flag("--quiet,-q", options.quiet, "No progress bar, no notes; warnings stay");
  command
      .add_option("--threads,-j", options.threads,
                  "Threads; 0, the default, is one per core. The output is the same for any")
      ->type_name("N")
      ->check(CLI::Range(0u, 1024u));
}

void declare(CLI::App& command, JudgeOptions& options) {
  const char* group = "Judges";
  command
      .add_option("--judge", options.judge,
                  "Who judges: rule (deterministic; the default), or http (a model behind a server)")
      ->check(CLI::IsMember({"rule", "http"}))
      ->type_name("J")
      ->group(group);
  declare_server(command, options, group);
}

void declare_server(CLI::App& command, JudgeOptions& options, const char* group) {
  command.add_option("--judge-url", options.url, "Base URL of an OpenAI-compatible server, up to /v1")
      ->type_name("URL")
      ->group(group);
  command.add_option("--judge-model", options.model, "Model, as the server calls it")->type_name("NAME")->group(group);
  command.add_option("--judge-key-env", options.key_env, "NAME of the environment variable that holds the key")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--judge-cache", options.cache, "SQLite file of earlier answers")->type_name("FILE")->group(group);
  command.add_option("--judge-concurrency", options.concurrency, "Requests in flight (8)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  command.add_option("--judge-rate", options.rate, "Requests a second at most; 0, the default: no limit")
      ->type_name("X")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command.add_option("--judge-timeout", options.timeout, "Seconds for one request (30)")
      ->type_name("S")
      ->check(CLI::PositiveNumber)
      ->group(group);
  command.add_option("--judge-attempts", options.attempts, "Attempts for one request (4)")
      ->type_name("N")
      ->check(CLI::Range(1, 100))
      ->group(group);
  command.add_option("--judge-backoff", options.backoff, "Seconds before the second attempt (0.5); doubles from there")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command.add_option("--judge-max-tokens", options.max_tokens, "Longest answer, in tokens (256)")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20))
      ->group(group);
}

unsigned thread_count(unsigned asked) {
  if (asked > 0) return asked;
  const unsigned cores = std::thread::hardware_concurrency();
  return cores > 0 ? cores : 1;
}

}  // namespace wend::driver
