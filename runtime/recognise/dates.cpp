// Dates.
#include "runtime/recognise/entities.h"
#include "runtime/recognise/scratch.h"

namespace wend::recognise {
namespace {

constexpr int kLeapYear = 2000;  // has all the days that there are

// Days since 1 March of year 0 (proleptic Gregorian), and back.
int64_t day_number(Date date) {
  const int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const int64_t month = date.month <= 2 ? date.month + 9 : date.month - 3;
  return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + date.day - 1;
}

int days_in(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

Date plus_days(Date date, int days) {
  date.day += days;
  while (date.day > days_in(date.year, date.month)) {
    date.day -= days_in(date.year, date.month);
    if (++date.month > 12) {
      date.month = 1;
      ++date.year;
    }
  }
  while (date.day < 1) {
    if (--date.month < 1) {
      date.month = 12;
      --date.year;
    }
    date.day += days_in(date.year, date.month);
  }
  return date;
}

// 0: Monday.
int weekday(Date date) { return static_cast<int>((day_number(date) + 2) % 7); }

int32_t digits_at(const Reading& reading, uint32_t i, size_t least, size_t most) {
  if (i >= reading.size() || !reading.tokens[i].digits) return -1;
  const size_t size = reading.tokens[i].fold_size;
  return size < least || size > most ? -1 : digits_value(reading.tokens.folded(i));
}

bool joined(const Reading& reading, uint32_t i, char sign) {
  return reading.sign(i, sign) && reading.glued(i) && reading.glued(i + 1);
}

// Something glued behind goes on: it was no date.
bool cut_off(const Reading& reading, uint32_t end) {
  if (!reading.glued(end)) return false;
  if (reading.tokens[end].is_word()) return true;
  const uint8_t sign = reading.tokens[end].sign;
  return (sign == '/' || sign == '-' || sign == '.') && reading.glued(end + 1) && reading.tokens[end + 1].digits;
}

bool goes_on(const Reading& reading, uint32_t i) {
  if (!reading.glued(i) || i == 0) return false;
  const uint8_t sign = reading.tokens[i - 1].sign;
  return sign == '.' || sign == ',' || sign == ':' || sign == '/' || sign == '-' || reading.tokens[i - 1].is_word();
}

// 2024-05-12, 5/12/2024, 12.5.2024, 5/12
uint32_t match_digits(const Reading& reading, uint32_t i, Entity& entity) {
  if (digits_at(reading, i, 1, 4) < 0 || goes_on(reading, i)) return i;
  const char sign = joined(reading, i + 1, '/') ? '/' : joined(reading, i + 1, '-') ? '-' : '.';
  if (!joined(reading, i + 1, sign)) return i;
  const int32_t second = digits_at(reading, i + 2, 1, 2);
  if (second < 1) return i;
  if (!joined(reading, i + 3, sign)) {
    const int32_t first = digits_at(reading, i, 1, 2);
    const bool some_order = first >= 1 && (real_day(kLeapYear, first, second) || real_day(kLeapYear, second, first));
    return sign == '/' && some_order && !cut_off(reading, i + 3) ? i + 3 : i;
  }
  const uint32_t end = i + 5;
  if (cut_off(reading, end)) return i;
  if (const int32_t year = digits_at(reading, i, 4, 4); year >= 0 && sign != '.') {
    const int32_t day = digits_at(reading, i + 4, 1, 2);
    if (!real_day(year, second, day)) return i;
    entity.date = {year, second, day};
    return end;
  }
  const int32_t first = digits_at(reading, i, 1, 2), year = digits_at(reading, i + 4, 4, 4);
  if (first < 1 || year < 0) return i;
  const bool month_first = real_day(year, first, second), day_first = real_day(year, second, first);
  if (!month_first && !day_first) return i;
  if (sign == '.') {
    if (!day_first) return i;
    entity.date = {year, second, first};
  } else if (first == second || !day_first) {
    entity.date = {year, first, second};
  } else if (!month_first) {
    entity.date = {year, second, first};
  }
  return end;
}

struct Day {
  int32_t value = 0;  // 0: none
  bool suffixed = false;
};

// 3, 3rd
Day day_at(const Reading& reading, uint32_t i) {
  const int32_t plain = digits_at(reading, i, 1, 2);
  if (plain >= 0) return plain >= 1 && plain <= 31 ? Day{plain, false} : Day{};
  if (i >= reading.size() || !reading.tokens[i].ascii) return {};
  const std::string_view word = reading.tokens.folded(i);
  if (word.size() < 3 || word.size() > 4) return {};
  const std::string_view suffix = word.substr(word.size() - 2), digits = word.substr(0, word.size() - 2);
  if (suffix != "st" && suffix != "nd" && suffix != "rd" && suffix != "th") return {};
  for (const char c : digits) {
    if (c < '0' || c > '9') return {};
  }
  const int32_t value = digits_value(digits);
  return value >= 1 && value <= 31 ? Day{value, true} : Day{};
}

// may and march are other words too: then the date has to show in another way.
bool doubtful(const Reading& reading, uint32_t month) {
  const bool other_word = reading.is(month, "may") || reading.is(month, "march") || reading.is(month, "mar");
  return other_word && !reading.tokens[month].upper;
}

// The month is at `month`, the day known; `end` is behind both.
uint32_t finish_named(const Reading& reading, uint32_t begin, uint32_t month, Day day, uint32_t end, Entity& entity) {
  const int32_t number = reading.words[month].value;
  uint32_t at = end;
  if (reading.sign(at, ',')) ++at;
  const int32_t year = digits_at(reading, at, 4, 4);
  if (year >= 1) {
    if (!real_day(year, number, day.value)) return begin;
    entity.date = {year, number, day.value};
    return at + 1;
  }
  if (!real_day(kLeapYear, number, day.value)) return begin;
  if (doubtful(reading, month) && !day.suffixed) return begin;
  if (reading.today) {
    Date date{reading.today->year, number, day.value};
    if (day_number(date) < day_number(*reading.today)) ++date.year;
    if (real_day(date.year, number, day.value)) entity.date = date;
  }
  return end;
}

// March 3rd, Mar. 3, 2024; 3 March, 3rd of March
uint32_t match_named(const Reading& reading, uint32_t i, Entity& entity) {
  if (reading.has(i, kMonth)) {
    uint32_t at = i + 1;
    if (reading.has(i, kShortMonth) && reading.sign(at, '.') && reading.glued(at)) ++at;
    if (reading.is(at, "the")) ++at;
    const Day day = day_at(reading, at);
    const bool time = reading.sign(at + 1, ':') && reading.glued(at + 1);
    return day.value == 0 || time ? i : finish_named(reading, i, i, day, at + 1, entity);
  }
  if (!reading.has(i + 1, kMonth) && !(reading.is(i + 1, "of") && reading.has(i + 2, kMonth))) return i;
  const Day day = day_at(reading, i);
  if (day.value == 0 || goes_on(reading, i)) return i;
  const uint32_t month = reading.is(i + 1, "of") ? i + 2 : i + 1;
  uint32_t end = month + 1;
  if (reading.has(month, kShortMonth) && reading.sign(end, '.') && reading.glued(end) && end + 1 < reading.size())
    ++end;
  return finish_named(reading, i, month, day, end, entity);
}

// Friday, next Friday; Friday, March 3rd
uint32_t match_weekday(const Reading& reading, uint32_t i, Entity& entity) {
  const bool next = reading.is(i, "next");
  const bool led = next || reading.is(i, "this") || reading.is(i, "coming");
  const uint32_t day = led ? i + 1 : i;
  if (!reading.has(day, kWeekday)) return i;
  const uint32_t named = reading.sign(day + 1, ',') ? day + 2 : day + 1;
  if (named < reading.size()) {
    const uint32_t end = match_named(reading, named, entity);
    if (end > named) {
      entity.said = reading.tokens.said(named, end);
      return end;
    }
  }
  const bool week = !led && (reading.is(day + 1, "this") || reading.is(day + 1, "next")) && reading.is(day + 2, "week");
  if (week) return day + 3;
  if (reading.today && !next) {
    const int ahead = (reading.words[day].value - weekday(*reading.today) + 6) % 7 + 1;
    entity.date = plus_days(*reading.today, ahead);
  }
  return day + 1;
}

uint32_t match_relative(const Reading& reading, uint32_t i, Entity& entity) {
  int days = 0;
  uint32_t end = i;
  if (reading.is(i, "day") && reading.is(i + 1, "after") && reading.is(i + 2, "tomorrow")) {
    days = 2;
    end = i + 3;
  } else if (reading.has(i, kRelativeDay)) {
    days = reading.is(i, "tonight") ? 0 : reading.words[i].value;
    end = i + 1;
  }
  if (end > i && reading.today) entity.date = plus_days(*reading.today, days);
  return end;
}

// 3rd of this month; the 3rd or on 3rd, where nothing that could be counted follows
uint32_t match_ordinal(const Reading& reading, uint32_t i, Entity& entity) {
  const uint32_t day = reading.is(i, "the") ? i + 1 : i;
  if (!day_at(reading, day).suffixed) return i;
  const bool this_or_next = reading.is(day + 2, "this") || reading.is(day + 2, "next");
  if (reading.is(day + 1, "of") && this_or_next && reading.is(day + 3, "month")) {
    entity.said = reading.tokens.said(day, day + 4);
    return day + 4;
  }
  if (day == i && (i == 0 || !reading.has(i - 1, kBeforeDay))) return i;
  const bool counted =
      day + 1 < reading.size() && reading.tokens[day + 1].is_word() && !reading.has(day + 1, kBehindDay);
  return counted ? i : day + 1;
}

// ---- What a text that is one date or time means --------------------------------------------------------------------

struct Moment {
  enum Kind : uint8_t { none, date, time };
  Kind kind = none;
  Date day;             // 0: not said
  int32_t minutes = 0;  // since midnight
};

Moment moment_of(const Reading& reading) {
  Moment moment;
  Entity entity;
  if (reading.size() == 0) return moment;
  if (match_date(reading, 0, entity) == reading.size()) {
    moment.day = entity.date;
    const bool numeric = reading.tokens[0].digits && reading.size() > 1 && reading.tokens[1].sign != 0;
    if (moment.day.year == 0 && !numeric) {
      for (uint32_t i = 0; i < reading.size(); ++i) {
        if (reading.is(i, "next")) return moment;
        if (reading.has(i, kMonth)) moment.day.month = reading.words[i].value;
        if (moment.day.day == 0) moment.day.day = day_at(reading, i).value;
      }
    }
    if (moment.day.day != 0) moment.kind = Moment::date;
  } else if (match_time(reading, 0, entity) == reading.size()) {
    moment.kind = Moment::time;
    moment.minutes = entity.minutes;
  }
  return moment;
}

// What mentions give: `YYYY-MM-DD` and `HH:MM`. Read at sight, since nearly all values are so or begin with a letter.
bool read_plain(std::string_view text, Moment& moment) {
  const auto number = [&](size_t at, size_t size, int& value) {
    value = 0;
    for (size_t i = at; i < at + size; ++i) {
      if (text[i] < '0' || text[i] > '9') return false;
      value = 10 * value + (text[i] - '0');
    }
    return true;
  };
  int hour = 0, minute = 0;
  Date& day = moment.day;
  if (is_clock(text) && number(0, 2, hour) && number(3, 2, minute)) {
    moment.kind = Moment::time;
    moment.minutes = 60 * hour + minute;
    return true;
  }
  if (text.size() == 10 && text[4] == '-' && text[7] == '-' && number(0, 4, day.year) && number(5, 2, day.month) &&
      number(8, 2, day.day) && real_day(day.year, day.month, day.day)) {
    moment.kind = Moment::date;
    return true;
  }
  return false;
}

Moment moment_of(std::string_view text, Scratch::State& scratch) {
  constexpr size_t kMaxMoment = 40;  // bytes
  if (text.size() > kMaxMoment) return {};
  if (Moment moment; read_plain(text, moment)) return moment;
  scratch.other.read(text);
  know_words(scratch.other, scratch.other_words);
  return moment_of(Reading{scratch.other, scratch.other_words, std::nullopt});
}

bool agree(int a, int b) { return a == b || a == 0 || b == 0; }

}  // namespace

bool same_moment(std::string_view a, std::string_view b, Scratch& scratch) {
  const Moment one = moment_of(a, scratch.state());
  if (one.kind == Moment::none) return false;
  const Moment other = moment_of(b, scratch.state());
  if (one.kind != other.kind) return false;
  if (one.kind == Moment::time) return one.minutes == other.minutes;
  const Date &x = one.day, &y = other.day;
  return agree(x.year, y.year) && agree(x.month, y.month) && x.day == y.day;
}

std::optional<int32_t> clock_of(std::string_view text, Scratch::State& scratch) {
  const Moment moment = moment_of(text, scratch);
  return moment.kind == Moment::time ? std::optional(moment.minutes) : std::nullopt;
}

bool real_day(int year, int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
}

uint32_t match_date(const Reading& reading, uint32_t i, Entity& entity) {
  entity.kind = EntityKind::date;
  entity.date = {};
  entity.said = {};
  uint32_t end = match_digits(reading, i, entity);
  if (end == i) end = match_named(reading, i, entity);
  if (end == i) end = match_weekday(reading, i, entity);
  if (end == i) end = match_relative(reading, i, entity);
  if (end == i) end = match_ordinal(reading, i, entity);
  if (end > i && entity.said.empty()) entity.said = reading.tokens.said(i, end);
  return end;
}

}  // namespace wend::recognise
