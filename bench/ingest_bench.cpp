// From bytes to metrics and rewards against a parse of the same bytes with simdjson's DOM.
//
// Both sides read the same memory; neither reads files. Ours: find the records, ingest them in batches, bind the
// program, then all signals of all metrics and the multi-turn reward. Theirs: the fastest of the ways that simdjson
// offers for the file (the whole text, record by record, parse_many for JSON Lines), each with a parser that is kept.
#include <simdjson.h>

#include "bench/corpus.h"
#include "bench/engine.h"
#include "bench/report.h"
#include "runtime/data/split.h"

namespace wend::bench {
namespace {

const Engine& engine() {
  static const Engine engine = Engine::of_paper();
  return engine;
}

constexpr size_t kManyBytes = 1000000;  // simdjson's own default: how much parse_many looks at at a time

struct Parts {
  double split = 0, ingest = 0, signals = 0, reward = 0;
};

// One pass of ours over a corpus.
class Ours {
 public:
  explicit Ours(const Corpus& corpus) : corpus_(corpus), run_(engine()) {}

  Parts operator()() {
    Parts parts;
    for (const RecordChunk& chunk : corpus_.chunks) {
      const double start = thread_seconds();
      records_.clear();
      Splitter(corpus_.lines ? Framing::kLines : Framing::kList)
          .scan(chunk.bytes.data(), chunk.bytes.size(), false, records_);
      const double split = thread_seconds();
      ingest(corpus_, chunk, batch_);
      run_.bind(batch_);
      const double ingested = thread_seconds();
      run_.prepare_and_signals();
      const double prepared = thread_seconds();
      run_.reward();
      const double done = thread_seconds();
      parts.split += split - start;
      parts.ingest += ingested - split;
      parts.signals += prepared - ingested;
      parts.reward += done - prepared;
    }
    return parts;
  }

 private:
  const Corpus& corpus_;
  Batch batch_;
  BatchRun run_;
  std::vector<RecordRange> records_;
};

// One pass of simdjson over a corpus, in the fastest of its ways.
class Theirs {
 public:
  explicit Theirs(const Corpus& corpus) : corpus_(corpus) {
#ifdef SIMDJSON_THREADS_ENABLED
    parser_.threaded = false;  // one thread on either side
#endif
    double best = 0;
    for (int way = 0; way < 3; ++way) {
      if (way != 1 && (way == 2) != corpus.lines) continue;  // the whole text, or parse_many
      way_ = way;
      parse();
      const double start = thread_seconds();
      parse();
      const double took = thread_seconds() - start;
      if (best == 0 || took < best) best = took, fastest_ = way;
    }
    way_ = fastest_;
  }

  void parse() {
    if (way_ == 0) {
      check(parser_.parse(corpus_.bytes.data(), corpus_.bytes.size(), false).error());
    } else if (way_ == 1) {
      for (const RecordChunk& chunk : corpus_.chunks) {
        for (const RecordRange& record : chunk.records) {
          check(parser_.parse(chunk.bytes.data() + record.begin, record.end - record.begin, false).error());
        }
      }
    } else {
      simdjson::dom::document_stream stream;
      check(parser_.parse_many(reinterpret_cast<const uint8_t*>(corpus_.bytes.data()), corpus_.bytes.size(), kManyBytes)
                .get(stream));
      for (auto document : stream) check(document.error());
    }
  }

 private:
  static void check(simdjson::error_code error) {
    if (!error) return;
    std::fprintf(stderr, "bench: simdjson: %s\n", simdjson::error_message(error));
    std::exit(1);
  }

  const Corpus& corpus_;
  simdjson::dom::parser parser_;
  int way_ = 0, fastest_ = 0;
};

void against_simdjson(benchmark::State& state, const Corpus& corpus) {
  Ours ours(corpus);
  Theirs theirs(corpus);
  ours();
  Comparison comparison;
  std::vector<double> split, ingest, signals, reward;
  for ([[maybe_unused]] auto _ : state) {
    Parts parts;
    comparison.round([&] { parts = ours(); }, [&] { theirs.parse(); });
    split.push_back(parts.split);
    ingest.push_back(parts.ingest);
    signals.push_back(parts.signals);
    reward.push_back(parts.reward);
  }
  // Milliseconds.
  report(state, 1e3 * comparison.ours(), 1e3 * comparison.other(), comparison.ratio(), "ms");
  state.counters["split_ms"] = 1e3 * median(split);
  state.counters["ingest_ms"] = 1e3 * median(ingest);
  state.counters["signals_ms"] = 1e3 * median(signals);
  state.counters["reward_ms"] = 1e3 * median(reward);
  state.counters["megabytes"] = 1e-6 * static_cast<double>(corpus.bytes.size());
  state.counters["traces"] = static_cast<double>(corpus.traces);
}

const int registered = [] {
  static std::vector<Corpus> corpora = shared_corpora();
  corpora.push_back(synthetic_corpus(synthetic_bytes()));
  for (const Corpus& corpus : corpora) {
    benchmark::RegisterBenchmark(("ingest_score_vs_simdjson: " + corpus.name).c_str(), [&corpus](
                                                                                           benchmark::State& state) {
      against_simdjson(state, corpus);
    })->Iterations(rounds());
  }
  return 0;
}();

}  // namespace
}  // namespace wend::bench
