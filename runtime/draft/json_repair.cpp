// JsonRepair (json_scan.h): one pass that writes JSON as it goes. Whatever is wrong is noted once, where it came first.
#include "runtime/draft/json_scan.h"

#include <algorithm>

#include "runtime/data/json_cursor.h"

namespace wend {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_white(char c) { return is_blank(c) || is_line_end(c); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

bool same_folded(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

bool is_number(std::string_view text) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  if (at < text.size() && text[at] == '-') ++at;
  const size_t first = at, whole = digits();
  if (whole == 0 || (whole > 1 && text[first] == '0')) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// The JSON literal that `text` is in any spelling; empty if it is none.
std::string_view literal_of(std::string_view text) {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (same_folded(text, word)) return word;
  }
  return same_folded(text, "none") ? "null" : std::string_view();
}

}  // namespace

void JsonRepair::note(DraftFault fault) {
  if (result_->faults.add(fault)) result_->where[static_cast<unsigned>(fault)] = at_;
}

void JsonRepair::skip_white() {
  while (at_ < text_.size() && is_white(text_[at_])) ++at_;
}

void JsonRepair::run(std::string_view text, uint32_t from, std::string& out, std::vector<DraftField>& fields,
                     Result& result) {
  text_ = text;
  at_ = from;
  out_ = &out;
  fields_ = &fields;
  result_ = &result;
  result.faults = {};
  result.truncated = result.too_deep = false;
  open_.clear();
  objects_ = 0;
  list_ = text[from] == '[';
  item_ = 0;
  const size_t first_byte = out.size();
  first_field_ = fields.size();
  enter(text[from]);
  while (!open_.empty() && !result.too_deep) {
    skip_white();
    if (at_ == text_.size()) {
      note(DraftFault::truncated);
      result.truncated = true;
      while (!open_.empty()) leave();
    } else {
      item();
    }
  }
  result.end = at_;
  if (result.too_deep) {
    note(DraftFault::too_deep);
    result.end = static_cast<uint32_t>(text_.size());
    out.resize(first_byte);
    fields.resize(first_field_);
  }
}

void JsonRepair::enter(char open) {
  if (open_.size() == kMaxJsonDepth) {
    result_->too_deep = true;
    return;
  }
  const bool object = open == '{';
  open_.push_back(object ? '}' : ']');
  objects_ += object;
  out_->push_back(open);
  ++at_;
  after_value_ = after_comma_ = false;
  fresh_ = true;
}

// Closes the container in hand, which ends where at_ is.
void JsonRepair::leave() {
  out_->push_back(open_.back());
  objects_ -= in_object();
  open_.pop_back();
  after_value_ = true;
  after_comma_ = fresh_ = false;
  if (!open_.empty()) end_value();
}

void JsonRepair::bracket(char closing) {
  if (!after_value_ && after_comma_) note(DraftFault::extra_comma);
  const size_t matching = closing == '}' ? objects_ : open_.size() - objects_;
  if (matching == 0) {
    note(DraftFault::unbalanced);
    ++at_;
    return;
  }
  if (open_.back() != closing) note(DraftFault::unbalanced);
  while (open_.back() != closing) leave();
  ++at_;
  leave();
}

// One step at a character that is not white.
void JsonRepair::item() {
  const char c = text_[at_];
  if (c == '}' || c == ']') {
    bracket(c);
  } else if (c == ',') {
    if (!after_value_) note(DraftFault::extra_comma);
    ++at_;
    after_value_ = false;
    after_comma_ = true;
  } else if (c == ':') {
    note(DraftFault::unexpected);
    ++at_;
  } else if (in_object() && (c == '{' || c == '[')) {
    note(DraftFault::unbalanced);
    ++at_;
  } else {
    if (after_value_) note(DraftFault::missing_comma);
    const size_t before = out_->size();
    const bool was_fresh = fresh_;
    if (!fresh_) out_->push_back(',');
    fresh_ = after_comma_ = after_value_ = false;
    if (in_object() && !member()) {
      out_->resize(before);
      fresh_ = was_fresh;
      return;
    }
    if (!after_value_) value();
  }
}

// A key and its colon; false if the text ends before its value. Where it has no value, null is written.
bool JsonRepair::member() {
  begin_key();
  const size_t fields = fields_->size();
  if (text_[at_] == '"' || text_[at_] == '\'') {
    string();
  } else {
    note(DraftFault::unquoted);
    put_string(bare_text(true));
  }
  end_key();
  skip_white();
  bool colon = false;
  while (at_ < text_.size() && text_[at_] == ':') {
    if (colon) note(DraftFault::unexpected);
    colon = true;
    ++at_;
    skip_white();
  }
  if (at_ == text_.size()) {
    if (on_top()) fields_->resize(fields - 1);
    return false;
  }
  out_->push_back(':');
  const char c = text_[at_];
  if (!colon || c == ',' || c == '}' || c == ']') {
    note(DraftFault::missing_value);
    begin_value();
    out_->append("null");
    end_value();
    after_value_ = true;
  }
  return true;
}

void JsonRepair::value() {
  begin_value();
  const char c = text_[at_];
  if (c == '{' || c == '[') {
    enter(c);
    return;
  }
  if (c == '"' || c == '\'') {
    string();
  } else {
    bare_value();
  }
  end_value();
  after_value_ = true;
}

// Whether the quote at at_ ends its string: a separator, the end of the line or of the text follows.
bool JsonRepair::ends_string() const {
  size_t next = at_ + size_t{1};
  while (next < text_.size() && is_blank(text_[next])) ++next;
  if (next == text_.size()) return true;
  const char c = text_[next];
  return c == ',' || c == ':' || c == '}' || c == ']' || is_line_end(c);
}

void JsonRepair::string() {
  const char quote = text_[at_];
  if (quote == '\'') note(DraftFault::single_quotes);
  ++at_;
  out_->push_back('"');
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == quote) {
      if (ends_string()) {
        ++at_;
        out_->push_back('"');
        return;
      }
      note(DraftFault::inner_quote);
    }
    if (c == '\\') {
      escape();
    } else {
      if (is_control(c)) note(DraftFault::raw_control);
      put_char(c);
      ++at_;
    }
  }
  note(DraftFault::truncated);
  result_->truncated = true;
  out_->push_back('"');
}

