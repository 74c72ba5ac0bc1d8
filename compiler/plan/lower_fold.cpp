// Lists and folds to loops. Conditions are tested in the outermost loop that binds what they mention.
#include <algorithm>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Base;
using sema::Expr;
using sema::FoldKind;
using SOp = sema::Op;

namespace {

// The conjuncts of a condition, in order.
void conjuncts(const Expr& e, std::vector<const Expr*>& out) {
  if (e.op == SOp::logical_and) {
    conjuncts(e.children[0], out);
    conjuncts(e.children[1], out);
  } else {
    out.push_back(&e);
  }
}

// The column by which elements of a list name what they belong to; WEND_N_COLUMNS where there is none.
uint32_t owner_column(uint32_t span_column) {
  switch (span_column) {
    case WEND_COLUMN_trace_turns:
      return WEND_COLUMN_turn_trace;
    case WEND_COLUMN_trace_messages:
      return WEND_COLUMN_message_trace;
    case WEND_COLUMN_trace_calls:
    case WEND_COLUMN_trace_gold_calls:
      return WEND_COLUMN_call_trace;
    case WEND_COLUMN_trace_chains:
      return WEND_COLUMN_chain_trace;
    case WEND_COLUMN_trace_drafts:
      return WEND_COLUMN_draft_trace;
    case WEND_COLUMN_draft_sub_blocks:
      return WEND_COLUMN_sub_block_draft;
    case WEND_COLUMN_call_args:
      return WEND_COLUMN_arg_call;
    case WEND_COLUMN_chain_links:
      return WEND_COLUMN_link_chain;
    default:
      return WEND_N_COLUMNS;
  }
}

}  // namespace

bool Builder::mentions_variable(const Expr& e, uint32_t variable) const {
  if (e.op == SOp::variable && e.index == variable) return true;
  for (const Expr& c : e.children)
    if (mentions_variable(c, variable)) return true;
  for (const sema::Loop& l : e.loops) {
    for (const Expr& s : l.source)
      if (mentions_variable(s, variable)) return true;
    for (const Expr& c : l.conditions)
      if (mentions_variable(c, variable)) return true;
  }
  return false;
}

std::vector<std::vector<const Expr*>> Builder::pushed_down(const Expr& e) {
  std::vector<std::vector<const Expr*>> filters(e.loops.size());
  for (size_t i = 0; i < e.loops.size(); ++i) {
    std::vector<const Expr*> parts;
    for (const Expr& c : e.loops[i].conditions) conjuncts(c, parts);
    for (const Expr* part : parts) {
      size_t at = i;
      while (at > 0 && !mentions_variable(*part, e.loops[at].variable)) --at;
      filters[at].push_back(part);
    }
  }
  return filters;
}

NodeId Builder::conditions(const std::vector<const Expr*>& all, Bindings& b) {
  NodeId out = kNoNode;
  for (const Expr* c : all) out = both(out, lower(*c, b));
  return out;
}

NodeId Builder::element_of(const List& list, NodeId index) {
  if (list.via == WEND_N_COLUMNS) return index;
  return load(list.via, index, type_of(list.element));
}

Builder::OwnerScope::OwnerScope(Builder& builder, int64_t variable, const List& list)
    : builder_(builder), variable_(variable) {
  auto& owners = builder_.owners_;
  if (auto it = owners.find(variable); it != owners.end()) outer_ = it->second;
  owners.erase(variable);
  if (list.owner != WEND_N_COLUMNS) owners[variable] = {list.owner, list.owning};
}

Builder::OwnerScope::~OwnerScope() {
  builder_.owners_.erase(variable_);
  if (outer_) builder_.owners_[variable_] = *outer_;
}

