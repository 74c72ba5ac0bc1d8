// Toolset: what recognition knows about the parameters of a pool of tools.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/recognise/recognise.h"
#include "runtime/recognise/tokens.h"
#include "runtime/recognise/trie.h"

namespace wend::recognise {

enum class ParamKind : uint8_t {
  choice,
  flag,
  number,
  none,
  datetime,
  date,
  time,
  email,
  phone,
  url,
  count,
  amount,
  id,
  text
};
inline constexpr size_t kParamKinds = 14;

struct Param {
  std::string name;
  uint32_t tool = 0;
  uint32_t namesake = 0;  // the first parameter of this name
  uint8_t type = WEND_JSON_ANY;
  bool list = false;
  ParamKind kind = ParamKind::text;
  uint8_t roles = 0;                 // Role bits
  std::vector<std::string> choices;  // JSON
  std::vector<double> numbers;       // of the choices; NaN where one is none; empty if all are
  uint32_t yes = 0, no = 0;          // of a flag with choices
  std::vector<std::string> stems;    // of the name, in order
  NameKeys name_keys;                // the last of these
  std::vector<uint64_t> flag_keys;   // of a flag's name: stems that have to be said
  std::vector<uint64_t> asked_keys;  // of the name without common words: stems
  std::vector<uint32_t> asked_with;  // of these: sets of Asked
};

struct Tool {
  std::string name;
  uint32_t first_param = 0, last_param = 0;  // [first, last)
};

// What a word (by its stem) may say.
struct Hint {
  enum Kind : uint8_t { name, group };
  uint32_t param;
  Kind kind;
};
struct WordHints {
  std::vector<Hint> params;
  std::vector<uint32_t> tools;  // in whose names it is, unless it is in more than half of several
  std::vector<uint32_t> flags;  // whose first word it is
};

struct Choice {
  uint32_t param, index;
};
struct ChoiceSet {
  std::vector<Choice> choices;  // that end in this node
  bool weak = false;
};

struct Toolset::State {
  std::vector<Tool> tools;
  std::vector<Param> params;
  std::array<std::vector<uint32_t>, kParamKinds> by_kind;  // parameters, ascending; lists among them
  std::vector<uint32_t> numeric_choices;                   // parameters with choices that are numbers
  KeyMap stems;
  std::vector<WordHints> hints;  // by number in `stems`
  Trie choice_words;
  std::vector<ChoiceSet> choice_ends;  // by node

  // What the word with this stem may say, nullptr if nothing.
  const WordHints* hints_of(uint64_t stem) const {
    const uint32_t found = stems.find(stem);
    return found == KeyMap::kNone ? nullptr : &hints[found];
  }
};

}  // namespace wend::recognise
