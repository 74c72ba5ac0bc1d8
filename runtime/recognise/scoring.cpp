// How well each candidate fits each parameter: A = B + N + R + Q + S (docs/recognition.md, Which parameter).
#include <algorithm>

#include "runtime/recognise/mentions.h"

namespace wend::recognise {
namespace {

constexpr int kEnough = 3;

// Where words beside a candidate count: tokens [first, begin) and [end, last).
struct Window {
  uint32_t first, last;
};

Window window_of(const Finder& finder, const Candidate& candidate) {
  const Tokens& tokens = finder.tokens();
  Window window{0, tokens.size()};
  for (const Candidate& other : finder.work().candidates) {
    if (other.end <= candidate.begin) {
      if (other.end > window.first && same_kind(finder, other, candidate)) window.first = other.end;
    } else if (other.begin >= candidate.end && other.kind == Candidate::entity) {
      window.last = std::min(window.last, other.begin);
    }
  }
  return window;
}

// Something beside the form of the candidate speaks for the parameter.
void touch(MentionWork& work, uint32_t param) {
  if (param >= work.is_touched.size() || work.is_touched[param]) return;
  work.is_touched[param] = 1;
  work.touched.push_back(param);
}

void note(MentionWork& work, uint32_t param, int strength) {
  if (strength <= 0) return;
  touch(work, param);
  work.near_name[param] = std::max(work.near_name[param], static_cast<uint8_t>(strength));
}

void note_word(const Finder& finder, uint32_t i, uint32_t distance, bool before) {
  const WordHints* hints = finder.tokens()[i].is_word() ? finder.work().hints[i] : nullptr;
  if (!hints) return;
  constexpr int kBefore[] = {4, 4, 3, 3, 2, 2, 2}, kBehind[] = {4, 2, 0, 0, 0, 0, 0};
  const int name = before ? kBefore[distance] : kBehind[distance];
  for (const Hint& hint : hints->params) {
    if (!finder.in_scope(hint.param)) continue;
    note(finder.work(), hint.param, name - (hint.kind == Hint::group ? 1 : 0));
  }
}

void note_words(const Finder& finder, const Candidate& candidate) {
  const Tokens& tokens = finder.tokens();
  const Window window = window_of(finder, candidate);
  uint32_t distance = 0;
  for (uint32_t i = candidate.begin; i-- > window.first && tokens.same_sentence(i, candidate.begin);) {
    if (!tokens[i].is_word()) continue;
    if (distance > 6) break;
    note_word(finder, i, distance++, true);
  }
  distance = 0;
  for (uint32_t i = candidate.end; i < window.last && distance <= 3; ++i) {
    if (!tokens[i].is_word() || !tokens.same_sentence(i, candidate.end - 1)) break;
    if (has(finder.scratch.words[i], kConjunction)) break;
    note_word(finder, i, distance++, false);
  }
}

bool change_announced(const Finder& finder, uint32_t i) {
  const Tokens& tokens = finder.tokens();
  for (uint32_t k = i; k-- > 0 && tokens.same_sentence(k, i);) {
    if (has(finder.scratch.words[k], kChange)) return true;
  }
  return false;
}

// The senses of the role word right before a candidate.
uint64_t role_senses(const Finder& finder, const Candidate& candidate) {
  if (candidate.begin == 0) return 0;
  const uint32_t i = candidate.begin - 1;
  if (!finder.tokens()[i].is_word() || !finder.tokens().same_sentence(i, candidate.begin)) return 0;
  constexpr uint64_t kRoles = kFromRole | kToRole | kPlaceRole | kTitleRole | kMakerRole;
  const uint64_t senses = finder.scratch.words[i].senses & kRoles;
  const bool directs = (senses & (kFromRole | kToRole)) != 0;
  return directs && change_announced(finder, i) ? 0 : senses;
}

int role_score(uint64_t senses, uint8_t roles) {
  const bool from = (senses & kFromRole) != 0, to = (senses & kToRole) != 0;
  if ((from && (roles & kRoleFrom)) || (to && (roles & kRoleTo))) return 3;
  if (((senses & kPlaceRole) && (roles & kRolePlace)) || ((senses & kTitleRole) && (roles & kRoleTitle)) ||
      ((senses & kMakerRole) && (roles & kRoleMaker))) {
    return 3;
  }
  return (from && (roles & kRoleTo)) || (to && (roles & kRoleFrom)) ? -3 : 0;
}

// Is the value that the candidate replaces the one that the parameter has now?
bool replaces_value(const Finder& finder, const Candidate& candidate, uint32_t param) {
  const std::string_view now = finder.value_now(param);
  if (candidate.old == kNone || now.empty()) return false;
  const Candidate& old = finder.work().candidates[candidate.old];
  std::string& text = finder.work().compared;
  if (old.kind == Candidate::choice) {
    for (const Choice& choice : finder.tools.choice_ends[old.source].choices) {
      if (choice.param == param && same_text(finder.tools.params[param].choices[choice.index], now)) return true;
    }
    return false;
  }
  text.clear();
  const uint32_t choice = old.kind == Candidate::seen ? old.source : 0;
  return append_value(finder, old, param, choice, text) && same_text(text, now);
}

class Scorer {
 public:
  Scorer(const Finder& finder, uint32_t candidate)
      : finder_(finder),
        number_(candidate),
        candidate_(finder.work().candidates[candidate]),
        senses_(role_senses(finder, candidate_)) {
    note_words(finder, candidate_);
    MentionWork& work = finder.work();
    for (uint32_t param : finder.context.asked) touch(work, param);
    for (const KnownSlot& slot : finder.context.slots) touch(work, slot.param);
    std::sort(work.touched.begin(), work.touched.end());
  }
  ~Scorer() {
    MentionWork& work = finder_.work();
    for (uint32_t param : work.touched) {
      work.near_name[param] = 0;
      work.is_touched[param] = 0;
    }
    work.touched.clear();
  }
  Scorer(const Scorer&) = delete;
  Scorer& operator=(const Scorer&) = delete;

