// The words of names, and the kinds of parameters that they tell.
#include "runtime/recognise/names.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/tokens.h"

namespace wend::recognise {
namespace {

bool lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool upper(char c) { return c >= 'A' && c <= 'Z'; }

using Words = std::vector<std::string>;

bool one_of(const std::string& word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}
bool any_of(const Words& words, std::initializer_list<std::string_view> all) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return one_of(word, all); });
}
bool stem_among(const std::string& stem, std::initializer_list<std::string_view> all) {
  return std::any_of(all.begin(), all.end(), [&](std::string_view word) { return stem == stem_of(word); });
}

bool counts(const Words& words, const std::string& last) {
  if (words.size() > 1 && one_of(words.front(), {"number", "num", "no", "count", "quantity"})) return true;
  return stem_among(last,
                    {"count",  "quantity", "qty",   "size",   "people",    "guest",  "adult",   "child",   "seat",
                     "ticket", "room",     "night", "day",    "passenger", "person", "bag",     "item",    "duration",
                     "rating", "star",     "age",   "length", "bed",       "bath",   "bedroom", "bathroom"});
}

ParamKind kind_of_name(const Words& words, const Words& stems) {
  if (words.empty()) return ParamKind::text;
  const bool date = any_of(words, {"date", "day", "birthday", "birthdate", "dob", "deadline", "checkin", "checkout"});
  const bool time = any_of(words, {"time", "hour", "clock"});
  if (any_of(words, {"datetime", "timestamp"}) || (date && time)) return ParamKind::datetime;
  if (date) return ParamKind::date;
  if (time) return ParamKind::time;
  if (any_of(words, {"email", "mail"})) return ParamKind::email;
  if (any_of(words, {"phone", "telephone", "mobile", "cell", "fax"})) return ParamKind::phone;
  if (any_of(words, {"url", "link", "website", "uri"})) return ParamKind::url;
  if (counts(words, stems.back())) return ParamKind::count;
  if (any_of(words, {"price", "cost", "amount", "fee", "budget", "fare", "salary", "balance", "total", "rent"})) {
    return ParamKind::amount;
  }
  for (const std::string& stem : stems) {
    if (stem_among(stem, {"id", "code", "number", "no", "reference", "ref", "sku", "isbn", "key", "zip", "zipcode",
                          "postcode"})) {
      return ParamKind::id;
    }
  }
  return ParamKind::text;
}

}  // namespace

std::vector<std::string> name_words(std::string_view name) {
  std::string spread;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (i > 0 && upper(c) && lower(name[i - 1])) spread += ' ';
    spread += c == '_' || c == '-' || c == '.' ? ' ' : c;
  }
  Tokens tokens;
  tokens.read(spread);
  std::vector<std::string> words;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is_word()) words.emplace_back(tokens.folded(i));
  }
  return words;
}

std::vector<std::string> name_stems(std::string_view name) {
  std::vector<std::string> stems = name_words(name);
  for (std::string& word : stems) word = stem_of(word);
  return stems;
}

NameKeys name_keys(std::string_view name) {
  NameKeys found;
  char word[64];
  size_t size = 0;
  auto end_word = [&] {
    if (size == 0) return;
    if (found.size == std::size(found.keys)) {
      std::copy(found.keys + 1, std::end(found.keys), found.keys);
      --found.size;
    }
    found.keys[found.size++] = stem_key({word, size});
    size = 0;
  };
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (i > 0 && upper(c) && lower(name[i - 1])) end_word();
    if (upper(c) || lower(c) || static_cast<unsigned char>(c) >= 0x80) {
      if (size < sizeof word) word[size++] = upper(c) ? static_cast<char>(c + 32) : c;
    } else {
      end_word();
    }
  }
  end_word();
  return found;
}

bool has_key(const NameKeys& name, uint64_t stem) {
  return std::find(name.keys, name.keys + name.size, stem) != name.keys + name.size;
}

bool common(std::string_view word) { return has(lookup(word_key(word), word), kCommon); }

ParamKind kind_of(std::string_view name, uint8_t type, bool has_choices) {
  if (has_choices) return ParamKind::choice;
  if (type == WEND_JSON_BOOL) return ParamKind::flag;
  if (type == WEND_JSON_INT || type == WEND_JSON_REAL) return ParamKind::number;
  if (type == WEND_JSON_OBJECT || type == WEND_JSON_NULL) return ParamKind::none;
  Words words = name_words(name);
  if (type == WEND_JSON_LIST) {  // of its singular
    for (std::string& word : words) {
      if (word.size() > 2 && word.ends_with("s") && !word.ends_with("ss")) word.pop_back();
    }
  }
  Words stems = words;
  for (std::string& word : stems) word = stem_of(word);
  return kind_of_name(words, stems);
}

}  // namespace wend::recognise
