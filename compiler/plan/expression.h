// Expressions of a plan as text: `count(v3 in call.args[v1] if stale_arg[v3])`.
#ifndef WEND_COMPILER_PLAN_EXPRESSION_H_
#define WEND_COMPILER_PLAN_EXPRESSION_H_

#include <cstdint>
#include <map>
#include <string>

#include "compiler/plan/plan.h"

namespace wend::plan {

// Writes expressions. Nodes that have been given a name are written as it.
class ExpressionWriter {
 public:
  // Names of columns and params are written in full ("iacm.detect.hit"), or only their last part.
  enum class Names { full, last };
  explicit ExpressionWriter(const Plan& plan, Names names = Names::full) : plan_(plan), names_(names) {}

  void name_node(NodeId id, std::string name) { node_names_[id] = std::move(name); }
  void name_variable(int64_t variable, std::string name) { variable_names_[variable] = std::move(name); }

  // Parts deeper than `depth` levels are written as `..`.
  std::string text(NodeId id, int depth = 1 << 20) const { return write(id, depth, 0); }
  // The same, not as the name that the node has.
  std::string definition(NodeId id) const { return write_node(plan_.node(id), 1 << 20, 0); }

  std::string column_name(const Column& column) const;

 private:
  std::string write(NodeId id, int depth, int binding) const;
  std::string write_node(const Node& node, int depth, int binding) const;
  std::string leaf(const Node& node) const;
  std::string access(const Node& node, int depth) const;
  std::string fold(const Node& node, int depth) const;
  std::string call(const char* name, const Node& node, int depth) const;
  std::string range(const Node& fold, int depth) const;
  std::string variable(int64_t index) const;
  std::string shown(const std::string& qualified) const;

  const Plan& plan_;
  Names names_;
  std::map<NodeId, std::string> node_names_;
  std::map<int64_t, std::string> variable_names_;
};

const char* table_name(uint32_t table);
std::string column_path(uint32_t column);  // "call.args"
const char* type_name(Type type);
std::string capability_names(const Plan& plan, uint32_t bits);  // "gold labels judge.acr"
std::string number_text(double value);  // shortest that reads back; always with `.` or an exponent

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_EXPRESSION_H_
