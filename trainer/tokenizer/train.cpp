#include "trainer/tokenizer/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "runtime/data/text.h"

namespace wend::tokenizer {
namespace {

using Pair = std::pair<int32_t, int32_t>;

struct PairHash {
  size_t operator()(const Pair& pair) const {
    return std::hash<uint64_t>()(uint64_t{static_cast<uint32_t>(pair.first)} << 32 |
                                 static_cast<uint32_t>(pair.second));
  }
};

struct Word {
  std::vector<int32_t> ids;
  int64_t count;
};

// The words with their pairs, and what merging does to them.
class Merging {
 public:
  explicit Merging(std::vector<Word> words) : words_(std::move(words)) {
    for (size_t w = 0; w < words_.size(); ++w) {
      const std::vector<int32_t>& ids = words_[w].ids;
      for (size_t i = 0; i + 1 < ids.size(); ++i) add({ids[i], ids[i + 1]}, words_[w].count, w);
    }
    for (const auto& [pair, count] : counts_) queue_.push({count, pair});
  }

  // The next pair to merge; false: none that is frequent enough.
  bool next(uint64_t min_frequency, Pair& pair) {
    while (!queue_.empty()) {
      const Candidate top = queue_.top();
      queue_.pop();
      const int64_t count = counts_[top.pair];
      if (count != top.count) {
        if (count > 0) queue_.push({count, top.pair});
        continue;
      }
      if (count < 1 || static_cast<uint64_t>(count) < min_frequency) return false;
      pair = top.pair;
      return true;
    }
    return false;
  }

  void merge(const Pair& pair, int32_t result) {
    std::unordered_set<size_t> words = std::move(words_of_[pair]);
    words_of_.erase(pair);
    std::vector<Pair> changed;
    for (const size_t w : words) merge_in(w, pair, result, changed);
    counts_[pair] = 0;
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const Pair& one : changed) queue_.push({counts_[one], one});
  }

 private:
  struct Candidate {
    int64_t count;
    Pair pair;
    bool operator<(const Candidate& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  void add(const Pair& pair, int64_t count, size_t word) {
    counts_[pair] += count;
    words_of_[pair].insert(word);
  }

  void merge_in(size_t w, const Pair& pair, int32_t result, std::vector<Pair>& changed) {
    Word& word = words_[w];
    std::vector<int32_t> merged;
    const std::vector<int32_t>& ids = word.ids;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i + 1 < ids.size() && ids[i] == pair.first && ids[i + 1] == pair.second) {
        if (!merged.empty()) {
          counts_[{merged.back(), ids[i]}] -= word.count;
          add({merged.back(), result}, word.count, w);
          changed.emplace_back(merged.back(), result);
        }
        merged.push_back(result);
        ++i;
        if (i + 1 < ids.size()) counts_[{ids[i], ids[i + 1]}] -= word.count;
        // What follows is unmerged as yet; if it merges as well, the pair of both results is counted then.
        if (i + 1 < ids.size()) {
          add({result, ids[i + 1]}, word.count, w);
          changed.emplace_back(result, ids[i + 1]);
        }
      } else {
        merged.push_back(ids[i]);
      }
    }
    word.ids = std::move(merged);
  }

  std::vector<Word> words_;
  std::unordered_map<Pair, int64_t, PairHash> counts_;
  std::unordered_map<Pair, std::unordered_set<size_t>, PairHash> words_of_;
  std::priority_queue<Candidate> queue_;
};

// Each piece of the texts with how often it occurs.
std::map<std::string, int64_t> pieces_of(std::span<const std::string> texts, const Pattern& pattern) {
  std::map<std::string, int64_t> out;
  for (const std::string& text : texts) {
    const std::string normal = to_nfc(valid_utf8(text));
    pattern.split(normal, [&](std::string_view piece) { ++out[std::string(piece)]; });
  }
  return out;
}

}  // namespace

Result<Tokenizer> train(std::span<const std::string> texts, const TrainOptions& options) {
  Result<Pattern> pattern = Pattern::compile(options.pattern);
  if (!pattern) return pattern.error();
  std::vector<std::string> tokens;
  std::vector<AddedToken> added;
  const auto add = [&](const std::string& content, bool special) {
    added.push_back({static_cast<int32_t>(tokens.size()), content, special});
    tokens.emplace_back();
  };
  for (const std::string& content : options.special) add(content, true);
  for (const std::string& content : options.added) add(content, false);
  const size_t first = tokens.size();
  if (options.size < static_cast<int32_t>(first) + 256) {
    return Error{fmt::format("a vocabulary of {} has no place for 256 bytes and {} added tokens", options.size, first)};
  }
  // Bytes in the order of the characters that stand for them, as the reference trainer sorts its alphabet.
  std::vector<std::string> alphabet;
  for (int b = 0; b < 256; ++b) alphabet.push_back(printable(std::string(1, static_cast<char>(b))));
  std::sort(alphabet.begin(), alphabet.end());
  int32_t of_byte[256] = {};
  for (const std::string& character : alphabet) {
    std::string byte;
    bytes_of_printable(character, byte);
    of_byte[static_cast<unsigned char>(byte[0])] = static_cast<int32_t>(tokens.size());
    tokens.push_back(byte);
  }
  std::vector<Word> words;
  for (const auto& [piece, count] : pieces_of(texts, *pattern)) {
    Word word{{}, count};
    for (const char c : piece) word.ids.push_back(of_byte[static_cast<unsigned char>(c)]);
    words.push_back(std::move(word));
  }
  Merging merging(std::move(words));
  std::vector<Bpe::Merge> merges;
  std::unordered_map<std::string, int32_t> known;
  for (size_t id = first; id < tokens.size(); ++id) known[tokens[id]] = static_cast<int32_t>(id);
  Pair pair;
  while (static_cast<int32_t>(tokens.size()) < options.size && merging.next(options.min_frequency, pair)) {
    const std::string bytes = tokens[static_cast<size_t>(pair.first)] + tokens[static_cast<size_t>(pair.second)];
    const auto [at, fresh] = known.emplace(bytes, static_cast<int32_t>(tokens.size()));
    if (fresh) tokens.push_back(bytes);
    merges.push_back({pair.first, pair.second, at->second});
    merging.merge(pair, at->second);
  }
  Result<Bpe> bpe = Bpe::make(std::move(tokens), std::move(merges), false);
  if (!bpe) return bpe.error();
  return Tokenizer::make(std::move(*bpe), std::move(added), {options.pattern}, true);
}

}  // namespace wend::tokenizer
