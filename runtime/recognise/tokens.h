// Tokens: a text as words, character words and punctuation (docs/recognition.md, Tokens).
//
// A token's *key* is its folded text where that has at most 8 bytes, else a hash of it. Keys of different short tokens
// differ; whoever looks up a long one compares the texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wend::recognise {

inline constexpr size_t kMaxTokens = 16384;

enum class TokenKind : uint8_t { word, character_word, punctuation };

struct Token {
  uint32_t begin, end;       // bytes of the text
  uint32_t fold, fold_size;  // bytes of folded()
  uint64_t key, stem;        // of the folded text and of its stem
  uint32_t words_before;     // words and character words in front
  uint32_t sentence;         // from 0
  TokenKind kind;
  bool glued;    // no white space before it
  bool digits;   // ASCII digits only
  bool ascii;    // a word of ASCII word characters
  bool number;   // begins with an ASCII digit
  bool digit;    // a word with an ASCII digit in it
  bool upper;    // begins with an upper-case letter
  uint8_t sign;  // punctuation of ASCII (curly quotes are straight): the character, else 0

  bool is_word() const { return kind != TokenKind::punctuation; }
};

class Tokens {
 public:
  // The text must stay as long as it is read.
  void read(std::string_view text);

  // What was read, without ignored code points.
  std::string_view text() const { return text_; }
  uint32_t size() const { return size_; }
  const Token& operator[](size_t i) const { return tokens_[i]; }
  std::string_view folded(size_t i) const { return {folded_.data() + tokens_[i].fold, tokens_[i].fold_size}; }
  std::string_view said(size_t i) const { return said(i, i + 1); }
  // As said, from token `first` to the one before `last`.
  std::string_view said(size_t first, size_t last) const {
    return text_.substr(tokens_[first].begin, tokens_[last - 1].end - tokens_[first].begin);
  }
  // Words between the end of token `a` and the beginning of token b > a.
  uint32_t distance(uint32_t a, uint32_t b) const {
    return tokens_[b].words_before - tokens_[a].words_before - (tokens_[a].is_word() ? 1 : 0);
  }
  // Is token i a word with the sign-free folded text `text`?
  bool is(size_t i, std::string_view text) const { return i < size_ && folded(i) == text; }
  bool sign(size_t i, char c) const { return i < size_ && tokens_[i].sign == static_cast<uint8_t>(c); }
  bool glued(size_t i) const { return i < size_ && tokens_[i].glued; }
  bool same_sentence(size_t a, size_t b) const { return tokens_[a].sentence == tokens_[b].sentence; }
  // Is `word` one of the tokens [begin, end)?
  bool is_between(uint32_t begin, uint32_t end, std::string_view word) const {
    for (uint32_t i = begin; i < end; ++i) {
      if (folded(i) == word) return true;
    }
    return false;
  }
  // Do tokens [begin, end) begin or end within a longer number, as the 2 of 1.2 does?
  bool cuts_number(uint32_t begin, uint32_t end) const;

 private:
  void add_wide(const char*& p, const char* end, Token& token);
  void finish(Token& token);
  uint64_t key_at(size_t at, std::string_view folded) const;
  bool ends_sentence(const Token& next) const;

  std::string_view text_;
  std::string plain_;   // the text without ignored code points, if it had any
  std::string folded_;  // the text with ASCII letters lowered, then the folded texts of tokens with other letters
  std::vector<Token> tokens_;
  uint32_t size_ = 0;  // of tokens_: asked for at every step
};

uint64_t word_key(std::string_view folded);
// Of the first token of a text, a `#` in front of others aside; 0 if there is none.
uint64_t first_token_key(std::string_view text);
// The stem's key, and the stem itself.
uint64_t stem_key(std::string_view folded);
std::string stem_of(std::string_view folded);

}  // namespace wend::recognise
