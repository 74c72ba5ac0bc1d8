#include "runtime/data/python_literal.h"

#include <utf8proc.h>

#include <cstdint>

#include "runtime/data/number.h"
#include "runtime/data/text.h"

namespace wend {
namespace {

constexpr int kMaxDepth = 64;

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<signed char>(c) < 0;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  bool take(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool Value(std::string& json, int depth = 0) {
    if (depth > kMaxDepth) return false;
    skip_space();
    if (at_ == text_.size()) return false;
    switch (text_[at_]) {
      case '{':
        return dict(json, depth);
      case '[':
        ++at_;
        return Items(']', json, depth);
      case '(':
        ++at_;
        return tuple(json, depth);
      case '\'':
      case '"':
        return strings(json);
      default:
        return scalar(json);
    }
  }

  // A dotted name, for calls.
  bool Name(std::string& name) {
    skip_space();
    const size_t from = at_;
    while (at_ < text_.size() && (is_name_byte(text_[at_]) || text_[at_] == '.' || text_[at_] == '-')) ++at_;
    name.assign(text_.substr(from, at_ - from));
    return !name.empty();
  }

  // "name =", but not "name =="; stays where it is otherwise.
  bool keyword(std::string& name) {
    skip_space();
    const size_t from = at_;
    while (at_ < text_.size() && is_name_byte(text_[at_])) ++at_;
    const size_t to = at_;
    if (to > from && !(text_[from] >= '0' && text_[from] <= '9') && take('=') &&
        (at_ == text_.size() || text_[at_] != '=')) {
      name.assign(text_.substr(from, to - from));
      return true;
    }
    at_ = from;
    return false;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) ++at_;
  }

  // Items up to `close`, as a JSON list. `comma`: tells whether one was seen (what makes a tuple of one).
  bool Items(char close, std::string& json, int depth, bool* comma = nullptr) {
    json.push_back('[');
    for (bool first = true;; first = false) {
      if (take(close)) break;
      if (!first) {
        if (!take(',')) return false;
        if (comma) *comma = true;
        if (take(close)) break;
        json.push_back(',');
      }
      if (!Value(json, depth + 1)) return false;
    }
    json.push_back(']');
    return true;
  }

  // (1, 2) is a list; (1) is 1.
  bool tuple(std::string& json, int depth) {
    std::string items;
    bool comma = false;
    if (!Items(')', items, depth, &comma)) return false;
    if (comma || items == "[]") {
      json.append(items);
    } else {
      json.append(items, 1, items.size() - 2);
    }
    return true;
  }

  bool dict(std::string& json, int depth) {
    ++at_;
    json.push_back('{');
    for (bool first = true;; first = false) {
      if (take('}')) break;
      if (!first) {
        if (!take(',')) return false;
        if (take('}')) break;
        json.push_back(',');
      }
      std::string key;
      skip_space();
      if (!Value(key, depth + 1) || !take(':')) return false;
      if (key[0] == '"') {
        json.append(key);
      } else {
        append_json_string(key, json);  // {1: 'a'} -> {"1": "a"}
      }
      json.push_back(':');
      if (!Value(json, depth + 1)) return false;
    }
    json.push_back('}');
    return true;
  }

