#include "tests/support/random_batch.h"

#include <algorithm>

#include <fmt/format.h>

namespace wend {
namespace {

using Rng = std::mt19937;

uint32_t below(Rng& random, uint32_t bound) { return bound == 0 ? 0 : static_cast<uint32_t>(random() % bound); }
bool one_in(Rng& random, uint32_t n) { return random() % n == 0; }
uint32_t pick(Rng& random, const std::vector<uint32_t>& from) {
  return from[below(random, static_cast<uint32_t>(from.size()))];
}
uint32_t row_in(Rng& random, wend_span span) { return span.begin + below(random, span.end - span.begin); }

}  // namespace

uint32_t TestBatch::text(const std::string& text) {
  auto [found, added] = texts_.try_emplace(text, columns.rows[WEND_TABLE_text]);
  if (!added) return found->second;
  const uint32_t row = columns.add<WEND_TABLE_text>();
  std::string folded = text;
  std::transform(folded.begin(), folded.end(), folded.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  const std::string& kept = bytes_.emplace_back(text);
  columns.text_data[row] = {kept.data(), kept.size()};
  const std::string& kept_folded = bytes_.emplace_back(folded);
  columns.text_folded[row] = {kept_folded.data(), kept_folded.size()};
  return row;
}

uint32_t TestBatch::add_value(uint8_t type, double number, const std::string& shown) {
  auto [found, added] = values_.try_emplace(fmt::format("{}:{}", type, shown), columns.rows[WEND_TABLE_value]);
  if (!added) return found->second;
  const uint32_t row = columns.add<WEND_TABLE_value>();
  const uint32_t leaf = columns.add<WEND_TABLE_leaf>();
  columns.value_type[row] = type;
  columns.value_number[row] = number;
  columns.value_text[row] = text(shown);
  columns.value_needle[row] = text(shown);
  columns.leaf_value[leaf] = row;
  columns.value_leaves[row] = {leaf, leaf + 1};
  // "7" and 7 are loosely equal.
  auto other = values_.find(fmt::format("{}:{}", type == WEND_JSON_TEXT ? WEND_JSON_REAL : WEND_JSON_TEXT, shown));
  columns.value_folded[row] = other == values_.end() ? row : columns.value_folded[other->second];
  return row;
}

uint32_t TestBatch::string_value(const std::string& string) { return add_value(WEND_JSON_TEXT, 0, string); }
uint32_t TestBatch::number_value(double number) { return add_value(WEND_JSON_REAL, number, fmt::format("{}", number)); }

uint32_t TestBatch::list_value(const std::vector<uint32_t>& elements) {
  const uint32_t row = columns.add<WEND_TABLE_value>();
  columns.value_folded[row] = row;
  columns.value_type[row] = WEND_JSON_LIST;
  columns.value_text[row] = columns.value_needle[row] = text(fmt::format("[list {}]", row));
  columns.value_leaves[row].begin = columns.rows[WEND_TABLE_leaf];
  for (uint32_t element : elements) columns.leaf_value[columns.add<WEND_TABLE_leaf>()] = element;
  columns.value_leaves[row].end = columns.rows[WEND_TABLE_leaf];
  return row;
}

const wend_batch& TestBatch::view() {
  starts_ = columns.starts();
  view_ = {WEND_BATCH_VERSION, WEND_N_COLUMNS, starts_.data(), columns.rows.data()};
  return view_;
}

std::string TestBatch::random_words(Rng& random) {
  static const std::vector<std::string> kWords = {"set",   "an",         "Alarm",      "at",     "7",
                                                  "07:00", "2.5",        "to",         "Paris?", "mañana",
                                                  "北京",  "start_time", "start time", "no",     "Actually,"};
  std::string words;
  for (uint32_t n = below(random, 12); n > 0; --n) {
    words += (words.empty() ? "" : " ") + kWords[below(random, static_cast<uint32_t>(kWords.size()))];
  }
  return words;
}

wend_span TestBatch::random_pool(Rng& random) {
  if (!pools_.empty() && !one_in(random, 3)) return pools_[below(random, static_cast<uint32_t>(pools_.size()))];
  wend_span pool = {columns.rows[WEND_TABLE_tool], columns.rows[WEND_TABLE_tool] + below(random, 5)};
  for (uint32_t tool = pool.begin; tool < pool.end; ++tool) columns.add<WEND_TABLE_tool>();
  for (uint32_t tool = pool.begin; tool < pool.end; ++tool) {
    columns.tool_name[tool] = pick(random, names_);
    columns.tool_description[tool] = one_in(random, 2) ? WEND_NONE : text(random_words(random) + "!");
    wend_span params = {columns.rows[WEND_TABLE_param], columns.rows[WEND_TABLE_param] + below(random, 4)};
    columns.tool_params[tool] = params;
    for (uint32_t param = params.begin; param < params.end; ++param) {
      columns.add<WEND_TABLE_param>();
      columns.param_tool[param] = tool;
      columns.param_name[param] = pick(random, names_);
      columns.param_type[param] = static_cast<uint8_t>(below(random, WEND_JSON_ANY + 1));
      columns.param_required[param] = one_in(random, 2);
      columns.param_default_value[param] = one_in(random, 2) ? WEND_NONE : pick(random, some_values_);
      columns.param_choices[param].begin = columns.rows[WEND_TABLE_choice];
      for (uint32_t n = below(random, 3); n > 0; --n) {
        columns.choice_value[columns.add<WEND_TABLE_choice>()] = pick(random, some_values_);
      }
      columns.param_choices[param].end = columns.rows[WEND_TABLE_choice];
    }
  }
  pools_.push_back(pool);
  return pool;
}

wend_span TestBatch::random_calls(Rng& random, uint32_t trace, uint32_t turn, bool gold) {
  wend_span calls = {columns.rows[WEND_TABLE_call], columns.rows[WEND_TABLE_call] + below(random, 4)};
  const wend_span pool = columns.trace_pool[trace];
  for (uint32_t call = calls.begin; call < calls.end; ++call) {
    columns.add<WEND_TABLE_call>();
    columns.call_trace[call] = trace;
    columns.call_turn[call] = turn;
    columns.call_message[call] = WEND_NONE;
    columns.call_tool[call] = pool.begin == pool.end || one_in(random, 4) ? WEND_NONE : row_in(random, pool);
    columns.call_name[call] =
        columns.call_tool[call] == WEND_NONE ? pick(random, names_) : columns.tool_name[columns.call_tool[call]];
    columns.call_result[call] = WEND_NONE;
    columns.call_gold[call] = gold;
    columns.call_malformed[call] = one_in(random, 12);
  }
  return calls;
}

void TestBatch::random_args(Rng& random, wend_span calls) {
  for (uint32_t call = calls.begin; call < calls.end; ++call) {
    columns.call_number[call] = call - calls.begin;
    std::vector<uint32_t> names;
    for (uint32_t n = columns.call_malformed[call] ? 0 : below(random, 4); n > 0; --n)
      names.push_back(pick(random, names_));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<uint32_t> key = {columns.call_name[call]};
    columns.call_args[call].begin = columns.rows[WEND_TABLE_arg];
    for (uint32_t name : names) {
      const uint32_t arg = columns.add<WEND_TABLE_arg>();
      columns.arg_call[arg] = call;
      columns.arg_name[arg] = name;
      columns.arg_value[arg] = pick(random, some_values_);
      const uint32_t tool = columns.call_tool[call];
      const wend_span params = tool == WEND_NONE ? wend_span{0, 0} : columns.tool_params[tool];
      columns.arg_param[arg] = params.begin == params.end ? WEND_NONE : row_in(random, params);
      columns.arg_accepted[arg].begin = columns.rows[WEND_TABLE_accepted];
      if (columns.call_gold[call]) {
        columns.arg_optional[arg] = one_in(random, 4);
        columns.accepted_value[columns.add<WEND_TABLE_accepted>()] = columns.arg_value[arg];
        while (one_in(random, 3))
          columns.accepted_value[columns.add<WEND_TABLE_accepted>()] = pick(random, some_values_);
      }
      columns.arg_accepted[arg].end = columns.rows[WEND_TABLE_accepted];
      key.push_back(name);
      key.push_back(columns.arg_value[arg]);
    }
    columns.call_args[call].end = columns.rows[WEND_TABLE_arg];
    columns.call_key[call] = keys_.try_emplace(key, static_cast<uint32_t>(keys_.size())).first->second;
  }
}

void TestBatch::random_turns(Rng& random, uint32_t trace, uint32_t n_turns) {
  const uint32_t first = columns.rows[WEND_TABLE_turn];
  columns.trace_turns[trace] = {first, first + n_turns};
  for (uint32_t turn = first; turn < first + n_turns; ++turn) {
    columns.add<WEND_TABLE_turn>();
    columns.turn_trace[turn] = trace;
    columns.turn_number[turn] = turn - first + 1;
    columns.turn_user[turn] = WEND_NONE;
    columns.turn_kind[turn] = static_cast<uint8_t>(below(random, 3));
    columns.turn_signal[turn] = static_cast<uint8_t>(below(random, 6));
    columns.turn_labelled[turn] = !one_in(random, 3);
    columns.turn_answered[turn] = !one_in(random, 4);
    columns.turn_slots[turn].begin = columns.rows[WEND_TABLE_slot];
    for (uint32_t n = below(random, 3); n > 0; --n) {
      const uint32_t slot = columns.add<WEND_TABLE_slot>();
      columns.slot_turn[slot] = turn;
      columns.slot_tool[slot] = pick(random, names_);
      columns.slot_param[slot] = pick(random, names_);
      columns.slot_value[slot] = pick(random, some_values_);
    }
    columns.turn_slots[turn].end = columns.rows[WEND_TABLE_slot];
    columns.turn_missing[turn].begin = columns.rows[WEND_TABLE_turn_missing];
    for (uint32_t n = below(random, 3); n > 0; --n) {
      columns.turn_missing_name[columns.add<WEND_TABLE_turn_missing>()] = pick(random, names_);
    }
    columns.turn_missing[turn].end = columns.rows[WEND_TABLE_turn_missing];
  }
  for (bool gold : {false, true}) {
    wend_span all = {columns.rows[WEND_TABLE_call], 0};
    if (one_in(random, 4)) random_calls(random, trace, WEND_NONE, gold);  // outside of any turn
    for (uint32_t turn = first; turn < first + n_turns; ++turn) {
      (gold ? columns.turn_gold_calls : columns.turn_calls)[turn] = random_calls(random, trace, turn, gold);
    }
    all.end = columns.rows[WEND_TABLE_call];
    (gold ? columns.trace_gold_calls : columns.trace_calls)[trace] = all;
    random_args(random, all);
  }
}

void TestBatch::random_messages(Rng& random, uint32_t trace) {
  const wend_span turns = columns.trace_turns[trace];
  const uint32_t first = columns.rows[WEND_TABLE_message];
  auto add = [&](uint32_t turn, uint8_t role) {
    const uint32_t message = columns.add<WEND_TABLE_message>();
    columns.message_trace[message] = trace;
    columns.message_turn[message] = turn;
    columns.message_role[message] = role;
    const std::string words = random_words(random);
    columns.message_text[message] = words.empty() ? WEND_NONE : text(words);
    columns.message_answers[message] = WEND_NONE;
    columns.message_number[message] = message - first;
    return message;
  };
  // The agent's calls are always in a message, some with a result.
  auto add_calls = [&](uint32_t turn, wend_span calls) {
    const uint32_t message = add(turn, WEND_ROLE_ASSISTANT);
    columns.message_calls[message] = calls;
    for (uint32_t call = calls.begin; call < calls.end; ++call) {
      columns.call_message[call] = message;
      if (one_in(random, 4)) continue;
      columns.call_result[call] = add(turn, WEND_ROLE_TOOL);
      columns.message_answers[columns.call_result[call]] = call;
    }
  };
  if (one_in(random, 3)) add(WEND_NONE, WEND_ROLE_SYSTEM);
  wend_span early = columns.trace_calls[trace];
  for (early.end = early.begin; early.end < columns.trace_calls[trace].end; ++early.end) {
    if (columns.call_turn[early.end] != WEND_NONE) break;
  }
  if (early.begin < early.end) add_calls(WEND_NONE, early);
  for (uint32_t turn = turns.begin; turn < turns.end; ++turn) {
    columns.turn_messages[turn].begin = columns.rows[WEND_TABLE_message];
    if (!one_in(random, 6)) columns.turn_user[turn] = add(turn, WEND_ROLE_USER);
    add_calls(turn, columns.turn_calls[turn]);
    columns.turn_messages[turn].end = columns.rows[WEND_TABLE_message];
  }
  columns.trace_messages[trace] = {first, columns.rows[WEND_TABLE_message]};
}

void TestBatch::random_chains(Rng& random, uint32_t trace) {
  const wend_span gold = columns.trace_gold_calls[trace];
  columns.trace_chains[trace].begin = columns.rows[WEND_TABLE_chain];
  const uint32_t n = gold.begin == gold.end ? 0 : below(random, 3);
  columns.trace_chains[trace].end = columns.rows[WEND_TABLE_chain] + n;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t chain = columns.add<WEND_TABLE_chain>();
    columns.chain_trace[chain] = trace;
    const uint32_t first = columns.rows[WEND_TABLE_link];
    for (uint32_t links = below(random, 4); links > 0; --links) {
      const uint32_t link = columns.add<WEND_TABLE_link>();
      columns.link_chain[link] = chain;
      columns.link_call[link] = row_in(random, gold);
      columns.link_needs[link].begin = columns.rows[WEND_TABLE_need];
      for (uint32_t needs = below(random, std::min(3u, link - first + 1)); needs > 0; --needs) {
        columns.need_link[columns.add<WEND_TABLE_need>()] = first + below(random, link - first);
      }
      columns.link_needs[link].end = columns.rows[WEND_TABLE_need];
    }
    columns.chain_links[chain] = {first, columns.rows[WEND_TABLE_link]};
  }
}

void TestBatch::random_drafts(Rng& random, uint32_t trace) {
  const uint32_t first = columns.rows[WEND_TABLE_draft];
  const wend_span turns = columns.trace_turns[trace], messages = columns.trace_messages[trace];
  for (uint32_t turn = turns.begin; turn < turns.end; ++turn) {
    columns.turn_drafts[turn].begin = columns.turn_drafts[turn].end = columns.rows[WEND_TABLE_draft];
  }
  for (uint32_t message = messages.begin; message < messages.end; ++message) {
    if (columns.message_role[message] != WEND_ROLE_ASSISTANT || one_in(random, 2)) continue;
    const uint32_t draft = columns.add<WEND_TABLE_draft>(), turn = columns.message_turn[message];
    columns.draft_trace[draft] = trace;
    columns.draft_turn[draft] = turn;
    columns.draft_message[draft] = message;
    columns.draft_slots_drafted[draft] = below(random, 5);
    columns.draft_slots_expected[draft] = below(random, 5);
    columns.draft_stale_drafted[draft] = below(random, 3);
    columns.draft_goal[draft] = one_in(random, 2);
    columns.draft_sub_blocks[draft].begin = columns.rows[WEND_TABLE_sub_block];
    for (uint32_t n = below(random, 4); n > 0; --n) {
      const uint32_t row = columns.add<WEND_TABLE_sub_block>();
      columns.sub_block_draft[row] = draft;
      columns.sub_block_name[row] = pick(random, names_);
      columns.sub_block_exact[row] = one_in(random, 2);
    }
    columns.draft_sub_blocks[draft].end = columns.rows[WEND_TABLE_sub_block];
    if (turn == WEND_NONE) continue;
    wend_span& all = columns.turn_drafts[turn];
    if (all.begin == all.end) all.begin = draft;
    all.end = draft + 1;
  }
  columns.trace_drafts[trace] = {first, columns.rows[WEND_TABLE_draft]};
}

void TestBatch::random_trace(Rng& random) {
  const uint32_t trace = columns.add<WEND_TABLE_trace>();
  columns.trace_id[trace] = text(fmt::format("trace {}", trace));
  columns.trace_family[trace] = one_in(random, 3) ? WEND_NONE : pick(random, names_);
  columns.trace_scenario[trace] = one_in(random, 3) ? WEND_NONE : pick(random, names_);
  columns.trace_profile[trace] = one_in(random, 2) ? WEND_NONE : text(random_words(random) + ".");
  uint32_t caps = 0x7F | 0xF * uint32_t{WEND_CAP_JUDGE0};
  while (one_in(random, 2)) caps &= ~(1u << below(random, 20));
  columns.trace_caps[trace] = caps;
  columns.trace_pool[trace] = random_pool(random);
  random_turns(random, trace, below(random, 5));
  random_messages(random, trace);
  random_chains(random, trace);
  random_drafts(random, trace);
}

void TestBatch::add_random(Rng& random, uint32_t traces) {
  for (const char* name : {"alarm", "start_time", "Paris", "a", "book hotel", "repeat"}) names_.push_back(text(name));
  for (const char* string : {"07:00", "7", "Paris", "", "start time"}) some_values_.push_back(string_value(string));
  for (double number : {7.0, -2.5, 0.0, 1e18}) some_values_.push_back(number_value(number));
  some_values_.push_back(list_value({some_values_[0], some_values_[5]}));
  some_values_.push_back(list_value({}));
  for (uint32_t i = 0; i < traces; ++i) random_trace(random);
}

}  // namespace wend
