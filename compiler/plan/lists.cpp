// Lists that are no span of rows: made with `for`, written out, filtered, given by functions. Nothing builds them; what
// goes through one becomes the loops that the list is made of.
#include <algorithm>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Access;
using sema::Base;
using sema::Expr;
using sema::FoldKind;
using SOp = sema::Op;

// Keeps `variable` and those below it from being chosen by what is lowered under `b`.
void Builder::reserve(Bindings& b, int64_t variable) {
  auto [it, fresh] = b.try_emplace(kReserved);
  if (!fresh && it->second.reserved >= variable) return;
  it->second.reserved = variable;
}

// Asks for nothing: effects of what is only looked at here are dropped.
bool Builder::is_span(const Expr& e, Bindings& b) {
  Instructions dropped;
  Instructions* outer = effects_;
  if (effects_) effects_ = &dropped;
  const bool is = is_span_of(e, b);
  effects_ = outer;
  return is;
}

bool Builder::is_span_of(const Expr& e, Bindings& b) {
  switch (e.op) {
    case SOp::variable:
      return b.at(e.index).list.has_value();
    case SOp::field:
      return e.field->access != Access::active && e.field->access != Access::stale;
    case SOp::belief_field:
    case SOp::range:
    case SOp::mentioned:
    case SOp::resolved:
      return true;
    case SOp::choose: {
      if (!is_span(e.children[1], b) || !is_span(e.children[2], b)) return false;
      const List yes = lower_list(e.children[1], b), no = lower_list(e.children[2], b);
      return yes.via == no.via && yes.integers == no.integers;
    }
    case SOp::call: {
      Bindings inner = bound_parameters(e, b);
      return is_span(program_.functions[e.index].body[0], inner);
    }
    default:
      return false;
  }
}

Bindings Builder::bound_parameters(const Expr& call, Bindings& b) {
  const sema::Function& f = program_.functions[call.index];
  Bindings inner;
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const Expr& given = call.children[i];
    Binding binding;
    if (program_.variables[f.parameters[i]].type.base != Base::list)
      binding.node = coerced(given, b);
    else if (is_span(given, b))
      binding.list = lower_list(given, b);
    else
      binding.made = std::make_shared<const Closure>(Closure{&given, b});
    inner[f.parameters[i]] = std::move(binding);
  }
  return inner;
}

NodeId Builder::element_text(const Expr& e, const sema::Type& type, Bindings& b) {
  Expr element = e;
  if (type.base == Base::json || type.base == Base::folded) element.type = type;
  return coerced(element, b);
}

// The elements of a written list, one of which is chosen by `index`.
NodeId Builder::element_at(const Expr& list, NodeId index, Bindings& b) {
  const sema::Type type = list.type.element_type();
  NodeId element = absent(type_of(type));
  for (size_t i = list.children.size(); i-- > 0;) {
    NodeId here = element_text(list.children[i], type, b);
    if (i + 1 == list.children.size())
      element = here;
    else
      element = choose(make(Op::equal, Type::boolean, {index, integer(static_cast<int64_t>(i))}), here, element);
  }
  return element;
}

// Whether a slot is one of those that a filtered list of slots keeps.
NodeId Builder::slot_condition(Access access, NodeId slot) {
  if (access == Access::active) return exists(load(WEND_COLUMN_state_slot_value, slot, Type::value));
  NodeId begin = span(Op::span_begin, WEND_COLUMN_state_slot_replaced, slot);
  NodeId end = span(Op::span_end, WEND_COLUMN_state_slot_replaced, slot);
  return make(Op::less, Type::boolean, {as_integer(begin), as_integer(end)});
}

