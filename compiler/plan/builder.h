// The plan builder's state, shared by the files lower_*.cpp and build.cpp. Internal to plan.
#ifndef WEND_COMPILER_PLAN_BUILDER_H_
#define WEND_COMPILER_PLAN_BUILDER_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/plan/plan.h"
#include "compiler/sema/program.h"
#include "compiler/source/source.h"

namespace wend::plan {

// A list while it is lowered: elements are the indices begin .. end, or via[index] of each.
struct List {
  NodeId begin = kNoNode, end = kNoNode;
  uint32_t via = WEND_N_COLUMNS;
  uint32_t table = WEND_N_TABLES;  // elements are rows of it, and the index is the row
  bool integers = false;           // elements are integers
  // What `owner` of each element says: `turn.trace` of a trace's turns is that trace. WEND_N_COLUMNS: not known.
  uint32_t owner = WEND_N_COLUMNS;
  NodeId owning = kNoNode;
  sema::Type element;
};

// What a variable of sema stands for here.
struct Binding {
  NodeId node = kNoNode;
  std::optional<List> list;
};
using Bindings = std::unordered_map<uint32_t, Binding>;
inline constexpr uint32_t kReserved = 0xFFFFFFFFu;  // a binding that only keeps its variable from being reused

class Builder {
 public:
  Builder(const sema::Program& program, const SourceSet& sources) : program_(program), sources_(sources) {}
  Plan build();

 private:
  class OwnerScope;  // what is known of a fold's variable while what is inside the fold is lowered

  // nodes.cpp: hash-consed construction with a little folding
  NodeId add(Node node);
  NodeId make(Op op, Type type, std::vector<NodeId> children);
  NodeId boolean(bool value);
  NodeId integer(int64_t value);
  NodeId real(double value);
  NodeId absent(Type type);
  NodeId variable(int64_t index, Type type);
  NodeId load(uint32_t column, NodeId row, Type type);
  NodeId span(Op op, uint32_t column, NodeId row);
  NodeId exists(NodeId node);
  NodeId both(NodeId a, NodeId b);  // kNoNode: true
  NodeId either(NodeId a, NodeId b);
  NodeId negation(NodeId a);
  NodeId choose(NodeId condition, NodeId yes, NodeId no);
  NodeId literal(uint32_t kind, const std::string& text, Type type);
  NodeId as_integer(NodeId node);
  NodeId as_real(NodeId node);
  NodeId memo(uint32_t column, NodeId row);
  uint32_t place(Span span);
  const Node& node(NodeId id) const { return plan_.nodes[id]; }
  const std::set<int64_t>& free_variables(NodeId id);
  bool is_heavy(NodeId id);  // holds a fold or a search
  bool is_late(NodeId id);   // depends on a number param

  // lower_expr.cpp
  NodeId lower(const sema::Expr& e, Bindings& b);
  NodeId lower_kind(const sema::Expr& e, Bindings& b);
  NodeId lower_field(const sema::Expr& e, Bindings& b);
  NodeId lower_call(const sema::Expr& e, Bindings& b);
  NodeId lower_granted(const sema::Expr& e, Bindings& b);
  NodeId lower_back(const sema::Expr& e, Bindings& b);
  NodeId lower_text(const sema::Expr& e, Bindings& b);
  NodeId lower_compare(const sema::Expr& e, Bindings& b);
  NodeId equality(NodeId x, NodeId y, const sema::Expr& a, const sema::Expr& b);
  NodeId equality(NodeId x, NodeId y, sema::Type type, bool interned, bool x_optional, bool y_optional);
  NodeId coerced(const sema::Expr& e, Bindings& b);  // literals as JSON values where sema said so
  NodeId defined(const sema::Expr& e, Bindings& b);  // kNoNode: always
  static Type type_of(sema::Type type);

  // lower_fold.cpp
  List lower_list(const sema::Expr& e, Bindings& b);
  NodeId lower_fold(const sema::Expr& e, Bindings& b);
  NodeId lower_in(const sema::Expr& e, Bindings& b);
  NodeId fold_loops(const sema::Expr& e, size_t loop, const std::vector<std::vector<const sema::Expr*>>& filters,
                    sema::FoldKind kind, const sema::Expr* body, Bindings& b);
  NodeId distinct_count(const sema::Expr& e, const std::vector<const sema::Expr*>& filter, Bindings& b);
  NodeId element_of(const List& list, NodeId index);
  std::vector<std::vector<const sema::Expr*>> pushed_down(const sema::Expr& e);
  NodeId conditions(const std::vector<const sema::Expr*>& all, Bindings& b);
  bool mentions_variable(const sema::Expr& e, uint32_t variable) const;
  sema::Expr without_factors(const sema::Expr& e, std::vector<NodeId>& factors, Bindings& b);
  int64_t largest_variable(NodeId id);
  int64_t fresh_variable(const Bindings& b, std::initializer_list<NodeId> also);

  // columns.cpp
  std::optional<uint32_t> column_for(uint32_t function);
  uint32_t judge_column(uint32_t judge);
  NodeId memoised(NodeId id, bool create);  // param-free folds over the trace become columns of it
  NodeId memoised(NodeId id, bool create, std::unordered_map<NodeId, NodeId>& done);
  void order_columns();
  void group_passes();

  // lazy.cpp
  bool guards_column(NodeId body);
  void inline_guarded_columns();
  void drop_columns(const std::vector<bool>& gone);
  void drop_nodes();

  // build.cpp
  void add_params();
  void add_metrics();
  void add_rewards();
  void add_judges();
  NodeId lower_dataset(const sema::Expr& e, Bindings& b);
  NodeId signal(const std::string& name, NodeId value, uint32_t requirements);
  Term lower_term(const sema::Term& t, Bindings& b, NodeId weight, const std::string& layer);

  const sema::Program& program_;
  const SourceSet& sources_;
  Plan plan_;
  std::multimap<size_t, NodeId> consed_;
  std::unordered_map<NodeId, std::set<int64_t>> free_;
  std::unordered_map<NodeId, bool> heavy_, late_;
  std::unordered_map<NodeId, int64_t> largest_;  // largest variable, free or bound
  std::map<std::string, uint32_t> places_;
  std::map<std::pair<uint32_t, std::string>, int64_t> literals_;
  std::map<std::string, int64_t> strings_;
  std::unordered_map<uint32_t, std::optional<uint32_t>> function_columns_;
  std::unordered_map<uint32_t, uint32_t> judge_columns_;
  std::unordered_map<NodeId, uint32_t> trace_columns_;               // body -> column
  std::unordered_map<int64_t, std::pair<uint32_t, NodeId>> owners_;  // of the folds' variables in scope
  bool evidence_ = false;  // lowering a term's evidence: detectors stay columns, folds stay in place
  uint32_t current_place_ = 0;
  std::string metric_name_, reward_name_;
  std::string metric_part_;  // ".sum" or ".count" while a quotient of two folds is lowered
  std::string memo_name_;    // of columns of the trace that the term in hand needs: "multi_turn.belief.jga"
};

class Builder::OwnerScope {
 public:
  OwnerScope(Builder& builder, int64_t variable, const List& list);
  ~OwnerScope();
  OwnerScope(const OwnerScope&) = delete;
  OwnerScope& operator=(const OwnerScope&) = delete;

 private:
  Builder& builder_;
  int64_t variable_;
  std::optional<std::pair<uint32_t, NodeId>> outer_;  // variables are used again
};

bool is_fold(Op op);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_BUILDER_H_
