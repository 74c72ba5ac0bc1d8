#include "tests/support/random_plan.h"

#include <fmt/format.h>

#include "tests/support/random_expression.h"

namespace wend::plan {
namespace {

class Generator : private ExpressionGenerator {
 public:
  using ExpressionGenerator::ExpressionGenerator;

  Plan run();

 private:
  void add_params();
  void add_judges();
  void add_columns();
  NodeId column_body(uint32_t index, uint32_t table, Origin origin, Type type, bool late, uint32_t pass_begin);
  NodeId self_reference(const Scope& scope, uint32_t index, const Row& subject, Type type);
  void add_signals();
  void add_metrics();
  void add_reward();
  Term term(const Scope& scope, NodeId weight);
  Scope trace_scope();
};

Scope Generator::trace_scope() {
  Scope scope;
  scope.rows.push_back({make_.variable(0, kRow), WEND_TABLE_trace, Origin::agent});
  scope.next_variable = 1;
  scope.columns = static_cast<uint32_t>(make_.plan.columns.size());
  scope.pass_begin = scope.columns;
  return scope;
}

void Generator::add_params() {
  for (const char* name : {"alpha", "beta"}) number_params_.push_back(make_.param(name, below(5) * 0.7 - 1));
  integer_params_.push_back(make_.param("limit", below(4), kInt));
  bool_params_.push_back(make_.param("loose", below(2), Type::boolean));
  make_.plan.params.back().structural = true;
  for (const char* name : {"alarm", "Paris", "nowhere"}) texts_.push_back(make_.literal(0, name));
  values_.push_back(make_.literal(1, "7"));
  values_.push_back(make_.literal(2, "\"Paris\""));
}

void Generator::add_judges() {
  for (uint32_t i = below(3); i > 0; --i) {
    Scope scope;
    scope.memo = scope.late = false;
    scope.next_variable = 6;
    scope.rows.push_back({make_.variable(5, kRow), WEND_TABLE_turn, Origin::agent});
    Judge judge;
    judge.name = fmt::format("judge{}", i);
    judge.subject = 5;
    judge.requirements = one_in(2) ? 0 : 1u << below(6);
    set_budget(40);
    judge.asked = boolean(scope, 4);
    judge.holes = {integer(scope, 2)};
    make_.plan.judges.push_back(std::move(judge));
  }
}

// A column that looks at its own earlier rows: a running count, or the number of rows since something.
NodeId Generator::self_reference(const Scope& scope, uint32_t index, const Row& subject, Type type) {
  NodeId owner = make_.load(WEND_COLUMN_call_trace, subject.node, kRow);
  const uint32_t span = subject.origin == Origin::gold ? WEND_COLUMN_trace_gold_calls : WEND_COLUMN_trace_calls;
  NodeId first = make_.bound(Op::span_begin, span, owner);
  if (type == Type::boolean && one_in(2)) {
    // No earlier row with the same name was one.
    Range earlier = {first, subject.node, WEND_TABLE_call};
    NodeId other = make_.variable(scope.next_variable, kRow);
    auto name = [&](NodeId row) { return make_.load(WEND_COLUMN_call_name, row, kText); };
    NodeId same = make_.op(Op::equal, Type::boolean, {name(other), name(subject.node)});
    NodeId taken = make_.op(Op::memo, type, {other}, index);
    NodeId any = make_.fold(Op::fold_any, Type::boolean, scope.next_variable, earlier, same, taken);
    return make_.op(Op::logical_not, Type::boolean, {any});
  }
  NodeId is_first = make_.op(Op::equal, Type::boolean, {subject.node, first});
  NodeId before =
      make_.op(Op::to_row, kRow,
               {make_.op(Op::subtract, kInt, {make_.op(Op::to_integer, kInt, {subject.node}), make_.integer(1)})});
  NodeId previous = make_.op(Op::memo, type, {before}, index);
  if (type == Type::boolean) {
    return make_.op(Op::choose, type, {is_first, boolean(scope, 2), make_.op(Op::logical_not, type, {previous})});
  }
  NodeId step = make_.op(Op::add, type, {previous, number(scope, 2, type)});
  NodeId body = make_.op(Op::choose, type, {is_first, number(scope, 2, type), step});
  return type == kInt ? small(body) : body;
}

NodeId Generator::column_body(uint32_t index, uint32_t table, Origin origin, Type type, bool late,
                              uint32_t pass_begin) {
  Scope scope;
  const Row subject = {make_.variable(5, kRow), table, origin};
  scope.rows = {subject};
  scope.next_variable = 6;
  scope.late = late;
  scope.columns = index;
  scope.pass_begin = pass_begin;
  scope.subject = subject.node;
  set_budget(60);
  if (table == WEND_TABLE_call && one_in(3) && (type == Type::boolean || type == kInt || type == kReal)) {
    return self_reference(scope, index, subject, type);
  }
  switch (type) {
    case Type::boolean:
      return boolean(scope, 4);
    case Type::integer:
    case Type::real:
      return one_in(4) ? optional_of(scope, type, 3) : number(scope, 4, type);
    default:
      return optional_of(scope, type, 3);
  }
}

void Generator::add_columns() {
  static const std::pair<uint32_t, Origin> kPlaces[] = {
      {WEND_TABLE_call, Origin::agent},    {WEND_TABLE_call, Origin::gold},      {WEND_TABLE_arg, Origin::agent},
      {WEND_TABLE_arg, Origin::gold},      {WEND_TABLE_turn, Origin::agent},     {WEND_TABLE_trace, Origin::agent},
      {WEND_TABLE_message, Origin::agent}, {WEND_TABLE_link, Origin::agent},     {WEND_TABLE_tool, Origin::agent},
      {WEND_TABLE_param, Origin::agent},   {WEND_TABLE_slot, Origin::agent},     {WEND_TABLE_chain, Origin::agent},
      {WEND_TABLE_draft, Origin::agent},   {WEND_TABLE_sub_block, Origin::agent}};
  static const Type kTypes[] = {Type::boolean, Type::boolean, kInt, kReal, kText, kValue};
  Plan& plan = make_.plan;
  for (uint32_t passes = 2 + below(6); passes > 0; --passes) {
    const auto [table, origin] = kPlaces[below(std::size(kPlaces))];
    const bool late = one_in(4);
    const auto begin = static_cast<uint32_t>(plan.columns.size());
    Pass pass = {table, origin == Origin::gold, late, {}};
    for (uint32_t n = 1 + below(3); n > 0; --n) {
      const auto index = static_cast<uint32_t>(plan.columns.size());
      const Type type = kTypes[below(std::size(kTypes))];
      // The body may refer to the column itself, so it has to be there first.
      const NodeId body = column_body(index, table, origin, type, late, begin);
      plan.columns.push_back({fmt::format("random.column{}", index), table, type, 5, body, late, pass.gold});
      pass.columns.push_back(index);
    }
    plan.passes.push_back(std::move(pass));
  }
}

void Generator::add_signals() {
  for (uint32_t i = 0; i < 4; ++i) {
    set_budget(80);
    make_.signal(fmt::format("signal{}.{}", i, i % 2 == 0 ? "sum" : "count"), real(trace_scope(), 5),
                 one_in(2) ? 0 : 1u << below(6));
  }
}

void Generator::add_metrics() {
  auto sum = [&](int64_t i) { return make_.op(Op::signal_sum, kReal, {}, i); };
  for (int64_t i = 0; i < 2; ++i) {
    Metric metric;
    metric.name = fmt::format("metric{}", i);
    metric.defined = make_.op(Op::not_equal, Type::boolean, {sum(2 * i + 1), make_.real(0)});
    metric.value = make_.op(Op::divide, kReal, {sum(2 * i), sum(2 * i + 1)});
    if (one_in(2)) metric.value = make_.op(Op::multiply, kReal, {metric.value, number_params_[0]});
    make_.plan.metrics.push_back(std::move(metric));
  }
}

Term Generator::term(const Scope& scope, NodeId weight) {
  Term term;
  term.layer = "layer";
  term.name = "term";
  if (one_in(3)) term.requirements = 1u << below(6);
  set_budget(80);
  Scope inside = scope;
  const bool kept = one_in(3);
  inside.late = !kept;
  term.evidence = real(inside, 5);
  term.raw = term.evidence;
  if (kept) {
    // As specs do: raw comes from a column of the trace that was prepared.
    make_.plan.columns.push_back({fmt::format("random.raw{}", make_.plan.columns.size()), WEND_TABLE_trace, kReal, 0,
                                  term.evidence, false, false});
    const auto index = static_cast<uint32_t>(make_.plan.columns.size() - 1);
    make_.plan.passes.push_back({WEND_TABLE_trace, false, false, {index}});
    term.raw = make_.memo(index, scope.rows[0].node);
  }
  term.weighted = make_.op(Op::multiply, kReal, {term.raw, weight});
  return term;
}

void Generator::add_reward() {
  Reward reward;
  reward.name = fmt::format("reward{}", make_.plan.rewards.size());
  // Scopes are made before any column for a term is added: late columns come last of all.
  const Scope scope = trace_scope();
  for (uint32_t n = below(3); n > 0; --n) {
    Term stop;
    stop.layer = "stop";
    stop.name = "stop";
    if (one_in(3)) stop.requirements = 1u << below(6);
    set_budget(40);
    stop.condition = boolean(scope, 4);
    stop.evidence = stop.condition;
    stop.raw = stop.weighted = one_in(2) ? make_.real(-2) : number_params_[1];
    reward.stops.push_back(std::move(stop));
  }
  for (uint32_t n = 1 + below(4); n > 0; --n) {
    NodeId weight = one_in(3) ? make_.real(0.7) : number_params_[below(2)];
    reward.terms.push_back(term(scope, weight));
  }
  if (one_in(2)) {
    reward.clamp_low = make_.real(-3);
    reward.clamp_high = one_in(2) ? make_.real(2) : make_.op(Op::maximum, kReal, {number_params_[0], make_.real(-3)});
  }
  make_.plan.rewards.push_back(std::move(reward));
}

Plan Generator::run() {
  make_.plan.name = "random";
  add_params();
  add_judges();
  add_columns();
  add_signals();
  add_metrics();
  for (uint32_t n = 1 + below(2); n > 0; --n) add_reward();
  return std::move(make_.plan);
}

}  // namespace

Plan random_plan(uint64_t seed) { return Generator(seed).run(); }

}  // namespace wend::plan
