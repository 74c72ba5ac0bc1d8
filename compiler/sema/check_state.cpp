// Cues, the judges that give labels, renders.
#include <fmt/format.h>
#include <utf8proc.h>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "compiler/sema/checker.h"
#include "compiler/syntax/parser.h"

namespace wend::sema {
namespace {

std::string case_folded(const std::string& text) {
  utf8proc_uint8_t* folded = nullptr;
  auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &folded, options);
  std::string result = size < 0 ? text : std::string(reinterpret_cast<char*>(folded), static_cast<size_t>(size));
  std::free(folded);
  return result;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      word += c;
    else if (!word.empty())
      words.push_back(std::move(word)), word.clear();
  }
  return words;
}

// What is wrong with a phrase; empty: nothing.
std::string fault_of(const std::vector<std::string>& words) {
  if (words.empty()) return "this phrase is empty";
  if (words.front() == "*" || words.back() == "*") return "`*` stands between words, not at an end of a phrase";
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "*" && words[i].find('*') != std::string::npos)
      return "`*` stands for whole words: put blanks around it";
    if (i > 0 && words[i] == "*" && words[i - 1] == "*") return "one `*` is enough: it stands for any number of words";
  }
  return "";
}

}  // namespace

void Checker::declare_cues(uint32_t module, const ast::Declaration& d, const ast::CuesDecl& c) {
  const Symbol* s = nullptr;
  if (auto it = type_names_[module].find(c.labels.text); it != type_names_[module].end()) s = &it->second;
  for (uint32_t used : used_[module])
    if (auto it = type_names_[used].find(c.labels.text); !s && it != type_names_[used].end()) s = &it->second;
  int64_t enumeration = s && s->kind == Symbol::Kind::enumeration ? static_cast<int64_t>(s->index) : -1;
  for (uint16_t e = 0; e < kBuiltinEnums && enumeration < 0; ++e)
    if (program_.enums[e].name == c.labels.text) enumeration = e;
  if (enumeration < 0) {
    std::vector<std::string> names;
    for (const EnumInfo& e : program_.enums) names.push_back(e.name);
    std::string near = nearest(c.labels.text, names);
    error(Kind::unknown_type, c.labels.span, fmt::format("there is no enum `{}`", c.labels.text),
          near.empty() ? fmt::format("declare it: `enum {} {{ none, ... }}`", c.labels.text)
                       : fmt::format("did you mean `{}`?", near));
    return;
  }
  Cues cues;
  cues.module = program_.modules[module].name.text;
  cues.doc = d.doc.text;
  cues.span = c.labels.span;
  cues.enumeration = static_cast<uint16_t>(enumeration);
  for (const Cues& other : program_.cues) {
    if (other.module != cues.module || other.enumeration != cues.enumeration) continue;
    Diagnostic& report =
        diagnostics_.report(Kind::duplicate_name, c.labels.span, fmt::format("`{}` already has cues", c.labels.text));
    report.label = Label{other.span, "first declared here"};
    report.help = "join the two";
    return;
  }
  program_.cues.push_back(std::move(cues));
}

