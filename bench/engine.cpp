#include "bench/engine.h"

#include <cstdio>
#include <cstdlib>

#include "compiler/codegen/jit.h"
#include "compiler/plan/build.h"
#include "compiler/sema/check.h"
#include "compiler/source/diagnostic.h"

namespace wend::bench {
namespace {

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  std::exit(1);
}

}  // namespace

Engine Engine::of_paper(bool all_rewards) {
  const std::string root = WEND_BENCH_ROOT;
  SourceSet sources;
  Diagnostics diagnostics;
  sema::SearchPath path;
  path.folders = {root + "/stdlib", root + "/specs"};
  sema::Checked checked = sema::check_files(sources, {root + "/specs/iacm/reward.wend"}, path, diagnostics);
  if (diagnostics.has_errors()) give_up(render_text(diagnostics, sources, false));
  if (!all_rewards) {
    std::erase_if(checked.program.rewards, [](const sema::Reward& reward) { return reward.name != "multi_turn"; });
  }
  const plan::Plan plan = plan::build(checked.program, sources);
  codegen::JitOptions options = codegen::JitOptions::of_environment();
  options.cache = codegen::ObjectCache();
  Result<std::shared_ptr<const Program>> program = codegen::Jit::create(options)->compile(plan);
  if (!program) give_up(program.error().message);
  Engine engine;
  engine.program = *program;
  engine.params = engine.program->defaults();
  Result<uint32_t> reward = engine.program->info().find_reward("multi_turn");
  if (!reward) give_up(reward.error().message);
  engine.multi_turn = *reward;
  return engine;
}

void Scores::resize(const Program& program, uint32_t reward, uint32_t traces) {
  signals.resize(traces * program.info().signals.size());
  totals.resize(traces);
  terms.resize(size_t{traces} * program.n_terms(reward));
  status.resize(traces);
}

void BatchRun::bind(Batch& batch) {
  bound_.bind(batch, engine_.params);
  scores_.resize(*engine_.program, engine_.multi_turn, bound_.traces());
}

void BatchRun::prepare_and_signals(uint32_t begin, uint32_t end) {
  if (begin == end) return;
  const size_t n = engine_.program->info().signals.size();
  bound_.prepare(begin, end);
  engine_.program->signals(bound_.context(), begin, end, scores_.signals.data() + begin * n);
}

void BatchRun::reward(uint32_t begin, uint32_t end) {
  if (begin == end) return;
  const size_t n = engine_.program->n_terms(engine_.multi_turn);
  engine_.program->reward(bound_.context(), engine_.multi_turn, begin, end, scores_.totals.data() + begin,
                          scores_.terms.data() + begin * n, scores_.status.data() + begin);
}

}  // namespace wend::bench
