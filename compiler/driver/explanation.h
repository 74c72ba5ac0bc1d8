// Why a dialogue got its reward: every term with its value, its evidence, or why it is zero.
#ifndef WEND_COMPILER_DRIVER_EXPLANATION_H_
#define WEND_COMPILER_DRIVER_EXPLANATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/bound_batch.h"
#include "compiler/driver/evidence.h"
#include "compiler/driver/spec.h"
#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::driver {

struct Contribution {
  Place place;
  double value = 0;  // to the term, before weights
};

struct TermExplanation {
  const TermInfo* info = nullptr;
  double value = 0;           // weighted; 0 where not valid
  std::optional<double> raw;  // before the layer's weight; none for a shared object, which does not tell
  bool valid = true;          // false: the dialogue lacks what the term requires
  std::vector<Contribution> evidence;
  std::string why_not;  // of a term that is zero or not valid
};

struct Explanation {
  std::string id;
  const RewardInfo* reward = nullptr;
  double total = 0;
  bool partial = false;
  std::vector<TermExplanation> terms;  // their values add up to total, in this order, to the last bit
};

// Of one dialogue of a batch that is bound to the spec, by whatever back end, and prepared, for this dialogue at least.
// Of a shared object raw values and the reasons of zeros are left out. Fails only by a bug of ours: the terms do not
// add up.
Result<Explanation> explain(const Spec& spec, const BoundBatch& bound, uint32_t trace, uint32_t reward);

// With all its evidence, as `wend explain --json` prints it: one line without its end, or indented.
std::string explanation_json(const Explanation& explanation, bool indented);
std::string explanation_text(const Explanation& explanation);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_EXPLANATION_H_
