#include "compiler/plan/interpreter.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/plan/trace_memo.h"
#include "compiler/plan/why.h"
#include "tests/support/plan_maker.h"
#include "tests/support/program_run.h"
#include "tests/support/random_batch.h"

namespace wend::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const InterpretedProgram> program_of(const PlanMaker& make) {
  return InterpretedProgram::make(std::make_shared<const Plan>(make.plan));
}

// Three dialogues. Calls by dialogue: 4 (args 2, 0, 1, 3), 0, 1 (args 1). Turns: 2, 1, 1; caps: gold; none; gold.
class Interpret : public testing::Test {
 protected:
  Interpret() {
    trace_ = make.variable(0, Type::row);
    add_trace({{2, 0}, {1, 3}}, WEND_CAP_GOLD);
    add_trace({{}}, 0);
    add_trace({{1}}, WEND_CAP_GOLD);
  }

  void add_trace(const std::vector<std::vector<int>>& turns, uint32_t caps) {
    Columns& c = batch.columns;
    const uint32_t trace = c.add<WEND_TABLE_trace>();
    c.trace_caps[trace] = caps;
    c.trace_turns[trace].begin = c.rows[WEND_TABLE_turn];
    c.trace_calls[trace].begin = c.rows[WEND_TABLE_call];
    for (const std::vector<int>& calls : turns) {
      const uint32_t turn = c.add<WEND_TABLE_turn>();
      c.turn_number[turn] = turn - c.trace_turns[trace].begin + 1;
      c.turn_user[turn] = WEND_NONE;
      c.turn_calls[turn].begin = c.rows[WEND_TABLE_call];
      for (int args : calls) add_call(trace, turn, args);
      c.turn_calls[turn].end = c.rows[WEND_TABLE_call];
    }
    c.trace_turns[trace].end = c.rows[WEND_TABLE_turn];
    c.trace_calls[trace].end = c.rows[WEND_TABLE_call];
  }
  // Names alternate: "even", "odd"; argument values are 0, 1, 2, .. over the whole batch.
  void add_call(uint32_t trace, uint32_t turn, int args) {
    Columns& c = batch.columns;
    const uint32_t call = c.add<WEND_TABLE_call>();
    c.call_trace[call] = trace;
    c.call_turn[call] = turn;
    c.call_name[call] = batch.text(call % 2 == 0 ? "Even" : "Odd");
    c.call_tool[call] = WEND_NONE;
    c.call_args[call].begin = c.rows[WEND_TABLE_arg];
    for (int i = 0; i < args; ++i) {
      const uint32_t arg = c.add<WEND_TABLE_arg>();
      c.arg_call[arg] = call;
      c.arg_value[arg] = batch.number_value(arg);
    }
    c.call_args[call].end = c.rows[WEND_TABLE_arg];
  }

  NodeId row(int64_t variable) { return make.variable(variable, Type::row); }
  Range turns() { return make.span(WEND_COLUMN_trace_turns, trace_, WEND_TABLE_turn); }
  Range calls() { return make.span(WEND_COLUMN_trace_calls, trace_, WEND_TABLE_call); }
  Range args(NodeId call) { return make.span(WEND_COLUMN_call_args, call, WEND_TABLE_arg); }
  NodeId number(NodeId arg) {
    NodeId value = make.load(WEND_COLUMN_arg_value, arg, Type::value);
    return make.load(WEND_COLUMN_value_number, value, Type::real);
  }
  NodeId greater(NodeId a, NodeId b) { return make.op(Op::greater, Type::boolean, {a, b}); }
  NodeId args_of_trace(int64_t call, int64_t arg) {
    return make.fold(Op::fold_sum, Type::integer, call, calls(), kNoNode, make.count(arg, args(row(call))));
  }

  // The value of a real node for each trace.
  std::vector<double> values(NodeId node) {
    PlanMaker copy = make;
    copy.signal("x", node);
    auto program = program_of(copy);
    ProgramRun run(*program, batch.view());
    run.prepare();
    return run.signals();
  }
  std::vector<double> integers(NodeId node) { return values(make.to_real(node)); }
  std::vector<double> truths(NodeId node) { return integers(make.op(Op::to_integer, Type::integer, {node})); }
  double constant(NodeId node) { return values(node)[0]; }
  double constant_truth(NodeId node) { return truths(node)[0]; }

  PlanMaker make;
  TestBatch batch;
  NodeId trace_;
};

