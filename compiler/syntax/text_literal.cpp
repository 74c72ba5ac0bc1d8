#include "compiler/syntax/text_literal.h"

#include <algorithm>

namespace wend::syntax {
namespace {

void append_utf8(std::string& out, uint32_t code) {
  const auto byte = [&](uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6), byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 0x3F)), byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 0x3F)), byte(0x80 | (code >> 6 & 0x3F)),
        byte(0x80 | (code & 0x3F));
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class Reader {
 public:
  Reader(const SourceSet& sources, Span span, bool holes, Diagnostics& diagnostics)
      : text_(sources.file(span.file).text), file_(span.file), holes_(holes), diagnostics_(diagnostics) {
    const bool is_long = sources.text(span).starts_with("\"\"\"") && span.end - span.begin >= 6;
    const uint32_t quotes = is_long ? 3 : 1;
    at_ = span.begin + quotes;
    end_ = span.end - quotes;
    if (is_long) trim();
  }

  std::vector<TextPiece> read() {
    begin_piece();
    if (indentation_ > 0 && starts_on_own_line_) skip_indentation();
    while (at_ < end_) {
      const char c = text_[at_];
      if (c == '\\') {
        escape();
      } else if (c == '{' && holes_) {
        hole();
      } else {
        ++at_;
        if (c == '\r' && at_ < end_ && text_[at_] == '\n') continue;  // a line ends in \n alone
        piece_.text += c;
        if (c == '\n') skip_indentation();
      }
    }
    end_piece();
    return std::move(pieces_);
  }

 private:
  // Leaves out the line ends at both quotes and finds the common indentation.
  void trim() {
    std::string_view body = text_.substr(at_, end_ - at_);
    size_t first = body.find_first_not_of(" \t\r");
    if (first != body.npos && body[first] == '\n') {
      at_ += static_cast<uint32_t>(first + 1);
      starts_on_own_line_ = true;
    }
    body = text_.substr(at_, end_ - at_);
    const size_t last = body.find_last_not_of(" \t");
    if (last != body.npos && body[last] == '\n') {
      end_ = at_ + static_cast<uint32_t>(last);
      if (end_ > at_ && text_[end_ - 1] == '\r') --end_;
    }
    size_t common = text_.size();
    bool line_begins = starts_on_own_line_;
    for (uint32_t i = at_; i < end_;) {
      const size_t line_end = std::min<size_t>(text_.find('\n', i), end_);
      const size_t content = text_.find_first_not_of(" \t\r", i);
      if (line_begins && content < line_end) common = std::min(common, content - i);
      line_begins = true;
      i = static_cast<uint32_t>(line_end + 1);
    }
    indentation_ = common == text_.size() ? 0 : common;
  }

  void skip_indentation() {
    for (size_t i = 0; i < indentation_ && at_ < end_ && (text_[at_] == ' ' || text_[at_] == '\t'); ++i) ++at_;
  }

  void escape() {
    const uint32_t begin = at_++;
    const char c = at_ < end_ ? text_[at_++] : '\0';
    switch (c) {
      case 'n':
        piece_.text += '\n';
        return;
      case 't':
        piece_.text += '\t';
        return;
      case 'r':
        piece_.text += '\r';
        return;
      case '"':
      case '\'':
      case '\\':
      case '{':
      case '}':
        piece_.text += c;
        return;
      case 'u':
        code_point(begin);
        return;
      default:
        break;
    }
    while (at_ < end_ && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;  // all of the character
    const std::string written(text_.substr(begin, at_ - begin));
    wrong({file_, begin, at_}, "no such escape: `" + written + "`", "for a backslash, write `\\\\`");
  }

  // \u{1F600}
  void code_point(uint32_t begin) {
    uint32_t code = 0, digits = 0;
    const bool braced = at_ < end_ && text_[at_] == '{';
    if (braced) ++at_;
    while (at_ < end_ && hex_digit(text_[at_]) >= 0 && digits < 8) {
      code = code * 16 + static_cast<uint32_t>(hex_digit(text_[at_++]));
      ++digits;
    }
    const bool closed = at_ < end_ && text_[at_] == '}';
    if (braced && closed) ++at_;
    const Span span{file_, begin, at_};
    if (!braced || !closed || digits == 0) {
      wrong(span, "a character by its number is `\\u{HEX}`", "for example `\\u{20AC}` for the euro sign");
    } else if (digits > 6 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      wrong(span, "no character has the number " + std::string(text_.substr(begin + 3, digits)),
            "numbers go up to 10FFFF, without D800 .. DFFF; write the character itself if you can");
    } else {
      append_utf8(piece_.text, code);
    }
  }

  void hole() {
    end_piece();
    const uint32_t begin = ++at_;
    size_t depth = 1;
    while (at_ < end_ && depth > 0) {
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}') --depth;
      ++at_;
    }
    const Span inside{file_, begin, depth == 0 ? at_ - 1 : at_};
    if (depth > 0) {
      diagnostics_.report(Kind::unclosed_bracket, {file_, begin - 1, begin}, "this hole has no `}`").help =
          "close it, or write `\\{` for a brace";
    } else if (text_.substr(begin, inside.end - begin).find_first_not_of(" \t\r\n") == std::string_view::npos) {
      diagnostics_.report(Kind::unexpected_token, {file_, begin - 1, at_}, "expected a value in this hole").help =
          "write `\\{` for a brace";
    } else {
      pieces_.push_back({true, "", inside});
    }
    begin_piece();
  }

  void begin_piece() { piece_ = {false, "", {file_, at_, at_}}; }
  void end_piece() {
    piece_.span.end = at_;
    if (!piece_.text.empty()) pieces_.push_back(piece_);
  }
  void wrong(Span span, std::string message, std::string help) {
    diagnostics_.report(Kind::bad_escape, span, std::move(message)).help = std::move(help);
  }

  const std::string_view text_;
  const uint32_t file_;
  const bool holes_;
  Diagnostics& diagnostics_;
  uint32_t at_ = 0, end_ = 0;
  size_t indentation_ = 0;
  bool starts_on_own_line_ = false;
  TextPiece piece_;
  std::vector<TextPiece> pieces_;
};

}  // namespace

std::string text_contents(const SourceSet& sources, Span span, Diagnostics& diagnostics) {
  std::vector<TextPiece> pieces = Reader(sources, span, false, diagnostics).read();
  return pieces.empty() ? std::string() : std::move(pieces.front().text);
}

std::vector<TextPiece> text_pieces(const SourceSet& sources, Span span, Diagnostics& diagnostics) {
  return Reader(sources, span, true, diagnostics).read();
}

}  // namespace wend::syntax
