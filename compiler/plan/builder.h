// The plan builder's state, shared by the files lower_*.cpp and build.cpp. Internal to plan.
#ifndef WEND_COMPILER_PLAN_BUILDER_H_
#define WEND_COMPILER_PLAN_BUILDER_H_

#include <functional>
#include <map>
#include <memory>
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

struct Closure;
// What a variable of sema stands for here.
struct Binding {
  NodeId node = kNoNode;
  std::optional<List> list = {};             // a list that is one span
  std::shared_ptr<const Closure> made = {};  // any other
  int64_t reserved = 0;                      // kReserved only
};
using Bindings = std::unordered_map<uint32_t, Binding>;
inline constexpr uint32_t kReserved = 0xFFFFFFFFu;  // a binding that only keeps its variable from being reused

// A list that is computed element by element where it is used.
struct Closure {
  const sema::Expr* list;
  Bindings scope;
};

// An element of a list that is gone through.
struct Item {
  NodeId value = kNoNode;
  std::vector<NodeId> order;  // indices, outer loops first: elements come in their order
  int64_t variable = 0;       // the largest that the value may mention
  bool optional = false;
};
// What is asked of each element; no condition: always; no value: the element is counted.
struct Part {
  NodeId condition = kNoNode, value = kNoNode;
};
using Visit = std::function<Part(const Item&)>;

