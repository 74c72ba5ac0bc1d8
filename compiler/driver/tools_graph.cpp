// `wend tools graph`: which tool's return can feed which parameter, with reasons; and walks along that.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/judging.h"
#include "compiler/driver/options.h"
#include "compiler/driver/tool_pool.h"
#include "runtime/tools/graph.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

struct GraphOptions {
  PoolOptions pool;
  std::vector<std::string> voters;  // models
  JudgeOptions server;
  std::string out, why;
  uint32_t walks = 0, length = 3;
  uint64_t seed = 1;
};

constexpr const char* kFooter = R"(
Examples:
  wend tools graph pool.jsonl -o edges.jsonl       {from, field, to, parameter, schema, example}: an edge a line
  wend tools graph pool.jsonl --walks 5            function sequence patterns: each tool is fed by the one before
  wend tools graph pool.jsonl --why search_hotels.hotel_id,book_hotel.hotel_id      both votes on one pair
Two votes have to agree: that of the schemas (types, kinds, names, descriptions), and that of example values. Without
FILES, the tools shipped. Exit codes: 0 fine, 1 a file had errors, 2 usage.)";

std::string line_of(const tools::Pool& pool, const tools::Edge& edge) {
  const tools::Verdict verdict = tools::judge_edge(pool, edge);
  const tools::PoolTool& from = pool.tool(edge.from);
  const tools::PoolTool& to = pool.tool(edge.to);
  const Json line = {{"from", from.name},
                     {"field", from.returns[edge.field].name},
                     {"to", to.name},
                     {"parameter", to.parameters[edge.parameter].name},
                     {"schema", verdict.schema_reason},
                     {"example", verdict.example_reason}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// "TOOL.NAME" as a tool and the place of the name among its returns or parameters.
Result<std::pair<uint32_t, uint32_t>> place_of(const tools::Pool& pool, const std::string& text, bool returned) {
  const size_t dot = text.rfind('.');
  const uint32_t tool = dot == std::string::npos ? tools::kNoTool : pool.find(text.substr(0, dot));
  if (tool == tools::kNoTool) return Error{fmt::format("`{}`: there is no such tool; write TOOL.NAME", text)};
  const std::string name = text.substr(dot + 1);
  const tools::PoolTool& found = pool.tool(tool);
  std::vector<std::string> names;
  if (returned) {
    for (const tools::Field& field : found.returns) names.push_back(field.name);
  } else {
    for (const tools::Parameter& parameter : found.parameters) names.push_back(parameter.name);
  }
  for (uint32_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return std::pair{tool, i};
  return Error{fmt::format("`{}` {} no `{}`; known: {}", found.name, returned ? "returns" : "takes", name,
                           fmt::join(names, ", "))};
}

Exit explain(const tools::Pool& pool, const std::string& pair) {
  const size_t comma = pair.find(',');
  if (comma == std::string::npos) return complain(Exit::usage, "--why takes TOOL.FIELD,TOOL.PARAMETER");
  const auto from = place_of(pool, pair.substr(0, comma), true);
  if (!from) return complain(Exit::usage, from.error().message);
  const auto to = place_of(pool, pair.substr(comma + 1), false);
  if (!to) return complain(Exit::usage, to.error().message);
  const tools::Verdict verdict = tools::judge_edge(pool, {from->first, from->second, to->first, to->second});
  const auto vote = [](bool yes) { return yes ? "yes" : "no"; };
  show(fmt::format("{}\n  by the schemas: {}: {}\n  by example values: {}: {}\n",
                   verdict.by_schema && verdict.by_example ? "an edge" : "no edge", vote(verdict.by_schema),
                   verdict.schema_reason, vote(verdict.by_example), verdict.example_reason));
  return Exit::fine;
}

std::string walks_of(const tools::Pool& pool, const tools::Graph& graph, const GraphOptions& options) {
  std::vector<uint32_t> all(pool.size());
  std::iota(all.begin(), all.end(), 0u);
  const tools::Selection from = tools::select(pool, graph, all);
  std::string out;
  for (uint32_t i = 0; i < options.walks; ++i) {
    Random random(seed_of(options.seed, "walk", i));
    std::vector<tools::WalkStep> walk;
    if (!tools::chain_walk(graph, from, options.length, random, walk)) continue;
    for (size_t s = 0; s < walk.size(); ++s) {
      if (s > 0) out += " -> ";
      out += pool.tool(walk[s].tool).name;
      for (const tools::Feed& feed : walk[s].feeds)
        out += fmt::format(" [{} = {}.{}]", pool.tool(walk[s].tool).parameters[feed.parameter].name, feed.step + 1,
                           pool.tool(walk[feed.step].tool).returns[feed.field].name);
    }
    out += "\n";
  }
  return out;
}

// ---- models as voters ----

constexpr const char* kVoterSystem =
    "You decide whether a value that one tool returns can be given as a parameter of another, in a sensible task. "
    "Answer "
    "with JSON only: {\"label\": \"yes\" or \"no\", \"confidence\": NUMBER from 0 to 1, \"reason\": \"one sentence\"}.";

// The question of a vote: from the schemas alone, or with an example value.
std::string question(const tools::Pool& pool, const tools::Edge& edge, bool with_example) {
  const tools::PoolTool& from = pool.tool(edge.from);
  const tools::PoolTool& to = pool.tool(edge.to);
  std::string text =
      fmt::format("{} ({}) returns `{}`.\n{} ({}) takes `{}`.\n", from.name, from.description,
                  from.returns[edge.field].name, to.name, to.description, to.parameters[edge.parameter].name);
  if (with_example) {
    Random random(seed_of(0, from.name, edge.field));
    text += fmt::format("For example, it returned {}.\n", pool.draw(from.returns[edge.field].type, random).json);
  }
  return text + "Can the one be given as the other?";
}

// The pairs that more than half of all voters are in favour of: the deterministic one, and each model with both votes.
Result<std::vector<tools::Edge>> voted(const tools::Pool& pool, const GraphOptions& options, std::string& summary) {
  const std::vector<tools::Edge> candidates = tools::candidate_edges(pool);
  std::vector<size_t> for_it(candidates.size(), 0), voters(candidates.size(), 1);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const tools::Verdict verdict = tools::judge_edge(pool, candidates[i]);
    for_it[i] = verdict.by_schema && verdict.by_example ? 1 : 0;
  }
  for (const std::string& model : options.voters) {
    JudgeOptions server = options.server;
    server.model = model;
    Result<HttpJudge> judge = open_http_judge(server);
    if (!judge) return judge.error();
    std::vector<JudgeRequest> requests;
    for (const tools::Edge& edge : candidates)
      for (const bool with_example : {false, true})
        requests.push_back({"edge", question(pool, edge, with_example), kVoterSystem, "", {"yes", "no"}});
    const std::vector<JudgeReply> replies = judge->ask(requests);
    size_t yes = 0, abstained = 0;
    for (size_t i = 0; i < candidates.size(); ++i) {
      const JudgeReply &a = replies[2 * i], &b = replies[2 * i + 1];
      if (!a.ok() || !b.ok()) {
        ++abstained;
        continue;
      }
      ++voters[i];
      const bool both = a.label == 0 && b.label == 0;
      for_it[i] += both ? 1 : 0;
      yes += both ? 1 : 0;
    }
    summary += fmt::format("; {} is for {} of {} pairs", model, yes, candidates.size());
    if (abstained > 0) summary += fmt::format(" and abstains from {}", abstained);
    for (const std::string& warning : judge->warnings()) warn(warning);
  }
  std::vector<tools::Edge> edges;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (2 * for_it[i] > voters[i]) edges.push_back(candidates[i]);
  return edges;
}

Exit graph(const GraphOptions& options) {
  const Result<tools::Pool> pool = open_pool(options.pool);
  if (!pool) return complain(Exit::input, pool.error().message);
  if (!options.why.empty()) return explain(*pool, options.why);
  std::string votes;
  std::optional<tools::Graph> made;
  if (options.voters.empty()) {
    made.emplace(*pool);
  } else {
    Result<std::vector<tools::Edge>> edges = voted(*pool, options, votes);
    if (!edges) return complain(Exit::usage, "--voter: " + edges.error().message);
    made.emplace(*pool, std::move(*edges));
  }
  const tools::Graph& found = *made;
  if (options.walks > 0) {
    const std::string walks = walks_of(*pool, found, options);
    if (walks.empty()) return complain(Exit::input, fmt::format("no {} tools feed one another", options.length));
    show(walks);
    return Exit::fine;
  }
  std::vector<bool> joined(pool->size(), false);
  const std::string part = options.out + ".part";
  std::ofstream file;
  if (!options.out.empty()) file.open(part, std::ios::binary);
  for (const tools::Edge& edge : found.edges()) {
    const std::string line = line_of(*pool, edge);
    if (options.out.empty())
      write_out(line);
    else
      file << line;
    joined[edge.from] = joined[edge.to] = true;
  }
  if (!options.out.empty()) {
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(part, options.out, error);
    if (!file || error)
      return complain(Exit::input,
                      fmt::format("cannot write {}: {}", options.out, error ? error.message() : std::strerror(errno)));
  }
  std::string summary = fmt::format("{} edges between {} of {} tools", found.edges().size(),
                                    std::count(joined.begin(), joined.end(), true), pool->size());
  if (found.left_out() > 0)
    summary += fmt::format("; {} more were left out (a parameter is fed by {} tools at most)", found.left_out(),
                           tools::GraphLimits{}.producers);
  note(summary + votes);
  return Exit::fine;
}

}  // namespace

void add_tools_graph(CLI::App& tools, Action& action) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App& command = *tools.add_subcommand("graph", "Which tool's return can feed which parameter, and why");
  command.add_option("FILES", options->pool.tools, "Tools of any format of `tools import`, or folders of them");
  command.add_option("--values", options->pool.values, "More kinds of values, as JSON")->type_name("FILE");
  command.add_option("-o,--out", options->out, "Write here instead of to standard output")->type_name("FILE");
  command.add_option("--voter", options->voters, "A model that votes as well, by name (may be given many times)")
      ->type_name("MODEL");
  declare_server(command, options->server, "Voters");
  command.add_option("--walks", options->walks, "Instead: so many walks along the edges")->type_name("N");
  command.add_option("--length", options->length, "Tools of a walk (3)")->check(CLI::Range(1u, 64u));
  command.add_option("--seed", options->seed, "Seed of the walks (1)")->type_name("S");
  command.add_option("--why", options->why, "Instead: both votes on one pair")->type_name("TOOL.FIELD,TOOL.PARAM");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return graph(*options); }; });
}

}  // namespace wend::driver
