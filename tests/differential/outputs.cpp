#include "tests/differential/outputs.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include <gtest/gtest.h>

namespace wend {
namespace {

// The order of evidence, and how often a shared fold reports the same, is open.
std::vector<EvidenceKey> keys(const std::vector<wend_evidence>& evidence) {
  std::vector<EvidenceKey> out;
  for (const wend_evidence& e : evidence) out.emplace_back(e.trace, e.term, e.table, e.row, bits(e.value));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void add_rewards(ProgramRun& run, const Program& program, Outputs& out) {
  for (uint32_t i = 0; i < program.info().rewards.size(); ++i) {
    RewardOutput plain = run.reward(i);
    out.totals.push_back(bits(plain.totals));
    out.terms.push_back(bits(plain.terms));
    out.status.push_back(plain.status);
    std::vector<wend_evidence> evidence;
    RewardOutput attributed = run.attribute(i, evidence);
    out.attributed_totals.push_back(bits(attributed.totals));
    out.attributed_terms.push_back(bits(attributed.terms));
    out.attributed_status.push_back(attributed.status);
    out.evidence.push_back(keys(evidence));
  }
}

}  // namespace

uint64_t bits(double value) { return std::isnan(value) ? ~uint64_t{0} : std::bit_cast<uint64_t>(value); }

std::vector<uint64_t> bits(const std::vector<double>& values) {
  std::vector<uint64_t> out;
  for (double value : values) out.push_back(bits(value));
  return out;
}

Inputs::Inputs(uint64_t seed) : random_(static_cast<uint32_t>(seed)) {
  batch.add_random(random_, 1 + random_() % 40);
  scores_.resize(4, std::vector<double>(batch.columns.rows[WEND_TABLE_turn]));
  for (auto& by_turn : scores_) {
    for (double& score : by_turn) score = static_cast<double>(random_() % 9) / 4 - 1;
  }
  settings_ = random_() % 1000;
  use_judges_ = random_() % 4;
}

std::vector<uint32_t> Inputs::literals(const Program& program) {
  std::vector<uint32_t> rows;
  for (const wend_literal& literal : program.literals()) {
    const std::string text(literal.text.data, literal.text.size);
    double number = 0;
    if (text == "nowhere") {
      rows.push_back(WEND_NONE);
    } else if (literal.kind == 0) {
      rows.push_back(batch.text(text));
    } else if (text.size() >= 2 && text.front() == '"') {
      rows.push_back(batch.string_value(text.substr(1, text.size() - 2)));
    } else if (std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size()) {
      rows.push_back(batch.number_value(number));
    } else {
      rows.push_back(WEND_NONE);
    }
  }
  return rows;
}

std::vector<const double*> Inputs::judged(size_t judges) const {
  std::vector<const double*> arrays;
  if (use_judges_ == 0) return arrays;
  for (size_t i = 0; i < judges; ++i) {
    arrays.push_back((use_judges_ + i) % 2 == 0 ? scores_[i % scores_.size()].data() : nullptr);
  }
  return arrays;
}

double Inputs::setting(const ParamInfo& param, size_t index) const {
  const double low = std::max(param.low, -100.0), high = std::min(param.high, 100.0);
  const double value = low + (high - low) * static_cast<double>((settings_ + 7 * index) % 17) / 16;
  return param.type == "real" ? value : std::floor(value);
}

Outputs run_program(const Program& program, Inputs& inputs) {
  const std::vector<uint32_t> literals = inputs.literals(program);
  ProgramRun run(program, inputs.batch.view(), literals);
  run.judged = inputs.judged(program.info().judges.size());
  Outputs out;
  run.prepare();
  out.asks = run.requests();
  const std::vector<double> signals = run.signals();
  out.signals = bits(signals);
  add_rewards(run, program, out);
  for (size_t i = 0; i < run.params.size(); ++i) {
    const ParamInfo& param = program.info().params[i];
    if (!param.structural) run.params[i] = inputs.setting(param, i);
  }
  for (double signal : run.signals()) out.signals.push_back(bits(signal));
  add_rewards(run, program, out);

  std::vector<double> sums(program.info().signals.size()), values(program.info().metrics.size());
  for (size_t i = 0; i < signals.size(); ++i) sums[i % sums.size()] += signals[i];
  out.valid.resize(values.size());
  program.metrics(run.params.data(), sums.data(), values.data(), out.valid.data());
  for (size_t i = 0; i < values.size(); ++i) out.metrics.push_back(out.valid[i] ? bits(values[i]) : 0);
  return out;
}

void expect_attribution_changes_nothing(const Outputs& outputs, const std::string& what) {
  EXPECT_EQ(outputs.totals, outputs.attributed_totals) << what;
  EXPECT_EQ(outputs.terms, outputs.attributed_terms) << what;
  EXPECT_EQ(outputs.status, outputs.attributed_status) << what;
}

void expect_same(const Outputs& expected, const Outputs& got, const std::string& what) {
  EXPECT_EQ(expected.asks, got.asks) << what;
  EXPECT_EQ(expected.signals, got.signals) << what;
  EXPECT_EQ(expected.totals, got.totals) << what;
  EXPECT_EQ(expected.terms, got.terms) << what;
  EXPECT_EQ(expected.status, got.status) << what;
  EXPECT_EQ(expected.attributed_totals, got.attributed_totals) << what;
  EXPECT_EQ(expected.attributed_terms, got.attributed_terms) << what;
  EXPECT_EQ(expected.attributed_status, got.attributed_status) << what;
  EXPECT_EQ(expected.evidence, got.evidence) << what;
  EXPECT_EQ(expected.valid, got.valid) << what;
  EXPECT_EQ(expected.metrics, got.metrics) << what;
}

}  // namespace wend
