#include "compiler/driver/synth_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "compiler/driver/console.h"
#include "compiler/driver/parallel.h"

namespace wend::driver {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBlock = 64;         // dialogues that a thread makes at once
constexpr size_t kBlocksAtOnce = 16;  // blocks in memory

struct Closed {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }  // NOLINT(cppcoreguidelines-owning-memory)
};
using File = std::unique_ptr<std::FILE, Closed>;

// Number of whole lines of the file, and where the last of them ends; a line without its end is left out.
std::pair<uint64_t, uint64_t> whole_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  uint64_t lines = 0, end = 0, position = 0;
  std::string buffer(1 << 20, '\0');
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    const auto got = static_cast<size_t>(file.gcount());
    for (size_t i = 0; i < got; ++i) {
      if (buffer[i] != '\n') continue;
      ++lines;
      end = position + i + 1;
    }
    position += got;
  }
  return {lines, end};
}

Error io_error(const std::string& path) { return Error{fmt::format("{}: {}", path, std::strerror(errno))}; }

struct Block {
  std::vector<synth::MadeDialogue> made;  // with a rewriter: what is not yet written
  std::string lines, failure;
  synth::Tally tally;
};

}  // namespace

std::string most_frequent(const std::map<std::string, uint64_t>& reasons, size_t most) {
  std::vector<std::pair<uint64_t, std::string>> sorted;
  sorted.reserve(reasons.size());
  for (const auto& [reason, count] : reasons) sorted.emplace_back(count, reason);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::string out;
  for (size_t i = 0; i < sorted.size() && i < most; ++i)
    out += fmt::format("\n  {:>8}  {}", sorted[i].first, sorted[i].second);
  if (sorted.size() > most) out += fmt::format("\n            and {} more reasons", sorted.size() - most);
  return out;
}

SynthFile plan_file(std::string split, const tools::Selection& from, bool slices, const std::vector<uint64_t>& counts,
                    uint64_t seed) {
  SynthFile out;
  out.split = std::move(split);
  out.from = &from;
  out.slices = slices;
  for (uint32_t s = 0; s < counts.size(); ++s)
    for (uint64_t i = 0; i < counts[s]; ++i) out.dialogues.emplace_back(s, i);
  Random random(seed_of(seed, out.split));
  random.shuffle(out.dialogues);
  return out;
}

namespace {

bool make(const SynthFile& file, size_t index, const sema::Program& program, synth::DialogueMaker& maker,
          synth::MadeDialogue& made, Block& block) {
  const auto [scenario, number] = file.dialogues[index];
  synth::Tally tally;
  if (!maker.make(scenario, *file.from, file.split, number, made, tally)) {
    block.failure = fmt::format("{}: scenario `{}` made no dialogue in {} tries:{}", file.split,
                                program.scenarios[scenario].name, tally.tries, most_frequent(tally.rejected, 5));
    return false;
  }
  block.tally.merge(tally);
  return true;
}

// One line for the dialogue, or for a step of it.
void put(const SynthFile& file, size_t index, const sema::Program& program, const tools::Pool& pool,
         const synth::MadeDialogue& made, const WriteOptions& options, Block& block) {
  const auto [scenario, number] = file.dialogues[index];
  const sema::Scenario& spec = program.scenarios[scenario];
  const std::string id = fmt::format("{}-{}-{}", file.split, spec.name, number);
  static constexpr std::string_view kFamilies[] = {"Baseline",      "Modification", "Interruption",
                                                   "Clarification", "Accumulation", "Chaining"};
  const synth::Labels labels{id, spec.name, kFamilies[static_cast<size_t>(spec.family)], file.split};
  if (!file.slices) {
    block.lines += synth::line_of(made.trace, pool, made.tools, labels, options.format);
    return;
  }
  const std::vector<synth::StepPlace> steps = synth::gold_steps(made.trace);
  if (steps.empty()) {
    block.failure = fmt::format("{}: gold says nothing of any step of scenario `{}`", file.split, spec.name);
    return;
  }
  Random random(seed_of(made.trace.seed, "step"));
  block.lines +=
      synth::slice_of(made.trace, pool, made.tools, labels, steps[random.below(static_cast<uint32_t>(steps.size()))]);
}

// Asks the model about all blocks at once.
void rewrite(std::vector<Block>& blocks, const tools::Pool& pool, synth::Rewriter& rewriter) {
  std::vector<synth::Trace*> traces;
  for (Block& block : blocks)
    for (synth::MadeDialogue& made : block.made) traces.push_back(&made.trace);
  rewriter.rewrite(traces, pool);
}

}  // namespace