TEST_F(Interpret, Arithmetic) {
  NodeId a = make.real(7.5), b = make.real(-2), i = make.integer(-7), j = make.integer(3);
  EXPECT_EQ(constant(make.op(Op::add, Type::real, {a, b})), 5.5);
  EXPECT_EQ(constant(make.op(Op::subtract, Type::real, {a, b})), 9.5);
  EXPECT_EQ(constant(make.op(Op::multiply, Type::real, {a, b})), -15);
  EXPECT_EQ(constant(make.op(Op::divide, Type::real, {a, b})), -3.75);
  EXPECT_EQ(constant(make.op(Op::negate, Type::real, {a})), -7.5);
  EXPECT_EQ(constant(make.op(Op::minimum, Type::real, {a, b})), -2);
  EXPECT_EQ(constant(make.op(Op::maximum, Type::real, {a, b})), 7.5);
  EXPECT_TRUE(std::signbit(constant(make.op(Op::minimum, Type::real, {make.real(-0.0), make.real(0.0)}))));
  EXPECT_FALSE(std::signbit(constant(make.op(Op::maximum, Type::real, {make.real(0.0), make.real(-0.0)}))));
  auto whole = [&](Op op) { return integers(make.op(op, Type::integer, {i, j}))[0]; };
  EXPECT_EQ(whole(Op::add), -4);
  EXPECT_EQ(whole(Op::subtract), -10);
  EXPECT_EQ(whole(Op::multiply), -21);
  EXPECT_EQ(whole(Op::minimum), -7);
  EXPECT_EQ(whole(Op::maximum), 3);
  EXPECT_EQ(integers(make.op(Op::negate, Type::integer, {i}))[0], 7);
}

TEST_F(Interpret, Comparisons) {
  NodeId low = make.real(1), high = make.real(2), none = make.absent(Type::real);
  EXPECT_TRUE(constant_truth(make.op(Op::less, Type::boolean, {low, high})));
  EXPECT_FALSE(constant_truth(make.op(Op::greater_equal, Type::boolean, {low, high})));
  EXPECT_TRUE(constant_truth(make.op(Op::less_equal, Type::boolean, {low, low})));
  EXPECT_TRUE(constant_truth(make.op(Op::not_equal, Type::boolean, {low, high})));
  EXPECT_FALSE(constant_truth(make.op(Op::equal, Type::boolean, {none, none})));
  EXPECT_FALSE(constant_truth(make.op(Op::exists, Type::boolean, {none})));
  EXPECT_FALSE(constant_truth(make.op(Op::exists, Type::boolean, {make.absent(Type::integer)})));
  EXPECT_FALSE(constant_truth(make.op(Op::exists, Type::boolean, {make.absent(Type::row)})));
  EXPECT_TRUE(constant_truth(make.op(Op::exists, Type::boolean, {low})));
  // Rows compare unsigned: nothing is greater than every row.
  NodeId nothing = make.absent(Type::row);
  EXPECT_THAT(truths(greater(nothing, trace_)), ElementsAre(1, 1, 1));
  EXPECT_THAT(truths(make.has_bits(trace_, WEND_CAP_GOLD)), ElementsAre(1, 0, 1));
  EXPECT_THAT(truths(make.has_bits(trace_, WEND_CAP_GOLD | WEND_CAP_POOL)), ElementsAre(0, 0, 0));
}

TEST_F(Interpret, RightPartsAreEvaluatedOnlyWhenNeeded) {
  // Following a row that is not there would read far outside of the column.
  NodeId turn = make.fold(Op::fold_first, Type::row, 1, turns(), kNoNode, row(1));
  NodeId user = make.load(WEND_COLUMN_turn_user, turn, Type::row);
  NodeId number = make.load(WEND_COLUMN_message_number, user, Type::row);
  NodeId present = make.op(Op::exists, Type::boolean, {user});
  NodeId zero = make.op(Op::equal, Type::boolean, {number, number});
  EXPECT_THAT(truths(make.op(Op::logical_and, Type::boolean, {present, zero})), ElementsAre(0, 0, 0));
  NodeId lacks = make.op(Op::logical_not, Type::boolean, {present});
  EXPECT_THAT(truths(make.op(Op::logical_or, Type::boolean, {lacks, zero})), ElementsAre(1, 1, 1));
  EXPECT_THAT(truths(make.op(Op::choose, Type::boolean, {present, zero, make.boolean(true)})), ElementsAre(1, 1, 1));
}

