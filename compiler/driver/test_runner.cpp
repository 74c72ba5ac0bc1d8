#include "compiler/driver/test_runner.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "compiler/driver/bound_batch.h"
#include "compiler/driver/exact_json.h"
#include "compiler/driver/native_batch.h"
#include "compiler/driver/scorer.h"
#include "compiler/driver/test_trace.h"
#include "runtime/belief/replay.h"

namespace wend::driver {
namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y) || (std::isnan(x) && std::isnan(y));
  });
}

// What differs between two engines' scores of one dialogue; empty: nothing.
std::string difference(const ProgramInfo& info, const BatchScores& a, const BatchScores& b) {
  if (!same_bits(a.signals, b.signals)) return "the signals of metrics";
  for (size_t r = 0; r < info.rewards.size(); ++r) {
    const bool same = same_bits(a.rewards[r].totals, b.rewards[r].totals) &&
                      same_bits(a.rewards[r].terms, b.rewards[r].terms) && a.rewards[r].status == b.rewards[r].status;
    if (!same) return fmt::format("reward `{}`", info.rewards[r].name);
  }
  return "";
}

// Values by the names that expectations use.
class Scores {
 public:
  Scores(const Program& program, const std::vector<double>& params, const BatchScores& scores)
      : program_(program), info_(program.info()), params_(params), scores_(scores) {}

  Result<std::optional<double>> find(const std::string& path) const {
    for (uint32_t m = 0; m < info_.metrics.size(); ++m) {
      if (info_.metrics[m].name == path) return metric(m);
    }
    const size_t dot = path.find('.');
    for (uint32_t r = 0; r < info_.rewards.size(); ++r) {
      if (info_.rewards[r].name == path) return total(r);
      if (info_.rewards[r].name == path.substr(0, dot)) return part(r, path.substr(dot + 1));
    }
    Result<uint32_t> param = info_.find_param(path);
    if (param) return std::optional<double>(params_[*param]);
    return Error{fmt::format("there is no metric, reward or param `{}`", path)};
  }

 private:
  // Of the one dialogue: what lacks a capability adds nothing, and may leave the metric without a value.
  std::optional<double> metric(uint32_t m) const {
    if ((info_.metrics[m].requirements & ~scores_.caps[0]) != 0) return std::nullopt;
    std::vector<double> sums = scores_.signals, values(info_.metrics.size());
    for (size_t k = 0; k < sums.size(); ++k) {
      if ((info_.signals[k].requirements & ~scores_.caps[0]) != 0) sums[k] = 0;
    }
    std::vector<uint8_t> valid(values.size());
    program_.metrics(params_.data(), sums.data(), values.data(), valid.data());
    if (!valid[m]) return std::nullopt;
    return values[m];
  }

  std::optional<double> total(uint32_t r) const {
    if (nothing_evaluable(info_.rewards[r], scores_.rewards[r].terms)) return std::nullopt;
    return scores_.rewards[r].totals[0];
  }

  // A term ("belief.jga", "stop.loop", "clamp") or the sum of a layer's terms ("belief").
  Result<std::optional<double>> part(uint32_t r, const std::string& path) const {
    const RewardInfo& reward = info_.rewards[r];
    const std::vector<double>& terms = scores_.rewards[r].terms;
    std::optional<double> layer;
    bool known = false;
    for (size_t k = 0; k < terms.size(); ++k) {
      const std::optional<double> value = std::isnan(terms[k]) ? std::nullopt : std::optional<double>(terms[k]);
      if (reward.terms[k].full_name() == path) return value;
      if (reward.terms[k].layer != path) continue;
      known = true;
      if (value) layer = layer.value_or(0.0) + *value;
    }
    if (known) return layer;
    return Error{fmt::format("reward `{}` has no layer or term `{}`", reward.name, path)};
  }

  const Program& program_;
  const ProgramInfo& info_;
  const std::vector<double>& params_;
  const BatchScores& scores_;
};

// What a `set` in a test writes: a number, true, an enum's label.
Result<std::string> setting_text(const ast::Expr& value) {
  if (value.kind == ast::ExprKind::name) return value.text;
  return literal_json(value);
}

