#include "runtime/data/builder.h"

#include <algorithm>

#include "runtime/data/hash.h"
#include "runtime/data/stable_sort.h"

namespace wend {
namespace {

// A call id as a number; 0 is kept for "no id".
uint64_t id_of(std::string_view id) { return id.empty() ? 0 : hash64(id) | 1; }

}  // namespace

bool BatchBuilder::fail(std::string_view key, std::string_view cause) {
  if (error_.cause.empty()) error_ = {std::string(key), std::string(cause)};
  return false;
}

void BatchBuilder::Within(std::string_view prefix) {
  if (error_.cause.empty()) return;
  const bool dot = !error_.key.empty() && error_.key[0] != '[' && !prefix.empty();
  error_.key.insert(0, std::string(prefix) + (dot ? "." : ""));
}

bool BatchBuilder::count(wend_table table, const char* what, uint32_t most) {
  if (columns_.rows[table] - mark_.rows[table] <= most) return true;
  return fail("", "more than " + std::to_string(most) + " " + what + " in one dialogue");
}

void BatchBuilder::begin_trace() {
  error_ = {};
  values_.start_record();
  mark_ = {columns_.rows, texts_.mark(), values_.mark(), pools_.mark(), call_keys_.mark()};
  trace_ = columns_.add<WEND_TABLE_trace>();
  columns_.trace_id[trace_] = columns_.trace_family[trace_] = columns_.trace_scenario[trace_] = WEND_NONE;
  columns_.trace_profile[trace_] = WEND_NONE;
  turn_ = gold_turn_ = WEND_NONE;
  unreached_ = {};
  caps_ = 0;
  in_gold_ = false;
  made_ = gold_ = {columns_.rows[WEND_TABLE_call], columns_.rows[WEND_TABLE_call]};
  made_ids_.clear();
}

void BatchBuilder::abandon_trace() {
  pools_.rollback(mark_.pools);
  values_.rollback(mark_.values);
  texts_.rollback(mark_.texts);
  const RowCounts& rows = mark_.rows;
  columns_.truncate<WEND_TABLE_trace>(rows[WEND_TABLE_trace]);
  columns_.truncate<WEND_TABLE_turn>(rows[WEND_TABLE_turn]);
  columns_.truncate<WEND_TABLE_turn_missing>(rows[WEND_TABLE_turn_missing]);
  columns_.truncate<WEND_TABLE_message>(rows[WEND_TABLE_message]);
  columns_.truncate<WEND_TABLE_call>(rows[WEND_TABLE_call]);
  columns_.truncate<WEND_TABLE_arg>(rows[WEND_TABLE_arg]);
  columns_.truncate<WEND_TABLE_accepted>(rows[WEND_TABLE_accepted]);
  columns_.truncate<WEND_TABLE_slot>(rows[WEND_TABLE_slot]);
  columns_.truncate<WEND_TABLE_chain>(rows[WEND_TABLE_chain]);
  columns_.truncate<WEND_TABLE_link>(rows[WEND_TABLE_link]);
  columns_.truncate<WEND_TABLE_need>(rows[WEND_TABLE_need]);
  columns_.truncate<WEND_TABLE_draft>(rows[WEND_TABLE_draft]);
  columns_.truncate<WEND_TABLE_sub_block>(rows[WEND_TABLE_sub_block]);
  call_keys_.rollback(mark_.keys);
}

void BatchBuilder::set_id(std::string_view id) { columns_.trace_id[trace_] = texts_.intern(id); }
void BatchBuilder::set_family(std::string_view family) { columns_.trace_family[trace_] = texts_.intern_name(family); }
void BatchBuilder::set_scenario(std::string_view name) { columns_.trace_scenario[trace_] = texts_.intern_name(name); }

void BatchBuilder::set_pool(wend_span pool) {
  columns_.trace_pool[trace_] = pool;
  add_caps(WEND_CAP_POOL);
}

void BatchBuilder::close_turn() {
  if (turn_ == WEND_NONE) return;
  columns_.turn_messages[turn_].end = columns_.rows[WEND_TABLE_message];
  columns_.turn_calls[turn_].end = columns_.rows[WEND_TABLE_call];
  columns_.turn_drafts[turn_].end = columns_.rows[WEND_TABLE_draft];
}

uint32_t BatchBuilder::add_turn() {
  const uint32_t turn = columns_.add<WEND_TABLE_turn>();
  const uint32_t messages = columns_.rows[WEND_TABLE_message];
  columns_.turn_trace[turn] = trace_;
  columns_.turn_number[turn] = turns();
  columns_.turn_user[turn] = WEND_NONE;
  columns_.turn_messages[turn] = {messages, messages};
  const uint32_t calls = columns_.rows[WEND_TABLE_call];
  columns_.turn_calls[turn] = {calls, calls};
  const uint32_t drafts = columns_.rows[WEND_TABLE_draft];
  columns_.turn_drafts[turn] = {drafts, drafts};
  return turn;
}

bool BatchBuilder::start_turn() {
  close_turn();
  turn_ = add_turn();
  return count(WEND_TABLE_turn, "turns");
}

bool BatchBuilder::start_message(uint8_t role) {
  if (role == WEND_ROLE_USER && !start_turn()) return false;
  message_ = columns_.add<WEND_TABLE_message>();
  const uint32_t calls = columns_.rows[WEND_TABLE_call];
  columns_.message_trace[message_] = trace_;
  columns_.message_turn[message_] = turn_;
  columns_.message_role[message_] = role;
  columns_.message_text[message_] = WEND_NONE;
  columns_.message_calls[message_] = {calls, calls};
  columns_.message_answers[message_] = WEND_NONE;
  columns_.message_number[message_] = message_ - mark_.rows[WEND_TABLE_message];
  if (role == WEND_ROLE_USER) columns_.turn_user[turn_] = message_;
  if (role == WEND_ROLE_ASSISTANT) {
    add_caps(WEND_CAP_RESPONSE);
    if (turn_ != WEND_NONE) columns_.turn_answered[turn_] = 1;
  }
  return count(WEND_TABLE_message, "messages", kMaxMessages);
}

void BatchBuilder::add_draft(const DraftShape& shape, const DraftComparison& comparison) {
  add_caps(WEND_CAP_DRAFTS);
  const uint32_t draft = columns_.add<WEND_TABLE_draft>();
  columns_.draft_trace[draft] = trace_;
  columns_.draft_turn[draft] = turn_;
  columns_.draft_message[draft] = message_;
  columns_.draft_slots_drafted[draft] = comparison.slots.drafted;
  columns_.draft_slots_expected[draft] = comparison.slots.expected;
  columns_.draft_slots_right[draft] = comparison.slots.right;
  columns_.draft_stale_drafted[draft] = comparison.stale.drafted;
  columns_.draft_stale_expected[draft] = comparison.stale.expected;
  columns_.draft_stale_right[draft] = comparison.stale.right;
  columns_.draft_goal[draft] = comparison.goal;
  columns_.draft_intent[draft] = comparison.intent;
  columns_.draft_relation[draft] = comparison.relation;
  columns_.draft_sub_blocks[draft].begin = columns_.rows[WEND_TABLE_sub_block];
  for (const SubBlockMatch& match : comparison.sub_blocks) {
    const uint32_t row = columns_.add<WEND_TABLE_sub_block>();
    columns_.sub_block_draft[row] = draft;
    columns_.sub_block_name[row] = texts_.intern_name(shape.sub_block(match.sub_block));
    columns_.sub_block_readable[row] = match.readable;
    columns_.sub_block_exact[row] = match.exact;
    columns_.sub_block_loose[row] = match.loose;
  }
  columns_.draft_sub_blocks[draft].end = columns_.rows[WEND_TABLE_sub_block];
}

void BatchBuilder::end_message() { columns_.message_calls[message_].end = columns_.rows[WEND_TABLE_call]; }

// The call that a result with this id belongs to (docs/trajectory-format.md): the first open one with the id in the
// nearest message that has such a call; with no id, or ids that no call has, the first open one of the last calling
// message.
uint32_t BatchBuilder::find_call(uint64_t id) {
  const auto claim = [this](size_t i) {
    made_ids_[i].answered = true;
    return made_.begin + static_cast<uint32_t>(i);
  };
  const auto message_of = [this](size_t i) { return columns_.call_message[made_.begin + i]; };
  const size_t n = made_ids_.size();
  if (n == 0) return WEND_NONE;
  size_t known = n;  // the nearest call with the id, answered or not
  if (id != 0) {
    for (size_t i = n; i-- > 0;) {
      if (made_ids_[i].id != id) continue;
      if (known == n) known = i;
      if (made_ids_[i].answered) continue;
      size_t first = i;
      for (size_t k = i; k-- > 0 && message_of(k) == message_of(i);) {
        if (made_ids_[k].id == id && !made_ids_[k].answered) first = k;
      }
      return claim(first);
    }
    if (known != n) return made_.begin + static_cast<uint32_t>(known);
  }
  size_t first = n;
  for (size_t i = n; i-- > 0 && message_of(i) == message_of(n - 1);) {
    if (!made_ids_[i].answered && (id == 0 || made_ids_[i].id == 0)) first = i;
  }
  return first == n ? WEND_NONE : claim(first);
}

void BatchBuilder::set_answers(std::string_view call_id, bool agents) {
  columns_.message_by_user[message_] = !agents;
  if (!agents) return;
  columns_.message_call_id[message_] = id_of(call_id);
  const uint32_t call = find_call(id_of(call_id));
  if (call == WEND_NONE) return;
  columns_.message_answers[message_] = call;
  if (columns_.call_result[call] == WEND_NONE) columns_.call_result[call] = message_;
}

bool BatchBuilder::start_call(std::string_view name, bool gold) {
  if (gold) {
    close_turn();
    turn_ = WEND_NONE;
  }
  call_ = columns_.add<WEND_TABLE_call>();
  in_gold_ = gold;
  wend_span& list = gold ? gold_ : made_;
  if (list.begin == list.end) list = {call_, call_};
  columns_.call_trace[call_] = trace_;
  columns_.call_turn[call_] = gold ? gold_turn_ : turn_;
  columns_.call_message[call_] = gold ? WEND_NONE : message_;
  columns_.call_name[call_] = texts_.intern_name(name);
  columns_.call_tool[call_] = columns_.call_result[call_] = WEND_NONE;
  columns_.call_number[call_] = call_ - list.begin;
  columns_.call_gold[call_] = gold;
  list.end = call_ + 1;
  arguments_.clear();
  malformed_ = WEND_NONE;
  return count(WEND_TABLE_call, "calls");
}

void BatchBuilder::add_argument(uint32_t name, uint32_t value, const std::vector<uint32_t>& accepted, bool optional) {
  if (arguments_.size() == kMaxArguments) {
    fail("arguments", "more than " + std::to_string(kMaxArguments) + " in one call");
    return;
  }
  DraftArgument argument{name, value, static_cast<uint32_t>(arguments_.size()), {}, optional};
  if (in_gold_) {
    const auto add = [this](uint32_t v) { columns_.accepted_value[columns_.add<WEND_TABLE_accepted>()] = v; };
    argument.accepted.begin = columns_.rows[WEND_TABLE_accepted];
    add(value);
    for (const uint32_t other : accepted) add(other);
    argument.accepted.end = columns_.rows[WEND_TABLE_accepted];
  }
  arguments_.push_back(argument);
}

void BatchBuilder::set_malformed(std::string_view raw) {
  arguments_.clear();
  malformed_ = texts_.intern(raw);
  columns_.call_malformed[call_] = 1;
}

void BatchBuilder::end_call(std::string_view id) {
  stable_sort(arguments_.data(), arguments_.data() + arguments_.size(),
              [](const DraftArgument& a, const DraftArgument& b) { return a.name < b.name; });
  const uint32_t begin = columns_.rows[WEND_TABLE_arg];
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const DraftArgument& draft = arguments_[i];
    if (i + 1 < arguments_.size() && arguments_[i + 1].name == draft.name) {
      ++warnings_;  // given twice: the last one counts, at the place of the first
      arguments_[i + 1].place = draft.place;
      continue;
    }
    const uint32_t arg = columns_.add<WEND_TABLE_arg>();
    columns_.arg_call[arg] = call_;
    columns_.arg_name[arg] = draft.name;
    columns_.arg_value[arg] = draft.value;
    columns_.arg_param[arg] = WEND_NONE;
    columns_.arg_accepted[arg] = draft.accepted;
    columns_.arg_optional[arg] = draft.optional;
    columns_.arg_place[arg] = draft.place;
  }
  columns_.call_args[call_] = {begin, columns_.rows[WEND_TABLE_arg]};
  columns_.call_key[call_] = call_keys_.key_of(call_, malformed_);
  columns_.call_id[call_] = id_of(id);
  if (!in_gold_) made_ids_.push_back({id_of(id), false});
}

