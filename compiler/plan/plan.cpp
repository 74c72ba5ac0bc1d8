#include "compiler/plan/plan.h"

#include <cassert>

namespace wend::plan {

// Tables whose rows belong to values or texts (accepted of made calls, leaf, value, text) are reached through them, not
// through a trace.
std::vector<uint32_t> rows_of(uint32_t table, bool gold) {
  const uint32_t calls = gold ? WEND_COLUMN_trace_gold_calls : WEND_COLUMN_trace_calls;
  switch (table) {
    case WEND_TABLE_trace:
      return {};
    case WEND_TABLE_turn:
      return {WEND_COLUMN_trace_turns};
    case WEND_TABLE_turn_missing:
      return {WEND_COLUMN_trace_turns, WEND_COLUMN_turn_missing};
    case WEND_TABLE_slot:
      return {WEND_COLUMN_trace_turns, WEND_COLUMN_turn_slots};
    case WEND_TABLE_message:
      return {WEND_COLUMN_trace_messages};
    case WEND_TABLE_call:
      return {calls};
    case WEND_TABLE_arg:
      return {calls, WEND_COLUMN_call_args};
    case WEND_TABLE_accepted:
      return {calls, WEND_COLUMN_call_args, WEND_COLUMN_arg_accepted};
    case WEND_TABLE_tool:
      return {WEND_COLUMN_trace_pool};
    case WEND_TABLE_param:
      return {WEND_COLUMN_trace_pool, WEND_COLUMN_tool_params};
    case WEND_TABLE_choice:
      return {WEND_COLUMN_trace_pool, WEND_COLUMN_tool_params, WEND_COLUMN_param_choices};
    case WEND_TABLE_chain:
      return {WEND_COLUMN_trace_chains};
    case WEND_TABLE_link:
      return {WEND_COLUMN_trace_chains, WEND_COLUMN_chain_links};
    case WEND_TABLE_need:
      return {WEND_COLUMN_trace_chains, WEND_COLUMN_chain_links, WEND_COLUMN_link_needs};
    case WEND_TABLE_draft:
      return {WEND_COLUMN_trace_drafts};
    case WEND_TABLE_sub_block:
      return {WEND_COLUMN_trace_drafts, WEND_COLUMN_draft_sub_blocks};
    default:
      assert(!"no column is kept over rows of this table");
      return {};
  }
}

}  // namespace wend::plan
