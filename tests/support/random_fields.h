// The columns of a batch as random plans use them: what they hold, and whether it may be absent.
#ifndef WEND_TESTS_SUPPORT_RANDOM_FIELDS_H_
#define WEND_TESTS_SUPPORT_RANDOM_FIELDS_H_

#include <cstdint>

#include "compiler/plan/plan.h"

namespace wend::plan {

inline constexpr uint32_t kNoTable = WEND_N_TABLES;
inline constexpr Type kRow = Type::row, kText = Type::symbol, kValue = Type::value, kInt = Type::integer,
                      kReal = Type::real;

// Whose calls a row of call, arg or accepted belongs to: columns are kept over one kind only.
enum class Origin : uint8_t { agent, gold, unknown };

struct Field {
  uint32_t column, table;  // of the column itself
  Type type;
  uint32_t target = kNoTable;  // rows and spans: of this table
  bool optional = false, span = false;
  Origin origin = Origin::agent;  // of the target's rows; agent where it does not matter
};

#define COLUMN(table, name) WEND_COLUMN_##table##_##name, WEND_TABLE_##table

inline const Field kFields[] = {
    {COLUMN(trace, id), kText},
    {COLUMN(trace, family), kText, kNoTable, true},
    {COLUMN(trace, scenario), kText, kNoTable, true},
    {COLUMN(trace, profile), kText, kNoTable, true},
    {COLUMN(trace, turns), kRow, WEND_TABLE_turn, false, true},
    {COLUMN(trace, messages), kRow, WEND_TABLE_message, false, true},
    {COLUMN(trace, calls), kRow, WEND_TABLE_call, false, true},
    {COLUMN(trace, gold_calls), kRow, WEND_TABLE_call, false, true, Origin::gold},
    {COLUMN(trace, pool), kRow, WEND_TABLE_tool, false, true},
    {COLUMN(trace, chains), kRow, WEND_TABLE_chain, false, true},
    {COLUMN(turn, trace), kRow, WEND_TABLE_trace},
    {COLUMN(turn, messages), kRow, WEND_TABLE_message, false, true},
    {COLUMN(turn, calls), kRow, WEND_TABLE_call, false, true},
    {COLUMN(turn, gold_calls), kRow, WEND_TABLE_call, false, true, Origin::gold},
    {COLUMN(turn, slots), kRow, WEND_TABLE_slot, false, true},
    {COLUMN(turn, missing), kRow, WEND_TABLE_turn_missing, false, true},
    {COLUMN(turn, user), kRow, WEND_TABLE_message, true},
    {COLUMN(turn, number), kRow},
    {COLUMN(turn, kind), kInt},
    {COLUMN(turn, signal), kInt},
    {COLUMN(turn, labelled), kInt},
    {COLUMN(turn, answered), kInt},
    {COLUMN(turn_missing, name), kText},
    {COLUMN(message, trace), kRow, WEND_TABLE_trace},
    {COLUMN(message, turn), kRow, WEND_TABLE_turn, true},
    {COLUMN(message, role), kInt},
    {COLUMN(message, text), kText, kNoTable, true},
    {COLUMN(message, calls), kRow, WEND_TABLE_call, false, true},
    {COLUMN(message, answers), kRow, WEND_TABLE_call, true},
    {COLUMN(message, number), kRow},
    {COLUMN(call, trace), kRow, WEND_TABLE_trace},
    {COLUMN(call, turn), kRow, WEND_TABLE_turn, true},
    {COLUMN(call, message), kRow, WEND_TABLE_message, true},
    {COLUMN(call, name), kText},
    {COLUMN(call, tool), kRow, WEND_TABLE_tool, true},
    {COLUMN(call, args), kRow, WEND_TABLE_arg, false, true, Origin::unknown},
    {COLUMN(call, key), kRow},
    {COLUMN(call, number), kRow},
    {COLUMN(call, result), kRow, WEND_TABLE_message, true},
    {COLUMN(call, gold), kInt},
    {COLUMN(call, malformed), kInt},
    {COLUMN(arg, call), kRow, WEND_TABLE_call, false, false, Origin::unknown},
    {COLUMN(arg, name), kText},
    {COLUMN(arg, value), kValue},
    {COLUMN(arg, param), kRow, WEND_TABLE_param, true},
    {COLUMN(arg, accepted), kRow, WEND_TABLE_accepted, false, true, Origin::unknown},
    {COLUMN(arg, optional), kInt},
    {COLUMN(accepted, value), kValue},
    {COLUMN(leaf, value), kValue},
    {COLUMN(tool, name), kText},
    {COLUMN(tool, params), kRow, WEND_TABLE_param, false, true},
    {COLUMN(tool, description), kText, kNoTable, true},
    {COLUMN(param, tool), kRow, WEND_TABLE_tool},
    {COLUMN(param, name), kText},
    {COLUMN(param, type), kInt},
    {COLUMN(param, required), kInt},
    {COLUMN(param, default_value), kValue, kNoTable, true},
    {COLUMN(param, choices), kRow, WEND_TABLE_choice, false, true},
    {COLUMN(choice, value), kValue},
    {COLUMN(slot, turn), kRow, WEND_TABLE_turn},
    {COLUMN(slot, tool), kText},
    {COLUMN(slot, param), kText},
    {COLUMN(slot, value), kValue},
    {COLUMN(chain, trace), kRow, WEND_TABLE_trace},
    {COLUMN(chain, links), kRow, WEND_TABLE_link, false, true},
    {COLUMN(link, chain), kRow, WEND_TABLE_chain},
    {COLUMN(link, call), kRow, WEND_TABLE_call, false, false, Origin::gold},
    {COLUMN(link, needs), kRow, WEND_TABLE_need, false, true},
    {COLUMN(need, link), kRow, WEND_TABLE_link},
    {COLUMN(trace, drafts), kRow, WEND_TABLE_draft, false, true},
    {COLUMN(turn, drafts), kRow, WEND_TABLE_draft, false, true},
    {COLUMN(draft, trace), kRow, WEND_TABLE_trace},
    {COLUMN(draft, turn), kRow, WEND_TABLE_turn, true},
    {COLUMN(draft, message), kRow, WEND_TABLE_message},
    {COLUMN(draft, sub_blocks), kRow, WEND_TABLE_sub_block, false, true},
    {COLUMN(draft, slots_drafted), kRow},
    {COLUMN(draft, slots_expected), kRow},
    {COLUMN(draft, stale_drafted), kRow},
    {COLUMN(draft, goal), kInt},
    {COLUMN(sub_block, draft), kRow, WEND_TABLE_draft},
    {COLUMN(sub_block, name), kText},
    {COLUMN(sub_block, exact), kInt},
};
#undef COLUMN

}  // namespace wend::plan

#endif  // WEND_TESTS_SUPPORT_RANDOM_FIELDS_H_
