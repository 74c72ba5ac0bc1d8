#include <filesystem>
#include <string>
#include <system_error>

#include "runtime/data/byte_source.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/readers/bfcl.h"
#include "runtime/data/readers/messages.h"

namespace wend {
namespace {

namespace fs = std::filesystem;

// The services of the multi-turn questions and the files that describe them, as the leaderboard names them.
struct Service {
  std::string_view name, file;
};
constexpr Service kServices[] = {
    {"GorillaFileSystem", "gorilla_file_system.json"},
    {"MathAPI", "math_api.json"},
    {"MessageAPI", "message_api.json"},
    {"TwitterAPI", "posting_api.json"},
    {"PostingAPI", "posting_api.json"},
    {"TicketAPI", "ticket_api.json"},
    {"TradingBot", "trading_bot.json"},
    {"TravelAPI", "travel_booking.json"},
    {"VehicleControlAPI", "vehicle_control.json"},
    {"WebSearchAPI", "web_search.json"},
    {"MemoryAPI", "memory_kv.json"},
    {"MemoryAPI_kv", "memory_kv.json"},
    {"MemoryAPI_vector", "memory_vector.json"},
    {"MemoryAPI_rec_sum", "memory_rec_sum.json"},
};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// One visit per line that is an object with a string `id` (or `name`); the first broken line is an error.
template <class Visit>
Result<void> each_line(const std::string& path, Visit&& visit) {
  const auto text = read_whole_file(path);
  if (!text) return text.error();
  PaddedBuffer buffer;
  JsonIndex index;
  size_t number = 0;
  for (size_t from = 0; from < text->size();) {
    const size_t end = std::min(text->find('\n', from), text->size());
    const std::string_view line = std::string_view(*text).substr(from, end - from);
    from = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const char* cause = index.build(buffer.copy(line));
    if (!cause) {
      const Cursor cursor = index.all();
      cause = visit(cursor);
    }
    if (cause) return Error{path + ":" + std::to_string(number) + ": " + cause};
  }
  return {};
}

// The file that goes with `path`: `given` itself, or the one of the same name in it, or in `folder` beside `path`.
fs::path companion(const fs::path& path, const std::string& given, const char* folder) {
  if (given.empty()) return path.parent_path() / folder / path.filename();
  std::error_code ignored;
  return fs::is_directory(given, ignored) ? fs::path(given) / path.filename() : fs::path(given);
}

Result<void> load_by_id(const fs::path& path, std::string_view key, std::unordered_map<std::string, std::string>& out) {
  PaddedBuffer buffer;
  return each_line(path.string(), [&](const Cursor& line) -> const char* {
    Cursor id, value;
    if (!MessageReader::find(line, "id", id)) return "a line has no `id`";
    if (!MessageReader::find(line, key, value)) return "a line has neither answer nor result";
    const std::string name(id.peek() == '"' ? id.string(buffer) : id.raw());
    const std::string_view json = value.raw();
    if (!id.ok()) return id.error();
    if (!value.ok()) return value.error();
    out[name] = json;
    return nullptr;
  });
}

const char* read_function(const Cursor& line, std::vector<BfclFunction>& out) {
  PaddedBuffer buffer;
  BfclFunction function;
  Cursor whole = line, name, parameters, properties;
  if (!MessageReader::find(line, "name", name)) return "a function has no `name`";
  function.name = name.string(buffer);
  function.json = whole.raw();
  if (MessageReader::find(line, "parameters", parameters) &&
      MessageReader::find(parameters, "properties", properties)) {
    properties.enter_object();
    for (std::string_view key; properties.next_field(key); properties.skip()) function.params.emplace_back(key);
    if (!properties.ok()) return properties.error();
  }
  if (!name.ok()) return name.error();
  out.push_back(std::move(function));
  return whole.error();
}

Result<void> load_services(const fs::path& folder, BfclSidecar& sidecar) {
  for (const Service& service : kServices) {
    const fs::path path = folder / service.file;
    if (!is_there(path)) continue;
    auto& functions = sidecar.services[std::string(service.name)];
    const auto read = each_line(path.string(), [&](const Cursor& line) { return read_function(line, functions); });
    if (!read) return read;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Sidecar>> load_bfcl(const std::string& path, const ReadOptions& options) {
  auto sidecar = std::make_unique<BfclSidecar>();
  const fs::path answers = companion(path, options.answers, "possible_answer");
  if (!options.answers.empty() || is_there(answers)) {
    if (const auto read = load_by_id(answers, "ground_truth", sidecar->answers); !read) return read.error();
  }
  if (!options.results.empty()) {
    const fs::path results = companion(path, options.results, "");
    if (const auto read = load_by_id(results, "result", sidecar->results); !read) return read.error();
  }
  const fs::path docs = fs::path(path).parent_path() / "multi_turn_func_doc";
  if (is_there(docs)) {
    if (const auto read = load_services(docs, *sidecar); !read) return read.error();
  }
  return std::unique_ptr<Sidecar>(std::move(sidecar));
}

}  // namespace wend
