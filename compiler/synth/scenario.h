// Scenarios at work: a fresh dialogue, what is injected and spliced in, and what gold says then.
#ifndef WEND_COMPILER_SYNTH_SCENARIO_H_
#define WEND_COMPILER_SYNTH_SCENARIO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/source/diagnostic.h"
#include "compiler/source/source.h"
#include "compiler/synth/evaluator.h"
#include "runtime/random.h"
#include "runtime/synth/maker.h"
#include "runtime/synth/phrasebook.h"
#include "runtime/synth/trace.h"

namespace wend::synth {

// Reports what of the scenarios and filters has no value while a dialogue is made.
void check_scenarios(const sema::Program& program, Diagnostics& diagnostics);

// The phrases of a program (std.talk) for the writer. Variants with anything but parameters in their holes are
// reported.
Phrasebook phrasebook_of(const sema::Program& program, Diagnostics& diagnostics);

// Not to be shared by threads.
class ScenarioRunner {
 public:
  ScenarioRunner(const sema::Program& program, const SourceSet& sources, const Maker& maker);

  // One try. False where something does not come together: `why` names the place in the spec and the cause.
  bool make(uint32_t scenario, const tools::Selection& from, Random& random, Trace& out, std::string& why);

 private:
  // Where a step of a turn ends: what is inserted goes before step `step` of the turn at `position`. kNone: before
  // the turn itself.
  struct Place {
    uint32_t position = 0, step = 0;
  };

  bool build(uint32_t scenario, const tools::Selection& from, Random& random, Trace& trace);
  bool bind(const sema::Binding& binding, Random& random);
  bool find_place(const sema::Point& point, Span span, const Trace& trace, Random& random, Place& out);
  bool inject(const sema::Injection& injection, Trace& trace, Random& random);
  bool splice(const sema::Splicing& splicing, const sema::Scenario& scenario, const tools::Selection& from,
              Trace& trace, Random& random);
  bool make_task(const sema::Splicing& splicing, const tools::Selection& from, const Trace& trace, Random& random,
                 Trace& out);
  bool orthogonal(const Trace& a, const Trace& b) const;
  bool label(const sema::Scenario& scenario, const std::vector<uint32_t>& own_calls, Trace& trace);
  bool fail(Span span, std::string cause);
  void point_to(Trace& trace) { scene_.trace = &trace; }

  const sema::Program& program_;
  const SourceSet& sources_;
  const Maker& maker_;
  Scene scene_;
  std::string why_;
  uint32_t changed_turn_ = kNone;  // the first turn that the scenario being built has changed
};

// What goes on with the goal of the turn before, by the signals and what was asked.
void set_goals(Trace& trace);

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_SCENARIO_H_
