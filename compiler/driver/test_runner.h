// Runs the test blocks of a checked spec.
#ifndef WEND_COMPILER_DRIVER_TEST_RUNNER_H_
#define WEND_COMPILER_DRIVER_TEST_RUNNER_H_

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/driver/compiled.h"
#include "compiler/driver/expectation.h"
#include "compiler/driver/made.h"
#include "compiler/driver/spec.h"

namespace wend::driver {

struct ExpectationResult {
  std::string text, place;
  Outcome outcome;
};

struct TestResult {
  std::string title, place;
  std::string error;          // not empty: it could not be run, or the engines disagree
  bool disagreement = false;  // the interpreter and compiled code differ: a bug of ours
  std::vector<ExpectationResult> expectations;

  bool passed() const {
    return error.empty() && std::all_of(expectations.begin(), expectations.end(),
                                        [](const ExpectationResult& one) { return one.outcome.held; });
  }
};

// The tests of the main files whose title contains `filter`, in the order of the source.
Made<std::vector<TestResult>> run_tests(const Compiled& compiled, const std::string& filter);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TEST_RUNNER_H_
