// Expressions to nodes.
#include <fmt/format.h>
#include <utf8proc.h>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Base;
using sema::Entity;
using sema::Expr;
using SOp = sema::Op;

namespace {

// As ingest folds texts: case folded NFC.
std::string folded(const std::string& text) {
  utf8proc_uint8_t* made = nullptr;
  auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  utf8proc_ssize_t n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                    static_cast<utf8proc_ssize_t>(text.size()), &made, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> out(made, &std::free);
  return n < 0 ? text : std::string(reinterpret_cast<char*>(out.get()), static_cast<size_t>(n));
}

}  // namespace

std::string json_of(const Expr& e) {
  switch (e.op) {
    case SOp::boolean:
      return e.integer ? "true" : "false";
    case SOp::integer:
      return std::to_string(e.integer);
    case SOp::real:
      return fmt::format("{}", e.number);
    case SOp::negate:
      return "-" + json_of(e.children[0]);
    default:
      break;
  }
  std::string out = "\"";
  for (char c : e.text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", c);
    else
      out += c;
  }
  return out + "\"";
}

// Texts whose rows are equal exactly when their bytes are.
bool Builder::is_interned(const Expr& e) const {
  if (e.op == SOp::text) return true;
  if (e.op != SOp::field) return e.op == SOp::variable && !in_procedure_;  // elements of `missing`
  const std::string_view name = e.field->name;
  if (e.field->owner >= Entity::belief) return name == "key" || name == "tool" || name == "param";
  switch (e.field->owner) {
    case Entity::message:
    case Entity::none:
      return false;
    default:
      return name != "profile" && name != "description";
  }
}

Type Builder::type_of(sema::Type type) {
  switch (type.base) {
    case Base::boolean:
      return Type::boolean;
    case Base::integer:
    case Base::enumeration:
      return Type::integer;
    case Base::real:
      return Type::real;
    case Base::text:
      return Type::symbol;
    case Base::json:
    case Base::folded:
      return Type::value;
    default:
      return Type::row;
  }
}

NodeId Builder::coerced(const Expr& e, Bindings& b) {
  bool literal_value =
      e.op == SOp::text || e.op == SOp::integer || e.op == SOp::real || e.op == SOp::boolean || e.op == SOp::negate;
  if (literal_value && e.type.base == Base::json) return literal(1, json_of(e), Type::value);
  if (literal_value && e.type.base == Base::folded) return literal(2, json_of(e), Type::value);
  return lower(e, b);
}

NodeId Builder::lower(const Expr& e, Bindings& b) {
  NodeId id = lower_kind(e, b);
  if (id != kNoNode && e.type.is(Base::boolean)) {
    std::string text;  // on one line
    for (char c : sources_.text(e.span)) {
      bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!space || (!text.empty() && text.back() != ' ')) text += space ? ' ' : c;
    }
    plan_.written.try_emplace(id, std::move(text));
  }
  return id;
}