TEST_F(Interpret, FoldsOverSpans) {
  EXPECT_THAT(integers(make.count(1, calls())), ElementsAre(4, 0, 1));
  EXPECT_THAT(integers(args_of_trace(1, 2)), ElementsAre(6, 0, 1));
  NodeId even =
      make.op(Op::equal, Type::boolean,
              {make.load(WEND_COLUMN_call_name, row(1), Type::symbol),
               make.load(WEND_COLUMN_call_name, make.op(Op::to_row, Type::row, {make.integer(0)}), Type::symbol)});
  EXPECT_THAT(integers(make.count(1, calls(), even)), ElementsAre(2, 0, 1));
  EXPECT_THAT(truths(make.fold(Op::fold_any, Type::boolean, 1, calls(), kNoNode, even)), ElementsAre(1, 0, 1));
  EXPECT_THAT(truths(make.fold(Op::fold_all, Type::boolean, 1, calls(), kNoNode, even)), ElementsAre(0, 1, 1));
  EXPECT_THAT(truths(make.fold(Op::fold_all, Type::boolean, 1, calls(), even, even)), ElementsAre(1, 1, 1));
}

TEST_F(Interpret, FoldsThatFindOne) {
  // Numbers of arguments of the calls: 2, 0, 1, 3 | none | 1.
  NodeId n = make.count(2, args(row(1)));
  auto fold = [&](Op op, NodeId condition = kNoNode) { return make.fold(op, Type::integer, 1, calls(), condition, n); };
  auto or_else = [&](NodeId node) {
    return make.op(Op::choose, Type::integer, {make.op(Op::exists, Type::boolean, {node}), node, make.integer(-1)});
  };
  EXPECT_THAT(integers(or_else(fold(Op::fold_min))), ElementsAre(0, -1, 1));
  EXPECT_THAT(integers(or_else(fold(Op::fold_max))), ElementsAre(3, -1, 1));
  EXPECT_THAT(integers(or_else(fold(Op::fold_first))), ElementsAre(2, -1, 1));
  EXPECT_THAT(integers(or_else(fold(Op::fold_last))), ElementsAre(3, -1, 1));
  NodeId one = make.op(Op::equal, Type::boolean, {n, make.integer(1)});
  EXPECT_THAT(integers(or_else(fold(Op::fold_first, one))), ElementsAre(1, -1, 1));
  // Absent bodies are passed over.
  NodeId only_big = make.op(Op::choose, Type::integer, {greater(n, make.integer(1)), n, make.absent(Type::integer)});
  EXPECT_THAT(integers(or_else(make.fold(Op::fold_last, Type::integer, 1, calls(), kNoNode, only_big))),
              ElementsAre(3, -1, -1));
  EXPECT_THAT(integers(or_else(make.fold(Op::fold_min, Type::integer, 1, calls(), kNoNode, only_big))),
              ElementsAre(2, -1, -1));
}

TEST_F(Interpret, FoldsOverIntegers) {
  NodeId i = make.variable(3, Type::integer);
  EXPECT_EQ(integers(make.fold(Op::fold_sum, Type::integer, 3, make.integers(-2, 5), kNoNode, i))[0], 7);
  EXPECT_EQ(integers(make.count(3, make.integers(5, 5)))[0], 0);
  EXPECT_EQ(integers(make.count(3, make.integers(5, 2)))[0], 0);
  // Real sums start from +0 and go in order.
  NodeId big = make.op(Op::choose, Type::real,
                       {make.op(Op::equal, Type::boolean, {i, make.integer(0)}), make.real(1e16), make.real(1)});
  EXPECT_EQ(constant(make.fold(Op::fold_sum, Type::real, 3, make.integers(0, 4), kNoNode, big)), 1e16);
  EXPECT_FALSE(
      std::signbit(constant(make.fold(Op::fold_sum, Type::real, 3, make.integers(0, 2), kNoNode, make.real(-0.0)))));
}

TEST_F(Interpret, InnerFoldsFollowTheOuterVariable) {
  // Calls of the turn that has most; the inner fold is used twice.
  Range inner = make.span(WEND_COLUMN_turn_calls, row(1), WEND_TABLE_call);
  NodeId n = make.count(2, inner);
  NodeId square = make.op(Op::multiply, Type::integer, {n, n});
  EXPECT_THAT(integers(make.fold(Op::fold_sum, Type::integer, 1, turns(), kNoNode, square)), ElementsAre(8, 0, 1));
  // The same node below two folds over the same variable.
  NodeId sum = make.fold(Op::fold_sum, Type::integer, 1, turns(), kNoNode, n);
  NodeId most = make.fold(Op::fold_max, Type::integer, 1, turns(), greater(n, make.integer(0)), n);
  NodeId present =
      make.op(Op::choose, Type::integer, {make.op(Op::exists, Type::boolean, {most}), most, make.integer(0)});
  EXPECT_THAT(integers(make.op(Op::add, Type::integer, {sum, present})), ElementsAre(6, 0, 2));
}

