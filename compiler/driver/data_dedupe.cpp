// `wend data dedupe`: dialogues that are there twice, or in another data set as well.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "compiler/driver/commands.h"
#include "compiler/driver/console.h"
#include "compiler/driver/files.h"
#include "runtime/data/digest.h"

namespace wend::driver {
namespace {

using Json = nlohmann::json;

struct DedupeOptions {
  std::vector<std::string> files, against;
  std::string out;
  bool schema = false, list = false;
};

constexpr const char* kFooter = R"(
Examples:
  wend data dedupe train.jsonl --out clean.jsonl                              dialogues that are there twice
  wend data dedupe test.jsonl --against train.jsonl --out clean.jsonl         and those that are in train as well
  wend data dedupe test.jsonl --against train.jsonl --schema --out clean.jsonl   and those that call a tool of train's
Two dialogues are the same task if users say and agents call the same, whatever the case and blanks. Two tools are the
same schema if their names are, or their descriptions and parameters under another name. Lines stay as they are. Exit
codes: 0 fine, 1 a file had errors, 2 usage.)";

// Letters in lower case, one blank between words.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isspace(u) != 0) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else {
      out += static_cast<char>(std::tolower(u));
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A dialogue in short: what its users say and its agents call, and which tools it calls.
struct Line {
  std::string id, task;  // task: a digest; empty where nothing is said or called
  std::set<std::string> called;
  std::map<std::string, std::string> schemas;  // of its candidates: name, and description with parameters
};

Result<Line> read_line(const Json& record) {
  Line out;
  const Json* messages = &record;
  if (record.is_object()) {
    const auto at = record.find("messages");
    if (at == record.end() || !at->is_array()) return Error{"`messages` is no list"};
    messages = &*at;
    const auto id = record.find("id");
    if (id != record.end()) out.id = id->is_string() ? id->get<std::string>() : dumped(*id);
    const auto tools = record.find("tools");
    if (tools != record.end() && tools->is_array()) {
      for (const Json& tool : *tools) {
        if (!tool.is_object()) continue;
        const Json& function = tool.contains("function") ? tool["function"] : tool;
        if (!function.is_object() || !function.contains("name") || !function["name"].is_string()) continue;
        const Json parameters = function.contains("parameters") ? function["parameters"] : Json();
        const std::string description =
            function.contains("description") && function["description"].is_string() ? function["description"] : "";
        out.schemas[function["name"]] = folded(description) + dumped(parameters);
      }
    }
  }
  if (!messages->is_array()) return Error{"this is no dialogue"};
  if (record.is_array() && !record.empty() &&
      (record[0].is_array() || (record[0].is_object() && record[0].contains("messages"))))
    return Error{"a list of dialogues"};
  std::string task;
  for (const Json& message : *messages) {
    if (!message.is_object()) return Error{"a message is no object"};
    const std::string role = message.contains("role") && message["role"].is_string() ? message["role"] : "";
    if (role == "user" && message.contains("content")) {
      const Json& content = message["content"];
      task += "u:" + folded(content.is_string() ? content.get<std::string>() : dumped(content)) + "\n";
    }
    const auto calls = message.find("tool_calls");
    if (calls == message.end() || !calls->is_array()) continue;
    for (const Json& call : *calls) {
      if (!call.is_object() || !call.contains("function") || !call["function"].is_object()) continue;
      const Json& function = call["function"];
      const std::string name = function.contains("name") && function["name"].is_string() ? function["name"] : "";
      Json arguments = function.contains("arguments") ? function["arguments"] : Json();
      if (arguments.is_string()) {
        Json parsed = Json::parse(arguments.get<std::string>(), nullptr, false);
        if (!parsed.is_discarded()) arguments = std::move(parsed);
      }
      out.called.insert(name);
      task += "c:" + name + folded(dumped(arguments)) + "\n";
    }
  }
  if (!task.empty()) out.task = sha256(task);
  return out;
}

class Dedupe {
 public:
  explicit Dedupe(const DedupeOptions& options) : options_(options) {}

  Exit run() {
    for (const std::string& file : options_.against) {
      const Result<void> read = each_line(file, [&](const std::string&, Line&& line, const std::string& place) {
        tasks_.try_emplace(line.task, line.id.empty() ? place : line.id);
        for (const auto& [name, schema] : line.schemas) {
          names_.insert(name);
          schemas_.insert(schema);
        }
        for (const std::string& name : line.called) names_.insert(name);
        return Result<void>();
      });
      if (!read) return complain(Exit::input, read.error().message);
    }
    const Result<std::string> path = target();
    if (!path) return complain(Exit::usage, path.error().message);
    std::ofstream out(*path, std::ios::binary);
    if (!out) return complain(Exit::input, fmt::format("{}: {}", *path, std::strerror(errno)));
    const Exit written = write(*path, out);
    std::error_code error;
    if (written != Exit::fine && *path != options_.out) std::filesystem::remove(*path, error);
    return written;
  }

 private:
  static constexpr uint64_t kShown = 5;

