// What a Scratch keeps: the message as tokens, and the working memory of each step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/recognise/entities.h"
#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/recognise.h"
#include "runtime/recognise/tokens.h"
#include "runtime/recognise/toolset.h"

namespace wend::recognise {

struct CueMatches {
  struct Progress {
    uint32_t parts = 0, sentence = 0, end = 0;
  };
  std::vector<Progress> progress;  // by phrase
  std::vector<double> sums;        // by label
};

// A place of the message that may give a value to a parameter (mentions.cpp).
struct Candidate {
  enum Kind : uint8_t { entity, choice, seen };
  Kind kind = entity;
  EntityKind entity_kind = EntityKind::number;
  bool rejected = false, settled = false;
  uint32_t begin = 0, end = 0;  // tokens
  uint32_t source = 0;          // entity number; node of choices; seen entry
  uint32_t old = kNone;         // candidate whose value it replaces
};
struct Pair {
  uint32_t candidate, param;
  int32_t total;
  uint32_t choice;  // of the parameter; of a seen value: its entry
};
struct Given {
  uint32_t candidate, param, choice;
};

struct MentionWork {
  std::vector<Candidate> candidates;
  std::vector<Pair> pairs;
  std::vector<Given> given;
  std::vector<uint8_t> near_name, is_touched;     // by parameter
  std::vector<uint32_t> touched;                  // parameters with one of these
  std::vector<uint8_t> taken, asked, tool_score;  // by parameter, parameter, tool
  std::vector<uint32_t> slot;                     // by parameter: number in context.slots or kNone
  std::vector<const WordHints*> hints, met;       // by token; each once
  std::vector<uint32_t> claims, rivals;           // numbers of pairs
  std::vector<Mention> mentions;
  std::string values, compared, other;
};

struct ReturnWork {
  std::vector<Leaf> leaves;
  std::string type, id, word;
};

inline constexpr size_t kMaxReferenceTexts = 16 * 1024;
struct ReferenceWork {
  std::vector<std::string_view> items;
  std::vector<Reference> references;
  std::string texts;  // values that stand nowhere as they are
};

// What the lexicon says about each token.
void know_words(const Tokens& tokens, std::vector<Word>& words);

struct Scratch::State {
  Tokens tokens, other;
  std::vector<Word> words, other_words;  // of the lexicon, by token
  bool words_known = false;
  std::vector<Entity> entities;
  CueMatches cues;
  MentionWork mention;
  ReturnWork returned;
  ReferenceWork referred;
  std::vector<Missing> missing;

  void read(std::string_view text) {
    tokens.read(text);
    words_known = false;
  }
  void know_words();
};

}  // namespace wend::recognise
