// Beliefs: first values and handlers as procedures.
#include <algorithm>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Base;
using sema::Entity;
using sema::Expr;
using SOp = sema::Op;
using Statement = sema::Statement;
using Verb = sema::Statement::Kind;

namespace {

FieldKind kind_of(const sema::BeliefField& field) {
  switch (field.kind) {
    case ast::FieldKind::slots:
      return FieldKind::slots;
    case ast::FieldKind::goal:
      return FieldKind::goal;
    case ast::FieldKind::stack:
      return FieldKind::stack;
    case ast::FieldKind::last:
      return FieldKind::last;
    case ast::FieldKind::queue:
      return FieldKind::queue;
    case ast::FieldKind::objects:
      return FieldKind::objects;
    case ast::FieldKind::value:
      break;
  }
  switch (field.type.base) {
    case Base::boolean:
      return FieldKind::boolean;
    case Base::enumeration:
      return FieldKind::label;
    case Base::integer:
      return FieldKind::integer;
    case Base::real:
      return FieldKind::real;
    case Base::text:
      return FieldKind::text;
    case Base::list:
      return field.type.element == Base::text   ? FieldKind::texts
             : field.type.element == Base::json ? FieldKind::values
                                                : FieldKind::references;
    default:
      return FieldKind::json;
  }
}

Instruction when(NodeId condition) {
  Instruction i;
  i.kind = Instruction::Kind::when;
  i.args = {condition};
  return i;
}

}  // namespace

void Builder::ask_for(uint32_t effect, uint32_t field, std::vector<NodeId> args, Instructions& out) {
  Instruction i;
  i.effect = effect;
  i.field = field;
  i.args = std::move(args);
  i.source = current_place_;
  out.push_back(std::move(i));
}

NodeId Builder::let(NodeId value, Instructions& out) {
  NodeId at = variable(procedure_variable(), node(value).type);
  set(at, value, out);
  return at;
}

void Builder::set(NodeId at, NodeId value, Instructions& out) {
  Instruction i;
  i.kind = Instruction::Kind::let;
  i.variable = node(at).integer;
  i.type = node(value).type;
  i.args = {value};
  i.source = current_place_;
  out.push_back(std::move(i));
}

// ---- lists ----

// Runs what `emit` makes for each element, in order.
void Builder::for_each(const Expr& e, Bindings& b, Instructions& out, const Emit& emit) {
  auto range = [&](NodeId begin, NodeId end, Type type, const std::function<NodeId(NodeId)>& element_of) {
    Instruction each;
    each.kind = Instruction::Kind::each;
    each.type = type;
    each.variable = procedure_variable();
    each.args = {begin, end, kNoNode};
    each.source = current_place_;
    NodeId at = variable(each.variable, type);
    emit(element_of(at), each.body);
    out.push_back(std::move(each));
  };
  Instructions* outer = effects_;
  if (effects_) effects_ = &out;
  if (is_span(e, b)) {
    List list = lower_list(e, b);
    range(list.begin, list.end, list.integers ? Type::integer : Type::row,
          [&](NodeId at) { return element_of(list, at); });
  } else if (e.op == SOp::variable) {
    const std::shared_ptr<const Closure> made = b.at(e.index).made;
    Bindings scope = made->scope;
    for_each(*made->list, scope, out, emit);
  } else if (e.op == SOp::call) {
    Bindings inner = bound_parameters(e, b);
    for_each(program_.functions[e.index].body[0], inner, out, emit);
  } else if (e.op == SOp::field) {
    List slots = items_of(lower(e.children[0], b), e.type.element_type());
    range(slots.begin, slots.end, Type::row, [](NodeId at) { return at; });
    out.back().args[2] = slot_condition(e.field->access, variable(out.back().variable, Type::row));
  } else if (e.op == SOp::keys) {
    for_each(e.children[0], b, out, [&](NodeId slot, Instructions& body) {
      emit(load(WEND_COLUMN_state_slot_key, slot, Type::symbol), body);
    });
  } else if (e.op == SOp::list && e.children.size() == 1) {
    emit(element_text(e.children[0], e.type.element_type(), b), out);
  } else if (e.op == SOp::list && !e.children.empty()) {
    range(integer(0), integer(static_cast<int64_t>(e.children.size())), Type::integer,
          [&](NodeId at) { return element_at(e, at, b); });
  } else if (e.op == SOp::choose) {
    Instruction branch = when(lower(e.children[0], b));
    for_each(e.children[1], b, branch.body, emit);
    for_each(e.children[2], b, branch.otherwise, emit);
    out.push_back(std::move(branch));
  } else if (e.op == SOp::comprehension) {
    for_each_of(e, 0, b, out, [&](Bindings& inner, Instructions& body) {
      NodeId element = coerced(e.children[0], inner);
      emit(element, body);
    });
  }
  effects_ = outer;
}

