// Beliefs and renders of a plan as text: part of plan::print.
#ifndef WEND_COMPILER_PLAN_PRINT_PROCEDURES_H_
#define WEND_COMPILER_PLAN_PRINT_PROCEDURES_H_

#include <string>

#include "compiler/plan/plan.h"

namespace wend::plan {

//   belief iacm.belief.BeliefState
//     on user
//       v2: int = classify 0 (message.text[0])
//       set_label 7 (v2)
//       when v2 == 1
//         ..
//   render iacm.belief.ContextManager of belief 0 as xml
//     put "<Context_Manager>\n<Current_User>{\"intent_type\":\""
//     ..
// Numbers of fields, cues and classifiers are their places in the description.
std::string print_procedures(const Plan& plan);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_PRINT_PROCEDURES_H_
