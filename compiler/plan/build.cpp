#include "compiler/plan/build.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>

#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Expr;
using SOp = sema::Op;

namespace {

constexpr int64_t kTrace = 0;

// Visits `e` and what is below it, with the conditions that hold there; calls are followed into functions.
class GateFinder {
 public:
  using Use = std::function<void(uint32_t judge, const Expr& turn, const std::vector<const Expr*>& gates)>;
  GateFinder(const sema::Program& program, Use use) : program_(program), use_(std::move(use)) {}

  void visit(const Expr& e) {
    switch (e.op) {
      case SOp::judge:
        use_(e.index, e.children[0], gates_);
        return;
      case SOp::call: {
        for (const Expr& c : e.children) visit(c);
        const sema::Function& f = program_.functions[e.index];
        if (f.recursive || f.body.empty()) return;
        std::vector<const Expr*> outer;
        outer.swap(gates_);  // conditions of the caller are about the caller's variables
        visit(f.body[0]);
        outer.swap(gates_);
        return;
      }
      case SOp::logical_and:
      case SOp::choose: {
        visit(e.children[0]);
        gates_.push_back(&e.children[0]);
        visit(e.children[1]);
        gates_.pop_back();
        if (e.children.size() > 2) visit(e.children[2]);
        return;
      }
      case SOp::fold: {
        size_t before = gates_.size();
        for (const sema::Loop& l : e.loops) {
          for (const Expr& s : l.source) visit(s);
          for (const Expr& c : l.conditions) {
            visit(c);
            gates_.push_back(&c);
          }
        }
        for (const Expr& c : e.children) visit(c);
        gates_.resize(before);
        return;
      }
      case SOp::metric:
        return;  // visited by itself
      default:
        for (const Expr& c : e.children) visit(c);
    }
  }

 private:
  const sema::Program& program_;
  Use use_;
  std::vector<const Expr*> gates_;
};

void split(const Expr& e, std::vector<const Expr*>& out) {
  if (e.op == SOp::logical_and) {
    split(e.children[0], out);
    split(e.children[1], out);
  } else {
    out.push_back(&e);
  }
}

// Is `e` about variable `v` alone, without judges and params?
bool only_about(const sema::Program& program, const Expr& e, uint32_t v, std::set<uint32_t> bound) {
  if (e.op == SOp::judge || e.op == SOp::param) return false;
  if (e.op == SOp::call) {
    const sema::Function& f = program.functions[e.index];
    std::set<uint32_t> parameters(f.parameters.begin(), f.parameters.end());
    if (!f.recursive && !only_about(program, f.body[0], 0xFFFFFFFFu, parameters)) return false;
  }
  if (e.op == SOp::variable && e.index != v && !bound.count(e.index)) return false;
  for (const sema::Loop& l : e.loops) {
    for (const Expr& s : l.source)
      if (!only_about(program, s, v, bound)) return false;
    bound.insert(l.variable);
    for (const Expr& c : l.conditions)
      if (!only_about(program, c, v, bound)) return false;
  }
  return std::all_of(e.children.begin(), e.children.end(),
                     [&](const Expr& c) { return only_about(program, c, v, bound); });
}

}  // namespace

Plan build(const sema::Program& program, const SourceSet& sources) { return Builder(program, sources).build(); }

Plan Builder::build() {
  plan_.name = program_.name;
  plan_.trace_variable = kTrace;
  plan_.n_variables = 2;
  plan_.places.push_back("");
  places_[""] = 0;
  add_params();
  add_judges();
  add_rewards();
  add_metrics();
  add_beliefs();
  order_columns();
  inline_guarded_columns();
  group_passes();
  return std::move(plan_);
}

void Builder::add_params() {
  for (const sema::Param& p : program_.params) {
    ParamInfo info;
    info.name = p.name;
    info.qualified = p.module + "." + p.name;
    info.doc = p.doc;
    info.place = sources_.place(p.span);
    info.type = program_.text(p.type);
    info.structural = p.type.base == sema::Base::enumeration || p.type.base == sema::Base::boolean;
    if (p.type.base == sema::Base::enumeration) info.labels = program_.enums[p.type.enumeration].labels;
    info.fallback = p.fallback;
    info.low = p.range.low;
    info.high = p.range.high;
    plan_.params.push_back(std::move(info));
  }
}

