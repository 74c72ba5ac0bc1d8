// Rewards: stops, weighted terms, clamp.
//
//   total = 0; for each term: ok = requirements met; terms[k] = ok ? weighted : NaN; total += ok ? weighted : nothing
//
// A stop that is not evaluable does not fire. Where one fires it is all that counts: the other terms are 0, whatever
// they need. The status is PARTIAL where a term, or a stop before the one that fired, was not evaluable.
#include <algorithm>
#include <map>

#include "compiler/codegen/llvm/program_emitter.h"

namespace wend::codegen {

using llvm::BasicBlock;
using llvm::Value;
using plan::kNoNode;
using plan::NodeId;
using plan::Term;

namespace {

// Evaluating this many simple instructions in vain is cheaper than a jump around them.
constexpr int kTermBudget = 16;

class RewardEmitter {
 public:
  RewardEmitter(FunctionEmitter& f, const plan::Reward& reward, bool attribute)
      : f_(f), m_(f.m), b_(f.b), reward_(reward), attribute_(attribute) {
    clamped_ = reward.clamp_low != kNoNode || reward.clamp_high != kNoNode;
    n_terms_ = static_cast<uint32_t>(reward.stops.size() + reward.terms.size() + (clamped_ ? 1 : 0));
    for (const auto& term : reward.stops) masks_.push_back(term.requirements);
    for (const auto& term : reward.terms) masks_.push_back(term.requirements);
    if (clamped_) masks_.push_back(0);
  }

  // Before the loop over traces.
  void prologue() {
    // Without an array for terms they go to a scratch row, again and again.
    Value* none = b_.CreateIsNull(f_.arg(4));
    terms_ = b_.CreateSelect(none, f_.scratch(std::max(n_terms_, 1u)), f_.arg(4));
    stride_ = b_.CreateSelect(none, m_.int64(0), m_.int64(n_terms_));
  }

  void trace(Value* trace) {
    trace_ = trace;
    f_.bind(m_.plan.trace_variable, trace, true);
    caps_ = f_.load_fixed(m_.i32, f_.at(f_.column(WEND_COLUMN_trace_caps), trace, 4));
    position_ = b_.CreateZExt(b_.CreateSub(trace, f_.arg(1)), m_.i64);
    out_ = f_.at(terms_, b_.CreateMul(position_, stride_), 8);
    ok_.clear();
    for (uint32_t mask : masks_) {
      if (mask != 0 && !ok_[mask]) ok_[mask] = has(mask);
    }
    next_ = f_.block("next");
    stops();
    total();
    f_.enter(next_);
  }

 private:
  Value* has(uint32_t mask) { return b_.CreateICmpEQ(b_.CreateAnd(caps_, m_.int32(mask)), m_.int32(mask)); }
  // NaN where the term is not evaluable.
  Value* or_missing(uint32_t index, Value* value) {
    return masks_[index] == 0 ? value : b_.CreateSelect(ok_[masks_[index]], value, m_.nan());
  }
  void put(uint32_t index, Value* value) { f_.store(value, f_.at(out_, m_.int64(index), 8), "terms"); }
  void put_total(Value* value) { f_.store(value, f_.at(f_.arg(3), position_, 8), "totals"); }

  // What counted so far needs this much.
  void put_status(uint32_t mask) {
    Value* ok = mask == 0 ? b_.getTrue() : has(mask);
    f_.store(b_.CreateSelect(ok, m_.int32(WEND_STATUS_OK), m_.int32(WEND_STATUS_PARTIAL)),
             f_.at(f_.arg(5), position_, 4), "status");
  }

  // Evidence of a term: its value with reports, or null if it has none.
  Value* evidence(const Term& term, uint32_t index) {
    if (!attribute_ || term.evidence == kNoNode) return nullptr;
    return f_.emit_reporting(term.evidence, trace_, index);
  }

  Value* weighted(const Term& term, uint32_t index) {
    f_.locate(m_.plan.nodes[term.weighted].source);
    Value* raw = evidence(term, index);
    // The raw value is the evidence's: the weight is applied to it in the same way.
    if (raw && term.raw != kNoNode && raw->getType() == m_.f64) f_.set(term.raw, raw);
    return f_.emit(term.weighted);
  }

  void stops() {
    for (uint32_t k = 0; k < reward_.stops.size(); ++k) {
      const Term& stop = reward_.stops[k];
      BasicBlock* fired = f_.block("stop");
      BasicBlock* on = f_.block("go.on");
      size_t before = f_.mark();
      if (stop.requirements != 0) {
        BasicBlock* test = f_.block("stop.test");
        b_.CreateCondBr(ok_[stop.requirements], test, on);
        f_.enter(test);
      }
      FunctionEmitter::Facts facts = f_.branch(stop.condition, fired, on);
      f_.enter(fired);
      size_t inside = f_.mark();
      f_.assume(facts.on_true);
      Value* value = weighted(stop, k);
      for (uint32_t i = 0; i < n_terms_; ++i) put(i, i == k ? value : m_.real(0));
      put_total(value);
      uint32_t before_it = 0;
      for (uint32_t i = 0; i < k; ++i) before_it |= masks_[i];
      put_status(before_it);
      b_.CreateBr(next_);
      f_.rollback(inside);
      f_.enter(on);
      if (stop.requirements != 0) {
        f_.rollback(before);
      } else {
        f_.assume(facts.on_false);
      }
    }
  }

