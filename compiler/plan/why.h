// Why a term of a reward is zero for a dialogue: `0 of 6 args: \`stale_arg\` never true`.
//
// The term's evidence expression is evaluated again, and what made it zero is followed down: the side of a choice that
// was taken, the conjunct that was false, the fold that counted nothing, and for each of a fold's steps the condition
// that failed.
#ifndef WEND_COMPILER_PLAN_WHY_H_
#define WEND_COMPILER_PLAN_WHY_H_

#include <memory>
#include <string>

#include <wend/wend.h>

#include "compiler/plan/interpreter.h"
#include "compiler/plan/plan.h"

namespace wend::plan {

// Explains terms of one dialogue. The context's memo is the interpreter's, or a TraceMemo, filled for this trace. The
// interpreter, and what the context points to, must outlive the explainer.
class ZeroExplainer {
 public:
  ZeroExplainer(const Interpreter& interpreter, const wend_context& context, uint32_t trace);
  ~ZeroExplainer();

  // One line; empty where the term is not zero. A stop is explained as not firing.
  std::string explain(const Term& term);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wend::plan

#endif  // WEND_COMPILER_PLAN_WHY_H_
