#include "compiler/plan/interpreter.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "compiler/plan/procedure.h"
#include "compiler/plan/trace_memo.h"

namespace wend::plan {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr uint32_t kJudgeBits = ~(uint32_t{WEND_CAP_JUDGE0} - 1);

template <class T>
const T* column(const wend_batch& batch, uint32_t index) {
  return static_cast<const T*>(batch.columns[index]);
}

bool lacks(uint32_t caps, uint32_t requirements) { return (requirements & ~caps) != 0; }

void append_rows(const wend_batch& batch, const std::vector<uint32_t>& path, size_t depth, uint32_t row,
                 std::vector<uint32_t>& out) {
  if (depth == path.size()) {
    out.push_back(row);
    return;
  }
  const wend_span span = column<wend_span>(batch, path[depth])[row];
  for (uint32_t child = span.begin; child < span.end; ++child) append_rows(batch, path, depth + 1, child, out);
}

// What a hole of a prompt shows of a value.
std::string hole_text(const wend_batch& batch, Value value, Type type) {
  if (!exists(value, type)) return "";
  if (type == Type::boolean) return value.boolean() ? "true" : "false";
  if (type == Type::integer) return fmt::format("{}", value.integer());
  if (type == Type::real) return fmt::format("{}", value.real());
  if (type == Type::row) return fmt::format("{}", value.row());
  uint32_t text = value.row();
  if (type == Type::value) text = column<uint32_t>(batch, WEND_COLUMN_value_text)[text];
  const wend_bytes bytes = column<wend_bytes>(batch, WEND_COLUMN_text_data)[text];
  return std::string(bytes.data, bytes.size);
}

}  // namespace

std::vector<uint32_t> trace_rows(const wend_batch& batch, uint32_t trace, uint32_t table, bool gold) {
  std::vector<uint32_t> rows;
  append_rows(batch, rows_of(table, gold), 0, trace, rows);
  return rows;
}

void Interpreter::store_columns(Evaluator& evaluator, const wend_context& context, uint32_t trace, bool late) const {
  for (const Pass& pass : plan_.passes) {
    auto stored = [&](uint32_t index) { return plan_.columns[index].late == late; };
    if (std::none_of(pass.columns.begin(), pass.columns.end(), stored)) continue;
    for (uint32_t row : trace_rows(*context.batch, trace, pass.table, pass.gold)) {
      for (uint32_t index : pass.columns) {
        if (!stored(index)) continue;
        const Column& out = plan_.columns[index];
        evaluator.renew();
        evaluator.set(out.subject, Value::of(row));
        static_cast<uint64_t*>(context.memo[index])[row] = evaluator.evaluate(out.body).bits;
      }
    }
  }
}

void Interpreter::prepare(const wend_context& context, uint32_t begin, uint32_t end) const {
  Evaluator evaluator(decoded_, context);
  for (uint32_t trace = begin; trace < end; ++trace) store_columns(evaluator, context, trace, false);
}

void Interpreter::requests(const wend_context& context, uint32_t begin, uint32_t end, uint8_t* asks) const {
  Evaluator evaluator(decoded_, context);
  const size_t n_turns = context.batch->rows[WEND_TABLE_turn];
  for (uint32_t trace = begin; trace < end; ++trace) {
    const uint32_t caps = column<uint32_t>(*context.batch, WEND_COLUMN_trace_caps)[trace];
    for (size_t i = 0; i < plan_.judges.size(); ++i) {
      const Judge& judge = plan_.judges[i];
      for (uint32_t turn : trace_rows(*context.batch, trace, WEND_TABLE_turn, false)) {
        evaluator.renew();
        evaluator.set(judge.subject, Value::of(turn));
        // Its own answer cannot be required before it is asked.
        const bool able = !lacks(caps, judge.requirements & ~kJudgeBits);
        asks[i * n_turns + turn] = able && evaluator.evaluate(judge.asked).boolean();
      }
    }
  }
}