List Builder::lower_list(const Expr& e, Bindings& b) {
  List list;
  list.element = e.type.element_type();
  switch (e.op) {
    case SOp::variable:
      if (const std::optional<List>& bound = b.at(e.index).list) list = *bound;
      return list;
    case SOp::belief_field:
    case SOp::mentioned:
    case SOp::resolved:
      return state_list(e, b);
    case SOp::field: {
      const sema::Field& f = *e.field;
      NodeId row = lower(e.children[0], b);
      if (f.access == sema::Access::before) {
        list.owning = load(f.via, row, Type::row);
        list.begin = span(Op::span_begin, f.column, list.owning);
        list.end = row;
      } else {
        list.owning = row;
        list.begin = span(Op::span_begin, f.column, row);
        list.end = span(Op::span_end, f.column, row);
      }
      if (f.access == sema::Access::gather) {
        list.via = f.via;
      } else {
        list.table = sema::info(list.element.entity).table;
        list.owner = owner_column(f.column);
      }
      if (e.children[0].type.optional) {
        NodeId nothing = make(Op::to_row, Type::row, {integer(0)});
        list.begin = choose(exists(row), list.begin, nothing);
        list.end = choose(exists(row), list.end, nothing);
      }
      return list;
    }
    case SOp::range: {
      list.integers = true;
      list.begin = lower(e.children[0], b);
      list.end = make(Op::add, Type::integer, {lower(e.children[1], b), integer(1)});
      return list;
    }
    case SOp::choose: {
      NodeId c = lower(e.children[0], b);
      List yes, no;
      guarded(c, [&] { return yes = lower_list(e.children[1], b), kNoNode; });
      guarded(negation(c), [&] { return no = lower_list(e.children[2], b), kNoNode; });
      yes.begin = choose(c, yes.begin, no.begin);
      yes.end = choose(c, yes.end, no.end);
      yes.owner = WEND_N_COLUMNS;
      return yes;
    }
    case SOp::call: {
      Bindings inner = bound_parameters(e, b);
      return lower_list(program_.functions[e.index].body[0], inner);
    }
    default:
      return list;
  }
}

NodeId Builder::lower_in(const Expr& e, Bindings& b) {
  const Expr &wanted = e.children[0], &list_expr = e.children[1];
  NodeId x = coerced(wanted, b);
  sema::Type type = list_expr.type.element_type();
  if (list_expr.op == SOp::list) {
    NodeId found = boolean(false);
    for (const Expr& c : list_expr.children) {
      Expr element = c;
      if (type.base == Base::json || type.base == Base::folded) element.type = type;
      found = either(found, equality(x, coerced(element, b), type, true, wanted.type.optional, false));
    }
    return found;
  }
  // any(element == x for element in list)
  bool interned = type.base != Base::text || wanted.op != SOp::field || wanted.field->owner != sema::Entity::message;
  if (!is_span(list_expr, b)) {
    return fold_list(list_expr, b, FoldKind::any, [&](const Item& item) {
      return Part{kNoNode, equality(item.value, x, type, interned, item.optional, wanted.type.optional)};
    });
  }
  List list = lower_list(list_expr, b);
  int64_t index = fresh_variable(b, {x, list.begin, list.end});
  Node n;
  n.op = Op::fold_any;
  n.type = Type::boolean;
  n.index_type = list.integers ? Type::integer : Type::row;
  n.integer = index;
  n.table = list.table;
  const OwnerScope scope(*this, index, list);
  NodeId item = element_of(list, variable(index, n.index_type));
  n.children = {list.begin, list.end, kNoNode, equality(item, x, type, interned, false, wanted.type.optional)};
  return add(std::move(n));
}

NodeId Builder::lower_fold(const Expr& e, Bindings& b) {
  auto filters = pushed_down(e);
  const Expr* body = e.children.empty() ? nullptr : &e.children[0];
  if (e.fold_kind == FoldKind::mean) {
    NodeId sum = fold_loops(e, 0, filters, FoldKind::sum, body, b);
    NodeId count = fold_loops(e, 0, filters, FoldKind::count, nullptr, b);
    return make(Op::divide, Type::real, {as_real(sum), as_real(count)});
  }
  if (e.fold_kind == FoldKind::count && e.distinct) return distinct_count(e, filters[0], b);
  if (e.fold_kind == FoldKind::sum && body) {
    std::vector<NodeId> factors;
    Expr rest = without_factors(*body, factors, b);
    if (!factors.empty()) {
      NodeId sum = as_real(fold_loops(e, 0, filters, FoldKind::sum, &rest, b));
      for (NodeId f : factors) sum = make(Op::multiply, Type::real, {as_real(f), sum});
      return node(sum).type == type_of(e.type) ? sum : as_real(sum);
    }
  }
  return fold_loops(e, 0, filters, e.fold_kind, body, b);
}

