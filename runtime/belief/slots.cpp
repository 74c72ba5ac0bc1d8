// Overwriting, staleness and provenance of slots.
#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/belief/update.h"

namespace wend::belief {

// The same value: loosely equal, or one date or time in two forms.
bool Update::same(uint32_t a, uint32_t b) {
  if (s_.tables.same(a, b)) return true;
  return s_.tables.is_string(a) && s_.tables.is_string(b) &&
         recognise::same_moment(s_.tables.value_text(a), s_.tables.value_text(b), work_.scratch);
}

// The slot of this parameter, WEND_NONE if there is none; then `key` is the key that it would have.
uint32_t Update::find_slot(const wend_span& slots, const Selection& selection, uint32_t& key) {
  for (uint32_t row = slots.begin; row < slots.end; ++row) {
    if (c_.state_slot_tool[row] == selection.tool && c_.state_slot_param[row] == selection.param) return row;
  }
  key = s_.key_of(selection.tool, selection.param, work_);
  for (uint32_t row = slots.begin; row < slots.end; ++row) {
    if (c_.state_slot_key[row] == key) return row;  // the same key from other parts: a.b and c, a and b.c
  }
  return WEND_NONE;
}

// The slot that holds the value now.
uint32_t Update::set_slot(uint32_t field, const Selection& selection) {
  wend_span& slots = c_.state_field_items[field];
  const uint32_t value = s_.kept_value(selection.value, work_);
  uint32_t key = WEND_NONE, row = find_slot(slots, selection, key);
  if (row == WEND_NONE) {
    row = append_rows<WEND_TABLE_state_slot>(s_, slots, 1);
    c_.state_slot_key[row] = key;
    c_.state_slot_tool[row] = selection.tool;
    c_.state_slot_param[row] = selection.param;
    c_.state_slot_value[row] = WEND_NONE;
    keep_newest<WEND_TABLE_state_slot>(s_, slots, kMaxSlots);
    row = slots.end - 1;
  }
  const uint32_t old = c_.state_slot_value[row];
  if (old != WEND_NONE && same(old, value)) return row;
  wend_span& replaced = c_.state_slot_replaced[row];
  const auto find = [&](uint32_t wanted) {
    uint32_t at = replaced.begin;
    while (at < replaced.end && !same(c_.state_replaced_value[at], wanted)) ++at;
    return at;
  };
  if (old != WEND_NONE && find(old) == replaced.end)
    c_.state_replaced_value[append_rows<WEND_TABLE_state_replaced>(s_, replaced, 1)] = old;
  if (const uint32_t back = find(value); back != replaced.end)
    erase_rows<WEND_TABLE_state_replaced>(s_, replaced, back, 1);
  keep_newest<WEND_TABLE_state_replaced>(s_, replaced, kMaxReplaced);
  c_.state_slot_value[row] = value;
  c_.state_slot_confirmed[row] = 0;
  c_.state_slot_turn[row] = s_.turn;
  return row;
}

void Update::overwrite(uint32_t field, bool confirm) {
  for (const Selection& selection : work_.selected) {
    if (selection.value != WEND_NONE) set_slot(field, selection);
  }
  if (confirm) {
    for (const Selection& selection : work_.selected) {
      uint32_t key;
      const uint32_t row = find_slot(c_.state_field_items[field], selection, key);
      if (row != WEND_NONE && selection.value != WEND_NONE) c_.state_slot_confirmed[row] = 1;
    }
  }
  work_.selected.clear();
}

void Update::unconfirm(uint32_t field) {
  for (const Selection& selection : work_.selected) {
    if (selection.value == WEND_NONE) continue;
    uint32_t key;
    const uint32_t row = find_slot(c_.state_field_items[field], selection, key);
    if (row == WEND_NONE || c_.state_slot_value[row] == WEND_NONE) continue;
    const uint32_t value = s_.kept_value(selection.value, work_);
    if (same(c_.state_slot_value[row], value)) c_.state_slot_confirmed[row] = 0;
  }
  work_.selected.clear();
}

}  // namespace wend::belief
