// Passes, late columns, rewards, evidence, requests and metrics, against numbers worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "compiler/codegen/jit.h"
#include "tests/unit/codegen/runner.h"

namespace wend::test {
namespace {

using codegen::Jit;
using codegen::Level;
using testing::ElementsAre;

// A spec with one of everything:
//   column answered (call): its result exists                           1 0 1 1 0 | 1
//   column share (turn, late): alpha * answered calls of the turn       alpha * (1, 0, 2) | alpha * 1
//   column run (call): answered calls so far, through memo of the row before
//   stop "silent": no calls at all -> -5
//   term answers = answered calls (evidence: count over calls)          3 | 1, weight w
//   term shares = sum of share over turns (evidence: sum over turns)    3 alpha | alpha
//   term gold = number of gold calls, needs gold                        2 | not evaluable
//   clamp to [-1, limit]
class Rewards : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    fill_dialogues(batch);
    const NodeId trace = b.variable(0);
    int64_t row = b.new_variable(), v = b.new_variable(), t = b.new_variable();
    NodeId subject = b.variable(row);
    NodeId alpha = b.param("alpha", 0.5), weight = b.param("w", 0.25), limit = b.param("limit", 10);
    auto to_real = [&](NodeId id) { return b.op(Op::to_real, Type::real, {id}); };
    auto multiply = [&](NodeId x, NodeId y) { return b.op(Op::multiply, Type::real, {x, y}); };

    NodeId exists = b.op(Op::exists, Type::boolean, {b.load(WEND_COLUMN_call_result, Type::row, subject)});
    answered = b.column("iacm.answered", WEND_TABLE_call, Type::boolean, row, exists);
    NodeId answered_v = b.memo(answered, b.variable(v));
    NodeId of_turn =
        b.fold(Op::fold_count, Type::integer, WEND_COLUMN_turn_calls, WEND_TABLE_call, subject, v, answered_v, kNoNode);
    // run: (row is the first call ? 0 : run of the row before) + answered
    NodeId number = b.load(WEND_COLUMN_call_number, Type::integer, subject);
    NodeId before =
        b.op(Op::to_row, Type::row,
             {b.op(Op::subtract, Type::integer, {b.op(Op::to_integer, Type::integer, {subject}), b.integer(1)})});
    b.plan.columns.push_back({"iacm.run", WEND_TABLE_call, Type::integer, row, kNoNode, false, false});
    run = answered + 1;
    NodeId previous = b.op(Op::choose, Type::integer,
                           {b.op(Op::equal, Type::boolean, {number, b.integer(0)}), b.integer(0), b.memo(run, before)});
    b.plan.columns[run].body =
        b.op(Op::add, Type::integer, {previous, b.op(Op::to_integer, Type::integer, {b.memo(answered, subject)})});
    b.plan.passes.back().columns.push_back(run);
    share = b.column("iacm.share", WEND_TABLE_turn, Type::real, row, multiply(alpha, to_real(of_turn)), true);

    NodeId calls =
        b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call, trace, v, kNoNode, kNoNode);
    NodeId all_answered =
        b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call, trace, v, answered_v, kNoNode);
    NodeId shares = b.fold(Op::fold_sum, Type::real, WEND_COLUMN_trace_turns, WEND_TABLE_turn, trace, t, kNoNode,
                           b.memo(share, b.variable(t)));
    total_answered = b.column("iacm.total", WEND_TABLE_trace, Type::real, row,
                              b.op(Op::to_real, Type::real,
                                   {b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_calls, WEND_TABLE_call,
                                           subject, v, answered_v, kNoNode)}));
    NodeId raw = b.memo(total_answered, trace);
    NodeId gold = to_real(b.fold(Op::fold_count, Type::integer, WEND_COLUMN_trace_gold_calls, WEND_TABLE_call, trace, v,
                                 kNoNode, kNoNode));

    plan::Reward reward;
    reward.name = "multi_turn";
    plan::Term stop = PlanBuilder::term("silent", kNoNode, b.real(-5));
    stop.layer = "stop";
    stop.condition = b.op(Op::equal, Type::boolean, {calls, b.integer(0)});
    reward.stops.push_back(stop);
    reward.terms.push_back(PlanBuilder::term("answers", raw, multiply(raw, weight), 0, to_real(all_answered)));
    reward.terms.push_back(PlanBuilder::term("shares", shares, multiply(shares, b.real(2)), WEND_CAP_RESPONSE, shares));
    reward.terms.push_back(PlanBuilder::term("gold", gold, gold, WEND_CAP_GOLD, gold));
    reward.clamp_low = b.real(-1);
    reward.clamp_high = limit;
    b.plan.rewards.push_back(reward);
  }

  std::shared_ptr<const Program> compile() {
    auto program = Jit::create({})->compile(b.plan, {.level = GetParam()});
    EXPECT_TRUE(program.ok()) << program.error().message;
    return *program;
  }

  PlanBuilder b;
  TestBatch batch;
  uint32_t answered = 0, run = 0, share = 0, total_answered = 0;
};

