#include "runtime/recognise/tokens.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <utf8proc.h>

#include "runtime/data/hash.h"
#include "runtime/data/utf8.h"
#include "runtime/text/search.h"

namespace wend::recognise {
namespace {

enum : uint8_t { kPunctuation, kWord, kSpace, kLineFeed, kWide };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    uint8_t what = kPunctuation;
    if (letter || (c >= '0' && c <= '9') || c == '_') what = kWord;
    if (c == ' ' || (c >= 9 && c <= 13)) what = kSpace;
    if (c == '\n') what = kLineFeed;
    if (c >= 0x80) what = kWide;
    classes[static_cast<size_t>(c)] = what;
  }
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = make_classes();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
uint8_t class_of(char c) { return kClasses[static_cast<uint8_t>(c)]; }

bool ignored(uint32_t c) {
  return c == 0x00AD || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x2064) ||
         (c >= 0x2066 && c <= 0x206F) || c == 0xFE0F || c == 0xFEFF;
}

// ASCII letters to lower case. (The pointers do not overlap: said to the compiler, it takes many bytes at once.)
void lower(const char* __restrict from, size_t size, char* __restrict to) {
  for (size_t i = 0; i < size; ++i) {
    const auto c = static_cast<uint8_t>(from[i]);
    to[i] = static_cast<char>(c + (static_cast<uint8_t>(c - 'A') < 26 ? 32 : 0));
  }
}

// The text, in `plain` where something of it is ignored. Ignored code points have lead bytes that few others have.
std::string_view without_ignored(std::string_view text, std::string& plain) {
  const auto lead = [](char c) { return c == '\xC2' || c == '\xE2' || c == '\xEF'; };
  const auto from = std::find_if(text.begin(), text.end(), lead);
  if (from == text.end()) return text;
  plain.assign(text.begin(), from);
  const char *p = text.data() + (from - text.begin()), *const end = text.data() + text.size();
  while (p < end) {
    const char* const code = p;
    if (!lead(*p)) {
      ++p;
    } else if (ignored(take_utf8(p))) {
      continue;
    }
    plain.append(code, p);
  }
  return plain.size() == text.size() ? text : plain;
}

// Unicode's White_Space beyond ASCII.
bool wide_space(uint32_t c) {
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}

// Quotation marks that read as ASCII ones, 0 for others.
char straight_quote(uint32_t c) {
  if (c == 0x2018 || c == 0x2019 || c == 0x02BC) return '\'';
  return c >= 0x201C && c <= 0x201E ? '"' : '\0';
}

bool wide_letter(uint32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      return false;
  }
}

void append_folded(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
    return;
  }
  const auto code = static_cast<utf8proc_int32_t>(c);
  utf8proc_int32_t folded[8] = {code};
  utf8proc_ssize_t n = 1;
  if (utf8proc_get_property(code)->casefold_seqindex != UINT16_MAX) {
    int boundary = 0;
    n = utf8proc_decompose_char(code, folded, 8, UTF8PROC_CASEFOLD, &boundary);
    if (n < 1 || n > 8) {
      folded[0] = code;
      n = 1;
    }
  }
  char bytes[4];
  for (utf8proc_ssize_t i = 0; i < n; ++i) {
    out.append(bytes, static_cast<size_t>(put_utf8(static_cast<uint32_t>(folded[i]), bytes) - bytes));
  }
}

bool ends_sentence(std::string_view folded) {
  constexpr std::string_view kEnds[] = {"。", "！", "？", "؟", "।", "…"};
  for (std::string_view end : kEnds) {
    if (folded == end) return true;
  }
  return false;
}

// The first n <= 8 bytes at p as a number. By whole loads: a copy of n bytes would have to be waited for.
uint64_t load(const char* p, size_t n) {
  const auto byte = [p](size_t i) { return uint64_t{static_cast<uint8_t>(p[i])}; };
  if (n >= 4) {
    uint32_t low, high;  // they overlap, unless n is 8
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + n - 4, 4);
    return low | uint64_t{high} << (8 * (n - 4));
  }
  if (n == 0) return 0;
  return byte(0) | byte(n / 2) << (8 * (n / 2)) | byte(n - 1) << (8 * (n - 1));
}

// The same where 8 bytes may be read at p.
uint64_t load_padded(const char* p, size_t n) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return n == 0 ? 0 : word & (~uint64_t{0} >> (64 - 8 * n));
}

