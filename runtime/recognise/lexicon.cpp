#include "runtime/recognise/lexicon.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "runtime/recognise/tokens.h"

namespace wend::recognise {
namespace {

struct Line {
  uint64_t sense;
  std::string_view words;  // with one blank between
  int32_t value = 0;       // of the first word
  int32_t step = 0;        // from each word to the next
};

constexpr Line kLines[] = {
    {kUnit,
     "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
     "eighteen nineteen",
     0, 1},
    {kTens, "twenty thirty forty fifty sixty seventy eighty ninety", 20, 10},
    {kScale, "dozen", 12},
    {kScale, "hundred", 100},
    {kScale, "thousand", 1000},
    {kScale, "million", 1000000},
    {kMonth, "january february march april may june july august september october november december", 1, 1},
    {kMonth | kShortMonth, "jan feb mar apr", 1, 1},
    {kMonth | kShortMonth, "jun jul aug sep oct nov dec", 6, 1},
    {kMonth | kShortMonth, "sept", 9},
    {kWeekday, "monday tuesday wednesday thursday friday saturday sunday", 0, 1},
    {kOrdinal | kBeforeOne, "first second third fourth fifth sixth seventh eighth ninth tenth", 1, 1},
    {kOrdinal | kBeforeOne, "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th", 1, 1},
    {kOrdinal | kBeforeOne, "last", -1},
    {kComparison | kBeforeOne, "cheaper cheapest", kCheaper},
    {kComparison | kBeforeOne, "earlier earliest", kEarlier},
    {kComparison | kBeforeOne, "later latest", kLater},
    {kComparison | kBeforeOne, "shorter shortest", kShorter},
    {kComparison | kBeforeOne, "longer longest", kLonger},
    {kComparison | kBeforeOne, "nearer nearest closer closest", kNearer},
    {kComparison | kBeforeOne, "smaller smallest", kSmaller},
    {kComparison | kBeforeOne, "larger largest bigger biggest", kLarger},
    {kComparison | kBeforeOne, "newer newest", kNewer},
    {kComparison | kBeforeOne, "older oldest", kOlder},
    {kMorning, "morning"},
    {kEvening, "afternoon evening night tonight"},
    {kRelativeDay, "yesterday today tomorrow", -1, 1},
    {kRelativeDay, "tonight", 0},
    {kCurrency,
     "dollar dollars usd buck bucks euro euros eur pound pounds gbp yen jpy yuan rmb cny rupee rupees inr krw"},
    {kCommon,
     "a an the of to from for in on at by with and or is are be it its this that these those i you your my me we our "
     "any all none other yes no not true false one new get set use if as do does can will which what who when where "
     "how has have value param parameter should would must e g"},
    {kConjunction, "and or but then"},
    {kFromRole, "from starting beginning since after leaving departing"},
    {kToRole, "to until till through before ending by returning"},
    {kPlaceRole, "in near"},
    {kTitleRole, "called named"},
    {kMakerRole, "by"},
    {kNamePreposition, "in from to at near by called named for around about leave leaving depart departing"},
    {kNameInside, "of de del la the"},
    {kBeforeOne, "the this that which any each every no another"},
    {kFlagFiller, "is has with include want need should enable use allow allowed add"},
    {kNegation, "no not without disable remove cancel exclude"},
    {kAnswerLead, "it s is at in on for to the a an my please i would like want yes sure ok okay thanks"},
    {kAnswerTail, "please thanks thank you"},
    {kNoAnswer, "not no any know"},
    {kTakesIt,
     "cancel return exchange book buy order take delete remove send change update modify reserve get keep check track "
     "ship refund move reschedule play open close share rate review save"},
    {kItemNoun, "one option choice result item entry"},
    {kToolVerb,
     "get find search list create book make cancel update modify fetch lookup check show add set delete remove return "
     "exchange reserve buy retrieve query calculate"},
    {kToolTail, "details info information status list result"},
    {kAsking, "provide tell specify confirm share enter give"},
    {kArticle, "a an"},
    {kTimeWord, "noon midday midnight half quarter"},
    {kDateLead, "this next coming day the"},
    {kBeforeDay, "the on by until till from to before after since"},
    {kBehindDay, "and or but at for in with from to until till through please then if is"},
    {kAskedRole, "from starting beginning leaving departing until till through ending returning"},
    {kAgreeing,
     "yes yeah yep yup sure ok okay correct right fine good great perfect awesome cool nice excellent wonderful "
     "absolutely definitely alright sounds"},
    {kDisagreeing, "no not other another else different t"},
    {kNameLead,
     "sorry hmm well oh ah wait hey hi hello nope no yes yeah yep sure ok okay actually rather instead maybe perhaps "
     "please thanks great good fine right make book find search choose pick select use try take get go fly travel give "
     "show set put play change move switch replace update prefer say want need do to in from at for near by why how "
     "what when where who if and or but so also just only it that this i we you he she they let"},
    {kReferenceLead, "option number least most highest best that this same it both all"},
    {kDenialEnd, "not of than"},
    {kVague,
     "something somewhere someone somebody anything anywhere anyone anybody everything everywhere everyone everybody "
     "nothing nowhere whatever wherever there here later"},
};

struct Entry {
  uint64_t key = 0;
  std::string_view text;
  Word word;
};

// Open addressing over a power of two that leaves most places empty.
class Table {
 public:
  Table() : entries_(kPlaces) {
    for (const Line& line : kLines) {
      int32_t value = line.value;
      for (size_t at = 0; at < line.words.size(); value += line.step) {
        const size_t end = std::min(line.words.find(' ', at), line.words.size());
        add(line.words.substr(at, end - at), line.sense, value, line.value != 0 || line.step != 0);
        at = end + 1;
      }
    }
    for (std::string_view verb :
         {"change", "move", "switch", "update", "modify", "replace", "swap", "reschedule", "correct"}) {
      change_stems_.push_back(stem_key(verb));
      change_bits_ |= uint64_t{1} << bit(change_stems_.back());
    }
  }

