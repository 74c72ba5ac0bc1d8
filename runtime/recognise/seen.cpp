// SeenValues: a bounded set of values, with chains by their first word.
#include <algorithm>
#include <numeric>

#include "runtime/recognise/names.h"
#include "runtime/recognise/recognise.h"
#include "runtime/recognise/tokens.h"

namespace wend::recognise {
namespace {

// The JSON string's text: false if it has escapes, which values that users repeat hardly do.
bool plain_string(std::string_view json, std::string_view& text) {
  if (json.size() < 2 || json.front() != '"' || json.back() != '"') return false;
  text = json.substr(1, json.size() - 2);
  return text.find('\\') == std::string_view::npos;
}

bool plain_integer(std::string_view json) {
  if (json.size() < 3 || json.size() > 18) return false;
  return std::all_of(json.begin(), json.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

uint32_t SeenValues::find(std::string_view attribute, std::string_view text, bool integer, uint64_t key) const {
  for (uint32_t i = first(key); i != kNone; i = next(i)) {
    const Entry& entry = entries_[i];
    if (entry.text_view() == text && entry.attribute_view() == attribute && entry.integer == integer) return i;
  }
  return kNone;
}

// The number of a new entry: behind the others, or the oldest's, taken out of its chain.
uint32_t SeenValues::make_room() {
  if (entries_.size() < kMaxSeen) {
    entries_.emplace_back();
    return static_cast<uint32_t>(entries_.size() - 1);
  }
  const auto oldest =
      std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.age < b.age; });
  const auto number = static_cast<uint32_t>(oldest - entries_.begin());
  uint8_t* link = &heads_[bucket(oldest->first_key)];
  while (*link != number + 1) link = &entries_[*link - 1u].next;
  *link = oldest->next;
  return number;
}

void SeenValues::add(std::string_view attribute, std::string_view json) {
  std::string_view text = json;
  const bool integer = plain_integer(json);
  if (!integer && !plain_string(json, text)) return;
  if (text.size() < 2 || text.size() > kMaxText || attribute.size() > kMaxName) return;
  const uint64_t key = first_token_key(text);
  if (key == 0) return;
  const uint32_t known = find(attribute, text, integer, key);
  if (known != kNone) {
    entries_[known].age = ++clock_;
    return;
  }
  const uint32_t number = make_room();
  Entry& entry = entries_[number];
  attribute.copy(entry.attribute, attribute.size());
  text.copy(entry.text, text.size());
  entry.attribute_size = static_cast<uint8_t>(attribute.size());
  entry.text_size = static_cast<uint8_t>(text.size());
  entry.integer = integer;
  entry.first_key = key;
  entry.age = ++clock_;
  entry.name = name_keys(attribute);
  uint8_t& head = heads_[bucket(key)];
  entry.next = head;
  head = static_cast<uint8_t>(number + 1);
}

void SeenValues::clear() {
  entries_.clear();
  heads_.fill(0);
  clock_ = 0;
}

std::vector<uint32_t> SeenValues::by_age() const {
  std::vector<uint32_t> order(entries_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return entries_[a].age < entries_[b].age; });
  return order;
}

std::string SeenValues::json(const Entry& entry) {
  const std::string text(entry.text_view());
  return entry.integer ? text : '"' + text + '"';
}

}  // namespace wend::recognise
