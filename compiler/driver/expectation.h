// What a test expects: comparisons between metrics, rewards, layers, terms, params and numbers, and what the belief
// state holds after the last message.
//
//   expect JGA == 100%, multi_turn.belief.jga == 2.5, multi_turn >= gain * 2, ISSR is none
//   expect belief.confirmed["alarm.time"] is "06:30" stale ["07:00"], belief.signal is modified
#ifndef WEND_COMPILER_DRIVER_EXPECTATION_H_
#define WEND_COMPILER_DRIVER_EXPECTATION_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "compiler/syntax/ast.h"
#include "runtime/result.h"

namespace wend::driver {

// The value of a name in a test: "JGA", "multi_turn.belief.jga", "alpha". No number: it is not evaluable on the test's
// dialogue. An error: there is nothing of that name.
using Lookup = std::function<Result<std::optional<double>>(const std::string& path)>;

struct Outcome {
  bool held = false;
  std::string actual;  // "JGA = 0.5", for each name in the expectation
  std::string error;   // not empty: it could not be evaluated at all
};

// The fields of the belief by name, as belief::Dialogue::state_json gives them. An error: there is no belief.
using BeliefLookup = std::function<Result<nlohmann::ordered_json>()>;

Outcome evaluate_expectation(const ast::Expr& expectation, const Lookup& lookup, const BeliefLookup& belief);

// Two numbers that a person would call equal: within 1e-9, relative to the larger above 1.
bool nearly_equal(double a, double b);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_EXPECTATION_H_