// The fields of the belief after the last message of the batch's one dialogue.
Result<std::string> belief_state(const std::shared_ptr<const Program>& program, const Batch& batch,
                                 const std::vector<double>& params) {
  Result<std::shared_ptr<const belief::Engine>> engine = belief::Engine::make(program);
  if (!engine) return engine.error();
  const wend_batch& view = *batch.view();
  belief::Options options;
  options.params = params;
  belief::Dialogue dialogue = belief::Dialogue::open(
      std::move(*engine), belief::Tools::make(view, batch.columns().trace_pool[0]), std::move(options));
  belief::replay(view, 0, dialogue, [](uint32_t) {});
  return dialogue.state_json();
}

class Runner {
 public:
  Runner(const Compiled& compiled, std::shared_ptr<const Program> native)
      : sources_(compiled.sources),
        native_(std::move(native)),
        interpreted_(plan::InterpretedProgram::make(compiled.plan)) {}

  TestResult run(const sema::Test& test) {
    TestResult result;
    result.title = test.decl->title;
    result.place = sources_.place(test.span);
    Result<void> ran = run(test, result);
    if (!ran) result.error = ran.error().message;
    return result;
  }

 private:
  Result<void> run(const sema::Test& test, TestResult& result) {
    Result<std::string> line = trace_json(test.decl->trace, test.decl->title);
    if (!line) return line.error();
    Result<std::vector<double>> params = settings(test);
    if (!params) return params.error();
    const BatchScores native = score(*native_, *line, *params, result.error);
    const BatchScores reference = score(*interpreted_, *line, *params, result.error);
    if (!result.error.empty()) return {};
    const std::string differs = difference(native_->info(), native, reference);
    if (!differs.empty()) {
      result.disagreement = true;
      return Error{disagree(differs)};
    }
    const Scores scores(*interpreted_, *params, reference);
    std::optional<Result<nlohmann::ordered_json>> state;  // worked out when it is first asked for
    const auto belief = [&] {
      if (!state) state = belief_of_both(*params, result.disagreement);
      return *state;
    };
    for (const ast::Expr& expectation : test.decl->expectations) {
      result.expectations.push_back(
          {std::string(sources_.text(expectation.span)), sources_.place(expectation.span),
           evaluate_expectation(expectation, [&](const std::string& path) { return scores.find(path); }, belief)});
    }
    if (result.disagreement) return Error{disagree("the belief state")};
    return {};
  }

  static std::string disagree(std::string_view on) {
    return fmt::format("the interpreter and compiled code disagree on {}; please report this", on);
  }

  Result<nlohmann::ordered_json> belief_of_both(const std::vector<double>& params, bool& disagreement) const {
    const Result<std::string> native = belief_state(native_, batch_, params);
    if (!native) return native.error();
    const Result<std::string> reference = belief_state(interpreted_, batch_, params);
    if (!reference) return reference.error();
    disagreement = *native != *reference;
    return exact_json(*reference);
  }

  Result<std::vector<double>> settings(const sema::Test& test) const {
    std::vector<double> params = interpreted_->defaults();
    for (const auto& [name, value] : test.decl->settings) {
      Result<std::string> text = setting_text(value);
      if (!text) return text.error();
      Result<void> set = set_param(interpreted_->info(), params, name.text, *text);
      if (!set) return set.error();
    }
    return params;
  }

  BatchScores score(const Program& program, const std::string& line, const std::vector<double>& params,
                    std::string& error) {
    Result<void> read = read_native(line, batch_);
    if (!read) {
      error = "the dialogue cannot be read: " + read.error().message;
      return {};
    }
    return Scorer(program, params, nullptr).score(batch_);
  }

  const SourceSet& sources_;
  std::shared_ptr<const Program> native_;
  std::shared_ptr<const plan::InterpretedProgram> interpreted_;
  Batch batch_;
};

}  // namespace

Made<std::vector<TestResult>> run_tests(const Compiled& compiled, const std::string& filter) {
  std::vector<const sema::Test*> chosen;
  for (const sema::Test& test : compiled.checked.program.tests) {
    const std::vector<uint32_t>& mains = compiled.checked.main_files;
    const bool of_main = std::find(mains.begin(), mains.end(), test.span.file) != mains.end();
    if (of_main && test.decl->title.find(filter) != std::string::npos) chosen.push_back(&test);
  }
  std::vector<TestResult> results;
  if (chosen.empty()) return results;
  Made<std::shared_ptr<const Program>> native = make_program(SpecOptions{}, compiled.plan);
  if (!native) return Failure{native.code()};
  Runner runner(compiled, *native);
  for (const sema::Test* test : chosen) results.push_back(runner.run(*test));
  return results;
}

}  // namespace wend::driver