std::vector<wend_evidence> items(const Runner::Scores& scores) { return scores.evidence; }

MATCHER_P5(Evidence, trace, term, table, row, value, "") {
  *result_listener << arg.trace << " " << arg.term << " " << arg.table << " " << arg.row << " " << arg.value;
  return arg.trace == uint32_t(trace) && arg.term == uint32_t(term) && arg.table == uint32_t(table) &&
         arg.row == uint32_t(row) && arg.value == value;
}

TEST_P(Rewards, MemoOfPasses) {
  Runner runner(compile(), batch);
  runner.prepare();
  std::vector<uint64_t> got(runner.memo(answered).begin(), runner.memo(answered).begin() + 6);
  EXPECT_THAT(got, ElementsAre(1, 0, 1, 1, 0, 1));
  got.assign(runner.memo(run).begin(), runner.memo(run).begin() + 6);
  EXPECT_THAT(got, ElementsAre(1, 1, 2, 3, 3, 1));
  EXPECT_EQ(runner.memo(answered)[6], 0x5555555555555555u) << "gold calls are not rows of this pass";
  EXPECT_EQ(runner.memo(share)[0], 0x5555555555555555u) << "late columns are left out by prepare";
  EXPECT_EQ(runner.memo(total_answered)[0], std::bit_cast<uint64_t>(3.0));
}

TEST_P(Rewards, TotalsTermsAndStatus) {
  Runner runner(compile(), batch);
  Runner::Scores scores = runner.prepare().reward();
  // 0, 3 w, 2 * 3 alpha, 2; clamp does nothing
  EXPECT_EQ(scores.totals[0], 0.75 + 3 + 2);
  EXPECT_EQ(scores.totals[1], 0.25 + 1);
  EXPECT_THAT(scores.status, ElementsAre(WEND_STATUS_OK, WEND_STATUS_PARTIAL));
  EXPECT_THAT(scores.terms, ElementsAre(0, 0.75, 3, 2, 0, 0, 0.25, 1, testing::NanSensitiveDoubleEq(NAN), 0));
}

TEST_P(Rewards, ParamsAreReadAtEachCall) {
  Runner runner(compile(), batch);
  runner.prepare();
  runner.params = {2.0, 1.0, 10.0};
  EXPECT_THAT(runner.reward().terms, ElementsAre(0, 3, 12, 2, -7, 0, 1, 4, testing::NanSensitiveDoubleEq(NAN), 0));
  EXPECT_EQ(runner.reward().totals[0], 10);
  runner.params = {-2.0, 1.0, 10.0};
  Runner::Scores low = runner.reward();
  EXPECT_EQ(low.totals[0], -1);
  EXPECT_EQ(low.terms[4], -1 - (3.0 - 12 + 2));
}

TEST_P(Rewards, StopsTakeAll) {
  batch.set<wend_span>(WEND_TABLE_trace, WEND_COLUMN_trace_calls, {{0, 5}, {6, 6}});
  Runner runner(compile(), batch);
  Runner::Scores scores = runner.prepare().reward();
  EXPECT_EQ(scores.totals[1], -5);
  EXPECT_THAT(std::vector<double>(scores.terms.begin() + 5, scores.terms.end()), ElementsAre(-5, 0, 0, 0, 0))
      << "whatever the others need";
  EXPECT_EQ(scores.status[1], uint32_t{WEND_STATUS_OK});
}

TEST_P(Rewards, StopsWithoutTheirRequirementsDoNotFire) {
  batch.set<wend_span>(WEND_TABLE_trace, WEND_COLUMN_trace_calls, {{0, 5}, {6, 6}});
  b.plan.rewards[0].stops[0].requirements = WEND_CAP_POOL;
  Runner runner(compile(), batch);
  Runner::Scores scores = runner.prepare().reward();
  EXPECT_EQ(scores.totals[1], 1);  // shares count by turn
  EXPECT_TRUE(std::isnan(scores.terms[0]) && std::isnan(scores.terms[5]));
  EXPECT_THAT(scores.status, ElementsAre(WEND_STATUS_PARTIAL, WEND_STATUS_PARTIAL));
}

TEST_P(Rewards, TermsMayBeLeftOut) {
  auto program = compile();
  Runner runner(program, batch);
  Runner::Scores with = runner.prepare().reward();
  std::vector<double> totals(2);
  std::vector<uint32_t> status(2);
  program->reward(runner.context(), 0, 0, 2, totals.data(), nullptr, status.data());
  EXPECT_EQ(totals, with.totals);
  EXPECT_EQ(status, with.status);
  program->reward(runner.context(), 0, 1, 2, totals.data(), nullptr, status.data());
  EXPECT_EQ(totals[0], with.totals[1]) << "outputs start at the first trace of the range";
}