void Interpreter::signals(const wend_context& context, uint32_t begin, uint32_t end, double* out) const {
  Evaluator evaluator(decoded_, context);
  for (uint32_t trace = begin; trace < end; ++trace) {
    store_columns(evaluator, context, trace, true);
    evaluator.renew();
    evaluator.set(plan_.trace_variable, Value::of(trace));
    for (const Signal& signal : plan_.signals) *out++ = evaluator.evaluate(signal.value).real();
  }
}

double Interpreter::term_value(Evaluator& evaluator, const Term& term, uint32_t trace, uint32_t index,
                               wend_evidence_sink* sink) const {
  if (!sink || term.evidence == kNoNode) return evaluator.evaluate(term.weighted).real();
  evaluator.report_to(sink, trace, index);
  const Value value = evaluator.evaluate(term.evidence);
  evaluator.report_to(nullptr, trace, index);
  // The weight is applied to the value that was explained.
  const bool stands_in = term.raw != kNoNode && plan_.node(term.raw).type == plan_.node(term.evidence).type;
  if (stands_in) evaluator.replace(term.raw, value);
  const double weighted = evaluator.evaluate(term.weighted).real();
  if (stands_in) evaluator.replace(kNoNode, {});
  return weighted;
}

void Interpreter::score_trace(Evaluator& evaluator, const Reward& reward, uint32_t trace, uint32_t caps,
                              const Outputs& out, wend_evidence_sink* sink) const {
  const size_t n_stops = reward.stops.size();
  const size_t n_terms = n_stops + reward.terms.size() + (reward.clamp_low == kNoNode ? 0 : 1);
  *out.status = WEND_STATUS_OK;
  std::fill_n(out.terms, n_terms, 0.0);
  for (size_t i = 0; i < n_stops; ++i) {
    const Term& stop = reward.stops[i];
    if (lacks(caps, stop.requirements)) {
      out.terms[i] = kNaN;
      *out.status = WEND_STATUS_PARTIAL;
    } else if (evaluator.evaluate(stop.condition).boolean()) {
      std::fill_n(out.terms, n_terms, 0.0);
      *out.total = out.terms[i] = term_value(evaluator, stop, trace, static_cast<uint32_t>(i), sink);
      return;
    }
  }

  double total = 0;
  for (size_t i = 0; i < reward.terms.size(); ++i) {
    const Term& term = reward.terms[i];
    double& value = out.terms[n_stops + i];
    if (lacks(caps, term.requirements)) {
      value = kNaN;
      *out.status = WEND_STATUS_PARTIAL;
    } else {
      value = term_value(evaluator, term, trace, static_cast<uint32_t>(n_stops + i), sink);
      total += value;
    }
  }
  if (reward.clamp_low != kNoNode) {
    const double low = evaluator.evaluate(reward.clamp_low).real(), high = evaluator.evaluate(reward.clamp_high).real();
    const double clamped = total < low ? low : total > high ? high : total;
    out.terms[n_terms - 1] = clamped - total;
    total = clamped;
  }
  *out.total = total;
}

void Interpreter::score(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                        double* terms, uint32_t* status, wend_evidence_sink* sink) const {
  Evaluator evaluator(decoded_, context);
  const Reward& scored = plan_.rewards[reward];
  const size_t n_terms = scored.stops.size() + scored.terms.size() + (scored.clamp_low == kNoNode ? 0 : 1);
  std::vector<double> scratch(n_terms);
  for (uint32_t trace = begin; trace < end; ++trace) {
    store_columns(evaluator, context, trace, true);
    evaluator.renew();
    evaluator.set(plan_.trace_variable, Value::of(trace));
    const uint32_t caps = column<uint32_t>(*context.batch, WEND_COLUMN_trace_caps)[trace];
    const size_t i = trace - begin;
    score_trace(evaluator, scored, trace, caps, {&totals[i], terms ? terms + i * n_terms : scratch.data(), &status[i]},
                sink);
  }
}