// Which turns each judge is needed for: those that pass the conditions before a use of it.
void Builder::add_judges() {
  struct Use {
    uint32_t variable;
    std::vector<const Expr*> gates;
  };
  std::vector<std::vector<Use>> uses(program_.judges.size());
  std::vector<bool> always(program_.judges.size(), false);
  GateFinder finder(program_, [&](uint32_t judge, const Expr& turn, const std::vector<const Expr*>& gates) {
    if (turn.op != SOp::variable) {
      always[judge] = true;
      return;
    }
    std::vector<const Expr*> parts, kept;
    for (const Expr* g : gates) split(*g, parts);
    for (const Expr* g : parts)
      if (only_about(program_, *g, turn.index, {})) kept.push_back(g);
    uses[judge].push_back({turn.index, kept});
  });
  for (const sema::Reward& r : program_.rewards) {
    for (const sema::Term& s : r.stops) finder.visit(s.value);
    for (const sema::Layer& l : r.layers)
      for (const sema::Term& t : l.terms) finder.visit(t.value);
  }
  for (const sema::Metric& m : program_.metrics)
    for (const Expr& e : m.body) finder.visit(e);
  for (uint32_t j = 0; j < program_.judges.size(); ++j) {
    const sema::Judge& judge = program_.judges[j];
    Judge out;
    out.name = judge.name;
    out.subject = 1;
    out.system = judge.system;
    out.prompt = judge.prompt;
    NodeId subject = variable(out.subject, Type::row);
    out.asked = boolean(always[j]);
    for (const Use& use : uses[j]) {
      Bindings b;
      b[use.variable] = {subject, std::nullopt};
      NodeId gate = boolean(true);
      for (const Expr* g : use.gates) gate = both(gate, lower(*g, b));
      out.asked = either(out.asked, gate);
    }
    Bindings b;
    b[judge.subject] = {subject, std::nullopt};
    for (const Expr& hole : judge.holes) {
      out.holes.push_back(hole.type.base == sema::Base::list ? kNoNode : coerced(hole, b));
      out.requirements |= hole.requirements;
    }
    plan_.judges.push_back(std::move(out));
  }
}

// ---- metrics ----

NodeId Builder::signal(const std::string& name, NodeId value, uint32_t requirements) {
  std::string unique = name;
  for (int i = 2;
       std::any_of(plan_.signals.begin(), plan_.signals.end(), [&](const Signal& s) { return s.name == unique; });
       ++i) {
    for (size_t k = 0; k < plan_.signals.size(); ++k)
      if (plan_.signals[k].name == unique && plan_.signals[k].value == value) {
        Node n;
        n.op = Op::signal_sum;
        n.type = Type::real;
        n.integer = static_cast<int64_t>(k);
        return add(n);
      }
    unique = fmt::format("{}{}", name, i);
  }
  plan_.signals.push_back({unique, value, requirements});
  Node n;
  n.op = Op::signal_sum;
  n.type = Type::real;
  n.integer = static_cast<int64_t>(plan_.signals.size() - 1);
  return add(n);
}

// A fold over the whole data: per trace it is a signal, and the metric sees the signal's sum.
NodeId Builder::lower_dataset(const Expr& e, Bindings& b) {
  Expr inner = e;
  inner.dataset = false;
  Bindings bound = b;
  bound[0] = {variable(kTrace, Type::row), std::nullopt};
  auto value_of = [&](sema::FoldKind kind) {
    Expr fold = inner;
    fold.fold_kind = kind;
    if (kind == sema::FoldKind::count) fold.children.clear();
    if (fold.loops[0].source.empty()) {  // over traces: the trace itself, if it passes the conditions
      NodeId condition = boolean(true);
      for (const Expr& c : fold.loops[0].conditions) condition = both(condition, lower(c, bound));
      NodeId body;
      if (fold.loops.size() > 1) {
        fold.loops.erase(fold.loops.begin());
        body = as_real(lower_fold(fold, bound));
      } else {
        body = kind == sema::FoldKind::count ? real(1) : as_real(lower(fold.children[0], bound));
      }
      return choose(condition, body, real(0));
    }
    return as_real(lower_fold(fold, bound));
  };
  bool count = e.fold_kind == sema::FoldKind::count;
  auto make_signal = [&](sema::FoldKind kind) {
    bool counts = kind == sema::FoldKind::count;
    std::string part = !metric_part_.empty() ? metric_part_ : counts ? ".count" : ".sum";
    return signal(metric_name_ + part, memoised(value_of(kind), false), e.requirements);
  };
  if (e.fold_kind != sema::FoldKind::mean) return make_signal(count ? sema::FoldKind::count : sema::FoldKind::sum);
  NodeId sum = make_signal(sema::FoldKind::sum);
  return make(Op::divide, Type::real, {sum, make_signal(sema::FoldKind::count)});
}

