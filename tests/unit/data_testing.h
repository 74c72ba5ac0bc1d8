// Helpers for the tests of runtime/data: reading text that a test holds, and batches as text to compare.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "runtime/data/reader.h"

namespace wend::testing {

// Everything that a batch says about its dialogues, without row numbers.
inline std::string dump(const Batch& b) {
  const Columns& c = b.columns();
  std::string out;
  const auto line = [&out](auto&&... parts) {
    const auto put = [&out](std::string_view part) {
      if (part.empty()) return;
      if (!out.empty() && out.back() != '\n') out += ' ';
      out += part;
    };
    (put(parts), ...);
    out += '\n';
  };
  const auto num = [](uint64_t n) { return n == WEND_NONE ? std::string("-") : std::to_string(n); };
  const auto text = [&b](uint32_t row) { return row == WEND_NONE ? std::string("-") : std::string(b.text(row)); };
  const auto value = [&](uint32_t row) { return row == WEND_NONE ? std::string("-") : text(c.value_text[row]); };
  const auto call = [&](uint32_t k, const wend_span& turns) {
    std::string args;
    for (uint32_t a = c.call_args[k].begin; a < c.call_args[k].end; ++a) {
      args += (args.empty() ? "" : " ") + text(c.arg_name[a]) + "=" + std::to_string(c.value_type[c.arg_value[a]]) +
              ":" + value(c.arg_value[a]);
      for (uint32_t x = c.arg_accepted[a].begin; x < c.arg_accepted[a].end; ++x) {
        if (x > c.arg_accepted[a].begin) args += "|" + value(c.accepted_value[x]);
      }
      if (c.arg_optional[a]) args += "?";
      if (c.arg_param[a] != WEND_NONE) args += "!";
    }
    line("    call", num(c.call_number[k]), text(c.call_name[k]), args, c.call_gold[k] ? "gold" : "made",
         c.call_malformed[k] ? "malformed" : "", "turn",
         c.call_turn[k] == WEND_NONE ? "-" : num(c.call_turn[k] - turns.begin), "tool",
         c.call_tool[k] == WEND_NONE ? "-" : text(c.tool_name[c.call_tool[k]]));
  };
  for (uint32_t t = 0; t < b.traces(); ++t) {
    const wend_span turns = c.trace_turns[t], messages = c.trace_messages[t], pool = c.trace_pool[t];
    line("trace", b.trace_id(t), "family", text(c.trace_family[t]), "scenario", text(c.trace_scenario[t]), "caps",
         num(c.trace_caps[t]), "profile", text(c.trace_profile[t]));
    for (uint32_t m = messages.begin; m < messages.end; ++m) {
      line("  message", num(c.message_role[m]), "turn",
           c.message_turn[m] == WEND_NONE ? "-" : num(c.message_turn[m] - turns.begin), "text", text(c.message_text[m]),
           "folded", std::string(b.folded(c.message_text[m])), "answers",
           c.message_answers[m] == WEND_NONE ? "-" : num(c.call_number[c.message_answers[m]]));
      for (uint32_t k = c.message_calls[m].begin; k < c.message_calls[m].end; ++k) call(k, turns);
    }
    for (uint32_t u = turns.begin; u < turns.end; ++u) {
      line("  turn", num(c.turn_number[u]), "kind", num(c.turn_kind[u]), "signal", num(c.turn_signal[u]), "labelled",
           num(c.turn_labelled[u]), "answered", num(c.turn_answered[u]), "messages",
           num(c.turn_messages[u].end - c.turn_messages[u].begin), "calls",
           num(c.turn_calls[u].end - c.turn_calls[u].begin), "user", c.turn_user[u] == WEND_NONE ? "-" : "yes");
      for (uint32_t k = c.turn_gold_calls[u].begin; k < c.turn_gold_calls[u].end; ++k) call(k, turns);
      for (uint32_t s = c.turn_slots[u].begin; s < c.turn_slots[u].end; ++s) {
        line("    stale", text(c.slot_tool[s]), text(c.slot_param[s]), value(c.slot_value[s]));
      }
      for (uint32_t n = c.turn_missing[u].begin; n < c.turn_missing[u].end; ++n)
        line("    missing", text(c.turn_missing_name[n]));
    }
    line("  gold calls", num(c.trace_gold_calls[t].end - c.trace_gold_calls[t].begin));
    for (uint32_t p = pool.begin; p < pool.end; ++p) {
      line("  tool", text(c.tool_name[p]), text(c.tool_description[p]));
      for (uint32_t q = c.tool_params[p].begin; q < c.tool_params[p].end; ++q) {
        std::string choices;
        for (uint32_t x = c.param_choices[q].begin; x < c.param_choices[q].end; ++x)
          choices += value(c.choice_value[x]) + ",";
        line("    param", text(c.param_name[q]), num(c.param_type[q]), c.param_required[q] ? "required" : "",
             value(c.param_default_value[q]), choices);
      }
    }
    for (uint32_t h = c.trace_chains[t].begin; h < c.trace_chains[t].end; ++h) {
      line("  chain");
      for (uint32_t l = c.chain_links[h].begin; l < c.chain_links[h].end; ++l) {
        std::string needs;
        for (uint32_t n = c.link_needs[l].begin; n < c.link_needs[l].end; ++n) {
          needs += num(c.need_link[n] - c.chain_links[h].begin) + ",";
        }
        line("    link", num(c.call_number[c.link_call[l]]), "needs", needs);
      }
    }
  }
  return out;
}

// Lines of native or OpenAI dialogues.
struct ReadText {
  explicit ReadText(std::string_view lines, const ReadOptions& options = {}) {
    const auto read = read_lines(lines, options, batch, report);
    if (!read) error = read.error().message;
  }
  const Columns& c() const { return batch.columns(); }
  std::string issue(size_t i = 0) const { return i < report.issues.size() ? report.issues[i].text() : ""; }