// NOLINTNEXTLINE(readability-function-size): one case for each operation
NodeId Builder::lower_kind(const Expr& e, Bindings& b) {
  uint32_t outer = current_place_;
  current_place_ = place(e.span);
  struct Restore {
    uint32_t& slot;
    uint32_t value;
    ~Restore() { slot = value; }
  } restore{current_place_, outer};
  auto child = [&](size_t i) { return lower(e.children[i], b); };
  auto arithmetic = [&](Op op) {
    NodeId x = child(0), y = child(1);
    return make(op, node(x).type, {x, y});
  };
  switch (e.op) {
    case SOp::boolean:
      return boolean(e.integer != 0);
    case SOp::integer:
    case SOp::label:
      return integer(e.integer);
    case SOp::real:
      return real(e.number);
    case SOp::text:
      return literal(e.type.base == Base::text   ? 0
                     : e.type.base == Base::json ? 1
                                                 : 2,
                     e.type.base == Base::text ? e.text : json_of(e), type_of(e.type));
    case SOp::absent:
      return absent(type_of(e.type));
    case SOp::variable:
      if (e.index == confidence_) return effect(WEND_EFFECT_CONFIDENCE, WEND_NONE, {}, Type::real);
      return b.at(e.index).node;
    case SOp::param: {
      Node n;
      n.op = Op::param;
      n.type = type_of(e.type);
      n.integer = e.index;
      return add(n);
    }
    case SOp::field:
      return lower_field(e, b);
    case SOp::call:
      return lower_call(e, b);
    case SOp::judge:
      return memo(judge_column(e.index), child(0));
    case SOp::back:
      return lower_back(e, b);
    case SOp::negate: {
      NodeId x = child(0);
      if (node(x).op == Op::constant)
        return node(x).type == Type::real ? real(-node(x).real) : integer(-node(x).integer);
      return make(Op::negate, node(x).type, {x});
    }
    case SOp::logical_not:
      return negation(child(0));
    case SOp::exists:
      return exists(child(0));
    case SOp::nonempty: {
      if (e.children[0].type.base == Base::list) {
        if (!is_span(e.children[0], b))
          return fold_list(e.children[0], b, sema::FoldKind::any,
                           [&](const Item&) { return Part{kNoNode, boolean(true)}; });
        List list = lower_list(e.children[0], b);
        return make(Op::less, Type::boolean, {as_integer(list.begin), as_integer(list.end)});
      }
      return make(Op::greater, Type::boolean, {make(Op::text_length, Type::integer, {child(0)}), integer(0)});
    }
    case SOp::add:
      return arithmetic(Op::add);
    case SOp::subtract:
      return arithmetic(Op::subtract);
    case SOp::multiply:
      return arithmetic(Op::multiply);
    case SOp::divide:
      return arithmetic(Op::divide);
    case SOp::minimum:
      return arithmetic(Op::minimum);
    case SOp::maximum:
      return arithmetic(Op::maximum);
    case SOp::absolute: {
      NodeId x = child(0);
      return make(Op::maximum, node(x).type, {x, make(Op::negate, node(x).type, {x})});
    }
    case SOp::to_real: {
      NodeId x = child(0);
      if (!e.type.optional) return as_real(x);
      return choose(exists(x), as_real(x), absent(Type::real));
    }
    case SOp::to_int_from_bool:
      return make(Op::to_integer, Type::integer, {child(0)});
    case SOp::equal:
    case SOp::not_equal: {
      NodeId same = equality(coerced(e.children[0], b), coerced(e.children[1], b), e.children[0], e.children[1]);
      return e.op == SOp::equal ? same : negation(same);
    }
    case SOp::same_row: {
      NodeId x = child(0), y = child(1);
      NodeId same = make(Op::equal, Type::boolean, {x, y});
      if (e.children[0].type.optional && e.children[1].type.optional) return both(exists(x), same);
      return same;  // a row is never equal to the absent one
    }
    case SOp::less:
    case SOp::less_equal:
    case SOp::greater:
    case SOp::greater_equal:
      return lower_compare(e, b);
    case SOp::logical_and: {
      NodeId x = child(0);
      return both(x, guarded(x, [&] { return child(1); }));
    }
    case SOp::logical_or: {
      NodeId x = child(0);
      return either(x, guarded(negation(x), [&] { return child(1); }));
    }
    case SOp::coalesce: {
      NodeId x = coerced(e.children[0], b);
      NodeId y = guarded(negation(exists(x)), [&] { return coerced(e.children[1], b); });
      return choose(exists(x), x, y);
    }
    case SOp::contains:
    case SOp::mentions:
    case SOp::names:
      return lower_text(e, b);
    case SOp::in_list:
      return lower_in(e, b);
    case SOp::count: {
      if (!is_span(e.children[0], b))
        return fold_list(e.children[0], b, sema::FoldKind::count, [](const Item&) { return Part(); });
      List list = lower_list(e.children[0], b);
      NodeId n = make(Op::subtract, Type::integer, {as_integer(list.end), as_integer(list.begin)});
      return list.integers ? make(Op::maximum, Type::integer, {n, integer(0)}) : n;
    }
    case SOp::guard: {
      NodeId ok = defined(e.children[0], b);
      NodeId value = child(0);
      return ok == kNoNode ? value : choose(ok, value, guarded(negation(ok), [&] { return child(1); }));
    }
    case SOp::choose: {
      NodeId c = child(0);
      NodeId yes = guarded(c, [&] { return coerced(e.children[1], b); });
      NodeId no = guarded(negation(c), [&] { return coerced(e.children[2], b); });
      return choose(c, yes, no);
    }
    case SOp::fold:
      return e.dataset ? lower_dataset(e, b) : lower_fold(e, b);
    case SOp::granted:
      return lower_granted(e, b);
    case SOp::metric:
      return lower(program_.metrics[e.index].body[0], b);
    case SOp::belief_field:
    case SOp::lookup:
    case SOp::label_name:
    case SOp::fill:
    case SOp::excerpt:
    case SOp::classify:
    case SOp::classifier:
    case SOp::tokens:
      return lower_state(e, b);
    default:
      break;  // of scenarios: no reward, metric, belief or context has them
  }
  return kNoNode;  // lists are lowered by lower_list
}