NodeId Builder::fold_loops(const Expr& e, size_t loop, const std::vector<std::vector<const Expr*>>& filters,
                           FoldKind kind, const Expr* body, Bindings& b) {
  const sema::Loop& l = e.loops[loop];
  return fold_list(l.source[0], b, kind, [&](const Item& item) {
    Bindings inner = b;
    reserve(inner, item.variable);
    inner[l.variable] = {item.value};
    Part part{conditions(filters[loop], inner), kNoNode};
    if (loop + 1 < e.loops.size())
      part.value = fold_loops(e, loop + 1, filters, kind, body, inner);
    else if (body)
      part.value = coerced(*body, inner);
    return part;
  });
}

// The fold of a list that is one span, or computed element by element (lists.cpp).
NodeId Builder::fold_list(const Expr& source, Bindings& b, FoldKind kind, const Visit& visit) {
  if (!is_span(source, b)) return fold_made_list(source, b, kind, visit);
  List list = lower_list(source, b);
  int64_t index = fresh_variable(b, {list.begin, list.end});
  Node n;
  n.index_type = list.integers ? Type::integer : Type::row;
  n.integer = index;
  n.table = list.table;
  n.source = current_place_;
  const OwnerScope scope(*this, index, list);
  NodeId at = variable(index, n.index_type);
  Part part = visit({element_of(list, at), {at}, index});
  return fold_span(std::move(n), list.begin, list.end, kind, part);
}

NodeId Builder::fold_span(Node n, NodeId begin, NodeId end, FoldKind kind, const Part& part) {
  switch (kind) {
    case FoldKind::count:
      n.op = part.value == kNoNode ? Op::fold_count : Op::fold_sum;
      break;
    case FoldKind::sum:
      n.op = Op::fold_sum;
      break;
    case FoldKind::any:
      n.op = Op::fold_any;
      break;
    case FoldKind::all:
      n.op = Op::fold_all;
      break;
    case FoldKind::min:
      n.op = Op::fold_min;
      break;
    case FoldKind::max:
      n.op = Op::fold_max;
      break;
    case FoldKind::first:
      n.op = Op::fold_first;
      break;
    case FoldKind::last:
      n.op = Op::fold_last;
      break;
    case FoldKind::mean:
      return kNoNode;  // made of sum and count
  }
  n.type = part.value == kNoNode ? Type::integer : node(part.value).type;
  n.children = {begin, end, part.condition, part.value};
  return add(std::move(n));
}

// An element counts if no earlier one that passes the filter has the same body.
NodeId Builder::distinct_count(const Expr& e, const std::vector<const Expr*>& filter, Bindings& b) {
  const sema::Loop& l = e.loops[0];
  const Expr& body = e.children[0];
  if (!is_span(l.source[0], b)) return distinct_of_made(e, filter, b);
  List list = lower_list(l.source[0], b);
  int64_t outer = fresh_variable(b, {list.begin, list.end}), inner = outer + 1;
  Type index_type = list.integers ? Type::integer : Type::row;
  auto at = [&](int64_t index) {
    Bindings bound = b;
    bound[l.variable] = {element_of(list, variable(index, index_type))};
    return bound;
  };
  const OwnerScope outer_scope(*this, outer, list), inner_scope(*this, inner, list);
  Bindings here = at(outer), before = at(inner);
  // Inner folds of the two copies must not reuse each other's variables.
  reserve(here, inner);
  NodeId condition = conditions(filter, here), same_condition = conditions(filter, before);
  NodeId same = equality(lower(body, here), lower(body, before), body, body);
  Node any;
  any.op = Op::fold_any;
  any.type = Type::boolean;
  any.index_type = index_type;
  any.integer = inner;
  any.children = {list.begin, variable(outer, index_type), same_condition, same};
  Node count;
  count.op = Op::fold_count;
  count.type = Type::integer;
  count.index_type = index_type;
  count.integer = outer;
  count.table = list.table;
  count.children = {list.begin, list.end, both(condition, negation(add(std::move(any)))), kNoNode};
  return add(std::move(count));
}

