// Lists in the tables of a state: rows are put in and taken out where the list is.
#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/belief/state.h"

namespace wend::belief {

// Which table the items of a field are rows of; WEND_N_TABLES: it is no list.
constexpr int items_table(FieldKind kind) {
  switch (kind) {
    case FieldKind::slots:
      return WEND_TABLE_state_slot;
    case FieldKind::stack:
      return WEND_TABLE_goal;
    case FieldKind::queue:
      return WEND_TABLE_question;
    case FieldKind::objects:
      return WEND_TABLE_object;
    case FieldKind::references:
      return WEND_TABLE_reference;
    case FieldKind::texts:
    case FieldKind::values:
      return WEND_TABLE_state_item;
    default:
      return WEND_N_TABLES;
  }
}

// Calls visit(span) for every span of rows of `table`.
template <int table, class Visit>
void for_each_span(Dialogue::State& state, Visit&& visit) {
  Columns& c = state.tables.columns;
  if constexpr (table == WEND_TABLE_state_replaced) {
    for (wend_span& span : c.state_slot_replaced) visit(span);
  } else if constexpr (table == WEND_TABLE_arg) {
    for (wend_span& span : c.action_args) visit(span);
    for (wend_span& span : c.call_args) visit(span);
  } else {
    for (uint32_t field = 0; field < c.rows[WEND_TABLE_state_field]; ++field) {
      if (items_table(state.kind(field)) == table) visit(c.state_field_items[field]);
    }
    if constexpr (table == WEND_TABLE_state_slot) {
      for (wend_span& span : c.object_slots) visit(span);
      visit(state.found_slots);
    }
    if constexpr (table == WEND_TABLE_reference) visit(state.found_references);
  }
}

// `count` new zeroed rows at the end of a list; returns the first. `list` is where the state keeps the span.
template <int table>
uint32_t append_rows(Dialogue::State& state, wend_span& list, uint32_t count) {
  Columns& c = state.tables.columns;
  // An empty list may stand anywhere: it begins again at the end, where nothing has to move.
  if (list.begin == list.end) list = {c.rows[table], c.rows[table]};
  const uint32_t at = list.end;
  columns_internal::for_each<table>(c, [&](auto& column) {
    using Value = typename std::remove_reference_t<decltype(column)>::value_type;
    column.insert(column.begin() + at, count, Value{});
  });
  c.rows[table] += count;
  if constexpr (table == WEND_TABLE_object)
    state.object_texts.insert(state.object_texts.begin() + at, count, WEND_NONE);
  for_each_span<table>(state, [&](wend_span& span) {
    if (&span == &list) {
      span.end += count;
    } else if (span.begin >= at) {
      span.begin += count;
      span.end += count;
    }
  });
  return at;
}

// Takes rows out of a list, with what belongs to them.
template <int table>
void erase_rows(Dialogue::State& state, wend_span& list, uint32_t first, uint32_t count) {
  if (count == 0) return;
  Columns& c = state.tables.columns;
  if constexpr (table == WEND_TABLE_state_slot) {
    for (uint32_t row = first; row < first + count; ++row) {
      wend_span& replaced = c.state_slot_replaced[row];
      erase_rows<WEND_TABLE_state_replaced>(state, replaced, replaced.begin, replaced.end - replaced.begin);
    }
  }
  if constexpr (table == WEND_TABLE_object) {
    for (uint32_t row = first; row < first + count; ++row) {
      wend_span& slots = c.object_slots[row];
      erase_rows<WEND_TABLE_state_slot>(state, slots, slots.begin, slots.end - slots.begin);
    }
    state.object_texts.erase(state.object_texts.begin() + first, state.object_texts.begin() + first + count);
  }
  columns_internal::for_each<table>(
      c, [&](auto& column) { column.erase(column.begin() + first, column.begin() + first + count); });
  c.rows[table] -= count;
  const uint32_t end = first + count;
  for_each_span<table>(state, [&](wend_span& span) {
    if (&span == &list) {
      span.end -= count;
    } else if (span.begin >= end) {
      span.begin -= count;
      span.end -= count;
    }
  });
}

template <int table>
void erase_all(Dialogue::State& state, wend_span& list) {
  erase_rows<table>(state, list, list.begin, list.end - list.begin);
}

// The oldest rows beyond `most` leave.
template <int table>
void keep_newest(Dialogue::State& state, wend_span& list, uint32_t most) {
  const uint32_t size = list.end - list.begin;
  if (size > most) erase_rows<table>(state, list, list.begin, size - most);
}

}  // namespace wend::belief