// Letters of scripts without case and without spaces between words: kana, the common Han, Hangul.
bool plain_character(uint32_t c) {
  return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FA) ||
         (c >= 0xAC00 && c <= 0xD7A3);
}

bool letters(std::string_view word) {
  for (const char c : word) {
    if (c < 'a' || c > 'z') return false;
  }
  return true;
}

// Most words are their own stems, as their last letter says.
bool may_be_cut(std::string_view word) {
  if (word.size() < 3 || word.size() > 64) return false;
  const char last = word.back();
  return last == 's' || last == 'g' || last == 'd' || last == 'l' || last == 'e';
}

struct Stem {
  size_t size;
  bool y;  // and a `y` behind
};

// Of a word of ASCII letters.
Stem cut(std::string_view word) {
  size_t n = word.size();
  auto ends = [&](std::string_view suffix) { return std::string_view(word.data(), n).ends_with(suffix); };
  if (n > 4 && ends("ies")) return {n - 3, true};
  if (n > 2 && ends("s") && !ends("ss") && !ends("us") && !ends("is")) --n;
  const bool ing = n >= 6 && ends("ing"), ed = n >= 5 && ends("ed");
  if (ing || ed) {
    n -= ing ? 3 : 2;
    const char last = word[n - 1];
    if (last == word[n - 2] && last != 'l' && last != 's' && last != 'z') --n;
  } else if (n >= 6 && ends("al")) {
    n -= 2;
  } else if (n >= 7 && ends("ure")) {
    n -= 3;
  }
  if (n >= 4 && ends("e")) --n;
  return {n, false};
}

}  // namespace

uint64_t word_key(std::string_view folded) {
  return folded.size() <= 8 ? load(folded.data(), folded.size()) : hash64(folded);
}

uint64_t stem_key(std::string_view folded) {
  if (!may_be_cut(folded) || !letters(folded)) return word_key(folded);
  const Stem stem = cut(folded);
  if (!stem.y) return word_key(folded.substr(0, stem.size));
  char changed[64];
  std::memcpy(changed, folded.data(), stem.size);
  changed[stem.size] = 'y';
  return word_key({changed, stem.size + 1});
}

std::string stem_of(std::string_view folded) {
  if (folded.size() < 3 || folded.size() > 64 || !letters(folded)) return std::string(folded);
  const Stem stem = cut(folded);
  return std::string(folded.substr(0, stem.size)) + (stem.y ? "y" : "");
}

uint64_t first_token_key(std::string_view text) {
  if (text.size() > 1 && text.front() == '#') text.remove_prefix(1);
  char folded[64];
  size_t n = 0;
  while (n < text.size() && n < sizeof folded && class_of(text[n]) == kWord) {
    folded[n] = static_cast<char>(text[n] >= 'A' && text[n] <= 'Z' ? text[n] + 32 : text[n]);
    ++n;
  }
  const bool whole = n > 0 && (n == text.size() || (n < sizeof folded && class_of(text[n]) != kWide));
  if (whole) return word_key({folded, n});
  Tokens tokens;  // other scripts and odd beginnings
  tokens.read(text);
  return tokens.size() == 0 ? 0 : tokens[0].key;
}

// Reads a token that begins with, or goes on with, code points above 0x7F, up to its end.
void Tokens::add_wide(const char*& p, const char* end, Token& token) {
  token.fold = static_cast<uint32_t>(folded_.size());
  token.kind = TokenKind::word;
  const char* from = text_.data() + token.begin;
  const char* stop = from;
  for (const char* q = from; q < end;) {
    uint32_t c = static_cast<uint8_t>(*q);
    if (c < 0x80) {
      ++q;
    } else {
      c = take_utf8(q);
    }
    if (straight_quote(c) || !text_search::is_word(c)) break;
    append_folded(c, folded_);
    stop = q;
  }
  if (stop == from) {  // no word: one code point
    const uint32_t c = take_utf8(stop);
    const char quote = straight_quote(c);
    token.kind = !quote && wide_letter(c) ? TokenKind::character_word : TokenKind::punctuation;
    token.sign = static_cast<uint8_t>(quote);
    append_folded(quote ? static_cast<uint8_t>(quote) : c, folded_);
  }
  token.fold_size = static_cast<uint32_t>(folded_.size()) - token.fold;
  p = stop;
}

