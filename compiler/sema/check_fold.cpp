// Folds: sum, count, any, all, mean, min, max, first, last over lists and detectors.
#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "compiler/sema/checker.h"

namespace wend::sema {
namespace {

std::optional<FoldKind> fold_named(const std::string& name) {
  static const std::map<std::string, FoldKind> kinds = {
      {"count", FoldKind::count}, {"sum", FoldKind::sum},     {"any", FoldKind::any},
      {"all", FoldKind::all},     {"mean", FoldKind::mean},   {"min", FoldKind::min},
      {"max", FoldKind::max},     {"first", FoldKind::first}, {"last", FoldKind::last}};
  auto it = kinds.find(name);
  return it == kinds.end() ? std::nullopt : std::optional(it->second);
}

Expr field_of(Expr owner, const Field& field, Span span, uint32_t granted) {
  Expr x;
  x.op = Op::field;
  x.type = field.type;
  x.span = span;
  x.field = &field;
  x.range = field.range;
  x.requirements = owner.requirements | (field.requirements & ~granted);
  x.children.push_back(std::move(owner));
  return x;
}

// The dataset's lists, for metrics: all traces, all turns...
const std::map<std::string, Entity>& dataset_lists() {
  static const std::map<std::string, Entity> lists = {
      {"traces", Entity::trace}, {"turns", Entity::turn},   {"messages", Entity::message}, {"calls", Entity::call},
      {"args", Entity::arg},     {"chains", Entity::chain}, {"drafts", Entity::draft}};
  return lists;
}

std::string list_path(const Expr& e) {
  if (e.op == Op::variable) return e.text;
  if (e.op != Op::field) return "";
  std::string base = list_path(e.children[0]);
  return base.empty() ? "" : base + "." + std::string(e.field->name);
}

}  // namespace

std::string extent_of(const Expr& e) {
  if (e.op == Op::to_real) return extent_of(e.children[0]);
  if (e.op == Op::maximum) {
    std::string a = extent_of(e.children[0]), b = extent_of(e.children[1]);
    return a + "|" + b;
  }
  if (e.op == Op::count) return list_path(e.children[0]);
  if (e.op == Op::fold && e.fold_kind == FoldKind::count && !e.dataset) {
    if (e.loops[0].source.empty()) return "";
    std::string path = list_path(e.loops[0].source[0]);
    for (size_t i = 1; i < e.loops.size() && !path.empty(); ++i) {
      const Expr& s = e.loops[i].source[0];
      bool follows =
          s.op == Op::field && s.children[0].op == Op::variable && s.children[0].index == e.loops[i - 1].variable;
      if (!follows) return "";
      path += ".";
      path += s.field->name;
    }
    return path;
  }
  return "";
}

// The loop over all elements of a kind; the loops through the lists that lead there are added to the fold.
Loop Checker::dataset_loop(Entity entity, const ast::Clause& clause, Expr& fold, const Env& env) {
  const Span span = clause.source[0].span;
  Loop loop;
  loop.element = Type::of(entity);
  loop.variable = 0;  // the trace itself
  if (entity == Entity::trace) return loop;
  auto path = path_between(Entity::trace, entity);
  Expr owner;
  owner.op = Op::variable;
  owner.type = Type::of(Entity::trace);
  owner.span = span;
  owner.text = "trace";
  for (size_t i = 0; i < path.size(); ++i) {
    const Field* f = find_field(owner.type, path[i]);
    Expr list = field_of(owner, *f, span, env.granted);
    fold.requirements |= list.requirements;
    loop.element = f->type.element_type();
    loop.variable = new_variable(i + 1 == path.size() ? clause.variable.text : "", loop.element);
    loop.source = {std::move(list)};
    if (i + 1 == path.size()) break;
    owner = Expr{};
    owner.op = Op::variable;
    owner.type = loop.element;
    owner.index = loop.variable;
    owner.span = span;
    fold.loops.push_back(std::move(loop));
    loop = Loop{};
  }
  return loop;
}

bool Checker::bind_loop(const ast::Clause& clause, bool first, Expr& fold, Env& env) {
  Loop loop;
  const ast::Expr& written = clause.source[0];
  bool dataset = first && env.metric && written.kind == ast::ExprKind::name && dataset_lists().count(written.text) &&
                 !variable_named(written.text, env);
  uint32_t earlier_than = 0xFFFFFFFFu;
  if (dataset) {
    fold.dataset = true;
    loop = dataset_loop(dataset_lists().at(written.text), clause, fold, env);
    env.variables.emplace_back(clause.variable.text, loop.variable);
  } else {
    Expr source;
    if (written.kind == ast::ExprKind::range) {
      Type integer = Type::of(Base::integer);
      Expr low = check_as(written.children[0], env, integer, "a range's bound");
      Expr high = check_as(written.children[1], env, integer, "a range's bound");
      if (low.failed() || high.failed()) return false;
      if (high.range.bound > kMaxElements) {
        error(Kind::unbounded_range, written.span, "this range has no static bound", "end it with a number or a count");
        return false;
      }
      source.op = Op::range;
      source.type = Type::list_of(integer);
      source.span = written.span;
      source.requirements = low.requirements | high.requirements;
      source.range = hull(low.range, high.range);
      source.children.push_back(std::move(low));
      source.children.push_back(std::move(high));
    } else {
      source = check(written, env);
    }
    if (source.failed()) return false;
    if (source.type.base != Base::list) {
      std::string help;
      if (source.type.base == Base::entity) {
        for (const std::string& name : field_names(source.type.present()))
          if (find_field(source.type.present(), name)->type.base == Base::list) {
            help = fmt::format("for example `{}.{}`", sources_.text(source.span), name);
            break;
          }
        // `count(hit in t)` without the module that declares the detector looks like a loop, too.
        help = help_for_unknown(NameSpace::value, clause.variable.text, written.span.file, {}, help);
      }
      error(Kind::type_mismatch, written.span, fmt::format("`for` runs over a list, this is `{}`", type_text(source)),
            help);
      return false;
    }
    if (source.op == Op::field && source.field->earlier && source.children[0].op == Op::variable)
      earlier_than = source.children[0].index;
    loop.element = source.type.element_type();
    loop.variable = new_variable(clause.variable.text, loop.element, earlier_than);
    if (source.op == Op::range) program_.variables[loop.variable].range = source.range;
    fold.requirements |= source.requirements;
    loop.source.push_back(std::move(source));
    env.variables.emplace_back(clause.variable.text, loop.variable);
  }
  bool ok = true;
  if (!clause.index.text.empty()) {
    if (fold.op != Op::comprehension) {
      error(Kind::misplaced_expression, clause.index.span,
            "only lists and objects made with `for` count their elements");
      return false;
    }
    uint32_t position = new_variable(clause.index.text, Type::of(Base::integer));
    program_.variables[position].range = Range::count();
    loop.position = position;
    env.variables.emplace_back(clause.index.text, position);
  }
  for (const ast::Expr& c : clause.conditions) {
    Expr condition = check_condition(c, env);
    ok = ok && !condition.failed();
    learn(c, condition, env);
    fold.requirements |= condition.requirements;
    loop.conditions.push_back(std::move(condition));
  }
  fold.loops.push_back(std::move(loop));
  return ok;
}

Expr Checker::check_fold(const ast::Expr& e, Env& env) {
  auto kind = fold_named(e.text);
  if (!kind) return failed(e.span);
  const bool has_body = !e.children.empty();
  // count(hit in u), any(hit in u): a detector's elements
  if (!has_body && e.clauses.size() == 1) {
    ast::Expr name;
    name.kind = ast::ExprKind::name;
    name.text = e.clauses[0].variable.text;
    name.span = e.clauses[0].variable.span;
    if (const Symbol* d = detector_named(name, env)) {
      if (!e.clauses[0].conditions.empty())
        return error(Kind::misplaced_expression, e.clauses[0].conditions[0].span, "a detector's elements take no `if`",
                     fmt::format("write `{}(x for x in ... if {}(x) and ...)`", e.text, name.text));
      return fold_over_detector(e, d->index, *kind, e.clauses[0].source[0], env);
    }
  }
  if (!has_body && *kind != FoldKind::count && *kind != FoldKind::any)
    return error(Kind::misplaced_expression, e.span,
                 fmt::format("`{}` needs what it folds: `{} (VALUE for x in LIST)`", e.text, e.text));
  Expr fold;
  fold.op = Op::fold;
  fold.fold_kind = *kind;
  fold.distinct = e.distinct;
  fold.span = e.span;
  Env inner = env;
  inner.guarded = false;
  for (size_t i = 0; i < e.clauses.size(); ++i) {
    if (!bind_loop(e.clauses[i], i == 0, fold, inner)) {
      // the body is not worth reporting on: its variables have no type
      return failed(e.span);
    }
    if (fold.dataset) inner.metric = false;
  }
  if (has_body) {
    bool condition = *kind == FoldKind::any || *kind == FoldKind::all;
    Expr body = condition ? check_condition(e.children[0], inner) : check(e.children[0], inner);
    if (body.failed()) return failed(e.span);
    fold.requirements |= body.requirements;
    if (*kind != FoldKind::count || e.distinct) {
      fold.children.push_back(std::move(body));
    } else if (body.type.is(Base::boolean) || body.type.base == Base::list) {
      // count(p for x in xs) counts where p holds; count(x for x in xs) counts the elements
      if (body.type.base == Base::list) body = check_condition(e.children[0], inner);
      fold.loops.back().conditions.push_back(std::move(body));
    } else if (body.type.optional) {
      Expr there;
      there.op = Op::exists;
      there.type = Type::of(Base::boolean);
      there.span = body.span;
      there.requirements = body.requirements;
      there.children.push_back(std::move(body));
      fold.loops.back().conditions.push_back(std::move(there));
    }
  }
  return finish_fold(std::move(fold), e, env, env.guarded);
}

// Type and range of a fold whose loops and body are checked.
Expr Checker::finish_fold(Expr fold, const ast::Expr& e, Env& env, bool outer_guarded) {
  Expr* body = fold.children.empty() ? nullptr : &fold.children[0];
  const bool bare =
      fold.fold_kind == FoldKind::count || fold.fold_kind == FoldKind::any || fold.fold_kind == FoldKind::all;
  if (!body && !bare) return failed(e.span);  // said before
  auto number = [&]() {
    if (body->type.is(Base::boolean)) {
      Expr x;
      x.op = Op::to_int_from_bool;
      x.type = Type::of(Base::integer);
      x.range = Range::between(0, 1);
      x.span = body->span;
      x.requirements = body->requirements;
      x.children.push_back(std::move(*body));
      *body = std::move(x);
    }
    if (body->type.numeric()) return true;
    error(Kind::type_mismatch, body->span, fmt::format("`{}` needs numbers, this is `{}`", e.text, type_text(*body)));
    return false;
  };
  if (fold.distinct && (fold.fold_kind != FoldKind::count || fold.loops.size() != 1 || !body))
    return error(Kind::misplaced_expression, e.span, "`distinct` goes with `count` and one `for`",
                 "write `count(distinct x.tool for x in xs)`");
  if (fold.dataset && fold.fold_kind != FoldKind::count && fold.fold_kind != FoldKind::sum &&
      fold.fold_kind != FoldKind::mean)
    return error(Kind::misplaced_expression, e.span, "over a whole data set there are `count`, `sum` and `mean`");
  if (fold.dataset && fold.distinct)
    return error(Kind::misplaced_expression, e.span, "`distinct` does not go over a whole data set");
  switch (fold.fold_kind) {
    case FoldKind::count:
      if (fold.distinct && !require_present(*body)) return failed(e.span);
      fold.type = Type::of(Base::integer);
      fold.range = Range::count();
      break;
    case FoldKind::sum:
      if (!number() || !require_present(*body)) return failed(e.span);
      fold.type = body->type;
      fold.range = repeated(body->range);
      if (fold.type.base == Base::integer && fold.range.bound > 4e18)
        return error(Kind::integer_overflow, e.span, "this integer may not fit in 64 bits", "sum reals: `1.0 * ...`");
      break;
    case FoldKind::mean:
      if (!number() || !require_present(*body)) return failed(e.span);
      to_real(*body);
      fold.type = Type::of(Base::real);
      fold.range = body->range;
      if (!fold.dataset && !outer_guarded)
        return error(Kind::unguarded_division, e.span, "the mean of nothing has no value",
                     fmt::format("say what it is then: `{} else 0`", sources_.text(e.span)));
      break;
    case FoldKind::any:
    case FoldKind::all:
      fold.type = Type::of(Base::boolean);
      break;
    case FoldKind::min:
    case FoldKind::max:
      if (!number()) return failed(e.span);
      fold.type = body->type.as_optional();
      fold.range = body->range;
      break;
    case FoldKind::first:
    case FoldKind::last:
      if (body->type.base == Base::list || body->type.base == Base::boolean)
        return error(Kind::type_mismatch, body->span,
                     fmt::format("`{}` picks an element or a value, this is `{}`", e.text, type_text(*body)));
      fold.type = body->type.as_optional();
      fold.range = body->range;
      break;
  }
  if (fold.dataset) to_real(fold);
  (void)env;
  return fold;
}

// `D in x`, count(D in x): D over every element of its type inside x.
Expr Checker::fold_over_detector(const ast::Expr& e, uint32_t detector, FoldKind kind, const ast::Expr& scope,
                                 Env& env) {
  program_.functions[detector].used = true;
  check_function(detector);
  const Function& d = program_.functions[detector];
  if (d.body.empty() || d.body[0].failed()) return failed(e.span);
  if (kind != FoldKind::count && kind != FoldKind::any && kind != FoldKind::all)
    return error(Kind::misplaced_expression, e.span,
                 fmt::format("a detector says yes or no: it is counted, not folded with `{}`", e.text),
                 fmt::format("write `count({} in ...)`", d.name));
  Expr fold;
  fold.op = Op::fold;
  fold.fold_kind = kind;
  fold.span = e.span;
  Env inner = env;
  inner.guarded = false;
  Type subject = program_.variables[d.parameters[0]].type;
  Expr owner = check(scope, inner);
  if (owner.failed()) return failed(e.span);
  if (owner.type.base == Base::list && owner.type.element_type() == subject) {
    Loop loop;
    loop.element = subject;
    loop.variable = new_variable("", subject);
    fold.requirements |= owner.requirements;
    loop.source.push_back(std::move(owner));
    fold.loops.push_back(std::move(loop));
  } else {
    auto path = owner.type.base == Base::entity ? path_between(owner.type.entity, subject.entity)
                                                : std::vector<std::string_view>{};
    if (path.empty())
      return error(
          Kind::type_mismatch, scope.span,
          fmt::format("`{}` is on `{}`; a `{}` has none inside", d.name, program_.text(subject), type_text(owner)),
          owner.type.present() == subject ? fmt::format("write `{}({})`", d.name, sources_.text(scope.span)) : "");
    if (!require_present(owner)) return failed(e.span);
    for (std::string_view name : path) {
      const Field* f = find_field(owner.type, name);
      Expr list = field_of(std::move(owner), *f, scope.span, env.granted);
      fold.requirements |= list.requirements;
      Loop loop;
      loop.element = f->type.element_type();
      loop.variable = new_variable("", loop.element);
      loop.source.push_back(std::move(list));
      owner = Expr{};
      owner.op = Op::variable;
      owner.type = loop.element;
      owner.index = loop.variable;
      owner.span = scope.span;
      fold.loops.push_back(std::move(loop));
    }
  }
  Expr element;
  element.op = Op::variable;
  element.type = subject;
  element.index = fold.loops.back().variable;
  element.span = scope.span;
  Expr call;
  call.op = Op::call;
  call.index = detector;
  call.type = Type::of(Base::boolean);
  call.span = e.kind == ast::ExprKind::fold ? e.clauses[0].variable.span  // the detector's name
              : e.binary == ast::BinaryOp::has || e.binary == ast::BinaryOp::has_not ? e.children[1].span
                                                                                     : e.children[0].span;
  call.requirements = d.requirements & ~env.granted;
  call.children.push_back(std::move(element));
  fold.requirements |= call.requirements;
  if (kind == FoldKind::count) {
    fold.loops.back().conditions.push_back(std::move(call));
    fold.type = Type::of(Base::integer);
    fold.range = Range::count();
  } else {
    fold.children.push_back(std::move(call));
    fold.type = Type::of(Base::boolean);
  }
  return fold;
}

}  // namespace wend::sema
