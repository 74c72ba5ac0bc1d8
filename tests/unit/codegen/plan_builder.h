// Plans and batches made by hand, for tests of back ends.
#ifndef WEND_TESTS_UNIT_CODEGEN_PLAN_BUILDER_H_
#define WEND_TESTS_UNIT_CODEGEN_PLAN_BUILDER_H_

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "compiler/plan/plan.h"

namespace wend::test {

using plan::kNoNode;
using plan::NodeId;
using plan::Op;
using plan::Type;

// Adds nodes to a plan; equal nodes are one node, as in plans made from specs.
class PlanBuilder {
 public:
  plan::Plan plan;

  PlanBuilder() {
    plan.name = "test";
    plan.places = {"test.wend:1"};
  }

  NodeId add(plan::Node node) {
    for (NodeId id = 0; id < plan.nodes.size(); ++id) {
      // 0.0 and -0.0 are not one constant.
      if (plan.nodes[id] == node && std::signbit(plan.nodes[id].real) == std::signbit(node.real)) return id;
    }
    plan.nodes.push_back(std::move(node));
    return static_cast<NodeId>(plan.nodes.size() - 1);
  }

  NodeId op(Op what, Type type, std::vector<NodeId> children, int64_t integer = 0) {
    plan::Node node;
    node.op = what;
    node.type = type;
    node.children = std::move(children);
    node.integer = integer;
    return add(std::move(node));
  }

  NodeId integer(int64_t value) { return op(Op::constant, Type::integer, {}, value); }
  NodeId boolean(bool value) { return op(Op::constant, Type::boolean, {}, value); }
  NodeId real(double value) {
    plan::Node node;
    node.type = Type::real;
    node.real = value;
    return add(std::move(node));
  }
  NodeId absent(Type type) { return op(Op::absent, type, {}); }
  NodeId literal(Type type, std::string text, uint32_t kind) {
    plan.literals.emplace_back(kind, std::move(text));
    return op(Op::literal, type, {}, static_cast<int64_t>(plan.literals.size() - 1));
  }
  NodeId param(std::string name, double fallback, Type type = Type::real) {
    plan::ParamInfo info;
    info.name = name;
    info.qualified = "test." + name;
    info.type = type == Type::boolean ? "bool" : type == Type::integer ? "int" : "real";
    info.fallback = fallback;
    info.high = 100;
    plan.params.push_back(info);
    return op(Op::param, type, {}, static_cast<int64_t>(plan.params.size() - 1));
  }
  NodeId variable(int64_t number, Type type = Type::row) { return op(Op::variable, type, {}, number); }
  int64_t new_variable() { return plan.n_variables++; }

  NodeId load(uint32_t column, Type type, NodeId row) { return with_column(Op::load, type, column, row); }
  NodeId begin(uint32_t column, NodeId row) { return with_column(Op::span_begin, Type::row, column, row); }
  NodeId end(uint32_t column, NodeId row) { return with_column(Op::span_end, Type::row, column, row); }
  NodeId memo(uint32_t column, NodeId row) {
    return op(Op::memo, plan.columns[column].type, {row}, static_cast<int64_t>(column));
  }
  NodeId contains(NodeId symbol, std::string folded) {
    plan.strings.push_back(std::move(folded));
    return op(Op::text_contains, Type::boolean, {symbol}, static_cast<int64_t>(plan.strings.size() - 1));
  }

  // A fold over the rows of a span of `row`; `table` is the table of those rows.
  NodeId fold(Op what, Type type, uint32_t span, uint32_t table, NodeId row, int64_t variable, NodeId condition,
              NodeId body) {
    return fold_range(what, type, begin(span, row), end(span, row), table, variable, condition, body);
  }
  NodeId fold_range(Op what, Type type, NodeId from, NodeId to, uint32_t table, int64_t variable, NodeId condition,
                    NodeId body, Type index_type = Type::row) {
    plan::Node node;
    node.op = what;
    node.type = type;
    node.index_type = index_type;
    node.table = table;
    node.integer = variable;
    node.children = {from, to, condition, body};
    return add(std::move(node));
  }

  // A column in a pass of its own, or in the last pass if `join`.
  uint32_t column(std::string name, uint32_t table, Type type, int64_t subject, NodeId body, bool late = false,
                  bool gold = false, bool join = false) {
    auto index = static_cast<uint32_t>(plan.columns.size());
    plan.columns.push_back({std::move(name), table, type, subject, body, late, gold});
    if (!join) plan.passes.push_back({table, gold, late, {}});
    plan.passes.back().columns.push_back(index);
    return index;
  }

