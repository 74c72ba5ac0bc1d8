// Beliefs, renders and contexts: the functions of wend_belief_program.
#include "compiler/codegen/llvm/procedure_emitter.h"
#include "compiler/codegen/llvm/program_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Value;
using plan::Instruction;
using plan::kNoNode;
using plan::Procedure;
using plan::Type;
using Kind = plan::Instruction::Kind;

// ---- What changes -------------------------------------------------------------------------------------------------

void ProcedureEmitter::collect(const Procedure& procedure, Changes& changes) const {
  for (const Instruction& i : procedure) {
    if (i.kind == Kind::effect) changes.state = true;
    const bool is_integer = i.kind == Kind::put;
    if (i.variable >= 0 && i.kind != Kind::each)
      changes.variables[i.variable] = m_.held(is_integer ? Type::integer : i.type);
    if (i.kind == Kind::effect && i.second >= 0) changes.variables[i.second] = m_.i32;
    collect(i.body, changes);
    collect(i.otherwise, changes);
  }
}

ProcedureEmitter::Changes ProcedureEmitter::changes_of(const Procedure& procedure) const {
  Changes changes;
  collect(procedure, changes);
  return changes;
}

void ProcedureEmitter::begin(const Procedure& procedure) {
  for (const auto& [variable, type] : changes_of(procedure).variables)
    slots_[variable] = {f_.slot(llvm::Constant::getNullValue(type)), type};
  f_.bind(m_.plan.trace_variable, m_.int32(0), false);
}

void ProcedureEmitter::assign(int64_t variable, Value* value) {
  b_.CreateStore(value, slots_.at(variable).first);
  f_.forget(variable);
  f_.bind(variable, value, false);
}

void ProcedureEmitter::rebind(const Changes& changes) {
  for (const auto& [variable, type] : changes.variables)
    f_.bind(variable, b_.CreateLoad(type, slots_.at(variable).first), false);
}

void ProcedureEmitter::forget(const Changes& changes) {
  if (changes.state) f_.forget_all();
  for (const auto& [variable, type] : changes.variables) f_.forget(variable);
  rebind(changes);
}

// ---- Instructions -------------------------------------------------------------------------------------------------

void ProcedureEmitter::handle(const Procedure& procedure) {
  f_.batch_may_change();
  state_ = f_.member_of_argument(1, m_.ptr, offsetof(wend_engine, state));
  apply_ = f_.member_of_argument(1, m_.ptr, offsetof(wend_engine, apply));
  begin(procedure);
  run(procedure);
  b_.CreateRetVoid();
}

void ProcedureEmitter::run(const Procedure& procedure) {
  for (const Instruction& i : procedure) {
    if (m_.too_large()) return;
    f_.locate(i.source);
    run(i);
  }
}

void ProcedureEmitter::run(const Instruction& i) {
  switch (i.kind) {
    case Kind::effect:
      return run_effect(i);
    case Kind::let:
      return assign(i.variable, argument(i, 0));
    case Kind::put:
      return put(i);
    case Kind::when:
      return run_when(i);
    case Kind::each:
      return run_each(i);
  }
}

Value* ProcedureEmitter::as_bits(Value* value) {
  return value->getType() == m_.f64 ? b_.CreateBitCast(value, m_.i64) : b_.CreateZExt(value, m_.i64);
}

Value* ProcedureEmitter::of_bits(Value* bits, Type type) {
  switch (type) {
    case Type::boolean:
      return b_.CreateICmpNE(bits, m_.int64(0));
    case Type::integer:
      return bits;
    case Type::real:
      return b_.CreateBitCast(bits, m_.f64);
    default:
      return b_.CreateTrunc(bits, m_.i32);
  }
}

void ProcedureEmitter::run_effect(const Instruction& i) {
  std::vector<Value*> arguments{state_, m_.int32(i.effect), m_.int32(i.field)};
  for (size_t k = 0; k < 3; ++k) arguments.push_back(k < i.args.size() ? as_bits(argument(i, k)) : m_.int64(0));
  auto* type = llvm::FunctionType::get(m_.i64, {m_.ptr, m_.i32, m_.i32, m_.i64, m_.i64, m_.i64}, false);
  auto* answer = b_.CreateCall(type, apply_, arguments);
  answer->setDoesNotThrow();
  f_.forget_all();
  if (i.variable >= 0) assign(i.variable, of_bits(answer, i.type));
  if (i.second >= 0) assign(i.second, b_.CreateTrunc(b_.CreateLShr(answer, m_.int64(32)), m_.i32));
}

void ProcedureEmitter::run_when(const Instruction& i) {
  BasicBlock* yes = f_.block("when");
  BasicBlock* no = f_.block("otherwise");
  BasicBlock* done = f_.block("done");
  const FunctionEmitter::Facts facts = f_.branch(i.args[0], yes, no);
  const auto side = [&](BasicBlock* start, const auto& known, const Procedure& body) {
    f_.enter(start);
    const size_t before = f_.mark();
    f_.assume(known);
    run(body);
    f_.rollback(before);
    b_.CreateBr(done);
  };
  Changes changes = changes_of(i.body);
  side(yes, facts.on_true, i.body);
  f_.enter(no);
  rebind(changes);
  side(no, facts.on_false, i.otherwise);
  collect(i.otherwise, changes);
  f_.enter(done);
  forget(changes);
}