bool Tokens::cuts_number(uint32_t begin, uint32_t end) const {
  auto joins = [&](uint32_t i) {  // is token i a sign between two digits?
    const uint8_t sign = tokens_[i].sign;
    return (sign == '.' || sign == ',' || sign == '-') && tokens_[i].glued && tokens_[i + 1].glued &&
           is_digit(folded(i - 1).back()) && is_digit(folded(i + 1).front());
  };
  return (begin >= 2 && joins(begin - 1)) || (end + 1 < size() && joins(end));
}

uint64_t Tokens::key_at(size_t at, std::string_view folded) const {
  if (folded.size() > 8) return hash64(folded);
  return at + 8 <= folded_.size() ? load_padded(folded.data(), folded.size()) : load(folded.data(), folded.size());
}

void Tokens::finish(Token& token) {
  const std::string_view folded(folded_.data() + token.fold, token.fold_size);
  if (token.kind == TokenKind::word && token.fold >= text_.size()) {  // what add_wide read may be ASCII after all
    token.ascii = token.digits = true;
    for (const char c : folded) {
      token.ascii &= class_of(c) == kWord;
      token.digits &= is_digit(c);
      token.digit |= is_digit(c);
    }
  }
  token.number = is_digit(folded.front());
  token.key = key_at(token.fold, folded);
  token.stem = token.ascii && !token.digits && may_be_cut(folded) ? stem_key(folded) : token.key;
}

// Does the punctuation before the last token, `next`, end its sentence?
bool Tokens::ends_sentence(const Token& next) const {
  const size_t last = tokens_.size() - 2;
  const Token& before = tokens_[last];
  if (before.sign == '!' || before.sign == '?') return true;
  if (before.sign == '.') {
    const bool letter = last > 0 && before.glued && tokens_[last - 1].is_word() && tokens_[last - 1].fold_size == 1;
    return !next.glued && !letter;
  }
  return before.sign == 0 && recognise::ends_sentence(folded(last));
}

void Tokens::read(std::string_view text) {
  if (text.size() > UINT32_MAX / 4) text = {};
  text_ = text = without_ignored(text, plain_);
  tokens_.clear();
  folded_.resize(text.size());
  lower(text.data(), text.size(), folded_.data());
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  bool space = true, line = false;
  uint32_t words = 0, sentence = 0;
  for (const char* p = begin; p < end && tokens_.size() < kMaxTokens;) {
    const uint8_t what = class_of(*p);
    if (what == kSpace || what == kLineFeed) {
      space = true;
      line |= what == kLineFeed;
      ++p;
      continue;
    }
    Token& token = tokens_.emplace_back();  // made where it stays: a copy would wait for what was just written
    token.begin = static_cast<uint32_t>(p - begin);
    token.glued = !space;
    if (what == kWide) {
      const char* next = p;
      const uint32_t c = take_utf8(next);
      if (wide_space(c)) {
        tokens_.pop_back();
        space = true;
        p = next;
        continue;
      }
      if (plain_character(c)) {
        token.kind = TokenKind::character_word;
        token.fold = token.begin;
        token.fold_size = static_cast<uint32_t>(next - p);
        p = next;
      } else {
        token.upper = utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_LU;
        add_wide(p, end, token);
      }
    } else if (what == kWord) {
      token.upper = *p >= 'A' && *p <= 'Z';
      token.ascii = true;
      bool digits = true, digit = false;
      do {
        const bool is = is_digit(*p);
        digits &= is;
        digit |= is;
        ++p;
      } while (p < end && class_of(*p) == kWord);
      token.digits = digits;
      token.digit = digit;
      token.fold = token.begin;
      token.fold_size = static_cast<uint32_t>(p - begin) - token.begin;
      if (p < end && class_of(*p) == kWide) add_wide(p, end, token);
    } else {
      token.kind = TokenKind::punctuation;
      token.sign = static_cast<uint8_t>(*p);
      token.fold = token.begin;
      token.fold_size = 1;
      ++p;
    }
    token.end = static_cast<uint32_t>(p - begin);
    finish(token);
    if (tokens_.size() > 1) sentence += line || (!tokens_[tokens_.size() - 2].is_word() && ends_sentence(token));
    token.words_before = words;
    token.sentence = sentence;
    words += token.is_word();
    space = line = false;
  }
  size_ = static_cast<uint32_t>(tokens_.size());
}

}  // namespace wend::recognise
