// What the benchmarks run on: made-up dialogues, and transcripts of the shared data where there are any.
#ifndef WEND_BENCH_CORPUS_H_
#define WEND_BENCH_CORPUS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/data/reader.h"

namespace wend::bench {

// A file in memory: its bytes, and the same bytes as the chunks of records that a Reader cuts them into. Move only:
// the chunks are read by `reader`.
struct Corpus {
  std::string name;
  std::string path;
  std::string bytes;   // with simdjson's padding in its capacity
  bool lines = false;  // JSON Lines; otherwise one JSON text
  std::unique_ptr<Reader> reader;
  std::vector<RecordChunk> chunks;
  uint64_t traces = 0, turns = 0, calls = 0, messages = 0;
};

// Reads a file; its chunks hold about `chunk_bytes` of text each. Ends the process with a message if it cannot.
Corpus load_corpus(const std::string& name, const std::string& path, const std::string& tools = "",
                   size_t chunk_bytes = ReadOptions().batch_bytes);

// Dialogues made up from `seed`, about `bytes` of them, written to a file in the temporary folder and read back.
Corpus synthetic_corpus(size_t bytes, uint64_t seed = 1);

// The transcripts of the shared data that are there: $WEND_SHARED_DATA, else ../shared/data beside the project.
std::vector<Corpus> shared_corpora();

// Ingests a chunk; ends the process on an error.
void ingest(const Corpus& corpus, const RecordChunk& chunk, Batch& batch);

// All of it: one batch a chunk.
std::vector<std::unique_ptr<Batch>> ingest_all(const Corpus& corpus);

}  // namespace wend::bench

#endif  // WEND_BENCH_CORPUS_H_