  void add(uint32_t param, int base, uint32_t choice = 0, bool fits = false) {
    if (!finder_.in_scope(param)) return;
    MentionWork& work = finder_.work();
    const Param& known = finder_.tools.params[param];
    int score = base + work.near_name[param] + role_score(senses_, known.roles);
    if (work.asked[param]) score += 4;
    if (replaces_value(finder_, candidate_, param)) {
      score += 6;
    } else if (finder_.context.tool != kNone && work.slot[param] != kNone) {
      score += 3;
    }
    if (score < kEnough) return;
    work.compared.clear();
    if (!fits && !append_value(finder_, candidate_, param, choice, work.compared)) return;
    const int tool = finder_.context.tool == kNone ? work.tool_score[known.tool] : 0;
    work.pairs.push_back({number_, param, 4 * score + tool, choice});
  }
  // A value that was seen in several attributes counts for a parameter once, as well as it can.
  void add_seen(uint32_t param, int base, uint32_t entry) {
    MentionWork& work = finder_.work();
    const size_t end = work.pairs.size();
    add(param, base, entry);
    if (work.pairs.size() == end) return;
    for (size_t i = end; i-- > 0 && work.pairs[i].candidate == number_;) {
      if (work.pairs[i].param != param) continue;
      if (work.pairs[end].total > work.pairs[i].total) work.pairs[i] = work.pairs[end];
      work.pairs.pop_back();
      return;
    }
  }
  // A number may be one of the choices.
  void add_choices() {
    for (uint32_t param : finder_.tools.numeric_choices) add(param, 0);
  }
  // Texts of every kind fit, numbers may not.
  void add_all(ParamKind kind, int base) {
    const bool fits = kind != ParamKind::number && kind != ParamKind::count && kind != ParamKind::amount;
    const auto& params = finder_.tools.by_kind[static_cast<size_t>(kind)];
    if (base >= kEnough || senses_ != 0 || params.size() <= finder_.work().touched.size()) {
      for (uint32_t param : params) add(param, base, 0, fits);
      return;
    }
    for (uint32_t param : finder_.work().touched) {  // the others have nothing else to speak for them
      if (finder_.tools.params[param].kind == kind) add(param, base, 0, fits);
    }
  }

