// "Munich instead of Berlin": a text said in place of the one that a parameter has now (docs/recognition.md,
// Replacements).
#include <algorithm>

#include "runtime/recognise/mentions.h"

namespace wend::recognise {
namespace {

constexpr uint32_t kMaxWords = 6;

struct Run {
  uint32_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

// The parameter whose value is said at `value`.
struct Old {
  uint32_t param = kNone;
  Run value;
};

// Does a sign join token `i` to the one before it?
bool sign_before(const Tokens& tokens, uint32_t i) { return i > 0 && tokens.glued(i) && !tokens[i - 1].is_word(); }

// Does `not`, `instead of` or `rather than` end before token `i`? Its first token, kNone if not.
uint32_t denial_before(const Tokens& tokens, uint32_t i) {
  if (i > 0 && !tokens.same_sentence(i - 1, i)) return kNone;
  if (i > 0 && tokens.is(i - 1, "not")) return i - 1;
  if (i < 2 || !tokens.same_sentence(i - 2, i)) return kNone;
  const bool phrase = (tokens.is(i - 2, "instead") && tokens.is(i - 1, "of")) ||
                      (tokens.is(i - 2, "rather") && tokens.is(i - 1, "than"));
  return phrase ? i - 2 : kNone;
}

// `change Y`, and `change the destination from Y` for a parameter destination.
bool change_before(const Finder& finder, uint32_t i, uint32_t param) {
  const Tokens& tokens = finder.tokens();
  if (i == 0 || !tokens.same_sentence(i - 1, i)) return false;
  if (has(finder.scratch.words[i - 1], kChange)) return true;
  if (!tokens.is(i - 1, "from")) return false;
  bool named = false;
  for (uint32_t k = i - 1; k-- > 0 && i - k <= 5 && tokens[k].is_word() && tokens.same_sentence(k, i);) {
    if (has(finder.scratch.words[k], kChange)) return named;
    const WordHints* hints = finder.work().hints[k];
    if (!hints) continue;
    named |= std::any_of(hints->params.begin(), hints->params.end(), [&](const Hint& h) { return h.param == param; });
  }
  return false;
}

// Where the text that the parameter has now ends, said at token `i`; i if it is not said there.
uint32_t old_end(const Finder& finder, uint32_t param, uint32_t i) {
  constexpr size_t kMin = 2, kMax = 64;  // bytes
  const Param& known = finder.tools.params[param];
  const bool text = known.type == WEND_JSON_TEXT || known.type == WEND_JSON_ANY;
  if (known.kind != ParamKind::text || known.list || !text) return i;
  std::string_view json = finder.value_now(param);
  if (json.size() < kMin + 2 || json.size() > kMax + 2 || json.front() != '"') return i;
  json = json.substr(1, json.size() - 2);
  if (json.find('\\') != std::string_view::npos) return i;
  const Tokens& tokens = finder.tokens();
  Tokens& value = finder.scratch.other;
  value.read(json);
  if (value.size() == 0 || i + value.size() > tokens.size()) return i;
  const uint32_t end = i + value.size();
  for (uint32_t k = i; k < end; ++k) {
    if (tokens.folded(k) != value.folded(k - i) || (k > i && tokens[k].glued != value[k - i].glued)) return i;
  }
  return tokens.same_sentence(i, end - 1) && !tokens.cuts_number(i, end) ? end : i;
}

// Whose value is said at token `i`: the longest, of equal ones that of the tool that the message speaks of, if all of
// these have one name.
Old old_at(const Finder& finder, uint32_t i, bool denied) {
  Old best;
  int best_score = -1;
  bool alone = true;
  const std::vector<Param>& params = finder.tools.params;
  for (uint32_t param = 0; param < params.size(); ++param) {
    if (finder.work().slot[param] == kNone || !finder.in_scope(param)) continue;
    const uint32_t end = old_end(finder, param, i);
    if (end == i || (!denied && !change_before(finder, i, param))) continue;
    const int score = finder.context.tool == kNone ? finder.work().tool_score[params[param].tool] : 0;
    if (best.param != kNone && (end < best.value.end || (end == best.value.end && score < best_score))) continue;
    if (best.param != kNone && end == best.value.end && score == best_score) {
      alone = alone && params[param].namesake == params[best.param].namesake;
      continue;
    }
    best = {param, {i, end}};
    best_score = score;
    alone = true;
  }
  return alone ? best : Old{};
}

// ---- The new value ------------------------------------------------------------------------------------------------

// May the word be part of a value that is no name?
bool plain(const Finder& finder, uint32_t i) {
  constexpr uint64_t kNoValue = kCommon | kConjunction | kDisagreeing | kComparison | kVague;
  return finder.tokens()[i].is_word() && !has(finder.scratch.words[i], kNoValue);
}

// Do words end before token `i` that say that a new value follows?
bool lead_before(const Finder& finder, uint32_t i) {
  const Tokens& tokens = finder.tokens();
  if (i == 0 || !tokens.same_sentence(i - 1, i)) return false;
  if (tokens.is(i - 1, "actually")) return true;
  if (i < 2 || !tokens.same_sentence(i - 2, i)) return false;
  if (tokens.is(i - 1, "it") || tokens.is(i - 1, "that")) return tokens.is(i - 2, "make");
  for (const char* verb : {"mean", "meant", "want", "prefer", "said"}) {
    if (tokens.is(i - 1, verb)) return tokens.is(i - 2, "i");
  }
  const bool it = tokens.is(i - 2, "it") || tokens.is(i - 2, "that");
  return it && tokens.is(i - 1, "to") && i > 2 && tokens.same_sentence(i - 3, i) &&
         has(finder.scratch.words[i - 3], kChange);
}

// No longer than a value, nothing vague in it, and no entity that a text does not take.
Run checked(const Finder& finder, Run run) {
  const Tokens& tokens = finder.tokens();
  if (run.empty()) return {};
  uint32_t words = 0, common = 0;
  for (uint32_t i = run.begin; i < run.end; ++i) {
    if (has(finder.scratch.words[i], kVague | kDisagreeing)) return {};
    words += tokens[i].is_word();
    common += has(finder.scratch.words[i], kCommon);
  }
  if (words == common || words > kMaxWords) return {};
  for (const char c : tokens.said(run.begin, run.end)) {
    if (static_cast<unsigned char>(c) < 0x20) return {};
  }
  for (const Entity& entity : finder.scratch.entities) {
    const bool text =
        entity.kind == EntityKind::name || entity.kind == EntityKind::id || entity.kind == EntityKind::quoted;
    if (!text && entity.begin < run.end && run.begin < entity.end) return {};
  }
  return run;
}

// The new value that begins at token `at`.
Run run_from(const Finder& finder, uint32_t at) {
  const Tokens& tokens = finder.tokens();
  const Reading reading = finder.reading();
  if (at >= tokens.size() || !tokens.same_sentence(at - 1, at)) return {};
  const bool inner = at + 1 < tokens.size() && tokens.is(at, "the") && tokens.same_sentence(at, at + 1);
  const uint32_t first = inner ? at + 1 : at;
  uint32_t end = name_end(reading, first);
  if (end > first) {
    if (sign_before(tokens, end + 1) && tokens.glued(end)) return {};
    const bool more = (tokens.is(end, "and") || tokens.is(end, "or")) && name_end(reading, end + 1) > end + 1;
    return more ? Run{} : checked(finder, {first, end});
  }
  end = at;
  while (end < tokens.size() && end - at <= kMaxWords && tokens.same_sentence(at, end) && plain(finder, end) &&
         !has(finder.scratch.words[end], kAnswerTail)) {
    ++end;
  }
  if (sign_before(tokens, end + 1) && tokens.glued(end)) return {};
  const bool inside = end < tokens.size() && tokens.same_sentence(at, end);
  if (inside && tokens[end].is_word() && !has(finder.scratch.words[end], kAnswerTail)) return {};
  return checked(finder, {at, end});
}

// The new value that ends before token `end`.
Run run_to(const Finder& finder, uint32_t end) {
  const Tokens& tokens = finder.tokens();
  const Reading reading = finder.reading();
  uint32_t begin = end;
  for (uint32_t i = end; i-- > 0 && tokens.same_sentence(i, end) && tokens.distance(i, end) <= kMaxWords;) {
    if (name_end(reading, i) == end) begin = i;
  }
  if (begin < end) {
    const bool leads = begin == 0 || !tokens.same_sentence(begin - 1, begin) || !tokens[begin - 1].is_word();
    while (leads && begin < end && reading.has(begin, kNameLead)) ++begin;
    if (begin == end || sign_before(tokens, begin)) return {};
    const bool cut = begin > 0 && tokens.same_sentence(begin - 1, begin) && !tokens.is(begin - 1, "the") &&
                     (reading.has(begin - 1, kNameInside) || tokens.is(begin - 1, "and") || tokens.is(begin - 1, "or"));
    return cut ? Run{} : checked(finder, {begin, end});
  }
  while (begin > 0 && end - begin <= kMaxWords && tokens.same_sentence(begin - 1, end) && plain(finder, begin - 1)) {
    if (begin < end && lead_before(finder, begin)) break;
    --begin;
  }
  return begin < end && lead_before(finder, begin) ? checked(finder, {begin, end}) : Run{};
}

// Behind `not Y`, `instead of Y`: `but X`, `, make it X`; or X before it.
Run instead_of(const Finder& finder, uint32_t cue, uint32_t end) {
  const Tokens& tokens = finder.tokens();
  const bool simple = tokens.is(cue, "not");
  uint32_t at = end;
  const bool comma = tokens.sign(at, ',');
  if (comma) ++at;
  if (tokens.is(at, "but")) {
    ++at;
    while (finder.reading().has(at, kNamePreposition) || tokens.is(at, "rather")) ++at;
    return run_from(finder, at);
  }
  if (comma && !simple) {
    uint32_t lead = at;
    for (uint32_t k = at; k < tokens.size() && k <= at + 4 && tokens.same_sentence(k, at); ++k) {
      if (k > at && lead_before(finder, k)) lead = k;
    }
    const Run run = run_from(finder, lead);
    if (!run.empty()) return run;
  }
  if (cue > 0 && tokens.sign(cue - 1, ',')) return cue > 1 ? run_to(finder, cue - 1) : Run{};
  return simple ? Run{} : run_to(finder, cue);
}

void exclude(const Finder& finder, Run run) {
  for (Candidate& candidate : finder.work().candidates) {
    if (candidate.begin < run.end && run.begin < candidate.end) candidate.rejected = candidate.settled = true;
  }
}

}  // namespace

void find_replacements(const Finder& finder) {
  const Tokens& tokens = finder.tokens();
  if (finder.context.slots.empty()) return;
  for (uint32_t i = 1; i < tokens.size(); ++i) {
    const Word& before = finder.scratch.words[i - 1];
    if (!has(before, kDenialEnd | kFromRole | kChange)) continue;
    const uint32_t cue = denial_before(tokens, i);
    if (cue == kNone && !tokens.is(i - 1, "from") && !has(before, kChange)) continue;
    const Old old = old_at(finder, i, cue != kNone);
    if (old.param == kNone || finder.work().taken[old.param]) continue;
    const uint32_t end = old.value.end;
    Run run;
    if (cue != kNone) {
      run = instead_of(finder, cue, end);
    } else if (tokens.is(end, "to") || tokens.is(end, "into") || tokens.is(end, "with") || tokens.is(end, "for") ||
               tokens.is(end, "by")) {
      run = run_from(finder, end + 1);
    }
    if (run.empty()) continue;
    exclude(finder, old.value);
    exclude(finder, run);
    take(finder, old.param);
    std::string& value = finder.work().compared;
    value.assign(1, '"').append(tokens.said(run.begin, run.end)).push_back('"');
    add_mention(finder, old.param, value, tokens[run.begin].begin, tokens[run.end - 1].end);
  }
}

}  // namespace wend::recognise