NodeId Builder::lower_field(const Expr& e, Bindings& b) {
  const sema::Field& f = *e.field;
  const Expr& owner = e.children[0];
  NodeId row = lower(owner, b);
  Type type = type_of(f.type);
  auto read = [&]() -> NodeId {
    switch (f.access) {
      case sema::Access::load:
        if (f.type.base == Base::boolean)
          return make(Op::not_equal, Type::boolean, {load(f.column, row, Type::integer), integer(0)});
        return load(f.column, row, type);
      case sema::Access::self:
        return row;
      case sema::Access::previous: {
        NodeId first = span(Op::span_begin, f.column, load(f.via, row, Type::row));
        NodeId before = make(Op::to_row, Type::row, {make(Op::subtract, Type::integer, {as_integer(row), integer(1)})});
        NodeId there = make(Op::greater, Type::boolean, {as_integer(row), as_integer(first)});
        return choose(there, before, absent(Type::row));
      }
      case sema::Access::number: {
        NodeId kind = load(f.via, row, Type::integer);
        NodeId is_int = make(Op::equal, Type::boolean, {kind, integer(WEND_JSON_INT)});
        NodeId is_real = make(Op::equal, Type::boolean, {kind, integer(WEND_JSON_REAL)});
        return choose(either(is_int, is_real), load(f.column, row, Type::real), absent(Type::real));
      }
      case sema::Access::text_length:
        return make(Op::text_length, Type::integer, {row});
      default:
        return kNoNode;
    }
  };
  NodeId value = read();
  if (!owner.type.optional) return value;
  return choose(exists(row), value, absent(type));
}

NodeId Builder::lower_back(const Expr& e, Bindings& b) {
  NodeId call = lower(e.children[0], b), steps = lower(e.children[1], b);
  NodeId first =
      as_integer(span(Op::span_begin, WEND_COLUMN_trace_calls, load(WEND_COLUMN_call_trace, call, Type::row)));
  NodeId target = make(Op::subtract, Type::integer, {as_integer(call), steps});
  NodeId there = make(Op::greater_equal, Type::boolean, {target, first});
  return choose(there, make(Op::to_row, Type::row, {target}), absent(Type::row));
}

NodeId Builder::lower_granted(const Expr& e, Bindings& b) {
  NodeId subject = lower(e.children[0], b);
  if (e.children[0].type.is_entity(Entity::turn))
    return make(Op::not_equal, Type::boolean, {load(WEND_COLUMN_turn_labelled, subject, Type::integer), integer(0)});
  if (e.integer == 0) return exists(load(WEND_COLUMN_trace_profile, subject, Type::symbol));
  Node n;
  n.op = Op::has_bits;
  n.type = Type::boolean;
  n.column = WEND_COLUMN_trace_caps;
  n.integer = e.integer;
  n.children = {subject};
  return add(std::move(n));
}

NodeId Builder::lower_text(const Expr& e, Bindings& b) {
  NodeId text = lower(e.children[0], b);
  Node n;
  n.type = Type::boolean;
  n.children = {text};
  if (e.op == SOp::contains) {
    n.op = Op::text_contains;
    n.integer = string_index(folded(e.children[1].text));
  } else {
    NodeId needle = lower(e.children[1], b);
    if (e.children[1].type.base == Base::json) needle = load(WEND_COLUMN_value_needle, needle, Type::symbol);
    n.op = e.op == SOp::mentions ? Op::text_mentions : Op::text_names;
    n.children.push_back(needle);
  }
  const NodeId needle = n.children.size() > 1 ? n.children[1] : kNoNode;
  NodeId found = add(std::move(n));
  // Lists and objects have no text of their own to look for.
  if (e.op != SOp::contains && e.children[1].type.base == Base::json) found = both(exists(needle), found);
  if (e.op != SOp::contains && e.children[1].type.optional) found = both(exists(lower(e.children[1], b)), found);
  if (e.children[0].type.optional) found = both(exists(text), found);
  return found;
}

