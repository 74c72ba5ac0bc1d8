// resolved: what "the second one", "that order" or "the cheapest" stand for.
#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/names.h"
#include "runtime/recognise/returns.h"
#include "runtime/recognise/scratch.h"

namespace wend::recognise {
namespace {

using Event = JsonScanner::Event;

constexpr int kMaxOption = 20;

// ---- Objects
// ------------------------------------------------------------------------------------------------------------

class Objects {
 public:
  Objects(std::span<const ObjectView> all, ReferenceWork& work)
      : all_(all.size() > kObjectsRead ? all.subspan(all.size() - kObjectsRead) : all), work_(work) {
    newest_list_ = all_.size();
  }

  // The items of the newest list, empty if there is none; at most 64.
  std::span<const std::string_view> items() {
    if (!looked_) {
      looked_ = true;
      for (size_t i = all_.size(); i-- > 0;) {
        if (!is_list(i) || work_.items.empty()) continue;  // an empty one has nothing to choose from
        newest_list_ = i;
        return work_.items;
      }
      work_.items.clear();
    }
    return work_.items;
  }
  // Is a word (its stem) of the type of the newest list?
  bool names_item(uint64_t stem) { return !items().empty() && has_type(newest_list_, stem); }
  // The value of the newest object if `stem` is none, else of the newest one of this type; empty for lists.
  std::string_view newest(uint64_t stem = 0) {
    for (size_t i = all_.size(); i-- > 0;) {
      if (stem != 0 && !has_type(i, stem)) continue;
      const bool list = is_list(i);
      looked_ = false;  // the items may be of another object now
      if (!list) return object_value(i);
      if (stem == 0) return {};
    }
    return {};
  }
  std::string_view arguments() const { return all_.empty() ? std::string_view() : all_.back().arguments; }

 private:
  // Is a word (its stem) of the object's type?
  bool has_type(size_t i, uint64_t stem) {
    if (!types_known_) {
      for (size_t k = 0; k < all_.size(); ++k) types_[k] = name_keys(all_[k].type);
      types_known_ = true;
    }
    return has_key(types_[i], stem);
  }
  bool is_list(size_t i) { return all_[i].result.size() <= kMaxReadAgain && list_items(all_[i].result, work_.items); }
  std::string_view object_value(size_t i) {
    const std::string_view result = all_[i].result;
    if (result.size() > kMaxReadAgain) return {};
    JsonScanner scanner(result);
    for (;;) {
      const Event event = scanner.next();
      if (event == Event::done) return value_of(result);
      if (event == Event::broken) break;
    }
    if (!bare_id(result)) return {};
    std::string& text = work_.texts;
    const size_t at = text.size();
    if (text.size() + result.size() + 2 > text.capacity()) return {};
    text.push_back('"');
    for (const char c : result) {
      if (static_cast<unsigned char>(c) > 0x20) text.push_back(c);
    }
    text.push_back('"');
    return std::string_view(text).substr(at);
  }

