#include "runtime/belief/workspace.h"

#include <algorithm>

#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "runtime/data/python_literal.h"

namespace wend::belief {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

constexpr int kMaxNested = 3;  // JSON inside a JSON string inside ...

// A JSON string of printable ASCII without escapes, as most values are: its text is what stands between the quotes.
bool is_plain_string(std::string_view json) {
  if (json.size() < 2 || json.front() != '"' || json.back() != '"') return false;
  json = json.substr(1, json.size() - 2);
  return std::all_of(json.begin(), json.end(), [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

}  // namespace

uint32_t ValueReader::read(Tables& tables, std::string_view json) {
  tables.values.start_record();
  if (is_plain_string(json)) return tables.values.string(json.substr(1, json.size() - 2));
  if (index_.build(padded_.copy(json))) return WEND_NONE;
  Cursor cursor = index_.all();
  const uint32_t row = tables.values.read(cursor);
  cursor.end();
  return cursor.ok() ? row : WEND_NONE;
}

bool ValueReader::read_fields(Tables& tables, Cursor& cursor, std::vector<Argument>& arguments) {
  arguments.clear();
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    const uint32_t name = tables.texts.intern_name(cut_to_bytes(key, kMaxName, name_));
    const uint32_t value = tables.values.read(cursor);
    const auto known =
        std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) { return a.name == name; });
    if (known != arguments.end()) {
      known->value = value;
    } else {
      arguments.push_back({name, value});
    }
  }
  cursor.end();
  if (!cursor.ok()) arguments.clear();
  return cursor.ok();
}

bool ValueReader::read_arguments(Tables& tables, std::string_view text, std::vector<Argument>& arguments) {
  arguments.clear();
  tables.values.start_record();
  for (int depth = 0; depth < kMaxNested; ++depth) {
    const std::string_view bare = trimmed(text);
    if (bare.empty() || bare == "null" || bare == "None") return true;
    if (!index_.build(padded_.copy(text))) {
      Cursor cursor = index_.all();
      if (cursor.peek() == '{') {
        if (read_fields(tables, cursor, arguments)) return true;
      } else if (cursor.peek() == '"') {
        const std::string_view inside = cursor.string(string_);
        if (cursor.ok() && cursor.peek() == '\0') {
          json_.assign(inside);
          inner_.swap(json_);
          text = inner_;
          continue;
        }
      }
    }
    if (bare[0] != '{') return false;
    json_.clear();
    if (!python_literal_to_json(bare, json_) || index_.build(padded_.copy(json_))) return false;
    Cursor cursor = index_.all();
    return read_fields(tables, cursor, arguments);
  }
  return false;
}

Workspaces::Lease Workspaces::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return {*this, std::make_unique<Workspace>()};
  std::unique_ptr<Workspace> workspace = std::move(free_.back());
  free_.pop_back();
  return {*this, std::move(workspace)};
}

void Workspaces::give_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(workspace));
}

}  // namespace wend::belief