bool BatchBuilder::finish_trace() {
  close_turn();
  if (play_gold_ && (caps_ & WEND_CAP_GOLD)) write_gold();
  columns_.trace_caps[trace_] = caps_;
  const auto since = [this](wend_table table) { return wend_span{mark_.rows[table], columns_.rows[table]}; };
  columns_.trace_turns[trace_] = since(WEND_TABLE_turn);
  columns_.trace_messages[trace_] = since(WEND_TABLE_message);
  columns_.trace_chains[trace_] = since(WEND_TABLE_chain);
  columns_.trace_drafts[trace_] = since(WEND_TABLE_draft);
  columns_.trace_calls[trace_] = made_;
  columns_.trace_gold_calls[trace_] = gold_;
  resolve_tools();
  if (error_.cause.empty()) return true;
  abandon_trace();
  return false;
}

// Calls and arguments find their tool and parameter in the trace's pool.
void BatchBuilder::resolve_tools() {
  if (!(caps_ & WEND_CAP_POOL)) return;
  const wend_span pool = columns_.trace_pool[trace_];
  for (uint32_t call = mark_.rows[WEND_TABLE_call]; call < columns_.rows[WEND_TABLE_call]; ++call) {
    const uint32_t tool = pools_.find_tool(pool, columns_.call_name[call]);
    columns_.call_tool[call] = tool;
    if (tool == WEND_NONE) continue;
    const wend_span args = columns_.call_args[call];
    for (uint32_t a = args.begin; a < args.end; ++a) {
      columns_.arg_param[a] = pools_.find_param(tool, columns_.arg_name[a]);
    }
  }
}

}  // namespace wend
