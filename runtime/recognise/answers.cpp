// What is said without a form of its own: flags by their name, and short answers to a question.
#include <algorithm>
#include <initializer_list>

#include "runtime/recognise/mentions.h"

namespace wend::recognise {
namespace {

// ---- Flags ----------------------------------------------------------------------------------------------------------

bool question(const Tokens& tokens, uint32_t i) {
  uint32_t last = i;
  while (last + 1 < tokens.size() && tokens.same_sentence(last + 1, i)) ++last;
  return tokens.sign(last, '?') || tokens.folded(last) == "？" || tokens.folded(last) == "؟";
}

// Where the flag's words, the first of which is at `i`, end; `i` if they do not follow.
uint32_t flag_end(const Tokens& tokens, const Param& param, uint32_t i) {
  uint32_t last = i;
  for (size_t k = 1; k < param.flag_keys.size(); ++k) {
    uint32_t next = last + 1;
    while (next < tokens.size() && tokens[next].stem != param.flag_keys[k]) ++next;
    if (next >= tokens.size() || !tokens.same_sentence(next, i) || tokens.distance(last, next) > 2) return i;
    last = next;
  }
  return last + 1;
}

// The JSON of a flag.
std::string_view truth(const Param& flag, bool value) {
  if (flag.choices.empty()) return value ? "true" : "false";
  return flag.choices[value ? flag.yes : flag.no];
}

bool negated(const Finder& finder, uint32_t i) {
  const Tokens& tokens = finder.tokens();
  uint32_t words = 0;
  for (uint32_t k = i; k-- > 0 && words < 3 && tokens.same_sentence(k, i);) {
    if (!tokens[k].is_word()) continue;
    ++words;
    if (has(finder.scratch.words[k], kNegation)) return true;
    if (tokens.is(k, "t") && k > 1 && tokens.sign(k - 1, '\'') && tokens.is(k - 2, "don")) return true;
  }
  return false;
}

void find_flag(const Finder& finder, uint32_t i, const std::vector<uint32_t>& flags) {
  const Tokens& tokens = finder.tokens();
  MentionWork& work = finder.work();
  if (question(tokens, i)) return;
  uint32_t best = kNone, end = i;
  int best_score = -1;
  bool alone = true;
  for (uint32_t param : flags) {
    if (!finder.in_scope(param) || work.taken[param]) continue;
    const uint32_t stop = flag_end(tokens, finder.tools.params[param], i);
    if (stop == i) continue;
    work.taken[param] = 1;  // it is said here, whoever gets it
    const int score = finder.context.tool == kNone ? work.tool_score[finder.tools.params[param].tool] : 0;
    if (score == best_score) alone = alone && finder.tools.params[param].namesake == finder.tools.params[best].namesake;
    if (score <= best_score) continue;
    best = param;
    best_score = score;
    end = stop;
    alone = true;
  }
  if (best == kNone || !alone) return;
  add_mention(finder, best, truth(finder.tools.params[best], !negated(finder, i)), tokens[i].begin,
              tokens[end - 1].end);
}

// ---- Answers
// ----------------------------------------------------------------------------------------------------------

// The one parameter that was asked for; of several of one name the first.
uint32_t only_asked(const Finder& finder) {
  const std::vector<Param>& params = finder.tools.params;
  uint32_t asked = kNone;
  for (uint32_t param : finder.context.asked) {
    if (param >= params.size() || !finder.in_scope(param)) continue;
    if (asked != kNone && params[param].namesake != params[asked].namesake) return kNone;
    asked = std::min(asked, param);
  }
  return asked;
}

void answer_flag(const Finder& finder, uint32_t param) {
  const Tokens& tokens = finder.tokens();
  const bool yes = tokens.is(0, "yes") || tokens.is(0, "yeah") || tokens.is(0, "yep") || tokens.is(0, "sure");
  const bool no = tokens.is(0, "no") || tokens.is(0, "nope");
  if (yes || no) add_mention(finder, param, truth(finder.tools.params[param], yes), tokens[0].begin, tokens[0].end);
}

void answer_text(const Finder& finder, uint32_t param) {
  const Tokens& tokens = finder.tokens();
  const std::vector<Word>& words = finder.scratch.words;
  uint32_t first = 0, last = tokens.size();
  while (first < last && (!tokens[first].is_word() || has(words[first], kAnswerLead))) ++first;
  while (last > first && (!tokens[last - 1].is_word() || has(words[last - 1], kAnswerTail))) --last;
  uint32_t count = 0;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (!tokens.same_sentence(i, 0) || has(words[i], kNoAnswer)) return;
    count += i >= first && i < last && tokens[i].is_word();
  }
  if (count == 0 || count > 6 || question(tokens, 0)) return;
  const std::string_view said = tokens.said(first, last);
  if (said.find_first_of("\"\\") != std::string_view::npos) return;
  for (const char c : said) {
    if (static_cast<unsigned char>(c) < 0x20) return;
  }
  std::string& value = finder.work().compared;
  value.assign(1, '"').append(said).push_back('"');
  add_mention(finder, param, value, tokens[first].begin, tokens[last - 1].end);
}

bool agreement_at(const Tokens& tokens, const Word& first) {
  if (has(first, kAgreeing)) return true;
  auto follows = [&](std::initializer_list<std::string_view> words) {
    uint32_t at = 0;
    for (std::string_view word : words) {
      if (!tokens.is(at, word) && !(word == "'" && tokens.sign(at, '\''))) return false;
      if (word == "'" && !(tokens.glued(at) && tokens.glued(at + 1))) return false;
      ++at;
    }
    return true;
  };
  return follows({"all", "right"}) || follows({"of", "course"}) || follows({"that", "sounds"}) ||
         follows({"that", "works"}) || follows({"that", "will", "work"}) || follows({"that", "'", "ll", "work"}) ||
         follows({"that", "'", "s"}) || follows({"that", "is"}) || follows({"this", "is"}) || follows({"it", "is"}) ||
         follows({"it", "'", "s"}) || follows({"i", "like"});
}

}  // namespace

bool agrees(Scratch& scratch) {
  Scratch::State& state = scratch.state();
  state.know_words();
  if (state.words.empty()) return false;
  for (const Word& word : state.words) {
    if (has(word, kDisagreeing)) return false;
  }
  return agreement_at(state.tokens, state.words[0]);
}

void find_flags(const Finder& finder) {
  const Tokens& tokens = finder.tokens();
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    const WordHints* hints = finder.work().hints[i];
    if (hints && !hints->flags.empty()) find_flag(finder, i, hints->flags);
  }
}

void find_answer(const Finder& finder) {
  if (!finder.work().mentions.empty() || finder.tokens().size() == 0) return;
  const uint32_t param = only_asked(finder);
  if (param == kNone) return;
  const Param& known = finder.tools.params[param];
  if (known.kind == ParamKind::flag) answer_flag(finder, param);
  const bool text = known.type == WEND_JSON_TEXT || known.type == WEND_JSON_ANY;
  if (text && (known.kind == ParamKind::text || known.kind == ParamKind::id)) answer_text(finder, param);
}

}  // namespace wend::recognise
