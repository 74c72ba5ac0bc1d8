// Cues: the phrases of a program in one trie over words.
#include <algorithm>
#include <cmath>

#include "runtime/recognise/recognise.h"
#include "runtime/recognise/scratch.h"
#include "runtime/recognise/tokens.h"
#include "runtime/recognise/trie.h"

namespace wend::recognise {

struct Cues::State {
  struct Phrase {
    uint32_t label = 0;
    double weight = 0;
    int64_t param = -1;
    uint32_t parts = 0;
  };
  // A part that ends in a node: the phrase's part `number` of `words` tokens.
  struct Part {
    uint32_t phrase, number, words;
  };

  Trie trie;
  std::vector<std::vector<Part>> ends;  // by node
  std::vector<Phrase> phrases;          // of all tables
  std::vector<uint32_t> first;          // [tables + 1] of phrases
  std::vector<uint32_t> labels;         // [tables]
};

namespace {

using State = Cues::State;
// Marks of edges: how the word stands to the one before.
constexpr uint32_t kFirst = 0, kGlued = 1, kApart = 2;

void add_part(State& state, const Tokens& tokens, size_t begin, size_t end, State::Part part) {
  uint32_t node = Trie::kRoot;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t mark = i == begin ? kFirst : tokens[i].glued ? kGlued : kApart;
    node = state.trie.add(node, tokens[i].key, tokens.folded(i), mark);
  }
  if (state.ends.size() < state.trie.nodes()) state.ends.resize(state.trie.nodes());
  state.ends[node].push_back(part);
}

void add_phrase(State& state, const CueInfo& cue, Tokens& tokens) {
  tokens.read(cue.words);
  const auto phrase = static_cast<uint32_t>(state.phrases.size());
  uint32_t parts = 0;
  for (size_t i = 0; i < tokens.size();) {
    size_t end = i;
    while (end < tokens.size() && !tokens.sign(end, '*')) ++end;
    if (end > i) add_part(state, tokens, i, end, {phrase, parts++, static_cast<uint32_t>(end - i)});
    i = end + 1;
  }
  state.phrases.push_back({cue.label, cue.weight, cue.param, parts});
}

void take(const State& state, const Tokens& tokens, const State::Part& part, uint32_t begin, CueMatches& found) {
  CueMatches::Progress& progress = found.progress[part.phrase];
  const uint32_t parts = state.phrases[part.phrase].parts;
  if (progress.parts == parts) return;
  const uint32_t end = begin + part.words, sentence = tokens[begin].sentence;
  if (parts > 1) {
    if (tokens[end - 1].sentence != sentence) return;
    if (progress.parts > 0 && progress.sentence != sentence) progress.parts = 0;
    if (progress.parts > 0 && begin < progress.end) return;
  }
  if (part.number != progress.parts) return;
  ++progress.parts;
  progress.sentence = sentence;
  progress.end = end;
}

void scan(const State& state, const Tokens& tokens, CueMatches& found) {
  found.progress.assign(state.phrases.size(), {});
  for (uint32_t begin = 0; begin < tokens.size(); ++begin) {
    uint32_t node = state.trie.step(Trie::kRoot, tokens[begin].key, tokens.folded(begin), kFirst);
    for (uint32_t end = begin + 1; node != Trie::kNone; ++end) {
      const auto& parts = state.ends[node];
      if (!parts.empty() && !tokens.cuts_number(begin, end)) {
        for (const State::Part& part : parts) take(state, tokens, part, begin, found);
      }
      if (end == tokens.size()) break;
      node = state.trie.step(node, tokens[end].key, tokens.folded(end), tokens[end].glued ? kGlued : kApart);
    }
  }
}

}  // namespace

Cues::Cues() : state_(std::make_unique<State>()) {}
Cues::~Cues() = default;
Cues::Cues(Cues&&) noexcept = default;
Cues& Cues::operator=(Cues&&) noexcept = default;

Cues Cues::compile(std::span<const CuesInfo> tables) {
  Cues cues;
  State& state = *cues.state_;
  Tokens tokens;
  state.ends.resize(1);
  state.first.push_back(0);
  for (const CuesInfo& table : tables) {
    for (const CueInfo& cue : table.cues) add_phrase(state, cue, tokens);
    state.first.push_back(static_cast<uint32_t>(state.phrases.size()));
    state.labels.push_back(static_cast<uint32_t>(table.labels.size()));
  }
  return cues;
}

Classification classify(const Cues& cues, uint32_t table, std::span<const double> params, Scratch& scratch) {
  const State& state = cues.state();
  if (table >= state.labels.size()) return {0, 0.5};
  CueMatches& found = scratch.state().cues;
  scan(state, scratch.state().tokens, found);

  std::vector<double>& sums = found.sums;
  sums.assign(std::max<size_t>(state.labels[table], 1), 0.0);
  for (uint32_t i = state.first[table]; i < state.first[table + 1]; ++i) {
    const State::Phrase& phrase = state.phrases[i];
    if (phrase.parts == 0 || found.progress[i].parts < phrase.parts || phrase.label >= sums.size()) continue;
    const auto param = static_cast<size_t>(phrase.param);
    const double weight = phrase.param < 0 ? phrase.weight : param < params.size() ? params[param] : 0.0;
    if (std::isfinite(weight)) sums[phrase.label] += weight;
  }
  const auto best = std::max_element(sums.begin(), sums.end());
  if (!(*best > 0)) return {0, 0.5};
  double total = 0;
  for (const double sum : sums) total += std::max(sum, 0.0);
  return {static_cast<uint32_t>(best - sums.begin()), *best / total * (*best / (*best + 0.5))};
}

}  // namespace wend::recognise