TEST_F(Interpret, ColumnsMayReferToEarlierRows) {
  // position[call] = call == first ? 1 : position[call - 1] + 1
  NodeId call = row(5);
  NodeId owner = make.load(WEND_COLUMN_call_trace, call, Type::row);
  NodeId first = make.bound(Op::span_begin, WEND_COLUMN_trace_calls, owner);
  NodeId before = make.op(
      Op::to_row, Type::row,
      {make.op(Op::subtract, Type::integer, {make.op(Op::to_integer, Type::integer, {call}), make.integer(1)})});
  NodeId previous = make.op(Op::memo, Type::integer, {before}, 0);
  NodeId body = make.op(Op::choose, Type::integer,
                        {make.op(Op::equal, Type::boolean, {call, first}), make.integer(1),
                         make.op(Op::add, Type::integer, {previous, make.integer(1)})});
  make.column("test.position", WEND_TABLE_call, 5, body);
  NodeId sum = make.fold(Op::fold_sum, Type::integer, 1, calls(), kNoNode, make.memo(0, row(1)));
  EXPECT_THAT(integers(sum), ElementsAre(10, 0, 1));
}

TEST_F(Interpret, TextIsSearchedFolded) {
  make.plan.strings = {"ev", "even"};
  NodeId first = make.fold(Op::fold_first, Type::symbol, 1, calls(), kNoNode,
                           make.load(WEND_COLUMN_call_name, row(1), Type::symbol));
  NodeId present = make.op(Op::exists, Type::boolean, {first});
  auto guarded = [&](NodeId node) { return make.op(Op::logical_and, Type::boolean, {present, node}); };
  EXPECT_THAT(truths(guarded(make.op(Op::text_contains, Type::boolean, {first}, 0))), ElementsAre(1, 0, 1));
  EXPECT_THAT(truths(guarded(make.op(Op::text_mentions, Type::boolean, {first, first}))), ElementsAre(1, 0, 1));
  EXPECT_THAT(truths(guarded(make.op(Op::text_names, Type::boolean, {first, first}))), ElementsAre(1, 0, 1));
  EXPECT_THAT(truths(guarded(make.op(Op::text_equal, Type::boolean, {first, first}))), ElementsAre(1, 0, 1));
  NodeId length =
      make.op(Op::choose, Type::integer, {present, make.op(Op::text_length, Type::integer, {first}), make.integer(0)});
  EXPECT_THAT(integers(length), ElementsAre(4, 0, 4));
}

TEST_F(Interpret, JudgesReplaceTheRule) {
  make.plan.judges.push_back({});
  make.plan.judges[0].name = "j";
  NodeId score = make.op(Op::judged, Type::real, {row(1), make.real(-1)}, 0);
  make.signal("score", make.fold(Op::fold_sum, Type::real, 1, turns(), kNoNode, score));
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  EXPECT_THAT(run.signals(), ElementsAre(-2, -1, -1));
  const double scores[] = {0.5, 0.25, 1, 0};
  run.judged = {scores};
  EXPECT_THAT(run.signals(), ElementsAre(0.75, 1, 0));
  run.judged = {nullptr};
  EXPECT_THAT(run.signals(), ElementsAre(-2, -1, -1));
}

TEST_F(Interpret, JudgesAreAskedAboutTurnsThatNeedThem) {
  Judge judge;
  judge.name = "j";
  judge.subject = 1;
  judge.requirements = WEND_CAP_GOLD | WEND_CAP_JUDGE0;
  judge.asked = greater(make.count(2, make.span(WEND_COLUMN_turn_calls, row(1), WEND_TABLE_call)), make.integer(0));
  judge.holes = {make.load(WEND_COLUMN_turn_number, row(1), Type::row), make.real(0.5)};
  make.plan.judges.push_back(judge);
  judge.requirements = 0;
  judge.asked = make.boolean(true);
  make.plan.judges.push_back(judge);
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  EXPECT_THAT(run.requests(), ElementsAre(1, 1, 0, 1, 1, 1, 1, 1));
  EXPECT_THAT(program->interpreter().holes(run.context(), 0, 1), ElementsAre("2", "0.5"));
}

