#include "bench/corpus.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bench/dialogues.h"

namespace wend::bench {
namespace {

namespace fs = std::filesystem;
constexpr size_t kPadding = 64;  // at least what simdjson and our readers ask for

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "bench: %s\n", message.c_str());
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) give_up("cannot read " + path);
  bytes.reserve(bytes.size() + kPadding);
  return bytes;
}

fs::path shared_folder() {
  if (const char* folder = std::getenv("WEND_SHARED_DATA")) return folder;
  return fs::path(WEND_BENCH_ROOT) / ".." / "shared" / "data";
}

}  // namespace

Corpus load_corpus(const std::string& name, const std::string& path, const std::string& tools, size_t chunk_bytes) {
  Corpus corpus;
  corpus.name = name;
  corpus.path = path;
  corpus.bytes = read_file(path);
  ReadOptions options;
  options.batch_bytes = chunk_bytes;
  if (!tools.empty()) options.tools = tools;
  Result<Reader> reader = Reader::Open({path}, options);
  if (!reader) give_up(reader.error().message);
  corpus.lines = reader->layouts()[0].framing == Framing::kLines;
  corpus.reader = std::make_unique<Reader>(std::move(*reader));
  for (;;) {
    RecordChunk chunk;
    Result<bool> more = corpus.reader->next_chunk(chunk);
    if (!more) give_up(more.error().message);
    if (!*more) break;
    corpus.chunks.push_back(std::move(chunk));
  }
  Batch batch;
  for (const RecordChunk& chunk : corpus.chunks) {
    ingest(corpus, chunk, batch);
    corpus.traces += batch.traces();
    corpus.turns += batch.rows(WEND_TABLE_turn);
    corpus.messages += batch.rows(WEND_TABLE_message);
    for (const wend_span& calls : batch.columns().trace_calls) corpus.calls += calls.end - calls.begin;
  }
  return corpus;
}

Corpus synthetic_corpus(size_t bytes, uint64_t seed) {
  const fs::path path = fs::temp_directory_path() / ("wend-bench-" + std::to_string(getpid()) + ".jsonl");
  {
    std::ofstream file(path, std::ios::binary);
    DialogueMaker maker(seed);
    std::string line;
    for (size_t written = 0; written < bytes; written += line.size()) {
      line = maker.next();
      file << line;
    }
    if (!file.flush()) give_up("cannot write " + path.string());
  }
  Corpus corpus = load_corpus("synthetic", path.string());
  fs::remove(path);
  return corpus;
}

std::vector<Corpus> shared_corpora() {
  struct File {
    const char *name, *path, *tools;
  };
  static constexpr File kFiles[] = {
      {"tau-bench airline", "tau-bench/gpt-4o-airline.json", "tau-bench/tools-airline.json"},
      {"tau-bench retail", "tau-bench/retail-tool-calling.json", "tau-bench/tools-retail.json"},
      {"tau2-bench airline", "tau2-bench/results-airline-gpt-5-toolorchestra.json", "tau2-bench/tools-airline.json"},
      {"tau2-bench retail", "tau2-bench/results-retail-gpt-4.1.json", "tau2-bench/tools-retail.json"},
  };
  std::vector<Corpus> corpora;
  const fs::path folder = shared_folder();
  for (const File& file : kFiles) {
    const fs::path path = folder / file.path, tools = folder / file.tools;
    if (!fs::exists(path)) continue;
    corpora.push_back(load_corpus(file.name, path.string(), fs::exists(tools) ? tools.string() : ""));
  }
  return corpora;
}

void ingest(const Corpus& corpus, const RecordChunk& chunk, Batch& batch) {
  ReadReport report;
  Result<void> parsed = corpus.reader->parse(chunk, batch, report);
  if (!parsed) give_up(parsed.error().message);
}

std::vector<std::unique_ptr<Batch>> ingest_all(const Corpus& corpus) {
  std::vector<std::unique_ptr<Batch>> batches;
  for (const RecordChunk& chunk : corpus.chunks) {
    batches.push_back(std::make_unique<Batch>());
    ingest(corpus, chunk, *batches.back());
  }
  return batches;
}

}  // namespace wend::bench
