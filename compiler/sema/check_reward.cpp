// Rewards and tests, and the warnings that need the whole program.
#include <fmt/format.h>
#include <wend/wend.h>
#include <algorithm>
#include <functional>
#include <set>

#include "compiler/sema/checker.h"

namespace wend::sema {
namespace {

void visit(const Expr& e, const std::function<void(const Expr&)>& f) {
  f(e);
  for (const Expr& c : e.children) visit(c, f);
  for (const Loop& l : e.loops) {
    for (const Expr& s : l.source) visit(s, f);
    for (const Expr& c : l.conditions) visit(c, f);
  }
}

// Does a judge call below `e` stand under a condition that comes before it (a scenario gate)?
bool gated(const Expr& e, uint32_t judge, bool under_condition) {
  if (e.op == Op::judge && e.index == judge) return under_condition;
  auto mentions_judge = [&](const Expr& x) {
    bool found = false;
    visit(x, [&](const Expr& y) { found = found || (y.op == Op::judge && y.index == judge); });
    return found;
  };
  if (e.op == Op::fold) {
    for (const Loop& l : e.loops)
      for (const Expr& c : l.conditions) {
        if (!gated(c, judge, under_condition)) return false;
        under_condition = true;  // what follows is reached only where `c` holds
      }
  }
  if (e.op == Op::logical_and || e.op == Op::choose) {
    if (!gated(e.children[0], judge, under_condition)) return false;
    bool gate = under_condition || !mentions_judge(e.children[0]);
    for (size_t i = 1; i < e.children.size(); ++i)
      if (!gated(e.children[i], judge, gate)) return false;
    return true;
  }
  for (const Expr& c : e.children)
    if (!gated(c, judge, under_condition)) return false;
  return true;
}

bool named_for(const std::string& name, std::initializer_list<std::string_view> words) {
  for (std::string_view word : words) {
    size_t at = name.find(word);
    if (at == std::string::npos) continue;
    bool starts = at == 0 || name[at - 1] == '_';
    bool ends = at + word.size() == name.size() || name[at + word.size()] == '_';
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace

void Checker::check_sign(const std::string& name, const Term& term) {
  Range r = term.value.range;
  if (named_for(name, {"penalty", "penalties"}) && r.high > 0) {
    diagnostics_
        .report(Kind::sign_contradicts_name, term.span,
                fmt::format("`{}` is called a penalty, but `{}` can be positive: {}", name, term.name, to_string(r)))
        .help = "change the sign or the name";
  } else if (named_for(name, {"bonus", "bonuses"}) && r.low < 0) {
    diagnostics_
        .report(Kind::sign_contradicts_name, term.span,
                fmt::format("`{}` is called a bonus, but `{}` can be negative: {}", name, term.name, to_string(r)))
        .help = "change the sign or the name";
  }
}

void Checker::check_stop(const ast::Stop& stop, Reward& reward, Env& env) {
  if (stop.value.kind != ast::ExprKind::choose || stop.value.children.size() != 2) {
    error(Kind::bad_stop, stop.value.span, "a stop needs a value and a condition",
          fmt::format("write `stop {} = VALUE when CONDITION`", stop.name.text));
    return;
  }
  Term t;
  t.name = stop.name.text;
  t.span = stop.name.span;
  t.value = check_as(stop.value, env, Type::of(Base::real), "a stop's value");
  Extent size;
  if (t.value.failed() || !check_extent(t.value, size)) return;
  if (t.value.op == Op::to_real) {  // of the branches, so that it stays a choice
    t.value = Expr(t.value.children[0]);
    t.value.type = Type::of(Base::real);
    to_real(t.value.children[1]);
    to_real(t.value.children[2]);
  }
  t.value.requirements |= WEND_CAP_RESPONSE;
  reward.stops.push_back(std::move(t));
}

void Checker::check_layer(const ast::Layer& layer, Reward& reward, Env& env) {
  static const std::set<std::string> supervised = {"slots", "goal", "signal", "last_action", "pending"};
  Layer out;
  out.name = layer.name.text;
  out.span = layer.name.span;
  if (layer.weight) {
    Expr w = check_as(*layer.weight, env, Type::of(Base::real), "a layer's weight");
    bool constant = true;
    visit(w,
          [&](const Expr& x) { constant = constant && x.op != Op::variable && x.op != Op::fold && x.op != Op::field; });
    if (!w.failed() && !constant)
      error(Kind::type_mismatch, layer.weight->span, "a layer's weight is the same for every dialogue",
            "use params and numbers");
    out.weight.push_back(std::move(w));
  }
  for (const ast::Name& name : layer.supervises) {
    if (!supervised.count(name.text)) {
      std::vector<std::string> all(supervised.begin(), supervised.end());
      std::string near = nearest(name.text, all);
      error(Kind::unknown_name, name.span, fmt::format("`{}` is not a part of the belief state", name.text),
            near.empty() ? fmt::format("its parts are {}", fmt::join(all, ", "))
                         : fmt::format("did you mean `{}`?", near));
    }
    out.supervises.push_back(name.text);
  }
  Range sum = Range::exactly(0);
  std::set<std::string> seen;
  for (const ast::Term& term : layer.terms) {
    if (!seen.insert(term.name.text).second)
      error(Kind::duplicate_name, term.name.span, fmt::format("the layer already has a term `{}`", term.name.text),
            "give one of them another name");
    Term t;
    t.name = term.name.text;
    t.doc = term.doc.text;
    t.span = term.name.span;
    t.value = check_as(term.value, env, Type::of(Base::real), "a term");
    Extent size;
    if (t.value.failed() || !check_extent(t.value, size)) continue;
    t.value.requirements |= WEND_CAP_RESPONSE;
    if (t.value.range.is_zero())
      diagnostics_.report(Kind::term_always_zero, t.span, fmt::format("`{}` is always zero", t.name)).help =
          "remove it, or mend its expression";
    check_sign(out.name, t);
    check_sign(t.name, t);
    sum = sum + t.value.range;
    out.terms.push_back(std::move(t));
  }
  if (!out.weight.empty() && !out.weight[0].failed()) sum = sum * out.weight[0].range;
  out.range = sum;
  reward.layers.push_back(std::move(out));
}

void Checker::check_reward(uint32_t index, const ast::RewardDecl& d) {
  Env env;
  for (uint32_t m = 0; m < program_.modules.size(); ++m)
    if (program_.modules[m].name.text == program_.rewards[index].module) env.module = m;
  Reward reward = program_.rewards[index];
  Type type = resolve_type(d.subject.type, env.module);
  if (type.failed()) return;
  if (type != Type::of(Entity::trace)) {
    error(Kind::type_mismatch, d.subject.type.span, "a reward is on a `Trace`");
    return;
  }
  reward.subject = new_variable(d.subject.name.text, type);
  env.variables.emplace_back(d.subject.name.text, reward.subject);
  reward.judge_limit = d.judge_limit;
  for (const ast::Stop& s : d.stops) check_stop(s, reward, env);
  std::set<std::string> layers;
  for (const ast::Layer& l : d.layers) {
    if (!layers.insert(l.name.text).second)
      error(Kind::duplicate_name, l.name.span, fmt::format("the reward already has a layer `{}`", l.name.text),
            "give one of them another name");
    check_layer(l, reward, env);
  }
  Range total = Range::exactly(0);
  for (const Layer& l : reward.layers) total = total + l.range;
  for (const ast::Expr& e : d.clamp_low)
    reward.clamp_low.push_back(check_as(e, env, Type::of(Base::real), "a clamp's bound"));
  for (const ast::Expr& e : d.clamp_high)
    reward.clamp_high.push_back(check_as(e, env, Type::of(Base::real), "a clamp's bound"));
  if (!reward.clamp_low.empty() && !reward.clamp_high.empty()) {
    Range low = reward.clamp_low[0].range, high = reward.clamp_high[0].range;
    if (low.low > high.high)
      error(Kind::bad_range, d.clamp_span, "the clamp is empty: its low end is above its high end", "exchange the two");
    bool idle_low = total.low >= low.high, idle_high = total.high <= high.low;
    if (low.low <= high.high && (idle_low || idle_high)) {
      Diagnostic& report = diagnostics_.report(Kind::clamp_never_binds, d.clamp_span,
                                               fmt::format("the clamp never binds {}: the sum is {}",
                                                           idle_low && idle_high ? "at all"
                                                           : idle_low            ? "below"
                                                                                 : "above",
                                                           to_string(total)));
      report.help = "remove it, or tighten it";
    }
    total = max(min(total, high), low);
  }
  for (const Term& s : reward.stops) total = hull(total, s.value.children[1].range);
  reward.range = total;
  warn_judges(reward, d);
  program_.rewards[index] = std::move(reward);
}

void Checker::warn_judges(const Reward& reward, const ast::RewardDecl& d) {
  if (!d.judge_limit) return;
  std::set<uint32_t> judges;
  std::function<void(const Expr&)> collect = [&](const Expr& e) {
    visit(e, [&](const Expr& x) {
      if (x.op == Op::judge) judges.insert(x.index);
      if (x.op == Op::call && !program_.functions[x.index].recursive && !program_.functions[x.index].body.empty())
        collect(program_.functions[x.index].body[0]);
    });
  };
  bool all_gated = true;
  auto each = [&](const Expr& e) {
    collect(e);
    for (uint32_t j : judges)
      if (!gated(e, j, false)) all_gated = false;
  };
  for (const Term& s : reward.stops) each(s.value);
  for (const Layer& l : reward.layers)
    for (const Term& t : l.terms) each(t.value);
  int64_t limit = *d.judge_limit;
  if (static_cast<int64_t>(judges.size()) > limit) {
    diagnostics_
        .report(Kind::too_many_judge_calls, d.judge_limit_span,
                fmt::format("{} judges are asked, at most {} calls are allowed", judges.size(), limit))
        .help = fmt::format("write `judges at most {}`", judges.size());
  } else if (!judges.empty() && !all_gated) {
    diagnostics_
        .report(Kind::too_many_judge_calls, d.judge_limit_span,
                "a judge is asked about every turn; nothing bounds the number of calls")
        .help = "gate it with a condition that comes before it: `if u.expects is clarify and judge...`";
  }
}

void Checker::check_test(const Test& test, uint32_t module) {
  // Names that an expectation refers to: metrics, rewards, their layers and terms, params.
  std::vector<const Belief*> beliefs;
  for (const Belief& b : program_.beliefs) {
    bool visible = b.module == test.module;
    for (uint32_t used : used_[module]) visible = visible || b.module == program_.modules[used].name.text;
    if (visible) beliefs.push_back(&b);
  }
  auto check_belief_path = [&](const ast::Expr& e) {  // belief.FIELD...
    const ast::Expr* field = &e;
    while (field->kind == ast::ExprKind::field && field->children[0].kind != ast::ExprKind::name)
      field = &field->children[0];
    if (field->kind != ast::ExprKind::field || beliefs.empty()) return;
    std::vector<std::string> names;
    for (const Belief* b : beliefs)
      for (const BeliefField& f : b->fields) names.push_back(f.name);
    if (std::find(names.begin(), names.end(), field->text) != names.end()) return;
    std::string near = nearest(field->text, names);
    error(Kind::unknown_field, field->name_span, fmt::format("the belief has no field `{}`", field->text),
          near.empty() ? fmt::format("its fields are {}", fmt::join(names, ", "))
                       : fmt::format("did you mean `{}`?", near));
  };
  const auto of_belief = [](const ast::Expr& e) {
    const ast::Expr* root = &e;
    while (root->kind == ast::ExprKind::field || root->kind == ast::ExprKind::index) root = &root->children[0];
    return root->kind == ast::ExprKind::name && root->text == "belief";
  };
  // belief.FIELD is LABEL
  const auto check_label = [&](const ast::Expr& e) {
    const ast::Expr &left = e.children[0], &right = e.children[1];
    const bool field = left.kind == ast::ExprKind::field && left.children[0].kind == ast::ExprKind::name;
    if (!field || right.kind != ast::ExprKind::name) return;
    for (const Belief* b : beliefs) {
      for (const BeliefField& f : b->fields) {
        if (f.name != left.text || f.type.base != Base::enumeration) continue;
        const EnumInfo& info = program_.enums[f.type.enumeration];
        if (std::find(info.labels.begin(), info.labels.end(), right.text) != info.labels.end()) return;
        const std::string near = nearest(right.text, info.labels);
        error(Kind::unknown_label, right.span, fmt::format("`{}` is not a label of `{}`", right.text, info.name),
              near.empty() ? fmt::format("its labels are {}", fmt::join(info.labels, ", "))
                           : fmt::format("did you mean `{}`?", near));
        return;
      }
    }
  };
  std::function<void(const ast::Expr&)> check_names = [&](const ast::Expr& e) {
    if (e.kind == ast::ExprKind::name || e.kind == ast::ExprKind::field) {
      const ast::Expr* root = &e;
      while (root->kind == ast::ExprKind::field) root = &root->children[0];
      if (root->kind != ast::ExprKind::name) return;
      bool belief = root->text == "belief" || root->text == "signal";
      if (root->text == "belief") check_belief_path(e);
      const Symbol* s = find(root->text, module);
      if (!belief && (!s || s->kind == Symbol::Kind::function || s->kind == Symbol::Kind::other)) {
        std::vector<std::string> names;
        for (const Metric& m : program_.metrics) names.push_back(m.name);
        for (const Reward& r : program_.rewards) names.push_back(r.name);
        std::string near = nearest(root->text, names);
        error(Kind::unknown_name, root->span, fmt::format("`{}` is not a metric, a reward or a param", root->text),
              near.empty() ? "" : fmt::format("did you mean `{}`?", near));
      }
      return;
    }
    // What a belief holds is compared with a literal or a label.
    const bool compares = e.kind == ast::ExprKind::binary && e.binary != ast::BinaryOp::logical_and;
    if (compares && of_belief(e.children[0])) {
      check_label(e);
      return check_names(e.children[0]);
    }
    for (const ast::Expr& c : e.children) check_names(c);
  };
  for (const ast::Expr& e : test.decl->expectations) {
    const bool compares = e.kind == ast::ExprKind::binary && e.binary != ast::BinaryOp::logical_and;
    check_names(compares && !of_belief(e.children[0]) ? e.children[0] : e);
  }
  for (const auto& [name, value] : test.decl->settings) {
    const Symbol* s = find(name.text, module);
    if (!s || s->kind != Symbol::Kind::param) {
      std::vector<std::string> names;
      for (const Param& p : program_.params) names.push_back(p.name);
      std::string near = nearest(name.text, names);
      error(Kind::unknown_name, name.span, fmt::format("unknown param `{}`", name.text),
            near.empty() ? "" : fmt::format("did you mean `{}`?", near));
    } else {
      program_.params[s->index].used = true;
    }
  }
}

// A module that is given by the user and has results (rewards, metrics, judges) should need all that it declares.
void Checker::warn_unused(const std::vector<bool>& main) {
  std::set<std::string> with_results;
  for (uint32_t m = 0; m < program_.modules.size(); ++m) {
    if (!main[m]) continue;
    const ast::Module& module = program_.modules[m];
    for (const ast::Declaration& d : module.declarations)
      if (std::holds_alternative<ast::RewardDecl>(d.body) || std::holds_alternative<ast::MetricDecl>(d.body))
        with_results.insert(module.name.text);
  }
  for (const Param& p : program_.params)
    if (!p.used && with_results.count(p.module))
      diagnostics_.report(Kind::unused_param, p.span, fmt::format("param `{}` is never used", p.name)).help =
          "remove it";
  for (const Function& f : program_.functions)
    if (!f.used && with_results.count(f.module) && f.kind == FunctionKind::detector)
      diagnostics_.report(Kind::unused_detector, f.span, fmt::format("detector `{}` is never used", f.name)).help =
          "remove it, or count it in a term or metric";
}

}  // namespace wend::sema
