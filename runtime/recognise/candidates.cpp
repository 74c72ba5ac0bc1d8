// The places of a message that may give a value: entities, choices of enums, values seen before.
#include <algorithm>

#include "runtime/recognise/mentions.h"

namespace wend::recognise {
namespace {

using State = Toolset::State;

void add_entities(const Finder& finder) {
  const std::vector<Entity>& entities = finder.scratch.entities;
  for (uint32_t i = 0; i < entities.size(); ++i) {
    Candidate candidate;
    candidate.entity_kind = entities[i].kind;
    candidate.begin = entities[i].begin;
    candidate.end = entities[i].end;
    candidate.source = i;
    finder.work().candidates.push_back(candidate);
  }
}

bool has_choice_in_scope(const Finder& finder, uint32_t node) {
  for (const Choice& choice : finder.tools.choice_ends[node].choices) {
    if (finder.in_scope(choice.param)) return true;
  }
  return false;
}

// The longest choice that begins at token `i`: its end, `i` if there is none.
uint32_t longest_choice(const Finder& finder, uint32_t i, uint32_t& node) {
  const Tokens& tokens = finder.tokens();
  const Trie& trie = finder.tools.choice_words;
  uint32_t best = i;
  uint32_t at = trie.step(Trie::kRoot, tokens[i].key, tokens.folded(i), 0);
  for (uint32_t end = i + 1; at != Trie::kNone; ++end) {
    if (has_choice_in_scope(finder, at) && !tokens.cuts_number(i, end)) {
      best = end;
      node = at;
    }
    if (tokens.sign(end, '-') && tokens[end].glued) ++end;
    if (end >= tokens.size()) break;
    at = trie.step(at, tokens[end].key, tokens.folded(end), 0);
  }
  return best;
}

void add_choices(const Finder& finder) {
  const uint32_t size = finder.tokens().size();
  for (uint32_t i = 0; i < size && finder.work().candidates.size() < kMaxCandidates;) {
    uint32_t node = 0;
    const uint32_t end = longest_choice(finder, i, node);
    if (end == i) {
      ++i;
      continue;
    }
    Candidate candidate;
    candidate.kind = Candidate::choice;
    candidate.begin = i;
    candidate.end = end;
    candidate.source = node;
    finder.work().candidates.push_back(candidate);
    i = end;
  }
}

// Where the value of `entry` that begins at token `i` ends; `i` if it does not stand there.
uint32_t match_seen(const Finder& finder, const SeenValues::Entry& entry, uint32_t i) {
  const Tokens& tokens = finder.tokens();
  if (entry.first_key != tokens[i].key) return i;
  Tokens& value = finder.scratch.other;
  value.read(entry.text_view());
  uint32_t from = value.sign(0, '#') && value.size() > 1 ? 1 : 0;
  const uint32_t words = value.size() - from;
  if (i + words > tokens.size()) return i;
  for (uint32_t k = 0; k < words; ++k) {
    const bool same = tokens[i + k].key == value[from + k].key && tokens.folded(i + k) == value.folded(from + k);
    if (!same || (k > 0 && tokens[i + k].glued != value[from + k].glued)) return i;
  }
  return tokens.cuts_number(i, i + words) ? i : i + words;
}

void add_seen(const Finder& finder) {
  const SeenValues* seen = finder.context.seen;
  if (!seen || seen->size() == 0) return;
  const Tokens& tokens = finder.tokens();
  for (uint32_t i = 0; i < tokens.size() && finder.work().candidates.size() < kMaxCandidates; ++i) {
    uint32_t best = i;
    for (uint32_t k = seen->first(tokens[i].key); k != kNone; k = seen->next(k)) {
      const uint32_t end = match_seen(finder, seen->entry(k), i);
      if (end == i || end < best) continue;
      if (end > best) {  // of equally long ones all stay: they may be of different attributes
        while (!finder.work().candidates.empty() && finder.work().candidates.back().kind == Candidate::seen &&
               finder.work().candidates.back().begin == i) {
          finder.work().candidates.pop_back();
        }
      }
      best = end;
      Candidate candidate;
      candidate.kind = Candidate::seen;
      candidate.begin = i;
      candidate.end = end;
      candidate.source = k;
      finder.work().candidates.push_back(candidate);
      if (finder.work().candidates.size() >= kMaxCandidates) break;
    }
    if (best > i) i = best - 1;
  }
}

// ---- What is not meant --------------------------------------------------------------------------------------------

enum class Denial : uint8_t { none, plain, for_another };  // for_another: Y instead of X; Y rather than X; Y, not X

Denial denial_at(const Tokens& tokens, uint32_t i) {
  if (tokens.is(i, "not")) return Denial::for_another;
  if (i == 0) return Denial::none;
  if (tokens.is(i, "of")) return tokens.is(i - 1, "instead") ? Denial::for_another : Denial::none;
  if (tokens.is(i, "than")) return tokens.is(i - 1, "rather") ? Denial::for_another : Denial::none;
  if (tokens.is(i, "longer")) return tokens.is(i - 1, "no") ? Denial::plain : Denial::none;
  const bool unwanted =
      tokens.is(i, "want") && i > 2 && tokens.is(i - 1, "t") && tokens.sign(i - 2, '\'') && tokens.is(i - 3, "don");
  return unwanted ? Denial::plain : Denial::none;
}

Denial denial_of(const Finder& finder, const Candidate& candidate) {
  const Tokens& tokens = finder.tokens();
  uint32_t begin = candidate.begin;
  if (begin > 0 && tokens.sign(begin - 1, '#') && tokens.glued(begin)) --begin;
  for (uint32_t back = 1; back <= 3 && back <= begin; ++back) {
    const uint32_t i = begin - back;
    if (!tokens[i].is_word() || !tokens.same_sentence(i, candidate.begin)) return Denial::none;
    if (const Denial denial = denial_at(tokens, i); denial != Denial::none) return denial;
    if (has(finder.scratch.words[i], kConjunction)) return Denial::none;
  }
  return Denial::none;
}

bool change_verb_before(const Finder& finder, uint32_t i) {
  const Tokens& tokens = finder.tokens();
  for (uint32_t k = i; k-- > 0 && tokens.same_sentence(k, i);) {
    if (has(finder.scratch.words[k], kChange)) return true;
  }
  return false;
}

// b says what a is to become, or what is meant instead of it.
bool replaces(const Finder& finder, const Candidate& a, const Candidate& b) {
  const Tokens& tokens = finder.tokens();
  const uint32_t before = b.begin - 1;
  if (a.rejected) return tokens.distance(a.end - 1, b.begin) <= 2 && tokens.is_between(a.end, b.begin, "but");
  const bool joined = tokens.is(before, "to") || tokens.is(before, "into") || tokens.is(before, "with");
  return joined && tokens.distance(a.end - 1, b.begin) <= 2 && change_verb_before(finder, a.begin);
}

bool alternatives(const Tokens& tokens, const Candidate& a, const Candidate& b) {
  return tokens.distance(a.end - 1, b.begin) <= 2 && tokens.is_between(a.end, b.begin, "or");
}

void mark_changes(const Finder& finder) {
  const Tokens& tokens = finder.tokens();
  std::vector<Candidate>& all = finder.work().candidates;
  for (Candidate& candidate : all) candidate.rejected = denial_of(finder, candidate) != Denial::none;
  for (uint32_t second = 1; second < all.size(); ++second) {
    Candidate& b = all[second];
    for (uint32_t first = second; first-- > 0;) {  // the nearest of its kind in front
      Candidate& a = all[first];
      if (a.end > b.begin || !same_kind(finder, a, b)) continue;
      if (!tokens.same_sentence(a.begin, b.begin)) break;
      if (alternatives(tokens, a, b)) {
        a.rejected = b.rejected = true;
      } else if (b.rejected) {
        if (!a.rejected && denial_of(finder, b) == Denial::for_another) a.old = second;
      } else if (replaces(finder, a, b)) {
        a.rejected = true;
        b.old = first;
      }
      break;
    }
  }
}

}  // namespace

bool same_kind(const Finder& finder, const Candidate& a, const Candidate& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Candidate::entity) return a.entity_kind == b.entity_kind;
  if (a.kind == Candidate::seen) return finder.seen(a).attribute_view() == finder.seen(b).attribute_view();
  for (const Choice& x : finder.tools.choice_ends[a.source].choices) {
    for (const Choice& y : finder.tools.choice_ends[b.source].choices) {
      if (x.param == y.param && finder.in_scope(x.param)) return true;
    }
  }
  return false;
}

void find_candidates(const Finder& finder) {
  std::vector<Candidate>& all = finder.work().candidates;
  all.clear();
  find_entities(finder.reading(), finder.scratch.entities);
  add_entities(finder);
  add_choices(finder);
  add_seen(finder);
  std::sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.kind == Candidate::seen) return finder.seen(a).age > finder.seen(b).age;
    return a.source < b.source;
  });
  mark_changes(finder);
}

}  // namespace wend::recognise
