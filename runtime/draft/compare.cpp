#include "runtime/draft/compare.h"

#include <algorithm>

namespace wend {

DraftComparer::DraftComparer(const DraftShape& shape)
    : size_(shape.size()),
      user_(shape.find("Current_User")),
      task_(shape.find("Overall_User_Task")),
      relation_(shape.find("History_Relation")),
      graph_(shape.find("Task_Graph_For_Current_Turn")),
      guide_(shape.find("Tool_Decision_Guide")) {}

const DraftComparison& DraftComparer::compare(const Draft& draft, const Draft& oracle) {
  values_.clear();
  texts_.clear();
  columns_.clear();
  match_sub_blocks(draft, oracle);
  active(draft, drafted_);
  active(oracle, expected_);
  result_.slots = count(drafted_, expected_);
  stale(draft, drafted_);
  stale(oracle, expected_);
  result_.stale = count(drafted_, expected_);
  result_.goal = same_member(draft, oracle, task_, "full_intent");
  result_.intent = same_member(draft, oracle, user_, "intent_type");
  result_.relation = same_member(draft, oracle, relation_, "relation_to_history");
  return result_;
}

void DraftComparer::match_sub_blocks(const Draft& draft, const Draft& oracle) {
  result_.sub_blocks.clear();
  for (uint32_t i = 0; i < size_; ++i) {
    const DraftSubBlock* expected = readable(oracle, i);
    if (expected == nullptr) continue;
    SubBlockMatch match{i};
    if (const DraftSubBlock* drafted = readable(draft, i)) {
      match.readable = true;
      const uint32_t a = value_of(draft.json(*drafted)), b = value_of(oracle.json(*expected));
      match.exact = a == b && a != kUnequal;
      match.loose = loosely_equal(a, b);
    }
    result_.sub_blocks.push_back(match);
  }
}

// nullptr if it is not there or cannot be read.
const DraftSubBlock* DraftComparer::readable(const Draft& draft, uint32_t sub_block) const {
  if (sub_block >= draft.sub_blocks.size()) return nullptr;
  const DraftSubBlock& s = draft.sub_block(sub_block);
  return s.readable() ? &s : nullptr;
}

bool DraftComparer::has_key(const Draft& draft, const DraftSubBlock& s, const DraftField& field,
                            std::string_view name) {
  const std::string_view key = draft.key(s, field);
  if (key.find('\\') == std::string_view::npos) return key == name;
  std::string quoted = "\"";
  quoted.append(key).push_back('"');
  return values_.ReadText(quoted) == values_.string(name);
}

// The last member `name` of the sub-block's object; nullptr if there is none.
const DraftField* DraftComparer::member(const Draft& draft, uint32_t sub_block, std::string_view name) {
  const DraftSubBlock* s = readable(draft, sub_block);
  if (s == nullptr) return nullptr;
  for (uint32_t i = s->fields.end; i-- > s->fields.begin;) {
    const DraftField& field = draft.fields[i];
    if (field.item == WEND_NONE && has_key(draft, *s, field, name)) return &field;
  }
  return nullptr;
}

uint32_t DraftComparer::value_of(std::string_view json) {
  const uint32_t row = values_.ReadText(json);
  return row == WEND_NONE ? kUnequal : row;  // a number that no double can hold
}

bool DraftComparer::loosely_equal(uint32_t a, uint32_t b) const {
  return a < kUnequal && b < kUnequal && columns_.value_folded[a] == columns_.value_folded[b];
}

// A member that is not there is null, but only where its sub-block is.
bool DraftComparer::same_member(const Draft& draft, const Draft& oracle, uint32_t sub_block, std::string_view name) {
  if (readable(draft, sub_block) == nullptr || readable(oracle, sub_block) == nullptr) return false;
  const auto value = [&](const Draft& of) {
    const DraftField* field = member(of, sub_block, name);
    return value_of(field ? of.value(of.sub_block(sub_block), *field) : std::string_view("null"));
  };
  const uint32_t drafted = value(draft);
  return loosely_equal(drafted, value(oracle));
}

// The items of a list member; what is neither a list nor null is one item.
void DraftComparer::add_keys(const Draft& draft, uint32_t sub_block, std::string_view name, Slots& out) {
  const DraftField* field = member(draft, sub_block, name);
  if (field == nullptr) return;
  const std::string_view json = draft.value(draft.sub_block(sub_block), *field);
  const auto add = [&](std::string_view key) {
    if (const uint32_t row = values_.ReadText(key); row != WEND_NONE) out.push_back({row, kNoValue});
  };
  if (json == "null") return;
  if (json[0] != '[') return add(json);
  if (index_.build(buffer_.copy(json)) != nullptr) return;
  Cursor cursor = index_.all();
  cursor.enter_array();
  while (cursor.next_element()) add(cursor.raw());
}

// The arguments of each task; of the object itself where it stands in place of the list.
void DraftComparer::add_arguments(const Draft& draft, Slots& out) {
  const DraftSubBlock* s = readable(draft, graph_);
  if (s == nullptr) return;
  const DraftField* last = nullptr;  // of the task in hand: of equal keys the last counts
  for (uint32_t i = s->fields.begin; i < s->fields.end; ++i) {
    const DraftField& field = draft.fields[i];
    if (last != nullptr && last->item != field.item) {
      add_members(draft.value(*s, *last), out);
      last = nullptr;
    }
    if (has_key(draft, *s, field, "arguments")) last = &field;
  }
  if (last != nullptr) add_members(draft.value(*s, *last), out);
}

void DraftComparer::add_members(std::string_view json, Slots& out) {
  if (json[0] != '{' || index_.build(buffer_.copy(json)) != nullptr) return;
  Cursor cursor = index_.all();
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    const uint32_t row = values_.string(key);
    out.push_back({row, value_of(cursor.raw())});
  }
}

// One of each key, in order; of equal keys the last.
void DraftComparer::keep_last(Slots& slots) {
  std::reverse(slots.begin(), slots.end());
  std::stable_sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.key < b.key; });
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

void DraftComparer::active(const Draft& draft, Slots& out) {
  out.clear();
  add_keys(draft, relation_, "inherit_slots", out);
  add_arguments(draft, out);
  keep_last(out);
}

void DraftComparer::stale(const Draft& draft, Slots& out) {
  out.clear();
  add_keys(draft, relation_, "override_slots", out);
  add_keys(draft, guide_, "must_override_arguments", out);
  keep_last(out);
}

DraftCounts DraftComparer::count(const Slots& drafted, const Slots& expected) const {
  DraftCounts counts{static_cast<uint32_t>(drafted.size()), static_cast<uint32_t>(expected.size()), 0};
  auto d = drafted.begin();
  for (const Slot& e : expected) {
    while (d != drafted.end() && d->key < e.key) ++d;
    if (d == drafted.end() || d->key != e.key) continue;
    counts.right += e.value == kNoValue || loosely_equal(d->value, e.value);
  }
  return counts;
}

}  // namespace wend
