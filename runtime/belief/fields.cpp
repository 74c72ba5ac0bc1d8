// Fields of one value, goals and the last action.
#include "runtime/belief/rows.h"
#include "runtime/belief/update.h"

namespace wend::belief {

void Update::set_symbol(uint32_t field, uint32_t symbol) {
  c_.state_field_symbol[field] =
      s_.kind(field) == FieldKind::text ? s_.kept_text(symbol, work_) : s_.kept_value(symbol, work_);
}

void Update::set_goal(uint32_t field, uint32_t text, uint32_t turn) {
  const uint32_t row = c_.state_field_symbol[field];
  c_.goal_text[row] = s_.kept_text(text, work_);
  c_.goal_turn[row] = turn == 0 ? s_.turn : turn;
}

void Update::copy_arguments(wend_span& to, const wend_span& from) {
  erase_all<WEND_TABLE_arg>(s_, to);
  const uint32_t count = from.end - from.begin;
  if (count == 0) return;
  const uint32_t first = append_rows<WEND_TABLE_arg>(s_, to, count);  // moves `from`, where it is behind
  for (uint32_t i = 0; i < count; ++i) {
    c_.arg_name[first + i] = c_.arg_name[from.begin + i];
    c_.arg_value[first + i] = s_.kept_value(c_.arg_value[from.begin + i], work_);
    c_.arg_param[first + i] = c_.arg_param[from.begin + i];
    c_.arg_place[first + i] = i;
  }
}

// The row of the action.
uint32_t Update::set_action(uint32_t field, uint32_t call) {
  const uint32_t row = s_.action_row(field);
  c_.state_field_symbol[field] = row;
  c_.action_tool[row] = c_.call_name[call];
  copy_arguments(c_.action_args[row], c_.call_args[call]);
  c_.action_result[row] = WEND_NONE;
  c_.action_error[row] = 0;
  c_.action_turn[row] = s_.turn;
  return row;
}

void Update::set_result(uint32_t field) {
  if (c_.result_call[0] == WEND_NONE) return;
  const uint32_t row = set_action(field, c_.result_call[0]);
  c_.action_result[row] = s_.kept_result(c_.result_text[0], work_);
  c_.action_error[row] = c_.result_error[0];
}

}  // namespace wend::belief
