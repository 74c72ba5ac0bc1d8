// Fresh dialogues without any fluctuation, the stuff that scenarios change.
#ifndef WEND_RUNTIME_SYNTH_MAKER_H_
#define WEND_RUNTIME_SYNTH_MAKER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/random.h"
#include "runtime/synth/responses.h"
#include "runtime/synth/talk.h"
#include "runtime/synth/trace.h"
#include "runtime/tools/graph.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

// `from trace with ...` of the language.
enum class Base : uint8_t {
  any,
  single_step,
  several_steps,
  dependent_steps,
  withheld_param,
  unclear_intent,
  unclear_and_withheld,
  personal_profile,
  language_only,
};

class Maker {
 public:
  // `responses`: recorded ones, preferred where there are any; may be null.
  Maker(const tools::Pool& pool, const tools::Graph& graph, const Talk& talk, const Responses* responses = nullptr)
      : pool_(pool), graph_(graph), talk_(talk), responses_(responses) {}

  // False where the tools of the selection cannot make such a dialogue in a bounded number of tries; `why` says what
  // is missing.
  bool make(Base base, const tools::Selection& from, Random& random, Trace& out, std::string& why) const;

  // What the calls return, in the order in which they are made, what that feeds later ones, and the summaries. The
  // same for the same calls: it may be done again after a change.
  void settle(Trace& trace) const;

  // A dependent task: begins with a tool that something of `trace` feeds.
  bool make_dependent(const Trace& trace, const tools::Selection& from, Random& random, Trace& out,
                      std::string& why) const;

  const tools::Pool& pool() const { return pool_; }
  const tools::Graph& graph() const { return graph_; }
  const Talk& talk() const { return talk_; }

 private:
  std::vector<uint32_t> add_calls(const std::vector<tools::WalkStep>& walk, Random& random, Trace& out) const;
  bool tell(Base base, const std::vector<uint32_t>& calls, bool one_turn, Random& random, Trace& out,
            std::string& why) const;
  const Response* recorded(uint32_t tool, const std::vector<tools::Feed>& feeds, Random& random) const;
  const Response* response_to(const Call& call) const;
  bool withhold(const Call& call, Random& random, uint32_t& parameter) const;
  void make_language(const tools::Selection& from, Random& random, Trace& out) const;
  bool give_profile(Call& call, Random& random, Trace& out) const;

  const tools::Pool& pool_;
  const tools::Graph& graph_;
  const Talk& talk_;
  const Responses* responses_;
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_MAKER_H_