int64_t Builder::largest_variable(NodeId id) {
  if (id == kNoNode) return 0;
  if (auto it = largest_.find(id); it != largest_.end()) return it->second;
  const Node n = node(id);
  int64_t most = n.op == Op::variable || is_fold(n.op) ? n.integer : 0;
  for (NodeId c : n.children) most = std::max(most, largest_variable(c));
  return largest_[id] = most;
}

// A variable that nothing in scope uses, free or bound: the same expression gets the same variables wherever it is
// written, so that it is shared, and no fold hides another's variable.
int64_t Builder::fresh_variable(const Bindings& b, std::initializer_list<NodeId> also) {
  int64_t most = 1;
  for (const auto& [variable, binding] : b) {
    most = std::max({most, largest_variable(binding.node), binding.reserved});
    if (binding.made) most = std::max(most, fresh_variable(binding.made->scope, {}) - 1);
    if (binding.list)
      most = std::max({most, largest_variable(binding.list->begin), largest_variable(binding.list->end)});
  }
  for (NodeId id : also) most = std::max(most, largest_variable(id));
  plan_.n_variables = std::max(plan_.n_variables, most + 3);
  return most + 1;
}

namespace {

// Made of params and numbers alone, with at least one param.
bool is_coefficient(const Expr& e, bool& has_param) {
  switch (e.op) {
    case SOp::param:
      has_param = true;
      return true;
    case SOp::integer:
    case SOp::real:
      return true;
    case SOp::negate:
    case SOp::to_real:
    case SOp::add:
    case SOp::subtract:
    case SOp::multiply: {
      for (const Expr& c : e.children)
        if (!is_coefficient(c, has_param)) return false;
      return true;
    }
    default:
      return false;
  }
}
bool is_coefficient(const Expr& e) {
  bool has_param = false;
  return is_coefficient(e, has_param) && has_param && e.type.numeric();
}
bool is_zero(const Expr& e) { return (e.op == SOp::integer && e.integer == 0) || (e.op == SOp::real && e.number == 0); }

}  // namespace

// `e` without the factors that are the same for all elements: sum(k * x) = k * sum(x), so that the sum itself does not
// depend on params. Looks through divisions' numerators, `else 0` and `when ... else 0`.
Expr Builder::without_factors(const Expr& e, std::vector<NodeId>& factors, Bindings& b) {
  Expr out = e;
  switch (e.op) {
    case SOp::multiply:
      for (size_t i : {size_t{0}, size_t{1}})
        if (is_coefficient(e.children[i])) {
          factors.push_back(as_real(lower(e.children[i], b)));
          Expr rest = e.children[1 - i];
          return without_factors(rest, factors, b);
        }
      out.children[0] = without_factors(e.children[0], factors, b);
      out.children[1] = without_factors(e.children[1], factors, b);
      return out;
    case SOp::divide:
    case SOp::negate:
      out.children[0] = without_factors(e.children[0], factors, b);
      return out;
    case SOp::to_real:
      return out;
    case SOp::guard:
      if (is_zero(e.children[1])) out.children[0] = without_factors(e.children[0], factors, b);
      return out;
    case SOp::choose:
      if (is_zero(e.children[2])) out.children[1] = without_factors(e.children[1], factors, b);
      return out;
    default:
      return out;
  }
}

}  // namespace wend::plan
