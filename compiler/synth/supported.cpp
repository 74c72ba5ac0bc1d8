// What expressions can ask while a dialogue is made.
#include <fmt/format.h>

#include <set>

#include "compiler/sema/domain.h"
#include "compiler/synth/evaluator.h"
#include "compiler/synth/scenario.h"

namespace wend::synth {

using sema::Entity;
using sema::Expr;
using sema::Op;

namespace {

const std::set<std::pair<Entity, std::string_view>>& known_fields() {
  static const std::set<std::pair<Entity, std::string_view>> known = {
      {Entity::trace, "turns"},     {Entity::trace, "calls"},    {Entity::trace, "pool"},
      {Entity::trace, "profile"},   {Entity::trace, "messages"}, {Entity::turn, "trace"},
      {Entity::turn, "number"},     {Entity::turn, "calls"},     {Entity::turn, "user"},
      {Entity::turn, "answered"},   {Entity::turn, "expects"},   {Entity::turn, "signal"},
      {Entity::turn, "labelled"},   {Entity::turn, "messages"},  {Entity::turn, "earlier"},
      {Entity::turn, "previous"},   {Entity::message, "trace"},  {Entity::message, "turn"},
      {Entity::message, "text"},    {Entity::message, "calls"},  {Entity::message, "role"},
      {Entity::message, "answers"}, {Entity::call, "trace"},     {Entity::call, "turn"},
      {Entity::call, "name"},       {Entity::call, "tool"},      {Entity::call, "args"},
      {Entity::call, "number"},     {Entity::call, "result"},    {Entity::call, "earlier"},
      {Entity::call, "previous"},   {Entity::call, "malformed"}, {Entity::arg, "call"},
      {Entity::arg, "name"},        {Entity::arg, "value"},      {Entity::arg, "param"},
      {Entity::tool, "name"},       {Entity::tool, "params"},    {Entity::tool, "description"},
      {Entity::param, "tool"},      {Entity::param, "name"},     {Entity::param, "type"},
      {Entity::param, "required"},  {Entity::param, "default"},  {Entity::param, "choices"}};
  return known;
}

bool known_op(Op op) {
  switch (op) {
    case Op::judge:
    case Op::metric:
    case Op::belief_field:
    case Op::lookup:
    case Op::object:
    case Op::array:
    case Op::comprehension:
    case Op::classify:
    case Op::classifier:
    case Op::mentioned:
    case Op::resolved:
    case Op::keys:
    case Op::tokens:
    case Op::back:
    case Op::granted:
    case Op::label_name:
    case Op::excerpt:
      return false;
    default:
      return true;
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the expression
std::optional<Unsupported> look(const sema::Program& program, const Expr& e, std::set<uint32_t>& functions) {
  for (const Expr& child : e.children)
    if (auto inside = look(program, child, functions)) return inside;
  if (!known_op(e.op)) return Unsupported{e.span, "this has no value while a dialogue is made"};
  if (e.op == Op::field) {
    const bool of_value = e.field->owner == Entity::none;
    const bool known = of_value ? e.field->name != "leaves" : known_fields().contains({e.field->owner, e.field->name});
    if (!known) return Unsupported{e.span, fmt::format("`{}` has no value while a dialogue is made", e.field->name)};
  }
  if (e.op == Op::call && functions.insert(e.index).second && !program.functions[e.index].body.empty())
    if (auto inside = look(program, program.functions[e.index].body[0], functions))
      return Unsupported{e.span, inside->what};
  for (const sema::Loop& loop : e.loops) {
    for (const Expr& source : loop.source)
      if (auto inside = look(program, source, functions)) return inside;
    for (const Expr& condition : loop.conditions)
      if (auto inside = look(program, condition, functions)) return inside;
  }
  return std::nullopt;
}

void report(const sema::Program& program, const sema::Expr& e, Diagnostics& diagnostics) {
  if (const std::optional<Unsupported> found = unsupported(program, e))
    diagnostics.report(wend::Kind::misplaced_expression, found->span, found->what).help =
        "scenarios and filters see the dialogue, its calls, arguments and tools, before there are metrics or beliefs";
}

}  // namespace

std::optional<Unsupported> unsupported(const sema::Program& program, const Expr& e) {
  std::set<uint32_t> functions;
  return look(program, e, functions);
}

void check_scenarios(const sema::Program& program, Diagnostics& diagnostics) {
  const auto all = [&](const auto& expressions) {
    for (const sema::Expr& e : expressions) report(program, e, diagnostics);
  };
  const auto binding = [&](const sema::Binding& b) {
    report(program, b.source, diagnostics);
    all(b.conditions);
  };
  const auto changed = [&](const sema::ChangedCall& c) {
    report(program, c.call, diagnostics);
    for (const auto& [variable, value] : c.changes) report(program, value, diagnostics);
  };
  for (const sema::Scenario& s : program.scenarios) {
    for (const sema::Binding& b : s.bindings) binding(b);
    for (const auto& change : s.changes) {
      if (const auto* splicing = std::get_if<sema::Splicing>(&change)) {
        all(splicing->point.subject);
        continue;
      }
      const auto& injection = std::get<sema::Injection>(change);
      all(injection.point.subject);
      for (const sema::Binding& b : injection.where) binding(b);
      for (const sema::ScenarioStep& step : injection.steps) {
        all(step.text);
        for (const sema::ChangedCall& c : step.calls) changed(c);
      }
    }
    for (const sema::ChangedCall& c : s.gold.calls) changed(c);
    all(s.gold.calls_of);
    for (const auto& [slot, value] : s.gold.stale) {
      report(program, slot, diagnostics);
      report(program, value, diagnostics);
    }
    all(s.gold.missing);
    all(s.gold.abandoned);
    all(s.gold.reference);
    all(s.requirements);
  }
  for (const sema::Phrases& phrases : program.phrases) all(phrases.variants);
  for (const sema::Filter& filter : program.filters)
    for (const sema::FilterRule& rule : filter.rules)
      for (const sema::FilterCheck& check : rule.checks) report(program, check.condition, diagnostics);
}

}  // namespace wend::synth