void Builder::add_metrics() {
  for (const sema::Metric& m : program_.metrics) {
    Metric out;
    out.name = m.name;
    out.doc = m.doc;
    out.place = sources_.place(m.span);
    out.percent = m.percent;
    out.requirements = m.requirements;
    current_place_ = place(m.span);
    metric_name_ = m.name;
    Bindings none;
    // A quotient of two folds is NAME.sum over NAME.count, like a mean.
    const Expr& body = m.body[0];
    auto is_dataset = [](const Expr& e) { return (e.op == SOp::to_real ? e.children[0] : e).dataset; };
    if (body.op == SOp::divide && is_dataset(body.children[0]) && is_dataset(body.children[1])) {
      metric_part_ = ".sum";
      NodeId sum = as_real(lower(body.children[0], none));
      metric_part_ = ".count";
      out.value = make(Op::divide, Type::real, {sum, as_real(lower(body.children[1], none))});
    } else {
      out.value = as_real(lower(body, none));
    }
    NodeId ok = defined(m.body[0], none);
    metric_part_.clear();
    out.defined = ok == kNoNode ? boolean(true) : ok;
    plan_.metrics.push_back(std::move(out));
  }
}

// ---- rewards ----

Term Builder::lower_term(const sema::Term& t, Bindings& b, NodeId weight, const std::string& layer) {
  Term out;
  memo_name_ = reward_name_ + "." + layer + "." + t.name;
  out.layer = layer;
  out.name = t.name;
  out.doc = t.doc;
  out.place = sources_.place(t.span);
  out.text = std::string(sources_.text(t.value.span));
  out.requirements = t.value.requirements;
  current_place_ = place(t.span);
  const Expr* value = &t.value;
  if (layer == "stop") {
    out.condition = memoised(lower(t.value.children[0], b), true);
    value = &t.value.children[1];
  }
  out.evidence = as_real(lower(*value, b));
  out.raw = memoised(out.evidence, true);
  out.weighted = weight == kNoNode ? out.raw : make(Op::multiply, Type::real, {weight, out.raw});
  return out;
}

void Builder::add_rewards() {
  for (const sema::Reward& r : program_.rewards) {
    Reward out;
    out.name = reward_name_ = r.name;
    out.doc = r.doc;
    out.place = sources_.place(r.span);
    if (r.judge_limit) out.judge_limit = static_cast<uint32_t>(std::clamp<int64_t>(*r.judge_limit, 0, 0xFFFFFFFF));
    Bindings b;
    b[r.subject] = {variable(kTrace, Type::row), std::nullopt};
    for (const sema::Term& s : r.stops) out.stops.push_back(lower_term(s, b, kNoNode, "stop"));
    for (const sema::Layer& l : r.layers) {
      Layer layer{l.name, l.supervises, kNoNode};
      if (!l.weight.empty()) layer.weight = as_real(lower(l.weight[0], b));
      for (const sema::Term& t : l.terms) out.terms.push_back(lower_term(t, b, layer.weight, l.name));
      out.layers.push_back(std::move(layer));
    }
    for (const Expr& e : r.clamp_low) out.clamp_low = as_real(lower(e, b));
    for (const Expr& e : r.clamp_high) out.clamp_high = as_real(lower(e, b));
    plan_.rewards.push_back(std::move(out));
  }
}

}  // namespace wend::plan
