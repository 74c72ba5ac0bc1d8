// `wend fmt`: specs in one canonical layout.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "compiler/driver/made.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"
#include "compiler/syntax/format.h"
#include "compiler/syntax/parser.h"

namespace wend::driver {
namespace {

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend fmt reward.wend         lay the file out anew, in place
  wend fmt --check specs       name the files that are not laid out so; change nothing
  wend fmt - < reward.wend     from standard input to standard output
What is written is parsed again first; it is refused if it would not mean the same.
Exit codes: 0 fine, 1 a file had errors (with --check: or is not laid out so), 2 usage.)";

struct Parsed {
  SourceSet sources;
  std::optional<ast::Module> module;
};

Parsed parse(const std::string& path, const std::string& text, Diagnostics& diagnostics) {
  Parsed parsed;
  const uint32_t file = parsed.sources.add(path, text);
  parsed.module = parse_module(parsed.sources, file, diagnostics);
  return parsed;
}

// The new layout of a text; a failure has been said.
Made<std::string> laid_out(const std::string& path, const std::string& text) {
  Diagnostics diagnostics;
  const Parsed before = parse(path, text, diagnostics);
  if (diagnostics.has_errors() || !before.module) {
    const std::string shown = render_text(diagnostics, before.sources, color_on_stderr());
    std::fwrite(shown.data(), 1, shown.size(), stderr);
    return Failure{Exit::input};
  }
  std::string result = format_module(before.sources, 0);
  Diagnostics again;
  const Parsed after = parse(path, result, again);
  if (again.has_errors() || !after.module || !same_meaning(*before.module, *after.module)) {
    return Failure{
        complain(Exit::ours, fmt::format("{}: left as it is, because its new layout would not mean the same; "
                                         "please report this with the file",
                                         path))};
  }
  return result;
}

Exit format_one(const std::string& path, bool check_only) {
  Result<std::string> text = read_file(path);
  if (!text) return complain(Exit::input, text.error().message);
  Made<std::string> result = laid_out(path == "-" ? "<stdin>" : path, *text);
  if (!result) return result.code();
  if (check_only) {
    if (*result == *text) return Exit::fine;
    write_out(path + "\n");
    return Exit::input;
  }
  if (path == "-") {
    write_out(*result);
    return Exit::fine;
  }
  if (*result == *text) return Exit::fine;
  Result<void> written = write_file(path, *result);
  return written ? Exit::fine : complain(Exit::input, written.error().message);
}

Exit format(const FmtOptions& options) {
  Result<std::vector<std::string>> files = spec_files(options.files);
  if (!files) return complain(Exit::input, files.error().message);
  Exit worst = Exit::fine;
  for (const std::string& file : *files) worst = std::max(worst, format_one(file, options.check));
  return worst;
}

}  // namespace

void add_fmt(CLI::App& app, Action& action) {
  auto options = std::make_shared<FmtOptions>();
  CLI::App& command = *app.add_subcommand("fmt", "Lay specs out in the one canonical way");
  command.add_option("FILES", options->files, "Specs, or folders of them; `-` is standard input")->required();
  command.add_flag("--check", options->check, "Change nothing; print the files that would change");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return format(*options); }; });
}

}  // namespace wend::driver
