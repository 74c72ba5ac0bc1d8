// Time of a reward for one trajectory, of attribution, and of a change of params.
#include "bench/corpus.h"
#include "bench/engine.h"
#include "bench/report.h"

namespace wend::bench {
namespace {

const Engine& engine() {
  static const Engine engine = Engine::of_paper();
  return engine;
}

// About 10,000 dialogues of 12 turns.
const Corpus& many() {
  static const Corpus corpus = synthetic_corpus(size_t{10200} * 21200);
  return corpus;
}

// Of one trajectory in a batch that is ingested: signals and reward. Targets: p50 20 us, p99 200 us.
void latency(benchmark::State& state, double q, double target) {
  const Corpus corpus = synthetic_corpus(synthetic_bytes() / 4);
  std::vector<std::unique_ptr<Batch>> batches = ingest_all(corpus);
  BatchRun run(engine());
  std::vector<double> times;
  for ([[maybe_unused]] auto _ : state) {
    for (auto& batch : batches) {
      run.bind(*batch);
      run.prepare_and_signals();
      for (uint32_t trace = 0; trace < batch->traces(); ++trace) {
        const double start = thread_seconds();
        run.prepare_and_signals(trace, trace + 1);
        run.reward(trace, trace + 1);
        times.push_back(thread_seconds() - start);
      }
    }
  }
  report(state, 1e6 * quantile(times, q), target, "us");
}

// Of one trajectory from its bytes: ingest of a batch of its own, signals, reward.
void latency_with_ingest(benchmark::State& state, double q, double target) {
  // The smallest chunks: one record each.
  const Corpus made = synthetic_corpus(synthetic_bytes() / 4);
  std::vector<RecordChunk> records;
  for (const RecordChunk& chunk : made.chunks) {
    for (const RecordRange& range : chunk.records) {
      RecordChunk one;
      one.sidecar = chunk.sidecar;
      one.format = chunk.format;
      const size_t size = range.end - range.begin;
      one.bytes.resize(size);
      std::copy_n(chunk.bytes.data() + range.begin, size, one.bytes.data());
      one.records = {{0, size, 1}};
      records.push_back(std::move(one));
    }
  }
  Batch batch;
  BatchRun run(engine());
  std::vector<double> times;
  for ([[maybe_unused]] auto _ : state) {
    for (const RecordChunk& record : records) {
      const double start = thread_seconds();
      ingest(made, record, batch);
      run.bind(batch);
      run.prepare_and_signals();
      run.reward();
      times.push_back(thread_seconds() - start);
    }
  }
  report(state, 1e6 * quantile(times, q), target, "us");
}

// Reward of prepared trajectories with attribution and without.
void attribution(benchmark::State& state, bool whole) {
  const Corpus corpus = synthetic_corpus(synthetic_bytes() / 4);
  std::vector<std::unique_ptr<Batch>> batches = ingest_all(corpus);
  std::vector<std::unique_ptr<BatchRun>> runs;
  std::vector<wend_evidence> items(size_t{1} << 20);
  for (auto& batch : batches) {
    runs.push_back(std::make_unique<BatchRun>(engine()));
    runs.back()->bind(*batch);
    runs.back()->prepare_and_signals();
  }
  Comparison comparison;
  const auto pass = [&](bool attribute) {
    for (auto& run : runs) {
      if (whole) run->prepare_and_signals();
      if (!attribute) {
        run->reward();
        continue;
      }
      wend_evidence_sink sink{items.data(), items.size(), 0};
      const wend_context context = run->bound().reporting_to(&sink);
      Scores& scores = run->scores();
      engine().program->attribute(context, engine().multi_turn, 0, run->bound().traces(), scores.totals.data(),
                                  scores.terms.data(), scores.status.data());
      if (sink.count > sink.capacity) state.SkipWithError("too little room for evidence");
    }
  };
  const int times = whole ? 1 : 20;
  for ([[maybe_unused]] auto _ : state) {
    comparison.round(
        [&] {
          for (int i = 0; i < times; ++i) pass(true);
        },
        [&] {
          for (int i = 0; i < times; ++i) pass(false);
        });
  }
  const double traces = static_cast<double>(times * corpus.traces);
  report(state, 1e6 * comparison.ours() / traces, 1e6 * comparison.other() / traces, comparison.ratio(),
         "us a dialogue");
}

// All metrics' signals and all rewards of ingested trajectories: what scripts/bench compares with the Python reference.
void scoring_alone(benchmark::State& state) {
  const Engine engine = Engine::of_paper(true);
  const Corpus corpus = synthetic_corpus(synthetic_bytes() / 4);
  std::vector<std::unique_ptr<Batch>> batches = ingest_all(corpus);
  driver::BoundBatch bound(*engine.program);
  std::vector<double> times;
  for ([[maybe_unused]] auto _ : state) {
    const double start = thread_seconds();
    for (auto& batch : batches) {
      bound.bind(*batch, engine.params);
      const uint32_t n = bound.traces();
      bound.prepare(0, n);
      Scores scores;
      scores.resize(*engine.program, engine.multi_turn, n);
      engine.program->signals(bound.context(), 0, n, scores.signals.data());
      for (uint32_t r = 0; r < engine.program->info().rewards.size(); ++r) {
        scores.resize(*engine.program, r, n);
        engine.program->reward(bound.context(), r, 0, n, scores.totals.data(), scores.terms.data(),
                               scores.status.data());
      }
    }
    times.push_back(thread_seconds() - start);
  }
  report(state, 1e6 * median(times) / static_cast<double>(corpus.traces), 20, "us a dialogue");
}

// 10,000 trajectories under another value of a param, from what was prepared. Target: 2 ms a setting.
void settings(benchmark::State& state) {
  std::vector<std::unique_ptr<Batch>> batches = ingest_all(many());
  std::vector<std::unique_ptr<BatchRun>> runs;
  uint32_t traces = 0;
  for (auto& batch : batches) {
    runs.push_back(std::make_unique<BatchRun>(engine()));
    runs.back()->bind(*batch);
    runs.back()->prepare_and_signals();
    traces += batch->traces();
  }
  std::vector<double> params = engine().params, times, totals(traces);
  std::vector<uint32_t> status(traces);
  const Result<uint32_t> alpha = engine().program->info().find_param("alpha");
  double value = 0;
  for ([[maybe_unused]] auto _ : state) {
    const double start = thread_seconds();
    params[*alpha] = value += 0.01;
    uint32_t first = 0;
    for (auto& run : runs) {
      wend_context context = run->bound().context();
      context.params = params.data();
      engine().program->reward(context, engine().multi_turn, 0, run->bound().traces(), totals.data() + first, nullptr,
                               status.data() + first);
      first += run->bound().traces();
    }
    times.push_back((thread_seconds() - start) * 10000 / traces);
  }
  report(state, 1e3 * median(times), 2, "ms for 10,000");
}

const int registered = [] {
  const auto add = [](const char* name, auto run, int iterations) {
    benchmark::RegisterBenchmark(name, run)->Iterations(iterations);
  };
  add("reward_latency: p50", [](benchmark::State& s) { latency(s, 0.5, 20); }, rounds());
  add("reward_latency: p99", [](benchmark::State& s) { latency(s, 0.99, 200); }, rounds());
  add("reward_latency_with_ingest: p50", [](benchmark::State& s) { latency_with_ingest(s, 0.5, 20); }, rounds());
  add("reward_latency_with_ingest: p99", [](benchmark::State& s) { latency_with_ingest(s, 0.99, 200); }, rounds());
  add("attribution_on_vs_off: whole scoring", [](benchmark::State& s) { attribution(s, true); }, rounds());
  add("attribution_on_vs_off: reward() alone", [](benchmark::State& s) { attribution(s, false); }, rounds());
  add("scoring_alone", scoring_alone, rounds());
  add("set_param_and_rescore", settings, 10 * rounds());
  return 0;
}();

}  // namespace
}  // namespace wend::bench
