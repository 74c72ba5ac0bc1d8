// Reading drafted blocks: megabytes a second over a stream of blocks, well formed and spoilt.
//
// The well-formed ones are what a renderer makes of some hundred states: about 1.5 kB, nine sub-blocks. The target is
// 300 MB/s. Spoilt ones have one fault each, of the kinds that policies make; they are also compared with what they
// were.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/draft/compare.h"
#include "runtime/draft/reader.h"

namespace wend::bench {
namespace {

constexpr const char* kTools[] = {"book_flight", "set_alarm", "find_restaurant", "update_order", "get_weather"};
constexpr const char* kParams[] = {"time", "city", "order_id", "people", "departure_date", "payment_method"};

// One block, of a state with `slots` slots.
std::string block_of(std::mt19937& random, int slots) {
  const auto any = [&](const auto& list) { return list[random() % std::size(list)]; };
  std::string keys, arguments;
  for (int i = 0; i < slots; ++i) {
    const std::string key = fmt::format("{}.{}", any(kTools), any(kParams));
    keys += fmt::format("{}\"{}\"", i ? "," : "", key);
    arguments += fmt::format("{}\"{}\":\"value {} of it\"", i ? "," : "", key, random() % 1000);
  }
  const std::string goal = fmt::format("Please change booking {} to the {} at {}:30, and send me the \\\"receipt\\\"",
                                       random() % 100000, 1 + random() % 28, random() % 24);
  const std::string stale = fmt::format("\"{}.{}\"", any(kTools), any(kParams));
  const std::string tool = any(kTools);
  std::string out = "<Context_Manager>\n";
  const auto add = [&](const char* name, const std::string& json) {
    out += fmt::format("<{0}>{1}</{0}>\n", name, json);
  };
  add("Current_User", R"({"intent_type":"modify_previous_task","current_turn_requires_tool":true})");
  add("Overall_User_Task",
      fmt::format(R"({{"full_intent":"{}","current_turn_boundary":"continue executing","deferred_intent_summary":[]}})",
                  goal));
  add("History_Relation",
      fmt::format(
          R"({{"relation_to_history":"overrides","inherit_slots":[{}],"override_slots":[{}],"reason":"modified"}})",
          keys, stale));
  add("Resolved_References", fmt::format(R"({{"that order":"#{}"}})", random() % 10000));
  add("Active_Objects",
      fmt::format(R"({{"obj_{0}_2":{{"type":"{0}","status":"confirmed","canonical_slots":{{{1}}},"last_tool":"{0}",)"
                  R"("last_result":"{{\"id\": {2}, \"state\": \"ok\"}}"}}}})",
                  tool, arguments, random() % 10000));
  add("Pending_Or_Interrupted_Tasks", "[]");
  add("Task_Graph_For_Current_Turn",
      fmt::format(R"([{{"task_id":"T1","description":"{}","arguments":{{{}}},"depends_on":[],"status":"ready",)"
                  R"("execute_in_current_assistant_turn":true}}])",
                  goal, arguments));
  add("Deferred_Tasks_After_Current_Turn", "[]");
  add("Tool_Decision_Guide",
      fmt::format(R"({{"call_tool_now":true,"ask_user_instead":false,"must_override_arguments":[{}],)"
                  R"("unresolved_slots":[],"common_error_warnings":["no longer {}"]}})",
                  stale, random() % 1000));
  return out + "</Context_Manager>";
}

std::vector<std::string> well_formed() {
  std::mt19937 random(1);
  std::vector<std::string> blocks;
  for (int i = 0; i < 500; ++i) blocks.push_back(block_of(random, 2 + i % 5));
  return blocks;
}

// One fault a block.
std::vector<std::string> spoilt() {
  std::mt19937 random(2);
  std::vector<std::string> blocks = well_formed();
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::string& block = blocks[i];
    switch (i % 5) {
      case 0:
        block.resize(block.size() / 2 + random() % (block.size() / 2));
        break;
      case 1:
        for (char& c : block) c = c == '"' ? '\'' : c;
        break;
      case 2:
        block += "\nI call the tool now.";
        break;
      case 3:
        block.erase(block.find('}'), 1);
        break;
      default:
        block.insert(block.find("true"), "T").erase(block.find("Ttrue") + 1, 1);
    }
  }
  return blocks;
}

void read_all(benchmark::State& state, const std::vector<std::string>& blocks) {
  DraftReader reader(DraftShape::context_manager());
  size_t bytes = 0, issues = 0;
  for (auto _ : state) {
    for (const std::string& block : blocks) {
      issues += reader.read(block).issues.size();
      bytes += block.size();
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(bytes));
  const double n = static_cast<double>(blocks.size()) * static_cast<double>(state.iterations());
  state.counters["block_bytes"] = static_cast<double>(bytes) / n;
  state.counters["issues"] = static_cast<double>(issues) / n;
}

void draft_read_well_formed(benchmark::State& state) { read_all(state, well_formed()); }
void draft_read_spoilt(benchmark::State& state) { read_all(state, spoilt()); }

// Time is that of a pair; the two are read before.
void draft_compare(benchmark::State& state) {
  const DraftShape& shape = DraftShape::context_manager();
  const std::vector<std::string> drafted = spoilt(), right = well_formed();
  std::vector<std::unique_ptr<DraftReader>> readers;
  std::vector<const Draft*> drafts, oracles;
  const auto read = [&](const std::string& text) {
    readers.push_back(std::make_unique<DraftReader>(shape));
    return &readers.back()->read(text);
  };
  for (const std::string& text : drafted) drafts.push_back(read(text));
  for (const std::string& text : right) oracles.push_back(read(text));
  DraftComparer comparer(shape);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(comparer.compare(*drafts[i], *oracles[i]).slots.right);
    i = (i + 1) % drafts.size();
  }
}

BENCHMARK(draft_compare);
BENCHMARK(draft_read_well_formed);
BENCHMARK(draft_read_spoilt);

}  // namespace
}  // namespace wend::bench
