// check_batch: what must hold in every batch, whatever it was read from.
#pragma once

#include <string>

#include "runtime/data/batch.h"
#include "runtime/data/text.h"

namespace wend::testing {

// Empty, or the first thing that is wrong.
inline std::string check_batch(const Batch& b) {
  const Columns& c = b.columns();
  std::string wrong;
  const auto need = [&wrong](bool holds, const char* what, size_t row) {
    if (!holds && wrong.empty()) wrong = std::string(what) + " of row " + std::to_string(row);
  };
  const auto rows = [&](const std::vector<uint32_t>& column, wend_table table, bool optional, const char* what) {
    for (size_t i = 0; i < column.size(); ++i) {
      need(column[i] < b.rows(table) || (optional && column[i] == WEND_NONE), what, i);
    }
  };
  const auto spans = [&](const std::vector<wend_span>& column, wend_table table, const char* what) {
    for (size_t i = 0; i < column.size(); ++i) {
      need(column[i].begin <= column[i].end && column[i].end <= b.rows(table), what, i);
    }
  };
  rows(c.trace_id, WEND_TABLE_text, false, "trace.id");
  rows(c.trace_family, WEND_TABLE_text, true, "trace.family");
  rows(c.trace_scenario, WEND_TABLE_text, true, "trace.scenario");
  rows(c.trace_profile, WEND_TABLE_text, true, "trace.profile");
  spans(c.trace_turns, WEND_TABLE_turn, "trace.turns");
  spans(c.trace_messages, WEND_TABLE_message, "trace.messages");
  spans(c.trace_calls, WEND_TABLE_call, "trace.calls");
  spans(c.trace_gold_calls, WEND_TABLE_call, "trace.gold_calls");
  spans(c.trace_pool, WEND_TABLE_tool, "trace.pool");
  spans(c.trace_chains, WEND_TABLE_chain, "trace.chains");
  spans(c.trace_drafts, WEND_TABLE_draft, "trace.drafts");
  rows(c.turn_trace, WEND_TABLE_trace, false, "turn.trace");
  rows(c.turn_user, WEND_TABLE_message, true, "turn.user");
  spans(c.turn_messages, WEND_TABLE_message, "turn.messages");
  spans(c.turn_calls, WEND_TABLE_call, "turn.calls");
  spans(c.turn_gold_calls, WEND_TABLE_call, "turn.gold_calls");
  spans(c.turn_slots, WEND_TABLE_slot, "turn.slots");
  spans(c.turn_missing, WEND_TABLE_turn_missing, "turn.missing");
  spans(c.turn_drafts, WEND_TABLE_draft, "turn.drafts");
  rows(c.message_turn, WEND_TABLE_turn, true, "message.turn");
  rows(c.message_text, WEND_TABLE_text, true, "message.text");
  rows(c.message_answers, WEND_TABLE_call, true, "message.answers");
  spans(c.message_calls, WEND_TABLE_call, "message.calls");
  rows(c.call_turn, WEND_TABLE_turn, true, "call.turn");
  rows(c.call_message, WEND_TABLE_message, true, "call.message");
  rows(c.call_name, WEND_TABLE_text, false, "call.name");
  rows(c.call_tool, WEND_TABLE_tool, true, "call.tool");
  rows(c.call_key, WEND_TABLE_call, false, "call.key");
  rows(c.call_result, WEND_TABLE_message, true, "call.result");
  spans(c.call_args, WEND_TABLE_arg, "call.args");
  rows(c.arg_call, WEND_TABLE_call, false, "arg.call");
  rows(c.arg_value, WEND_TABLE_value, false, "arg.value");
  rows(c.arg_param, WEND_TABLE_param, true, "arg.param");
  spans(c.arg_accepted, WEND_TABLE_accepted, "arg.accepted");
  rows(c.accepted_value, WEND_TABLE_value, false, "accepted.value");
  rows(c.value_text, WEND_TABLE_text, false, "value.text");
  rows(c.value_needle, WEND_TABLE_text, true, "value.needle");
  spans(c.value_leaves, WEND_TABLE_leaf, "value.leaves");
  rows(c.leaf_value, WEND_TABLE_value, false, "leaf.value");
  rows(c.tool_name, WEND_TABLE_text, false, "tool.name");
  spans(c.tool_params, WEND_TABLE_param, "tool.params");
  rows(c.param_tool, WEND_TABLE_tool, false, "param.tool");
  rows(c.param_default_value, WEND_TABLE_value, true, "param.default_value");
  spans(c.param_choices, WEND_TABLE_choice, "param.choices");
  rows(c.slot_value, WEND_TABLE_value, false, "slot.value");
  rows(c.link_call, WEND_TABLE_call, false, "link.call");
  rows(c.need_link, WEND_TABLE_link, false, "need.link");
  rows(c.draft_turn, WEND_TABLE_turn, true, "draft.turn");
  rows(c.draft_message, WEND_TABLE_message, false, "draft.message");
  spans(c.draft_sub_blocks, WEND_TABLE_sub_block, "draft.sub_blocks");
  rows(c.sub_block_draft, WEND_TABLE_draft, false, "sub_block.draft");
  rows(c.sub_block_name, WEND_TABLE_text, false, "sub_block.name");
  for (size_t i = 0; i < c.call_args.size(); ++i) {
    for (uint32_t a = c.call_args[i].begin; a + 1 < c.call_args[i].end; ++a) {
      need(c.arg_name[a] < c.arg_name[a + 1], "the order of arguments", i);
    }
    need(!c.call_malformed[i] || c.call_args[i].begin == c.call_args[i].end, "arguments of a malformed call", i);
  }
  for (uint32_t i = 0; i < c.text_data.size(); ++i) {
    const std::string_view text = b.text(i), folded = b.folded(i);
    need(valid_utf8_prefix(text) == text.size(), "UTF-8", i);
    need(valid_utf8_prefix(folded) == folded.size(), "folded UTF-8", i);
  }
  for (uint32_t t = 0; t < b.traces(); ++t) {
    for (uint32_t u = c.trace_turns[t].begin; u < c.trace_turns[t].end; ++u) {
      need(c.turn_trace[u] == t, "turn.trace", u);
      for (uint32_t k = c.turn_calls[u].begin; k < c.turn_calls[u].end; ++k) {
        need(c.call_turn[k] == u && !c.call_gold[k], "turn.calls", u);
      }
      for (uint32_t k = c.turn_gold_calls[u].begin; k < c.turn_gold_calls[u].end; ++k) {
        need(c.call_turn[k] == u && c.call_gold[k], "turn.gold_calls", u);
      }
    }
    for (uint32_t k = c.trace_drafts[t].begin; k < c.trace_drafts[t].end; ++k) {
      const uint32_t u = c.draft_turn[k];
      need(c.draft_trace[k] == t, "trace.drafts", t);
      need(u == WEND_NONE || (c.turn_drafts[u].begin <= k && k < c.turn_drafts[u].end), "turn.drafts", u);
      need(c.draft_slots_right[k] <= c.draft_slots_expected[k], "draft.slots_right", k);
      need(c.draft_stale_right[k] <= c.draft_stale_drafted[k], "draft.stale_right", k);
    }
    for (uint32_t k = c.trace_calls[t].begin; k < c.trace_calls[t].end; ++k) {
      need(c.call_trace[k] == t && !c.call_gold[k], "trace.calls", t);
    }
    for (uint32_t k = c.trace_gold_calls[t].begin; k < c.trace_gold_calls[t].end; ++k) {
      need(c.call_trace[k] == t && c.call_gold[k], "trace.gold_calls", t);
    }
  }
  return wrong;
}

}  // namespace wend::testing
