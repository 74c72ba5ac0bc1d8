// Params, functions, metrics, judges; the order in which a program is checked.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "compiler/sema/checker.h"
#include "compiler/syntax/parser.h"

namespace wend::sema {

void Checker::run(const std::vector<std::vector<uint32_t>>& used, const std::vector<bool>& main) {
  used_ = used;
  size_t n = program_.modules.size();
  names_.resize(n);
  type_names_.resize(n);
  judge_names_.resize(n);
  program_.enums = builtin_enums();
  for (const Diagnostic& d : diagnostics_.all())
    if (info(d.kind).severity == Severity::error) syntax_errors_.push_back(d.span);
  for (Span e : syntax_errors_) incomplete_files_.insert(e.file);
  for (uint32_t m = 0; m < n; ++m)  // in dependency order: what a module uses comes before it
    for (uint32_t u : used_[m])
      if (incomplete_files_.count(program_.modules[u].file)) incomplete_files_.insert(program_.modules[m].file);
  new_variable("trace", Type::of(Entity::trace));  // variable 0: the trace of metrics
  for (uint32_t m = 0; m < n; ++m) declare(m);
  for (uint32_t m = 0; m < n; ++m)
    for (const ast::Declaration& d : program_.modules[m].declarations)
      if (auto* judge = std::get_if<ast::JudgeDecl>(&d.body))
        if (auto it = judge_names_[m].find(judge->name.text); it != judge_names_[m].end() && it->second.decl == &d) {
          if (it->second.kind == Symbol::Kind::judge) check_judge(it->second.index, *judge);
        }
  check_classifiers();
  for (uint32_t f = 0; f < program_.functions.size(); ++f) check_function(f);
  for (uint32_t i = 0; i < program_.metrics.size(); ++i) check_metric(i);
  uint32_t reward = 0;
  for (const ast::Module& module : program_.modules)
    for (const ast::Declaration& d : module.declarations)
      if (auto* r = std::get_if<ast::RewardDecl>(&d.body)) check_reward(reward++, *r);
  check_state();
  check_scenarios();
  for (uint32_t m = 0; m < n; ++m)
    for (const Test& t : program_.tests)
      if (t.module == program_.modules[m].name.text) check_test(t, m);
  if (!diagnostics_.has_errors()) warn_unused(main);
}

uint32_t Checker::new_variable(std::string name, Type type, uint32_t earlier_than) {
  Range range = type.base == Base::integer ? Range{-kInfinity, kInfinity, 1e15} : Range{};
  program_.variables.push_back({std::move(name), type, earlier_than, range});
  return static_cast<uint32_t>(program_.variables.size() - 1);
}

void Checker::check_param(uint32_t index, const ast::ParamDecl& d) {
  Param& p = program_.params[index];
  uint32_t module = 0;
  while (program_.modules[module].name.text != p.module) ++module;
  Type type = resolve_type(d.type, module);
  if (type.failed()) return;
  p.type = type;
  auto literal = [&](const ast::Expr& e) -> std::optional<double> {
    if (e.kind == ast::ExprKind::integer) return static_cast<double>(e.integer);
    if (e.kind == ast::ExprKind::real || e.kind == ast::ExprKind::percent) return e.number;
    if (e.kind == ast::ExprKind::unary && e.unary == ast::UnaryOp::negate) {
      const ast::Expr& inner = e.children[0];
      if (inner.kind == ast::ExprKind::integer) return -static_cast<double>(inner.integer);
      if (inner.kind == ast::ExprKind::real) return -inner.number;
    }
    return std::nullopt;
  };
  if (type.base == Base::enumeration && !type.optional) {
    const auto& labels = program_.enums[type.enumeration].labels;
    std::string written = d.value.kind == ast::ExprKind::none ? "none" : d.value.text;
    auto it = std::find(labels.begin(), labels.end(), written);
    if (it == labels.end()) {
      std::string near = nearest(written, labels);
      error(Kind::unknown_label, d.value.span,
            fmt::format("`{}` is not a label of `{}`", sources_.text(d.value.span),
                        program_.enums[type.enumeration].name),
            near.empty() ? fmt::format("its labels are {}", fmt::join(labels, ", "))
                         : fmt::format("did you mean `{}`?", near));
      return;
    }
    p.fallback = static_cast<double>(it - labels.begin());
    p.range = Range::between(0, static_cast<double>(labels.size() - 1));
    return;
  }
  if (type.is(Base::boolean)) {
    if (d.value.kind != ast::ExprKind::boolean)
      error(Kind::type_mismatch, d.value.span, "the default must be `true` or `false`");
    else
      p.fallback = static_cast<double>(d.value.integer);
    p.range = Range::between(0, 1);
    return;
  }
  if (!type.numeric() || type.optional) {
    error(Kind::type_mismatch, d.type.span,
          fmt::format("a param is real, int, bool or an enum, not `{}`", program_.text(type)));
    p.type = {};
    return;
  }
  auto value = literal(d.value);
  if (!value) {
    error(Kind::type_mismatch, d.value.span, "a param's default must be a number as written, not computed",
          "give the number; compute with it where it is used");
    p.type = {};
    return;
  }
  bool whole = type.base == Base::integer;
  if (whole && *value != std::floor(*value))
    error(Kind::type_mismatch, d.value.span, "the default of an int must be a whole number");
  double low = -1e9, high = 1e9;
  for (const ast::Expr& e : d.type.low) low = literal(e).value_or(low);
  for (const ast::Expr& e : d.type.high) high = literal(e).value_or(high);
  if (low > high)
    error(Kind::bad_range, d.type.span, fmt::format("the range is empty: {} is above {}", low, high),
          fmt::format("write `{} .. {}`", high, low));
  else if (*value < low || *value > high)
    error(Kind::bad_range, d.value.span, fmt::format("the default {} is outside {} .. {}", *value, low, high),
          "widen the range or change the default");
  p.fallback = *value;
  p.range = Range::between(low, high);
}

Checker::Extent Checker::extent(const Expr& e) const {
  Extent all;
  auto add = [&](const Extent& part) {
    all.size += part.size;
    all.depth = std::max(all.depth, part.depth + 1);
  };
  for (const Expr& c : e.children) add(extent(c));
  for (const Loop& loop : e.loops) {
    for (const Expr& s : loop.source) add(extent(s));
    for (const Expr& c : loop.conditions) add(extent(c));
  }
  if (e.op == Op::call || e.op == Op::metric) {
    const auto& known = e.op == Op::call ? extents_ : metric_extents_;
    if (auto it = known.find(e.index); it != known.end()) add(it->second);
  }
  return all;
}

bool Checker::check_extent(const Expr& checked, Extent& out) {
  if (checked.failed()) return true;
  out = extent(checked);
  if (out.depth > kMaxDepth)
    error(Kind::nesting_too_deep, checked.span,
          fmt::format("nested deeper than {} with the functions that it calls", kMaxDepth),
          "let fewer functions be defined by way of each other");
  else if (out.size > kMaxSize)
    error(Kind::expression_too_long, checked.span,
          fmt::format("with the functions that it calls written out, this has more than {} operations", kMaxSize),
          "fold over a list instead: `sum(x for x in [...])`");
  else
    return true;
  return false;
}

void Checker::check_function(uint32_t index) {
  if (function_state_[index] != State::unchecked) return;
  function_state_[index] = State::checking;
  Env env;
  env.module = function_module_[index];
  env.self = index;
  bool ok = true;
  {
    const Function& f = program_.functions[index];
    for (uint32_t p : f.parameters) {
      env.variables.emplace_back(program_.variables[p].name, p);
      ok = ok && !program_.variables[p].type.failed();
      env.state = env.state || program_.variables[p].type.entity >= Entity::belief;
    }
  }
  const ast::Declaration& d = *function_decl_[index];
  const ast::Expr& body = std::holds_alternative<ast::FnDecl>(d.body) ? std::get<ast::FnDecl>(d.body).body
                                                                      : std::get<ast::DetectDecl>(d.body).body;
  Type wanted = program_.functions[index].result;
  bool declared = !wanted.failed();
  bool misdeclared = std::holds_alternative<ast::FnDecl>(d.body) && std::get<ast::FnDecl>(d.body).result && !declared;
  Expr checked;
  if (ok && !misdeclared) {
    if (wanted.is(Base::boolean))
      checked = check_condition(body, env);
    else if (declared)
      checked = check_as(body, env, wanted, fmt::format("the result of `{}`", program_.functions[index].name));
    else
      checked = check(body, env);
  } else {
    checked = failed(body.span);
  }
  if (!check_extent(checked, extents_[index])) checked = failed(body.span);
  Function& f = program_.functions[index];
  if (!checked.failed() && !declared) f.result = checked.type;
  f.range = checked.range;
  f.requirements = checked.requirements;
  if (f.recursive && f.result.numeric()) f.range = Range{-kInfinity, kInfinity, 1e15};
  f.body.push_back(std::move(checked));
  function_state_[index] = State::done;
}

void Checker::check_metric(uint32_t index) {
  if (metric_state_[index] != State::unchecked) {
    if (metric_state_[index] == State::checking)
      error(Kind::recursion, program_.metrics[index].span,
            fmt::format("metric `{}` is defined by way of itself", program_.metrics[index].name));
    return;
  }
  metric_state_[index] = State::checking;
  Env env;
  env.module = metric_module_[index];
  env.metric = true;
  const auto& d = std::get<ast::MetricDecl>(metric_decl_[index]->body);
  Expr body = check_as(d.body, env, Type::of(Base::real), "a metric");
  if (!check_extent(body, metric_extents_[index])) body = failed(d.body.span);
  Metric& m = program_.metrics[index];
  m.requirements = body.requirements;
  if (!body.failed()) m.body.push_back(std::move(body));
  metric_state_[index] = State::done;
}

// "... {u.user.text} ...": holes become {0}, {1}; each is checked where it stands.
std::string Checker::hole_text(const ast::Expr& text, Env& env, std::vector<Expr>& holes) {
  auto parts = parse_template(sources_, text.span, diagnostics_);
  if (!parts) return text.text;
  std::string out;
  for (const TextPart& part : *parts) {
    if (!part.hole) {
      out += part.text;
      continue;
    }
    Expr hole = check(*part.hole, env);
    bool fits = hole.type.base == Base::text || hole.type.base == Base::json || hole.type.numeric() ||
                hole.type.base == Base::list;
    if (!hole.failed() && !fits)
      error(Kind::type_mismatch, hole.span,
            fmt::format("a hole takes a text, a value, a number or a list of these, this is `{}`", type_text(hole)));
    out += fmt::format("{{{}}}", holes.size());
    holes.push_back(std::move(hole));
  }
  return out;
}

void Checker::check_judge(uint32_t index, const ast::JudgeDecl& d) {
  judge_state_.resize(program_.judges.size(), State::unchecked);
  judge_state_[index] = State::checking;
  Env env;
  env.judge = index;
  for (uint32_t m = 0; m < program_.modules.size(); ++m)
    if (program_.modules[m].name.text == program_.judges[index].module) env.module = m;
  Type type = resolve_type(d.subject.type, env.module);
  uint32_t subject = new_variable(d.subject.name.text, type);
  program_.judges[index].subject = subject;
  if (type.failed()) return;
  if (type != Type::of(Entity::turn)) {
    error(Kind::type_mismatch, d.subject.type.span, "a judge scores a `Turn`");
    return;
  }
  env.variables.emplace_back(d.subject.name.text, subject);
  Expr rule = check_as(d.rule, env, Type::of(Base::real), "a judge's rule");
  judge_state_[index] = State::done;
  if (rule.failed()) return;
  if (rule.range.low < -1 || rule.range.high > 1)
    error(Kind::judge_out_of_range, rule.span,
          fmt::format("a judge's score is in -1 .. 1, this rule gives {}", to_string(rule.range)),
          "bound it: `max(-1, min(1, ...))`");
  std::vector<Expr> holes;
  Judge judge = program_.judges[index];
  if (d.system) judge.system = d.system->text;  // the same for every question: no holes, braces stand for themselves
  if (d.prompt) judge.prompt = hole_text(*d.prompt, env, holes);
  judge.holes = std::move(holes);
  judge.rule.push_back(std::move(rule));
  program_.judges[index] = std::move(judge);
}

}  // namespace wend::sema
