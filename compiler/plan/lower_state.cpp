// What expressions read of a belief state, and the effects that have to come first (texts that are made, recognition).
#include "compiler/plan/builder.h"
#include "compiler/plan/template.h"

namespace wend::plan {

using sema::Base;
using sema::Entity;
using sema::Expr;
using SOp = sema::Op;

NodeId Builder::field_row(uint32_t index) { return make(Op::to_row, Type::row, {integer(index)}); }

NodeId Builder::field_value(const sema::BeliefField& field, uint32_t index) {
  NodeId row = field_row(index);
  switch (type_of(field.type)) {
    case Type::boolean:
      return make(Op::not_equal, Type::boolean, {load(WEND_COLUMN_state_field_label, row, Type::integer), integer(0)});
    case Type::integer:
      return load(field.type.base == Base::integer ? WEND_COLUMN_state_field_integer : WEND_COLUMN_state_field_label,
                  row, Type::integer);
    case Type::real:
      return load(WEND_COLUMN_state_field_real, row, Type::real);
    default:
      if (field.type.is_entity(Entity::state_slots)) return row;
      return load(WEND_COLUMN_state_field_symbol, row, type_of(field.type));
  }
}

List Builder::items_of(NodeId row, sema::Type element) {
  List list;
  list.element = element;
  list.begin = span(Op::span_begin, WEND_COLUMN_state_field_items, row);
  list.end = span(Op::span_end, WEND_COLUMN_state_field_items, row);
  if (element.base == Base::entity)
    list.table = sema::info(element.entity).table;
  else
    list.via = WEND_COLUMN_state_item_symbol;
  return list;
}

List Builder::state_list(const Expr& e, Bindings& b) {
  if (e.op == SOp::belief_field) return items_of(field_row(e.index), e.type.element_type());
  const bool mentioned = e.op == SOp::mentioned;
  NodeId text = lower(e.children[0], b);
  std::vector<NodeId> args{text};
  if (mentioned) {
    NodeId tool = absent(Type::symbol);
    if (e.children.size() > 1) {
      NodeId row = lower(e.children[1], b);
      const bool action = e.children[1].type.entity == Entity::action;
      tool = load(action ? WEND_COLUMN_action_tool : WEND_COLUMN_tool_name, row, Type::symbol);
      if (e.children[1].type.optional) tool = choose(exists(row), tool, absent(Type::symbol));
    }
    args.push_back(tool);
  } else if (is_span(e.children[1], b)) {
    List objects = lower_list(e.children[1], b);
    args.push_back(objects.begin);
    args.push_back(make(Op::subtract, Type::integer, {as_integer(objects.end), as_integer(objects.begin)}));
  } else {
    for_each(e.children[1], b, *effects_,
             [&](NodeId object, Instructions& out) { ask_for(WEND_EFFECT_ITEM, WEND_NONE, {object}, out); });
    args.push_back(absent(Type::row));
  }
  NodeId first = effect(mentioned ? WEND_EFFECT_MENTIONED : WEND_EFFECT_RESOLVED, WEND_NONE, args, Type::row);
  const int64_t count = procedure_variable();
  effects_->back().second = count;
  List list;
  list.element = e.type.element_type();
  list.table = sema::info(list.element.entity).table;
  list.begin = first;
  NodeId end = make(Op::add, Type::integer, {as_integer(first), as_integer(variable(count, Type::row))});
  list.end = make(Op::to_row, Type::row, {end});
  return list;
}

int64_t Builder::procedure_variable() {
  const int64_t index = next_variable_++;
  plan_.n_variables = std::max(plan_.n_variables, next_variable_);
  return index;
}

// Asks for an effect before the instruction in hand; gives its answer.
NodeId Builder::effect(uint32_t effect, uint32_t field, std::vector<NodeId> args, Type type) {
  Instruction i;
  i.effect = effect;
  i.field = field;
  i.args = std::move(args);
  i.type = type;
  i.variable = procedure_variable();
  i.source = current_place_;
  NodeId answer = variable(i.variable, type);
  effects_->push_back(std::move(i));
  return answer;
}

// What `lower` asks for is asked only where the condition holds.
NodeId Builder::guarded(NodeId condition, const std::function<NodeId()>& lower) {
  if (!effects_) return lower();
  Instructions* outer = effects_;
  Instructions inner;
  effects_ = &inner;
  NodeId id = lower();
  effects_ = outer;
  if (inner.empty()) return id;
  Instruction when;
  when.kind = Instruction::Kind::when;
  when.args = {condition};
  when.body = std::move(inner);
  when.source = current_place_;
  effects_->push_back(std::move(when));
  return id;
}

NodeId Builder::label_text(NodeId label, uint16_t enumeration) {
  const std::vector<std::string>& labels = program_.enums[enumeration].labels;
  NodeId text = literal(0, labels.back(), Type::symbol);
  for (size_t i = labels.size() - 1; i-- > 0;) {
    NodeId is = make(Op::equal, Type::boolean, {label, integer(static_cast<int64_t>(i))});
    text = choose(is, literal(0, labels[i], Type::symbol), text);
  }
  return text;
}

// A text with {0}, {1}... for the holes. Their own effects come before it is begun.
NodeId Builder::built_text(const std::string& form, const std::vector<Expr>& holes, Bindings& b) {
  std::vector<NodeId> values;
  values.reserve(holes.size());
  for (const Expr& hole : holes) values.push_back(hole.type.base == Base::list ? kNoNode : coerced(hole, b));
  ask_for(WEND_EFFECT_TEXT_BEGIN, WEND_NONE, {}, *effects_);
  for (const TemplatePart& part : parts_of(form, holes.size())) {
    if (part.hole < 0) {
      ask_for(WEND_EFFECT_TEXT_PUT, WEND_NONE, {literal(0, part.text, Type::symbol)}, *effects_);
      continue;
    }
    const Expr& hole = holes[static_cast<size_t>(part.hole)];
    if (hole.type.base == Base::list)
      put_text_list(hole, b, *effects_);
    else
      put_text_part(values[static_cast<size_t>(part.hole)], hole.type.optional, *effects_);
  }
  return effect(WEND_EFFECT_TEXT_END, WEND_NONE, {}, Type::symbol);
}

void Builder::put_text_part(NodeId value, bool optional, Instructions& out) {
  const Type type = node(value).type;
  if (optional || type == Type::boolean) {
    Instruction when;
    when.kind = Instruction::Kind::when;
    when.args = {type == Type::boolean ? value : exists(value)};
    if (type == Type::boolean) {
      ask_for(WEND_EFFECT_TEXT_PUT, WEND_NONE, {literal(0, "true", Type::symbol)}, when.body);
      ask_for(WEND_EFFECT_TEXT_PUT, WEND_NONE, {literal(0, "false", Type::symbol)}, when.otherwise);
    } else {
      put_text_part(value, false, when.body);
    }
    out.push_back(std::move(when));
    return;
  }
  if (type == Type::integer) return ask_for(WEND_EFFECT_TEXT_INTEGER, WEND_NONE, {value}, out);
  if (type == Type::real) return ask_for(WEND_EFFECT_TEXT_REAL, WEND_NONE, {value}, out);
  if (type == Type::value) value = load(WEND_COLUMN_value_text, value, Type::symbol);
  ask_for(WEND_EFFECT_TEXT_PUT, WEND_NONE, {value}, out);
}

void Builder::put_text_list(const Expr& list, Bindings& b, Instructions& out) {
  NodeId count = let(integer(0), out);
  for_each(list, b, out, [&](NodeId element, Instructions& body) {
    Instruction when;
    when.kind = Instruction::Kind::when;
    when.args = {make(Op::greater, Type::boolean, {count, integer(0)})};
    ask_for(WEND_EFFECT_TEXT_PUT, WEND_NONE, {literal(0, ", ", Type::symbol)}, when.body);
    body.push_back(std::move(when));
    set(count, make(Op::add, Type::integer, {count, integer(1)}), body);
    put_text_part(element, false, body);
  });
}

// The answer of a model, WEND_NONE as an integer where there is none.
NodeId Builder::ask(const Expr& e, Bindings& b) {
  const sema::Classifier& c = program_.classifiers[e.index];
  Bindings inner;
  inner[c.subject] = {lower(e.children[0], b)};
  NodeId prompt = built_text(c.prompt, c.holes, inner);
  return effect(WEND_EFFECT_ASK, e.index, {prompt}, Type::integer);
}

NodeId Builder::lower_state(const Expr& e, Bindings& b) {
  switch (e.op) {
    case SOp::belief_field: {
      const sema::Belief& belief = program_.beliefs[e.children[0].type.enumeration];
      return field_value(belief.fields[e.index], e.index);
    }
    case SOp::lookup: {
      List slots = items_of(lower(e.children[0], b), sema::Type::of(Entity::state_slot));
      NodeId key = lower(e.children[1], b);
      Node n;
      n.integer = fresh_variable(b, {slots.begin, key});
      n.table = slots.table;
      NodeId slot = variable(n.integer, Type::row);
      NodeId same = equality(load(WEND_COLUMN_state_slot_key, slot, Type::symbol), key, sema::Type::of(Base::text),
                             is_interned(e.children[1]), false, false);
      return fold_span(std::move(n), slots.begin, slots.end, sema::FoldKind::first, {same, slot});
    }
    case SOp::label_name:
      return label_text(lower(e.children[0], b), e.children[0].type.enumeration);
    case SOp::fill:
      return built_text(e.text, e.children, b);
    case SOp::excerpt: {
      NodeId text = lower(e.children[0], b), length = lower(e.children[1], b);
      return effect(WEND_EFFECT_EXCERPT, WEND_NONE, {text, length}, Type::symbol);
    }
    case SOp::classify:
      return effect(WEND_EFFECT_CLASSIFY, e.index, {lower(e.children[0], b)}, Type::integer);
    case SOp::classifier: {
      const sema::Classifier& c = program_.classifiers[e.index];
      Bindings inner;
      inner[c.subject] = {lower(e.children[0], b)};
      NodeId rule = lower(c.rule[0], inner), answer = ask(e, b);
      return choose(make(Op::not_equal, Type::boolean, {answer, integer(WEND_NONE)}), answer, rule);
    }
    case SOp::tokens:
      return effect(WEND_EFFECT_CONTEXT_TOKENS, WEND_NONE, {}, Type::integer);
    default:
      return kNoNode;
  }
}

}  // namespace wend::plan
