// Judges outside the program: which turns they are asked about, with which words, and what becomes of their answers.
#ifndef WEND_COMPILER_DRIVER_JUDGING_H_
#define WEND_COMPILER_DRIVER_JUDGING_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/bound_batch.h"
#include "compiler/driver/options.h"
#include "compiler/driver/scorer.h"
#include "compiler/driver/spec.h"
#include "compiler/plan/interpreter.h"
#include "runtime/judge/http_judge.h"
#include "runtime/program.h"
#include "runtime/result.h"

namespace wend::driver {

// For one thread at a time.
class Judging {
 public:
  // `plan` gives the words for the holes of the prompts; it must outlive the judging.
  static Result<std::unique_ptr<Judging>> open(const JudgeOptions& options, const Program& program,
                                               const plan::Plan& plan);

  // Asks about every turn of the dialogues [begin, end) that needs a score, up to the program's limit for each
  // dialogue. What was answered replaces the rule; a failure takes the judge's capability from the dialogue; a turn
  // beyond the limit keeps the rule and is counted as over_budget. The batch must be bound and not yet prepared.
  void judge(BoundBatch& bound, uint32_t begin, uint32_t end, JudgeCounts& counts);

  const JudgeStats& stats() const { return judge_.stats(); }
  const std::vector<std::string>& warnings() const { return judge_.warnings(); }

 private:
  struct Asked {
    uint32_t judge, turn, trace;
  };

  Judging(HttpJudge judge, const Program& program, const plan::Plan& plan);

  JudgeRequest request(const BoundBatch& bound, const Asked& asked) const;
  std::vector<Asked> needed(const BoundBatch& bound, uint32_t begin, uint32_t end, JudgeCounts& counts);

  // scores_ as the rules give them.
  void apply_rules(BoundBatch& bound, uint32_t begin, uint32_t end);
  void apply(BoundBatch& bound, const Asked& asked, const JudgeReply& reply);

  HttpJudge judge_;
  const Program& program_;
  const plan::Plan& plan_;
  plan::Interpreter interpreter_;
  uint32_t limit_;                           // questions for each dialogue
  std::vector<std::vector<double>> scores_;  // by judge, by turn row
};

// The server that `--judge http` names, with the limits of the command line.
Result<HttpJudge> open_http_judge(const JudgeOptions& options);

// The judge that the command line asks for; null where the rules judge.
Made<std::unique_ptr<Judging>> open_judging(const JudgeOptions& options, const Spec& spec);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_JUDGING_H_
