// Every operation, against numbers worked out by hand, at both levels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/codegen/jit.h"
#include "tests/unit/codegen/runner.h"

namespace wend::test {
namespace {

using codegen::Jit;
using codegen::Level;

class Nodes : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override { fill_dialogues(batch); }

  std::shared_ptr<const Program> compile(const plan::Plan& plan) {
    auto program = Jit::create({})->compile(plan, {.level = GetParam()});
    EXPECT_TRUE(program.ok()) << program.error().message;
    return *program;
  }
  // Adds a signal whose value in both traces is expected to be this.
  void expect(NodeId value, double first, double second) {
    if (b.plan.nodes[value].type != Type::real) {
      if (b.plan.nodes[value].type != Type::integer) value = b.op(Op::to_integer, Type::integer, {value});
      value = b.op(Op::to_real, Type::real, {value});
    }
    b.signal("s" + std::to_string(expected_.size()), value);
    expected_.emplace_back(first, second);
  }
  void check() {
    Runner runner(compile(b.plan), batch);
    runner.literals = literals;
    std::vector<double> got = runner.prepare().signals();
    const size_t n = expected_.size();
    for (size_t i = 0; i < n; ++i) {
      EXPECT_EQ(std::bit_cast<uint64_t>(got[i]), std::bit_cast<uint64_t>(expected_[i].first)) << i << ": " << got[i];
      EXPECT_EQ(std::bit_cast<uint64_t>(got[n + i]), std::bit_cast<uint64_t>(expected_[i].second))
          << i << ": " << got[n + i];
    }
  }
  NodeId calls(Op what, Type type, NodeId condition, NodeId body, int64_t variable) {
    return b.fold(what, type, WEND_COLUMN_trace_calls, WEND_TABLE_call, trace, variable, condition, body);
  }

