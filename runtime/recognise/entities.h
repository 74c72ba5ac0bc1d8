// Entities: the places of a message that name a value by their form: dates, times, numbers, ids...
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/recognise/lexicon.h"
#include "runtime/recognise/recognise.h"
#include "runtime/recognise/tokens.h"

namespace wend::recognise {

inline constexpr size_t kMaxEntities = 64;

enum class EntityKind : uint8_t { quoted, email, url, datetime, date, time, money, percent, phone, id, number, name };

struct Entity {
  EntityKind kind = EntityKind::number;
  bool open_time = false;       // neither am nor pm is said
  bool whole = false;           // of numbers: an integer
  bool digits = false;          // of ids: digits alone
  uint32_t begin = 0, end = 0;  // tokens
  std::string_view said;        // the value as said
  double number = 0;
  int32_t minutes = 0;  // of times: since midnight
  Date date;            // of dates: year 0 if it is not determined
};

// A message with what the lexicon says about its words, or a part of one that is read as if it were all.
struct Reading {
  const Tokens& tokens;
  std::span<const Word> words;
  std::optional<Date> today;
  uint32_t first = 0, last = UINT32_MAX;  // the part: tokens [first, last)

  uint32_t size() const { return std::min(tokens.size(), last); }
  bool has(size_t i, uint64_t senses) const { return i < size() && recognise::has(words[i], senses); }
  bool glued(size_t i) const { return i != first && i < size() && tokens.glued(i); }
  bool sign(size_t i, char c) const { return i < size() && tokens.sign(i, c); }
  bool is(size_t i, std::string_view word) const { return i < size() && tokens.is(i, word); }
};

// Fills `found` from left to right.
void find_entities(const Reading& reading, std::vector<Entity>& found);

// ---- Each kind at token `i`: the token behind it, or i if there is none --------------------------------------------

uint32_t match_time(const Reading& reading, uint32_t i, Entity& entity);     // times.cpp
uint32_t match_date(const Reading& reading, uint32_t i, Entity& entity);     // dates.cpp
uint32_t match_number(const Reading& reading, uint32_t i, Entity& entity);   // numbers.cpp
uint32_t match_money(const Reading& reading, uint32_t i, Entity& entity);    // numbers.cpp
uint32_t match_percent(const Reading& reading, uint32_t i, Entity& entity);  // numbers.cpp
uint32_t match_phone(const Reading& reading, uint32_t i, Entity& entity);    // forms.cpp
uint32_t match_form(const Reading& reading, uint32_t i, Entity& entity);     // forms.cpp: quoted, email, url, datetime
uint32_t match_id(const Reading& reading, uint32_t i, Entity& entity);       // forms.cpp
uint32_t match_name(const Reading& reading, uint32_t i, Entity& entity);     // forms.cpp

// Where the longest run of words that may be a name ends that begins at token `i`; i if there is none.
uint32_t name_end(const Reading& reading, uint32_t i);

// The minutes since midnight of a text that is one time, from end to end.
std::optional<int32_t> clock_of(std::string_view text, Scratch::State& scratch);

// The value of at most 9 ASCII digits.
int32_t digits_value(std::string_view digits);
bool real_day(int year, int month, int day);

}  // namespace wend::recognise