// ---- Rewards ------------------------------------------------------------------------------------------------------

class Score : public Interpret {
 protected:
  // calls = weight * count(calls), needs gold if so said.
  Term calls_term(NodeId weight, uint32_t requirements = 0) {
    Term term;
    term.layer = "action";
    term.name = "calls";
    term.requirements = requirements;
    term.evidence = make.to_real(make.count(1, calls()));
    const uint32_t column = make.column("test.calls", WEND_TABLE_trace, 0, term.evidence);
    term.raw = make.memo(column, trace_);
    term.weighted = make.op(Op::multiply, Type::real, {term.raw, weight});
    return term;
  }
  Term constant_term(double value) {
    Term term;
    term.layer = "action";
    term.name = "constant";
    term.raw = term.weighted = term.evidence = make.real(value);
    return term;
  }
  Term stop(NodeId condition, double value, uint32_t requirements = 0) {
    Term term;
    term.layer = "stop";
    term.name = "stop";
    term.condition = condition;
    term.requirements = requirements;
    term.raw = term.weighted = make.real(value);
    return term;
  }

  Reward reward_;
};

TEST_F(Score, TermsAddUpInOrder) {
  NodeId weight = make.param("weight", 0.5);
  reward_.terms = {calls_term(weight), constant_term(-1)};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  run.prepare();
  RewardOutput out = run.reward(0);
  EXPECT_THAT(out.totals, ElementsAre(1, -1, -0.5));
  EXPECT_THAT(out.terms, ElementsAre(2, -1, 0, -1, 0.5, -1));
  EXPECT_THAT(out.status, ElementsAre(0, 0, 0));
  // A number param changes rewards without another prepare().
  ASSERT_TRUE(set_param(program->info(), run.params, "weight", "2"));
  EXPECT_THAT(run.reward(0).totals, ElementsAre(7, -1, 1));
}

TEST_F(Score, LateColumnsFollowParams) {
  NodeId limit = make.param("limit", 1, Type::integer);
  NodeId long_call = greater(make.count(6, args(row(5))), limit);
  const uint32_t column = make.column("test.long", WEND_TABLE_call, 5, long_call, true);
  Term term = constant_term(0);
  term.raw = term.weighted = term.evidence = make.to_real(make.count(1, calls(), make.memo(column, row(1))));
  reward_.terms = {term};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  run.prepare();
  EXPECT_THAT(run.reward(0).totals, ElementsAre(2, 0, 0));
  run.params[0] = 0;
  EXPECT_THAT(run.reward(0).totals, ElementsAre(3, 0, 1));
  run.params[0] = 2.9;  // truncated
  EXPECT_THAT(run.reward(0).totals, ElementsAre(1, 0, 0));
}

TEST_F(Score, WhatCannotBeEvaluatedIsLeftOut) {
  reward_.terms = {calls_term(make.real(1), WEND_CAP_GOLD), constant_term(3)};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  run.prepare();
  RewardOutput out = run.reward(0);
  EXPECT_THAT(out.totals, ElementsAre(7, 3, 4));
  EXPECT_THAT(out.status, ElementsAre(WEND_STATUS_OK, WEND_STATUS_PARTIAL, WEND_STATUS_OK));
  EXPECT_TRUE(std::isnan(out.terms[2]));
  EXPECT_EQ(out.terms[3], 3);
}

TEST_F(Score, TheFirstStopThatHoldsDecides) {
  NodeId many = greater(make.count(1, calls()), make.integer(2)),
         some = greater(make.count(1, calls()), make.integer(0));
  reward_.stops = {stop(many, -2), stop(some, -1)};
  reward_.terms = {constant_term(5)};
  reward_.clamp_low = make.real(-1);
  reward_.clamp_high = make.real(4);
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  RewardOutput out = run.reward(0);
  EXPECT_THAT(out.totals, ElementsAre(-2, 4, -1));  // a stop's value is not clamped
  EXPECT_THAT(out.terms, ElementsAre(-2, 0, 0, 0, 0, 0, 5, -1, 0, -1, 0, 0));
}

TEST_F(Score, AStopThatCannotBeEvaluatedDoesNotStop) {
  NodeId yes = make.boolean(true);
  reward_.stops = {stop(yes, -2, WEND_CAP_GOLD)};
  reward_.terms = {constant_term(5)};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  RewardOutput out = run.reward(0);
  EXPECT_THAT(out.totals, ElementsAre(-2, 5, -2));
  EXPECT_THAT(out.status, ElementsAre(WEND_STATUS_OK, WEND_STATUS_PARTIAL, WEND_STATUS_OK));
  EXPECT_TRUE(std::isnan(out.terms[2]));
}

