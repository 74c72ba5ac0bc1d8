// Random well-typed plans over the real columns, for differential tests: the same inputs must give the same bits in
// every back end.
#ifndef WEND_TESTS_SUPPORT_RANDOM_PLAN_H_
#define WEND_TESTS_SUPPORT_RANDOM_PLAN_H_

#include <cstdint>

#include "compiler/plan/plan.h"

namespace wend::plan {

// A plan of the kind that a spec makes: columns in passes (some late, some over gold rows, some referring to
// themselves at earlier rows), signals, metrics, rewards with stops and clamps, judges. Optional values are tested for
// presence before they are used, divisors for zero, and integers stay small.
Plan random_plan(uint64_t seed);

}  // namespace wend::plan

#endif  // WEND_TESTS_SUPPORT_RANDOM_PLAN_H_