void Checker::check_cues(Cues& cues, uint32_t module, const ast::CuesDecl& d) {
  const EnumInfo labels = program_.enums[cues.enumeration];
  for (const ast::CueEntry& entry : d.entries) {
    auto it = std::find(labels.labels.begin(), labels.labels.end(), entry.label.text);
    if (it == labels.labels.end()) {
      std::string near = nearest(entry.label.text, labels.labels);
      error(Kind::unknown_label, entry.label.span,
            fmt::format("`{}` is not a label of `{}`", entry.label.text, labels.name),
            near.empty() ? fmt::format("its labels are {}", fmt::join(labels.labels, ", "))
                         : fmt::format("did you mean `{}`?", near));
      continue;
    }
    Cue cue;
    cue.label = static_cast<uint32_t>(it - labels.labels.begin());
    for (const ast::Expr& w : entry.weight) {
      Env env;
      env.module = module;
      Expr weight = check_as(w, env, Type::of(Base::real), "a weight");
      if (weight.failed()) continue;
      bool literal = weight.op == Op::real;
      if (weight.range.low < 0 || (literal && weight.range.low == 0)) {
        error(Kind::bad_range, weight.span, fmt::format("a weight is above 0, this is {}", to_string(weight.range)),
              "leave the phrase out, or put it under the label that it speaks for");
        continue;
      }
      cue.weight.push_back(std::move(weight));
    }
    for (const ast::Expr& phrase : entry.phrases) {
      auto parts = parse_template(sources_, phrase.span, diagnostics_);
      if (!parts) continue;
      bool has_hole = std::any_of(parts->begin(), parts->end(), [](const TextPart& p) { return p.hole.has_value(); });
      std::vector<std::string> words = words_of(case_folded(phrase.text));
      std::string fault = has_hole ? "a phrase has no {holes}" : fault_of(words);
      if (!fault.empty()) {
        error(Kind::bad_cue, phrase.span, fault, has_hole ? "`*` stands for any words" : "for example `\"not * but\"`");
        continue;
      }
      cue.words = fmt::format("{}", fmt::join(words, " "));
      cue.span = phrase.span;
      auto first = std::find_if(cues.cues.begin(), cues.cues.end(), [&](const Cue& o) { return o.words == cue.words; });
      if (first != cues.cues.end()) {
        bool same = first->label == cue.label;
        Diagnostic& report =
            diagnostics_.report(Kind::duplicate_cue, phrase.span,
                                same ? fmt::format("the phrase `{}` is listed twice", cue.words)
                                     : fmt::format("the phrase `{}` speaks for `{}` and for `{}`", cue.words,
                                                   labels.labels[first->label], labels.labels[cue.label]));
        report.label = Label{first->span, "first listed here"};
        report.help = same ? "remove one of the two" : "leave it where it is the better sign";
        continue;
      }
      cues.cues.push_back(cue);
    }
  }
}

void Checker::check_classifier(uint32_t index, uint32_t module, const ast::JudgeDecl& d) {
  Env env;
  env.module = module;
  env.state = true;
  env.judge = 0;  // its rule asks no judge
  uint32_t subject = new_variable(d.subject.name.text, Type::of(Entity::message));
  env.variables.emplace_back(d.subject.name.text, subject);
  Expr rule = check(d.rule, env);
  if (!rule.failed() && (rule.type.base != Base::enumeration || rule.type.optional)) {
    rule = error(Kind::type_mismatch, rule.span,
                 fmt::format("a judge of a `Message` gives a label, its rule gives `{}`", type_text(rule)),
                 "for example `classify(m.text)`; a score is given by a judge of a `Turn`");
  }
  Classifier& c = program_.classifiers[index];
  c.subject = subject;
  c.type = rule.type;
  if (rule.failed() || !check_observable(rule, std::nullopt)) return;
  std::vector<Expr> holes;
  std::string prompt = d.prompt ? hole_text(*d.prompt, env, holes) : "";
  for (const Expr& hole : holes) check_observable(hole, std::nullopt);
  Classifier& done = program_.classifiers[index];
  if (d.system) done.system = d.system->text;
  done.prompt = std::move(prompt);
  done.holes = std::move(holes);
  done.rule.push_back(std::move(rule));
}

// The sub-blocks named behind `shortening`, in this order.
void Checker::check_shortening(const ast::RenderDecl& d, std::vector<RenderBlock>& blocks) {
  std::vector<std::string> names;
  for (const RenderBlock& block : blocks) names.push_back(block.name);
  for (size_t place = 0; place < d.shortening.size(); ++place) {
    const ast::Name& name = d.shortening[place];
    auto block = std::find_if(blocks.begin(), blocks.end(), [&](const RenderBlock& o) { return o.name == name.text; });
    if (block == blocks.end()) {
      const std::string near = nearest(name.text, names);
      error(Kind::unknown_name, name.span, fmt::format("the render has no block `{}`", name.text),
            near.empty() ? fmt::format("its blocks are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean `{}`?", near));
    } else if (block->order >= 0) {
      Diagnostic& report =
          diagnostics_.report(Kind::duplicate_name, name.span, fmt::format("`{}` is shortened already", name.text));
      report.label = Label{d.shortening[static_cast<size_t>(block->order)].span, "first named here"};
      report.help = "name each block once, the one to be shortened first at the front";
    } else {
      block->order = static_cast<int64_t>(place);
    }
  }
}

// 0 where it is wrong.
uint32_t Checker::check_budget(const ast::Expr& written, uint32_t module) {
  Env env;
  env.module = module;
  const Expr budget = check(written, env);
  if (budget.failed()) return 0;
  const auto& range = budget.range;
  constexpr double kMost = 1e9;
  if (budget.op == Op::integer && range.low >= 1 && range.low <= kMost) return static_cast<uint32_t>(range.low);
  error(Kind::bad_budget, written.span, "the budget of a render is a whole number from 1 to 1000000000",
        "write the most that the block may take, for example `within 1500 bytes` or `within 400 tokens`");
  return 0;
}

