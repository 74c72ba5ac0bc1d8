#include "runtime/draft/reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>

#include "runtime/data/text.h"

namespace wend {
namespace {

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_sub_block(uint32_t names) { return names < kTheBlock; }
bool is_empty(wend_span span) { return span.begin == span.end; }

// ``` and perhaps the name of a language.
bool opens_fence(std::string_view text) {
  return text.starts_with("```") && std::all_of(text.begin() + 3, text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

}  // namespace

const DraftField* Draft::find(const DraftSubBlock& s, std::string_view name, uint32_t item) const {
  for (uint32_t i = s.fields.end; i-- > s.fields.begin;) {
    if (fields[i].item == item && !is_empty(fields[i].key) && key(s, fields[i]) == name) return &fields[i];
  }
  return nullptr;
}

const Draft& DraftReader::read(std::string_view text, bool continues) {
  clear(text);
  if (!begin_block(continues)) {
    note(DraftFault::no_block, {0, 0});
    return draft_;
  }
  draft_.found = true;
  if (!draft_.closed) read_block();
  if (!draft_.closed) {
    draft_.block.end = known_end_;
    note(DraftFault::unclosed_block, {known_end_, known_end_});
  }
  read_trailing();
  for (current_ = 0; current_ < shape_.size(); ++current_) {
    DraftSubBlock& s = draft_.sub_blocks[current_];
    if (is_empty(s.whole)) note(DraftFault::missing, s, {draft_.block.end, draft_.block.end});
  }
  return draft_;
}

void DraftReader::clear(std::string_view text) {
  draft_.text = text.substr(0, max_size_);
  draft_.found = draft_.closed = false;
  draft_.block = draft_.trailing = {};
  draft_.faults = {};
  draft_.sub_blocks.assign(shape_.size(), {});
  draft_.fields.clear();
  draft_.issues.clear();
  draft_.repaired.clear();
  at_ = known_end_ = furthest_ = text_from_ = 0;
  between_ = {};
  unknown_ = {};
  if (text.size() > max_size_) note(DraftFault::too_long, {size(), size()});
  if (simdjson::validate_utf8(draft_.text)) return;
  // Each byte that is none becomes a question mark, so that places stay what they are.
  text_.assign(draft_.text);
  for (size_t at = valid_utf8_prefix(text_); at < text_.size();
       at += 1 + valid_utf8_prefix(std::string_view(text_).substr(at + 1))) {
    note(DraftFault::not_utf8, {static_cast<uint32_t>(at), static_cast<uint32_t>(at + 1)});
    text_[at] = '?';
  }
  draft_.text = text_;
}

// Finds the opening tag, or the first sub-block where there is none.
bool DraftReader::begin_block(bool continues) {
  if (continues) return true;
  DraftTag tag, first;
  bool has_first = false, opened = false;
  for (uint32_t at = 0; !opened && next_tag(shape_, draft_.text, at, tag); at = tag.at.end) {
    opened = tag.names == kTheBlock && !tag.closes;
    if (!has_first && is_sub_block(tag.names) && !tag.closes) {
      has_first = true;
      first = tag;
    }
  }
  if (!opened && !has_first) return false;
  if (!opened) tag = first;
  draft_.block = tag.at;
  if (const wend_span before = trimmed(0, tag.at.begin); !is_empty(before)) {
    note(DraftFault::text_before_block, before);
  }
  if (opened) {
    note_spelling(tag, nullptr);
    at_ = tag.at.end;
    draft_.closed = tag.empty;
  } else {
    note(DraftFault::unopened_block, {tag.at.begin, tag.at.begin});
    at_ = tag.at.begin;
  }
  known_end_ = text_from_ = at_;
  return true;
}

// Up to the closing tag, or the end of the text.
void DraftReader::read_block() {
  DraftTag tag;
  while (expected_tag(tag) || next_tag(shape_, draft_.text, at_, tag)) {
    text_until(tag.at.begin);
    at_ = text_from_ = tag.at.end;
    if (tag.names == kUnknownTag) {
      other_tag(tag);
      continue;
    }
    commit_between();
    if (is_sub_block(tag.names) && !tag.closes) {
      read_sub_block(tag);
    } else {
      note_spelling(tag, nullptr);
      if (tag.closes && tag.names == kTheBlock) {
        draft_.closed = true;
        draft_.block.end = tag.at.end;
        return;
      }
      note(tag.closes ? DraftFault::stray_tag : DraftFault::nested_block, tag.at);
    }
    known_end_ = text_from_ = at_;
  }
}

// Nearly always the tag of the next sub-block stands next.
bool DraftReader::expected_tag(DraftTag& tag) const {
  if (furthest_ == shape_.size()) return false;
  const uint32_t at = skip_white(at_);
  const std::string_view name = shape_.sub_block(furthest_);
  const std::string_view rest = draft_.text.substr(at);
  if (rest.size() < name.size() + 2 || rest[0] != '<' || rest[name.size() + 1] != '>' ||
      rest.substr(1, name.size()) != name) {
    return false;
  }
  tag = {};
  tag.at = {at, at + static_cast<uint32_t>(name.size() + 2)};
  tag.names = furthest_;
  tag.name = name;
  return true;
}

void DraftReader::other_tag(const DraftTag& tag) {
  if (!unknown_.empty()) {
    if (!tag.closes || !same_tag_name(tag.name, unknown_)) return;
    unknown_ = {};
    between_.inside = false;
  } else if (!tag.closes) {
    if (!between_.unknown) between_.unknown_at = tag.at;
    between_.unknown = true;
    if (!tag.empty) unknown_ = tag.name;
  } else if (!between_.stray) {
    between_.stray = true;
    between_.stray_at = tag.at;
  }
}

void DraftReader::text_until(uint32_t end) {
  if (between_.text) return;
  const wend_span text = trimmed(text_from_, end);
  if (is_empty(text) || (!unknown_.empty() && between_.inside)) return;
  (unknown_.empty() ? between_.text : between_.inside) = true;
  (unknown_.empty() ? between_.text_at : between_.inside_at) = text;
}

void DraftReader::commit_between() {
  if (between_.inside && !between_.text) note(DraftFault::text_between, between_.inside_at);
  if (between_.text) note(DraftFault::text_between, between_.text_at);
  if (between_.unknown) note(DraftFault::unknown_block, between_.unknown_at);
  if (between_.stray) note(DraftFault::stray_tag, between_.stray_at);
  between_ = {};
  unknown_ = {};
}

void DraftReader::read_trailing() {
  draft_.trailing = trimmed(draft_.block.end, size());
  if (is_empty(draft_.trailing)) return;
  note(DraftFault::text_after_block, draft_.trailing);
  DraftTag tag;
  for (uint32_t at = draft_.block.end; known_tag(at, tag); at = tag.at.end) {
    note(tag.names == kTheBlock && !tag.closes ? DraftFault::repeated_block : DraftFault::stray_tag, tag.at);
  }
}

void DraftReader::read_sub_block(const DraftTag& open) {
  current_ = open.names;
  DraftSubBlock& kept = draft_.sub_blocks[current_];
  if (!is_empty(kept.whole)) {  // only how far it goes is of interest
    const size_t fields = draft_.fields.size(), repaired = draft_.repaired.size(), issues = draft_.issues.size();
    DraftSubBlock again;
    read_content(open, again);
    draft_.fields.resize(fields);
    draft_.repaired.resize(repaired);
    draft_.issues.resize(issues);
    at_ = again.whole.end;
    note(DraftFault::repeated, kept, again.whole);
    return;
  }
  if (open.names < furthest_) note(DraftFault::out_of_order, kept, open.at);
  furthest_ = std::max(furthest_, open.names + 1);
  note_spelling(open, &kept);
  kept.fields.begin = static_cast<uint32_t>(draft_.fields.size());
  read_content(open, kept);
  kept.fields.end = static_cast<uint32_t>(draft_.fields.size());
  at_ = kept.whole.end;
}

void DraftReader::read_content(const DraftTag& open, DraftSubBlock& out) {
  out.state = DraftState::unreadable;
  out.whole = open.at;
  out.json = {open.at.end, open.at.end};
  if (open.empty) {
    note(DraftFault::empty, out, open.at);
    return;
  }
  // JSON that is right may hold anything in its strings, even tags.
  const uint32_t first = skip_white(open.at.end);
  const size_t fields = draft_.fields.size();
  if (uint32_t end = 0; first < size() && (draft_.text[first] == '{' || draft_.text[first] == '[')) {
    if (scan_json(draft_.text, first, end, draft_.fields)) {
      read_valid(open, out, {first, end});
      return;
    }
    draft_.fields.resize(fields);
  }
  // Otherwise tags go first.
  DraftTag next;
  const bool any = known_tag(open.at.end, next);
  const bool closed = any && next.closes && is_sub_block(next.names);
  const wend_span content = trimmed(open.at.end, any ? next.at.begin : size());
  if (read_any(out, content)) {
    surroundings(out, content, closed);
    out.whole.end = out.json.end;
  } else if (closed) {
    out.json = content;
  }
  if (closed) {
    close(open, next, out);
  } else {
    note(DraftFault::unclosed, out, {out.whole.end, out.whole.end});
  }
}

// The sub-block begins with JSON.
void DraftReader::read_valid(const DraftTag& open, DraftSubBlock& out, wend_span json) {
  out.state = DraftState::valid;
  out.json = json;
  out.whole.end = json.end;
  if (bytes(json).find('\n') != std::string_view::npos) note(DraftFault::several_lines, out, json);
  DraftTag closing;
  if (!closing_tag(open.names, json.end, closing) &&
      (!known_tag(json.end, closing) || !closing.closes || !is_sub_block(closing.names))) {
    note(DraftFault::unclosed, out, {json.end, json.end});
    return;
  }
  const wend_span after = trimmed(json.end, closing.at.begin);
  if (!is_empty(after)) note(DraftFault::text_after_json, out, after);
  close(open, closing, out);
}

// Reads what JSON there is in the content; false if there is none.
bool DraftReader::read_any(DraftSubBlock& out, wend_span content) {
  if (is_empty(content)) {
    note(DraftFault::empty, out, content);
    return false;
  }
  const size_t bracket = bytes(content).find_first_of("{[");
  if (bracket == std::string_view::npos) {
    note(DraftFault::no_json, out, content);
    return false;
  }
  const uint32_t from = content.begin + static_cast<uint32_t>(bracket);
  const size_t fields = draft_.fields.size();
  uint32_t end = 0;
  if (scan_json(draft_.text.substr(0, content.end), from, end, draft_.fields)) {
    out.state = DraftState::valid;
    out.json = {from, end};
  } else {
    draft_.fields.resize(fields);
    repair(out, from, content.end);
  }
  if (bytes(out.json).find('\n') != std::string_view::npos) note(DraftFault::several_lines, out, out.json);
  return true;
}

void DraftReader::repair(DraftSubBlock& out, uint32_t from, uint32_t end) {
  out.made.begin = static_cast<uint32_t>(draft_.repaired.size());
  repair_.run(draft_.text.substr(0, end), from, draft_.repaired, draft_.fields, repaired_);
  out.made.end = static_cast<uint32_t>(draft_.repaired.size());
  out.state = repaired_.too_deep ? DraftState::unreadable : DraftState::repaired;
  out.json = {from, repaired_.end};
  for (unsigned i = 0; i < kDraftFaults; ++i) {
    const auto fault = static_cast<DraftFault>(i);
    if (repaired_.faults.has(fault)) note(fault, out, {repaired_.where[i], repaired_.where[i]});
  }
}

// What stands in the content around its JSON.
void DraftReader::surroundings(DraftSubBlock& out, wend_span content, bool closed) {
  const wend_span before = trimmed(content.begin, out.json.begin);
  const wend_span after = closed ? trimmed(out.json.end, content.end) : wend_span{content.end, content.end};
  if (opens_fence(bytes(before)) && (is_empty(after) || bytes(after) == "```")) {
    note(DraftFault::fenced, out, before);
    return;
  }
  if (!is_empty(before)) note(DraftFault::text_before_json, out, before);
  if (!is_empty(after)) note(DraftFault::text_after_json, out, after);
}

void DraftReader::close(const DraftTag& open, const DraftTag& closing, DraftSubBlock& out) {
  out.whole.end = closing.at.end;
  note_spelling(closing, &out);
  if (closing.names != open.names) note(DraftFault::mismatched_tag, out, closing.at);
}

// The sub-block's closing tag as it should be, next in the text.
bool DraftReader::closing_tag(uint32_t sub_block, uint32_t from, DraftTag& tag) const {
  const uint32_t at = skip_white(from);
  const std::string_view name = shape_.sub_block(sub_block);
  const std::string_view rest = draft_.text.substr(at);
  if (rest.size() < name.size() + 3 || !rest.starts_with("</") || rest[name.size() + 2] != '>' ||
      rest.substr(2, name.size()) != name) {
    return false;
  }
  tag = {};
  tag.at = {at, at + static_cast<uint32_t>(name.size() + 3)};
  tag.names = sub_block;
  tag.closes = true;
  return true;
}

bool DraftReader::known_tag(uint32_t from, DraftTag& tag) const {
  while (next_tag(shape_, draft_.text, from, tag)) {
    if (tag.names != kUnknownTag) return true;
    from = tag.at.end;
  }
  return false;
}

void DraftReader::note(DraftFault fault, wend_span at) {
  if (draft_.faults.add(fault)) draft_.issues.push_back({fault, kNoSubBlock, at});
}

void DraftReader::note(DraftFault fault, DraftSubBlock& sub_block, wend_span at) {
  if (!sub_block.faults.add(fault)) return;
  draft_.issues.push_back({fault, current_, at});
}

void DraftReader::note_spelling(const DraftTag& tag, DraftSubBlock* sub_block) {
  for (const auto& [is, fault] :
       {std::pair(tag.attributes, DraftFault::attributes), std::pair(tag.misspelled, DraftFault::tag_spelling)}) {
    if (!is) continue;
    if (sub_block != nullptr) {
      note(fault, *sub_block, tag.at);
    } else {
      note(fault, tag.at);
    }
  }
}

uint32_t DraftReader::skip_white(uint32_t at) const {
  while (at < draft_.text.size() && is_white(draft_.text[at])) ++at;
  return at;
}

wend_span DraftReader::trimmed(uint32_t begin, uint32_t end) const {
  while (begin < end && is_white(draft_.text[begin])) ++begin;
  while (end > begin && is_white(draft_.text[end - 1])) --end;
  return {begin, end};
}

}  // namespace wend