TEST_P(Rewards, EvidenceOfEachTerm) {
  Runner runner(compile(), batch);
  Runner::Scores plain = runner.prepare().reward();
  Runner::Scores scores = runner.attribute();
  EXPECT_EQ(scores.totals, plain.totals);
  EXPECT_EQ(scores.status, plain.status);
  for (size_t i = 0; i < plain.terms.size(); ++i) {
    EXPECT_EQ(std::bit_cast<uint64_t>(scores.terms[i]), std::bit_cast<uint64_t>(plain.terms[i])) << i;
  }
  const int call = WEND_TABLE_call, turn = WEND_TABLE_turn;
  EXPECT_THAT(items(scores),
              ElementsAre(Evidence(0, 1, call, 0, 1.0), Evidence(0, 1, call, 2, 1.0), Evidence(0, 1, call, 3, 1.0),
                          Evidence(0, 2, turn, 0, 0.5), Evidence(0, 2, turn, 2, 1.0), Evidence(0, 3, call, 6, 1.0),
                          Evidence(0, 3, call, 7, 1.0), Evidence(1, 1, call, 5, 1.0), Evidence(1, 2, turn, 3, 0.5)));
}

TEST_P(Rewards, FullSinkKeepsCounting) {
  Runner runner(compile(), batch);
  Runner::Scores scores = runner.prepare().attribute(0, 2);
  EXPECT_EQ(scores.evidence_count, 9u);
  EXPECT_THAT(items(scores),
              ElementsAre(Evidence(0, 1, WEND_TABLE_call, 0, 1.0), Evidence(0, 1, WEND_TABLE_call, 2, 1.0)));
}

// Each kind of fold as the evidence of a term of its own.
TEST_P(Rewards, EvidenceOfEachFold) {
  const NodeId trace = b.variable(0);
  int64_t v = b.new_variable(), w = b.new_variable();
  NodeId number = b.load(WEND_COLUMN_call_number, Type::integer, b.variable(v));
  NodeId name = b.load(WEND_COLUMN_call_name, Type::symbol, b.variable(v));
  NodeId odd = b.op(Op::equal, Type::boolean, {name, b.op(Op::to_row, Type::symbol, {b.integer(1)})});
  auto fold = [&](Op what, Type type, NodeId condition, NodeId body) {
    NodeId id = b.fold(what, type, WEND_COLUMN_trace_calls, WEND_TABLE_call, trace, v, condition, body);
    if (type == Type::integer) return b.op(Op::to_real, Type::real, {id});
    if (type == Type::real) return id;
    NodeId flag = type == Type::boolean ? id : b.op(Op::exists, Type::boolean, {id});
    return b.op(Op::to_real, Type::real, {b.op(Op::to_integer, Type::integer, {flag})});
  };
  // for each turn: the calls of the turn with an odd name
  NodeId inner =
      b.fold(Op::fold_count, Type::integer, WEND_COLUMN_turn_calls, WEND_TABLE_call, b.variable(w), v, odd, kNoNode);
  NodeId nested = b.fold(Op::fold_any, Type::boolean, WEND_COLUMN_trace_turns, WEND_TABLE_turn, trace, w, kNoNode,
                         b.op(Op::greater, Type::boolean, {inner, b.integer(1)}));
  plan::Reward reward;
  reward.name = "folds";
  for (NodeId id : {fold(Op::fold_sum, Type::integer, kNoNode, number), fold(Op::fold_any, Type::boolean, kNoNode, odd),
                    fold(Op::fold_all, Type::boolean, kNoNode, odd), fold(Op::fold_min, Type::integer, odd, number),
                    fold(Op::fold_max, Type::integer, kNoNode, number),
                    fold(Op::fold_first, Type::integer, odd, number), fold(Op::fold_last, Type::symbol, odd, name),
                    b.op(Op::to_real, Type::real, {b.op(Op::to_integer, Type::integer, {nested})})}) {
    reward.terms.push_back(PlanBuilder::term("t" + std::to_string(id), id, id, 0, id));
  }
  b.plan.rewards.push_back(reward);
  Runner runner(compile(), batch);
  Runner::Scores plain = runner.prepare().reward(1), scores = runner.attribute(1);
  EXPECT_EQ(plain.terms, scores.terms);
  EXPECT_THAT(std::vector<double>(scores.terms.begin(), scores.terms.begin() + 8),
              ElementsAre(10, 1, 0, 1, 4, 1, 1, 1));
  std::vector<wend_evidence> first;
  for (const wend_evidence& item : scores.evidence) {
    if (item.trace == 0) first.push_back(item);
  }
  const int call = WEND_TABLE_call, turn = WEND_TABLE_turn;
  EXPECT_THAT(first, ElementsAre(Evidence(0, 0, call, 1, 1.0), Evidence(0, 0, call, 2, 2.0),
                                 Evidence(0, 0, call, 3, 3.0), Evidence(0, 0, call, 4, 4.0),    // sum: not call 0
                                 Evidence(0, 1, call, 1, 1.0), Evidence(0, 2, call, 0, 0.0),    // any, all
                                 Evidence(0, 3, call, 1, 1.0), Evidence(0, 4, call, 4, 4.0),    // min, max
                                 Evidence(0, 5, call, 1, 1.0), Evidence(0, 6, call, 4, 1.0),    // first, last
                                 Evidence(0, 7, call, 1, 1.0), Evidence(0, 7, call, 2, 1.0),    // nested: all turns
                                 Evidence(0, 7, call, 4, 1.0), Evidence(0, 7, turn, 2, 1.0)));  // up to the third
}

