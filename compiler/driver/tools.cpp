// `wend tools`: descriptions of tools.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/data.h"
#include "compiler/driver/files.h"
#include "compiler/driver/json_files.h"
#include "compiler/driver/pipeline.h"
#include "runtime/recognise/recognise.h"
#include "runtime/tools/import.h"
#include "runtime/tools/schema.h"

namespace wend::driver {
namespace {

using tools::Json;
using tools::Returns;
using tools::Tool;

struct ImportOptions {
  std::vector<std::string> files;
  std::string format, source, category, out;
  DataOptions examples;
};

constexpr const char* kFooter = R"(
Examples:
  wend tools import tools-airline.json --source tau-bench --category travel -o pool.jsonl
  wend tools import openapi.yaml tools-list.json          formats are recognised: openai mcp openapi bfcl toolbench utal
  wend tools import tools.json --examples runs.json       what tools return is inferred from recorded dialogues
One tool a line: {name, description, category, source, parameters, returns, returns_from}. Exit codes: 0 fine, 1 a file
could not be read or holds no tool, 2 usage.)";

// What the tools of a name returned in recorded dialogues, as a schema.
using ReturnsByName = std::map<std::string, Json, std::less<>>;

// Errors are no example of what a tool returns.
void look_at_returns(const Batch& batch, recognise::Scratch& scratch, ReturnsByName& found) {
  const Columns& c = batch.columns();
  for (uint32_t m = 0; m < c.rows[WEND_TABLE_message]; ++m) {
    const uint32_t call = c.message_answers[m], text = c.message_text[m];
    if (c.message_role[m] != WEND_ROLE_TOOL || call == WEND_NONE || text == WEND_NONE) continue;
    if (recognise::read_result(batch.text(text), batch.text(c.call_name[call]), scratch).error) continue;
    const Json value = Json::parse(batch.text(text), nullptr, false);
    Json schema = tools::schema_of(value.is_discarded() ? Json(std::string()) : value);
    const auto [at, added] = found.try_emplace(std::string(batch.text(c.call_name[call])), schema);
    if (!added) at->second = tools::merged_schema(at->second, schema);
  }
}

Result<ReturnsByName> returns_of(const DataOptions& options) {
  ReturnsByName found;
  if (options.files.empty()) return found;
  Result<Reader> reader = open_data(options);
  if (!reader) return reader.error();
  recognise::Scratch scratch;
  const auto make_work = [&]() -> Work<bool> {
    return [&](std::unique_ptr<Batch>& batch) {
      look_at_returns(*batch, scratch, found);
      return true;
    };
  };
  Pipeline<bool> pipeline(*reader, make_work, [](bool&&) { return true; });
  const Result<void> done = pipeline.run(1);
  if (!done) return done.error();
  print_issues(pipeline.report());
  return found;
}

class Importer {
 public:
  Importer(const ImportOptions& options, ReturnsByName returns) : options_(options), returns_(std::move(returns)) {}

  Result<void> read(const std::string& path) {
    const Result<Json> document = read_json_file(path);
    if (!document) return document.error();
    std::optional<tools::ToolFormat> format = tools::recognise_tools(*document);
    if (!options_.format.empty()) {
      const Result<tools::ToolFormat> named = tools::tool_format(options_.format);
      if (!named) return named.error();
      format = *named;
    }
    if (!format) return Error{path + ": these are no tools of a known format; --format says which"};
    tools::ImportedTools imported = tools::import_tools(*document, *format);
    for (const tools::ToolIssue& issue : imported.issues) {
      const std::string at = issue.key.empty() ? "" : fmt::format(" `{}`:", issue.key);
      say(fmt::format("{}{}:{} {}", issue.skipped ? "skipped " : "", path, at, issue.cause));
      skipped_ += issue.skipped ? 1 : 0;
    }
    for (Tool& tool : imported.tools) add(path, std::move(tool));
    return {};
  }

  const std::string& lines() const { return lines_; }
  bool empty() const { return names_.empty(); }
  std::string summary() const {
    std::string text = fmt::format("{} tools; returns of {} declared, of {} inferred, of {} unknown", names_.size(),
                                   declared_, inferred_, names_.size() - declared_ - inferred_);
    if (skipped_ > 0) text += fmt::format("; {} skipped", skipped_);
    return said_ > kShown ? text + fmt::format(" ({} more warnings)", said_ - kShown) : text;
  }

 private:
  static constexpr size_t kShown = 20;

  void say(const std::string& text) {
    if (++said_ <= kShown) warn(text);
  }

  void add(const std::string& path, Tool tool) {
    if (!names_.insert(tool.name).second) {
      ++skipped_;
      return say(fmt::format("skipped {}: tool `{}` is there already", path, tool.name));
    }
    if (!options_.source.empty()) tool.source = options_.source;
    if (!options_.category.empty()) tool.category = options_.category;
    if (tool.returns_from == Returns::unknown) {
      if (const auto found = returns_.find(tool.name); found != returns_.end()) {
        tool.returns = found->second;
        tool.returns_from = Returns::inferred;
      }
    }
    declared_ += tool.returns_from == Returns::declared ? 1 : 0;
    inferred_ += tool.returns_from == Returns::inferred ? 1 : 0;
    lines_ += as_json(tool).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  const ImportOptions& options_;
  ReturnsByName returns_;
  std::set<std::string> names_;
  size_t declared_ = 0, inferred_ = 0, skipped_ = 0, said_ = 0;
  std::string lines_;
};

Exit import_all(const ImportOptions& options) {
  if (!options.format.empty()) {
    const Result<tools::ToolFormat> named = tools::tool_format(options.format);
    if (!named) return complain(Exit::usage, named.error().message);
  }
  Result<ReturnsByName> returns = returns_of(options.examples);
  if (!returns) return complain(Exit::input, returns.error().message);
  Importer importer(options, std::move(*returns));
  for (const std::string& file : options.files) {
    const Result<void> read = importer.read(file);
    if (!read) return complain(Exit::input, read.error().message);
  }
  if (importer.empty()) return complain(Exit::input, "the files hold no tool");
  if (options.out.empty()) {
    write_out(importer.lines());
  } else {
    const Result<void> written = write_file(options.out, importer.lines());
    if (!written) return complain(Exit::input, written.error().message);
  }
  note(importer.summary());
  return Exit::fine;
}

}  // namespace

void add_tools(CLI::App& app, Action& action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App& tools = *app.add_subcommand("tools", "Descriptions of tools: read them into one form, see what feeds what");
  tools.require_subcommand(1);
  CLI::App& command = *tools.add_subcommand("import", "Read tools as others describe them into the unified schema");
  command.add_option("FILES", options->files, "JSON, JSON Lines or YAML; `-` is standard input")->required();
  command.add_option("--format", options->format, "openai, mcp, openapi, bfcl, toolbench or utal; else recognised");
  command.add_option("--source", options->source, "Where the tools come from")->type_name("NAME");
  command.add_option("--category", options->category, "What they are about")->type_name("NAME");
  command.add_option("--examples", options->examples.files, "Dialogues: what tools return is inferred from them")
      ->type_name("DATA");
  command.add_option("-o,--out", options->out, "Write here instead of to standard output")->type_name("FILE");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return import_all(*options); }; });
  add_tools_graph(tools, action);
}

}  // namespace wend::driver
