// Overwriting, staleness and provenance of slots.
#include <algorithm>

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

// The slot of this parameter, WEND_NONE if there is none.
uint32_t Update::find_slot(const wend_span& slots, const Selection& selection) const {
  for (uint32_t row = slots.begin; row < slots.end; ++row) {
    if (c_.state_slot_tool[row] == selection.tool && c_.state_slot_param[row] == selection.param) return row;
  }
  return WEND_NONE;
}

// The row of `replaced` that holds the value; its end if none does.
uint32_t Update::find_replaced(const wend_span& replaced, uint32_t value) {
  const bool text = s_.tables.is_string(value), clock = text && recognise::is_clock(s_.tables.value_text(value));
  for (uint32_t at = replaced.begin; at < replaced.end; ++at) {
    const uint32_t other = c_.state_replaced_value[at];
    if (s_.tables.same(other, value)) return at;
    if (!text || !s_.tables.is_string(other)) continue;
    const std::string_view said = s_.tables.value_text(other);
    if (clock && recognise::is_clock(said)) continue;  // two of these mean the same only if they are the same
    if (recognise::same_moment(said, s_.tables.value_text(value), work_.scratch)) return at;
  }
  return replaced.end;
}

// A call that still has what was overwritten: the new value waits for a call that uses it.
bool Update::is_stale(uint32_t row, uint32_t value) {
  const wend_span& replaced = c_.state_slot_replaced[row];
  return c_.state_slot_used[row] == 0 && c_.state_slot_value[row] != WEND_NONE &&
         !same(c_.state_slot_value[row], value) && find_replaced(replaced, value) != replaced.end;
}

void Update::set_slot(wend_span& slots, const Selection& selection, uint32_t value, Old keep) {
  uint32_t row = find_slot(slots, selection);
  if (row == WEND_NONE) {
    row = append_rows<WEND_TABLE_state_slot>(s_, slots, 1);
    c_.state_slot_key[row] = s_.key_of(selection.tool, selection.param, work_);
    c_.state_slot_tool[row] = selection.tool;
    c_.state_slot_param[row] = selection.param;
    c_.state_slot_value[row] = WEND_NONE;
    keep_newest<WEND_TABLE_state_slot>(s_, slots, kMaxSlots);
    row = slots.end - 1;
  }
  const uint32_t old = c_.state_slot_value[row];
  if (old != WEND_NONE && same(old, value)) return;
  wend_span& replaced = c_.state_slot_replaced[row];
  if (keep == Old::stale && old != WEND_NONE && find_replaced(replaced, old) == replaced.end)
    c_.state_replaced_value[append_rows<WEND_TABLE_state_replaced>(s_, replaced, 1)] = old;
  if (const uint32_t back = find_replaced(replaced, value); back != replaced.end)
    erase_rows<WEND_TABLE_state_replaced>(s_, replaced, back, 1);
  keep_newest<WEND_TABLE_state_replaced>(s_, replaced, kMaxReplaced);
  c_.state_slot_value[row] = value;
  c_.state_slot_confirmed[row] = c_.state_slot_used[row] = 0;
  c_.state_slot_turn[row] = s_.turn;
}

void Update::overwrite(uint32_t field) {
  for (const Selection& selection : work_.selected) {
    if (selection.value == WEND_NONE) continue;
    set_slot(c_.state_field_items[field], selection, s_.kept_value(selection.value, work_), Old::stale);
  }
  work_.selected.clear();
}

void Update::confirm(uint32_t field) {
  wend_span& slots = c_.state_field_items[field];
  for (const Selection& selection : work_.selected) {
    if (selection.value == WEND_NONE) continue;
    const uint32_t value = s_.kept_value(selection.value, work_);
    uint32_t row = find_slot(slots, selection);
    if (row != WEND_NONE && is_stale(row, value)) continue;
    // A value that no call has used was read from the user's words, and wrongly if the call has another.
    const bool used = row != WEND_NONE && c_.state_slot_used[row] != 0;
    set_slot(slots, selection, value, used ? Old::stale : Old::dropped);
    row = find_slot(slots, selection);
    c_.state_slot_confirmed[row] = c_.state_slot_used[row] = 1;
  }
  give_back(slots);
  work_.selected.clear();
}

// A value of this turn's message that the call takes was said for the call: a slot of another tool that was thought to
// be meant gets back what it had.
void Update::give_back(wend_span& slots) {
  const auto taken = [&](uint32_t row) {
    return std::any_of(work_.selected.begin(), work_.selected.end(), [&](const Selection& selection) {
      return selection.value != WEND_NONE && selection.tool != c_.state_slot_tool[row] &&
             same(c_.state_slot_value[row], s_.kept_value(selection.value, work_));
    });
  };
  for (uint32_t row = slots.begin; row < slots.end;) {
    const bool said_now = c_.state_slot_turn[row] == s_.turn && c_.state_slot_used[row] == 0;
    if (!said_now || c_.state_slot_value[row] == WEND_NONE || !taken(row)) {
      ++row;
      continue;
    }
    wend_span& replaced = c_.state_slot_replaced[row];
    if (replaced.begin == replaced.end) {
      erase_rows<WEND_TABLE_state_slot>(s_, slots, row, 1);
      continue;
    }
    c_.state_slot_value[row] = c_.state_replaced_value[replaced.end - 1];
    c_.state_slot_confirmed[row] = c_.state_slot_used[row] = 1;
    erase_rows<WEND_TABLE_state_replaced>(s_, replaced, replaced.end - 1, 1);
    ++row;
  }
}

void Update::unconfirm(uint32_t field) {
  for (const Selection& selection : work_.selected) {
    if (selection.value == WEND_NONE) continue;
    const uint32_t row = find_slot(c_.state_field_items[field], selection);
    if (row == WEND_NONE || c_.state_slot_value[row] == WEND_NONE) continue;
    const uint32_t value = s_.kept_value(selection.value, work_);
    if (same(c_.state_slot_value[row], value)) c_.state_slot_confirmed[row] = 0;
  }
  work_.selected.clear();
}

}  // namespace wend::belief