std::vector<std::vector<double>> tuples(const std::vector<wend_evidence>& evidence) {
  std::vector<std::vector<double>> out;
  for (const wend_evidence& e : evidence) {
    out.push_back({double(e.trace), double(e.term), double(e.table), double(e.row), e.value});
  }
  return out;
}

TEST_F(Score, EvidenceNamesTheElements) {
  reward_.stops = {stop(make.boolean(false), -9)};
  reward_.terms = {constant_term(1), calls_term(make.real(0.5))};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  run.prepare();
  std::vector<wend_evidence> evidence;
  RewardOutput out = run.attribute(0, evidence), plain = run.reward(0);
  EXPECT_EQ(out.totals, plain.totals);
  EXPECT_EQ(out.terms, plain.terms);
  const double call = WEND_TABLE_call;
  EXPECT_THAT(tuples(evidence),
              ElementsAre(ElementsAre(0, 2, call, 0, 1), ElementsAre(0, 2, call, 1, 1), ElementsAre(0, 2, call, 2, 1),
                          ElementsAre(0, 2, call, 3, 1), ElementsAre(2, 2, call, 4, 1)));
}

TEST_F(Score, EveryFoldReportsWhatDecided) {
  const double call = WEND_TABLE_call;
  NodeId n = make.count(2, args(row(1)));
  auto evidence_of = [&](NodeId node) {
    PlanMaker copy = make;
    Term term;
    term.layer = "l";
    term.name = "t";
    term.raw = term.weighted = term.evidence = node;
    Reward reward;
    reward.terms = {term};
    copy.plan.rewards = {reward};
    auto program = program_of(copy);
    ProgramRun run(*program, batch.view());
    std::vector<wend_evidence> evidence;
    run.attribute(0, evidence);
    std::vector<std::vector<double>> first_trace;
    for (auto& tuple : tuples(evidence)) {
      if (tuple[0] == 0 && tuple[2] == call) first_trace.push_back({tuple[3], tuple[4]});
    }
    return first_trace;
  };
  auto real_of = [&](NodeId node) { return make.to_real(make.op(Op::to_integer, Type::integer, {node})); };
  auto fold = [&](Op op, Type type, NodeId body) { return make.fold(op, type, 1, calls(), kNoNode, body); };
  // Arguments by call: 2, 0, 1, 3.
  EXPECT_THAT(evidence_of(make.to_real(fold(Op::fold_sum, Type::integer, n))),
              ElementsAre(ElementsAre(0, 2), ElementsAre(2, 1), ElementsAre(3, 3)));
  EXPECT_THAT(evidence_of(real_of(fold(Op::fold_any, Type::boolean, greater(make.integer(2), n)))),
              ElementsAre(ElementsAre(1, 1)));
  EXPECT_THAT(evidence_of(real_of(fold(Op::fold_all, Type::boolean, greater(n, make.integer(0))))),
              ElementsAre(ElementsAre(1, 0)));
  EXPECT_THAT(evidence_of(make.to_real(fold(Op::fold_max, Type::integer, n))), ElementsAre(ElementsAre(3, 3)));
  EXPECT_THAT(evidence_of(make.to_real(fold(Op::fold_min, Type::integer, n))), ElementsAre(ElementsAre(1, 0)));
  EXPECT_THAT(evidence_of(make.to_real(fold(Op::fold_first, Type::integer, n))), ElementsAre(ElementsAre(0, 2)));
  EXPECT_THAT(evidence_of(real_of(make.op(Op::exists, Type::boolean, {fold(Op::fold_last, Type::row, row(1))}))),
              ElementsAre(ElementsAre(3, 1)));
  // A fold that the expression uses twice reports once.
  NodeId sum = make.to_real(make.count(1, calls(), greater(n, make.integer(1))));
  EXPECT_THAT(evidence_of(make.op(Op::multiply, Type::real, {sum, sum})),
              ElementsAre(ElementsAre(0, 1), ElementsAre(3, 1)));
}