NodeId Builder::lower_compare(const Expr& e, Bindings& b) {
  Op op = e.op == SOp::less         ? Op::less
          : e.op == SOp::less_equal ? Op::less_equal
          : e.op == SOp::greater    ? Op::greater
                                    : Op::greater_equal;
  NodeId x = lower(e.children[0], b), y = lower(e.children[1], b);
  return make(op, Type::boolean, {x, y});
}

NodeId Builder::equality(NodeId x, NodeId y, const Expr& a, const Expr& b) {
  sema::Type type = a.type.present();
  return equality(x, y, type, is_interned(a) && is_interned(b), a.type.optional, b.type.optional);
}

NodeId Builder::equality(NodeId x, NodeId y, sema::Type type, bool interned, bool x_optional, bool y_optional) {
  NodeId there = kNoNode;
  bool calls = type.base == Base::entity && (type.entity == Entity::call || type.entity == Entity::gold_call);
  bool bytes = type.base == Base::text && !interned;
  // Sentinels are equal only to themselves, so one presence test is enough, except before a load.
  if (x_optional && (y_optional || calls || bytes)) there = exists(x);
  if (y_optional && (calls || bytes)) there = both(there, exists(y));
  if (calls) {
    x = load(WEND_COLUMN_call_key, x, Type::symbol);
    y = load(WEND_COLUMN_call_key, y, Type::symbol);
  }
  // A NaN sentinel is unequal to everything, as it should be.
  return both(there, make(bytes ? Op::text_equal : Op::equal, Type::boolean, {x, y}));
}

NodeId Builder::lower_call(const Expr& e, Bindings& b) {
  if (!in_procedure_) {
    if (std::optional<uint32_t> column = column_for(e.index)) return memo(*column, lower(e.children[0], b));
  }
  Bindings inner = bound_parameters(e, b);
  return lower(program_.functions[e.index].body[0], inner);
}

// Whether every division in `e` (outside folds, which guard their own) has a divisor that is not zero.
NodeId Builder::defined(const Expr& e, Bindings& b) {
  auto all = [&](std::initializer_list<size_t> which) {
    NodeId ok = kNoNode;
    for (size_t i : which) ok = both(ok, defined(e.children[i], b));
    return ok;
  };
  switch (e.op) {
    case SOp::divide: {
      NodeId ok = all({0, 1});
      if (!e.children[1].range.contains(0)) return ok;
      return both(ok, make(Op::not_equal, Type::boolean, {lower(e.children[1], b), real(0)}));
    }
    case SOp::fold: {
      if (e.fold_kind != sema::FoldKind::mean) return kNoNode;
      Expr count = e;
      count.fold_kind = sema::FoldKind::count;
      count.type = sema::Type::of(Base::integer);
      count.children.clear();
      NodeId n = e.dataset ? lower_dataset(count, b) : lower_fold(count, b);
      return make(Op::not_equal, Type::boolean, {n, node(n).type == Type::real ? real(0) : integer(0)});
    }
    case SOp::guard:
      return defined(e.children[1], b);
    case SOp::metric:
      return defined(program_.metrics[e.index].body[0], b);
    case SOp::choose: {
      NodeId ok = defined(e.children[0], b), yes = defined(e.children[1], b), no = defined(e.children[2], b);
      if (yes == kNoNode && no == kNoNode) return ok;
      auto or_true = [&](NodeId x) { return x == kNoNode ? boolean(true) : x; };
      return both(ok, choose(lower(e.children[0], b), or_true(yes), or_true(no)));
    }
    case SOp::call:
    case SOp::in_list:
    case SOp::count:
    case SOp::nonempty:
      return kNoNode;
    default: {
      NodeId ok = kNoNode;
      for (const Expr& c : e.children)
        if (c.type.base != Base::list) ok = both(ok, defined(c, b));
      return ok;
    }
  }
}

}  // namespace wend::plan
