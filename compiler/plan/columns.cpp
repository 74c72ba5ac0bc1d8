// What is computed once per row: detectors, functions of one element, judges, folds over the trace; and the passes that
// compute it.
#include <algorithm>
#include <functional>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Entity;

namespace {

constexpr int64_t kSubject = 1;  // the row of a column's own element

// Elements that belong to one trace; tools and params are shared between traces.
bool has_rows(Entity e) {
  return e != Entity::none && e != Entity::tool && e != Entity::param && e != Entity::trace_gold &&
         e != Entity::turn_gold;
}

}  // namespace

std::optional<uint32_t> Builder::column_for(uint32_t function) {
  if (auto it = function_columns_.find(function); it != function_columns_.end()) return it->second;
  const sema::Function& f = program_.functions[function];
  function_columns_[function] = std::nullopt;
  if (f.parameters.size() != 1 || f.result.base == sema::Base::list) return std::nullopt;
  sema::Type subject = program_.variables[f.parameters[0]].type;
  if (subject.base != sema::Base::entity || subject.optional || !has_rows(subject.entity)) return std::nullopt;
  if (subject.entity == Entity::trace) return std::nullopt;  // folds over the trace become columns by themselves
  const sema::EntityInfo& entity = sema::info(subject.entity);
  Column column;
  column.name = f.module + "." + f.name;
  column.table = entity.table;
  column.gold = entity.gold;
  column.type = type_of(f.result);
  column.subject = kSubject;
  uint32_t index = 0;
  if (f.recursive) {  // known before its body is
    index = static_cast<uint32_t>(plan_.columns.size());
    plan_.columns.push_back(column);
    function_columns_[function] = index;
  }
  Bindings b;
  b[f.parameters[0]] = {variable(kSubject, Type::row), std::nullopt};
  bool outer = evidence_;
  evidence_ = false;
  uint32_t outer_place = current_place_;
  current_place_ = place(f.span);
  NodeId body = coerced(f.body[0], b);
  current_place_ = outer_place;
  evidence_ = outer;
  if (!f.recursive && !is_heavy(body) && !(guards_column(body) && !is_late(body))) return std::nullopt;
  if (!f.recursive) {
    index = static_cast<uint32_t>(plan_.columns.size());
    plan_.columns.push_back(column);
  }
  plan_.columns[index].body = body;
  plan_.columns[index].late = is_late(body);
  if (f.recursive && plan_.columns[index].late) late_.clear();
  function_columns_[function] = index;
  return index;
}

uint32_t Builder::judge_column(uint32_t judge) {
  if (auto it = judge_columns_.find(judge); it != judge_columns_.end()) return it->second;
  const sema::Judge& j = program_.judges[judge];
  Bindings b;
  NodeId subject = variable(kSubject, Type::row);
  b[j.subject] = {subject, std::nullopt};
  NodeId rule = as_real(lower(j.rule[0], b));
  NodeId asked = plan_.judges[judge].asked;
  Node n;
  n.op = Op::judged;
  n.type = Type::real;
  n.integer = judge;
  n.children = {subject, choose(asked, rule, real(0))};
  Column column;
  column.name = "judge." + j.name;
  column.table = WEND_TABLE_turn;
  column.type = Type::real;
  column.subject = kSubject;
  column.body = add(std::move(n));
  column.late = is_late(column.body);
  auto index = static_cast<uint32_t>(plan_.columns.size());
  plan_.columns.push_back(column);
  return judge_columns_[judge] = index;
}

// Folds that depend on the trace alone and on no number param are computed once, so that params can change freely.
NodeId Builder::memoised(NodeId id, bool create) {
  std::unordered_map<NodeId, NodeId> done;  // parts are shared: each is gone through once
  return memoised(id, create, done);
}

