// Live dialogues: what happens in a dialogue goes in, a belief state is kept, blocks for a prompt come out
// (docs/belief.md says what each event and statement does).
//
//   auto engine = Engine::make(program);                      // once per program; shared by all threads
//   auto tools = Tools::parse(tools_json);                    // once per set of tools; shared by dialogues
//   Dialogue dialogue = Dialogue::open(*engine, *tools);
//   dialogue.user("Actually, make it 6:30.");
//   dialogue.call("c1", "set_alarm", R"({"time": "06:30"})");
//   dialogue.result("c1", "Alarm set.");
//   dialogue.reply("It rings at 6:30 now.");
//   Rendered block;
//   dialogue.render(0, block);                                // the program's first render
//
// A dialogue is used by one thread at a time; different dialogues by any. Once its tables have grown, nothing
// allocates. Texts may be any bytes: what is not UTF-8 becomes U+FFFD, the rest NFC.
#ifndef WEND_RUNTIME_BELIEF_DIALOGUE_H_
#define WEND_RUNTIME_BELIEF_DIALOGUE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program.h"
#include "runtime/recognise/recognise.h"
#include "runtime/result.h"

namespace wend::belief {

// The candidate tools of dialogues. Immutable; its rows are the first rows of every dialogue that has it.
class Tools {
 public:
  // Those of a pool (`tool` rows of the batch).
  static std::shared_ptr<const Tools> make(const wend_batch& batch, wend_span pool);
  // A JSON list of tools as OpenAI has them, or bare {name, description, parameters}; empty text: none.
  static Result<std::shared_ptr<const Tools>> parse(std::string_view json);

  ~Tools();
  const recognise::Toolset& toolset() const;

  struct Impl;  // tools.h
  const Impl& impl() const { return *impl_; }
  explicit Tools(std::unique_ptr<const Impl> impl);

 private:
  std::unique_ptr<const Impl> impl_;
};

// A belief of a program, ready for dialogues.
class Engine {
 public:
  // `belief`: its name; empty: the program's first. Fails where there is no such belief.
  static Result<std::shared_ptr<const Engine>> make(std::shared_ptr<const Program> program,
                                                    std::string_view belief = {});
  ~Engine();

  const Program& program() const { return *program_; }
  uint32_t belief() const { return belief_; }
  const BeliefInfo& info() const { return program_->info().beliefs[belief_]; }
  // Renders of this belief, as indices of the program's.
  const std::vector<uint32_t>& renders() const { return renders_; }
  // A render of this belief by its name; the error suggests the nearest one.
  Result<uint32_t> find_render(std::string_view name) const;

  struct Impl;  // engine.h
  const Impl& impl() const { return *impl_; }

 private:
  Engine();

  std::shared_ptr<const Program> program_;
  uint32_t belief_ = 0;
  std::vector<uint32_t> renders_;
  std::unique_ptr<const Impl> impl_;
};

// What of a dialogue its state may remember (paper, Table 10).
using wend::UpdatePolicy;
Result<UpdatePolicy> update_policy(std::string_view name);

struct Label {
  uint32_t label = 0;
  double confidence = 1;  // 0..1
};

struct Options {
  UpdatePolicy policy = UpdatePolicy::accumulate;
  std::optional<recognise::Date> today;  // what "tomorrow" is counted from
  uint32_t max_objects = 32;
  std::vector<double> params;  // the program's; empty: its defaults
  // A model that labels a prompt for a classifier of the program; none: the cues alone decide.
  std::function<std::optional<Label>(uint32_t classifier, std::string_view system, std::string_view prompt)> ask;
  // Tokens of a text, for budgets in tokens; none: four bytes each, rounded up.
  std::function<size_t(std::string_view)> tokens;
};

struct Rendered {
  std::string text;
  std::vector<wend_span> blocks;  // bytes of each sub-block of the render in `text`, its tags included
  bool shortened = false;         // something was cut to meet the budget
  bool over_budget = false;       // it is still too large
};

class Dialogue {
 public:
  // `tools` may be null: none.
  static Dialogue open(std::shared_ptr<const Engine> engine, std::shared_ptr<const Tools> tools, Options options = {});
  // A dialogue as snapshot() left it, under the same program and tools. The error says what is wrong with the text:
  // where it is cut short, which version or program it is of, which key has a value of a wrong kind.
  static Result<Dialogue> restore(std::shared_ptr<const Engine> engine, std::shared_ptr<const Tools> tools,
                                  Options options, std::string_view snapshot);

  Dialogue(Dialogue&&) noexcept;
  Dialogue& operator=(Dialogue&&) noexcept;
  ~Dialogue();

  void user(std::string_view text);
  // `id` may be empty. `arguments`: the JSON object, or a JSON string that holds one; what cannot be read is none.
  void call(std::string_view id, std::string_view tool, std::string_view arguments);
  // Answers the oldest open call with this id, else the oldest open one. `error`: whether it failed; none: as the text
  // says.
  void result(std::string_view call_id, std::string_view text, std::optional<bool> error = {});
  void reply(std::string_view text);

  // `render` is an index of the program's renders; one of this belief.
  void render(uint32_t render, Rendered& out) const;

  // All of it as JSON, for restore().
  std::string snapshot() const;
  // The fields by name, for people and tests: docs/belief.md.
  std::string state_json() const;

  uint32_t turn() const;  // the turn in hand, from 1; 0 before the first user message
  const Engine& engine() const;
  // The state; valid until the next event.
  const wend_batch& batch() const;
  // Bytes that this dialogue takes, without what it shares.
  size_t memory() const;

  struct State;  // state.h

 private:
  explicit Dialogue(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace wend::belief

#endif  // WEND_RUNTIME_BELIEF_DIALOGUE_H_