// A backslash and, if it begins an escape of JSON, the rest of that.
void JsonRepair::escape() {
  const std::string_view rest = text_.substr(at_ + size_t{1});
  if (rest.empty()) {
    ++at_;  // cut off
    return;
  }
  if (const size_t size = json_escape_size(rest); size > 0) {
    out_->append(text_.substr(at_, size + 1));
    at_ += static_cast<uint32_t>(size + 1);
    return;
  }
  note(DraftFault::bad_escape);
  if (rest[0] == '\'') {
    out_->push_back('\'');
    at_ += 2;
  } else {
    out_->append("\\\\");
    ++at_;
  }
}

// A character of a string.
void JsonRepair::put_char(char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  if (is_control(c)) {
    out_->append("\\u00");
    out_->push_back(kHex[static_cast<unsigned char>(c) >> 4]);
    out_->push_back(kHex[static_cast<unsigned char>(c) & 15]);
  } else {
    if (c == '"') out_->push_back('\\');
    out_->push_back(c);
  }
}

// Text without quotes: up to a separator, a string or the end of the line.
std::string_view JsonRepair::bare_text(bool key) {
  const uint32_t from = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ',' || c == '}' || c == ']' || c == '"' || is_line_end(c) || (key && c == ':')) break;
    ++at_;
  }
  std::string_view text = text_.substr(from, at_ - from);
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
    --at_;
  }
  return text;
}

void JsonRepair::bare_value() {
  const uint32_t from = at_;
  const std::string_view text = bare_text(false);
  const uint32_t end = at_;
  at_ = from;  // where a fault is
  if (const std::string_view word = literal_of(text); !word.empty()) {
    if (text != word) note(DraftFault::python_literal);
    out_->append(word);
  } else if (is_number(text)) {
    out_->append(text);
  } else {
    note(DraftFault::unquoted);
    put_string(text);
  }
  at_ = end;
}

void JsonRepair::put_string(std::string_view text) {
  out_->push_back('"');
  for (const char c : text) {
    if (c == '\\') out_->push_back('\\');
    put_char(c);
  }
  out_->push_back('"');
}

void JsonRepair::begin_key() {
  if (!on_top()) return;
  DraftField& field = fields_->emplace_back();
  field.item = open_.size() == 2 ? item_ : WEND_NONE;
  field.key.begin = at_;
  field.json_key.begin = static_cast<uint32_t>(out_->size());
}

void JsonRepair::end_key() {
  if (!on_top()) return;
  fields_->back().key.end = at_;
  fields_->back().json_key.end = static_cast<uint32_t>(out_->size());
}

void JsonRepair::begin_value() {
  if (open_.size() == 1 && list_) {
    if (text_[at_] == '{') return;  // its members are what is noted
    fields_->emplace_back().item = item_;
  }
  if (!on_top()) return;
  fields_->back().value = {at_, at_};
  fields_->back().json_value.begin = static_cast<uint32_t>(out_->size());
}

void JsonRepair::end_value() {
  if (!on_top()) return;
  if (open_.size() == 1 && list_) {
    const uint32_t item = item_++;
    if (fields_->size() == first_field_) return;
    const DraftField& last = fields_->back();
    if (last.item != item || last.key.begin != last.key.end) return;
  }
  fields_->back().value.end = at_;
  fields_->back().json_value.end = static_cast<uint32_t>(out_->size());
}

}  // namespace wend