NodeId Builder::memoised(NodeId id, bool create, std::unordered_map<NodeId, NodeId>& done) {
  if (auto it = done.find(id); it != done.end()) return it->second;
  const Node n = node(id);
  const std::set<int64_t>& free = free_variables(id);
  bool of_trace = free.size() == 1 && *free.begin() == plan_.trace_variable;
  if (is_fold(n.op) && of_trace && !is_late(id)) {
    if (auto it = trace_columns_.find(id); it != trace_columns_.end())
      return memo(it->second, variable(plan_.trace_variable, Type::row));
    if (!create) return id;
    Column column;
    column.name = memo_name_;
    column.table = WEND_TABLE_trace;
    column.type = n.type;
    column.subject = plan_.trace_variable;
    column.body = id;
    auto index = static_cast<uint32_t>(plan_.columns.size());
    plan_.columns.push_back(column);
    trace_columns_[id] = index;
    NodeId stored = memo(index, variable(plan_.trace_variable, Type::row));
    if (auto it = plan_.written.find(id); it != plan_.written.end()) plan_.written.try_emplace(stored, it->second);
    return stored;
  }
  Node copy = n;
  bool changed = false;
  for (NodeId& c : copy.children) {
    if (c == kNoNode) continue;
    NodeId d = memoised(c, create, done);
    changed = changed || d != c;
    c = d;
  }
  if (!changed) return done[id] = id;
  NodeId changed_id = add(std::move(copy));
  if (auto it = plan_.written.find(id); it != plan_.written.end()) plan_.written.try_emplace(changed_id, it->second);
  return done[id] = changed_id;
}

// Columns in dependency order; a column may refer to itself at earlier rows.
void Builder::order_columns() {
  size_t n = plan_.columns.size();
  std::vector<std::set<uint32_t>> needs(n);
  for (uint32_t c = 0; c < n; ++c) {
    std::set<NodeId> seen;
    std::function<void(NodeId)> walk = [&](NodeId id) {
      if (id == kNoNode || !seen.insert(id).second) return;
      const Node& x = node(id);
      if (x.op == Op::memo && x.integer != c) needs[c].insert(static_cast<uint32_t>(x.integer));
      for (NodeId child : x.children) walk(child);
    };
    walk(plan_.columns[c].body);
  }
  std::vector<uint32_t> order, position(n);
  std::vector<char> done(n, 0);
  std::function<void(uint32_t)> visit = [&](uint32_t c) {
    if (done[c]) return;
    done[c] = 1;
    for (uint32_t d : needs[c]) visit(d);
    order.push_back(c);
  };
  for (uint32_t c = 0; c < n; ++c) visit(c);
  std::vector<Column> columns;
  for (uint32_t i = 0; i < n; ++i) {
    position[order[i]] = i;
    columns.push_back(std::move(plan_.columns[order[i]]));
  }
  plan_.columns = std::move(columns);
  for (Node& x : plan_.nodes)
    if (x.op == Op::memo) x.integer = position[static_cast<size_t>(x.integer)];
}

void Builder::group_passes() {
  std::vector<size_t> pass_of(plan_.columns.size(), 0);
  for (uint32_t c = 0; c < plan_.columns.size(); ++c) {
    const Column& column = plan_.columns[c];
    // The first pass in which all that it reads is there: the same pass for values of its own row, a later one else.
    size_t least = 0;
    std::set<NodeId> seen;
    std::function<void(NodeId)> walk = [&](NodeId id) {
      if (id == kNoNode || !seen.insert(id).second) return;
      const Node& x = node(id);
      if (x.op == Op::memo && x.integer != c) {
        const Column& other = plan_.columns[static_cast<size_t>(x.integer)];
        const Node& row = node(x.children[0]);
        bool own = row.op == Op::variable && row.integer == column.subject && other.table == column.table &&
                   other.gold == column.gold;
        if (other.late == column.late) least = std::max(least, pass_of[static_cast<size_t>(x.integer)] + (own ? 0 : 1));
      }
      for (NodeId child : x.children) walk(child);
    };
    walk(column.body);
    size_t at = least;
    while (at < plan_.passes.size() && !(plan_.passes[at].table == column.table &&
                                         plan_.passes[at].gold == column.gold && plan_.passes[at].late == column.late))
      ++at;
    if (at == plan_.passes.size()) plan_.passes.push_back({column.table, column.gold, column.late, {}});
    plan_.passes[at].columns.push_back(c);
    pass_of[c] = at;
  }
}

}  // namespace wend::plan
