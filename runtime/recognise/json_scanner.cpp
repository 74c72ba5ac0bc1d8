#include "runtime/recognise/json_scanner.h"

#include <cstring>

namespace wend::recognise {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool hex(char c) { return digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

}  // namespace

void JsonScanner::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
    ++at_;
  }
}

JsonScanner::Event JsonScanner::broken() {
  broken_ = true;
  begin_ = at_ = text_.size();
  return Event::broken;
}

JsonScanner::Event JsonScanner::next() {
  key_ = false;
  if (broken_) return Event::broken;
  for (;;) {
    skip_space();
    begin_ = at_;
    if (at_ == text_.size()) return expect_ == Expect::nothing ? Event::done : broken();
    const char c = text_[at_];
    switch (expect_) {
      case Expect::nothing:
        return broken();
      case Expect::value:
        return value(c);
      case Expect::first_item:
        return c == ']' ? close(c) : value(c);
      case Expect::first_key:
        if (c == '}') return close(c);
        return read_key();
      case Expect::key:
        return read_key();
      case Expect::colon:
        if (c != ':') return broken();
        ++at_;
        expect_ = Expect::value;
        break;
      case Expect::comma:
        if (c == '}' || c == ']') return close(c);
        if (c != ',') return broken();
        ++at_;
        expect_ = objects_[depth_ - 1] ? Expect::key : Expect::value;
        break;
    }
  }
}

JsonScanner::Event JsonScanner::open(bool object) {
  if (depth_ == kMaxDepth) return broken();
  objects_[depth_++] = object;
  ++at_;
  expect_ = object ? Expect::first_key : Expect::first_item;
  return object ? Event::begin_object : Event::begin_list;
}

JsonScanner::Event JsonScanner::close(char c) {
  const bool object = objects_[depth_ - 1];
  if (object != (c == '}')) return broken();
  --depth_;
  ++at_;
  after_value();
  return object ? Event::end_object : Event::end_list;
}

JsonScanner::Event JsonScanner::read_key() {
  if (text_[at_] != '"' || !read_string()) return broken();
  ++begin_;
  key_ = true;
  expect_ = Expect::colon;
  return Event::key;
}

JsonScanner::Event JsonScanner::value(char c) {
  if (c == '{' || c == '[') return open(c == '{');
  const bool read = c == '"' ? read_string() : c == '-' || digit(c) ? read_number() : read_literal();
  if (!read) return broken();
  after_value();
  return Event::scalar;
}

bool JsonScanner::read_string() {
  for (++at_; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') {
      ++at_;
      return true;
    }
    if (static_cast<unsigned char>(c) < 0x20) return false;
    if (c != '\\') continue;
    if (++at_ == text_.size()) return false;
    if (text_[at_] == 'u') {
      if (text_.size() - at_ < 5) return false;
      for (size_t i = 1; i <= 4; ++i) {
        if (!hex(text_[at_ + i])) return false;
      }
      at_ += 4;
    } else if (!std::strchr("\"\\/bfnrt", text_[at_]) || text_[at_] == '\0') {
      return false;
    }
  }
  return false;
}

bool JsonScanner::read_number() {
  auto digits = [this] {
    const size_t from = at_;
    while (at_ < text_.size() && digit(text_[at_])) ++at_;
    return at_ > from;
  };
  auto here = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
  if (here('-')) ++at_;
  if (here('0')) {
    ++at_;
  } else if (!digits()) {
    return false;
  }
  if (here('.')) {
    ++at_;
    if (!digits()) return false;
  }
  if (here('e') || here('E')) {
    ++at_;
    if (here('+') || here('-')) ++at_;
    if (!digits()) return false;
  }
  return true;
}

bool JsonScanner::read_literal() {
  for (std::string_view literal : {"true", "false", "null"}) {
    if (text_.substr(at_, literal.size()) != literal) continue;
    at_ += literal.size();
    return true;
  }
  return false;
}

}  // namespace wend::recognise