void Interpreter::reward(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                         double* terms, uint32_t* status) const {
  score(context, reward, begin, end, totals, terms, status, nullptr);
}

void Interpreter::attribute(const wend_context& context, uint32_t reward, uint32_t begin, uint32_t end, double* totals,
                            double* terms, uint32_t* status) const {
  assert(context.evidence);
  score(context, reward, begin, end, totals, terms, status, context.evidence);
}

void Interpreter::metrics(const double* params, const double* sums, double* value, uint8_t* valid) const {
  wend_context context = {};
  context.params = params;
  Evaluator evaluator(decoded_, context);
  evaluator.use_sums(sums);
  for (size_t i = 0; i < plan_.metrics.size(); ++i) {
    const Metric& metric = plan_.metrics[i];
    valid[i] = metric.defined == kNoNode || evaluator.evaluate(metric.defined).boolean();
    value[i] = valid[i] ? evaluator.evaluate(metric.value).real() : kNaN;
  }
}

void Interpreter::begin(const wend_context& context, const wend_engine& engine, uint32_t belief) const {
  ProcedureRun(decoded_, context).handle(plan_.beliefs[belief].begin, engine);
}

void Interpreter::on(const wend_context& context, const wend_engine& engine, uint32_t belief, uint32_t event) const {
  ProcedureRun(decoded_, context).handle(plan_.beliefs[belief].handlers[event], engine);
}

void Interpreter::render(const wend_context& context, uint32_t render, wend_output& output) const {
  ProcedureRun(decoded_, context).render(plan_.renders[render].body, output);
}

void Interpreter::context(const wend_context& context, const wend_engine& engine, uint32_t which) const {
  ProcedureRun(decoded_, context).handle(plan_.contexts[which].body, engine);
}

std::vector<std::string> Interpreter::holes(const wend_context& context, uint32_t judge, uint32_t turn) const {
  const uint32_t trace = column<uint32_t>(*context.batch, WEND_COLUMN_turn_trace)[turn];
  const TraceMemo memo(*this, context, trace);
  Evaluator evaluator(decoded_, memo.context());
  evaluator.set(plan_.judges[judge].subject, Value::of(turn));
  std::vector<std::string> texts;
  for (NodeId hole : plan_.judges[judge].holes) {
    texts.push_back(hole_text(*context.batch, evaluator.evaluate(hole), plan_.node(hole).type));
  }
  return texts;
}

std::shared_ptr<const InterpretedProgram> InterpretedProgram::make(std::shared_ptr<const Plan> plan) {
  Result<ProgramInfo> info = ProgramInfo::parse(metadata(*plan));
  assert(info.ok());  // we have just written it
  return std::shared_ptr<const InterpretedProgram>(new InterpretedProgram(std::move(plan), std::move(*info)));
}

namespace {

uint32_t memo_type(Type type) {
  switch (type) {
    case Type::real:
      return 0;
    case Type::integer:
      return 1;
    case Type::boolean:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

InterpretedProgram::InterpretedProgram(std::shared_ptr<const Plan> plan, ProgramInfo info)
    : plan_(std::move(plan)), interpreter_(*plan_) {
  info_ = std::move(info);
  for (const plan::ParamInfo& param : plan_->params) param_defaults_.push_back(param.fallback);
  for (const auto& [kind, text] : plan_->literals) literals_.push_back({kind, {text.data(), text.size()}});
  for (const Column& memo : plan_->columns) memo_.push_back({memo.table, memo_type(memo.type)});
  for (const Signal& signal : plan_->signals) signal_requires_.push_back(signal.requirements);
  for (const RewardInfo& reward : info_.rewards) {
    reward_terms_.push_back(static_cast<uint32_t>(term_requires_.size()));
    for (const TermInfo& term : reward.terms) term_requires_.push_back(term.requirements);
  }
  reward_terms_.push_back(static_cast<uint32_t>(term_requires_.size()));
  tables_ = {param_defaults_, literals_, memo_, signal_requires_, term_requires_, reward_terms_};
}

}  // namespace wend::plan
