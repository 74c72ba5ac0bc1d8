// Hash-consed nodes, and what is known of them.
#include <bit>
#include <functional>

#include "compiler/plan/builder.h"

namespace wend::plan {
namespace {

size_t hash_of(const Node& n) {
  size_t h = 1469598103934665603ull;
  auto mix = [&](uint64_t x) { h = (h ^ x) * 1099511628211ull; };
  const auto bits = std::bit_cast<uint64_t>(n.real);
  mix(static_cast<uint64_t>(n.op));
  mix(static_cast<uint64_t>(n.type));
  mix(n.column);
  mix(static_cast<uint64_t>(n.integer));
  mix(bits);
  for (NodeId c : n.children) mix(c);
  return h;
}

// Equal but for the place it came from.
bool same(const Node& a, const Node& b) {
  return a.op == b.op && a.type == b.type && a.index_type == b.index_type && a.column == b.column &&
         a.table == b.table && a.integer == b.integer &&
         std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real) && a.children == b.children;
}

}  // namespace

bool is_fold(Op op) { return op >= Op::fold_count && op <= Op::fold_last; }

NodeId Builder::add(Node n) {
  n.source = current_place_;
  size_t h = hash_of(n);
  auto [begin, end] = consed_.equal_range(h);
  for (auto it = begin; it != end; ++it)
    if (same(plan_.nodes[it->second], n)) return it->second;
  auto id = static_cast<NodeId>(plan_.nodes.size());
  plan_.nodes.push_back(std::move(n));
  consed_.emplace(h, id);
  return id;
}

NodeId Builder::make(Op op, Type type, std::vector<NodeId> children) {
  Node n;
  n.op = op;
  n.type = type;
  n.children = std::move(children);
  return add(std::move(n));
}

NodeId Builder::boolean(bool value) {
  Node n;
  n.integer = value;
  return add(n);
}
NodeId Builder::integer(int64_t value) {
  Node n;
  n.type = Type::integer;
  n.integer = value;
  return add(n);
}
NodeId Builder::real(double value) {
  Node n;
  n.type = Type::real;
  n.real = value;
  return add(n);
}
NodeId Builder::absent(Type type) { return make(Op::absent, type, {}); }
NodeId Builder::variable(int64_t index, Type type) {
  Node n;
  n.op = Op::variable;
  n.type = type;
  n.integer = index;
  return add(n);
}
NodeId Builder::load(uint32_t column, NodeId row, Type type) {
  if (node(row).op == Op::variable) {
    auto owner = owners_.find(node(row).integer);
    if (owner != owners_.end() && owner->second.first == column) return owner->second.second;
  }
  Node n;
  n.op = Op::load;
  n.type = type;
  n.column = column;
  n.children = {row};
  return add(n);
}
NodeId Builder::span(Op op, uint32_t column, NodeId row) {
  Node n;
  n.op = op;
  n.type = Type::row;
  n.column = column;
  n.children = {row};
  return add(n);
}

NodeId Builder::exists(NodeId id) {
  if (node(id).op == Op::absent) return boolean(false);
  return make(Op::exists, Type::boolean, {id});
}

NodeId Builder::both(NodeId a, NodeId b) {
  if (a == kNoNode) return b;
  if (b == kNoNode || a == b) return a;
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}})
    if (node(x).op == Op::constant) return node(x).integer ? y : x;
  return make(Op::logical_and, Type::boolean, {a, b});
}

NodeId Builder::either(NodeId a, NodeId b) {
  if (a == b) return a;
  for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}})
    if (node(x).op == Op::constant) return node(x).integer ? x : y;
  return make(Op::logical_or, Type::boolean, {a, b});
}

NodeId Builder::negation(NodeId a) {
  if (node(a).op == Op::constant) return boolean(!node(a).integer);
  if (node(a).op == Op::logical_not) return node(a).children[0];
  return make(Op::logical_not, Type::boolean, {a});
}

NodeId Builder::choose(NodeId condition, NodeId yes, NodeId no) {
  if (yes == no) return yes;
  // exists(x) ? x : none
  if (node(condition).op == Op::exists && node(condition).children[0] == yes && node(no).op == Op::absent) return yes;
  if (node(condition).op == Op::constant) return node(condition).integer ? yes : no;
  return make(Op::choose, node(yes).type, {condition, yes, no});
}

NodeId Builder::literal(uint32_t kind, const std::string& text, Type type) {
  auto [it, fresh] = literals_.try_emplace({kind, text}, static_cast<int64_t>(plan_.literals.size()));
  if (fresh) plan_.literals.emplace_back(kind, text);
  Node n;
  n.op = Op::literal;
  n.type = type;
  n.integer = it->second;
  return add(n);
}

int64_t Builder::string_index(const std::string& text) {
  auto [it, fresh] = strings_.try_emplace(text, static_cast<int64_t>(plan_.strings.size()));
  if (fresh) plan_.strings.push_back(text);
  return it->second;
}

NodeId Builder::as_integer(NodeId id) {
  if (node(id).type == Type::integer) return id;
  if (node(id).op == Op::to_row) return node(id).children[0];
  return make(Op::to_integer, Type::integer, {id});
}
NodeId Builder::as_real(NodeId id) {
  if (node(id).type == Type::real) return id;
  if (node(id).op == Op::constant) return real(static_cast<double>(node(id).integer));
  return make(Op::to_real, Type::real, {as_integer(id)});
}

NodeId Builder::memo(uint32_t column, NodeId row) {
  Node n;
  n.op = Op::memo;
  n.type = plan_.columns[column].type;
  n.integer = column;
  n.children = {row};
  return add(n);
}

uint32_t Builder::place(Span span) {
  std::string text = sources_.place(span);
  auto [it, fresh] = places_.try_emplace(text, static_cast<uint32_t>(plan_.places.size()));
  if (fresh) plan_.places.push_back(text);
  return it->second;
}

const std::set<int64_t>& Builder::free_variables(NodeId id) {
  if (auto it = free_.find(id); it != free_.end()) return it->second;
  std::set<int64_t> all;
  const Node n = node(id);
  if (n.op == Op::variable) all.insert(n.integer);
  for (size_t i = 0; i < n.children.size(); ++i) {
    if (n.children[i] == kNoNode) continue;
    std::set<int64_t> inner = free_variables(n.children[i]);
    if (is_fold(n.op) && i >= 2) inner.erase(n.integer);
    all.insert(inner.begin(), inner.end());
  }
  return free_[id] = std::move(all);
}

bool Builder::is_heavy(NodeId id) {
  if (auto it = heavy_.find(id); it != heavy_.end()) return it->second;
  const Node n = node(id);
  bool heavy = is_fold(n.op) || n.op == Op::text_contains || n.op == Op::text_mentions || n.op == Op::text_names ||
               n.op == Op::text_length;
  for (NodeId c : n.children) heavy = heavy || (c != kNoNode && is_heavy(c));
  return heavy_[id] = heavy;
}

bool Builder::is_late(NodeId id) {
  if (auto it = late_.find(id); it != late_.end()) return it->second;
  const Node n = node(id);
  bool late = (n.op == Op::param && !plan_.params[static_cast<size_t>(n.integer)].structural) ||
              (n.op == Op::memo && plan_.columns[static_cast<size_t>(n.integer)].late);
  for (NodeId c : n.children) late = late || (c != kNoNode && is_late(c));
  return late_[id] = late;
}

}  // namespace wend::plan
