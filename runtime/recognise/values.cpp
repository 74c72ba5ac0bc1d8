// The JSON that a candidate gives a parameter.
#include <algorithm>
#include <charconv>

#include "runtime/recognise/mentions.h"

namespace wend::recognise {
namespace {

// As a JSON string; nothing but what JSON demands is escaped.
void append_string(std::string_view text, std::string& out) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kHex[] = "0123456789abcdef";
      out.append("\\u00");
      out.push_back(kHex[c >> 4]);
      out.push_back(kHex[c & 15]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

void append_number(const Entity& entity, std::string& out) {
  char digits[32];
  const auto end = entity.whole ? std::to_chars(digits, digits + sizeof digits, static_cast<int64_t>(entity.number))
                                : std::to_chars(digits, digits + sizeof digits, entity.number);
  out.append(digits, static_cast<size_t>(end.ptr - digits));
}

void append_two(int value, std::string& out) {
  out.push_back(static_cast<char>('0' + value / 10));
  out.push_back(static_cast<char>('0' + value % 10));
}

void append_clock(int32_t minutes, std::string& out) {
  append_two(minutes / 60, out);
  out.push_back(':');
  append_two(minutes % 60, out);
}

// Is the value a time from noon on?
bool after_noon(const Finder& finder, std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return false;
  const std::optional<int32_t> minutes = clock_of(json.substr(1, json.size() - 2), finder.scratch);
  return minutes && *minutes >= 12 * 60;
}

void append_time(const Finder& finder, const Entity& entity, uint32_t param, std::string& out) {
  const bool later = entity.open_time && after_noon(finder, finder.value_now(param));
  out.push_back('"');
  append_clock(entity.minutes + (later ? 12 * 60 : 0), out);
  out.push_back('"');
}

void append_date(const Entity& entity, std::string& out) {
  if (entity.date.year == 0) {
    append_string(entity.said, out);
    return;
  }
  out.push_back('"');
  append_two(entity.date.year / 100, out);
  append_two(entity.date.year % 100, out);
  out.push_back('-');
  append_two(entity.date.month, out);
  out.push_back('-');
  append_two(entity.date.day, out);
  out.push_back('"');
}

bool append_numeric(const Entity& entity, const Param& param, std::string& out) {
  if (param.type == WEND_JSON_INT && !entity.whole) return false;
  if (param.type == WEND_JSON_TEXT || (param.list && param.kind == ParamKind::id)) {
    out.push_back('"');
    append_number(entity, out);
    out.push_back('"');
  } else {
    append_number(entity, out);
  }
  return true;
}

// Digits alone, without zeros in front.
bool append_digits(std::string_view digits, std::string& out) {
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  if (digits.size() > 18) return false;
  out.append(digits);
  return true;
}

// The choice that is this number.
bool append_choice(double number, const Param& param, std::string& out) {
  const auto found = std::find(param.numbers.begin(), param.numbers.end(), number);
  if (found == param.numbers.end()) return false;
  out.append(param.choices[static_cast<size_t>(found - param.numbers.begin())]);
  return true;
}

bool append_entity(const Finder& finder, const Entity& entity, uint32_t number, std::string& out) {
  const Param& param = finder.tools.params[number];
  switch (entity.kind) {
    case EntityKind::time:
      append_time(finder, entity, number, out);
      return true;
    case EntityKind::date:
      append_date(entity, out);
      return true;
    case EntityKind::datetime:
      if (param.kind == ParamKind::date) {
        append_string(entity.said.substr(0, 10), out);
      } else if (param.kind == ParamKind::time) {
        append_string(entity.said.substr(11, 5), out);
      } else {
        append_string(entity.said, out);
      }
      return true;
    case EntityKind::money:
    case EntityKind::percent:
      return append_numeric(entity, param, out);
    case EntityKind::number:
      if (param.kind == ParamKind::choice) return append_choice(entity.number, param, out);
      if (param.kind == ParamKind::id) break;
      return append_numeric(entity, param, out);
    case EntityKind::id:
      if (param.kind != ParamKind::number) break;
      return append_digits(entity.said, out);
    default:
      break;
  }
  append_string(entity.said, out);
  return true;
}

bool append_seen(const SeenValues::Entry& entry, const Param& param, std::string& out) {
  if (entry.integer) {
    if (param.type == WEND_JSON_TEXT) {
      append_string(entry.text_view(), out);
    } else {
      out.append(entry.text_view());
    }
    return true;
  }
  if (param.type == WEND_JSON_INT || param.type == WEND_JSON_REAL || param.type == WEND_JSON_BOOL) return false;
  append_string(entry.text_view(), out);
  return true;
}

// A JSON string without its quotes.
std::string_view unquoted(std::string_view json) {
  return json.size() >= 2 && json.front() == '"' ? json.substr(1, json.size() - 2) : json;
}

}  // namespace

bool same_text(std::string_view a, std::string_view b) {
  a = unquoted(a);
  b = unquoted(b);
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool append_value(const Finder& finder, const Candidate& candidate, uint32_t param, uint32_t choice, std::string& out) {
  const Param& known = finder.tools.params[param];
  switch (candidate.kind) {
    case Candidate::choice:
      out.append(known.choices[choice]);
      return true;
    case Candidate::seen:
      return append_seen(finder.context.seen->entry(choice), known, out);
    case Candidate::entity:
      break;
  }
  return append_entity(finder, finder.entity(candidate), param, out);
}

}  // namespace wend::recognise