const Expr* Checker::beyond_a_render(const Expr& e, bool shown) const {
  switch (e.op) {
    case Op::classify:
    case Op::classifier:
    case Op::mentioned:
    case Op::resolved:
      return &e;
    case Op::excerpt:
    case Op::fill:
      if (!shown) return &e;
      break;
    default:
      break;
  }
  // What conditions and numbers are made of is not written out.
  const Base base = e.type.base;
  shown = shown && base != Base::boolean && base != Base::integer && base != Base::real;
  for (const Expr& c : e.children)
    if (const Expr* found = beyond_a_render(c, shown)) return found;
  for (const Loop& l : e.loops) {
    if (const Expr* found = beyond_a_render(l.source[0], shown)) return found;
    for (const Expr& c : l.conditions)
      if (const Expr* found = beyond_a_render(c, false)) return found;
  }
  if (e.op != Op::call) return nullptr;
  for (const Expr& body : program_.functions[e.index].body)
    if (beyond_a_render(body, shown) != nullptr) return &e;
  return nullptr;
}

void Checker::check_render(uint32_t index, uint32_t module, const ast::RenderDecl& d) {
  Type type = resolve_type(d.subject.type, module);
  if (type.failed()) return;
  if (!type.is_entity(Entity::belief) || type.optional) {
    error(Kind::type_mismatch, d.subject.type.span,
          fmt::format("a render shows a belief, this is `{}`", program_.text(type)),
          "write `render NAME of b: BELIEF as xml { ... }`");
    return;
  }
  Env env;
  env.module = module;
  env.state = true;
  uint32_t subject = new_variable(d.subject.name.text, type);
  env.variables.emplace_back(d.subject.name.text, subject);
  std::vector<RenderBlock> blocks;
  for (const ast::RenderBlock& b : d.blocks) {
    auto first =
        std::find_if(blocks.begin(), blocks.end(), [&](const RenderBlock& o) { return o.name == b.name.text; });
    if (first != blocks.end()) {
      Diagnostic& report = diagnostics_.report(Kind::duplicate_name, b.name.span,
                                               fmt::format("the render already has a block `{}`", b.name.text));
      report.label = Label{first->span, "first declared here"};
      report.help = "give one of them another name";
      continue;
    }
    RenderBlock block;
    block.name = b.name.text;
    block.doc = b.doc.text;
    block.span = b.name.span;
    block.value = check_json(b.value, env);
    if (const Expr* e = beyond_a_render(block.value, true)) {
      error(Kind::misplaced_expression, e->span,
            "a render only shows a belief: it reads no words and compares no made text",
            "do this in a handler, and keep the answer in a field of the belief");
    }
    blocks.push_back(std::move(block));
  }
  check_shortening(d, blocks);
  const uint32_t budget = d.budget.empty() ? 0 : check_budget(d.budget[0], module);
  Render& render = program_.renders[index];
  render.budget = budget;
  render.tokens = d.tokens;
  render.belief = type.enumeration;
  render.subject = subject;
  render.xml = d.format.text == "xml";
  render.blocks = std::move(blocks);
}

void Checker::check_classifiers() {
  for (uint32_t i = 0; i < classifier_decl_.size(); ++i) {
    auto [module, d] = classifier_decl_[i];
    if (!is_broken(*d)) check_classifier(i, module, std::get<ast::JudgeDecl>(d->body));
  }
}

void Checker::check_state() {
  for (uint32_t m = 0; m < program_.modules.size(); ++m) {
    const std::string& name = program_.modules[m].name.text;
    for (const ast::Declaration& d : program_.modules[m].declarations) {
      if (is_broken(d)) continue;
      if (auto* cues = std::get_if<ast::CuesDecl>(&d.body)) {
        for (Cues& c : program_.cues)
          if (c.module == name && c.span == cues->labels.span) check_cues(c, m, *cues);
      } else if (auto* belief = std::get_if<ast::BeliefDecl>(&d.body)) {
        for (uint32_t i = 0; i < program_.beliefs.size(); ++i)
          if (program_.beliefs[i].span == belief->name.span) check_belief(i, m, *belief);
      }
    }
  }
  for (uint32_t i = 0; i < render_decl_.size(); ++i) {
    auto [module, d] = render_decl_[i];
    if (!is_broken(*d)) check_render(i, module, std::get<ast::RenderDecl>(d->body));
  }
}

}  // namespace wend::sema
