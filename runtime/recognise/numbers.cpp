// Numbers, amounts of money and percentages.
#include <charconv>
#include <cmath>

#include "runtime/recognise/entities.h"

namespace wend::recognise {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return c >= 'a' && c <= 'z'; }

// A token that begins with digits, which at most 3 letters may follow.
struct Digits {
  size_t count = 0;
  std::string_view suffix;
  explicit operator bool() const { return count > 0; }
};

Digits digits_of(const Tokens& tokens, size_t i) {
  const std::string_view word = tokens.folded(i);
  if (tokens[i].digits) return {word.size(), {}};
  size_t count = 0;
  while (count < word.size() && digit(word[count])) ++count;
  const std::string_view suffix = word.substr(count);
  if (count == 0 || suffix.size() > 3) return {};
  for (const char c : suffix) {
    if (!letter(c)) return {};
  }
  if (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th") return {};
  return {count, suffix};
}

// Digits that belong to something before them: the 5 of 4.5 or 10:5.
bool goes_on(const Reading& reading, uint32_t i) {
  if (i < 2 || !reading.glued(i) || !reading.glued(i - 1)) return false;
  const uint8_t sign = reading.tokens[i - 1].sign;
  const bool joins = sign == '.' || sign == ',' || sign == ':' || sign == '/' || sign == '-';
  return joins && digit(reading.tokens.folded(i - 2).back());
}

// The digits of a number, with the dot of its decimals.
class Buffer {
 public:
  void add(std::string_view digits) {
    for (const char c : digits) {
      if (size_ < sizeof bytes_) bytes_[size_++] = c;
    }
  }
  double value() const {
    double value = 0;
    std::from_chars(bytes_, bytes_ + size_, value);
    return value;
  }

 private:
  char bytes_[48];
  size_t size_ = 0;
};

uint32_t written_digits(const Reading& reading, uint32_t i, double& value) {
  const Tokens& tokens = reading.tokens;
  Digits digits = digits_of(tokens, i);
  if (!digits || goes_on(reading, i)) return i;
  Buffer buffer;
  buffer.add(tokens.folded(i).substr(0, digits.count));
  uint32_t end = i + 1;
  auto another = [&](char sign) { return reading.sign(end, sign) && reading.glued(end) && reading.glued(end + 1); };
  if (digits.count <= 3) {
    while (digits.suffix.empty() && another(',')) {
      const Digits group = digits_of(tokens, end + 1);
      if (group.count != 3) break;
      digits = group;
      buffer.add(tokens.folded(end + 1).substr(0, 3));
      end += 2;
    }
  }
  if (digits.suffix.empty() && another('.')) {
    const Digits decimals = digits_of(tokens, end + 1);
    if (decimals) {
      digits = decimals;
      buffer.add(".");
      buffer.add(tokens.folded(end + 1).substr(0, decimals.count));
      end += 2;
      if (another('.') && tokens[end + 1].number) return i;  // 1.2.3
    }
  }
  if (digits.suffix.empty() && (another('-') || another('/') || another(':')) && tokens[end + 1].number) return i;
  value = buffer.value();
  if (digits.suffix == "k") value *= 1e3;
  if (digits.suffix == "m") value *= 1e6;
  return end;
}

// twenty-five, two hundred and five, a dozen
uint32_t written_words(const Reading& reading, uint32_t i, double& value) {
  uint32_t end = i;
  double total = 0, current = 0;
  bool any = false, unit_may_follow = true, tens_may_follow = true;
  if (reading.has(i, kArticle) && reading.has(i + 1, kScale)) {
    current = 1;
    any = true;
    ++end;
    unit_may_follow = tens_may_follow = false;
  }
  while (end < reading.size()) {
    uint32_t at = end;
    if (any && reading.sign(at, '-') && reading.glued(at) && reading.glued(at + 1)) ++at;
    const bool sum = current >= 100 || (total > 0 && current == 0);
    if (any && tens_may_follow && sum && reading.is(at, "and")) ++at;
    if (at >= reading.size()) break;
    const int value_here = reading.words[at].value;
    if (reading.has(at, kUnit) && unit_may_follow && (tens_may_follow || value_here < 10)) {
      current += value_here;
      unit_may_follow = tens_may_follow = false;
    } else if (reading.has(at, kTens) && tens_may_follow) {
      current += value_here;
      tens_may_follow = false;
    } else if (reading.has(at, kScale) && any && at == end) {
      if (value_here >= 1000) {
        total += current * value_here;
        current = 0;
      } else {
        current *= value_here;
      }
      unit_may_follow = tens_may_follow = value_here != 12;
    } else {
      break;
    }
    any = true;
    end = at + 1;
  }
  value = total + current;
  return any ? end : i;
}

bool counts_as_number(const Reading& reading, uint32_t i, uint32_t end) {
  return !(end == i + 1 && reading.is(i, "one") && i > 0 && reading.has(i - 1, kBeforeOne));
}

bool currency_sign(const Tokens& tokens, uint32_t i) {
  if (tokens[i].is_word()) return false;
  const std::string_view sign = tokens.folded(i);
  return sign == "$" || sign == "€" || sign == "£" || sign == "¥" || sign == "₹" || sign == "₩";
}

}  // namespace

int32_t digits_value(std::string_view digits) {
  int32_t value = 0;
  for (size_t i = 0; i < digits.size() && i < 9; ++i) value = value * 10 + (digits[i] - '0');
  return value;
}

uint32_t match_number(const Reading& reading, uint32_t i, Entity& entity) {
  uint32_t first = i;
  double sign = 1;
  if (reading.sign(i, '-') && !reading.glued(i) && reading.glued(i + 1)) {
    sign = -1;
    first = i + 1;
  }
  double value = 0;
  uint32_t end = written_digits(reading, first, value);
  if (end > first) {
    for (; reading.has(end, kScale) && reading.words[end].value != 12; ++end) value *= reading.words[end].value;
  } else if (first == i && reading.has(i, kUnit | kTens | kArticle)) {
    end = written_words(reading, i, value);
    if (!counts_as_number(reading, i, end)) return i;
  }
  if (end <= first || !std::isfinite(value)) return i;
  entity.kind = EntityKind::number;
  entity.number = sign * value;
  entity.whole = std::floor(value) == value && value < 1e15;
  entity.digits = end == i + 1 && reading.tokens[i].digits;
  entity.said = reading.tokens.said(i, end);
  return end;
}

uint32_t match_money(const Reading& reading, uint32_t i, Entity& entity) {
  const bool sign = i + 1 < reading.size() && currency_sign(reading.tokens, i) && reading.glued(i + 1);
  const uint32_t first = sign ? i + 1 : i;
  uint32_t end = match_number(reading, first, entity);
  if (end == first) return i;
  if (!sign) {
    if (!reading.has(end, kCurrency)) return i;
    ++end;
  }
  entity.kind = EntityKind::money;
  entity.digits = false;
  return end;
}

uint32_t match_percent(const Reading& reading, uint32_t i, Entity& entity) {
  uint32_t end = match_number(reading, i, entity);
  if (end == i || !(reading.sign(end, '%') || reading.is(end, "percent"))) return i;
  entity.kind = EntityKind::percent;
  entity.digits = false;
  return end + 1;
}

}  // namespace wend::recognise
