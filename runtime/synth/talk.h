// The deterministic writer: what users ask and agents say, of the phrases of a phrasebook.
#ifndef WEND_RUNTIME_SYNTH_TALK_H_
#define WEND_RUNTIME_SYNTH_TALK_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/random.h"
#include "runtime/result.h"
#include "runtime/synth/phrasebook.h"
#include "runtime/synth/trace.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

// The ways in which users talk: casual, polite, terse, formal.
inline constexpr uint32_t kStyles = 4;

// A value as it is said: without quotes, labels without underscores.
std::string spoken(const tools::ValueType& type, const tools::Value& value);

class Talk {
 public:
  // Fails where the book lacks phrases that the writer needs; the error names them.
  static Result<Talk> make(const Phrasebook& book, const tools::Pool& pool);

  // A task with its values: "find hotels in Oslo for 3 nights". Arguments that are implied, and those that earlier
  // calls feed, are not said; `points_back`: something stands for the latter.
  std::string task(const Call& call, bool points_back, Random& random) const;
  // The tasks of calls that feed one another, in one sentence.
  std::string linked(const std::vector<const Call*>& calls, Random& random) const;

  // What users say.
  std::string opening(std::string_view task, uint32_t style, Random& random) const;
  std::string next(std::string_view task, uint32_t style, Random& random) const;
  std::string personal(std::string_view task, Random& random) const { return say(k_personal, {task}, random); }
  std::string interruption(std::string_view task, Random& random) const { return say(k_interrupt, {task}, random); }
  std::string both(std::string_view a, std::string_view b, Random& random) const { return say(k_both, {a, b}, random); }
  std::string fragment(const tools::PoolTool& tool, Random& random) const {
    return say(k_fragment, {tool.topic}, random);
  }
  std::string answer(const tools::Parameter& parameter, const tools::Value& value, Random& random) const;
  std::string ask_ability(const tools::PoolTool& tool, Random& random) const {
    return say(k_ask_ability, {tool.topic}, random);
  }
  std::string ask_needs(const tools::PoolTool& tool, Random& random) const {
    return say(k_ask_needs, {tool.task}, random);
  }
  std::string small_talk(Random& random) const { return say(k_small_talk, {}, random); }
  std::string idle_task(std::string_view task, Random& random) const { return say(k_idle_task, {task}, random); }

  // What agents say.
  std::string system_prompt(Random& random) const { return say(k_system_prompt, {}, random); }
  std::string ask_intent(const tools::PoolTool& tool, Random& random) const {
    return say(k_ask_intent, {tool.topic}, random);
  }
  std::string ask_parameter(const tools::Parameter& parameter, Random& random) const {
    return say(counts(parameter) ? k_ask_count : k_ask_param, {parameter.words}, random);
  }
  // Only what the calls returned.
  std::string summary(const std::vector<const Call*>& calls, Random& random) const;
  std::string ability(const std::array<std::string_view, 3>& tasks, Random& random) const {
    return say(k_ability, {tasks[0], tasks[1], tasks[2]}, random);
  }
  std::string needs(const tools::PoolTool& tool, Random& random) const;
  std::string small_talk_reply(Random& random) const { return say(k_small_talk_reply, {}, random); }
  std::string idle_task_reply(Random& random) const { return say(k_idle_task_reply, {}, random); }

  // The text with two letters of a word swapped, where a word is long enough and stands in none of the values.
  static std::string mistyped(std::string text, const std::vector<std::string>& values, Random& random);

 private:
  enum Name : uint8_t {
    k_open_casual,
    k_open_polite,
    k_open_terse,
    k_open_formal,
    k_next_casual,
    k_next_polite,
    k_next_terse,
    k_next_formal,
    k_personal,
    k_interrupt,
    k_both,
    k_linked,
    k_fragment,
    k_answer,
    k_ask_ability,
    k_ask_needs,
    k_small_talk,
    k_idle_task,
    k_system_prompt,
    k_ask_intent,
    k_ask_param,
    k_ask_count,
    k_done_one,
    k_done_bare,
    k_fact,
    k_ability,
    k_needs,
    k_small_talk_reply,
    k_idle_task_reply,
    k_value,
    k_value_count,
    k_value_true,
    k_value_false,
    k_deixis,
    k_names
  };
  // How a parameter's value is said, and where the tool's task has a place for it.
  struct Manner {
    uint32_t phrases = kNoPhrases;  // of the value alone; else `value` with the parameter's words
    uint32_t place = kNone, length = 0;
  };

  Talk(const Phrasebook& book, const tools::Pool& pool) : book_(&book), pool_(&pool) {}
  std::string say(Name name, std::initializer_list<std::string_view> values, Random& random) const {
    return book_->say(names_[name], values, random);
  }
  // It is a number of things, such as nights.
  static bool counts(const tools::Parameter& parameter);
  Manner manner_of(const tools::PoolTool& tool, const tools::Parameter& parameter) const;

  const Phrasebook* book_;
  const tools::Pool* pool_;
  std::array<uint32_t, k_names> names_{};
  std::vector<std::vector<Manner>> manners_;  // by tool and parameter
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_TALK_H_