using Instructions = Procedure;

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
  bool is_interned(const sema::Expr& e) const;

  // lower_fold.cpp
  List lower_list(const sema::Expr& e, Bindings& b);
  NodeId lower_fold(const sema::Expr& e, Bindings& b);
  NodeId lower_in(const sema::Expr& e, Bindings& b);
  NodeId fold_loops(const sema::Expr& e, size_t loop, const std::vector<std::vector<const sema::Expr*>>& filters,
                    sema::FoldKind kind, const sema::Expr* body, Bindings& b);
  NodeId fold_list(const sema::Expr& source, Bindings& b, sema::FoldKind kind, const Visit& visit);
  NodeId fold_span(Node n, NodeId begin, NodeId end, sema::FoldKind kind, const Part& part);
  NodeId distinct_count(const sema::Expr& e, const std::vector<const sema::Expr*>& filter, Bindings& b);
  NodeId element_of(const List& list, NodeId index);
  std::vector<std::vector<const sema::Expr*>> pushed_down(const sema::Expr& e);
  NodeId conditions(const std::vector<const sema::Expr*>& all, Bindings& b);
  bool mentions_variable(const sema::Expr& e, uint32_t variable) const;
  sema::Expr without_factors(const sema::Expr& e, std::vector<NodeId>& factors, Bindings& b);
  int64_t largest_variable(NodeId id);
  int64_t fresh_variable(const Bindings& b, std::initializer_list<NodeId> also);

  // lists.cpp: lists that are no span of rows
  static void reserve(Bindings& b, int64_t variable);
  bool is_span(const sema::Expr& e, Bindings& b);
  bool is_span_of(const sema::Expr& e, Bindings& b);
  Bindings bound_parameters(const sema::Expr& call, Bindings& b);
  NodeId fold_made_list(const sema::Expr& e, Bindings& b, sema::FoldKind kind, const Visit& visit);
  NodeId element_text(const sema::Expr& e, const sema::Type& type, Bindings& b);
  NodeId element_at(const sema::Expr& list, NodeId index, Bindings& b);
  NodeId slot_condition(sema::Access access, NodeId slot);
  NodeId fold_clauses(const sema::Expr& e, size_t loop, Bindings& b, const std::vector<NodeId>& order,
                      sema::FoldKind kind, const std::function<Part(Bindings&, const Item&)>& visit);
  NodeId combined(sema::FoldKind kind, NodeId a, NodeId b);
  NodeId distinct_of_made(const sema::Expr& e, const std::vector<const sema::Expr*>& filter, Bindings& b);
  NodeId comes_before(const std::vector<NodeId>& a, const std::vector<NodeId>& b);

  // lower_state.cpp: what a state holds, and the effects that an expression needs
  NodeId lower_state(const sema::Expr& e, Bindings& b);
  NodeId field_value(const sema::BeliefField& field, uint32_t index);
  NodeId field_row(uint32_t index);
  List items_of(NodeId field_row, sema::Type element);
  List state_list(const sema::Expr& e, Bindings& b);
  int64_t procedure_variable();
  NodeId effect(uint32_t effect, uint32_t field, std::vector<NodeId> args, Type type);
  NodeId guarded(NodeId condition, const std::function<NodeId()>& lower);
  NodeId label_text(NodeId label, uint16_t enumeration);
  NodeId built_text(const std::string& form, const std::vector<sema::Expr>& holes, Bindings& b);
  void put_text_part(NodeId value, bool optional, Instructions& out);
  void put_text_list(const sema::Expr& list, Bindings& b, Instructions& out);
  NodeId let(NodeId value, Instructions& out);
  void set(NodeId variable, NodeId value, Instructions& out);
  NodeId ask(const sema::Expr& e, Bindings& b);

  // lower_belief.cpp: handlers
  using Instructions = std::vector<Instruction>;
  using Emit = std::function<void(NodeId element, Instructions& out)>;
  void add_beliefs();
  Belief lower_belief(const sema::Belief& belief);
  void lower_statements(const std::vector<sema::Statement>& all, Bindings& b, Instructions& out);
  void lower_statement(const sema::Statement& s, Bindings& b, Instructions& out);
  void lower_assignment(const sema::Statement& s, Bindings& b, Instructions& out);
  void assign(uint32_t field, const sema::Expr& value, Bindings& b, Instructions& out);
  void assign_value(uint32_t field, NodeId value, Instructions& out);
  void assign_list(uint32_t field, const sema::Expr& value, Bindings& b, Instructions& out);
  void goal_effect(uint32_t effect, uint32_t field, const sema::Expr& value, Bindings& b, Instructions& out);
  void select(const sema::Expr& list, Bindings& b, Instructions& out);
  void clear(uint32_t field, Bindings& b, Instructions& out);
  void change_list(const sema::Statement& s, Bindings& b, Instructions& out);
  void ask_for(uint32_t effect, uint32_t field, std::vector<NodeId> args, Instructions& out);
  void for_each(const sema::Expr& list, Bindings& b, Instructions& out, const Emit& emit);
  void for_each_of(const sema::Expr& e, size_t loop, Bindings& b, Instructions& out,
                   const std::function<void(Bindings&, Instructions&)>& emit);

  // lower_render.cpp
  using Opener = std::function<void(Instructions& body, const std::function<void(Instructions&)>& element)>;
  Render lower_render(const sema::Render& render);
  void put_json(const sema::Expr& e, Bindings& b, Instructions& out);
  void put_json_of(const sema::Expr& e, Bindings& b, Instructions& out);
  void put_string(const sema::Expr& e, Bindings& b, Instructions& out);
  void put_scalar(NodeId value, bool optional, Instructions& out);
  void put_inside(const sema::Expr& e, Bindings& b, Instructions& out);
  void put_inside(NodeId value, bool optional, Instructions& out);
  void put_label(NodeId label, const std::vector<std::string>& labels, size_t from, Instructions& out);
  void put_members(const sema::Expr& e, Bindings& b, Instructions& out);
  void put_list(const sema::Expr& list, const std::string& between, Bindings& b, Instructions& out, const Emit& emit);
  void put_elements(const std::function<NodeId()>& count, const std::string& between, Instructions& out,
                    const std::function<void(const Opener& open)>& loops);
  void put_constant(const std::string& text, Instructions& out);
  void put(Put put, std::vector<NodeId> args, Instructions& out);
  void put_branches(NodeId condition, const std::function<void(Instructions&)>& yes,
                    const std::function<void(Instructions&)>& no, Instructions& out);
  void mark(Put put, int64_t block, Instructions& out);
  void settle_constants(Instructions& all);
  int64_t string_index(const std::string& text);

  // lower_context.cpp
  Context lower_context(const sema::Context& context);
  void put_step(const sema::Context& context, uint32_t index, Bindings& b, Instructions& out);

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
  std::string metric_part_;          // ".sum" or ".count" while a quotient of two folds is lowered
  bool in_procedure_ = false;        // lowering a belief or a render: nothing is kept in memo
  Instructions* effects_ = nullptr;  // where the effects that an expression needs go; null in renders
  const sema::Belief* belief_ = nullptr;
  uint32_t confidence_ = kReserved;     // the variable that is the confidence of the last label
  int64_t next_variable_ = 2;           // of the procedure in hand
  int64_t limited_ = -1;                // the sub-block in hand, if it may be shortened
  std::vector<std::string> constants_;  // texts of the render in hand
  std::string memo_name_;               // of columns of the trace that the term in hand needs: "multi_turn.belief.jga"
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

// The JSON of a literal.
std::string json_of(const sema::Expr& e);

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_BUILDER_H_