  // Values of all terms, by index; those with the same requirements are evaluated together, except where the order of
  // the evidence counts.
  std::vector<Value*> values() {
    const auto first = static_cast<uint32_t>(reward_.stops.size());
    std::vector<Value*> values(n_terms_);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> groups;
    for (uint32_t i = 0; i < reward_.terms.size(); ++i) {
      bool alone = attribute_ && reward_.terms[i].evidence != kNoNode;
      groups[alone ? std::pair(i + 1, reward_.terms[i].requirements) : std::pair(0u, reward_.terms[i].requirements)]
          .push_back(i);
    }
    for (const auto& [key, terms] : groups) {
      const uint32_t mask = key.second;
      const bool free = mask == 0 || (key.first == 0 && std::all_of(terms.begin(), terms.end(), [&](uint32_t i) {
                                        return f_.cheap(reward_.terms[i].weighted, kTermBudget);
                                      }));
      if (free) {
        for (uint32_t i : terms) values[first + i] = weighted(reward_.terms[i], first + i);
        continue;
      }
      BasicBlock* before = b_.GetInsertBlock();
      BasicBlock* evaluate = f_.block("evaluable");
      BasicBlock* merge = f_.block("merge");
      b_.CreateCondBr(ok_[mask], evaluate, merge);
      f_.enter(evaluate);
      size_t known = f_.mark();
      for (uint32_t i : terms) values[first + i] = weighted(reward_.terms[i], first + i);
      f_.rollback(known);
      BasicBlock* end = b_.GetInsertBlock();
      b_.CreateBr(merge);
      f_.enter(merge);
      for (uint32_t i : terms) {
        auto* phi = b_.CreatePHI(m_.f64, 2);
        phi->addIncoming(m_.nan(), before);
        phi->addIncoming(values[first + i], end);
        values[first + i] = phi;
      }
    }
    return values;
  }

  void total() {
    const auto first = static_cast<uint32_t>(reward_.stops.size());
    std::vector<Value*> value = values();
    Value* total = m_.real(0);
    for (uint32_t i = 0; i < first; ++i) put(i, or_missing(i, m_.real(0)));
    for (uint32_t i = first; i < first + reward_.terms.size(); ++i) {
      Value* sum = b_.CreateFAdd(total, value[i]);
      total = masks_[i] == 0 ? sum : b_.CreateSelect(ok_[masks_[i]], sum, total);
      put(i, or_missing(i, value[i]));
    }
    if (clamped_) {
      Value* clamped = total;
      if (reward_.clamp_high != kNoNode) {
        Value* high = f_.emit(reward_.clamp_high);
        clamped = b_.CreateSelect(b_.CreateFCmpOLT(high, total), high, clamped);
      }
      if (reward_.clamp_low != kNoNode) {
        Value* low = f_.emit(reward_.clamp_low);
        clamped = b_.CreateSelect(b_.CreateFCmpOLT(total, low), low, clamped);
      }
      put(n_terms_ - 1, b_.CreateFSub(clamped, total));
      total = clamped;
    }
    put_total(total);
    uint32_t all = 0;
    for (uint32_t mask : masks_) all |= mask;
    put_status(all);
    b_.CreateBr(next_);
  }

  FunctionEmitter& f_;
  ModuleState& m_;
  llvm::IRBuilder<>& b_;
  const plan::Reward& reward_;
  const bool attribute_;
  bool clamped_ = false;
  uint32_t n_terms_ = 0;
  std::vector<uint32_t> masks_;    // requirements by term index
  std::map<uint32_t, Value*> ok_;  // by mask: does the trace have all of it?
  Value *terms_ = nullptr, *stride_ = nullptr;
  Value *trace_ = nullptr, *caps_ = nullptr, *position_ = nullptr, *out_ = nullptr;
  BasicBlock* next_ = nullptr;
};

}  // namespace

llvm::Function* ProgramEmitter::emit_reward(const plan::Reward& reward, bool attribute) {
  const std::string name = attribute ? reward.name + ".attribute" : reward.name;
  llvm::Function* function = context_function(name, {m_.i32, m_.i32, m_.ptr, m_.ptr, m_.ptr}, false, true);
  std::vector<NodeId> roots{reward.clamp_low, reward.clamp_high};
  for (const auto* terms : {&reward.stops, &reward.terms}) {
    for (const Term& term : *terms) {
      roots.push_back(term.condition);
      roots.push_back(term.weighted);
      if (attribute) roots.push_back(term.evidence);
    }
  }
  uint32_t source = 0;
  auto place = std::find(m_.plan.places.begin(), m_.plan.places.end(), reward.place);
  if (place != m_.plan.places.end()) source = static_cast<uint32_t>(place - m_.plan.places.begin());
  FunctionEmitter f(m_, function, name, source);
  RewardEmitter emitter(f, reward, attribute);
  emitter.prologue();
  for_traces(f, m_.analysis.needs(roots).late, [&](Value* trace) { emitter.trace(trace); });
  f.b.CreateRetVoid();
  f.finish();
  return function;
}

}  // namespace wend::codegen
