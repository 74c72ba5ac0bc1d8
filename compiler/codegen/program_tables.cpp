#include "compiler/codegen/program_tables.h"

namespace wend::codegen {

namespace {

uint32_t memo_type(plan::Type type) {
  switch (type) {
    case plan::Type::real:
      return 0;
    case plan::Type::integer:
      return 1;
    case plan::Type::boolean:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

ProgramTables::ProgramTables(const plan::Plan& plan)
    : metadata(plan::metadata(plan)),
      literals(plan.literals),
      n_judges(static_cast<uint32_t>(plan.judges.size())),
      n_metrics(static_cast<uint32_t>(plan.metrics.size())),
      n_rewards(static_cast<uint32_t>(plan.rewards.size())) {
  for (const auto& param : plan.params) param_defaults.push_back(param.fallback);
  for (const auto& column : plan.columns) memo.push_back({column.table, memo_type(column.type)});
  for (const auto& signal : plan.signals) signal_requires.push_back(signal.requirements);
  reward_terms.push_back(0);
  for (const auto& reward : plan.rewards) {
    for (const auto& stop : reward.stops) term_requires.push_back(stop.requirements);
    for (const auto& term : reward.terms) term_requires.push_back(term.requirements);
    bool clamped = reward.clamp_low != plan::kNoNode || reward.clamp_high != plan::kNoNode;
    if (clamped) term_requires.push_back(0);
    reward_terms.push_back(static_cast<uint32_t>(term_requires.size()));
  }
}

}  // namespace wend::codegen