// The loops of a comprehension from `loop` on: `emit` makes what is run inside.
void Builder::for_each_of(const Expr& e, size_t loop, Bindings& b, Instructions& out,
                          const std::function<void(Bindings&, Instructions&)>& emit) {
  Instructions* outer = effects_;
  const auto collect = [&](Instructions& into) { effects_ = effects_ ? &into : nullptr; };
  if (loop == e.loops.size()) {
    collect(out);
    emit(b, out);
    effects_ = outer;
    return;
  }
  const sema::Loop& l = e.loops[loop];
  NodeId position = l.position >= 0 ? let(integer(-1), out) : kNoNode;
  for_each(l.source[0], b, out, [&](NodeId element, Instructions& body) {
    Bindings inner = b;
    inner[l.variable] = {element};
    if (position != kNoNode) {
      set(position, make(Op::add, Type::integer, {position, integer(1)}), body);
      inner[static_cast<uint32_t>(l.position)] = {position};
    }
    collect(body);
    NodeId condition = kNoNode;
    for (const Expr& c : l.conditions) {
      const auto next = [&] { return lower(c, inner); };
      condition = both(condition, condition == kNoNode ? next() : guarded(condition, next));
    }
    if (condition == kNoNode) {
      for_each_of(e, loop + 1, inner, body, emit);
    } else {
      Instruction branch = when(condition);
      for_each_of(e, loop + 1, inner, branch.body, emit);
      body.push_back(std::move(branch));
    }
    effects_ = outer;
  });
}

// ---- statements ----

void Builder::lower_statements(const std::vector<Statement>& all, Bindings& b, Instructions& out) {
  for (const Statement& s : all) {
    Instructions* outer = effects_;
    effects_ = &out;
    const uint32_t outer_place = current_place_;
    current_place_ = place(s.span);
    lower_statement(s, b, out);
    current_place_ = outer_place;
    effects_ = outer;
  }
}

void Builder::lower_statement(const Statement& s, Bindings& b, Instructions& out) {
  switch (s.kind) {
    case Verb::assign:
      return lower_assignment(s, b, out);
    case Verb::when: {
      Instruction branch = when(lower(s.value[0], b));
      lower_statements(s.body, b, branch.body);
      lower_statements(s.otherwise, b, branch.otherwise);
      out.push_back(std::move(branch));
      return;
    }
    case Verb::overwrite:
    case Verb::confirm:
    case Verb::unconfirm:
      select(s.value[0], b, out);
      return ask_for(s.kind == Verb::overwrite ? WEND_EFFECT_OVERWRITE
                     : s.kind == Verb::confirm ? WEND_EFFECT_CONFIRM
                                               : WEND_EFFECT_UNCONFIRM,
                     s.field, {}, out);
    case Verb::push:
      return goal_effect(WEND_EFFECT_PUSH, s.field, s.value[0], b, out);
    case Verb::pop: {
      NodeId target = s.target < 0 ? absent(Type::row) : integer(s.target);
      return ask_for(WEND_EFFECT_POP, s.field, {target}, out);
    }
    case Verb::suspend:
      return ask_for(WEND_EFFECT_SUSPEND, s.field, {}, out);
    case Verb::resume:
      return ask_for(WEND_EFFECT_RESUME, s.field, {}, out);
    case Verb::clear:
      return clear(s.field, b, out);
    case Verb::add:
    case Verb::remove:
      return change_list(s, b, out);
  }
}

void Builder::lower_assignment(const Statement& s, Bindings& b, Instructions& out) {
  assign(s.field, s.value[0], b, out);
  if (s.fallback.empty()) return;
  // Asked for where the condition holds after the first value; replaces it where there is an answer.
  const auto replace = [&](Instructions& into) {
    effects_ = &into;
    if (s.fallback[0].op != SOp::classifier) return assign(s.field, s.fallback[0], b, into);
    NodeId answer = ask(s.fallback[0], b);
    Instruction answered = when(make(Op::not_equal, Type::boolean, {answer, integer(WEND_NONE)}));
    assign_value(s.field, answer, answered.body);
    into.push_back(std::move(answered));
  };
  if (s.condition.empty()) return replace(out);
  Instruction branch = when(lower(s.condition[0], b));
  replace(branch.body);
  effects_ = &out;
  out.push_back(std::move(branch));
}

