// read_reply: does a reply ask for something, and for which parameters?
#include <algorithm>

#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/mentions.h"
#include "runtime/recognise/scratch.h"

namespace wend::recognise {
namespace {

struct Sentence {
  uint32_t begin, end;  // tokens
};

bool at(const Tokens& tokens, uint32_t i, uint32_t end, std::string_view phrase) {
  while (!phrase.empty()) {
    const size_t size = std::min(phrase.find(' '), phrase.size());
    if (i >= end || tokens.folded(i) != phrase.substr(0, size)) return false;
    phrase.remove_prefix(std::min(size + 1, phrase.size()));
    ++i;
  }
  return true;
}

bool has_phrase(const Tokens& tokens, Sentence sentence, std::initializer_list<std::string_view> phrases) {
  for (uint32_t i = sentence.begin; i < sentence.end; ++i) {
    for (std::string_view phrase : phrases) {
      if (at(tokens, i, sentence.end, phrase)) return true;
    }
  }
  return false;
}

bool question_mark(const Tokens& tokens, uint32_t i) {
  if (tokens[i].is_word()) return false;
  const std::string_view mark = tokens.folded(i);
  return mark == "?" || mark == "？" || mark == "؟" || mark == "\u037E";
}

// "Please provide your order number."
bool demands(const Scratch::State& scratch, Sentence sentence) {
  const Tokens& tokens = scratch.tokens;
  uint32_t first = sentence.begin;
  while (first < sentence.end && (!tokens[first].is_word() || tokens.is(first, "please"))) ++first;
  if (first < sentence.end && has(scratch.words[first], kAsking)) return true;
  for (uint32_t i = sentence.begin; i + 1 < sentence.end; ++i) {
    if (tokens.is(i, "please") && has(scratch.words[i + 1], kAsking)) return true;
  }
  return has_phrase(tokens, sentence,
                    {"could you", "can you", "would you", "let me know", "may i have", "may i know", "i need your",
                     "i ' ll need", "i will need"});
}

bool asks(const Scratch::State& scratch, Sentence sentence) {
  const Tokens& tokens = scratch.tokens;
  if (has_phrase(tokens, sentence, {"anything else", "something else", "further assistance"})) return false;
  return question_mark(tokens, sentence.end - 1) || demands(scratch, sentence);
}

class MissingFinder {
 public:
  MissingFinder(const Finder& finder, std::vector<Missing>& found) : finder_(finder), found_(found) {
    tool_ = finder.context.tool == kNone ? likely_tool() : finder.context.tool;
  }

  void read(Sentence sentence) {
    asked_ = 0;
    for (uint32_t i = sentence.begin; i < sentence.end; ++i) {
      if (!finder_.tokens()[i].is_word()) continue;
      asked_ |= asked_by(finder_.scratch.words[i], finder_.tokens()[i].stem, finder_.tokens().folded(i));
    }
    if (tool_ != kNone) {
      if (tool_ < finder_.tools.tools.size()) read_tool(sentence, tool_);
      return;
    }
    for (uint32_t tool = 0; tool < finder_.tools.tools.size(); ++tool) read_tool(sentence, tool);
  }

 private:
  // The one with the greatest score, if there is just one such.
  uint32_t likely_tool() const {
    const auto& scores = finder_.work().tool_score;
    const auto best = std::max_element(scores.begin(), scores.end());
    if (best == scores.end() || *best == 0 || std::count(scores.begin(), scores.end(), *best) > 1) return kNone;
    return static_cast<uint32_t>(best - scores.begin());
  }

  // Does the sentence have the k-th word of the parameter's name, or ask for it in another way?
  bool said(Sentence sentence, const Param& param, size_t k) const {
    if ((asked_ & param.asked_with[k]) != 0) return true;
    for (uint32_t i = sentence.begin; i < sentence.end; ++i) {
      if (finder_.tokens()[i].is_word() && finder_.tokens()[i].stem == param.asked_keys[k]) return true;
    }
    return false;
  }
  bool open(uint32_t param) const { return finder_.work().slot[param] == kNone; }

  // Is it the only parameter of its tool without a value whose name ends with this stem?
  bool only_one(uint32_t param, uint64_t stem) const {
    const Tool& tool = finder_.tools.tools[finder_.tools.params[param].tool];
    for (uint32_t other = tool.first_param; other < tool.last_param; ++other) {
      const auto& keys = finder_.tools.params[other].asked_keys;
      if (other != param && open(other) && !keys.empty() && keys.back() == stem) return false;
    }
    return true;
  }

  void read_tool(Sentence sentence, uint32_t number) {
    const Tool& tool = finder_.tools.tools[number];
    for (uint32_t param = tool.first_param; param < tool.last_param; ++param) {
      const Param& known = finder_.tools.params[param];
      const auto& keys = known.asked_keys;
      if (keys.empty() || !open(param)) continue;
      size_t found = 0;
      while (found < keys.size() && said(sentence, known, found)) ++found;
      const bool all = found == keys.size();
      if (all || (said(sentence, known, keys.size() - 1) && only_one(param, keys.back()))) add(param);
    }
  }

  void add(uint32_t param) {
    for (Missing& other : found_) {
      if (other.param == param) return;
      if (tool_ == kNone && finder_.tools.params[other.param].name == finder_.tools.params[param].name) {
        other.tool_known = false;
        return;
      }
    }
    found_.push_back({param, true});
  }

  const Finder& finder_;
  std::vector<Missing>& found_;
  uint32_t tool_ = kNone;
  uint32_t asked_ = 0;  // a set of Asked: what the words of the sentence ask for
};

}  // namespace

ReplyInfo read_reply(std::string_view text, const Toolset& tools, const MentionContext& context, Scratch& scratch) {
  scratch.read(text);
  Scratch::State& state = scratch.state();
  state.know_words();
  state.missing.clear();
  const Tokens& tokens = state.tokens;
  const Finder finder{tools.state(), context, state};
  prepare_scores(finder);
  MissingFinder missing(finder, state.missing);
  ReplyInfo info;
  for (uint32_t begin = 0; begin < tokens.size();) {
    Sentence sentence{begin, begin + 1};
    while (sentence.end < tokens.size() && tokens.same_sentence(begin, sentence.end)) ++sentence.end;
    if (asks(state, sentence)) {
      info.asks = true;
      missing.read(sentence);
    }
    begin = sentence.end;
  }
  info.missing = state.missing;
  return info;
}

}  // namespace wend::recognise