NodeId Builder::fold_made_list(const Expr& e, Bindings& b, FoldKind kind, const Visit& visit) {
  switch (e.op) {
    case SOp::variable: {
      const std::shared_ptr<const Closure> made = b.at(e.index).made;
      Bindings scope = made->scope;
      reserve(scope, fresh_variable(b, {}) - 1);
      return fold_list(*made->list, scope, kind, visit);
    }
    case SOp::call: {
      Bindings inner = bound_parameters(e, b);
      reserve(inner, fresh_variable(b, {}) - 1);
      return fold_list(program_.functions[e.index].body[0], inner, kind, visit);
    }
    case SOp::field: {
      List slots = items_of(lower(e.children[0], b), e.type.element_type());
      const int64_t index = fresh_variable(b, {slots.begin});
      Node n;
      n.integer = index;
      n.table = slots.table;
      n.source = current_place_;
      NodeId slot = variable(index, Type::row);
      Part part = visit({slot, {slot}, index});
      part.condition = both(slot_condition(e.field->access, slot), part.condition);
      return fold_span(std::move(n), slots.begin, slots.end, kind, part);
    }
    case SOp::keys:
      return fold_list(e.children[0], b, kind, [&](Item item) {
        item.value = load(WEND_COLUMN_state_slot_key, item.value, Type::symbol);
        return visit(item);
      });
    case SOp::list: {
      const int64_t index = fresh_variable(b, {element_at(e, variable(1, Type::integer), b)});
      Node n;
      n.index_type = Type::integer;
      n.integer = index;
      n.source = current_place_;
      NodeId at = variable(index, Type::integer);
      Part part = visit({element_at(e, at, b), {at}, index});
      return fold_span(std::move(n), integer(0), integer(static_cast<int64_t>(e.children.size())), kind, part);
    }
    case SOp::choose: {
      NodeId condition = lower(e.children[0], b);
      auto side = [&](size_t child, NodeId holds) {
        return fold_list(e.children[child], b, kind, [&](Item item) {
          item.order.insert(item.order.begin(), integer(static_cast<int64_t>(child)));
          Part part = visit(item);
          part.condition = both(holds, part.condition);
          return part;
        });
      };
      NodeId yes = guarded(condition, [&] { return side(1, condition); });
      NodeId no = guarded(negation(condition), [&] { return side(2, negation(condition)); });
      return combined(kind, yes, no);
    }
    case SOp::comprehension:
      return fold_clauses(e, 0, b, {}, kind, [&](Bindings& inner, const Item& item) {
        return visit({coerced(e.children[0], inner), item.order, item.variable, e.children[0].type.optional});
      });
    default:
      return kNoNode;
  }
}

// The loops of a comprehension from `loop` on; `visit` is asked for each of their steps.
NodeId Builder::fold_clauses(const Expr& e, size_t loop, Bindings& b, const std::vector<NodeId>& order, FoldKind kind,
                             const std::function<Part(Bindings&, const Item&)>& visit) {
  const sema::Loop& l = e.loops[loop];
  return fold_list(l.source[0], b, kind, [&](const Item& item) {
    Bindings inner = b;
    reserve(inner, item.variable);
    inner[l.variable] = {item.value};
    if (l.position >= 0) {
      NodeId before = fold_list(l.source[0], inner, FoldKind::count, [&](const Item& other) {
        return Part{comes_before(other.order, item.order), kNoNode};
      });
      inner[static_cast<uint32_t>(l.position)] = {before};
    }
    std::vector<NodeId> all = order;
    all.insert(all.end(), item.order.begin(), item.order.end());
    NodeId condition = kNoNode;
    for (const Expr& c : l.conditions) condition = both(condition, lower(c, inner));
    if (loop + 1 < e.loops.size()) return Part{condition, fold_clauses(e, loop + 1, inner, all, kind, visit)};
    const Part asked = visit(inner, {kNoNode, all, item.variable});
    return Part{both(condition, asked.condition), asked.value};
  });
}

// Of two lists, one after the other.
NodeId Builder::combined(FoldKind kind, NodeId a, NodeId b) {
  switch (kind) {
    case FoldKind::count:
    case FoldKind::sum:
      return make(Op::add, node(a).type, {a, b});
    case FoldKind::any:
      return either(a, b);
    case FoldKind::all:
      return both(a, b);
    case FoldKind::min:
    case FoldKind::max: {
      NodeId better = make(kind == FoldKind::min ? Op::minimum : Op::maximum, node(a).type, {a, b});
      return choose(exists(a), choose(exists(b), better, a), b);
    }
    case FoldKind::first:
      return choose(exists(a), a, b);
    case FoldKind::last:
      return choose(exists(b), b, a);
    case FoldKind::mean:
      break;  // made of sum and count
  }
  return kNoNode;
}

NodeId Builder::comes_before(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
  NodeId before = boolean(false);
  for (size_t i = std::min(a.size(), b.size()); i-- > 0;) {
    if (a[i] == b[i]) continue;
    NodeId x = as_integer(a[i]), y = as_integer(b[i]);
    before = either(make(Op::less, Type::boolean, {x, y}), both(make(Op::equal, Type::boolean, {x, y}), before));
  }
  return before;
}

// An element counts if none before it that passes the filter has the same body.
NodeId Builder::distinct_of_made(const Expr& e, const std::vector<const Expr*>& filter, Bindings& b) {
  const sema::Loop& l = e.loops[0];
  const Expr& body = e.children[0];
  return fold_list(l.source[0], b, FoldKind::count, [&](const Item& item) {
    Bindings here = b;
    reserve(here, item.variable);
    here[l.variable] = {item.value};
    NodeId condition = conditions(filter, here), mine = lower(body, here);
    NodeId repeats = fold_list(l.source[0], here, FoldKind::any, [&](const Item& other) {
      Bindings there = here;
      reserve(there, other.variable);
      there[l.variable] = {other.value};
      return Part{both(comes_before(other.order, item.order), conditions(filter, there)),
                  equality(lower(body, there), mine, body, body)};
    });
    return Part{both(condition, negation(repeats)), kNoNode};
  });
}

}  // namespace wend::plan