  // Is this the stem of a verb that announces a new value?
  bool changes(uint64_t stem) const {
    if ((change_bits_ >> bit(stem) & 1) == 0) return false;
    return std::find(change_stems_.begin(), change_stems_.end(), stem) != change_stems_.end();
  }

  Word find(uint64_t key, std::string_view folded) const {
    for (size_t at = place(key);; at = (at + 1) % kPlaces) {
      const Entry& entry = entries_[at];
      if (entry.text.empty()) return {};
      const bool same = entry.key == key && entry.text.size() == folded.size();
      if (same && (folded.size() <= 8 || entry.text == folded)) return entry.word;  // short keys are the text itself
    }
  }

 private:
  static constexpr size_t kPlaces = 2048;

  static uint64_t bit(uint64_t key) { return key * 0x9E3779B97F4A7C15u >> 58; }
  size_t place(uint64_t key) const { return (key * 0x9E3779B97F4A7C15u >> 40) % kPlaces; }

  void add(std::string_view text, uint64_t senses, int32_t value, bool valued) {
    size_t at = place(word_key(text));
    while (!entries_[at].text.empty() && entries_[at].text != text) at = (at + 1) % kPlaces;
    entries_[at].key = word_key(text);
    entries_[at].text = text;
    entries_[at].word.senses |= senses;
    if (valued) entries_[at].word.value = value;
  }

  std::vector<Entry> entries_;
  std::vector<uint64_t> change_stems_;
  uint64_t change_bits_ = 0;  // by bit(): most words are none of these
};

struct Named {
  std::string_view stems;
  uint8_t value;
};

constexpr uint8_t kPlaceGroup = 5;
constexpr uint32_t group_bit(uint8_t group) { return group == 0 ? 0 : 1u << group; }

constexpr Named kGroups[] = {
    {"people person guest party passenger attendee traveler diner seat ticket rider", 1},
    {"price cost fare fee amount budget", 2},
    {"origin departure leaving source", 3},
    {"destination arrival", 4},
    {"city location place town area", kPlaceGroup},
    {"rating star score", 6},
    {"type kind category sort", 7},
    {"movie film", 8},
    {"phone telephone mobile", 9},
    {"duration length stay day night", 10},
};

constexpr Named kRoles[] = {
    {"start begin from departure origin source pickup checkin after min", kRoleFrom},
    {"end to destination arrival return dropoff checkout until before max target recipient receiver", kRoleTo},
    {"city location place area town country state region neighborhood", kRolePlace},
    {"name title label", kRoleTitle},
    {"artist author director writer", kRoleMaker},
};

template <size_t n>
std::unordered_map<std::string, uint8_t> by_stem(const Named (&lines)[n]) {
  std::unordered_map<std::string, uint8_t> values;
  for (const Named& line : lines) {
    for (size_t at = 0; at < line.stems.size();) {
      const size_t end = std::min(line.stems.find(' ', at), line.stems.size());
      values[stem_of(line.stems.substr(at, end - at))] |= line.value;
      at = end + 1;
    }
  }
  return values;
}

uint8_t value_of(const std::unordered_map<std::string, uint8_t>& values, std::string_view stem) {
  const auto found = values.find(std::string(stem));
  return found == values.end() ? 0 : found->second;
}

}  // namespace

Word lookup(uint64_t key, std::string_view folded, uint64_t stem) {
  static const Table table;
  Word word = table.find(key, folded);
  if (table.changes(stem)) word.senses |= kChange;
  return word;
}

uint8_t group_of(std::string_view stem) {
  static const auto groups = by_stem(kGroups);
  return value_of(groups, stem);
}

std::vector<std::string> stems_of_group(uint8_t group) {
  std::vector<std::string> stems;
  for (const Named& line : kGroups) {
    if (line.value != group) continue;
    for (size_t at = 0; at < line.stems.size();) {
      const size_t end = std::min(line.stems.find(' ', at), line.stems.size());
      stems.push_back(stem_of(line.stems.substr(at, end - at)));
      at = end + 1;
    }
  }
  return stems;
}

uint32_t asked_by(const Word& word, uint64_t stem, std::string_view folded) {
  static const auto groups = [] {
    std::unordered_map<uint64_t, uint32_t> bits;
    for (const auto& [known, group] : by_stem(kGroups)) bits[word_key(known)] = group_bit(group);
    return bits;
  }();
  const auto found = groups.find(stem);
  uint32_t asked = found == groups.end() ? 0 : found->second;
  if (folded == "where") asked |= group_bit(kPlaceGroup);
  if (folded == "when" || folded == "day") asked |= kAskedDate;
  if (folded == "who" || folded == "whom") asked |= kAskedReceiver;
  if (has(word, kAskedRole)) asked |= has(word, kFromRole) ? kAskedFrom : kAskedTo;
  return asked;
}

uint32_t asked_with(std::string_view stem) {
  uint32_t asked = group_bit(group_of(stem));
  const uint8_t roles = roles_of(stem);
  if (roles & kRoleFrom) asked |= kAskedFrom;
  if (roles & kRoleTo) asked |= kAskedTo;
  if (stem == stem_of("date")) asked |= kAskedDate;
  if (stem == stem_of("recipient")) asked |= kAskedReceiver;
  return asked;
}

uint8_t roles_of(std::string_view stem) {
  static const auto roles = by_stem(kRoles);
  return value_of(roles, stem);
}

}  // namespace wend::recognise