  // What is written to: a file beside --out, which takes its place in the end (a link stays one); a device itself.
  Result<std::string> target() {
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::is_symlink(options_.out, error)) final_ = fs::weakly_canonical(options_.out, error).string();
    if (final_.empty()) final_ = options_.out;
    const bool special = fs::exists(final_, error) && !fs::is_regular_file(final_, error);
    const std::string path = special ? final_ : final_ + ".part";
    for (const std::vector<std::string>* list : {&options_.files, &options_.against})
      for (const std::string& file : *list)
        if (fs::equivalent(file, final_, error) || fs::equivalent(file, path, error))
          return Error{fmt::format("--out {} would overwrite {}, one of the inputs", options_.out, file)};
    return path;
  }

  Exit write(const std::string& part, std::ofstream& out) {
    std::error_code error;
    for (const std::string& file : options_.files) {
      const Result<void> read = each_line(file, [&](const std::string& text, Line&& line, const std::string& place) {
        return keep_or_not(text, line, place, out);
      });
      if (!read) return complain(Exit::input, read.error().message);
    }
    out.flush();
    if (!out) return complain(Exit::input, fmt::format("{}: {}", part, std::strerror(errno)));
    out.close();
    if (part != final_) std::filesystem::rename(part, final_, error);
    if (error) return complain(Exit::input, fmt::format("{}: {}", final_, error.message()));
    if (skipped_ > kShown) warn(fmt::format("and {} more records that are no dialogues", skipped_ - kShown));
    std::string text = fmt::format("{} of {} dialogues kept; {} twice", kept_, all_, twice_);
    if (!options_.against.empty())
      text += fmt::format(", {} in the other set, {} {} a tool of the other set", known_, shared_,
                          options_.schema ? "with" : "kept with");
    note(text);
    return all_ == 0 ? complain(Exit::input, "the files hold no dialogue") : Exit::fine;
  }

  template <class Take>
  Result<void> each_line(const std::string& file, const Take& take) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return Error{fmt::format("{}: {}", file, std::strerror(errno))};
    std::string text;
    bool first = true;
    for (uint64_t number = 1; std::getline(stream, text); ++number) {
      if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
      const std::string place = fmt::format("{}:{}", file, number);
      const Json record = Json::parse(text, nullptr, false);
      Result<Line> line = record.is_discarded() ? Result<Line>(Error{"not a line of JSON"}) : read_line(record);
      if (first && !line && (record.is_discarded() || record.is_array()))
        return Error{fmt::format("{}: {}; JSON Lines are needed, one dialogue a line", place, line.error().message)};
      first = false;
      if (!line) {
        if (++skipped_ <= kShown) warn(fmt::format("skipped {}: {}", place, line.error().message));
        continue;
      }
      const Result<void> taken = take(text, std::move(*line), place);
      if (!taken) return taken.error();
    }
    return {};
  }

  Result<void> keep_or_not(const std::string& text, const Line& line, const std::string& place, std::ofstream& out) {
    ++all_;
    const std::string id = line.id.empty() ? place : line.id;
    if (const auto known = tasks_.find(line.task); !line.task.empty() && known != tasks_.end()) {
      ++(own_.contains(line.task) ? twice_ : known_);
      if (options_.list) show(fmt::format("{}\tsame task as\t{}\n", id, known->second));
      return {};
    }
    std::string shared;
    if (!options_.against.empty()) {
      for (const std::string& name : line.called) {
        const auto schema = line.schemas.find(name);
        if (names_.contains(name) || (schema != line.schemas.end() && schemas_.contains(schema->second))) shared = name;
      }
    }
    shared_ += shared.empty() ? 0 : 1;
    if (!shared.empty() && options_.schema) {
      if (options_.list) show(fmt::format("{}\tsame schema as\t{}\n", id, shared));
      return {};
    }
    tasks_.emplace(line.task, id);
    own_.insert(line.task);
    ++kept_;
    out << text << '\n';
    if (!out) return Error{fmt::format("{}.part: {}", options_.out, std::strerror(errno))};
    return {};
  }

  const DedupeOptions& options_;
  std::string final_;                                   // where --out leads
  std::unordered_map<std::string, std::string> tasks_;  // digest, and the dialogue that it is of
  std::set<std::string> own_, names_, schemas_;
  uint64_t all_ = 0, kept_ = 0, twice_ = 0, known_ = 0, shared_ = 0, skipped_ = 0;
};

}  // namespace

void add_data_dedupe(CLI::App& data, Action& action) {
  auto options = std::make_shared<DedupeOptions>();
  CLI::App& command = *data.add_subcommand("dedupe", "Remove dialogues that are there twice, or in another data set");
  command.add_option("FILES", options->files, "Dialogues, one a line")->required();
  command.add_option("--out", options->out, "Where the lines go that stay")->required()->type_name("FILE");
  command.add_option("--against", options->against, "Another data set: what is in it goes")->type_name("FILE");
  command.add_flag("--schema", options->schema, "Dialogues go that call a tool which the other set has");
  command.add_flag("--list", options->list, "Print each dialogue that goes, and the one that it is the same as");
  command.footer(kFooter);
  command.callback([options, &action] { action = [options] { return Dedupe(*options).run(); }; });
}

}  // namespace wend::driver
