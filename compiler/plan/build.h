// From the typed program to the plan: functions inlined, detectors made columns, params split off, folds lowered.
#ifndef WEND_COMPILER_PLAN_BUILD_H_
#define WEND_COMPILER_PLAN_BUILD_H_

#include "compiler/plan/plan.h"
#include "compiler/sema/program.h"
#include "compiler/source/source.h"

namespace wend::plan {

// `program` has been checked without errors.
Plan build(const sema::Program& program, const SourceSet& sources);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_BUILD_H_
