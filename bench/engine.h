// A spec ready to run in a benchmark: compiled by the JIT at O2, its params at their defaults.
#ifndef WEND_BENCH_ENGINE_H_
#define WEND_BENCH_ENGINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/bound_batch.h"
#include "runtime/data/batch.h"
#include "runtime/program.h"

namespace wend::bench {

struct Engine {
  std::shared_ptr<const Program> program;
  std::vector<double> params;
  uint32_t multi_turn = 0;  // index of the multi-turn reward

  // specs/iacm/reward.wend of this tree: all metrics and, of the rewards, the multi-turn one alone, which is what most
  // targets speak of, or all. Ends the process with a message if it does not compile: no benchmark is left.
  static Engine of_paper(bool all_rewards = false);
};

// Values of one reward and all signals, by dialogue.
struct Scores {
  std::vector<double> signals, totals, terms;
  std::vector<uint32_t> status;

  void resize(const Program& program, uint32_t reward, uint32_t traces);
};

// What scoring a batch is made of, in two steps: everything that the signals need, and the reward on top.
class BatchRun {
 public:
  explicit BatchRun(const Engine& engine) : engine_(engine), bound_(*engine.program) {}

  void bind(Batch& batch);
  void prepare_and_signals() { prepare_and_signals(0, bound_.traces()); }
  void prepare_and_signals(uint32_t begin, uint32_t end);
  void reward() { reward(0, bound_.traces()); }
  void reward(uint32_t begin, uint32_t end);

  driver::BoundBatch& bound() { return bound_; }
  const Scores& scores() const { return scores_; }
  Scores& scores() { return scores_; }

 private:
  const Engine& engine_;
  driver::BoundBatch bound_;
  Scores scores_;
};

}  // namespace wend::bench

#endif  // WEND_BENCH_ENGINE_H_