  PlanBuilder b;
  TestBatch batch;
  std::vector<uint32_t> literals;
  const NodeId trace = b.variable(0);
  std::vector<std::pair<double, double>> expected_;
};

TEST_P(Nodes, Arithmetic) {
  auto real = [&](Op op, double x, double y) { return b.op(op, Type::real, {b.real(x), b.real(y)}); };
  auto integer = [&](Op op, int64_t x, int64_t y) { return b.op(op, Type::integer, {b.integer(x), b.integer(y)}); };
  auto both = [&](NodeId id, double value) { expect(id, value, value); };
  both(real(Op::add, 0.1, 0.2), 0.1 + 0.2);
  both(real(Op::subtract, 0.1, 0.3), 0.1 - 0.3);
  both(real(Op::multiply, 0.1, 3), 0.1 * 3);
  both(real(Op::divide, 1, 3), 1.0 / 3);
  both(real(Op::minimum, 0.0, -0.0), 0.0);
  both(real(Op::maximum, -0.0, 0.0), -0.0);
  both(real(Op::maximum, 1, 2), 2);
  both(b.op(Op::negate, Type::real, {b.real(0)}), -0.0);
  both(integer(Op::add, 7, -9), -2);
  both(integer(Op::subtract, 7, 9), -2);
  both(integer(Op::multiply, -7, 9), -63);
  both(integer(Op::minimum, -7, 9), -7);
  both(integer(Op::maximum, -7, 9), 9);
  both(b.op(Op::negate, Type::integer, {b.integer(5)}), -5);
  both(b.op(Op::to_integer, Type::integer, {b.op(Op::to_row, Type::row, {b.integer(-1)})}), 4294967295.0);
  check();
}

TEST_P(Nodes, NoContraction) {
  // With one rounding instead of two this would not be zero.
  NodeId x = b.param("x", 0.1), y = b.param("y", 10), minus = b.param("minus", -1);
  NodeId product = b.op(Op::multiply, Type::real, {x, y});
  expect(b.op(Op::add, Type::real, {product, minus}), 0.1 * 10 - 1, 0.0);
  check();
}

TEST_P(Nodes, Comparison) {
  auto compare = [&](Op op, NodeId x, NodeId y) { return b.op(op, Type::boolean, {x, y}); };
  auto both = [&](NodeId id, bool value) { expect(id, value, value); };
  for (auto [op, below, same, above] : {std::tuple(Op::equal, 0, 1, 0), std::tuple(Op::not_equal, 1, 0, 1),
                                        std::tuple(Op::less, 1, 0, 0), std::tuple(Op::less_equal, 1, 1, 0),
                                        std::tuple(Op::greater, 0, 0, 1), std::tuple(Op::greater_equal, 0, 1, 1)}) {
    both(compare(op, b.real(-1), b.real(2)), below);
    both(compare(op, b.real(0.0), b.real(-0.0)), same);
    both(compare(op, b.real(2), b.real(-1)), above);
    both(compare(op, b.integer(-1), b.integer(2)), below);
    both(compare(op, b.integer(2), b.integer(2)), same);
    both(compare(op, b.integer(2), b.integer(-1)), above);
    both(compare(op, trace, b.absent(Type::row)), below);  // rows have no sign
  }
  both(compare(Op::equal, b.absent(Type::symbol), b.absent(Type::symbol)), true);
  both(b.op(Op::exists, Type::boolean, {b.absent(Type::real)}), false);
  both(b.op(Op::exists, Type::boolean, {b.absent(Type::integer)}), false);
  both(b.op(Op::exists, Type::boolean, {b.absent(Type::value)}), false);
  both(b.op(Op::exists, Type::boolean, {b.real(-0.0)}), true);
  both(b.op(Op::exists, Type::boolean, {trace}), true);
  check();
}

TEST_P(Nodes, Params) {
  expect(b.param("x", 2.75), 2.75, 2.75);
  expect(b.param("n", -3.0, Type::integer), -3, -3);
  expect(b.param("flag", 1, Type::boolean), 1, 1);
  check();
}

// A row that is not there is never followed: NONE would read far outside of the column.
TEST_P(Nodes, GuardedLoads) {
  int64_t v = b.new_variable(), w = b.new_variable();
  auto result_number = [&](NodeId call) {
    NodeId result = b.load(WEND_COLUMN_call_result, Type::row, call);
    NodeId present = b.op(Op::exists, Type::boolean, {result});
    NodeId number = b.load(WEND_COLUMN_message_number, Type::integer, result);
    return std::pair(present, number);
  };
  std::vector<uint32_t> numbers(10);
  for (uint32_t i = 0; i < 10; ++i) numbers[i] = 100 + i;
  batch.set(WEND_TABLE_message, WEND_COLUMN_message_number, numbers);
  auto [present, number] = result_number(b.variable(v));
  NodeId large = b.op(Op::greater, Type::boolean, {number, b.integer(104)});
  NodeId guarded = b.op(Op::logical_and, Type::boolean, {present, large});
  expect(calls(Op::fold_count, Type::integer, guarded, kNoNode, v), 2, 0);
  NodeId either = b.op(Op::logical_or, Type::boolean, {b.op(Op::logical_not, Type::boolean, {present}), large});
  expect(calls(Op::fold_count, Type::integer, either, kNoNode, v), 4, 0);
  NodeId chosen = b.op(Op::choose, Type::integer, {present, number, b.integer(-1)});
  expect(calls(Op::fold_sum, Type::integer, kNoNode, chosen, v), 107 - 1 + 109 + 103 - 1, 104);
  auto [present2, number2] = result_number(b.variable(w));
  expect(calls(Op::fold_sum, Type::integer, present2, number2, w), 107 + 109 + 103, 104);
  check();
}

TEST_P(Nodes, Folds) {
  int64_t v = b.new_variable();
  NodeId call = b.variable(v);
  NodeId number = b.load(WEND_COLUMN_call_number, Type::integer, call);
  NodeId result = b.load(WEND_COLUMN_call_result, Type::row, call);
  NodeId answered = b.op(Op::exists, Type::boolean, {result});
  NodeId half = b.op(Op::multiply, Type::real, {b.op(Op::to_real, Type::real, {number}), b.real(0.5)});
  NodeId odd =
      b.op(Op::equal, Type::boolean,
           {b.load(WEND_COLUMN_call_name, Type::symbol, call), b.op(Op::to_row, Type::symbol, {b.integer(1)})});
  NodeId optional = b.op(Op::choose, Type::integer, {odd, number, b.absent(Type::integer)});  // 1 2 4 | none
  NodeId optional_real = b.op(Op::choose, Type::real, {odd, half, b.absent(Type::real)});
  expect(calls(Op::fold_count, Type::integer, kNoNode, kNoNode, v), 5, 1);
  expect(calls(Op::fold_count, Type::integer, answered, kNoNode, v), 3, 1);
  expect(calls(Op::fold_sum, Type::integer, answered, number, v), 0 + 2 + 3, 0);
  expect(calls(Op::fold_sum, Type::real, kNoNode, half, v), 5, 0);
  expect(calls(Op::fold_any, Type::boolean, kNoNode, odd, v), 1, 0);
  expect(calls(Op::fold_all, Type::boolean, answered, odd, v), 0, 0);
  expect(calls(Op::fold_all, Type::boolean, odd, odd, v), 1, 1);
  auto or_minus = [&](NodeId id) {
    bool real = b.plan.nodes[id].type == Type::real;
    NodeId other = real ? b.real(-7) : b.integer(-7);
    return b.op(Op::choose, b.plan.nodes[id].type, {b.op(Op::exists, Type::boolean, {id}), id, other});
  };
  expect(or_minus(calls(Op::fold_min, Type::integer, kNoNode, optional, v)), 1, -7);
  expect(or_minus(calls(Op::fold_max, Type::integer, kNoNode, optional, v)), 4, -7);
  expect(or_minus(calls(Op::fold_min, Type::real, kNoNode, optional_real, v)), 0.5, -7);
  expect(or_minus(calls(Op::fold_max, Type::real, kNoNode, optional_real, v)), 2, -7);
  expect(or_minus(calls(Op::fold_first, Type::integer, kNoNode, optional, v)), 1, -7);
  expect(or_minus(calls(Op::fold_last, Type::integer, kNoNode, optional, v)), 4, -7);
  expect(or_minus(calls(Op::fold_first, Type::integer, answered, optional, v)), 2, -7);
  expect(calls(Op::fold_last, Type::row, kNoNode, result, v), 3, 4);  // the last that exists
  check();
}

TEST_P(Nodes, IntegerRangesAndNestedFolds) {
  int64_t v = b.new_variable(), w = b.new_variable();
  // sum over i in [-2, 3) of sum over j in [0, i) of (i + 10 j): inner ranges are empty for i <= 0
  NodeId i = b.variable(v, Type::integer), j = b.variable(w, Type::integer);
  NodeId body = b.op(Op::add, Type::integer, {i, b.op(Op::multiply, Type::integer, {b.integer(10), j})});
  NodeId inner =
      b.fold_range(Op::fold_sum, Type::integer, b.integer(0), i, WEND_N_TABLES, w, kNoNode, body, Type::integer);
  NodeId outer = b.fold_range(Op::fold_sum, Type::integer, b.integer(-2), b.integer(3), WEND_N_TABLES, v, kNoNode,
                              inner, Type::integer);
  expect(outer, 1 + 2 + 12, 15);
  // The same variable for both loops: the inner one hides the outer one, which is back afterwards.
  NodeId same = b.fold_range(Op::fold_sum, Type::integer, b.integer(0), i, WEND_N_TABLES, v, kNoNode, i, Type::integer);
  NodeId mixed = b.op(Op::add, Type::integer,
                      {b.op(Op::multiply, Type::integer, {i, b.integer(100)}),
                       b.op(Op::add, Type::integer, {same, b.op(Op::negate, Type::integer, {i})})});
  NodeId shadow = b.fold_range(Op::fold_sum, Type::integer, b.integer(0), b.integer(4), WEND_N_TABLES, v, kNoNode,
                               mixed, Type::integer);
  // i: 0..3 -> 100 i + (0 + .. + i-1) - i: 0, 100+0-1, 200+1-2, 300+3-3
  expect(shadow, 0 + 99 + 199 + 300, 598);
  check();
}

TEST_P(Nodes, Text) {
  auto symbol = [&](int64_t row) { return b.op(Op::to_row, Type::symbol, {b.integer(row)}); };
  auto both = [&](NodeId id, double value) { expect(id, value, value); };
  batch.texts({"book_flight", "please book flight now", "flight", "light", "", "flight", "né\xE2\x82\xAC"});
  both(b.op(Op::text_equal, Type::boolean, {symbol(2), symbol(2)}), 1);
  both(b.op(Op::text_equal, Type::boolean, {symbol(2), symbol(5)}), 1);
  both(b.op(Op::text_equal, Type::boolean, {symbol(2), symbol(3)}), 0);
  both(b.contains(symbol(1), "light n"), 1);
  both(b.contains(symbol(1), "lights"), 0);
  both(b.op(Op::text_mentions, Type::boolean, {symbol(1), symbol(2)}), 1);
  both(b.op(Op::text_mentions, Type::boolean, {symbol(1), symbol(3)}), 0);
  both(b.op(Op::text_mentions, Type::boolean, {symbol(1), symbol(0)}), 0);
  both(b.op(Op::text_mentions, Type::boolean, {symbol(1), symbol(4)}), 1);
  both(b.op(Op::text_names, Type::boolean, {symbol(1), symbol(0)}), 1);
  both(b.op(Op::text_length, Type::integer, {symbol(6)}), 3);
  both(b.op(Op::text_length, Type::integer, {symbol(4)}), 0);
  literals = {2, WEND_NONE};
  NodeId known = b.literal(Type::symbol, "flight", 0), unknown = b.literal(Type::symbol, "nowhere", 0);
  both(b.op(Op::equal, Type::boolean, {known, symbol(2)}), 1);
  both(b.op(Op::exists, Type::boolean, {unknown}), 0);
  check();
}

INSTANTIATE_TEST_SUITE_P(Levels, Nodes, testing::Values(Level::O0, Level::O2),
                         [](const auto& test) { return test.param == Level::O0 ? "O0" : "O2"; });

}  // namespace
}  // namespace wend::test