  // One string or several side by side, which Python joins.
  bool strings(std::string& json) {
    std::string text;
    do {
      if (!string(text)) return false;
      skip_space();
    } while (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"'));
    append_json_string(text, json);
    return true;
  }

  bool string(std::string& out) {
    const char quote = text_[at_];
    const bool triple = text_.substr(at_).starts_with(std::string(3, quote));
    at_ += triple ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote && (!triple || text_.substr(at_).starts_with(std::string(3, quote)))) {
        at_ += triple ? 3 : 1;
        return true;
      }
      if (c != '\\') {
        out.push_back(c);
        ++at_;
      } else if (!Escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool Escape(std::string& out) {
    if (++at_ == text_.size()) return false;
    const char c = text_[at_++];
    switch (c) {
      case 'n':
        out.push_back('\n');
        return true;
      case 't':
        out.push_back('\t');
        return true;
      case 'r':
        out.push_back('\r');
        return true;
      case 'b':
        out.push_back('\b');
        return true;
      case 'f':
        out.push_back('\f');
        return true;
      case '0':
        out.push_back('\0');
        return true;
      case '\\':
      case '\'':
      case '"':
      case '/':
        out.push_back(c);
        return true;
      case '\n':
        return true;
      case 'x':
        return hex(2, out);
      case 'u':
        return hex(4, out);
      case 'U':
        return hex(8, out);
      default:  // not an escape: Python keeps both
        out.push_back('\\');
        out.push_back(c);
        return true;
    }
  }

  bool Digits(size_t from, int count, uint32_t& value) const {
    if (text_.size() < from + static_cast<size_t>(count)) return false;
    value = 0;
    for (int i = 0; i < count; ++i) {
      const char c = text_[from + static_cast<size_t>(i)];
      const char low = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        value = value << 4 | static_cast<uint32_t>(c - '0');
      } else if (low >= 'a' && low <= 'f') {
        value = value << 4 | static_cast<uint32_t>(low - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  bool hex(int count, std::string& out) {
    uint32_t c, low;
    if (!Digits(at_, count, c)) return false;
    at_ += static_cast<size_t>(count);
    if (c >= 0xD800 && c < 0xDC00 && text_.substr(at_).starts_with("\\u") && Digits(at_ + 2, 4, low) && low >= 0xDC00 &&
        low < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      at_ += 6;
    }
    if ((c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) c = 0xFFFD;
    utf8proc_uint8_t bytes[4];
    const auto n = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
    out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(n));
    return true;
  }

  bool scalar(std::string& json) {
    const size_t from = at_;
    while (at_ < text_.size() &&
           (is_name_byte(text_[at_]) || text_[at_] == '.' || text_[at_] == '+' || text_[at_] == '-')) {
      ++at_;
    }
    const std::string_view token = text_.substr(from, at_ - from);
    if (token == "True" || token == "true") return Put("true", json);
    if (token == "False" || token == "false") return Put("false", json);
    if (token == "None" || token == "null") return Put("null", json);
    return number_token(token, json);
  }

  // JSON numbers, and what Python allows besides: 1_000, .5, 5., +3.
  static bool number_token(std::string_view token, std::string& json) {
    std::string digits;
    for (size_t i = 0; i < token.size(); ++i) {
      if (token[i] == '_' && i > 0) continue;
      if (token[i] == '+' && i == 0) continue;
      if (token[i] == '.' && (digits.empty() || digits == "-")) digits.push_back('0');
      digits.push_back(token[i]);
      const bool more = i + 1 < token.size() && token[i + 1] >= '0' && token[i + 1] <= '9';
      if (token[i] == '.' && !more) digits.push_back('0');
    }
    std::string canonical;
    Number number;
    return canonical_number(digits, canonical, number) && Put(digits, json);
  }

  static bool Put(std::string_view token, std::string& json) {
    json.append(token);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

bool python_literal_to_json(std::string_view text, std::string& json) {
  Parser parser(text);
  return parser.Value(json) && parser.at_end();
}

bool read_python_call(std::string_view text, PythonCall& call) {
  call.arguments.clear();
  Parser parser(text);
  if (!parser.Name(call.name) || !parser.take('(')) return false;
  for (bool first = true; !parser.take(')'); first = false) {
    if (!first) {
      if (!parser.take(',')) return false;
      if (parser.take(')')) break;
    }
    PythonArgument argument;
    parser.keyword(argument.name);
    if (!parser.Value(argument.json)) return false;
    call.arguments.push_back(std::move(argument));
  }
  return parser.at_end();
}

}  // namespace wend
