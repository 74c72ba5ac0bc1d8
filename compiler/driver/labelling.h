// A model that live dialogues ask where the cues leave a label open (`--judge http`).
#ifndef WEND_COMPILER_DRIVER_LABELLING_H_
#define WEND_COMPILER_DRIVER_LABELLING_H_

#include <memory>

#include "compiler/driver/made.h"
#include "compiler/driver/options.h"
#include "runtime/belief/label_judge.h"
#include "runtime/program.h"

namespace wend::driver {

// The model that the command line asks for; null where the rules decide.
Made<std::unique_ptr<belief::LabelJudge>> open_labelling(const JudgeOptions& options, const ProgramInfo& info);

// Says on stderr how many questions had which end; failures, and what went wrong with the cache, as warnings. `quiet`:
// only these.
void report_labelling(const belief::LabelJudge& judge, const ProgramInfo& info, bool quiet);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_LABELLING_H_