TEST_P(Rewards, RequestsAndJudges) {
  plan::Judge judge;
  judge.name = "acr";
  judge.subject = b.new_variable();
  NodeId kind = b.load(WEND_COLUMN_turn_kind, Type::integer, b.variable(judge.subject));
  judge.asked = b.op(Op::equal, Type::boolean, {kind, b.integer(0)});
  b.plan.judges.push_back(judge);
  judge.name = "issr";
  judge.requirements = WEND_CAP_GOLD;
  // depends on memo, though nothing has been prepared yet
  int64_t v = b.new_variable();
  judge.asked = b.fold(Op::fold_any, Type::boolean, WEND_COLUMN_turn_calls, WEND_TABLE_call, b.variable(judge.subject),
                       v, kNoNode, b.memo(answered, b.variable(v)));
  b.plan.judges.push_back(judge);
  int64_t t = b.new_variable();
  NodeId score = b.op(Op::judged, Type::real, {b.variable(t), b.real(-1)}, 1);
  b.signal("judged", b.fold(Op::fold_sum, Type::real, WEND_COLUMN_trace_turns, WEND_TABLE_turn, b.variable(0), t,
                            kNoNode, score));
  auto program = compile();
  Runner runner(program, batch);
  std::vector<uint8_t> asks(8, 9);
  program->requests(runner.context(), 0, 2, asks.data());
  EXPECT_THAT(asks, ElementsAre(1, 0, 1, 0, 1, 0, 1, 0));
  EXPECT_THAT(runner.prepare().signals(), ElementsAre(-3, -1));
  const std::vector<double> scores{1, 2, 4, 8};
  runner.judged[1] = scores.data();
  EXPECT_THAT(runner.signals(), ElementsAre(7, 8));
}

TEST_P(Rewards, SignalsAndMetrics) {
  b.signal("calls", b.real(2));
  b.signal("gold", b.real(3), WEND_CAP_GOLD);
  b.signal("shares", b.memo(total_answered, b.variable(0)), WEND_CAP_GOLD | WEND_CAP_RESPONSE);
  NodeId sum0 = b.op(Op::signal_sum, Type::real, {}, 0), sum1 = b.op(Op::signal_sum, Type::real, {}, 1);
  plan::Metric metric;
  metric.name = "ratio";
  metric.value = b.op(Op::divide, Type::real, {sum0, sum1});
  metric.defined = b.op(Op::not_equal, Type::boolean, {sum1, b.real(0)});
  b.plan.metrics.push_back(metric);
  metric.name = "alpha";
  metric.value = b.op(Op::multiply, Type::real, {sum0, b.op(Op::param, Type::real, {}, 0)});
  metric.defined = b.boolean(true);
  b.plan.metrics.push_back(metric);
  auto program = compile();
  Runner runner(program, batch);
  EXPECT_THAT(runner.prepare().signals(), ElementsAre(2, 3, 3, 2, 3, 1)) << "requirements are the caller's affair";
  double value[2] = {7, 7};
  uint8_t valid[2] = {7, 7};
  const double sums[] = {6, 4, 0}, zero[] = {6, 0, 0};
  program->metrics(runner.params.data(), sums, value, valid);
  EXPECT_THAT(value, ElementsAre(1.5, 3));
  EXPECT_THAT(valid, ElementsAre(1, 1));
  program->metrics(runner.params.data(), zero, value, valid);
  EXPECT_THAT(valid, ElementsAre(0, 1));
  EXPECT_TRUE(std::isnan(value[0]));
}

INSTANTIATE_TEST_SUITE_P(Levels, Rewards, testing::Values(Level::O0, Level::O2),
                         [](const auto& test) { return test.param == Level::O0 ? "O0" : "O2"; });

}  // namespace
}  // namespace wend::test
