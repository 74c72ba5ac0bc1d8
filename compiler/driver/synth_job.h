// A run of `wend synth`: which dialogues go into which file, and writing them: in parallel, in order, resumable.
#ifndef WEND_COMPILER_DRIVER_SYNTH_JOB_H_
#define WEND_COMPILER_DRIVER_SYNTH_JOB_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/synth/dialogues.h"
#include "runtime/result.h"
#include "runtime/synth/rewriter.h"
#include "runtime/synth/write.h"

namespace wend::driver {

// A file of dialogues. The order of scenarios is drawn once, so that any part of the file is mixed.
struct SynthFile {
  std::string split;  // "train", "valid", "test-id", "test-ood", "single-step"
  const tools::Selection* from = nullptr;
  bool slices = false;                                   // of each dialogue one step, instead of all of it
  std::vector<std::pair<uint32_t, uint64_t>> dialogues;  // scenario, and number within it
};
SynthFile plan_file(std::string split, const tools::Selection& from, bool slices, const std::vector<uint64_t>& counts,
                    uint64_t seed);

struct WriteOptions {
  std::string folder;
  synth::Format format = synth::Format::native;
  uint64_t shard = 100000;  // dialogues of one file
  unsigned threads = 1;
  bool quiet = false;
  synth::Rewriter* rewriter = nullptr;  // puts users' messages into other words; null: the grammar's stay
};

// Makes a maker for each thread.
using MakeMaker = std::function<synth::DialogueMaker()>;

struct WrittenFile {
  std::vector<std::string> names;
  uint64_t dialogues = 0, bytes = 0, resumed = 0;  // resumed: found there from an interrupted run
};

// Writes FOLDER/SPLIT.jsonl, or shards SPLIT-00000.jsonl... While it is not whole, a file is called NAME.part; what
// such a file holds already is kept. Fails where a file cannot be written, or a scenario makes no dialogue.
Result<WrittenFile> write_file_of(const SynthFile& file, const sema::Program& program, const tools::Pool& pool,
                                  const MakeMaker& make_maker, const WriteOptions& options, synth::Tally& tally);

// The tally's reasons, the most frequent first, as lines.
std::string most_frequent(const std::map<std::string, uint64_t>& reasons, size_t most);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_SYNTH_JOB_H_
