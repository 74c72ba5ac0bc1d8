// Reader: files of dialogues in, batches out.
//
//   auto reader = Reader::Open({"a.jsonl", "b.json"}, {});
//   if (!reader) return reader.error();
//   Batch batch;
//   while (true) {
//     Result<bool> more = reader->Next(batch);
//     if (!more) return more.error();
//     if (!*more) break;
//     use(batch.view());
//   }
//   for (const ReadIssue& issue : reader->report().issues) print(issue.text());
//
// Memory is bounded by a batch, not by a file. To read on several threads, take chunks of raw records with next_chunk
// on one thread and give them to Parse on any (runtime/data/parallel.h does); the batches are the same.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/data/byte_source.h"
#include "runtime/data/read_options.h"
#include "runtime/data/readers/record_reader.h"
#include "runtime/data/split.h"
#include "runtime/result.h"

namespace wend {

// Raw bytes with kJsonPadding readable bytes behind them.
class ChunkBytes {
 public:
  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  size_t size() const { return size_; }
  void resize(size_t size);  // keeps what fits; new bytes are not initialised

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0, capacity_ = 0;
};

// Some whole records of one file.
struct RecordChunk {
  std::shared_ptr<const Sidecar> sidecar;
  Format format = Format::kAuto;
  ChunkBytes bytes;
  uint64_t offset = 0;        // of bytes[0] in the file
  uint64_t first_record = 1;  // number of records[0]
  std::vector<RecordRange> records;
  ReadReport report;  // what went wrong before the first record
};

class Reader {
 public:
  // Looks at every file; one that cannot be read or recognised is an error.
  static Result<Reader> Open(std::vector<std::string> paths, ReadOptions options);

  // Clears the batch and fills it with the next dialogues; false at the end. A batch may be empty: all its records
  // were bad.
  Result<bool> Next(Batch& batch);

  // The next records, unread; false at the end. One thread at a time.
  Result<bool> next_chunk(RecordChunk& chunk);
  // Clears the batch and fills it with the chunk's dialogues. Any thread. An error only if strict.
  Result<void> parse(const RecordChunk& chunk, Batch& batch, ReadReport& report) const;

  // What Next has met so far.
  const ReadReport& report() const { return report_; }
  const ReadOptions& options() const { return options_; }
  // The format of each file, in order.
  const std::vector<Layout>& layouts() const { return layouts_; }

 private:
  Reader(std::vector<std::string> paths, ReadOptions options)
      : paths_(std::move(paths)), options_(std::move(options)) {}

  Result<void> open_file();
  Result<bool> fill(RecordChunk& chunk);
  Result<size_t> read_more(ChunkBytes& bytes, size_t target);
  void finish_file(RecordChunk& chunk);

  std::vector<std::string> paths_;
  ReadOptions options_;
  std::vector<Layout> layouts_;
  std::vector<uint64_t> sizes_;                     // by file: bytes when it was looked at, 0 for a pipe
  std::vector<std::unique_ptr<ByteSource>> pipes_;  // by file: what cannot be opened again, opened
  ReadReport report_;
  RecordChunk chunk_;  // of Next

  // The file being read.
  size_t next_file_ = 0;
  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<const Sidecar> sidecar_;
  std::unique_ptr<Splitter> splitter_;
  std::string carry_;  // bytes of a record that has not ended yet
  uint64_t offset_ = 0, records_ = 0;
  std::string tools_json_;
};

// Fills the batch from records in memory; `sidecar` must be of the layout's format (record_reader.h).
Result<void> read_memory(std::string_view text, const Layout& layout, std::shared_ptr<const Sidecar> sidecar,
                         const ReadOptions& options, Batch& batch, ReadReport& report);

// The same for native or OpenAI dialogues, one a line.
Result<void> read_lines(std::string_view text, const ReadOptions& options, Batch& batch, ReadReport& report);

}  // namespace wend
