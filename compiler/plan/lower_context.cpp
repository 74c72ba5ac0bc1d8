// Contexts: which steps hold before a reply, with their amounts, as a procedure.
#include "compiler/plan/builder.h"

namespace wend::plan {

using sema::Base;
using SOp = sema::Op;

namespace {

// By the order of their declarations.
static_assert(static_cast<int>(ast::ContextKind::compress) == static_cast<int>(ContextStepKind::compress));
static_assert(static_cast<int>(sema::UpdatePolicy::first_only) == static_cast<int>(UpdatePolicy::first_only));

constexpr const char* kAuthors[] = {"policy", "scorer", "summariser", "guideline"};
constexpr const char* kCarried[] = {"state", "facts", "constraints", "summary"};

bool selects_history(ContextStepKind kind) { return kind <= ContextStepKind::history_last; }

ContextStepInfo describe(const sema::ContextStep& step) {
  ContextStepInfo out;
  out.kind = static_cast<ContextStepKind>(step.kind);
  switch (out.kind) {
    case ContextStepKind::draft:
      out.author = kAuthors[0];
      if (step.prompt) out.prompt = *step.prompt;
      [[fallthrough]];
    case ContextStepKind::render:
      out.render = step.render;
      break;
    case ContextStepKind::inject:
      out.into_system = step.into_system;
      break;
    case ContextStepKind::update:
      out.policy = static_cast<UpdatePolicy>(step.policy);
      break;
    case ContextStepKind::instruct:
      out.text = step.text;
      break;
    case ContextStepKind::carry:
      out.text = kCarried[static_cast<size_t>(step.carried)];
      [[fallthrough]];
    case ContextStepKind::compress:
      out.author = kAuthors[static_cast<size_t>(step.author)];
      break;
    default:
      break;
  }
  return out;
}

}  // namespace

// A step that does not hold is not asked for, and its amount not computed.
void Builder::put_step(const sema::Context& context, uint32_t index, Bindings& b, Instructions& out) {
  const sema::ContextStep& step = context.steps[index];
  current_place_ = place(step.span);
  effects_ = &out;
  const auto ask = [&](Instructions& into) {
    effects_ = &into;
    NodeId amount = step.amount.empty() ? integer(0) : lower(step.amount[0], b);
    ask_for(WEND_EFFECT_CONTEXT_STEP, index, {amount}, into);
  };
  if (step.condition.empty()) return ask(out);
  Instruction when;
  when.kind = Instruction::Kind::when;
  when.args = {lower(step.condition[0], b)};
  when.source = current_place_;
  ask(when.body);
  out.push_back(std::move(when));
}

Context Builder::lower_context(const sema::Context& context) {
  Context out;
  out.info.name = context.name;
  out.info.module = context.module;
  out.info.doc = context.doc;
  out.info.place = sources_.place(context.span);
  next_variable_ = 2;
  Bindings b;
  current_place_ = place(context.span);
  for (uint32_t i = 0; i < context.parameters.size(); ++i) {
    const sema::Variable& parameter = program_.variables[context.parameters[i]];
    const sema::Expr& fallback = context.defaults[i];
    out.info.params.push_back(
        {parameter.name, program_.text(parameter.type), std::string(sources_.text(fallback.span))});
    effects_ = &out.body;
    Bindings none;
    NodeId value = lower(fallback, none);
    if (parameter.type.base == Base::real) value = as_real(value);
    b[context.parameters[i]] = {effect(WEND_EFFECT_CONTEXT_PARAM, i, {value}, type_of(parameter.type))};
  }
  b[context.history] = {};
  // What is selected comes first, wherever it is written: the others are about it.
  for (uint32_t i = 0; i < context.steps.size(); ++i) {
    out.info.steps.push_back(describe(context.steps[i]));
    if (selects_history(out.info.steps.back().kind)) put_step(context, i, b, out.body);
  }
  for (uint32_t i = 0; i < context.steps.size(); ++i) {
    if (!selects_history(out.info.steps[i].kind)) put_step(context, i, b, out.body);
  }
  effects_ = nullptr;
  return out;
}

}  // namespace wend::plan
