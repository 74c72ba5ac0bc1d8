#include "compiler/driver/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compiler/driver/capability.h"
#include "compiler/plan/trace_memo.h"
#include "compiler/plan/why.h"

namespace wend::driver {
namespace {

// All evidence of the dialogue, with totals and terms.
struct Attribution {
  double total = 0;
  std::vector<double> terms;
  uint32_t status = 0;
  std::vector<wend_evidence> items;
};

Attribution attribute(const Program& program, const BoundBatch& bound, uint32_t trace, uint32_t reward) {
  Attribution result;
  result.terms.resize(program.n_terms(reward));
  result.items.resize(256);
  while (true) {
    wend_evidence_sink sink{result.items.data(), result.items.size(), 0};
    program.attribute(bound.reporting_to(&sink), reward, trace, trace + 1, &result.total, result.terms.data(),
                      &result.status);
    const bool fits = sink.count <= result.items.size();
    result.items.resize(sink.count);
    if (fits) return result;
  }
}

// The term of the plan behind output `index`; null for the clamp.
const plan::Term* plan_term(const plan::Reward& reward, size_t index) {
  if (index < reward.stops.size()) return &reward.stops[index];
  index -= reward.stops.size();
  return index < reward.terms.size() ? &reward.terms[index] : nullptr;
}

// The first stop that fired, or null.
const TermInfo* stop_that_fired(const RewardInfo& info, const std::vector<double>& terms, double total) {
  for (size_t k = 0; k < terms.size(); ++k) {
    if (info.terms[k].kind == TermKind::stop && terms[k] != 0 && terms[k] == total) return &info.terms[k];
  }
  return nullptr;
}

// Adds up as a reader of the terms would. The clamp takes what rounding left over.
Result<void> settle(Explanation& explanation) {
  double sum = 0;
  TermExplanation* clamp = nullptr;
  for (TermExplanation& term : explanation.terms) {
    if (term.info->kind == TermKind::clamp) {
      clamp = &term;
    } else {
      sum += term.value;
    }
  }
  if (clamp == nullptr) {
    if (sum == explanation.total) return {};
  } else {
    const double difference = sum == explanation.total ? 0.0 : explanation.total - sum;
    for (double candidate :
         {clamp->value, difference, std::nextafter(difference, INFINITY), std::nextafter(difference, -INFINITY)}) {
      if (sum + candidate != explanation.total || std::abs(candidate - clamp->value) > 1e-9) continue;
      clamp->value = candidate;
      return {};
    }
  }
  return Error{fmt::format("the terms of `{}` for {} add up to {}, its total is {}", explanation.reward->name,
                           explanation.id, sum + (clamp ? clamp->value : 0.0), explanation.total)};
}

void explain_absence(const Spec& spec, const BoundBatch& bound, const wend_context* computed, uint32_t trace,
                     uint32_t reward, Explanation& explanation, const TermInfo* stop) {
  const ProgramInfo& info = spec.program->info();
  std::optional<plan::ZeroExplainer> zeros;
  if (computed != nullptr) zeros.emplace(spec.interpreted->interpreter(), *computed, trace);
  for (size_t k = 0; k < explanation.terms.size(); ++k) {
    TermExplanation& term = explanation.terms[k];
    if (!term.valid) {
      const uint32_t missing = term.info->requirements & ~bound.caps(trace);
      term.why_not = "cannot be evaluated: the dialogue lacks " + capability_text(info, missing);
    } else if (term.value != 0) {
      continue;
    } else if (stop != nullptr && stop != term.info) {
      term.why_not = fmt::format("`{}` stopped the reward", stop->full_name());
    } else if (term.info->kind == TermKind::clamp) {
      term.why_not = "the sum is within the bounds";
    } else if (zeros) {
      const plan::Term* planned = plan_term(spec.plan->rewards[reward], k);
      if (planned != nullptr) term.why_not = zeros->explain(*planned);
    }
  }
}

// Nodes below `id` that read a value kept for the dialogue as a whole.
void find_memo(const plan::Plan& plan, plan::NodeId id, std::vector<uint32_t>& columns) {
  const plan::Node& node = plan.node(id);
  if (node.op == plan::Op::memo) {
    const uint32_t index = static_cast<uint32_t>(node.integer);
    if (plan.columns[index].table == WEND_TABLE_trace) columns.push_back(index);
    return;
  }
  for (plan::NodeId child : node.children) {
    if (child != plan::kNoNode) find_memo(plan, child, columns);
  }
}

// What made a stop fire. Its condition is kept, not computed, when the reward runs; here it is computed once more.
void add_stop_evidence(const Spec& spec, const Batch& batch, const wend_context& computed, uint32_t trace,
                       uint32_t reward, size_t index, Explanation& explanation) {
  const plan::Plan& plan = *spec.plan;
  std::vector<uint32_t> columns;
  find_memo(plan, plan.rewards[reward].stops[index].condition, columns);
  plan::Evaluator evaluator(spec.interpreted->interpreter().decoded(), computed);
  std::vector<wend_evidence> items(256);
  wend_evidence_sink sink{items.data(), items.size(), 0};
  evaluator.report_to(&sink, trace, static_cast<uint32_t>(index));
  for (uint32_t column : columns) {
    evaluator.renew();
    evaluator.set(plan.columns[column].subject, plan::Value::of(trace));
    evaluator.evaluate(plan.columns[column].body);
  }
  for (size_t i = 0; i < std::min(sink.count, sink.capacity); ++i) {
    explanation.terms[index].evidence.push_back({place_of(batch, items[i].table, items[i].row), 1.0});
  }
}

void add_raw_values(const Spec& spec, const wend_context& computed, uint32_t trace, uint32_t reward,
                    Explanation& explanation) {
  plan::Evaluator evaluator(spec.interpreted->interpreter().decoded(), computed);
  evaluator.set(spec.plan->trace_variable, plan::Value::of(trace));
  for (size_t k = 0; k < explanation.terms.size(); ++k) {
    TermExplanation& term = explanation.terms[k];
    const plan::Term* planned = plan_term(spec.plan->rewards[reward], k);
    if (!term.valid) continue;
    // Terms that a stop silenced and the clamp have no weight; a zero is zero with any.
    term.raw = term.value;
    if (planned != nullptr && term.value != 0) term.raw = evaluator.evaluate(planned->raw).real();
  }
}

}  // namespace

Result<Explanation> explain(const Spec& spec, const BoundBatch& bound, uint32_t trace, uint32_t reward) {
  const RewardInfo& info = spec.program->info().rewards[reward];
  const Attribution found = attribute(bound.program(), bound, trace, reward);
  Explanation explanation;
  explanation.id = bound.batch().trace_id(trace);
  explanation.reward = &info;
  explanation.total = found.total + 0.0;
  explanation.partial = found.status != WEND_STATUS_OK;
  for (size_t k = 0; k < info.terms.size(); ++k) {
    TermExplanation term;
    term.info = &info.terms[k];
    term.valid = !std::isnan(found.terms[k]);
    term.value = term.valid ? found.terms[k] + 0.0 : 0.0;
    explanation.terms.push_back(std::move(term));
  }
  for (const wend_evidence& item : found.items) {
    explanation.terms[item.term].evidence.push_back({place_of(bound.batch(), item.table, item.row), item.value});
  }
  // What has been computed, as the interpreter keeps it: it looks at the expressions once more.
  std::optional<plan::TraceMemo> memo;
  const wend_context* computed = nullptr;
  if (&bound.program() == spec.interpreted.get()) {
    computed = &bound.context();
  } else if (spec.interpreted) {
    memo.emplace(spec.interpreted->interpreter(), bound.context(), bound.program().memo(), trace);
    computed = &memo->context();
  }
  if (computed != nullptr) add_raw_values(spec, *computed, trace, reward, explanation);
  const TermInfo* stop = stop_that_fired(info, found.terms, found.total);
  if (stop != nullptr && computed != nullptr) {
    const size_t index = static_cast<size_t>(stop - info.terms.data());
    if (explanation.terms[index].evidence.empty()) {
      add_stop_evidence(spec, bound.batch(), *computed, trace, reward, index, explanation);
    }
  }
  explain_absence(spec, bound, computed, trace, reward, explanation, stop);
  Result<void> settled = settle(explanation);
  if (!settled) return settled.error();
  return explanation;
}

}  // namespace wend::driver