  Batch batch;
  ReadReport report;
  std::string error;
};

// One dialogue whose agent makes one call with these arguments, as they stand in the JSON.
inline std::string with_arguments(const std::string& arguments) {
  return R"({"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":)" +
         arguments + "}}]}]}\n";
}

// A file in a folder of the test's own, removed with it.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "wend-data-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string File(const std::string& name, std::string_view text) const {
    const auto path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// All of a file (or several) through Next.
struct ReadFiles {
  explicit ReadFiles(std::vector<std::string> paths, ReadOptions options = {}) {
    auto reader = Reader::Open(std::move(paths), std::move(options));
    if (!reader) {
      error = reader.error().message;
      return;
    }
    Batch batch;
    for (;;) {
      const auto more = reader->Next(batch);
      if (!more) error = more.error().message;
      if (!more || !*more) break;
      ++batches;
      traces += batch.traces();
      for (uint32_t t = 0; t < batch.traces(); ++t) ids.emplace_back(batch.trace_id(t));
      const Columns& c = batch.columns();
      turns += c.turn_trace.size();
      for (uint32_t u = 0; u < c.turn_user.size(); ++u) empty_turns += c.turn_user[u] == WEND_NONE;
      for (const uint8_t role : c.message_role) ++messages[role];
      for (uint32_t k = 0; k < c.call_name.size(); ++k) {
        ++(c.call_gold[k] ? gold_calls : calls);
        malformed += c.call_malformed[k];
        if (!c.call_gold[k]) answered += c.call_result[k] != WEND_NONE;
      }
      dump += testing::dump(batch);
    }
    report = reader->report();
    if (!reader->layouts().empty()) format = reader->layouts()[0].format;
  }

  std::string error, dump;
  Format format = Format::kAuto;
  ReadReport report;
  std::vector<std::string> ids;
  uint64_t batches = 0, traces = 0, turns = 0, empty_turns = 0, calls = 0, gold_calls = 0, malformed = 0, answered = 0;
  uint64_t messages[4] = {};
};

// Where the shared transcripts are; empty if they are not there.
inline std::filesystem::path shared_data() {
  if (const char* given = std::getenv("WEND_SHARED_DATA")) return given;
  const std::filesystem::path beside = std::filesystem::path(WEND_TEST_DATA) / "../../../shared/data";
  return std::filesystem::exists(beside) ? beside : std::filesystem::path();
}

}  // namespace wend::testing
