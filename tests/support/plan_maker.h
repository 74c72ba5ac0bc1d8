// Plans by hand, for tests: hash-consed nodes under short names.
//
//   PlanMaker make;
//   NodeId trace = make.variable(0, Type::row);
//   NodeId calls = make.fold(Op::fold_count, Type::integer, 1, make.span(WEND_COLUMN_trace_calls, trace));
#ifndef WEND_TESTS_SUPPORT_PLAN_MAKER_H_
#define WEND_TESTS_SUPPORT_PLAN_MAKER_H_

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compiler/plan/plan.h"

namespace wend::plan {

struct Range {
  NodeId begin, end;
  uint32_t table = WEND_N_TABLES;
  Type index = Type::row;
};

class PlanMaker {
 public:
  Plan plan;

  PlanMaker() {
    plan.name = "test";
    plan.places = {"test.wend:1"};
  }

  NodeId add(Node node) {
    for (NodeId id = 0; id < plan.nodes.size(); ++id) {
      // By bits: 0.0 and -0.0 are not the same node.
      if (plan.nodes[id] == node && std::signbit(plan.nodes[id].real) == std::signbit(node.real)) return id;
    }
    plan.nodes.push_back(std::move(node));
    return static_cast<NodeId>(plan.nodes.size() - 1);
  }
  NodeId op(Op op, Type type, std::vector<NodeId> children, int64_t integer = 0) {
    Node node;
    node.op = op;
    node.type = type;
    node.children = std::move(children);
    node.integer = integer;
    return add(std::move(node));
  }

  NodeId boolean(bool value) { return op(Op::constant, Type::boolean, {}, value); }
  NodeId integer(int64_t value) { return op(Op::constant, Type::integer, {}, value); }
  NodeId real(double value) {
    Node node;
    node.type = Type::real;
    node.real = value;
    return add(node);
  }
  NodeId absent(Type type) { return op(Op::absent, type, {}); }
  NodeId variable(int64_t index, Type type) {
    if (index >= plan.n_variables) plan.n_variables = index + 1;
    return op(Op::variable, type, {}, index);
  }
  NodeId load(uint32_t column, NodeId row, Type type) {
    Node node;
    node.op = Op::load;
    node.type = type;
    node.column = column;
    node.children = {row};
    return add(node);
  }
  NodeId has_bits(NodeId trace, uint32_t bits) {
    Node node;
    node.op = Op::has_bits;
    node.column = WEND_COLUMN_trace_caps;
    node.integer = bits;
    node.children = {trace};
    return add(node);
  }
  NodeId bound(Op which, uint32_t column, NodeId row) {
    Node node;
    node.op = which;
    node.type = Type::row;
    node.column = column;
    node.children = {row};
    return add(node);
  }
  Range span(uint32_t column, NodeId row, uint32_t table) {
    return {bound(Op::span_begin, column, row), bound(Op::span_end, column, row), table};
  }
  Range integers(int64_t begin, int64_t end) { return {integer(begin), integer(end), WEND_N_TABLES, Type::integer}; }

  NodeId fold(Op which, Type type, int64_t index, Range range, NodeId condition = kNoNode, NodeId body = kNoNode) {
    variable(index, range.index);  // counts it
    Node node;
    node.op = which;
    node.type = type;
    node.index_type = range.index;
    node.table = range.table;
    node.integer = index;
    node.children = {range.begin, range.end, condition, body};
    return add(node);
  }
  NodeId count(int64_t index, Range range, NodeId condition = kNoNode) {
    return fold(Op::fold_count, Type::integer, index, range, condition);
  }
  NodeId to_real(NodeId node) { return op(Op::to_real, Type::real, {node}); }
  NodeId memo(uint32_t column, NodeId row) { return op(Op::memo, plan.columns[column].type, {row}, column); }

  // A column with a pass of its own.
  uint32_t column(std::string name, uint32_t table, int64_t subject, NodeId body, bool late = false,
                  bool gold = false) {
    const auto index = static_cast<uint32_t>(plan.columns.size());
    variable(subject, Type::row);  // counts it
    plan.columns.push_back({std::move(name), table, plan.node(body).type, subject, body, late, gold});
    plan.passes.push_back({table, gold, late, {index}});
    return index;
  }
  NodeId param(std::string name, double fallback, Type type = Type::real) {
    ParamInfo info;
    info.name = name;
    info.qualified = "test." + std::move(name);
    info.type = type == Type::real ? "real" : type == Type::integer ? "int" : "bool";
    info.fallback = fallback;
    info.low = -100;
    info.high = 100;
    plan.params.push_back(std::move(info));
    return op(Op::param, type, {}, static_cast<int64_t>(plan.params.size() - 1));
  }
  NodeId literal(uint32_t kind, std::string text) {
    plan.literals.emplace_back(kind, std::move(text));
    return op(Op::literal, kind == 0 ? Type::symbol : Type::value, {}, static_cast<int64_t>(plan.literals.size() - 1));
  }
  void signal(std::string name, NodeId value, uint32_t requirements = 0) {
    plan.signals.push_back({std::move(name), value, requirements});
  }
};

}  // namespace wend::plan

#endif  // WEND_TESTS_SUPPORT_PLAN_MAKER_H_
