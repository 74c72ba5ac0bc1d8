// What each module declares, before anything that it says is looked at; types by name.
#include <fmt/format.h>
#include <algorithm>

#include "compiler/sema/checker.h"

namespace wend::sema {

void Checker::declare(uint32_t module) {
  const ast::Module& m = program_.modules[module];
  for (const ast::Declaration& d : m.declarations)  // enums first: types of what follows
    if (std::holds_alternative<ast::EnumDecl>(d.body)) declare_one(module, d);
  auto is_state = [](const ast::Declaration& d) {  // then what their types and cues make of them
    return std::holds_alternative<ast::BeliefDecl>(d.body) || std::holds_alternative<ast::CuesDecl>(d.body);
  };
  for (const ast::Declaration& d : m.declarations)
    if (is_state(d)) declare_one(module, d);
  for (const ast::Declaration& d : m.declarations)
    if (!std::holds_alternative<ast::EnumDecl>(d.body) && !is_state(d)) declare_one(module, d);
}

bool Checker::is_broken(const ast::Declaration& d) const {
  return std::any_of(syntax_errors_.begin(), syntax_errors_.end(),
                     [&](Span e) { return e.file == d.span.file && e.begin >= d.span.begin && e.begin < d.span.end; });
}

bool Checker::add_symbol(std::vector<std::map<std::string, Symbol>>& names, const ast::Name& name, Symbol::Kind kind,
                         size_t index, uint32_t module, const ast::Declaration& d) {
  if (&names == &type_names_ && entity_named(name.text)) {
    error(Kind::duplicate_name, name.span, fmt::format("`{}` is a type of the language", name.text),
          "give yours another name");
    return false;
  }
  const Symbol* other = nullptr;
  if (auto it = names[module].find(name.text); it != names[module].end()) other = &it->second;
  for (uint32_t used : used_[module])
    if (auto it = names[used].find(name.text); !other && it != names[used].end()) other = &it->second;
  if (other) {
    Diagnostic& report = diagnostics_.report(
        Kind::duplicate_name, name.span,
        fmt::format("`{}` is already declared{}", name.text,
                    other->module == module ? "" : " in `" + program_.modules[other->module].name.text + "`"));
    report.label = Label{other->span, "first declared here"};
    report.help = "give one of them another name";
    return false;
  }
  names[module][name.text] = Symbol{kind, static_cast<uint32_t>(index), module, name.span, &d};
  return true;
}

void Checker::declare_one(uint32_t module, const ast::Declaration& d) {
  const std::string module_name = program_.modules[module].name.text;
  auto add = [&](std::vector<std::map<std::string, Symbol>>& names, const ast::Name& name, Symbol::Kind kind,
                 size_t index) { return add_symbol(names, name, kind, index, module, d); };
  auto& values = names_;
  if (auto* x = std::get_if<ast::ParamDecl>(&d.body)) {
    add(values, x->name, Symbol::Kind::param, program_.params.size());
    Param p;
    p.name = x->name.text;
    p.module = module_name;
    p.doc = d.doc.text;
    p.span = x->name.span;
    program_.params.push_back(std::move(p));
    Env env;
    env.module = module;
    check_param(static_cast<uint32_t>(program_.params.size() - 1), *x);
  } else if (auto* y = std::get_if<ast::EnumDecl>(&d.body)) {
    EnumInfo info{y->name.text, {}};
    for (const ast::Name& label : y->labels) {
      if (std::count(info.labels.begin(), info.labels.end(), label.text))
        error(Kind::duplicate_name, label.span, fmt::format("label `{}` is listed twice", label.text));
      info.labels.push_back(label.text);
    }
    // An enum that repeats a built-in one is that one, so that what the belief says can be compared with gold.
    size_t index = program_.enums.size();
    for (size_t e = 0; e < kBuiltinEnums; ++e)
      if (program_.enums[e].name == info.name && program_.enums[e].labels == info.labels) index = e;
    if (add(type_names_, y->name, Symbol::Kind::enumeration, index) && index == program_.enums.size())
      program_.enums.push_back(std::move(info));
  } else if (std::holds_alternative<ast::FnDecl>(d.body) || std::holds_alternative<ast::DetectDecl>(d.body)) {
    auto* fn = std::get_if<ast::FnDecl>(&d.body);
    auto* detect = std::get_if<ast::DetectDecl>(&d.body);
    const ast::Name& name = fn ? fn->name : detect->name;
    add(values, name, Symbol::Kind::function, program_.functions.size());
    Function f;
    f.kind = fn ? FunctionKind::function : FunctionKind::detector;
    f.name = name.text;
    f.module = module_name;
    f.doc = d.doc.text;
    f.span = name.span;
    if (fn) {
      for (const ast::Parameter& p : fn->parameters) {
        Type type = resolve_type(p.type, module);
        f.parameters.push_back(new_variable(p.name.text, type));
      }
      if (fn->result) f.result = resolve_type(*fn->result, module);
    } else {
      f.parameters.push_back(new_variable(detect->subject.name.text, resolve_type(detect->subject.type, module)));
      f.result = Type::of(Base::boolean);
      Type subject = program_.variables[f.parameters[0]].type;
      if (!subject.failed() && (subject.base != Base::entity || subject.optional))
        error(Kind::type_mismatch, detect->subject.type.span,
              "a detector is on an element of a trajectory, for example a `Call`");
    }
    program_.functions.push_back(std::move(f));
    function_decl_.push_back(&d);
    function_module_.push_back(module);
    function_state_.push_back(State::unchecked);
  } else if (auto* z = std::get_if<ast::MetricDecl>(&d.body)) {
    add(values, z->name, Symbol::Kind::metric, program_.metrics.size());
    Metric m;
    m.name = z->name.text;
    m.module = module_name;
    m.doc = d.doc.text;
    m.span = z->name.span;
    m.percent = z->type.name.text == "percent";
    if (!m.percent && z->type.name.text != "real")
      error(Kind::type_mismatch, z->type.span, "a metric is `percent` or `real`");
    program_.metrics.push_back(std::move(m));
    metric_decl_.push_back(&d);
    metric_module_.push_back(module);
    metric_state_.push_back(State::unchecked);
  } else if (auto* r = std::get_if<ast::RewardDecl>(&d.body)) {
    add(values, r->name, Symbol::Kind::reward, program_.rewards.size());
    Reward reward;
    reward.name = r->name.text;
    reward.module = module_name;
    reward.doc = d.doc.text;
    reward.span = r->name.span;
    program_.rewards.push_back(std::move(reward));
  } else if (auto* j = std::get_if<ast::JudgeDecl>(&d.body); j && j->subject.type.name.text == "Message") {
    if (!add(judge_names_, j->name, Symbol::Kind::classifier, program_.classifiers.size())) return;
    Classifier classifier;
    classifier.name = j->name.text;
    classifier.module = module_name;
    classifier.doc = d.doc.text;
    classifier.span = j->name.span;
    program_.classifiers.push_back(std::move(classifier));
    classifier_decl_.emplace_back(module, &d);
  } else if (j) {
    add(judge_names_, j->name, Symbol::Kind::judge, program_.judges.size());
    Judge judge;
    judge.name = j->name.text;
    judge.module = module_name;
    judge.doc = d.doc.text;
    judge.span = j->name.span;
    program_.judges.push_back(std::move(judge));
    if (program_.judges.size() > 16)
      error(Kind::too_many_judges, j->name.span, "a program may declare 16 judges at most");
  } else if (auto* t = std::get_if<ast::TestDecl>(&d.body)) {
    program_.tests.push_back({t, module_name, d.span});
  } else if (auto* b = std::get_if<ast::BeliefDecl>(&d.body)) {
    declare_belief(module, d, *b);
  } else if (auto* c = std::get_if<ast::CuesDecl>(&d.body)) {
    declare_cues(module, d, *c);
  } else if (auto* render = std::get_if<ast::RenderDecl>(&d.body)) {
    if (!add(values, render->name, Symbol::Kind::render, program_.renders.size())) return;
    program_.renders.push_back({render->name.text, module_name, d.doc.text, render->name.span, 0, 0, true, {}});
    render_decl_.emplace_back(module, &d);
  } else if (auto* phrases = std::get_if<ast::PhrasesDecl>(&d.body)) {
    if (!add(values, phrases->name, Symbol::Kind::phrases, program_.phrases.size())) return;
    program_.phrases.push_back({phrases->name.text, module_name, d.doc.text, phrases->name.span, {}, {}});
    phrases_decl_.emplace_back(module, &d);
  } else if (auto* scenario = std::get_if<ast::ScenarioDecl>(&d.body)) {
    if (!add(values, scenario->name, Symbol::Kind::scenario, program_.scenarios.size())) return;
    Scenario s;
    s.name = scenario->name.text;
    s.module = module_name;
    s.doc = d.doc.text;
    s.title = scenario->title;
    s.span = scenario->name.span;
    program_.scenarios.push_back(std::move(s));
    scenario_decl_.emplace_back(module, &d);
  } else if (!d.name.text.empty()) {  // filters and contexts: nothing refers to them by name within a spec
    add(values, d.name, Symbol::Kind::other, 0);
  }
}

Type Checker::resolve_type(const ast::TypeRef& ref, uint32_t module) {
  static const std::map<std::string, Base> plain = {{"bool", Base::boolean}, {"int", Base::integer},
                                                    {"real", Base::real},    {"text", Base::text},
                                                    {"json", Base::json},    {"folded", Base::folded}};
  Type type;
  const std::string& name = ref.name.text;
  if (auto it = plain.find(name); it != plain.end()) {
    type = Type::of(it->second);
  } else if (name == "list" && ref.arguments.size() == 1) {
    Type element = resolve_type(ref.arguments[0], module);
    if (element.failed()) return element;
    if (element.optional || element.base == Base::list) {
      error(Kind::type_mismatch, ref.span, "a list holds plain values or elements");
      return {};
    }
    type = Type::list_of(element);
  } else if (auto entity = entity_named(name)) {
    type = Type::of(*entity);
  } else {
    const Symbol* s = nullptr;
    if (auto it2 = type_names_[module].find(name); it2 != type_names_[module].end()) s = &it2->second;
    for (uint32_t used : used_[module])
      if (auto it3 = type_names_[used].find(name); !s && it3 != type_names_[used].end()) s = &it3->second;
    if (s && s->kind == Symbol::Kind::enumeration) {
      type = Type::enum_of(static_cast<uint16_t>(s->index));
    } else if (s && s->kind == Symbol::Kind::belief) {
      type = Type::of(Entity::belief);
      type.enumeration = static_cast<uint16_t>(s->index);
    } else {
      for (uint16_t e = 0; e < kBuiltinEnums; ++e)
        if (program_.enums[e].name == name) type = Type::enum_of(e);
    }
    if (type.failed()) {
      std::vector<std::string> candidates = entity_names();
      for (const auto& [n, base] : plain) candidates.push_back(n);
      for (const EnumInfo& e : program_.enums) candidates.push_back(e.name);
      for (const Belief& b : program_.beliefs) candidates.push_back(b.name);
      error(Kind::unknown_type, ref.name.span, fmt::format("unknown type `{}`", name),
            help_for_unknown(
                NameSpace::type, name, ref.name.span.file, candidates,
                "types are bool, int, real, text, json, list<T>, enums and Trace, Turn, Message, Call, Arg..."));
      return {};
    }
  }
  if (ref.optional && type.base == Base::boolean) {
    error(Kind::type_mismatch, ref.span, "a condition is true or false, never absent", "use an enum with three labels");
    return {};
  }
  type.optional = ref.optional;
  return type;
}

}  // namespace wend::sema
