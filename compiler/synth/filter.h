// Filters at work: what every dialogue must keep to, with repair where that is possible (paper, Sec. 3.1).
#ifndef WEND_COMPILER_SYNTH_FILTER_H_
#define WEND_COMPILER_SYNTH_FILTER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/source/source.h"
#include "compiler/synth/evaluator.h"
#include "runtime/synth/maker.h"
#include "runtime/synth/trace.h"

namespace wend::synth {

// Not to be shared by threads.
class FilterRunner {
 public:
  FilterRunner(const sema::Program& program, const SourceSet& sources, const Maker& maker);

  // The program's filters, then that the dialogue is plausible: the agent could know each value that it uses, and
  // something is said or called in it. Repairs are counted in `repairs` by place; false: `why` says what fails.
  bool passes(Trace& trace, Random& random, std::map<std::string, uint64_t>& repairs, std::string& why);

 private:
  enum class Outcome : uint8_t { fine, repaired, bad };
  Outcome check_rule(const sema::FilterRule& rule, size_t depth, Trace& trace);
  bool repair(const sema::FilterRule& rule, sema::Repair how, Trace& trace) const;
  bool plausible(const Trace& trace, std::string& why) const;

  const sema::Program& program_;
  const SourceSet& sources_;
  const Maker& maker_;
  Scene scene_;
  std::string place_;  // of the check that was repaired or failed
};

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_FILTER_H_
