#include "compiler/codegen/llvm/emit_program.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <map>

#include "compiler/codegen/llvm/program_emitter.h"

namespace wend::codegen {

using llvm::Function;
using llvm::Value;
using plan::kNoNode;
using plan::NodeId;

namespace {

// Traces that go through all passes together.
constexpr uint32_t kBlock = 16;

uint32_t source_of(const plan::Plan& plan, NodeId id) { return id == kNoNode ? 0 : plan.nodes[id].source; }

// "iacm.detect.hit" or "iacm.detect.hit+iacm.detect.miss+3": enough to recognise the pass by.
std::string pass_name(const plan::Plan& plan, const plan::Pass& pass) {
  constexpr size_t kLongest = 96;
  std::string name;
  for (size_t i = 0; i < pass.columns.size(); ++i) {
    const std::string& next = plan.columns[pass.columns[i]].name;
    if (i > 0 && name.size() + next.size() > kLongest) {
      return name + "+" + std::to_string(pass.columns.size() - i);
    }
    name += (i == 0 ? "" : "+") + next;
  }
  return name;
}

}  // namespace

Function* ProgramEmitter::context_function(const std::string& name, std::vector<llvm::Type*> more, bool exported,
                                           bool apart) {
  std::vector<llvm::Type*> params{m_.ptr};
  params.insert(params.end(), more.begin(), more.end());
  Function* function = m_.define(name, m_.none, params, exported, apart);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttr(0, llvm::Attribute::NonNull);
  function->addParamAttr(0, llvm::Attribute::ReadOnly);
  function->addDereferenceableParamAttr(0, sizeof(wend_context));
  function->getArg(0)->setName("ctx");
  return function;
}

void ProgramEmitter::call_passes(FunctionEmitter& f, const std::vector<uint32_t>& passes, Value* begin, Value* end) {
  for (uint32_t pass : passes) f.b.CreateCall(passes_[pass], {f.arg(0), begin, end});
}

Value* ProgramEmitter::evaluable(FunctionEmitter& f, Value* caps, uint32_t mask) {
  if (mask == 0) return nullptr;
  return f.b.CreateICmpEQ(f.b.CreateAnd(caps, m_.int32(mask)), m_.int32(mask));
}

void ProgramEmitter::emit_report() {
  Function* function = m_.define("wend_report", m_.none, {m_.ptr, m_.i32, m_.i32, m_.i32, m_.i32, m_.f64}, false);
  // It is emitted first and stays, inlined or not: sanitizers read what lies before a function that is called through a
  // pointer, and the entry points behind it must not start a page.
  llvm::appendToCompilerUsed(m_.module, {function});
  FunctionEmitter f(m_, function, "wend_report", 0);
  Value* sink = f.arg(0);
  auto member = [&](size_t offset) { return f.at(sink, m_.int64(0), 1, static_cast<uint32_t>(offset)); };
  Value* count_address = member(offsetof(wend_evidence_sink, count));
  Value* count = f.load(m_.i64, count_address, "sink");
  f.store(f.b.CreateAdd(count, m_.int64(1)), count_address, "sink");
  Value* capacity = f.load(m_.i64, member(offsetof(wend_evidence_sink, capacity)), "sink");
  llvm::BasicBlock* room = f.block("room");
  llvm::BasicBlock* done = f.block("done");
  f.b.CreateCondBr(f.b.CreateICmpULT(count, capacity), room, done);
  f.enter(room);
  Value* items = f.load(m_.ptr, member(offsetof(wend_evidence_sink, items)), "sink");
  Value* item = f.at(items, count, sizeof(wend_evidence));
  constexpr size_t kOffsets[] = {offsetof(wend_evidence, trace), offsetof(wend_evidence, term),
                                 offsetof(wend_evidence, table), offsetof(wend_evidence, row),
                                 offsetof(wend_evidence, value)};
  for (unsigned i = 0; i < 5; ++i) {
    f.store(f.arg(i + 1), f.at(item, m_.int64(0), 1, static_cast<uint32_t>(kOffsets[i])), "evidence");
  }
  f.b.CreateBr(done);
  f.enter(done);
  f.b.CreateRetVoid();
  f.finish();
}

Function* ProgramEmitter::emit_pass(uint32_t index) {
  const plan::Pass& pass = m_.plan.passes[index];
  const plan::Column& first = m_.plan.columns[pass.columns.front()];
  std::string name = pass_name(m_.plan, pass);
  Function* function = context_function(name, {m_.i32, m_.i32}, false, true);
  FunctionEmitter f(m_, function, name, source_of(m_.plan, first.body));
  // memo[c] of the row at hand, by variable, so that a column is read from its register by the next ones.
  std::map<std::pair<int64_t, int64_t>, NodeId> own;
  for (NodeId id = 0; id < m_.plan.nodes.size(); ++id) {
    const plan::Node& node = m_.plan.nodes[id];
    if (node.op != plan::Op::memo) continue;
    const plan::Node& row = m_.plan.nodes[node.children[0]];
    if (row.op == plan::Op::variable) own[{node.integer, row.integer}] = id;
  }
  std::vector<NodeId> together;  // of a trace, what can be computed before any of the columns is stored
  for (uint32_t c : pass.columns) {
    const NodeId body = m_.plan.columns[c].body;
    if (pass.table == WEND_TABLE_trace && !m_.analysis.reads(body, pass.columns)) together.push_back(body);
  }
  f.loop(f.arg(1), f.arg(2), "trace", [&](Value* trace) {
    f.for_rows(pass.table, pass.gold, trace, [&](const std::vector<Value*>& owners, Value* row) {
      f.bind(m_.plan.trace_variable, trace, true);
      for (uint32_t c : pass.columns) {
        f.bind(m_.plan.columns[c].subject, row, true);
        f.know_owners(m_.plan.columns[c].subject, owners);
      }
      f.emit_fused(together);
      for (uint32_t c : pass.columns) {
        const plan::Column& column = m_.plan.columns[c];
        if (pass.columns.size() > 1) f.in_spec_function(column.name, source_of(m_.plan, column.body));
        Value* value = f.emit(column.body);
        Value* held = value->getType() == m_.f64 ? value : f.b.CreateZExt(value, m_.i64);
        f.store(held, f.at(f.memo(c), row, 8), "memo." + std::to_string(c));
        for (uint32_t reader : pass.columns) {
          auto read = own.find({c, m_.plan.columns[reader].subject});
          if (read != own.end()) f.set(read->second, value);
        }
      }
      f.in_spec_function("", 0);
    });
  });
  f.b.CreateRetVoid();
  f.finish();
  return function;
}

void ProgramEmitter::for_traces(FunctionEmitter& f, const std::vector<uint32_t>& passes,
                                const std::function<void(Value*)>& body) {
  if (passes.empty()) {
    if (body) f.loop(f.arg(1), f.arg(2), "trace", body);
    return;
  }
  f.loop(
      f.arg(1), f.arg(2), "block",
      [&](Value* begin) {
        Value* left = f.b.CreateSub(f.arg(2), begin);
        Value* size = f.b.CreateSelect(f.b.CreateICmpULT(left, m_.int32(kBlock)), left, m_.int32(kBlock));
        Value* end = f.b.CreateAdd(begin, size);
        call_passes(f, passes, begin, end);
        if (body) f.loop(begin, end, "trace", body);
      },
      kBlock);
}

void ProgramEmitter::emit_prepare() {
  functions_.prepare = context_function("wend_prepare", {m_.i32, m_.i32}, exported_, false);
  FunctionEmitter f(m_, functions_.prepare, "wend_prepare", 0);
  std::vector<uint32_t> passes;
  for (uint32_t k = 0; k < m_.plan.passes.size(); ++k) {
    if (!m_.plan.passes[k].late) passes.push_back(k);
  }
  for_traces(f, passes, nullptr);
  f.b.CreateRetVoid();
  f.finish();
}

void ProgramEmitter::emit_requests() {
  functions_.requests = context_function("wend_requests", {m_.i32, m_.i32, m_.ptr}, exported_, false);
  FunctionEmitter f(m_, functions_.requests, "wend_requests", 0);
  std::vector<NodeId> roots;
  roots.reserve(m_.plan.judges.size());
  for (const plan::Judge& judge : m_.plan.judges) roots.push_back(judge.asked);
  // This comes before prepare(), so what the questions depend on is computed here.
  Analysis::Needs needs = m_.analysis.needs(roots);
  std::vector<uint32_t> passes = needs.early;
  passes.insert(passes.end(), needs.late.begin(), needs.late.end());
  for_traces(f, passes, [&](Value* trace) {
    f.bind(m_.plan.trace_variable, trace, true);
    Value* caps = f.load_fixed(m_.i32, f.at(f.column(WEND_COLUMN_trace_caps), trace, 4));
    f.for_rows(WEND_TABLE_turn, false, trace, [&](const std::vector<Value*>&, Value* turn) {
      for (size_t k = 0; k < m_.plan.judges.size(); ++k) {
        const plan::Judge& judge = m_.plan.judges[k];
        size_t before = f.mark();
        f.bind(judge.subject, turn, true);
        Value* asked = f.emit(judge.asked);
        if (Value* ok = evaluable(f, caps, judge.requirements)) asked = f.b.CreateAnd(asked, ok);
        Value* offset =
            f.b.CreateMul(f.b.CreateZExt(f.rows(WEND_TABLE_turn), m_.i64), m_.int64(static_cast<int64_t>(k)));
        Value* index = f.b.CreateAdd(offset, f.b.CreateZExt(turn, m_.i64));
        f.store(f.b.CreateZExt(asked, m_.i8), f.at(f.arg(3), index, 1), "asks");
        f.rollback(before);
      }
    });
  });
  f.b.CreateRetVoid();
  f.finish();
}

void ProgramEmitter::emit_signals() {
  functions_.signals = context_function("wend_signals", {m_.i32, m_.i32, m_.ptr}, exported_, false);
  FunctionEmitter f(m_, functions_.signals, "wend_signals", 0);
  std::vector<NodeId> roots;
  roots.reserve(m_.plan.signals.size());
  for (const plan::Signal& signal : m_.plan.signals) roots.push_back(signal.value);
  const auto n = static_cast<uint32_t>(m_.plan.signals.size());
  for_traces(f, m_.analysis.needs(roots).late, [&](Value* trace) {
    f.bind(m_.plan.trace_variable, trace, true);
    Value* out = f.at(f.arg(3), f.b.CreateZExt(f.b.CreateSub(trace, f.arg(1)), m_.i64), n * 8);
    f.emit_fused(roots);
    for (uint32_t k = 0; k < n; ++k) {
      // Whatever the trace offers: who sums them up looks at signal_requires.
      f.locate(source_of(m_.plan, m_.plan.signals[k].value));
      f.store(f.emit(m_.plan.signals[k].value), f.at(out, m_.int64(k), 8), "signals");
    }
  });
  f.b.CreateRetVoid();
  f.finish();
}

void ProgramEmitter::emit_metrics() {
  Function* function = m_.define("wend_metrics", m_.none, {m_.ptr, m_.ptr, m_.ptr, m_.ptr}, exported_);
  functions_.metrics = function;
  FunctionEmitter f(m_, function, "wend_metrics", 0);
  f.use_metric_arguments(f.arg(0), f.arg(1));
  for (uint32_t k = 0; k < m_.plan.metrics.size(); ++k) {
    const plan::Metric& metric = m_.plan.metrics[k];
    f.locate(source_of(m_.plan, metric.value));
    llvm::BasicBlock* defined = f.block("defined");
    llvm::BasicBlock* undefined = f.block("undefined");
    llvm::BasicBlock* done = f.block("done");
    auto put = [&](Value* value, bool valid) {
      f.store(value, f.at(f.arg(2), m_.int64(k), 8), "value");
      f.store(llvm::ConstantInt::get(m_.i8, valid), f.at(f.arg(3), m_.int64(k), 1), "valid");
      f.b.CreateBr(done);
    };
    FunctionEmitter::Facts facts = f.branch(metric.defined, defined, undefined);
    size_t shared = f.mark();
    f.enter(defined);
    f.assume(facts.on_true);
    put(f.emit(metric.value), true);
    f.rollback(shared);
    f.enter(undefined);
    put(m_.nan(), false);
    f.enter(done);
  }
  f.b.CreateRetVoid();
  f.finish();
}

Function* ProgramEmitter::emit_dispatch(const std::string& name, const std::vector<Function*>& rewards) {
  Function* function = m_.define(name, m_.none, {m_.ptr, m_.i32, m_.i32, m_.i32, m_.ptr, m_.ptr, m_.ptr}, exported_);
  FunctionEmitter f(m_, function, name, 0);
  llvm::BasicBlock* done = f.block("done");
  auto* choice = f.b.CreateSwitch(f.arg(1), done, static_cast<unsigned>(rewards.size()));
  for (uint32_t k = 0; k < rewards.size(); ++k) {
    llvm::BasicBlock* one = f.block(rewards[k]->getName());
    choice->addCase(llvm::cast<llvm::ConstantInt>(m_.int32(k)), one);
    f.enter(one);
    f.b.CreateCall(rewards[k], {f.arg(0), f.arg(2), f.arg(3), f.arg(4), f.arg(5), f.arg(6)});
    f.b.CreateBr(done);
  }
  f.enter(done);
  f.b.CreateRetVoid();
  f.finish();
  return function;
}

bool ProgramEmitter::emit_all() {
  emit_report();
  for (uint32_t k = 0; k < m_.plan.passes.size(); ++k) passes_.push_back(emit_pass(k));
  emit_requests();
  emit_prepare();
  emit_signals();
  emit_metrics();
  std::vector<Function*> rewards, attributes;
  for (const plan::Reward& reward : m_.plan.rewards) {
    rewards.push_back(emit_reward(reward, false));
    attributes.push_back(emit_reward(reward, true));
  }
  functions_.reward = emit_dispatch("wend_reward", rewards);
  functions_.attribute = emit_dispatch("wend_attribute", attributes);
  if (!m_.plan.beliefs.empty() || !m_.plan.contexts.empty()) emit_beliefs();
  if (!exported_) emit_tables();
  m_.debug.finish();
  return !m_.too_large();
}

Result<void> emit_program(const plan::Plan& plan, llvm::Module& module, const EmitOptions& options) {
  ProgramEmitter emitter(module, plan, options.debug, !options.tables);
  if (!emitter.emit_all()) return Error{"the spec is too large to compile: its choices are nested too deeply"};
  std::string text;
  llvm::raw_string_ostream out(text);
  if (llvm::verifyModule(module, &out)) {
    return Error{"the generated code is not well formed (a bug of ours, please report it): " + out.str()};
  }
  return {};
}

}  // namespace wend::codegen
