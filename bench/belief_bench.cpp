// Live dialogues with the paper's belief: microseconds for each event and each block, bytes for each dialogue.
//
// Targets: an update with a message of 500 characters in 10 us, a block of 1.5 kB in 3 us, 10,000 live dialogues in
// 64 KB each. `updates` runs the program in machine code, `updates_interpreted` the plan itself.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiler/driver/options.h"
#include "compiler/driver/spec.h"
#include "runtime/belief/dialogue.h"

namespace wend::bench {
namespace {

using belief::Dialogue;
using belief::Engine;
using belief::Rendered;
using belief::Tools;

std::shared_ptr<const Engine> engine_by(const std::string& how) {
  driver::SpecOptions options;
  options.spec = WEND_BENCH_ROOT "/specs/iacm/belief.wend";
  options.engine = how;
  options.opt = "2";
  driver::Made<driver::Spec> spec = driver::open_spec(options);
  if (!spec) std::exit(1);
  return *Engine::make(spec->program);
}

// Ten tools of five parameters, as a retail agent has them.
std::string tools_json() {
  std::string json = "[";
  for (const char* verb : {"book", "cancel", "change", "find", "list"}) {
    for (const char* thing : {"table", "flight"}) {
      json += fmt::format(
          R"({}{{"name":"{}_{}","description":"Can {} a {} for the user.","parameters":{{"type":"object","properties":{{)"
          R"("city":{{"type":"string","description":"Name of the city."}},"time":{{"type":"string"}},)"
          R"("people":{{"type":"integer","description":"How many people come."}},)"
          R"("order_id":{{"type":"string","description":"As the list has it."}},)"
          R"("class":{{"type":"string","enum":["economy","business"]}}}}}}}})",
          json.size() > 1 ? "," : "", verb, thing, verb, thing);
    }
  }
  return json + "]";
}

std::shared_ptr<const Tools> tools() {
  static const std::shared_ptr<const Tools> made = *Tools::parse(tools_json());
  return made;
}

// 500 characters that change a time and name a city, a number and a reference.
std::string message(int number) {
  std::string text = fmt::format(
      "Actually, could you please change my table to {}:{:02} in Oslo instead? We will be {} people, and the second "
      "one "
      "on the list looks best, as long as it has a view of the harbour. ",
      1 + number % 11, number % 60, 2 + number % 7);
  const std::string more = "I know that it is late, but the trip was moved and my friends arrive in the evening only. ";
  while (text.size() < 500) text += more;
  text.resize(500);
  return text;
}

std::string arguments(int i) {
  return fmt::format(R"({{"city":"Oslo","time":"{:02}:{:02}","people":{}}})", 12 + i % 11, i % 60, 2 + i % 7);
}
std::string result(int i) {
  return fmt::format(R"([{{"id":"A{}","price":{}}},{{"id":"B{}","price":20}}])", i, i % 50, i);
}
const char* reply(int i) { return i % 3 == 0 ? "Which class do you want?" : "Done. Anything else?"; }

void play(Dialogue& d, int turns) {
  for (int i = 0; i < turns; ++i) {
    d.user(message(i));
    d.call("c", "book_table", arguments(i));
    d.result("c", result(i));
    d.reply(reply(i));
  }
}

// What play() plays, in the trajectory format, to $WEND_BENCH_DIALOGUE: scripts/bench gives it to the Python updater.
void write_dialogue(int turns) {
  const char* path = std::getenv("WEND_BENCH_DIALOGUE");
  if (!path) return;
  nlohmann::json messages = nlohmann::json::array();
  for (int i = 0; i < turns; ++i) {
    messages.push_back({{"role", "user"}, {"content", message(i)}});
    const nlohmann::json function = {{"name", "book_table"}, {"arguments", arguments(i)}};
    messages.push_back(
        {{"role", "assistant"}, {"tool_calls", {{{"id", "c"}, {"type", "function"}, {"function", function}}}}});
    messages.push_back({{"role", "tool"}, {"tool_call_id", "c"}, {"content", result(i)}});
    messages.push_back({{"role", "assistant"}, {"content", reply(i)}});
  }
  std::ofstream(path) << nlohmann::json{{"tools", nlohmann::json::parse(tools_json())}, {"messages", messages}} << "\n";
}

// Updates with messages of 500 characters.
void updates(benchmark::State& state, const std::string& how) {
  write_dialogue(50);
  Dialogue d = Dialogue::open(engine_by(how), tools());
  std::vector<std::string> messages;
  for (int i = 0; i < 64; ++i) messages.push_back(message(i));
  play(d, 50);
  size_t at = 0;
  for (auto _ : state) d.user(messages[at++ % messages.size()]);
  state.counters["us"] = benchmark::Counter(1e-6 * static_cast<double>(state.iterations()),
                                            benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Turns of four events.
void turns(benchmark::State& state, const std::string& how) {
  Dialogue d = Dialogue::open(engine_by(how), tools());
  play(d, 50);
  for (auto _ : state) play(d, 1);
}

void render(benchmark::State& state, const std::string& how) {
  Dialogue d = Dialogue::open(engine_by(how), tools());
  play(d, 1);
  Rendered block;
  for (auto _ : state) d.render(0, block);
  state.counters["bytes"] = static_cast<double>(block.text.size());
}

// Writing a snapshot and reading it.
void snapshot(benchmark::State& state) {
  const auto engine = engine_by("jit");
  Dialogue d = Dialogue::open(engine, tools());
  play(d, 8);
  size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = d.snapshot();
    bytes = text.size();
    benchmark::DoNotOptimize(*Dialogue::restore(engine, tools(), {}, text));
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}

// 10,000 dialogues of eight turns: what one of them takes.
void live_dialogues(benchmark::State& state) {
  const auto engine = engine_by("jit");
  size_t bytes = 0, count = 0;
  for (auto _ : state) {
    std::vector<Dialogue> live;
    for (int i = 0; i < 10000; ++i) {
      live.push_back(Dialogue::open(engine, tools()));
      play(live.back(), 8);
    }
    bytes = 0;
    for (const Dialogue& d : live) bytes += d.memory();
    count = live.size();
  }
  state.counters["bytes_each"] = static_cast<double>(bytes) / static_cast<double>(count);
}

BENCHMARK_CAPTURE(updates, native, "jit");
BENCHMARK_CAPTURE(updates, interpreted, "interpreter");
BENCHMARK_CAPTURE(turns, native, "jit");
BENCHMARK_CAPTURE(turns, interpreted, "interpreter");
BENCHMARK_CAPTURE(render, native, "jit");
BENCHMARK_CAPTURE(render, interpreted, "interpreter");
BENCHMARK(snapshot);
BENCHMARK(live_dialogues)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wend::bench