  void signal(std::string name, NodeId value, uint32_t requirements = 0) {
    plan.signals.push_back({std::move(name), value, requirements});
  }

  static plan::Term term(std::string name, NodeId raw, NodeId weighted, uint32_t requirements = 0,
                         NodeId evidence = kNoNode) {
    plan::Term term;
    term.layer = "layer";
    term.name = std::move(name);
    term.raw = raw;
    term.weighted = weighted;
    term.requirements = requirements;
    term.evidence = evidence;
    return term;
  }

 private:
  NodeId with_column(Op what, Type type, uint32_t column, NodeId row) {
    plan::Node node;
    node.op = what;
    node.type = type;
    node.column = column;
    node.children = {row};
    return add(std::move(node));
  }
};

// A batch whose columns are set one by one; columns that are not set are null.
class TestBatch {
 public:
  TestBatch() : columns_(WEND_N_COLUMNS), rows_(WEND_N_TABLES) {}

  template <class T>
  TestBatch& set(uint32_t table, uint32_t column, const std::vector<T>& values) {
    std::vector<char>& bytes = storage_[column];
    bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    columns_[column] = bytes.data();
    rows_[table] = static_cast<uint32_t>(values.size());
    return *this;
  }
  // Texts that are their own folded form.
  TestBatch& texts(const std::vector<std::string>& texts) {
    texts_ = texts;
    std::vector<wend_bytes> bytes;
    for (const std::string& text : texts_) bytes.push_back({text.data(), text.size()});
    set(WEND_TABLE_text, WEND_COLUMN_text_data, bytes);
    return set(WEND_TABLE_text, WEND_COLUMN_text_folded, bytes);
  }

  uint32_t rows(uint32_t table) const { return rows_[table]; }
  const wend_batch* get() {
    batch_ = {WEND_BATCH_VERSION, WEND_N_COLUMNS, columns_.data(), rows_.data()};
    return &batch_;
  }

 private:
  std::map<uint32_t, std::vector<char>> storage_;
  std::vector<const void*> columns_;
  std::vector<uint32_t> rows_;
  std::vector<std::string> texts_;
  wend_batch batch_{};
};

// Two dialogues of three and one turns. Calls by turn: (2, 0, 3), (1); names are rows of `texts`.
inline void fill_dialogues(TestBatch& batch) {
  batch.texts({"get_user", "book_flight", "I want to book a flight to Berlin", "berlin", "Berlin", ""})
      .set<wend_span>(WEND_TABLE_trace, WEND_COLUMN_trace_turns, {{0, 3}, {3, 4}})
      .set<wend_span>(WEND_TABLE_trace, WEND_COLUMN_trace_calls, {{0, 5}, {5, 6}})
      .set<wend_span>(WEND_TABLE_trace, WEND_COLUMN_trace_gold_calls, {{6, 8}, {8, 8}})
      .set<uint32_t>(WEND_TABLE_trace, WEND_COLUMN_trace_caps, {WEND_CAP_RESPONSE | WEND_CAP_GOLD, WEND_CAP_RESPONSE})
      .set<wend_span>(WEND_TABLE_turn, WEND_COLUMN_turn_calls, {{0, 2}, {2, 2}, {2, 5}, {5, 6}})
      .set<uint32_t>(WEND_TABLE_turn, WEND_COLUMN_turn_number, {1, 2, 3, 1})
      .set<uint8_t>(WEND_TABLE_turn, WEND_COLUMN_turn_kind, {0, 1, 0, 2})
      .set<uint32_t>(WEND_TABLE_call, WEND_COLUMN_call_name, {0, 1, 1, 0, 1, 0, 1, 0})
      .set<uint32_t>(WEND_TABLE_call, WEND_COLUMN_call_result, {7, WEND_NONE, 9, 3, WEND_NONE, 4, WEND_NONE, WEND_NONE})
      .set<uint32_t>(WEND_TABLE_call, WEND_COLUMN_call_number, {0, 1, 2, 3, 4, 0, 0, 1})
      .set<uint8_t>(WEND_TABLE_call, WEND_COLUMN_call_gold, {0, 0, 0, 0, 0, 0, 1, 1});
}

}  // namespace wend::test

#endif  // WEND_TESTS_UNIT_CODEGEN_PLAN_BUILDER_H_