TEST_F(Score, AFullSinkGoesOnCounting) {
  reward_.terms = {calls_term(make.real(1))};
  make.plan.rewards = {reward_};
  auto program = program_of(make);
  ProgramRun run(*program, batch.view());
  run.prepare();
  wend_evidence items[3] = {};
  items[2].row = 77;
  wend_evidence_sink sink = {items, 2, 0};
  wend_context context = run.context();
  context.evidence = &sink;
  double totals[3];
  uint32_t status[3];
  program->attribute(context, 0, 0, 3, totals, nullptr, status);
  EXPECT_EQ(sink.count, 5u);
  EXPECT_EQ(items[1].row, 1u);
  EXPECT_EQ(items[2].row, 77u);
}

TEST_F(Score, MetricsComeFromSums) {
  make.signal("A.sum", make.real(0));
  make.signal("A.count", make.real(0));
  auto sum = [&](int64_t i) { return make.op(Op::signal_sum, Type::real, {}, i); };
  Metric metric;
  metric.name = "A";
  metric.value = make.op(Op::divide, Type::real, {sum(0), sum(1)});
  metric.defined = make.op(Op::not_equal, Type::boolean, {sum(1), make.real(0)});
  make.plan.metrics = {metric};
  auto program = program_of(make);
  EXPECT_THAT(program->info().metrics[0].signals, ElementsAre(0u, 1u));
  double value = 0;
  uint8_t valid = 0;
  const double sums[] = {3, 4}, none[] = {0, 0};
  program->metrics(nullptr, sums, &value, &valid);
  EXPECT_EQ(value, 0.75);
  EXPECT_EQ(valid, 1);
  program->metrics(nullptr, none, &value, &valid);
  EXPECT_EQ(valid, 0);
}

// ---- Why a term is zero ---------------------------------------------------------------------------------------------

class Why : public Score {
 protected:
  std::string why(NodeId evidence, uint32_t trace = 0) {
    Term term;
    term.evidence = term.raw = term.weighted = evidence;
    return why(term, trace);
  }
  std::string why(const Term& term, uint32_t trace = 0) {
    auto program = program_of(make);
    ProgramRun run(*program, batch.view());
    const TraceMemo memo(program->interpreter(), run.context(), trace);
    return ZeroExplainer(program->interpreter(), memo.context(), trace).explain(term);
  }
};

TEST_F(Why, NothingCounted) {
  NodeId never = greater(make.count(6, args(row(5))), make.integer(9));
  const uint32_t column = make.column("iacm.detect.huge", WEND_TABLE_call, 5, never);
  NodeId count = make.to_real(make.count(1, calls(), make.memo(column, row(1))));
  NodeId scaled = make.op(Op::multiply, Type::real, {make.real(-0.5), count});
  EXPECT_EQ(why(scaled, 0), "0 of 4 calls: `huge` never true");
  EXPECT_EQ(why(scaled, 1), "0 calls");
  EXPECT_EQ(why(scaled, 2), "0 of 1 call: `huge` never true");
}

TEST_F(Why, WhichConjunctFailed) {
  NodeId n = make.count(6, args(row(5)));
  const uint32_t big = make.column("m.big", WEND_TABLE_call, 5, greater(n, make.integer(0)));
  const uint32_t last = make.column("m.last", WEND_TABLE_call, 5, make.boolean(false));
  NodeId both = make.op(Op::logical_and, Type::boolean, {make.memo(big, row(1)), make.memo(last, row(1))});
  EXPECT_EQ(why(make.to_real(make.count(1, calls(), both))), "0 of 4 calls: `last` false for 3, `big` false for 1");
  // The parts of a column's own rule.
  NodeId rule = make.op(Op::logical_and, Type::boolean, {make.memo(big, row(5)), make.memo(last, row(5))});
  const uint32_t column = make.column("m.stale", WEND_TABLE_call, 5, rule);
  EXPECT_EQ(why(make.to_real(make.count(1, calls(), make.memo(column, row(1))))),
            "0 of 4 calls: `stale` never true (`last` false for 3, `big` false for 1)");
}

TEST_F(Why, NestedFolds) {
  const uint32_t never = make.column("m.never", WEND_TABLE_arg, 5, make.boolean(false));
  NodeId inner = make.count(2, args(row(1)), make.memo(never, row(2)));
  NodeId outer = make.fold(Op::fold_sum, Type::integer, 1, calls(), kNoNode, inner);
  EXPECT_EQ(why(make.to_real(outer)), "0 of 4 calls: 0 of 6 args: `never` never true");
  EXPECT_EQ(why(make.to_real(outer), 1), "0 calls");
}

