// Users' messages in other words, by a model behind a server.
#ifndef WEND_RUNTIME_SYNTH_REWRITER_H_
#define WEND_RUNTIME_SYNTH_REWRITER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/judge/http_judge.h"
#include "runtime/synth/trace.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

// Why a message that a model wrote is not taken; empty: it is. It has to say every value that the first one says,
// letter for letter, and no number besides; it has at most three times the length, and is one line.
std::string fault_of(std::string_view written, std::string_view first, const std::vector<std::string>& values);

// Asks by the protocol of judges: the words come back as the `reason` of a score. For one thread at a time.
class Rewriter {
 public:
  explicit Rewriter(HttpJudge model) : model_(std::move(model)) {}

  // The messages of the dialogues. Those with which the user's intent moves keep the phrases that say so; where the
  // model fails or its words are not taken, the grammar's stay.
  void rewrite(const std::vector<Trace*>& traces, const tools::Pool& pool);

  // Messages by what became of them: "rewritten", "kept: CAUSE".
  const std::map<std::string, uint64_t>& counts() const { return counts_; }
  const std::vector<std::string>& warnings() const { return model_.warnings(); }

 private:
  HttpJudge model_;
  std::map<std::string, uint64_t> counts_;
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_REWRITER_H_