 private:
  const Finder& finder_;
  uint32_t number_;
  const Candidate& candidate_;
  uint64_t senses_;
};

void score_id(Scorer& scorer, const Entity& entity) {
  scorer.add_all(ParamKind::id, 2);
  scorer.add_all(ParamKind::text, 0);
  if (!entity.digits) return;
  scorer.add_all(ParamKind::number, 0);
  if (entity.said.size() >= 7 && entity.said.size() <= 15) scorer.add_all(ParamKind::phone, 0);
}

void score_number(Scorer& scorer, const Entity& entity) {
  scorer.add_all(ParamKind::number, 0);
  scorer.add_all(ParamKind::count, 0);
  scorer.add_all(ParamKind::amount, 0);
  if (entity.digits) scorer.add_all(ParamKind::id, 0);
  scorer.add_choices();
}

void score_entity(Scorer& scorer, const Entity& entity) {
  switch (entity.kind) {
    case EntityKind::quoted:
      scorer.add_all(ParamKind::text, 2);
      scorer.add_all(ParamKind::id, 2);
      break;
    case EntityKind::email:
      scorer.add_all(ParamKind::email, 3);
      break;
    case EntityKind::url:
      scorer.add_all(ParamKind::url, 3);
      break;
    case EntityKind::datetime:
      scorer.add_all(ParamKind::datetime, 3);
      scorer.add_all(ParamKind::date, 3);
      scorer.add_all(ParamKind::time, 3);
      break;
    case EntityKind::date:
      scorer.add_all(ParamKind::datetime, 3);
      scorer.add_all(ParamKind::date, 3);
      break;
    case EntityKind::time:
      scorer.add_all(ParamKind::datetime, 3);
      scorer.add_all(ParamKind::time, 3);
      break;
    case EntityKind::money:
      scorer.add_all(ParamKind::amount, 3);
      scorer.add_all(ParamKind::number, 2);
      break;
    case EntityKind::percent:
      scorer.add_all(ParamKind::number, 0);
      break;
    case EntityKind::phone:
      scorer.add_all(ParamKind::phone, 3);
      break;
    case EntityKind::id:
      score_id(scorer, entity);
      break;
    case EntityKind::number:
      score_number(scorer, entity);
      break;
    case EntityKind::name:
      scorer.add_all(ParamKind::text, 0);
      break;
  }
}

void score_choice(Scorer& scorer, const ChoiceSet& set) {
  for (const Choice& choice : set.choices) scorer.add(choice.param, set.weak ? 0 : 3, choice.index);
}

// Of the parameters whose name ends as the attribute's does, or the other way round.
void score_seen(const Finder& finder, Scorer& scorer, uint32_t number) {
  const SeenValues::Entry& entry = finder.context.seen->entry(number);
  for (uint32_t param = 0; param < finder.tools.params.size(); ++param) {
    const Param& known = finder.tools.params[param];
    if (known.kind == ParamKind::flag || known.kind == ParamKind::none || known.kind == ParamKind::choice) continue;
    const size_t shared = std::min<size_t>(known.name_keys.size, entry.name.size);
    if (shared == 0) continue;
    const uint64_t* ours = known.name_keys.keys + known.name_keys.size - shared;
    const uint64_t* theirs = entry.name.keys + entry.name.size - shared;
    if (!std::equal(ours, ours + shared, theirs)) continue;
    scorer.add_seen(param, known.name_keys.size == entry.name.size ? 4 : 3, number);
  }
}

}  // namespace

void prepare_scores(const Finder& finder) {
  MentionWork& work = finder.work();
  const size_t params = finder.tools.params.size(), tools = finder.tools.tools.size();
  work.near_name.assign(params, 0);
  work.is_touched.assign(params, 0);
  work.taken.assign(params, 0);
  work.asked.assign(params, 0);
  work.slot.assign(params, kNone);
  work.tool_score.assign(tools, 0);
  work.touched.clear();
  work.pairs.clear();
  work.given.clear();
  const Tokens& tokens = finder.tokens();
  work.hints.assign(tokens.size(), nullptr);
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is_word()) work.hints[i] = finder.tools.hints_of(tokens[i].stem);
  }
  work.met.clear();
  for (const WordHints* hints : work.hints) {  // each word of the tools once
    if (!hints || hints->tools.empty()) continue;
    if (std::find(work.met.begin(), work.met.end(), hints) != work.met.end()) continue;
    work.met.push_back(hints);
    for (uint32_t tool : hints->tools) work.tool_score[tool] = std::min<uint8_t>(work.tool_score[tool] + 2, 6);
  }
  for (uint32_t param : finder.context.asked) {
    if (param < params) work.asked[param] = 1;
  }
  for (uint32_t i = 0; i < finder.context.slots.size(); ++i) {
    const uint32_t param = finder.context.slots[i].param;
    if (param >= params) continue;
    work.slot[param] = i;
    work.tool_score[finder.tools.params[param].tool] |= 1;
  }
}

void score_pairs(const Finder& finder) {
  const std::vector<Candidate>& all = finder.work().candidates;
  for (uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].rejected) continue;
    Scorer scorer(finder, i);
    switch (all[i].kind) {
      case Candidate::entity:
        score_entity(scorer, finder.entity(all[i]));
        break;
      case Candidate::choice:
        score_choice(scorer, finder.tools.choice_ends[all[i].source]);
        break;
      case Candidate::seen: {  // those at one place, of several attributes, are one
        uint32_t last = i;
        while (last + 1 < all.size() && all[last + 1].kind == Candidate::seen && all[last + 1].begin == all[i].begin)
          ++last;
        for (uint32_t k = i; k <= last; ++k) score_seen(finder, scorer, all[k].source);
        i = last;
        break;
      }
    }
  }
}

}  // namespace wend::recognise