TEST_F(Why, ChoicesAndComparisons) {
  NodeId n = make.count(1, calls());
  NodeId fires = make.op(Op::choose, Type::real, {greater(n, make.integer(9)), make.real(-2), make.real(0)});
  EXPECT_THAT(why(fires), HasSubstr("is false: 4 against 9"));
  EXPECT_THAT(why(fires), HasSubstr("count(v1 in trace.calls[trace]) > 9"));
  EXPECT_THAT(why(stop(greater(n, make.integer(5)), -2)), HasSubstr("is false: 4 against 5"));
  EXPECT_EQ(why(stop(greater(n, make.integer(3)), -2)), "");
}

TEST_F(Why, NotZeroWeightlessOrNotEvaluable) {
  EXPECT_EQ(why(make.to_real(make.count(1, calls()))), "");
  Term term = calls_term(make.real(0));
  EXPECT_EQ(why(term), "its value is 4, its weight 0");
  term.requirements = WEND_CAP_GOLD | WEND_CAP_CHAINS;
  EXPECT_EQ(why(term, 0), "not evaluable: the dialogue lacks chains");
  EXPECT_EQ(why(term, 1), "not evaluable: the dialogue lacks gold chains");
}

// ---- Description ----------------------------------------------------------------------------------------------------

TEST_F(Score, DescriptionReadsBack) {
  NodeId weight = make.param("weight", 0.1);
  make.plan.params[0].high = kInfinity;
  reward_.name = "multi_turn";
  reward_.layers = {{"belief", {"slots"}, weight}};
  reward_.stops = {stop(make.boolean(false), -2)};
  reward_.terms = {calls_term(weight, WEND_CAP_GOLD)};
  reward_.clamp_low = make.real(-4);
  reward_.clamp_high = make.real(8);
  reward_.doc = "line\n\"quoted\" \xff";
  make.plan.rewards = {reward_};
  auto info = ProgramInfo::parse(metadata(make.plan));
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_EQ(info->params[0].fallback, 0.1);
  EXPECT_EQ(info->params[0].low, -100);
  EXPECT_EQ(info->params[0].high, kInfinity);
  ASSERT_EQ(info->rewards[0].terms.size(), 3u);
  EXPECT_EQ(info->rewards[0].terms[0].kind, TermKind::stop);
  EXPECT_EQ(info->rewards[0].terms[1].full_name(), "action.calls");
  EXPECT_EQ(info->rewards[0].terms[1].requirements, uint32_t{WEND_CAP_GOLD});
  EXPECT_EQ(info->rewards[0].terms[2].full_name(), "clamp");
  EXPECT_THAT(info->rewards[0].layers[0].supervises, ElementsAre("slots"));
  EXPECT_EQ(info->rewards[0].judge_limit, 0xFFFFFFFFu);
  auto program = program_of(make);
  EXPECT_EQ(program->n_terms(0), 3u);
  EXPECT_THAT(program->term_requires(), ElementsAre(0, WEND_CAP_GOLD, 0));
}

TEST_F(Score, FingerprintIsOfTheMeaning) {
  NodeId weight = make.param("weight", 0.1);
  reward_.terms = {calls_term(weight)};
  make.plan.rewards = {reward_};
  const std::string before = fingerprint(make.plan);
  EXPECT_EQ(before.size(), 64u);
  Plan other = make.plan;
  other.params[0].fallback = 5;
  other.params[0].doc = "other";
  other.rewards[0].terms[0].name = "other";
  other.columns[0].name = "other";
  other.places = {"other.wend:7"};
  EXPECT_EQ(fingerprint(other), before);
  other.rewards[0].terms[0].requirements = WEND_CAP_GOLD;
  EXPECT_NE(fingerprint(other), before);
  other = make.plan;
  other.nodes.back().integer += 1;
  EXPECT_NE(fingerprint(other), before);
}

TEST_F(Score, PrintsReadably) {
  NodeId weight = make.param("weight", 2);
  reward_.name = "r";
  reward_.terms = {calls_term(weight, WEND_CAP_GOLD)};
  make.plan.rewards = {reward_};
  make.signal("A.sum", make.to_real(args_of_trace(1, 2)));
  EXPECT_EQ(print(make.plan), R"(plan test
param test.weight: real = 2.0 in -100.0 .. 100.0
pass trace
  test.calls: real of v0
      = real(count(v1 in trace.calls[v0]))
signal A.sum
      = real(sum(count(v2 in call.args[v1]) for v1 in trace.calls[v0]))
reward r
  term action.calls needs gold
      raw test.calls[v0]
      evidence real(count(v1 in trace.calls[v0]))
      = raw * test.weight
)");
}

}  // namespace
}  // namespace wend::plan
