// What ANTLR reads: the bytes of a source text, and a slice of its tokens. Internal to compiler/syntax.
#ifndef WEND_COMPILER_SYNTAX_STREAM_H_
#define WEND_COMPILER_SYNTAX_STREAM_H_

#include <antlr4-runtime.h>

#include <string>
#include <string_view>
#include <vector>

namespace wend::syntax {

// Each byte of valid UTF-8 is one symbol, so that offsets of tokens are offsets in the file. Reads [begin, end) of it.
class ByteStream final : public antlr4::CharStream {
 public:
  ByteStream(std::string_view file, size_t begin, size_t end) : text_(file.substr(0, end)), index_(begin) {}

  void consume() override { ++index_; }
  size_t LA(ssize_t i) override {
    const size_t place = index_ + static_cast<size_t>(i) - (i > 0 ? 1 : 0);
    return place < text_.size() ? static_cast<unsigned char>(text_[place]) : antlr4::IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return index_; }
  void seek(size_t index) override { index_ = index; }
  size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return ""; }
  std::string getText(const antlr4::misc::Interval& interval) override {
    return std::string(text_.substr(static_cast<size_t>(interval.a), static_cast<size_t>(interval.b - interval.a + 1)));
  }
  std::string toString() const override { return std::string(text_); }

 private:
  std::string_view text_;
  size_t index_;
};

// The tokens of one item of the file, ended by `end`, a token of type EOF. Owns none of them.
class TokenSlice final : public antlr4::TokenStream {
 public:
  TokenSlice(antlr4::Token* const* first, size_t count, antlr4::Token* end) : first_(first), count_(count), end_(end) {}

  void consume() override {
    if (index_ < count_) ++index_;
  }
  size_t LA(ssize_t i) override { return LT(i)->getType(); }
  antlr4::Token* LT(ssize_t k) override {
    if (k < 0) return index_ >= static_cast<size_t>(-k) ? get(index_ - static_cast<size_t>(-k)) : nullptr;
    return get(index_ + static_cast<size_t>(k) - 1);
  }
  antlr4::Token* get(size_t index) const override { return index < count_ ? first_[index] : end_; }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return index_; }
  void seek(size_t index) override { index_ = index; }
  size_t size() override { return count_ + 1; }
  std::string getSourceName() const override { return ""; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return ""; }
  std::string getText() override { return ""; }
  std::string getText(antlr4::RuleContext*) override { return ""; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return ""; }

 private:
  antlr4::Token* const* first_;
  size_t count_;
  antlr4::Token* end_;
  size_t index_ = 0;
};

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_STREAM_H_
