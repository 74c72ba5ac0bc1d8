// `wend test`: runs the test blocks of specs, on the interpreter and on compiled code alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "compiler/driver/commands.h"
#include "compiler/driver/compiled.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/driver/spec.h"
#include "compiler/driver/test_runner.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

struct TestOptions {
  std::vector<std::string> files;
  std::string filter;
  bool json = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend test specs/iacm/tests.wend            every test of the file
  wend test specs --filter alarm             those with "alarm" in their title, in all files of the folder
Each test's dialogue is scored by the interpreter and by compiled code; the two must agree to the last bit.
Exit codes: 0 all passed, 1 a test failed or a spec had errors, 2 usage.)";

std::string text_of(const TestResult& test) {
  std::string out = fmt::format("{}: {}  ({})\n", test.passed() ? "ok  " : "FAIL", test.title, test.place);
  if (!test.error.empty()) out += fmt::format("      {}\n", test.error);
  for (const ExpectationResult& one : test.expectations) {
    if (one.outcome.held) continue;
    out += fmt::format("      {}: expected {}\n", one.place, one.text);
    if (!one.outcome.actual.empty()) out += fmt::format("        but {}\n", one.outcome.actual);
    if (!one.outcome.error.empty()) out += fmt::format("        {}\n", one.outcome.error);
  }
  return out;
}

Json json_of(const TestResult& test) {
  Json expectations = Json::array();
  for (const ExpectationResult& one : test.expectations) {
    expectations.push_back({{"text", one.text},
                            {"place", one.place},
                            {"held", one.outcome.held},
                            {"actual", one.outcome.actual},
                            {"error", one.outcome.error}});
  }
  return {{"title", test.title},
          {"place", test.place},
          {"passed", test.passed()},
          {"error", test.error},
          {"expectations", std::move(expectations)}};
}

Exit test(const TestOptions& options) {
  Result<std::vector<std::string>> files = spec_files(options.files);
  if (!files) return complain(Exit::input, files.error().message);
  Exit worst = Exit::fine;
  std::vector<TestResult> results;
  for (const std::string& file : *files) {
    Made<Compiled> compiled = compile_files({file});
    if (!compiled) {
      worst = std::max(worst, compiled.code());
      continue;
    }
    Made<std::vector<TestResult>> ran = run_tests(*compiled, options.filter);
    if (!ran) {
      worst = std::max(worst, ran.code());
      continue;
    }
    results.insert(results.end(), ran->begin(), ran->end());
  }

  size_t failed = 0;
  Json list = Json::array();
  for (const TestResult& result : results) {
    failed += !result.passed();
    if (result.disagreement) worst = Exit::ours;
    if (options.json) {
      list.push_back(json_of(result));
    } else {
      show(text_of(result));
    }
  }
  if (options.json) {
    write_out(list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else {
    write_out(fmt::format("{} passed, {} failed\n", results.size() - failed, failed));
  }
  if (results.empty() && !options.filter.empty()) warn(fmt::format("no test has `{}` in its title", options.filter));
  return failed > 0 ? std::max(worst, Exit::input) : worst;
}

}  // namespace

void add_test(CLI::App& app, Action& action) {
  auto options = std::make_shared<TestOptions>();
  CLI::App& command = *app.add_subcommand("test", "Run the test blocks of specs");
  command.add_option("FILES", options->files, "Specs, or folders of them")->required();
  command.add_option("--filter", options->filter, "Only tests with this text in their title")->type_name("TEXT");
  command.add_flag("--json", options->json, "A JSON list of {title, place, passed, error, expectations}");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return test(*options); }; });
}

}  // namespace wend::driver
