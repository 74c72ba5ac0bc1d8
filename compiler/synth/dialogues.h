// Finished dialogues by number: scenario, filters, candidate pool; the same for the same seed, whoever makes them.
#ifndef WEND_COMPILER_SYNTH_DIALOGUES_H_
#define WEND_COMPILER_SYNTH_DIALOGUES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/synth/filter.h"
#include "compiler/synth/scenario.h"
#include "runtime/synth/maker.h"
#include "runtime/synth/trace.h"

namespace wend::synth {

// How much is put in between turns that has nothing to do with the task (paper, Sec. 5): nothing; 3 turns of small
// talk; 8; 5, and 3 tasks that are dropped at once.
enum class Level : uint8_t { l0, l1, l2, l3 };

struct DialogueOptions {
  uint64_t seed = 0;
  Level level = Level::l0;
  size_t min_tokens = 0, max_tokens = 0;  // of the messages, four bytes each; 0: any
  double typos = 0.03;                    // share of the users' messages with one
  uint32_t tries = 200;                   // for one dialogue
};

struct MadeDialogue {
  Trace trace;
  std::vector<uint32_t> tools;  // candidate pool
};

// What did not come together, by reason. Merged over threads.
struct Tally {
  uint64_t tries = 0;
  std::map<std::string, uint64_t> rejected, repaired;
  void merge(const Tally& other);
};

// Not to be shared by threads.
class DialogueMaker {
 public:
  DialogueMaker(const sema::Program& program, const SourceSet& sources, const Maker& maker,
                const DialogueOptions& options);

  // The `number`-th dialogue of the scenario in the split. False: none in a bounded number of tries; the tally says
  // why.
  bool make(uint32_t scenario, const tools::Selection& from, std::string_view split, uint64_t number, MadeDialogue& out,
            Tally& tally);

 private:
  bool lengthen(const tools::Selection& from, Random& random, Trace& trace, std::string& why);
  void distract(const tools::Selection& from, Random& random, Trace& trace) const;
  void mistype(Random& random, Trace& trace) const;
  std::vector<uint32_t> candidates(const tools::Selection& from, const Trace& trace, Random& random) const;

  const sema::Program& program_;
  const Maker& maker_;
  DialogueOptions options_;
  ScenarioRunner scenarios_;
  FilterRunner filters_;
};

// How many of `total` each share gets: the whole parts, then one each by largest remainder.
std::vector<uint64_t> apportion(uint64_t total, const std::vector<double>& shares);

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_DIALOGUES_H_
