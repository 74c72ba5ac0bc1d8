// Entities that are known by their form: quoted text, e-mail and web addresses, phone numbers, ids, names.
#include <initializer_list>

#include "runtime/recognise/entities.h"

namespace wend::recognise {
namespace {

constexpr size_t kMaxQuoted = 200;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool word_char(char c) { return letter(c) || digit(c) || c == '_'; }
bool is_one_of(std::string_view sign, std::string_view a, std::string_view b, std::string_view c) {
  return sign == a || sign == b || sign == c;
}
bool opens(const Tokens& tokens, uint32_t i) {
  const uint8_t sign = tokens[i].sign;
  if (sign == 0) return !tokens[i].is_word() && is_one_of(tokens.folded(i), "«", "「", "『");
  return sign == '(' || sign == '"' || sign == '\'' || sign == '<' || sign == '[' || sign == '{' || sign == '`';
}
bool closes(const Tokens& tokens, uint32_t i) {
  const uint8_t sign = tokens[i].sign;
  if (sign == 0) return !tokens[i].is_word() && is_one_of(tokens.folded(i), "»", "」", "』");
  return sign == '.' || sign == ',' || sign == ';' || sign == ':' || sign == '!' || sign == '?' || sign == ')' ||
         sign == '"' || sign == '\'' || sign == '>' || sign == ']' || sign == '}' || sign == '`';
}

// Does the core of a chunk begin at token i?
bool starts_core(const Reading& reading, uint32_t i) {
  if (opens(reading.tokens, i)) return false;
  while (i > 0 && reading.glued(i) && opens(reading.tokens, i - 1)) --i;
  return !reading.glued(i) || i == 0;
}

uint32_t core_end(const Reading& reading, uint32_t i) {
  uint32_t end = i + 1;
  while (reading.glued(end)) ++end;
  while (end > i + 1 && closes(reading.tokens, end - 1)) --end;
  return end;
}

bool email(std::string_view core) {
  const size_t at = core.find('@');
  if (at == 0 || at == std::string_view::npos) return false;
  for (const char c : core.substr(0, at)) {
    if (!word_char(c) && c != '.' && c != '+' && c != '%' && c != '-') return false;
  }
  size_t labels = 0, size = 0;
  for (const char c : core.substr(at + 1)) {
    if (c == '.') {
      if (size == 0) return false;
      ++labels;
      size = 0;
    } else if (word_char(c) || c == '-') {
      ++size;
    } else {
      return false;
    }
  }
  return labels > 0 && size > 0;
}

bool url(std::string_view core) {
  for (std::string_view scheme : {"http://", "https://", "www."}) {
    if (core.size() <= scheme.size()) continue;
    bool same = true;
    for (size_t i = 0; i < scheme.size(); ++i) {
      same &= (letter(core[i]) ? static_cast<char>(core[i] | 0x20) : core[i]) == scheme[i];
    }
    if (same) return true;
  }
  return false;
}

// Does `text` begin with `form`, D standing for a digit, letters in either case?
bool has_form(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  for (size_t i = 0; i < form.size(); ++i) {
    const bool fits = form[i] == 'D'    ? digit(text[i])
                      : letter(form[i]) ? (text[i] & ~0x20) == form[i]
                                        : text[i] == form[i];
    if (!fits) return false;
  }
  return true;
}

bool datetime(std::string_view core) {
  if (!has_form(core, "DDDD-DD-DDTDD:DD")) return false;
  if (!real_day(digits_value(core.substr(0, 4)), digits_value(core.substr(5, 2)), digits_value(core.substr(8, 2)))) {
    return false;
  }
  core.remove_prefix(16);
  if (has_form(core, ":DD")) core.remove_prefix(3);
  if (core.empty() || core == "Z" || core == "z") return true;
  if (core.front() != '+' && core.front() != '-') return false;
  core.remove_prefix(1);
  return (core.size() == 5 && has_form(core, "DD:DD")) || (core.size() == 4 && has_form(core, "DDDD"));
}

uint32_t match_core(const Reading& reading, uint32_t i, Entity& entity) {
  if (!reading.glued(i + 1) || !starts_core(reading, i)) return i;  // all of these have several tokens
  const uint32_t end = core_end(reading, i);
  const std::string_view core = reading.tokens.said(i, end);
  if (email(core)) {
    entity.kind = EntityKind::email;
  } else if (url(core)) {
    entity.kind = EntityKind::url;
  } else if (datetime(core)) {
    entity.kind = EntityKind::datetime;
  } else {
    return i;
  }
  entity.said = core;
  return end;
}

std::string_view closing_quote(std::string_view opening) {
  if (opening == "\"") return "\"";
  if (opening == "'") return "'";
  if (opening == "«") return "»";
  if (opening == "「") return "」";
  return opening == "『" ? "』" : std::string_view();
}

bool closes_quote(const Reading& reading, uint32_t i, std::string_view closing) {
  if (reading.tokens[i].is_word() || reading.tokens.folded(i) != closing) return false;
  if (closing != "'") return true;
  return reading.glued(i) && !(reading.glued(i + 1) && reading.tokens[i + 1].is_word());
}

uint32_t match_quoted(const Reading& reading, uint32_t i, Entity& entity) {
  const Tokens& tokens = reading.tokens;
  if (tokens[i].is_word()) return i;
  const std::string_view closing = closing_quote(tokens.folded(i));
  if (closing.empty()) return i;
  if (closing == "'" && (reading.glued(i) || !reading.glued(i + 1))) return i;
  for (uint32_t end = i + 1; end < reading.size() && tokens[end].begin - tokens[i].end <= kMaxQuoted; ++end) {
    if (!closes_quote(reading, end, closing)) continue;
    const std::string_view line = tokens.said(i, end);
    if (end == i + 1 || line.find('\n') != std::string_view::npos) return i;
    entity.said = tokens.said(i + 1, end);
    entity.kind = EntityKind::quoted;
    const Reading inside{tokens, reading.words, reading.today, i + 1, end};
    Entity inner;
    for (auto* match : {&match_core, &match_phone, &match_id}) {
      const uint32_t inner_end = match(inside, i + 1, inner);
      if (inner_end != end || inner.kind == EntityKind::datetime) continue;
      entity = inner;
      break;
    }
    return end + 1;
  }
  return i;
}

// The token of the group of digits that one or two of `-`, `.`, `(`, `)` and a space join to token `i`; else the one
// behind `i`.
uint32_t next_group(const Reading& reading, uint32_t i) {
  const Tokens& tokens = reading.tokens;
  uint32_t at = i + 1;
  while (at < reading.size() && at <= i + 2 && !tokens[at].is_word()) ++at;
  if (at >= reading.size()) return at;
  const std::string_view between = tokens.text().substr(tokens[i].end, tokens[at].begin - tokens[i].end);
  const bool joined = !between.empty() && between.size() <= 2 && between.find_first_not_of("-.() ") == between.npos;
  return joined ? at : reading.size();
}

}  // namespace

uint32_t match_form(const Reading& reading, uint32_t i, Entity& entity) {
  const uint32_t end = match_quoted(reading, i, entity);
  return end > i ? end : match_core(reading, i, entity);
}

uint32_t match_phone(const Reading& reading, uint32_t i, Entity& entity) {
  const Tokens& tokens = reading.tokens;
  const bool plus = reading.sign(i, '+');
  uint32_t at = i;
  if (reading.sign(at, '+') && reading.glued(at + 1)) ++at;
  if (reading.sign(at, '(') && reading.glued(at + 1) && reading.sign(at + 2, ')')) ++at;
  if (i > 0 && reading.glued(i) && !opens(tokens, i - 1)) return i;
  uint32_t best = i;
  size_t digits = 0, groups = 0;
  while (at < reading.size() && tokens[at].digits) {
    const size_t size = tokens[at].fold_size;
    digits += size;
    ++groups;
    if (digits > 15 || (!plus && size > 4)) break;
    const uint32_t end = at + 1;
    const bool whole = !reading.glued(end) || !tokens[end].is_word();
    if (whole && (plus ? digits >= 7 : digits >= 9 && groups >= 3 && size == 4)) best = end;
    at = next_group(reading, at);
  }
  if (best == i) return i;
  entity.kind = EntityKind::phone;
  entity.said = tokens.said(i, best);
  return best;
}

uint32_t match_id(const Reading& reading, uint32_t i, Entity& entity) {
  const Tokens& tokens = reading.tokens;
  const bool hash = reading.sign(i, '#') && reading.glued(i + 1);
  const uint32_t first = hash ? i + 1 : i;
  if (first >= reading.size() || !tokens[first].ascii) return i;
  if (!reading.glued(first + 1) && !tokens[first].digit) return i;
  if (!starts_core(reading, i)) return i;
  uint32_t end = first + 1;
  while (reading.sign(end, '-') && reading.glued(end) && reading.glued(end + 1) && tokens[end + 1].ascii) end += 2;
  if (end != core_end(reading, i)) return i;
  const std::string_view said = tokens.said(first, end);
  size_t digits = 0, letters = 0, head = 0, upper = 0;  // head: digits in front
  for (const char c : said) {
    if (digit(c)) head += digits++ == head && letters == 0;
    letters += letter(c);
    upper += c >= 'A' && c <= 'Z';
  }
  entity.digits = digits == said.size();
  if (digits == 0) return i;
  if (entity.digits) {
    if (!hash && digits < 5) return i;
  } else {
    if (letters == 0 || said.size() < 3) return i;  // 2024-01, 7-8
    if (digits == head && end == first + 1 && letters <= 3 && head + letters == said.size() && !hash) return i;  // 3rd
    const bool compound = end > first + 1 && tokens[first].digits && digits == tokens[first].fold_size && upper == 0;
    if (compound && !hash) return i;  // 2-bedroom
  }
  entity.kind = EntityKind::id;
  entity.digits &= !hash;
  entity.said = tokens.said(i, end);
  return end;
}

namespace {

bool name_part(const Reading& reading, uint32_t i) {
  const Tokens& tokens = reading.tokens;
  return i < reading.size() && tokens[i].kind == TokenKind::word && tokens[i].upper && !reading.is(i, "i") &&
         !reading.has(i, kMonth | kWeekday);
}

}  // namespace

uint32_t name_end(const Reading& reading, uint32_t i) {
  if (!name_part(reading, i)) return i;
  uint32_t end = i + 1;
  for (;;) {
    uint32_t at = end;
    if (reading.sign(at, '\'') && reading.is(at + 1, "s") && reading.glued(at + 1)) {
      at += 2;
    } else if (reading.sign(at, '&') || reading.has(at, kNameInside) || (reading.sign(at, '-') && reading.glued(at))) {
      ++at;
    }
    if (!name_part(reading, at) || !reading.tokens.same_sentence(i, at)) return end;
    end = at + 1;
  }
}

uint32_t match_name(const Reading& reading, uint32_t i, Entity& entity) {
  if (i == 0 || !reading.tokens.same_sentence(i - 1, i)) return i;
  const bool named = i > 1 && reading.is(i - 1, "is") && reading.is(i - 2, "name");
  if (!named && !reading.has(i - 1, kNamePreposition)) return i;
  const uint32_t end = name_end(reading, i);
  if (end == i) return i;
  entity.kind = EntityKind::name;
  entity.said = reading.tokens.said(i, end);
  return end;
}

// ---- All of them --------------------------------------------------------------------------------------------------

namespace {

using Match = uint32_t (*)(const Reading&, uint32_t, Entity&);

uint32_t first_of(const Reading& reading, uint32_t i, Entity& entity, std::initializer_list<Match> matches) {
  for (const Match match : matches) {
    entity = {};
    const uint32_t end = match(reading, i, entity);
    if (end > i) return end;
  }
  return i;
}

uint32_t match_number_words(const Reading& reading, uint32_t i, Entity& entity) {
  return reading.has(i, kUnit | kTens | kArticle)
             ? first_of(reading, i, entity, {match_money, match_percent, match_number})
             : i;
}

uint32_t match_sign(const Reading& reading, uint32_t i, Entity& entity) {
  switch (reading.tokens[i].sign) {
    case '"':
    case '\'':
      return first_of(reading, i, entity, {match_form});
    case '$':
      return first_of(reading, i, entity, {match_money});
    case '+':
    case '(':
      return first_of(reading, i, entity, {match_phone});
    case '#':
      return first_of(reading, i, entity, {match_id});
    case '-':
      return first_of(reading, i, entity, {match_money, match_percent, match_number});
    case 0:
      return first_of(reading, i, entity, {match_form, match_money});  // of other scripts
    default:
      return i;
  }
}

// The entity at token `i`: the first kind in the order of EntityKind. Kinds that cannot begin with such a token are not
// tried: most words begin none.
uint32_t match_any(const Reading& reading, uint32_t i, Entity& entity) {
  constexpr uint64_t kLeads = kMonth | kWeekday | kDateLead | kRelativeDay | kTimeWord | kUnit | kTens | kArticle;
  const Token& token = reading.tokens[i];
  if (!token.is_word()) return match_sign(reading, i, entity);
  if (!token.digit && !token.upper && !reading.has(i, kLeads) && !reading.glued(i + 1)) return i;
  if (token.number) {
    return first_of(
        reading, i, entity,
        {match_core, match_date, match_time, match_money, match_percent, match_phone, match_id, match_number});
  }
  if (token.kind == TokenKind::character_word) return i;
  uint32_t end = i;
  if (reading.glued(i + 1) && token.ascii) end = first_of(reading, i, entity, {match_core});
  if (end == i && reading.has(i, kMonth | kWeekday | kDateLead | kRelativeDay)) {
    end = first_of(reading, i, entity, {match_date});
  }
  if (end == i && reading.has(i, kTimeWord | kUnit)) end = first_of(reading, i, entity, {match_time});
  if (end == i) end = match_number_words(reading, i, entity);
  if (end == i && token.ascii && (token.digit || reading.glued(i + 1))) {
    end = first_of(reading, i, entity, {match_id});
  }
  if (end == i && token.upper) end = first_of(reading, i, entity, {match_name});
  return end;
}

}  // namespace

void find_entities(const Reading& reading, std::vector<Entity>& found) {
  found.clear();
  Entity entity;
  for (uint32_t i = 0; i < reading.size() && found.size() < kMaxEntities;) {
    const uint32_t end = match_any(reading, i, entity);
    if (end == i) {
      ++i;
      continue;
    }
    entity.begin = i;
    entity.end = end;
    if (entity.said.empty()) entity.said = reading.tokens.said(i, end);
    found.push_back(entity);
    i = end;
  }
}

}  // namespace wend::recognise
