#include "runtime/draft/shape.h"

#include <cstring>
#include <utility>

namespace wend {
namespace {

constexpr size_t kMaxTagName = 64;

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_byte(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// A name as tags compare them, of at most kMaxTagName bytes; empty if it is longer, or has other bytes than names and
// white space.
class FoldedName {
 public:
  explicit FoldedName(std::string_view name) {
    for (const char c : name) {
      if (c == '_' || c == '-' || is_white(c)) continue;
      if (!is_name_byte(c) || size_ == kMaxTagName) {
        size_ = 0;
        return;
      }
      bytes_[size_++] = lower(c);
    }
  }
  std::string_view view() const { return {bytes_, size_}; }

 private:
  char bytes_[kMaxTagName];
  size_t size_ = 0;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_white(text.back())) text.remove_suffix(1);
  return text;
}

// Fills in what `inside` (the text between < and >) says; false if that is no tag.
bool read_tag(const DraftShape& shape, std::string_view inside, DraftTag& tag) {
  const std::string_view slashed = trim(inside);
  if (slashed.empty()) return false;
  tag.closes = slashed.front() == '/';
  const std::string_view body = trim(tag.closes ? slashed.substr(1) : slashed);
  if (body.empty() || !is_letter(body.front())) return false;
  size_t size = 1;
  while (size < body.size() && is_name_byte(body[size])) ++size;
  tag.name = body.substr(0, size);
  const size_t before = static_cast<size_t>(body.data() - inside.data());
  const std::string_view behind = inside.substr(before + size);
  std::string_view rest = trim(behind);
  tag.empty = !tag.closes && !rest.empty() && rest.back() == '/';
  if (tag.empty) rest = trim(rest.substr(0, rest.size() - 1));
  tag.names = shape.find(tag.name);
  tag.attributes = !rest.empty();
  bool exact = tag.names != kUnknownTag && shape.name(tag.names) == tag.name && before == (tag.closes ? 1u : 0u);
  if (!tag.attributes) exact = exact && (behind.empty() || behind == "/" || behind == " /");
  if (tag.names == kUnknownTag && tag.attributes) {  // <Context Manager>
    const std::string_view whole = body.substr(0, static_cast<size_t>(rest.data() + rest.size() - body.data()));
    tag.names = shape.find(whole);
    if (tag.names != kUnknownTag) {
      tag.attributes = false;
      tag.name = whole;
    }
  }
  tag.misspelled = !exact;
  return true;
}

}  // namespace

DraftShape::DraftShape(std::string block, std::vector<std::string> sub_blocks)
    : block_(std::move(block)), sub_blocks_(std::move(sub_blocks)) {
  known_.push_back({std::string(FoldedName(block_).view()), kTheBlock});
  for (uint32_t i = 0; i < size(); ++i) known_.push_back({std::string(FoldedName(sub_blocks_[i]).view()), i});
}

DraftShape DraftShape::of(const RenderInfo& render, std::string block) {
  std::vector<std::string> names;
  for (const RenderBlockInfo& sub_block : render.blocks) names.push_back(sub_block.name);
  return {block.empty() ? render.name : std::move(block), std::move(names)};
}

const DraftShape& DraftShape::context_manager() {
  static const DraftShape shape("Context_Manager",
                                {"Current_User", "Overall_User_Task", "History_Relation", "Resolved_References",
                                 "Active_Objects", "Pending_Or_Interrupted_Tasks", "Task_Graph_For_Current_Turn",
                                 "Deferred_Tasks_After_Current_Turn", "Tool_Decision_Guide"});
  return shape;
}

uint32_t DraftShape::find(std::string_view name) const {
  const FoldedName folded(name);
  const std::string_view wanted = folded.view();
  if (wanted.empty()) return kUnknownTag;
  for (const Known& known : known_) {
    if (known.folded == wanted) return known.tag;
  }
  return kUnknownTag;
}

bool next_tag(const DraftShape& shape, std::string_view text, uint32_t from, DraftTag& tag) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin + from; at < end;) {
    at = static_cast<const char*>(std::memchr(at, '<', static_cast<size_t>(end - at)));
    if (at == nullptr) return false;
    const char* close = at + 1;
    while (close < end && *close != '>' && *close != '<') ++close;
    if (close < end && *close == '>') {
      tag = {};
      tag.at = {static_cast<uint32_t>(at - begin), static_cast<uint32_t>(close + 1 - begin)};
      if (read_tag(shape, {at + 1, static_cast<size_t>(close - at - 1)}, tag)) return true;
      ++close;
    }
    at = close;
  }
  return false;
}

bool same_tag_name(std::string_view a, std::string_view b) {
  const FoldedName x(a), y(b);
  return !x.view().empty() && x.view() == y.view();
}

}  // namespace wend
