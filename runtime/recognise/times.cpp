// Times of day.
#include "runtime/recognise/entities.h"

namespace wend::recognise {
namespace {

enum class Half : uint8_t { unknown, am, pm };

// A token of 1 or 2 digits, which am or pm may follow glued.
struct Field {
  int32_t value = -1;
  size_t digits = 0;
  Half half = Half::unknown;
};

Field field_of(const Tokens& tokens, uint32_t i) {
  if (i >= tokens.size() || !tokens[i].ascii) return {};
  std::string_view word = tokens.folded(i);
  Field field;
  if (word.ends_with("am")) field.half = Half::am;
  if (word.ends_with("pm")) field.half = Half::pm;
  if (field.half != Half::unknown) word.remove_suffix(2);
  if (word.empty() || word.size() > 2) return {};
  for (const char c : word) {
    if (c < '0' || c > '9') return {};
  }
  field.value = digits_value(word);
  field.digits = word.size();
  return field;
}

// am, pm, a.m. or p.m. at `i`: moves behind it.
Half take_half(const Reading& reading, uint32_t& i) {
  if (reading.is(i, "am") || reading.is(i, "pm")) return reading.is(i++, "am") ? Half::am : Half::pm;
  const bool am = reading.is(i, "a"), pm = reading.is(i, "p");
  if (!(am || pm) || !reading.sign(i + 1, '.') || !reading.glued(i + 1)) return Half::unknown;
  if (!reading.is(i + 2, "m") || !reading.glued(i + 2)) return Half::unknown;
  i += 3;
  if (reading.sign(i, '.') && reading.glued(i)) ++i;
  return am ? Half::am : Half::pm;
}

Half said_half(const Reading& reading, uint32_t i) {
  return reading.has(i, kMorning) ? Half::am : reading.has(i, kEvening) ? Half::pm : Half::unknown;
}

// morning, evening... right before the time or among the 3 words behind it.
Half part_of_day(const Reading& reading, uint32_t begin, uint32_t end) {
  if (begin > 0 && reading.tokens.same_sentence(begin - 1, begin)) {
    const Half half = said_half(reading, begin - 1);
    if (half != Half::unknown) return half;
  }
  for (uint32_t i = end; i < end + 3 && i < reading.size() && reading.tokens.same_sentence(begin, i); ++i) {
    if (reading.tokens[i].kind != TokenKind::word) break;
    const Half half = said_half(reading, i);
    if (half != Half::unknown) return half;
  }
  return Half::unknown;
}

// 7 in the morning, 9 at night
bool names_part_of_day(const Reading& reading, uint32_t i) {
  if (reading.is(i, "in") && reading.is(i + 1, "the")) return said_half(reading, i + 2) != Half::unknown;
  return reading.is(i, "at") && reading.is(i + 1, "night");
}

bool oclock(const Reading& reading, uint32_t i) {
  return reading.is(i, "o") && reading.sign(i + 1, '\'') && reading.is(i + 2, "clock");
}

void set_time(Entity& entity, int32_t hour, int32_t minute, Half half, bool padded) {
  if (half == Half::am && hour == 12) hour = 0;
  if (half == Half::pm && hour < 12) hour += 12;
  entity.kind = EntityKind::time;
  entity.minutes = hour * 60 + minute;
  entity.open_time = half == Half::unknown && hour >= 1 && hour <= 11 && !padded;
}

// An hour in digits or in a word up to twelve; -1 if there is none.
int32_t spoken_hour(const Reading& reading, uint32_t i, Half& half) {
  const Field field = field_of(reading.tokens, i);
  half = field.half;
  if (field.value >= 0) return field.value <= 23 ? field.value : -1;
  if (!reading.has(i, kUnit)) return -1;
  const int32_t value = reading.words[i].value;
  return value >= 1 && value <= 12 ? value : -1;
}

// half past 7, quarter to seven: an hour less, also across noon
uint32_t match_spoken(const Reading& reading, uint32_t i, Entity& entity) {
  const bool half_hour = reading.is(i, "half"), quarter = reading.is(i, "quarter");
  const bool past = reading.is(i + 1, "past"), to = reading.is(i + 1, "to");
  if (!((half_hour && past) || (quarter && (past || to)))) return i;
  Half half;
  const int32_t hour = spoken_hour(reading, i + 2, half);
  if (hour < 0) return i;
  uint32_t end = i + 3;
  if (half == Half::unknown) half = take_half(reading, end);
  if (half == Half::unknown) half = part_of_day(reading, i, end);
  const int32_t minute = half_hour ? 30 : to ? 45 : 15;
  set_time(entity, to ? (hour + 10) % 12 + 1 : hour, minute, half, false);
  return end;
}

uint32_t match_hour_word(const Reading& reading, uint32_t i, Entity& entity) {
  if (!reading.has(i, kUnit) || !(oclock(reading, i + 1) || names_part_of_day(reading, i + 1))) return i;
  Half half;
  const int32_t hour = spoken_hour(reading, i, half);
  if (hour < 0) return i;
  if (!oclock(reading, i + 1)) {
    set_time(entity, hour, 0, part_of_day(reading, i, i + 1), false);
    return i + 1;
  }
  uint32_t end = i + 4;
  half = take_half(reading, end);
  if (half == Half::unknown) half = part_of_day(reading, i, end);
  set_time(entity, hour, 0, half, false);
  return end;
}

bool goes_on(const Reading& reading, uint32_t i) {
  if (!reading.glued(i) || i == 0) return false;
  const uint8_t sign = reading.tokens[i - 1].sign;
  return sign == '.' || sign == ',' || sign == ':' || sign == '/' || sign == '-' || reading.tokens[i - 1].is_word();
}

}  // namespace

uint32_t match_time(const Reading& reading, uint32_t i, Entity& entity) {
  if (reading.is(i, "noon") || reading.is(i, "midday") || reading.is(i, "midnight")) {
    set_time(entity, reading.is(i, "midnight") ? 0 : 12, 0, Half::unknown, false);
    return i + 1;
  }
  const Field hour = field_of(reading.tokens, i);
  if (hour.value < 0) {
    const uint32_t end = match_spoken(reading, i, entity);
    return end > i ? end : match_hour_word(reading, i, entity);
  }
  if (hour.value > 23 || goes_on(reading, i)) return i;
  uint32_t end = i + 1;
  int32_t minute = 0;
  Half half = hour.half;
  bool clear = half != Half::unknown;  // surely a time
  auto joined = [&](char sign) {
    return half == Half::unknown && reading.sign(end, sign) && reading.glued(end) && reading.glued(end + 1);
  };
  if (joined(':') || joined('.')) {
    const Field field = field_of(reading.tokens, end + 1);
    const bool colon = reading.sign(end, ':');
    if (field.digits == 2 && field.value <= 59) {
      minute = field.value;
      half = field.half;
      clear = colon || half != Half::unknown;
      end += 2;
      const Field seconds = joined(':') ? field_of(reading.tokens, end + 1) : Field{};
      if (colon && seconds.digits == 2 && seconds.value <= 59) {
        half = seconds.half;
        end += 2;
      }
    } else if (colon) {
      return i;
    }
  }
  if (half == Half::unknown) half = take_half(reading, end);
  if (half != Half::unknown && (hour.value > 0 || minute > 0)) clear = true;
  if (half == Half::unknown && end == i + 1 && oclock(reading, end)) {
    end += 3;
    half = take_half(reading, end);
    clear = true;
  }
  if (half == Half::unknown && (clear || (hour.value <= 12 && end == i + 1 && names_part_of_day(reading, end)))) {
    half = part_of_day(reading, i, end);
    clear = true;
  }
  if (!clear) return i;
  set_time(entity, hour.value, minute, half, hour.digits == 2 && hour.value < 10);
  return end;
}

}  // namespace wend::recognise
