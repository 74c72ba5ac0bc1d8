// Compiled detectors, metrics and the multi-turn reward against the same rules written by hand in C++ (handwritten.h),
// over batches that are ingested already. First both sides' results are compared, bit for bit.
#include <cstring>

#include "bench/corpus.h"
#include "bench/engine.h"
#include "bench/handwritten.h"
#include "bench/report.h"

namespace wend::bench {
namespace {

const Engine& engine() {
  static const Engine engine = Engine::of_paper();
  return engine;
}

[[noreturn]] void differ(const Corpus& corpus, const char* what, size_t at, double ours, double other) {
  std::fprintf(stderr, "bench: %s: %s %zu: compiled %.17g, by hand %.17g\n", corpus.name.c_str(), what, at, ours,
               other);
  std::exit(1);
}

void compare(const Corpus& corpus, const char* what, const std::vector<double>& ours,
             const std::vector<double>& other) {
  for (size_t i = 0; i < ours.size(); ++i) {
    // A NaN is a NaN; everything else is equal to the last bit.
    if (std::memcmp(&ours[i], &other[i], sizeof(double)) != 0 && !(ours[i] != ours[i] && other[i] != other[i])) {
      differ(corpus, what, i, ours[i], other[i]);
    }
  }
}

void against_handwritten(benchmark::State& state, const Corpus& corpus) {
  Handwritten hand(*engine().program);
  if (!hand.unknown_signals().empty()) {
    state.SkipWithError(("no rule by hand for " + hand.unknown_signals().front()).c_str());
    return;
  }
  std::vector<std::unique_ptr<Batch>> batches = ingest_all(corpus);
  std::vector<std::unique_ptr<BatchRun>> runs;
  Scores scores;
  for (auto& batch : batches) {
    runs.push_back(std::make_unique<BatchRun>(engine()));
    hand.bind(*batch);
    runs.back()->bind(*batch);
    runs.back()->prepare_and_signals();
    runs.back()->reward();
    scores.resize(*engine().program, engine().multi_turn, batch->traces());
    hand.bind(*batch);
    hand.run(0, batch->traces(), scores);
    const Scores& compiled = runs.back()->scores();
    compare(corpus, "signal", compiled.signals, scores.signals);
    compare(corpus, "term", compiled.terms, scores.terms);
    compare(corpus, "total", compiled.totals, scores.totals);
    for (size_t i = 0; i < scores.status.size(); ++i) {
      if (scores.status[i] != compiled.status[i]) differ(corpus, "status", i, compiled.status[i], scores.status[i]);
    }
  }
  Comparison comparison;
  // Small corpora several times a round.
  const size_t times = 1 + 4000000 / corpus.bytes.size();
  for ([[maybe_unused]] auto _ : state) {
    comparison.round(
        [&] {
          for (size_t i = 0; i < times; ++i) {
            for (auto& run : runs) run->prepare_and_signals(), run->reward();
          }
        },
        [&] {
          for (size_t i = 0; i < times; ++i) {
            for (auto& batch : batches) {
              hand.bind(*batch);
              hand.run(0, batch->traces(), scores);
            }
          }
        });
  }
  const double traces = static_cast<double>(times * corpus.traces);
  // The ratio is of speeds: theirs over ours.
  report(state, 1e6 * comparison.ours() / traces, 1e6 * comparison.other() / traces, 1 / comparison.ratio(),
         "us a dialogue; ratio of speeds");
}

const int registered = [] {
  static std::vector<Corpus> corpora = shared_corpora();
  corpora.push_back(synthetic_corpus(synthetic_bytes()));
  for (const Corpus& corpus : corpora) {
    benchmark::RegisterBenchmark(("detectors_vs_handwritten: " + corpus.name).c_str(), [&corpus](
                                                                                           benchmark::State& state) {
      against_handwritten(state, corpus);
    })->Iterations(rounds());
  }
  return 0;
}();

}  // namespace
}  // namespace wend::bench
