// Values of beliefs and renders: texts with holes, JSON, lists made with `for`, the functions that read a belief.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "compiler/sema/checker.h"
#include "compiler/sema/make.h"
#include "compiler/syntax/parser.h"

namespace wend::sema {

using ast::ExprKind;

namespace {

bool is_plain(Type type) {
  Base base = type.base == Base::list ? type.element : type.base;
  return base == Base::text || base == Base::json || base == Base::integer || base == Base::real ||
         base == Base::boolean;
}

// What a scenario's texts can say of the domain: the name of a parameter or of a tool.
bool is_spoken(Type type) {
  return type.base == Base::entity &&
         (type.entity == Entity::arg || type.entity == Entity::param || type.entity == Entity::tool);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = {"classify", "mentioned", "resolved", "keys",
                                                 "name",     "excerpt",   "tokens"};
  return names;
}

}  // namespace

Expr Checker::check_fill(const ast::Expr& text, Env& env) {
  auto parts = parse_template(sources_, text.span, diagnostics_);
  if (!parts) return failed(text.span);
  Expr x = make(Op::fill, Type::of(Base::text), text.span);
  bool ok = true;
  for (const TextPart& part : *parts) {
    if (!part.hole) {
      x.text += part.text;
      continue;
    }
    Expr hole = check(*part.hole, env);
    bool fits = is_plain(hole.type) || (env.scenario && is_spoken(hole.type));
    if (!hole.failed() && !fits) {
      std::string help =
          hole.type.base == Base::enumeration ? fmt::format("write `{{name({})}}`", sources_.text(hole.span)) : "";
      hole =
          error(Kind::type_mismatch, hole.span,
                fmt::format("a hole takes a text, a value, a number or a list of these, this is `{}`", type_text(hole)),
                help);
    }
    ok = ok && !hole.failed();
    x.text += fmt::format("{{{}}}", x.children.size());
    x.requirements |= hole.requirements;
    x.children.push_back(std::move(hole));
  }
  if (!ok) return failed(text.span);
  if (x.children.empty()) {
    x.op = Op::text;
    x.text = text.text;
  }
  return x;
}

Expr Checker::check_json(const ast::Expr& e, Env& env) {
  Type json = Type::of(Base::json);
  if (e.kind == ExprKind::none) return make(Op::absent, json.as_optional(), e.span);
  if (e.kind == ExprKind::choose && e.children.size() == 3) {
    Expr condition = check_condition(e.children[1], env);
    Env inner = env;
    learn(e.children[1], condition, inner);
    Expr yes = check_json(e.children[0], inner), no = check_json(e.children[2], env);
    if (condition.failed() || yes.failed() || no.failed()) return failed(e.span);
    return make(Op::choose, json, e.span, {std::move(condition), std::move(yes), std::move(no)});
  }
  if (e.kind == ExprKind::object || e.kind == ExprKind::list) {
    const bool object = e.kind == ExprKind::object;
    Expr x = make(e.clauses.empty() ? (object ? Op::object : Op::array)
                  : object          ? Op::object
                                    : Op::comprehension,
                  json, e.span);
    Env inner = env;
    const Op op = x.op;
    x.op = Op::comprehension;  // whose elements are counted
    for (size_t i = 0; i < e.clauses.size(); ++i)
      if (!bind_loop(e.clauses[i], i == 0, x, inner)) return failed(e.span);
    x.op = op;
    bool ok = true;
    std::set<std::string> keys;
    for (size_t i = 0; i < e.children.size(); ++i) {
      if (object) {
        const ast::Name& key = e.keys[i];
        if (!keys.insert(key.text).second)
          ok = !error(Kind::duplicate_name, key.span, fmt::format("the object already has a key `{}`", key.text),
                      "give one of them another name")
                    .failed() &&
               ok;
        ast::Expr written;
        written.kind = ExprKind::text;
        written.text = key.text;
        written.span = key.span;
        Expr name = make(Op::text, Type::of(Base::text), key.span);
        name.text = key.text;
        if (sources_.text(key.span).starts_with('"')) name = check_fill(written, inner);
        ok = ok && !name.failed();
        x.children.push_back(std::move(name));
      }
      x.children.push_back(check_json(e.children[i], inner));
      ok = ok && !x.children.back().failed();
    }
    return ok ? x : failed(e.span);
  }
  Expr x = check(e, env);
  if (x.failed() || is_plain(x.type)) return x;
  std::string help;
  if (x.type.base == Base::enumeration) help = fmt::format("write `name({})`", sources_.text(x.span));
  if (x.type.base == Base::list)
    help = fmt::format("write `[x.text for x in {}]`, with the field that you mean", sources_.text(x.span));
  if (x.type.base == Base::entity) {
    std::vector<std::string> fields = field_names(x.type.present());
    if (!fields.empty())
      help = fmt::format("write one of its fields, for example `{}.{}`", sources_.text(x.span), fields[0]);
  }
  return error(Kind::type_mismatch, x.span, fmt::format("`{}` is not a JSON value", type_text(x)), help);
}

Expr Checker::check_comprehension(const ast::Expr& e, Env& env) {
  Expr x = make(Op::comprehension, {}, e.span);
  Env inner = env;
  for (size_t i = 0; i < e.clauses.size(); ++i)
    if (!bind_loop(e.clauses[i], i == 0, x, inner)) return failed(e.span);
  if (e.children.empty()) return failed(e.span);
  Expr body = check(e.children[0], inner);
  if (body.failed() || !require_present(body)) return failed(e.span);
  if (body.type.base == Base::list) return error(Kind::type_mismatch, body.span, "there are no lists of lists");
  x.type = Type::list_of(body.type);
  x.children.push_back(std::move(body));
  return x;
}

Expr Checker::check_lookup(const ast::Expr& e, Env& env) {
  Expr owner = check(e.children[0], env), key = check(e.children[1], env);
  if (owner.failed() || key.failed()) return failed(e.span);
  if (!owner.type.is_entity(Entity::state_slots) || owner.type.optional)
    return error(Kind::type_mismatch, e.children[0].span,
                 fmt::format("only slots are looked up by a key, this is `{}`", type_text(owner)));
  if (!key.type.is(Base::text))
    return error(Kind::type_mismatch, key.span,
                 fmt::format("the key of a slot is a text, `tool.param`; this is `{}`", type_text(key)));
  return make(Op::lookup, Type::of(Entity::state_slot).as_optional(), e.span, {std::move(owner), std::move(key)});
}

std::optional<Expr> Checker::check_belief_field(const ast::Expr& e, const Expr& owner) const {
  if (!owner.type.is_entity(Entity::belief) || owner.type.optional) return std::nullopt;
  const Belief& belief = program_.beliefs[owner.type.enumeration];
  for (uint32_t i = 0; i < belief.fields.size(); ++i) {
    if (belief.fields[i].name != e.text) continue;
    Expr x = make(Op::belief_field, belief.fields[i].type, e.span, {owner});
    x.index = i;
    if (x.type.numeric()) x.range = program_.variables[belief.fields[i].variable].range;
    return x;
  }
  return std::nullopt;
}

// The label of a text under the cues in scope.
Expr Checker::check_classify(const ast::Expr& e, const std::vector<const ast::Expr*>& args, Env& env) {
  std::vector<const Cues*> found;
  for (const Cues& c : program_.cues) {
    bool visible = c.module == program_.modules[env.module].name.text;
    for (uint32_t used : used_[env.module]) visible = visible || c.module == program_.modules[used].name.text;
    if (visible) found.push_back(&c);
  }
  if (found.empty())
    return error(Kind::unknown_name, e.span, "there are no cues to classify by",
                 "declare them: `cues ENUM { LABEL : \"phrase\" }`");
  if (found.size() > 1) {
    Expr x = error(Kind::duplicate_name, e.span,
                   fmt::format("cues of `{}` and of `{}` are in scope", program_.enums[found[0]->enumeration].name,
                               program_.enums[found[1]->enumeration].name),
                   "put each belief with its cues in a module of its own");
    return x;
  }
  uint16_t enumeration = found[0]->enumeration;
  if (args.size() != 1) return error(Kind::wrong_arguments, e.span, "`classify` is used as `classify(TEXT)`");
  Expr text = check(*args[0], env);
  if (text.failed()) return failed(e.span);
  if (text.type.base != Base::text)
    return error(Kind::type_mismatch, text.span, fmt::format("`classify` takes a text, this is `{}`", type_text(text)),
                 text.type.is_entity(Entity::message) ? fmt::format("write `{}.text`", sources_.text(text.span)) : "");
  Expr x = make(Op::classify, Type::enum_of(enumeration), e.span, {std::move(text)});
  x.index = static_cast<uint32_t>(found[0] - program_.cues.data());
  return x;
}

std::optional<Expr> Checker::check_state_function(const ast::Expr& e, const std::string& name,
                                                  const std::vector<const ast::Expr*>& args, Env& env) {
  const auto& names = function_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  if (!env.state)
    return error(Kind::misplaced_expression, e.span,
                 fmt::format("`{}` reads a belief state; it has no place here", name),
                 "it is for the handlers of a belief, `render` blocks, and functions of a belief");
  if (name == "classify") return check_classify(e, args, env);
  std::vector<Expr> given;
  for (const ast::Expr* a : args) {
    given.push_back(check(*a, env));
    if (given.back().failed()) return failed(e.span);
  }
  auto wrong = [&](std::string_view usage) {
    return error(Kind::wrong_arguments, e.span, fmt::format("`{}` is used as `{}`", name, usage));
  };
  auto is = [&](size_t i, Type type) { return i < given.size() && given[i].type.present() == type; };
  Type text = Type::of(Base::text);
  if (name == "mentioned") {
    bool tool = given.size() == 1 || is(1, Type::of(Entity::action)) || is(1, Type::of(Entity::tool));
    if (given.size() > 2 || !is(0, text) || !tool) return wrong("mentioned(TEXT, ACTION)");
    return make(Op::mentioned, Type::list_of(Type::of(Entity::state_slot)), e.span, std::move(given));
  }
  if (name == "resolved") {
    if (given.size() != 2 || !is(0, text) || !is(1, Type::list_of(Type::of(Entity::object))))
      return wrong("resolved(TEXT, OBJECTS)");
    return make(Op::resolved, Type::list_of(Type::of(Entity::reference)), e.span, std::move(given));
  }
  if (name == "keys") {
    if (given.size() != 1 || !is(0, Type::list_of(Type::of(Entity::state_slot)))) return wrong("keys(SLOTS.active)");
    return make(Op::keys, Type::list_of(text), e.span, std::move(given));
  }
  if (name == "name") {
    if (given.size() != 1 || given[0].type.base != Base::enumeration || given[0].type.optional)
      return wrong("name(LABEL)");
    return make(Op::label_name, text, e.span, std::move(given));
  }
  if (name == "excerpt") {
    if (given.size() != 2 || !is(0, text) || !given[1].type.is(Base::integer)) return wrong("excerpt(TEXT, INT)");
    if (given[1].range.low < 0)
      return error(Kind::type_mismatch, given[1].span,
                   "`excerpt` takes so many characters: the number may not be negative");
    Type type = given[0].type;
    return make(Op::excerpt, type, e.span, std::move(given));
  }
  if (given.size() != 1 || !is(0, Type::of(Entity::history))) return wrong("tokens(history)");
  Expr x = make(Op::tokens, Type::of(Base::integer), e.span, std::move(given));
  x.range = Range::count();
  return x;
}

}  // namespace wend::sema
