// Beliefs: their fields, and what messages do to them.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "compiler/sema/checker.h"

namespace wend::sema {

using ast::ExprKind;
using ast::FieldKind;
using ast::StatementKind;

namespace {

std::string_view describe(FieldKind kind) {
  switch (kind) {
    case FieldKind::slots:
      return "slots";
    case FieldKind::goal:
      return "a goal";
    case FieldKind::stack:
      return "a stack";
    case FieldKind::last:
      return "the last action";
    case FieldKind::queue:
      return "a queue";
    case FieldKind::objects:
      return "objects";
    case FieldKind::value:
      return "a value";
  }
  return "";
}

// What an agent sees of a dialogue while it runs; all else is gold, or has not happened yet.
bool is_observable(const Field& field) {
  static const std::map<Entity, std::set<std::string_view>> seen = {
      {Entity::message, {"text", "role", "number"}},
      {Entity::call, {"name", "tool", "args", "number", "malformed"}},
      {Entity::arg, {"name", "value", "param", "call"}},
  };
  if (field.owner == Entity::none || field.owner == Entity::tool || field.owner == Entity::param ||
      field.owner >= Entity::belief)
    return true;
  auto it = seen.find(field.owner);
  return it != seen.end() && it->second.count(field.name);
}

}  // namespace

void Checker::declare_belief(uint32_t module, const ast::Declaration& d, const ast::BeliefDecl& b) {
  if (!add_symbol(type_names_, b.name, Symbol::Kind::belief, program_.beliefs.size(), module, d)) return;
  Belief belief;
  belief.name = b.name.text;
  belief.module = program_.modules[module].name.text;
  belief.doc = d.doc.text;
  belief.span = b.name.span;
  belief.index = static_cast<uint16_t>(program_.beliefs.size());
  for (const ast::BeliefField& f : b.fields) {
    auto first = std::find_if(belief.fields.begin(), belief.fields.end(),
                              [&](const BeliefField& o) { return o.name == f.name.text; });
    if (first != belief.fields.end()) {
      Diagnostic& report = diagnostics_.report(Kind::duplicate_name, f.name.span,
                                               fmt::format("the belief already has a field `{}`", f.name.text));
      report.label = Label{first->span, "first declared here"};
      report.help = "give one of them another name";
      continue;
    }
    Type type;
    switch (f.kind) {
      case FieldKind::slots:
        type = Type::of(Entity::state_slots);
        break;
      case FieldKind::goal:
        type = Type::of(Entity::goal);
        break;
      case FieldKind::stack:
        type = Type::list_of(Type::of(Entity::goal));
        break;
      case FieldKind::last:
        type = Type::of(Entity::action).as_optional();
        break;
      case FieldKind::queue:
        type = Type::list_of(Type::of(Entity::question));
        break;
      case FieldKind::objects:
        type = Type::list_of(Type::of(Entity::object));
        break;
      case FieldKind::value:
        if (f.type) type = resolve_type(*f.type, module);
        if (type.is_entity(Entity::belief))
          type = error(Kind::type_mismatch, f.type->span, "a belief is not part of a belief").type;
        break;
    }
    belief.fields.push_back({f.kind, f.name.text, f.doc.text, f.name.span, type, new_variable(f.name.text, type), {}});
  }
  belief.confidence = new_variable("confidence", Type::of(Base::real));
  program_.variables[belief.confidence].range = Range::between(0, 1);
  program_.beliefs.push_back(std::move(belief));
}

void Checker::check_belief(uint32_t index, uint32_t module, const ast::BeliefDecl& d) {
  Env env;
  env.module = module;
  env.state = true;
  for (BeliefField& f : program_.beliefs[index].fields) {
    auto written = std::find_if(d.fields.begin(), d.fields.end(),
                                [&](const ast::BeliefField& w) { return w.name.text == f.name; });
    if (f.kind != FieldKind::value || f.type.failed()) continue;
    bool can_be_empty = f.type.optional || f.type.base == Base::list;
    if (written->default_value.empty()) {
      if (!can_be_empty)
        error(Kind::missing_part, f.span, fmt::format("field `{}` has no first value", f.name),
              fmt::format("write `{} : {} = VALUE`", f.name, program_.text(f.type)));
      continue;
    }
    Expr value = check_labelled(written->default_value[0], env, f.type, fmt::format("the first value of `{}`", f.name));
    if (!value.failed()) f.initial.push_back(std::move(value));
  }
  const Belief& belief = program_.beliefs[index];
  env.variables.emplace_back("confidence", belief.confidence);
  for (const BeliefField& f : belief.fields) env.variables.emplace_back(f.name, f.variable);
  static const std::map<std::string, std::pair<Event, Entity>> events = {{"user", {Event::user, Entity::message}},
                                                                         {"call", {Event::call, Entity::call}},
                                                                         {"result", {Event::result, Entity::result}},
                                                                         {"reply", {Event::reply, Entity::reply}}};
  std::map<std::string, Span> seen;
  std::vector<Handler> handlers;
  for (const ast::Handler& h : d.handlers) {
    auto it = events.find(h.event.text);
    if (it == events.end()) continue;
    if (auto [first, fresh] = seen.emplace(h.event.text, h.event.span); !fresh) {
      Diagnostic& report =
          diagnostics_.report(Kind::repeated_part, h.event.span, fmt::format("`on {}` is written twice", h.event.text));
      report.label = Label{first->second, "the first is here"};
      report.help = "join the two";
      continue;
    }
    Handler handler;
    handler.event = it->second.first;
    handler.span = h.span;
    handler.variable = new_variable(h.variable.text, Type::of(it->second.second));
    Env inner = env;
    inner.variables.emplace_back(h.variable.text, handler.variable);
    handler.body = check_statements(h.body, index, inner);
    handlers.push_back(std::move(handler));
  }
  program_.beliefs[index].handlers = std::move(handlers);
}

std::vector<Statement> Checker::check_statements(const std::vector<ast::Statement>& written, uint32_t belief,
                                                 Env& env) {
  std::vector<Statement> out;
  for (const ast::Statement& s : written) {
    Statement statement;
    statement.span = s.span;
    bool ok = check_statement(s, belief, env, statement);
    for (const std::vector<Expr>* part : {&statement.value, &statement.fallback, &statement.condition})
      for (const Expr& e : *part) ok = ok && check_observable(e, std::nullopt);
    if (ok) out.push_back(std::move(statement));
  }
  return out;
}

bool Checker::check_statement(const ast::Statement& s, uint32_t belief, Env& env, Statement& out) {
  using K = Statement::Kind;
  auto value_is = [&](Expr value) {
    bool ok = !value.failed();
    out.value.push_back(std::move(value));
    return ok;
  };
  // Confirmed values go to the slots of the belief, of which there must be one kind then.
  auto only_slots = [&](std::string_view verb) {
    const auto& fields = program_.beliefs[belief].fields;
    auto it =
        std::find_if(fields.begin(), fields.end(), [](const BeliefField& f) { return f.kind == FieldKind::slots; });
    if (it == fields.end()) {
      error(Kind::type_mismatch, s.span, fmt::format("`{}` needs slots, and this belief has none", verb),
            "add `slots confirmed`");
      return false;
    }
    out.field = static_cast<uint32_t>(it - fields.begin());
    return true;
  };
  switch (s.kind) {
    case StatementKind::assign:
      return check_assignment(s, belief, env, out);
    case StatementKind::call:
      return check_operation(s, belief, env, out);
    case StatementKind::when: {
      out.kind = K::when;
      Expr condition = check_condition(s.operands[0], env);
      Env inner = env;
      learn(s.operands[0], condition, inner);
      bool ok = value_is(std::move(condition));
      out.body = check_statements(s.body, belief, inner);
      out.otherwise = check_statements(s.otherwise, belief, env);
      return ok;
    }
    case StatementKind::overwrite:
      out.kind = K::overwrite;
      return find_place(s.operands[0], belief, env, {FieldKind::slots}, "overwrite", out.field) &&
             value_is(check_slot_values(s.operands[1], env, "overwrite"));
    case StatementKind::push: {
      out.kind = K::push;
      if (!find_place(s.operands[0], belief, env, {FieldKind::stack}, "push", out.field)) return false;
      Expr value = check(s.operands[1], env);
      if (!value.failed() && !value.type.is_entity(Entity::goal) && value.type.base != Base::text)
        value =
            error(Kind::type_mismatch, value.span, fmt::format("a stack holds goals, this is `{}`", type_text(value)));
      return value_is(std::move(value));
    }
    case StatementKind::pop: {
      out.kind = K::pop;
      if (!find_place(s.operands[0], belief, env, {FieldKind::stack}, "pop", out.field)) return false;
      if (s.operands.size() < 2) return true;
      uint32_t target = 0;
      if (!find_place(s.operands[1], belief, env, {FieldKind::goal}, "pop", target)) return false;
      out.target = target;
      return true;
    }
    case StatementKind::suspend:
    case StatementKind::resume: {
      bool suspends = s.kind == StatementKind::suspend;
      out.kind = suspends ? K::suspend : K::resume;
      return find_place(s.operands[0], belief, env, {FieldKind::queue}, suspends ? "suspend" : "resume", out.field);
    }
    case StatementKind::confirm:
    case StatementKind::unconfirm: {
      bool confirms = s.kind == StatementKind::confirm;
      out.kind = confirms ? K::confirm : K::unconfirm;
      std::string_view verb = confirms ? "confirm" : "unconfirm";
      return only_slots(verb) && value_is(check_slot_values(s.operands[0], env, verb));
    }
    case StatementKind::clear:
      out.kind = K::clear;
      return find_place(s.operands[0], belief, env,
                        {FieldKind::slots, FieldKind::goal, FieldKind::stack, FieldKind::last, FieldKind::queue,
                         FieldKind::objects, FieldKind::value},
                        "clear", out.field);
  }
  return false;
}

bool Checker::check_assignment(const ast::Statement& s, uint32_t belief, Env& env, Statement& out) {
  const ast::Expr& value = s.operands[1];
  if (value.kind == ExprKind::choose && value.children.size() == 2) {  // assigned only where the condition holds
    out.kind = Statement::Kind::when;
    Expr condition = check_condition(value.children[1], env);
    Env inner = env;
    learn(value.children[1], condition, inner);
    bool ok = !condition.failed();
    out.value.push_back(std::move(condition));
    ast::Statement plain = s;
    plain.operands[1] = value.children[0];
    out.body = check_statements({plain}, belief, inner);
    return ok;
  }
  out.kind = Statement::Kind::assign;
  if (!find_place(s.operands[0], belief, env, {FieldKind::goal, FieldKind::last, FieldKind::value}, "=", out.field))
    return false;
  const BeliefField field = program_.beliefs[belief].fields[out.field];
  if (field.type.failed()) return false;
  Expr x;
  if (field.kind == FieldKind::value) {
    x = check_labelled(value, env, field.type, fmt::format("`{}`", field.name));
  } else {
    x = check(value, env);
    bool fits = field.kind == FieldKind::goal ? x.type.base == Base::text || x.type.is_entity(Entity::goal)
                                              : x.type == Type::of(Entity::call) || x.type == Type::of(Entity::result);
    if (!x.failed() && !fits)
      x = error(Kind::type_mismatch, x.span,
                fmt::format("`{}` is {}: it takes {}, this is `{}`", field.name, describe(field.kind),
                            field.kind == FieldKind::goal ? "a text or a goal" : "a call, or the result of one",
                            type_text(x)));
  }
  bool ok = !x.failed();
  out.value.push_back(std::move(x));
  for (const ast::Expr& e : s.fallback) {
    Expr fallback = check(e, env);
    if (!fallback.failed() && fallback.type != field.type)
      fallback = error(Kind::type_mismatch, fallback.span,
                       fmt::format("`{}` is `{}`, this judge gives `{}`", field.name, program_.text(field.type),
                                   type_text(fallback)));
    ok = ok && !fallback.failed();
    out.fallback.push_back(std::move(fallback));
  }
  for (const ast::Expr& e : s.condition) {
    Expr condition = check_condition(e, env);
    ok = ok && !condition.failed();
    out.condition.push_back(std::move(condition));
  }
  return ok;
}

// pending.add(a.missing), objects.remove(o)
bool Checker::check_operation(const ast::Statement& s, uint32_t belief, Env& env, Statement& out) {
  const ast::Expr& call = s.operands[0];
  if (call.kind != ExprKind::call) return false;
  const ast::Expr& callee = call.children[0];
  if (callee.kind != ExprKind::field) {
    error(Kind::misplaced_expression, call.span, "a function changes nothing: as a statement it does nothing",
          "assign its value: `NAME = VALUE`");
    return false;
  }
  if (!find_place(callee.children[0], belief, env, {FieldKind::queue, FieldKind::objects}, callee.text, out.field))
    return false;
  const BeliefField field = program_.beliefs[belief].fields[out.field];
  const std::vector<std::string> operations = {"add", "remove"};
  if (callee.text != "add" && callee.text != "remove") {
    std::string near = nearest(callee.text, operations);
    error(Kind::unknown_field, callee.name_span,
          fmt::format("unknown operation `{}` of {}", callee.text, describe(field.kind)),
          near.empty() ? "its operations are `add` and `remove`" : fmt::format("did you mean `{}`?", near));
    return false;
  }
  out.kind = callee.text == "add" ? Statement::Kind::add : Statement::Kind::remove;
  if (call.children.size() != 2) {
    error(Kind::wrong_arguments, call.span,
          fmt::format("`{}.{}` takes 1 argument, this gives {}", field.name, callee.text, call.children.size() - 1));
    return false;
  }
  Expr value = check(call.children[1], env);
  if (value.failed()) return false;
  Type type = value.type.present();
  bool adds = out.kind == Statement::Kind::add;
  bool fits = field.kind == FieldKind::queue ? type.is(Base::text) || type == Type::list_of(Type::of(Base::text)) ||
                                                   (!adds && type.is_entity(Entity::question))
                                             : type.is_entity(adds ? Entity::result : Entity::object);
  if (!fits) {
    std::string_view wanted = field.kind == FieldKind::queue ? "what is missing: a text or a list of texts"
                              : adds                         ? "a result"
                                                             : "an object";
    error(Kind::type_mismatch, value.span,
          fmt::format("`{}.{}` takes {}, this is `{}`", field.name, callee.text, wanted, type_text(value)));
    return false;
  }
  out.value.push_back(std::move(value));
  return true;
}

bool Checker::find_place(const ast::Expr& place, uint32_t belief, const Env& env,
                         std::initializer_list<FieldKind> kinds, std::string_view verb, uint32_t& field) {
  const std::vector<BeliefField>& fields = program_.beliefs[belief].fields;
  if (place.kind != ExprKind::name) {
    error(Kind::misplaced_expression, place.span, "only a field of the belief can be changed",
          "write the name of the field alone");
    return false;
  }
  const uint32_t* variable = variable_named(place.text, env);
  auto it = std::find_if(fields.begin(), fields.end(), [&](const BeliefField& f) { return f.name == place.text; });
  if (it == fields.end() || !variable || *variable != it->variable) {
    if (variable) {
      error(Kind::misplaced_expression, place.span,
            fmt::format("`{}` is not a field of the belief: it cannot be changed", place.text));
      return false;
    }
    std::vector<std::string> names;
    for (const BeliefField& f : fields) names.push_back(f.name);
    std::string near = nearest(place.text, names);
    error(Kind::unknown_name, place.span, fmt::format("the belief has no field `{}`", place.text),
          !near.empty()   ? fmt::format("did you mean `{}`?", near)
          : names.empty() ? ""
                          : fmt::format("its fields are {}", fmt::join(names, ", ")));
    return false;
  }
  field = static_cast<uint32_t>(it - fields.begin());
  if (std::find(kinds.begin(), kinds.end(), it->kind) != kinds.end()) return true;
  std::string help;
  if (it->kind == FieldKind::slots) help = fmt::format("write `overwrite {} with VALUES`", place.text);
  if (it->kind == FieldKind::stack) help = fmt::format("write `push {} GOAL`, or `pop {}`", place.text, place.text);
  if (it->kind == FieldKind::queue || it->kind == FieldKind::objects)
    help = fmt::format("write `{0}.add(VALUE)`, or `clear {0}`", place.text);
  error(Kind::type_mismatch, place.span,
        fmt::format("`{}` does not go with {}: `{}`", verb, describe(it->kind), place.text), help);
  return false;
}

Expr Checker::check_slot_values(const ast::Expr& e, Env& env, std::string_view verb) {
  Expr x = check(e, env);
  if (x.failed()) return x;
  if (x.type == Type::list_of(Type::of(Entity::state_slot)) || x.type == Type::list_of(Type::of(Entity::arg))) return x;
  return error(Kind::type_mismatch, x.span,
               fmt::format("`{}` takes values of parameters, this is `{}`", verb, type_text(x)),
               "for example `mentioned(m.text, action)`, or the arguments of a call");
}

Expr Checker::check_labelled(const ast::Expr& e, Env& env, Type wanted, std::string_view what) {
  bool label = wanted.base == Base::enumeration &&
               (e.kind == ExprKind::none ||
                (e.kind == ExprKind::name && !variable_named(e.text, env) && !find(e.text, env.module)));
  if (label) {
    const EnumInfo& info = program_.enums[wanted.enumeration];
    std::string written = e.kind == ExprKind::none ? "none" : e.text;
    auto it = std::find(info.labels.begin(), info.labels.end(), written);
    if (it != info.labels.end()) {
      Expr x;
      x.op = Op::label;
      x.type = wanted.present();
      x.span = e.span;
      x.integer = it - info.labels.begin();
      return x;
    }
    if (e.kind == ExprKind::name) {
      std::string near = nearest(written, info.labels);
      return error(Kind::unknown_label, e.span, fmt::format("`{}` is not a label of `{}`", written, info.name),
                   near.empty() ? fmt::format("its labels are {}", fmt::join(info.labels, ", "))
                                : fmt::format("did you mean `{}`?", near));
    }
  }
  if (wanted.optional && e.kind == ExprKind::none) {
    Expr x;
    x.op = Op::absent;
    x.type = wanted;
    x.span = e.span;
    return x;
  }
  return check_as(e, env, wanted, what);
}

// A belief sees messages, calls and results as they come: no gold, nothing that lies ahead. `within`: the call of the
// function that `e` is in.
bool Checker::check_observable(const Expr& e, std::optional<Span> within) {
  if (e.failed()) return true;
  std::string what;
  if (e.op == Op::field && !is_observable(*e.field))
    what = fmt::format("`{}` of a `{}`", e.field->name, info(e.field->owner).name);
  if (e.op == Op::granted) what = "what a dialogue comes with";
  if (e.op == Op::back) what = "earlier calls";
  if (!what.empty()) {
    error(Kind::not_observable, within.value_or(e.span), fmt::format("a belief cannot see {}", what),
          "it sees messages, calls, results and replies as they come; what it must remember goes into its fields");
    return false;
  }
  auto all = [&](const std::vector<Expr>& parts) {
    return std::all_of(parts.begin(), parts.end(), [&](const Expr& x) { return check_observable(x, within); });
  };
  if (e.op == Op::call && !program_.functions[e.index].recursive)
    for (const Expr& body : program_.functions[e.index].body)
      if (!check_observable(body, within.value_or(e.span))) return false;
  for (const Loop& l : e.loops)
    if (!all(l.source) || !all(l.conditions)) return false;
  return all(e.children);
}

}  // namespace wend::sema
