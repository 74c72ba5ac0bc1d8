// The steps of `mentioned`: where values may be, which parameter each may belong to, who gets what.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/recognise/entities.h"
#include "runtime/recognise/scratch.h"
#include "runtime/recognise/toolset.h"

namespace wend::recognise {

inline constexpr size_t kMaxCandidates = 192;

struct Finder {
  const Toolset::State& tools;
  const MentionContext& context;
  Scratch::State& scratch;

  const Tokens& tokens() const { return scratch.tokens; }
  MentionWork& work() const { return scratch.mention; }
  Reading reading() const { return {scratch.tokens, scratch.words, context.today}; }
  bool in_scope(uint32_t param) const { return context.tool == kNone || tools.params[param].tool == context.tool; }
  const Entity& entity(const Candidate& candidate) const { return scratch.entities[candidate.source]; }
  const SeenValues::Entry& seen(const Candidate& candidate) const { return context.seen->entry(candidate.source); }
  // The JSON of the value that a parameter has now, empty if it has none.
  std::string_view value_now(uint32_t param) const {
    const uint32_t slot = work().slot[param];
    return slot == kNone ? std::string_view() : context.slots[slot].value;
  }
};

// candidates.cpp: all places, by their begin; those of the same kind that replace each other or are rejected are
// marked.
void find_candidates(const Finder& finder);
bool same_kind(const Finder& finder, const Candidate& a, const Candidate& b);

// replacements.cpp: what is said in place of the text that a parameter has now ("Munich instead of Berlin"). Adds
// mentions and takes their parameters; candidates at these places are out.
void find_replacements(const Finder& finder);

// scoring.cpp
void prepare_scores(const Finder& finder);  // by parameter and tool, from the context and the message
void score_pairs(const Finder& finder);

// values.cpp: appends the JSON that a candidate gives a parameter; false if it does not fit the type.
bool append_value(const Finder& finder, const Candidate& candidate, uint32_t param, uint32_t choice, std::string& out);
// Do two values of JSON read the same, the case of ASCII letters aside?
bool same_text(std::string_view a, std::string_view b);

// mentions.cpp: the parameter, and those of its name, are no longer free; flags are not given candidates.
void take(const Finder& finder, uint32_t param);
// A value at bytes [begin, end) of the message.
void add_mention(const Finder& finder, uint32_t param, std::string_view json, uint32_t begin, uint32_t end);

// answers.cpp: what is said without a place of its own. Both add mentions.
void find_flags(const Finder& finder);
void find_answer(const Finder& finder);

}  // namespace wend::recognise
