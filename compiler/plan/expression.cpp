#include "compiler/plan/expression.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wend::plan {
namespace {

struct ColumnName {
  const char* table;
  const char* name;
};

constexpr const char* kTables[] = {
#define WEND_TABLE(name) #name,
#include <wend/columns.def>
};
constexpr ColumnName kColumns[] = {
#define WEND_COLUMN(table, name, ctype) {#table, #name},
#include <wend/columns.def>
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// How tightly operators bind, and how they are written; 0: not an operator between two operands.
struct Infix {
  int binding;
  const char* text;
};

Infix infix_of(Op op) {
  switch (op) {
    case Op::logical_or:
      return {1, "or"};
    case Op::logical_and:
      return {2, "and"};
    case Op::equal:
      return {4, "=="};
    case Op::not_equal:
      return {4, "!="};
    case Op::less:
      return {4, "<"};
    case Op::less_equal:
      return {4, "<="};
    case Op::greater:
      return {4, ">"};
    case Op::greater_equal:
      return {4, ">="};
    case Op::add:
      return {5, "+"};
    case Op::subtract:
      return {5, "-"};
    case Op::multiply:
      return {6, "*"};
    case Op::divide:
      return {6, "/"};
    default:
      return {0, ""};
  }
}

const char* function_of(Op op) {
  switch (op) {
    case Op::minimum:
      return "min";
    case Op::maximum:
      return "max";
    case Op::to_real:
      return "real";
    case Op::to_integer:
      return "int";
    case Op::to_row:
      return "row";
    case Op::exists:
      return "exists";
    case Op::text_equal:
      return "same_text";
    case Op::text_mentions:
      return "mentions";
    case Op::text_names:
      return "names";
    case Op::text_length:
      return "length";
    default:
      return nullptr;
  }
}

const char* fold_name(Op op) {
  switch (op) {
    case Op::fold_count:
      return "count";
    case Op::fold_sum:
      return "sum";
    case Op::fold_any:
      return "any";
    case Op::fold_all:
      return "all";
    case Op::fold_min:
      return "least";
    case Op::fold_max:
      return "greatest";
    case Op::fold_first:
      return "first";
    default:
      return "last";
  }
}

std::string in_parentheses(bool needed, const std::string& text) { return needed ? "(" + text + ")" : text; }

}  // namespace

const char* table_name(uint32_t table) { return table < WEND_N_TABLES ? kTables[table] : "none"; }

std::string column_path(uint32_t column) { return fmt::format("{}.{}", kColumns[column].table, kColumns[column].name); }

const char* type_name(Type type) {
  switch (type) {
    case Type::boolean:
      return "bool";
    case Type::integer:
      return "int";
    case Type::real:
      return "real";
    case Type::row:
      return "row";
    case Type::symbol:
      return "text";
    case Type::value:
      return "json";
  }
  return "";
}

std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  const bool bare = std::isfinite(value) && text.find_first_of(".e") == std::string::npos;
  return bare ? text + ".0" : text;
}

std::string capability_names(const Plan& plan, uint32_t bits) {
  static constexpr std::pair<uint32_t, const char*> kNames[] = {
      {WEND_CAP_RESPONSE, "response"}, {WEND_CAP_GOLD, "gold"},     {WEND_CAP_GOLD_TURNS, "gold_turns"},
      {WEND_CAP_LABELS, "labels"},     {WEND_CAP_CHAINS, "chains"}, {WEND_CAP_POOL, "pool"},
      {WEND_CAP_DRAFTS, "drafts"},
  };
  std::string text;
  auto add = [&](const std::string& name) { text += (text.empty() ? "" : " ") + name; };
  for (auto [bit, name] : kNames) {
    if (bits & bit) add(name);
  }
  for (size_t i = 0; i < plan.judges.size() && i < 16; ++i) {
    if (bits & uint32_t{WEND_CAP_JUDGE0} << i) add("judge." + plan.judges[i].name);
  }
  return text;
}

std::string ExpressionWriter::shown(const std::string& qualified) const {
  if (names_ == Names::full) return qualified;
  return qualified.substr(qualified.rfind('.') + 1);  // npos + 1 is 0: all of it
}

std::string ExpressionWriter::column_name(const Column& column) const { return shown(column.name); }

std::string ExpressionWriter::variable(int64_t index) const {
  auto found = variable_names_.find(index);
  return found != variable_names_.end() ? found->second : fmt::format("v{}", index);
}

std::string ExpressionWriter::write(NodeId id, int depth, int binding) const {
  if (id == kNoNode) return "none";
  auto named = node_names_.find(id);
  if (named != node_names_.end()) return named->second;
  const Node& node = plan_.node(id);
  if (depth <= 0 && !node.children.empty()) return "..";
  return write_node(node, depth - 1, binding);
}

