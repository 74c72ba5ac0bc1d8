// Every symbol that a state holds.
#pragma once

#include <cstdint>

#include "runtime/belief/state.h"

namespace wend::belief {

// Calls text(row) and value(row) for each reference to a text or value, WEND_NONE among them, but for the event in hand
// and what recognition found (there is none: drop_event) and for object_texts.
template <class Text, class Value>
void for_each_symbol(Dialogue::State& state, Text&& text, Value&& value) {
  Columns& c = state.tables.columns;
  const auto texts = [&](std::vector<uint32_t>& column) {
    for (uint32_t& row : column) text(row);
  };
  const auto values = [&](std::vector<uint32_t>& column) {
    for (uint32_t& row : column) value(row);
  };
  for (uint32_t field = 0; field < state.fields(); ++field) {
    const FieldKind kind = state.kind(field);
    if (kind == FieldKind::text) text(c.state_field_symbol[field]);
    if (kind == FieldKind::json) value(c.state_field_symbol[field]);
    const wend_span items = c.state_field_items[field];
    for (uint32_t i = items.begin; i < items.end; ++i) {
      if (kind == FieldKind::texts) text(c.state_item_symbol[i]);
      if (kind == FieldKind::values) value(c.state_item_symbol[i]);
    }
  }
  texts(c.state_slot_key);
  texts(c.state_slot_tool);
  texts(c.state_slot_param);
  values(c.state_slot_value);
  values(c.state_replaced_value);
  texts(c.goal_text);
  for (uint32_t field = 0; field < state.fields(); ++field) {
    if (state.kind(field) != FieldKind::last || c.state_field_symbol[field] == WEND_NONE) continue;
    text(c.action_tool[c.state_field_symbol[field]]);
    text(c.action_result[c.state_field_symbol[field]]);
  }
  texts(c.question_text);
  texts(c.question_tool);
  texts(c.question_param);
  texts(c.object_id);
  texts(c.object_type);
  texts(c.object_status);
  texts(c.object_tool);
  texts(c.object_result);
  texts(c.reference_phrase);
  values(c.reference_value);
  texts(c.call_name);
  texts(c.arg_name);
  values(c.arg_value);
  for (OpenCall& call : state.calls) text(call.id);
}

}  // namespace wend::belief