void Builder::assign(uint32_t field, const Expr& value, Bindings& b, Instructions& out) {
  const sema::BeliefField& f = belief_->fields[field];
  if (f.type.base == Base::list) return assign_list(field, value, b, out);
  if (f.kind == ast::FieldKind::goal) return goal_effect(WEND_EFFECT_SET_GOAL, field, value, b, out);
  if (f.kind == ast::FieldKind::last) {
    const bool call = value.type.entity == Entity::call;
    return ask_for(call ? WEND_EFFECT_SET_ACTION : WEND_EFFECT_SET_RESULT, field, {lower(value, b)}, out);
  }
  assign_value(field, coerced(value, b), out);
}

void Builder::assign_value(uint32_t field, NodeId value, Instructions& out) {
  const Base base = belief_->fields[field].type.base;
  const uint32_t effect = base == Base::boolean || base == Base::enumeration ? WEND_EFFECT_SET_LABEL
                          : base == Base::integer                            ? WEND_EFFECT_SET_INTEGER
                          : base == Base::real                               ? WEND_EFFECT_SET_REAL
                                                                             : WEND_EFFECT_SET_SYMBOL;
  ask_for(effect, field, {value}, out);
}

void Builder::assign_list(uint32_t field, const Expr& value, Bindings& b, Instructions& out) {
  const bool references = kind_of(belief_->fields[field]) == FieldKind::references;
  if (references && is_span(value, b)) {
    List list = lower_list(value, b);
    NodeId count = make(Op::subtract, Type::integer, {as_integer(list.end), as_integer(list.begin)});
    return ask_for(WEND_EFFECT_SET_REFERENCES, field, {list.begin, count}, out);
  }
  for_each(value, b, out, [&](NodeId item, Instructions& body) { ask_for(WEND_EFFECT_ITEM, WEND_NONE, {item}, body); });
  if (references)
    ask_for(WEND_EFFECT_SET_REFERENCES, field, {absent(Type::row), integer(0)}, out);
  else
    ask_for(WEND_EFFECT_SET_ITEMS, field, {}, out);
}

// SET_GOAL or PUSH of a goal, or of a text: a goal of the turn in hand.
void Builder::goal_effect(uint32_t effect, uint32_t field, const Expr& value, Bindings& b, Instructions& out) {
  NodeId x = lower(value, b);
  if (!value.type.is_entity(Entity::goal)) return ask_for(effect, field, {x, integer(0)}, out);
  NodeId text = load(WEND_COLUMN_goal_text, x, Type::symbol), turn = load(WEND_COLUMN_goal_turn, x, Type::integer);
  if (!value.type.optional) return ask_for(effect, field, {text, turn}, out);
  Instruction there = when(exists(x));
  ask_for(effect, field, {text, turn}, there.body);
  out.push_back(std::move(there));
}

void Builder::select(const Expr& list, Bindings& b, Instructions& out) {
  const bool slots = list.type.entity == Entity::state_slot;
  for_each(list, b, out, [&](NodeId row, Instructions& body) {
    NodeId tool, param, value;
    if (slots) {
      tool = load(WEND_COLUMN_state_slot_tool, row, Type::symbol);
      param = load(WEND_COLUMN_state_slot_param, row, Type::symbol);
      value = load(WEND_COLUMN_state_slot_value, row, Type::value);
    } else {
      tool = load(WEND_COLUMN_call_name, load(WEND_COLUMN_arg_call, row, Type::row), Type::symbol);
      param = load(WEND_COLUMN_arg_name, row, Type::symbol);
      value = load(WEND_COLUMN_arg_value, row, Type::value);
    }
    ask_for(WEND_EFFECT_SELECT, WEND_NONE, {tool, param, value}, body);
  });
}

// A value goes back to its first one, all else is emptied.
void Builder::clear(uint32_t field, Bindings& b, Instructions& out) {
  const sema::BeliefField& f = belief_->fields[field];
  if (!f.initial.empty()) return assign(field, f.initial[0], b, out);
  if (f.kind == ast::FieldKind::value && f.type.base != Base::list)
    return assign_value(field, absent(type_of(f.type)), out);
  ask_for(WEND_EFFECT_CLEAR, field, {}, out);
}

