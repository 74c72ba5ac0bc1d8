// Lexicon: the words that recognition itself knows (docs/recognition.md), each with what it may be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wend::recognise {

// What a word may be; a word may be several of these.
enum Sense : uint64_t {
  kUnit = 1ull << 0,        // zero .. nineteen; value
  kTens = 1ull << 1,        // twenty .. ninety; value
  kScale = 1ull << 2,       // hundred, thousand, million, dozen; value
  kMonth = 1ull << 3,       // value 1 .. 12
  kShortMonth = 1ull << 4,  // jan, with kMonth
  kWeekday = 1ull << 5,     // value 0 (Monday) .. 6
  kOrdinal = 1ull << 6,     // first .. tenth, 1st .. 10th; value; last: -1
  kComparison = 1ull << 7,  // cheapest; value: enum Comparison
  kMorning = 1ull << 8,     // makes a time am
  kEvening = 1ull << 9,     // makes a time pm
  kCurrency = 1ull << 10,
  kCommon = 1ull << 11,       // says nothing about a parameter
  kConjunction = 1ull << 12,  // and, or, but, then
  kFromRole = 1ull << 13,
  kToRole = 1ull << 14,
  kPlaceRole = 1ull << 15,
  kTitleRole = 1ull << 16,
  kMakerRole = 1ull << 17,
  kNamePreposition = 1ull << 18,
  kNameInside = 1ull << 19,
  kBeforeOne = 1ull << 20,   // `one` behind it is no number
  kFlagFiller = 1ull << 21,  // says nothing in the name of a flag
  kNegation = 1ull << 22,    // of a flag
  kAnswerLead = 1ull << 23,
  kAnswerTail = 1ull << 24,
  kNoAnswer = 1ull << 25,
  kTakesIt = 1ull << 26,        // a verb whose `it` is a thing
  kItemNoun = 1ull << 27,       // one, option, choice...
  kToolVerb = 1ull << 28,       // leads the name of a tool
  kAsking = 1ull << 29,         // begins a sentence that asks: provide, tell
  kRelativeDay = 1ull << 30,    // value: days from today
  kArticle = 1ull << 31,        // a, an
  kToolTail = 1ull << 32,       // details, info
  kTimeWord = 1ull << 33,       // may begin a time: noon, half
  kDateLead = 1ull << 34,       // may begin a date: next, day, the
  kBeforeDay = 1ull << 35,      // a day of the month may follow
  kBehindDay = 1ull << 36,      // may follow a day of the month
  kAskedRole = 1ull << 37,      // a role word that says in a question what it asks for
  kAgreeing = 1ull << 38,       // begins a message that agrees
  kDisagreeing = 1ull << 39,    // in a message that does not
  kNameLead = 1ull << 40,       // at the beginning of a sentence: not a part of the name behind it
  kVague = 1ull << 41,          // names no value: something
  kReferenceLead = 1ull << 42,  // may begin a reference, besides ordinals and comparisons
  kDenialEnd = 1ull << 43,      // may end what denies: not, instead of, rather than
  kChange = 1ull << 44,         // by its stem: a verb that announces a new value: change, move, switch...
};

enum Comparison : int8_t {
  kCheaper,
  kDearer,
  kEarlier,
  kLater,
  kShorter,
  kLonger,
  kNearer,
  kRated,
  kSmaller,
  kLarger,
  kNewer,
  kOlder,
  kNComparisons
};

struct Word {
  uint64_t senses = 0;
  int32_t value = 0;
};

// What is known about a word (folded, with its key and that of its stem); no senses if nothing is. Without the stem,
// kChange is not looked for.
Word lookup(uint64_t key, std::string_view folded, uint64_t stem = 0);
inline bool has(const Word& word, uint64_t senses) { return (word.senses & senses) != 0; }

// The group of a stem (synonyms, such as the words for persons), from 1; 0: none.
uint8_t group_of(std::string_view stem);
std::vector<std::string> stems_of_group(uint8_t group);

// What the words of a question may ask for, as a set: a bit for each group, and for the words below.
enum Asked : uint32_t { kAskedDate = 1u << 16, kAskedReceiver = 1u << 17, kAskedFrom = 1u << 18, kAskedTo = 1u << 19 };
uint32_t asked_by(const Word& word, uint64_t stem, std::string_view folded);
// What a stem of a parameter's name is asked for with.
uint32_t asked_with(std::string_view stem);

// The roles that a parameter with this stem in its name plays.
enum Role : uint8_t { kRoleFrom = 1, kRoleTo = 2, kRolePlace = 4, kRoleTitle = 8, kRoleMaker = 16 };
uint8_t roles_of(std::string_view stem);

}  // namespace wend::recognise