Result<WrittenFile> write_file_of(const SynthFile& file, const sema::Program& program, const tools::Pool& pool,
                                  const MakeMaker& make_maker, const WriteOptions& options, synth::Tally& tally) {
  WrittenFile out;
  const uint64_t total = file.dialogues.size();
  const uint64_t shards = std::max<uint64_t>(1, (total + options.shard - 1) / options.shard);
  Progress progress(file.split, total, options.quiet);
  for (uint64_t shard = 0; shard < shards; ++shard) {
    const std::string name = shards == 1 ? file.split + ".jsonl" : fmt::format("{}-{:05}.jsonl", file.split, shard);
    const std::string path = (fs::path(options.folder) / name).string(), part = path + ".part";
    const uint64_t begin = shard * options.shard, end = std::min(total, begin + options.shard);
    out.names.push_back(name);
    std::error_code error;
    if (fs::is_regular_file(path, error)) {  // whole: it was renamed
      out.bytes += fs::file_size(path, error);
      out.resumed += end - begin;
      out.dialogues += end - begin;
      progress.update(end);
      continue;
    }
    uint64_t next = begin;
    if (fs::is_regular_file(part, error)) {
      const auto [lines, bytes] = whole_lines(part);
      fs::resize_file(part, bytes, error);
      if (error) return Error{fmt::format("{}: {}", part, error.message())};
      next = std::min(end, begin + lines);
      out.resumed += next - begin;
    }
    const File stream(std::fopen(part.c_str(), "ab"));
    if (!stream) return io_error(part);
    while (next < end) {
      const size_t blocks = std::min<uint64_t>(kBlocksAtOnce, (end - next + kBlock - 1) / kBlock);
      std::vector<Block> made(blocks);
      parallel_for(blocks, options.threads, [&] {
        auto maker = std::make_shared<synth::DialogueMaker>(make_maker());
        return [&, maker](size_t b) {
          const uint64_t first = next + b * kBlock, last = std::min(end, first + kBlock);
          for (uint64_t i = first; i < last && made[b].failure.empty(); ++i) {
            synth::MadeDialogue one;
            if (!make(file, i, program, *maker, one, made[b])) break;
            if (options.rewriter != nullptr)
              made[b].made.push_back(std::move(one));
            else
              put(file, i, program, pool, one, options, made[b]);
          }
        };
      });
      if (options.rewriter != nullptr) {
        rewrite(made, pool, *options.rewriter);
        for (size_t b = 0; b < blocks; ++b)
          for (size_t i = 0; i < made[b].made.size(); ++i)
            put(file, next + b * kBlock + i, program, pool, made[b].made[i], options, made[b]);
      }
      for (const Block& block : made) {
        tally.merge(block.tally);
        if (std::fwrite(block.lines.data(), 1, block.lines.size(), stream.get()) != block.lines.size())
          return io_error(part);
        if (!block.failure.empty()) return Error{block.failure};
      }
      if (std::fflush(stream.get()) != 0) return io_error(part);
      next = std::min<uint64_t>(end, next + blocks * kBlock);
      progress.update(next);
    }
    out.dialogues += end - begin;
    out.bytes += static_cast<uint64_t>(std::ftell(stream.get()));
    fs::rename(part, path, error);
    if (error) return Error{fmt::format("{}: {}", path, error.message())};
  }
  return out;
}

}  // namespace wend::driver