// add and remove, of queues and objects
void Builder::change_list(const Statement& s, Bindings& b, Instructions& out) {
  const Expr& value = s.value[0];
  const bool adds = s.kind == Verb::add, queue = belief_->fields[s.field].kind == ast::FieldKind::queue;
  const uint32_t effect = queue  ? adds ? WEND_EFFECT_ADD_QUESTION : WEND_EFFECT_REMOVE_QUESTION
                          : adds ? WEND_EFFECT_ADD_OBJECT
                                 : WEND_EFFECT_REMOVE_OBJECT;
  if (value.type.base == Base::list) {  // collected first: the list may be read from what is changed
    for_each(value, b, out,
             [&](NodeId item, Instructions& body) { ask_for(WEND_EFFECT_ITEM, WEND_NONE, {item}, body); });
    return ask_for(effect, s.field, {absent(Type::symbol)}, out);
  }
  NodeId x = lower(value, b);
  NodeId given = value.type.is_entity(Entity::question) ? load(WEND_COLUMN_question_text, x, Type::symbol) : x;
  if (!value.type.optional) return ask_for(effect, s.field, {given}, out);
  Instruction there = when(exists(x));
  ask_for(effect, s.field, {given}, there.body);
  out.push_back(std::move(there));
}

// ---- declarations ----

Belief Builder::lower_belief(const sema::Belief& belief) {
  Belief out;
  out.name = belief.name;
  out.module = belief.module;
  out.doc = belief.doc;
  out.place = sources_.place(belief.span);
  for (const sema::BeliefField& f : belief.fields) {
    std::vector<std::string> labels;
    if (f.type.base == Base::enumeration) labels = program_.enums[f.type.enumeration].labels;
    out.fields.push_back({f.name, f.doc, kind_of(f), std::move(labels)});
  }
  belief_ = &belief;
  Bindings none;
  next_variable_ = 2;
  effects_ = &out.begin;
  for (uint32_t i = 0; i < belief.fields.size(); ++i) {
    const sema::BeliefField& f = belief.fields[i];
    current_place_ = place(f.span);
    if (f.kind == ast::FieldKind::value && (f.type.base != Base::list || !f.initial.empty())) clear(i, none, out.begin);
  }
  confidence_ = belief.confidence;
  for (const sema::Handler& h : belief.handlers) {
    Bindings b;
    next_variable_ = 2;
    for (uint32_t i = 0; i < belief.fields.size(); ++i) {
      const sema::BeliefField& f = belief.fields[i];
      if (f.type.base == Base::list)
        b[f.variable] = {kNoNode, items_of(field_row(i), f.type.element_type())};
      else
        b[f.variable] = {field_value(f, i)};
    }
    b[h.variable] = {make(Op::to_row, Type::row, {integer(0)})};
    lower_statements(h.body, b, out.handlers[static_cast<size_t>(h.event)]);
  }
  confidence_ = kReserved;
  effects_ = nullptr;
  belief_ = nullptr;
  return out;
}

void Builder::add_beliefs() {
  in_procedure_ = true;
  for (const sema::Belief& belief : program_.beliefs) plan_.beliefs.push_back(lower_belief(belief));
  for (const sema::Cues& cues : program_.cues) {
    CuesInfo info;
    info.enumeration = program_.enums[cues.enumeration].name;
    info.labels = program_.enums[cues.enumeration].labels;
    for (const sema::Cue& cue : cues.cues) {
      CueInfo& out = info.cues.emplace_back();
      out.words = cue.words;
      out.label = cue.label;
      for (const Expr& weight : cue.weight) {
        if (weight.op == SOp::param)
          out.param = weight.index;
        else
          out.weight = weight.range.low;  // a number: sema allows nothing else
      }
    }
    plan_.cues.push_back(std::move(info));
  }
  for (const sema::Classifier& c : program_.classifiers)
    plan_.classifiers.push_back({c.name, c.system, program_.enums[c.type.enumeration].labels});
  for (const sema::Render& render : program_.renders) plan_.renders.push_back(lower_render(render));
  for (const sema::Context& context : program_.contexts) plan_.contexts.push_back(lower_context(context));
  in_procedure_ = false;
}

}  // namespace wend::plan
