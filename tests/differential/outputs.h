// Everything that a program gives for a batch, as bits that can be compared.
#ifndef WEND_TESTS_DIFFERENTIAL_OUTPUTS_H_
#define WEND_TESTS_DIFFERENTIAL_OUTPUTS_H_

#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/program.h"
#include "tests/support/program_run.h"
#include "tests/support/random_batch.h"

namespace wend {

// One bit pattern for each value; all NaNs mean the same.
uint64_t bits(double value);
std::vector<uint64_t> bits(const std::vector<double>& values);

using EvidenceKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint64_t>;

struct Outputs {
  std::vector<uint8_t> asks;
  std::vector<uint64_t> signals;
  std::vector<std::vector<uint64_t>> totals, terms, attributed_totals, attributed_terms;
  std::vector<std::vector<uint32_t>> status, attributed_status;
  std::vector<std::vector<EvidenceKey>> evidence;
  std::vector<uint64_t> metrics;
  std::vector<uint8_t> valid;

  friend bool operator==(const Outputs&, const Outputs&) = default;
};

// A random batch, and random settings of what else a program reads.
class Inputs {
 public:
  explicit Inputs(uint64_t seed);

  // Rows of the literals, added to the batch where they are names, strings or numbers; others are not in the batch.
  std::vector<uint32_t> literals(const Program& program);
  std::vector<const double*> judged(size_t judges) const;
  // A param's value within its range.
  double setting(const ParamInfo& param, size_t index) const;

  TestBatch batch;

 private:
  std::mt19937 random_;
  std::vector<std::vector<double>> scores_;
  uint32_t use_judges_ = 0, settings_ = 0;
};

// Runs every function: prepare, requests, signals, each reward with and without attribution, then signals and rewards
// again under other number params without another prepare, and metrics of the sums.
Outputs run_program(const Program& program, Inputs& inputs);

// Attribution of a program gives the very rewards.
void expect_attribution_changes_nothing(const Outputs& outputs, const std::string& what);
void expect_same(const Outputs& expected, const Outputs& got, const std::string& what);

}  // namespace wend

#endif  // WEND_TESTS_DIFFERENTIAL_OUTPUTS_H_
