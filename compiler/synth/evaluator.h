// Expressions of scenarios, phrases and filters, evaluated on a dialogue in the making. A tree walk: each is evaluated
// a few times a dialogue, where the metrics' compiled plans are made for batches of finished ones.
#ifndef WEND_COMPILER_SYNTH_EVALUATOR_H_
#define WEND_COMPILER_SYNTH_EVALUATOR_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/program.h"
#include "compiler/synth/item.h"
#include "runtime/random.h"
#include "runtime/synth/trace.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

// What of the expression has no value while a dialogue is made (metrics, judges, beliefs, what gold allows): the first
// such part.
struct Unsupported {
  Span span;
  std::string what;
};
std::optional<Unsupported> unsupported(const sema::Program& program, const sema::Expr& e);

// The dialogue and what has been bound.
struct Scene {
  const sema::Program* program = nullptr;
  const tools::Pool* pool = nullptr;
  const Trace* trace = nullptr;
  Random* random = nullptr;
  std::vector<Item> variables;                 // by index in Program::variables
  std::vector<std::vector<uint32_t>> spliced;  // the calls of each spliced task
  std::vector<tools::Value> used;              // values that `fresh value` may not give again
  std::string failure;                         // why an expression has no value; empty: it has
};

Item evaluate(const sema::Expr& e, Scene& scene);
bool holds(const sema::Expr& e, Scene& scene);
// As it is said in a text.
std::string say(const Item& item, const Scene& scene);

// The call with the arguments changed.
Call changed_call(const sema::ChangedCall& change, Scene& scene);

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_EVALUATOR_H_
