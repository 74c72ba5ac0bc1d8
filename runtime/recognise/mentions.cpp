// mentioned: gives each candidate to the parameter that it fits best, where there is one such.
#include "runtime/recognise/mentions.h"

#include <algorithm>

namespace wend::recognise {
namespace {

bool overlap(const Candidate& a, const Candidate& b) { return a.begin < b.end && b.begin < a.end; }

// The pair with the greatest total whose parameter is free, if no other has the same but for parameters of the same
// name, of which the first counts; pairs of a candidate are contiguous.
struct Claim {
  uint32_t pair = kNone;
  int32_t total = 0;
};

Claim best_claim(const Finder& finder, size_t& at) {
  const MentionWork& work = finder.work();
  const uint32_t candidate = work.pairs[at].candidate;
  Claim best;
  bool alone = false;
  for (; at < work.pairs.size() && work.pairs[at].candidate == candidate; ++at) {
    const Pair& pair = work.pairs[at];
    if (work.taken[pair.param]) continue;
    if (best.pair == kNone || pair.total > best.total) {
      best = {static_cast<uint32_t>(at), pair.total};
      alone = true;
    } else if (pair.total == best.total) {
      const uint32_t other = work.pairs[best.pair].param;
      alone = alone && finder.tools.params[pair.param].namesake == finder.tools.params[other].namesake;
      if (pair.param < other) best.pair = static_cast<uint32_t>(at);
    }
  }
  return alone && !work.candidates[candidate].settled ? best : Claim{};
}

bool corrected_between(const Finder& finder, uint32_t begin, uint32_t end) {
  const Tokens& tokens = finder.tokens();
  for (uint32_t i = begin; i < end; ++i) {
    if (tokens.is(i, "no") || tokens.is(i, "actually") || tokens.is(i, "sorry") || tokens.is(i, "rather")) return true;
    if (tokens.is(i, "i") && (tokens.is(i + 1, "mean") || tokens.is(i + 1, "meant"))) return true;
    if (tokens.is(i, "make") && tokens.is(i + 1, "that")) return true;
  }
  return false;
}

bool same_value(const Finder& finder, const Pair& a, const Pair& b) {
  MentionWork& work = finder.work();
  work.compared.clear();
  work.other.clear();
  append_value(finder, work.candidates[a.candidate], a.param, a.choice, work.compared);
  append_value(finder, work.candidates[b.candidate], b.param, b.choice, work.other);
  return same_text(work.compared, work.other);
}

void settle(const Finder& finder, uint32_t candidate) {
  for (Candidate& other : finder.work().candidates) {
    if (overlap(other, finder.work().candidates[candidate])) other.settled = true;
  }
}

void give(const Finder& finder, const Pair& pair) {
  MentionWork& work = finder.work();
  settle(finder, pair.candidate);
  if (!finder.tools.params[pair.param].list) take(finder, pair.param);
  work.given.push_back({pair.candidate, pair.param, pair.choice});
}

// Several candidates with the same total want one parameter: which one gets it, if any does.
void decide(const Finder& finder, std::span<const uint32_t> claims) {
  MentionWork& work = finder.work();
  const Pair& first = work.pairs[claims.front()];
  const bool all_same = std::all_of(claims.begin(), claims.end(),
                                    [&](uint32_t claim) { return same_value(finder, first, work.pairs[claim]); });
  if (all_same) {
    for (uint32_t claim : claims) settle(finder, work.pairs[claim].candidate);
    give(finder, first);
    return;
  }
  const Pair& last = work.pairs[claims.back()];
  const Candidate& before = work.candidates[work.pairs[claims[claims.size() - 2]].candidate];
  const bool corrected = corrected_between(finder, before.end, work.candidates[last.candidate].begin);
  for (uint32_t claim : claims) settle(finder, work.pairs[claim].candidate);
  if (corrected) give(finder, last);
}

// One round: all candidates name their best parameter; then, from the greatest total on, each parameter takes whom it
// can. False if nothing changed.
bool assign_round(const Finder& finder) {
  MentionWork& work = finder.work();
  work.claims.clear();
  for (size_t at = 0; at < work.pairs.size();) {
    const Claim claim = best_claim(finder, at);
    if (claim.pair != kNone) work.claims.push_back(claim.pair);
  }
  std::sort(work.claims.begin(), work.claims.end(), [&](uint32_t a, uint32_t b) {
    const Pair &x = work.pairs[a], &y = work.pairs[b];
    if (x.total != y.total) return x.total > y.total;
    return x.param != y.param ? x.param < y.param : a < b;
  });
  bool changed = false;
  for (size_t at = 0; at < work.claims.size();) {
    const Pair& first = work.pairs[work.claims[at]];
    work.rivals.clear();
    for (; at < work.claims.size(); ++at) {
      const Pair& pair = work.pairs[work.claims[at]];
      if (pair.total != first.total || pair.param != first.param) break;
      if (!work.candidates[pair.candidate].settled) work.rivals.push_back(work.claims[at]);
    }
    if (work.taken[first.param] || work.rivals.empty()) continue;
    changed = true;
    if (finder.tools.params[first.param].list) {
      for (uint32_t claim : work.rivals) {
        if (!work.candidates[work.pairs[claim].candidate].settled) give(finder, work.pairs[claim]);
      }
    } else if (work.rivals.size() == 1) {
      give(finder, work.pairs[work.rivals[0]]);
    } else {
      decide(finder, work.rivals);
    }
  }
  return changed;
}

// "AB-12, CD-34 and EF-56": what follows a candidate of a list in the same enumeration belongs to it too.
void follow_lists(const Finder& finder) {
  MentionWork& work = finder.work();
  const Tokens& tokens = finder.tokens();
  for (size_t i = 0; i < work.given.size(); ++i) {
    const Given given = work.given[i];
    if (!finder.tools.params[given.param].list) continue;
    const Candidate& known = work.candidates[given.candidate];
    for (uint32_t next = given.candidate + 1; next < work.candidates.size(); ++next) {
      const Candidate& other = work.candidates[next];
      if (other.begin < known.end || other.settled || !same_kind(finder, known, other)) continue;
      bool joined = other.begin > known.end && tokens.same_sentence(known.begin, other.begin);
      for (uint32_t k = known.end; k < other.begin; ++k) joined &= tokens.sign(k, ',') || tokens.is(k, "and");
      if (joined && !other.rejected && known.kind == Candidate::entity) give(finder, {next, given.param, 0, 0});
      break;
    }
  }
}

// ---- What was given, as mentions ----------------------------------------------------------------------------------

void write_mention(const Finder& finder, uint32_t param, size_t value, uint32_t begin, uint32_t end) {
  MentionWork& work = finder.work();
  Mention mention;
  mention.param = param;
  mention.begin = begin;
  mention.end = end;
  mention.value = {nullptr, work.values.size() - value};  // becomes a view when no value moves any more
  work.mentions.push_back(mention);
}

void write_list(const Finder& finder, size_t first) {
  MentionWork& work = finder.work();
  const size_t value = work.values.size();
  const uint32_t param = work.given[first].param;
  work.values.push_back('[');
  for (size_t i = first; i < work.given.size(); ++i) {
    if (work.given[i].param != param) continue;
    if (work.values.size() > value + 1) work.values.push_back(',');
    append_value(finder, work.candidates[work.given[i].candidate], param, work.given[i].choice, work.values);
  }
  work.values.push_back(']');
  const Candidate& candidate = work.candidates[work.given[first].candidate];
  write_mention(finder, param, value, finder.tokens()[candidate.begin].begin, finder.tokens()[candidate.end - 1].end);
}

// A seen value, or another date or time than the one that holds.
bool is_offer(const Finder& finder, const Candidate& candidate, uint32_t param) {
  if (candidate.kind == Candidate::seen) return true;
  const ParamKind kind = finder.tools.params[param].kind;
  return (kind == ParamKind::date || kind == ParamKind::time) && finder.work().slot[param] != kNone;
}

void write_given(const Finder& finder) {
  MentionWork& work = finder.work();
  std::sort(work.given.begin(), work.given.end(), [](const Given& a, const Given& b) {
    return a.candidate != b.candidate ? a.candidate < b.candidate : a.param < b.param;
  });
  for (size_t i = 0; i < work.given.size(); ++i) {
    const Given& given = work.given[i];
    if (finder.tools.params[given.param].list) {
      const bool written = std::any_of(work.given.begin(), work.given.begin() + static_cast<ptrdiff_t>(i),
                                       [&](const Given& other) { return other.param == given.param; });
      if (!written) write_list(finder, i);
      continue;
    }
    const size_t value = work.values.size();
    const Candidate& candidate = work.candidates[given.candidate];
    append_value(finder, candidate, given.param, given.choice, work.values);
    write_mention(finder, given.param, value, finder.tokens()[candidate.begin].begin,
                  finder.tokens()[candidate.end - 1].end);
    work.mentions.back().offer = is_offer(finder, candidate, given.param);
  }
}

}  // namespace

void take(const Finder& finder, uint32_t param) {
  const std::vector<Param>& params = finder.tools.params;
  for (uint32_t other = params[param].namesake; other < params.size(); ++other) {
    if (params[other].namesake != params[param].namesake || params[other].list) continue;
    if (params[other].kind != ParamKind::flag) finder.work().taken[other] = 1;
  }
}

void add_mention(const Finder& finder, uint32_t param, std::string_view json, uint32_t begin, uint32_t end) {
  const size_t value = finder.work().values.size();
  finder.work().values.append(json);
  write_mention(finder, param, value, begin, end);
}

std::span<const Mention> mentioned(const Toolset& tools, const MentionContext& context, Scratch& scratch) {
  const Finder finder{tools.state(), context, scratch.state()};
  MentionWork& work = finder.work();
  work.mentions.clear();
  work.values.clear();
  if (tools.n_params() == 0) return work.mentions;
  scratch.state().know_words();
  prepare_scores(finder);
  find_candidates(finder);
  find_replacements(finder);
  score_pairs(finder);
  while (assign_round(finder)) {
  }
  follow_lists(finder);
  write_given(finder);
  find_flags(finder);
  find_answer(finder);
  size_t at = 0;
  for (Mention& mention : work.mentions) {
    mention.value = std::string_view(work.values).substr(at, mention.value.size());
    at += mention.value.size();
  }
  std::sort(work.mentions.begin(), work.mentions.end(), [](const Mention& a, const Mention& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.param < b.param;
  });
  return work.mentions;
}

}  // namespace wend::recognise