std::string ExpressionWriter::write_node(const Node& node, int depth, int binding) const {
  const Infix infix = infix_of(node.op);
  if (infix.binding > 0) {
    // The right operand of equal binding gets parentheses: nothing is reassociated.
    std::string left = write(node.children[0], depth, infix.binding);
    std::string right = write(node.children[1], depth, infix.binding + 1);
    return in_parentheses(infix.binding < binding, fmt::format("{} {} {}", left, infix.text, right));
  }
  if (const char* function = function_of(node.op)) return call(function, node, depth);
  switch (node.op) {
    case Op::load:
    case Op::memo:
    case Op::span_begin:
    case Op::span_end:
      return access(node, depth);
    case Op::negate:
      return "-" + write(node.children[0], depth, 7);
    case Op::logical_not:
      return in_parentheses(binding > 3, "not " + write(node.children[0], depth, 3));
    case Op::choose: {
      std::string text = fmt::format("if {} then {} else {}", write(node.children[0], depth, 1),
                                     write(node.children[1], depth, 1), write(node.children[2], depth, 1));
      return in_parentheses(binding > 0, text);
    }
    case Op::has_bits:
      return fmt::format("{}[{}] has {}", column_path(node.column), write(node.children[0], depth, 0),
                         capability_names(plan_, static_cast<uint32_t>(node.integer)));
    case Op::text_contains:
      return fmt::format("contains({}, {})", write(node.children[0], depth, 0),
                         quoted(plan_.strings[static_cast<size_t>(node.integer)]));
    case Op::judged:
      return fmt::format("judge {}({}) ?? {}", plan_.judges[static_cast<size_t>(node.integer)].name,
                         write(node.children[0], depth, 0), write(node.children[1], depth, 7));
    default:
      return node.op >= Op::fold_count && node.op <= Op::fold_last ? fold(node, depth) : leaf(node);
  }
}

std::string ExpressionWriter::leaf(const Node& node) const {
  const auto index = static_cast<size_t>(node.integer);
  switch (node.op) {
    case Op::constant:
      if (node.type == Type::real) return number_text(node.real);
      if (node.type == Type::boolean) return node.integer != 0 ? "true" : "false";
      return fmt::format("{}", node.integer);
    case Op::absent:
      return "none";
    case Op::literal: {
      const auto& [kind, text] = plan_.literals[index];
      return kind == 0 ? quoted(text) : fmt::format("{}({})", kind == 1 ? "json" : "folded", text);
    }
    case Op::param:
      return shown(plan_.params[index].qualified);
    case Op::variable:
      return variable(node.integer);
    case Op::signal_sum:
      return fmt::format("total({})", plan_.signals[index].name);
    default:
      assert(!"not a leaf");
      return "";
  }
}

std::string ExpressionWriter::access(const Node& node, int depth) const {
  const std::string row = write(node.children[0], depth, 0);
  if (node.op == Op::memo) {
    const Column& column = plan_.columns[static_cast<size_t>(node.integer)];
    return fmt::format("{}[{}]", column_name(column), row);
  }
  const char* part = node.op == Op::span_begin ? ".begin" : node.op == Op::span_end ? ".end" : "";
  return fmt::format("{}[{}]{}", column_path(node.column), row, part);
}

std::string ExpressionWriter::call(const char* name, const Node& node, int depth) const {
  std::string arguments;
  for (NodeId child : node.children) arguments += (arguments.empty() ? "" : ", ") + write(child, depth, 0);
  return fmt::format("{}({})", name, arguments);
}

// `v3 in call.args[v1]`, or `v3 in 0 .. 4` where the bounds are not those of one span.
std::string ExpressionWriter::range(const Node& node, int depth) const {
  const Node &begin = plan_.node(node.children[0]), &end = plan_.node(node.children[1]);
  const bool span = begin.op == Op::span_begin && end.op == Op::span_end && begin.column == end.column &&
                    begin.children == end.children;
  std::string bounds =
      span ? fmt::format("{}[{}]", column_path(begin.column), write(begin.children[0], depth, 0))
           : fmt::format("{} .. {}", write(node.children[0], depth, 5), write(node.children[1], depth, 5));
  std::string text = fmt::format("{} in {}", variable(node.integer), bounds);
  if (node.children.size() > 2 && node.children[2] != kNoNode) text += " if " + write(node.children[2], depth, 1);
  return text;
}

std::string ExpressionWriter::fold(const Node& node, int depth) const {
  if (node.op == Op::fold_count) return fmt::format("count({})", range(node, depth));
  return fmt::format("{}({} for {})", fold_name(node.op), write(node.children[3], depth, 1), range(node, depth));
}

}  // namespace wend::plan
