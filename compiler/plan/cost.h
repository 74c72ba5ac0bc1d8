// A static bound on the work of a program: every spec ends, and this says after how many operations at most.
#ifndef WEND_COMPILER_PLAN_COST_H_
#define WEND_COMPILER_PLAN_COST_H_

#include <string>

#include "compiler/plan/plan.h"

namespace wend::plan {

// One line a part of the program, and a total, for one dialogue, as a polynomial in the sizes of its lists:
//   std.match.used        <= 61 calls gold + 9 calls^2
// "calls", "gold", "turns"... are the lengths of the dialogue's lists; "args" the arguments of one call, "links" the
// links of one chain, "text" the length of all texts of the dialogue (a search costs one operation a byte at most).
// An operation is a node of the plan; folds count every step, as if none stopped early.
std::string describe_cost(const Plan& plan);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_COST_H_