void ProcedureEmitter::run_each(const Instruction& i) {
  Value* from = argument(i, 0);
  Value* to = argument(i, 1);
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock* inside = f_.block("each");
  BasicBlock* next = f_.block("each.next");
  BasicBlock* exit = f_.block("each.exit");
  const auto below = [&](Value* x, Value* y) {
    return i.type == Type::row ? b_.CreateICmpULT(x, y) : b_.CreateICmpSLT(x, y);
  };
  b_.CreateCondBr(below(from, to), inside, exit);
  f_.enter(inside);
  auto* index = b_.CreatePHI(from->getType(), 2, "i");
  index->addIncoming(from, before);
  const size_t known = f_.mark();
  const Changes changes = changes_of(i.body);
  forget(changes);
  f_.forget(i.variable);
  f_.bind(i.variable, index, false);
  if (i.args[2] != kNoNode) {
    BasicBlock* step = f_.block("each.step");
    const FunctionEmitter::Facts facts = f_.branch(i.args[2], step, next);
    f_.enter(step);
    f_.assume(facts.on_true);
  }
  run(i.body);
  f_.rollback(known);
  b_.CreateBr(next);
  f_.enter(next);
  Value* following = b_.CreateAdd(index, llvm::ConstantInt::get(index->getType(), 1));
  index->addIncoming(following, next);
  b_.CreateCondBr(below(following, to), inside, exit);
  f_.enter(exit);
  forget(changes);
}

// ---- Functions ----------------------------------------------------------------------------------------------------

Function* ProgramEmitter::emit_handler(const std::string& name, const Procedure& procedure) {
  Function* function = context_function(name, {m_.ptr}, false, true);
  FunctionEmitter f(m_, function, name, procedure.front().source);
  ProcedureEmitter(f).handle(procedure);
  f.finish();
  return function;
}

Function* ProgramEmitter::emit_render(const plan::Render& render) {
  const std::string name = render.module + "." + render.name;
  Function* function = context_function(name, {m_.ptr}, false, true);
  FunctionEmitter f(m_, function, name, render.body.front().source);
  ProcedureEmitter(f).render(render.body);
  f.finish();
  return function;
}

void ProgramEmitter::emit_beliefs() {
  std::vector<Function*> begins, handlers, renders, contexts;
  const auto handler = [&](const plan::Belief& belief, const char* event, const Procedure& procedure) {
    return procedure.empty() ? nullptr : emit_handler(belief.module + "." + belief.name + "." + event, procedure);
  };
  constexpr const char* kEvents[] = {"user", "call", "result", "reply"};
  static_assert(std::size(kEvents) == WEND_N_EVENTS);
  for (const plan::Belief& belief : m_.plan.beliefs) {
    begins.push_back(handler(belief, "begin", belief.begin));
    for (size_t event = 0; event < WEND_N_EVENTS; ++event)
      handlers.push_back(handler(belief, kEvents[event], belief.handlers[event]));
  }
  for (const plan::Render& render : m_.plan.renders) renders.push_back(emit_render(render));
  for (const plan::Context& context : m_.plan.contexts) {
    const std::string name = context.info.module + "." + context.info.name;
    contexts.push_back(context.body.empty() ? nullptr : emit_handler(name, context.body));
  }

  // Calls the function that the number says, with the context and one more argument.
  const auto dispatch = [&](FunctionEmitter& f, Value* which, const std::vector<Function*>& all, Value* argument) {
    llvm::BasicBlock* done = f.block("done");
    auto* choice = f.b.CreateSwitch(which, done);
    for (uint32_t k = 0; k < all.size(); ++k) {
      if (!all[k]) continue;
      llvm::BasicBlock* one = f.block(all[k]->getName());
      choice->addCase(llvm::cast<llvm::ConstantInt>(m_.int32(k)), one);
      f.enter(one);
      f.b.CreateCall(all[k], {f.arg(0), argument});
      f.b.CreateBr(done);
    }
    f.enter(done);
    f.b.CreateRetVoid();
    f.finish();
  };
  {
    functions_.begin = context_function("wend_begin", {m_.ptr, m_.i32}, exported_, false);
    FunctionEmitter f(m_, functions_.begin, "wend_begin", 0);
    dispatch(f, f.arg(2), begins, f.arg(1));
  }
  {
    functions_.on = context_function("wend_on", {m_.ptr, m_.i32, m_.i32}, exported_, false);
    FunctionEmitter f(m_, functions_.on, "wend_on", 0);
    Value* first = f.b.CreateMul(f.arg(2), m_.int32(WEND_N_EVENTS));
    dispatch(f, f.b.CreateAdd(first, f.arg(3)), handlers, f.arg(1));
  }
  {
    functions_.render = context_function("wend_render", {m_.i32, m_.ptr}, exported_, false);
    FunctionEmitter f(m_, functions_.render, "wend_render", 0);
    dispatch(f, f.arg(1), renders, f.arg(2));
  }
  {
    functions_.context = context_function("wend_context", {m_.ptr, m_.i32}, exported_, false);
    FunctionEmitter f(m_, functions_.context, "wend_context", 0);
    dispatch(f, f.arg(2), contexts, f.arg(1));
  }
}

}  // namespace wend::codegen