  std::span<const ObjectView> all_;
  ReferenceWork& work_;
  bool looked_ = false, types_known_ = false;
  size_t newest_list_;
  std::array<NameKeys, kObjectsRead> types_;  // words of the objects' types
};

// ---- Comparisons
// --------------------------------------------------------------------------------------------------------

struct Scale {
  std::string_view words;  // attributes that it may be about
  bool least;
  bool dated;  // compares texts of ISO form too
};
constexpr std::string_view kTimes = "time date departure start", kPrices = "price cost fare fee amount rate total";
constexpr Scale kScales[kNComparisons] = {
    {kPrices, true, false},                // cheaper
    {kPrices, false, false},               // more expensive
    {kTimes, true, true},                  // earlier
    {kTimes, false, true},                 // later
    {"duration length", true, false},      // shorter
    {"duration length", false, false},     // longer
    {"distance", true, false},             // nearer
    {"rating score star", false, false},   // best rated
    {"size capacity area", true, false},   // smaller
    {"size capacity area", false, false},  // larger
    {"date created year", false, true},    // newer
    {"date created year", true, true},     // older
};

bool about(const NameKeys& name, std::string_view words) {
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    if (has_key(name, stem_key(words.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

// What an item is compared by: a number, or a text of ISO form.
struct Measure {
  bool known = false;
  double number = 0;
  std::string_view text;
};

bool digit(char c) { return c >= '0' && c <= '9'; }

Measure measure_of(std::string_view json, bool dated) {
  Measure measure;
  std::string_view text = json;
  if (string_text(json, text)) {
    const bool iso = dated && text.size() >= 5 && digit(text[0]) && (text[2] == ':' || text[4] == '-');
    if (iso) return {true, 0, text};
    size_t skip = 0;  // a currency sign
    while (skip < text.size() && skip < 4 && !digit(text[skip]) && text[skip] != '-') ++skip;
    text.remove_prefix(skip);
  }
  const auto read = std::from_chars(text.data(), text.data() + text.size(), measure.number);
  measure.known = read.ec == std::errc();
  return measure;
}

Measure measure_item(std::string_view item, const Scale& scale) {
  JsonScanner scanner(item);
  if (scanner.next() != Event::begin_object) return {};
  bool wanted = false;
  for (;;) {
    const Event event = scanner.next();
    if (event == Event::broken || event == Event::done) return {};
    if (scanner.depth() != 1) continue;
    if (event == Event::key) wanted = about(name_keys(scanner.text()), scale.words);
    if (event != Event::scalar || !wanted) continue;
    const Measure measure = measure_of(scanner.text(), scale.dated);
    if (measure.known) return measure;
  }
}

// -1, 0, 1; 2 if they cannot be compared.
int compare(const Measure& a, const Measure& b) {
  if (a.text.size() != b.text.size()) return 2;
  if (!a.text.empty()) {
    const int order = a.text.compare(b.text);
    return order < 0 ? -1 : order > 0;
  }
  return a.number < b.number ? -1 : a.number > b.number;
}

std::string_view extreme(std::span<const std::string_view> items, const Scale& scale) {
  size_t best = 0;
  Measure best_measure;
  bool alone = true;
  for (size_t i = 0; i < items.size(); ++i) {
    const Measure measure = measure_item(items[i], scale);
    if (!measure.known) return {};
    const int order = i == 0 ? -1 : compare(measure, best_measure);
    if (order == 2) return {};
    if (order == 0) alone = false;
    if (i == 0 || (scale.least ? order < 0 : order > 0)) {
      best = i;
      best_measure = measure;
      alone = true;
    }
  }
  return items.size() > 1 && alone ? value_of(items[best]) : std::string_view();
}

// ---- Phrases
// --------------------------------------------------------------------------------------------------------------

class Resolver {
 public:
  Resolver(std::span<const ObjectView> objects, Scratch::State& state)
      : tokens_(state.tokens), words_(state.words), work_(state.referred), objects_(objects, work_) {}

  void read() {
    for (uint32_t i = 0; i < tokens_.size();) {
      const uint32_t end = phrase(i);
      i = end > i ? end : i + 1;
    }
  }

 private:
  bool is(uint32_t i, std::string_view word) const { return tokens_.is(i, word); }
  bool has(uint32_t i, uint64_t senses) const { return i < tokens_.size() && recognise::has(words_[i], senses); }

  // Notes what tokens [begin, end) stand for, if it is known; a `the` in front belongs to them.
  uint32_t refer(uint32_t begin, uint32_t end, std::string_view value) {
    if (value.empty()) return begin;
    const uint32_t first = begin > 0 && is(begin - 1, "the") ? begin - 1 : begin;
    const Reference reference{tokens_.said(first, end), value};
    for (const Reference& other : work_.references) {
      if (other.phrase == reference.phrase) return end;
    }
    work_.references.push_back(reference);
    return end;
  }

  // One, option, choice..., or a word of the list's type.
  bool item_noun(uint32_t i) {
    return i < tokens_.size() && tokens_[i].is_word() && (has(i, kItemNoun) || objects_.names_item(tokens_[i].stem));
  }

  std::string_view item(int32_t number) {
    const auto items = objects_.items();
    if (number < 0) return items.empty() ? std::string_view() : value_of(items.back());
    return number >= 1 && static_cast<size_t>(number) <= items.size() ? value_of(items[number - 1u])
                                                                      : std::string_view();
  }

  // All items as a list.
  std::string_view all_items(size_t exactly) {
    const auto items = objects_.items();
    if (items.size() < 2 || (exactly != 0 && items.size() != exactly)) return {};
    std::string& text = work_.texts;
    const size_t at = text.size();
    text.push_back('[');
    for (std::string_view one : items) {
      const std::string_view value = value_of(one);
      if (value.empty() || text.size() + value.size() + 2 > text.capacity()) {
        text.resize(at);
        return {};
      }
      if (text.size() > at + 1) text.push_back(',');
      text.append(value);
    }
    text.push_back(']');
    return std::string_view(text).substr(at);
  }

  uint32_t phrase(uint32_t i) {
    const Token& token = tokens_[i];
    if (!token.is_word()) return token.sign == '#' ? numbered(i) : i;
    if (token.kind == TokenKind::word && !has(i, kOrdinal | kComparison | kReferenceLead)) return i;
    if (has(i, kOrdinal)) return ordinal(i);
    if (has(i, kComparison)) return comparison(i, i + 1, words_[i].value);
    if (token.kind == TokenKind::character_word) return chinese(i);
    if (is(i, "option") || is(i, "number")) return numbered(i);
    if (is(i, "least") && is(i + 1, "expensive")) return comparison(i, i + 2, kCheaper);
    if (is(i, "most") && is(i + 1, "expensive")) return comparison(i, i + 2, kDearer);
    if ((is(i, "highest") || is(i, "best")) && is(i + 1, "rated")) return comparison(i, i + 2, kRated);
    if (is(i, "that") || is(i, "this")) return pointing(i, i + 1);
    if (is(i, "same")) return same(i);
    if (is(i, "it")) return i > 0 && has(i - 1, kTakesIt) ? refer(i, i + 1, objects_.newest()) : i;
    if (is(i, "both")) return refer(i, is(i + 1, "of") && is(i + 2, "them") ? i + 3 : i + 1, all_items(2));
    if (is(i, "all") && is(i + 1, "of") && (is(i + 2, "them") || is(i + 2, "those"))) {
      return refer(i, i + 3, all_items(0));
    }
    return i;
  }

  uint32_t ordinal(uint32_t i) { return item_noun(i + 1) ? refer(i, i + 2, item(words_[i].value)) : i; }

  uint32_t comparison(uint32_t i, uint32_t end, int32_t which) {
    if (i == 0 || !is(i - 1, "the")) return i;
    const auto items = objects_.items();
    if (items.empty()) return i;
    const std::string_view value = extreme(items, kScales[which]);
    return refer(i, item_noun(end) ? end + 1 : end, value);
  }

  // option 2, number two, #2
  uint32_t numbered(uint32_t i) {
    const uint32_t at = i + 1;
    if (at >= tokens_.size() || (tokens_.sign(i, '#') && !tokens_[at].glued)) return i;
    int32_t number = 0;
    if (tokens_[at].digits && tokens_[at].fold_size <= 2) {
      number = digits_value(tokens_.folded(at));
    } else if (has(at, kUnit) && tokens_[i].is_word()) {
      number = words_[at].value;
    }
    return number >= 1 && number <= kMaxOption ? refer(i, at + 1, item(number)) : i;
  }

  // that one, this order
  uint32_t pointing(uint32_t i, uint32_t noun) {
    if (noun >= tokens_.size() || !tokens_[noun].is_word()) return i;
    if (is(noun, "one")) return refer(i, noun + 1, objects_.newest());
    return refer(i, noun + 1, objects_.newest(tokens_[noun].stem));
  }

  uint32_t same(uint32_t i) {
    if (is(i + 1, "as") && is(i + 2, "before")) return refer(i, i + 3, objects_.arguments());
    if (is(i + 1, "as") && is(i + 2, "last") && is(i + 3, "time")) return refer(i, i + 4, objects_.arguments());
    return i > 0 && is(i - 1, "the") && !is(i + 1, "one") ? pointing(i, i + 1) : i;
  }

  uint32_t chinese(uint32_t i) {
    if (is(i, "第") && is(i + 2, "个")) {
      constexpr std::string_view kDigits[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九", "十"};
      for (int32_t number = 1; number <= 10; ++number) {
        if (is(i + 1, kDigits[number - 1])) return refer(i, i + 3, item(number));
      }
    }
    if (is(i, "最") && is(i + 1, "后") && is(i + 2, "一") && is(i + 3, "个")) return refer(i, i + 4, item(-1));
    if (is(i, "最") && is(i + 1, "便") && is(i + 2, "宜") && is(i + 3, "的")) {
      const auto items = objects_.items();
      return items.empty() ? i : refer(i, i + 4, extreme(items, kScales[kCheaper]));
    }
    return i;
  }

  const Tokens& tokens_;
  const std::vector<Word>& words_;
  ReferenceWork& work_;
  Objects objects_;
};

}  // namespace

std::span<const Reference> resolved(std::span<const ObjectView> objects, Scratch& scratch) {
  ReferenceWork& work = scratch.state().referred;
  work.references.clear();
  work.texts.clear();
  work.texts.reserve(kMaxReferenceTexts);  // values are views of it: it must not move
  if (objects.empty()) return work.references;
  scratch.state().know_words();
  Resolver(objects, scratch.state()).read();
  return work.references;
}

}  // namespace wend::recognise
