// The half of BatchBuilder that is about gold: what a scenario expects of the agent.
#include <algorithm>

#include "runtime/data/builder.h"

namespace wend {

bool BatchBuilder::start_gold_turn(uint32_t number) {
  if (number == 0 || number > kMaxPerTrace) {
    return fail("turn", "turns are numbered from 1 to " + std::to_string(kMaxPerTrace));
  }
  close_turn();
  turn_ = WEND_NONE;
  if (number > turns()) {
    if (unreached_.end == 0) unreached_.begin = number;
    unreached_.end = number + 1;
  }
  while (turns() < number) add_turn();
  gold_turn_ = mark_.rows[WEND_TABLE_turn] + number - 1;
  if (columns_.turn_labelled[gold_turn_]) return fail("turn", "turn " + std::to_string(number) + " is described twice");
  columns_.turn_labelled[gold_turn_] = 1;
  columns_.turn_gold_calls[gold_turn_].begin = columns_.rows[WEND_TABLE_call];
  columns_.turn_slots[gold_turn_].begin = columns_.rows[WEND_TABLE_slot];
  columns_.turn_missing[gold_turn_].begin = columns_.rows[WEND_TABLE_turn_missing];
  kind_given_ = false;
  return true;
}

void BatchBuilder::set_kind(uint8_t kind) {
  columns_.turn_kind[gold_turn_] = kind;
  kind_given_ = true;
}

void BatchBuilder::add_missing(std::string_view name) {
  const uint32_t row = columns_.add<WEND_TABLE_turn_missing>();
  columns_.turn_missing_name[row] = texts_.intern_name(name);
}

void BatchBuilder::add_stale(std::string_view tool, std::string_view param, uint32_t value) {
  const uint32_t row = columns_.add<WEND_TABLE_slot>();
  columns_.slot_turn[row] = gold_turn_;
  columns_.slot_tool[row] = texts_.intern_name(tool);
  columns_.slot_param[row] = texts_.intern_name(param);
  columns_.slot_value[row] = value;
}

void BatchBuilder::end_gold_turn() {
  wend_span& calls = columns_.turn_gold_calls[gold_turn_];
  calls.end = columns_.rows[WEND_TABLE_call];
  columns_.turn_slots[gold_turn_].end = columns_.rows[WEND_TABLE_slot];
  columns_.turn_missing[gold_turn_].end = columns_.rows[WEND_TABLE_turn_missing];
  if (!kind_given_) columns_.turn_kind[gold_turn_] = calls.begin < calls.end ? WEND_KIND_TOOL : WEND_KIND_LANGUAGE;
  gold_turn_ = WEND_NONE;
}

void BatchBuilder::start_chain() {
  chain_ = columns_.add<WEND_TABLE_chain>();
  columns_.chain_trace[chain_] = trace_;
  columns_.chain_links[chain_].begin = columns_.rows[WEND_TABLE_link];
}

bool BatchBuilder::add_link(uint32_t turn, uint32_t call, const std::vector<uint32_t>& needs) {
  if (turn == 0 || turn > turns()) return fail("turn", "there is no turn " + std::to_string(turn));
  const wend_span calls = columns_.turn_gold_calls[mark_.rows[WEND_TABLE_turn] + turn - 1];
  if (call >= calls.end - calls.begin) {
    return fail("call", "gold of turn " + std::to_string(turn) + " has no call " + std::to_string(call));
  }
  const uint32_t first = columns_.chain_links[chain_].begin;
  const uint32_t link = columns_.add<WEND_TABLE_link>();
  columns_.link_chain[link] = chain_;
  columns_.link_call[link] = calls.begin + call;
  columns_.link_needs[link].begin = columns_.rows[WEND_TABLE_need];
  for (const uint32_t need : needs) {
    if (need >= link - first) return fail("needs", "a link may need only links before it");
    const uint32_t row = columns_.add<WEND_TABLE_need>();
    columns_.need_link[row] = first + need;
  }
  columns_.link_needs[link].end = columns_.rows[WEND_TABLE_need];
  return true;
}

void BatchBuilder::end_chain() { columns_.chain_links[chain_].end = columns_.rows[WEND_TABLE_link]; }

uint32_t BatchBuilder::add_played_message(uint8_t role, uint32_t turn) {
  const uint32_t message = columns_.add<WEND_TABLE_message>();
  const uint32_t calls = columns_.rows[WEND_TABLE_call];
  columns_.message_trace[message] = trace_;
  columns_.message_turn[message] = turn;
  columns_.message_role[message] = role;
  columns_.message_text[message] = WEND_NONE;
  columns_.message_calls[message] = {calls, calls};
  columns_.message_answers[message] = WEND_NONE;
  columns_.message_number[message] = message - mark_.rows[WEND_TABLE_message];
  return message;
}

// The agent's copy of a gold call.
uint32_t BatchBuilder::play_call(uint32_t gold, uint32_t turn, uint32_t message) {
  const uint32_t call = columns_.add<WEND_TABLE_call>();
  if (made_.begin == made_.end) made_ = {call, call};
  made_.end = call + 1;
  columns_.call_trace[call] = trace_;
  columns_.call_turn[call] = turn;
  columns_.call_message[call] = message;
  columns_.call_name[call] = columns_.call_name[gold];
  columns_.call_tool[call] = columns_.call_result[call] = WEND_NONE;
  columns_.call_number[call] = call - made_.begin;
  const wend_span args = columns_.call_args[gold];
  const uint32_t begin = columns_.rows[WEND_TABLE_arg];
  for (uint32_t a = args.begin; a < args.end; ++a) {
    const uint32_t arg = columns_.add<WEND_TABLE_arg>();
    columns_.arg_call[arg] = call;
    columns_.arg_name[arg] = columns_.arg_name[a];
    columns_.arg_value[arg] = columns_.arg_value[a];
    columns_.arg_place[arg] = columns_.arg_place[a];
    columns_.arg_param[arg] = WEND_NONE;
  }
  columns_.call_args[call] = {begin, columns_.rows[WEND_TABLE_arg]};
  columns_.call_key[call] = columns_.call_key[gold];
  return call;
}

// Answers a turn with its gold calls, their results (empty) and a closing text.
void BatchBuilder::play_turn(uint32_t turn, wend_span gold) {
  columns_.turn_answered[turn] = 1;
  columns_.turn_calls[turn].begin = columns_.rows[WEND_TABLE_call];
  if (gold.begin < gold.end) {
    const uint32_t message = add_played_message(WEND_ROLE_ASSISTANT, turn);
    const uint32_t first = columns_.rows[WEND_TABLE_call];
    for (uint32_t g = gold.begin; g < gold.end; ++g) play_call(g, turn, message);
    const uint32_t last = columns_.rows[WEND_TABLE_call];
    columns_.message_calls[message] = {first, last};
    for (uint32_t call = first; call < last; ++call) {
      const uint32_t result = add_played_message(WEND_ROLE_TOOL, turn);
      columns_.message_answers[result] = call;
      columns_.call_result[call] = result;
    }
  }
  const uint32_t message = add_played_message(WEND_ROLE_ASSISTANT, turn);
  columns_.message_text[message] = texts_.add("Done.");
  columns_.turn_calls[turn].end = columns_.rows[WEND_TABLE_call];
}

void BatchBuilder::write_gold() {
  // The user's and system's messages so far, to be written again with the agent's between them.
  struct Kept {
    uint32_t turn, text;
    uint8_t role;
  };
  std::vector<Kept> kept;
  const uint32_t first = mark_.rows[WEND_TABLE_message];
  for (uint32_t m = first; m < columns_.rows[WEND_TABLE_message]; ++m) {
    kept.push_back({columns_.message_turn[m], columns_.message_text[m], columns_.message_role[m]});
  }
  columns_.truncate<WEND_TABLE_message>(first);
  made_ = {columns_.rows[WEND_TABLE_call], columns_.rows[WEND_TABLE_call]};

  size_t next = 0;
  const auto copy = [&](uint32_t turn) {
    for (; next < kept.size() && kept[next].turn == turn; ++next) {
      const uint32_t message = add_played_message(kept[next].role, turn);
      columns_.message_text[message] = kept[next].text;
      if (turn != WEND_NONE && kept[next].role == WEND_ROLE_USER) columns_.turn_user[turn] = message;
    }
  };
  copy(WEND_NONE);
  const bool by_turn = caps_ & WEND_CAP_GOLD_TURNS;
  const uint32_t begin = mark_.rows[WEND_TABLE_turn], end = columns_.rows[WEND_TABLE_turn];
  for (uint32_t turn = begin; turn < end; ++turn) {
    columns_.turn_messages[turn].begin = columns_.rows[WEND_TABLE_message];
    copy(turn);
    // Gold of the whole dialogue is played in its last turn.
    const wend_span whole = turn + 1 == end ? gold_ : wend_span{};
    play_turn(turn, by_turn ? columns_.turn_gold_calls[turn] : whole);
    columns_.turn_messages[turn].end = columns_.rows[WEND_TABLE_message];
  }
  if (begin < end) caps_ |= WEND_CAP_RESPONSE;
}

}  // namespace wend
