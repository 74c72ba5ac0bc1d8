// BatchBuilder: what readers call to put dialogues into a batch.
//
// A reader translates a record's shape into calls, in the order of the dialogue:
//
//   b.begin_trace();
//   b.set_id("alarm-1");
//   b.start_message(WEND_ROLE_USER);  b.set_text(...);  b.end_message();
//   b.start_message(WEND_ROLE_ASSISTANT);
//     b.start_call("alarm", false); b.add_argument(b.texts().intern_name("time"), b.values().string("07:00"));
//     b.end_call("c1");
//   b.end_message();
//   b.start_gold_turn(1);  ...start_call(name, true) ... end_call();  b.end_gold_turn();
//   if (!b.finish_trace()) report(b.error());
//
// A user message starts a turn by itself. All that a dialogue leaves in the batch appears with finish_trace; if it
// fails, or abandon_trace is called instead, nothing of it stays. Calls of gold and of the agent may come in either
// order, but not mixed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/draft/compare.h"

namespace wend {

inline constexpr uint32_t kMaxPerTrace = 16384;  // calls or turns of a trace
inline constexpr uint32_t kMaxMessages = 65536;  // of a trace
inline constexpr size_t kMaxArguments = 1024;    // of a call

// Why a record could not be read: where in it, and what.
struct RecordError {
  std::string key;
  std::string cause;
};

class BatchBuilder {
 public:
  explicit BatchBuilder(Batch& batch)
      : batch_(batch),
        columns_(batch.columns_),
        texts_(batch.texts_),
        values_(batch.values_),
        pools_(batch.pools_),
        call_keys_(batch.call_keys_) {}

  TextTable& texts() { return texts_; }
  ValueTable& values() { return values_; }
  PoolTable& pools() { return pools_; }
  const Batch& batch() const { return batch_; }
  const RecordError& error() const { return error_; }
  // Remembers why the record is bad (the first reason stays); returns false.
  bool fail(std::string_view key, std::string_view cause);
  void clear_error() { error_ = {}; }
  // Puts `prefix` in front of the error's key.
  void Within(std::string_view prefix);

  // With play_gold, the agent's messages are left out and the gold calls are played back in their place.
  void set_play_gold(bool play) { play_gold_ = play; }
  bool play_gold() const { return play_gold_; }

  void begin_trace();
  void abandon_trace();
  bool finish_trace();

  void set_id(std::string_view id);
  bool has_id() const { return columns_.trace_id[trace_] != WEND_NONE; }
  void set_family(std::string_view family);
  void set_scenario(std::string_view scenario);
  void set_profile(std::string_view json) { columns_.trace_profile[trace_] = texts_.add_folded(json, true); }
  void set_pool(wend_span pool);
  // The pool that was set is the one that the caller named for records without.
  void count_shared_pool() { ++shared_pools_; }
  uint64_t shared_pools() const { return shared_pools_; }
  void add_caps(uint32_t caps) { caps_ |= caps; }

  // A turn without a user message.
  bool start_turn();
  uint32_t turns() const { return columns_.rows[WEND_TABLE_turn] - mark_.rows[WEND_TABLE_turn]; }

  bool start_message(uint8_t role);
  // The message's text: a row of `text` with its folded form, WEND_NONE for none. White space alone is no text.
  void set_text(uint32_t text) {
    if (text != WEND_NONE && !texts_.folded(text).empty()) columns_.message_text[message_] = text;
  }
  std::string_view message_text() const { return batch_.text(columns_.message_text[message_]); }
  // Tool messages: the call's id, and whether the agent made the call.
  void set_answers(std::string_view call_id, bool agents = true);
  // The block drafted for the message in hand, compared with what it should be. `shape`: of both.
  void add_draft(const DraftShape& shape, const DraftComparison& comparison);
  void end_message();

  bool start_call(std::string_view name, bool gold);
  // `name` is a row of `text`, `value` of `value`. Those beyond kMaxArguments make finish_trace fail. Gold: all
  // acceptable values besides `value`, and whether the argument may be left out.
  void add_argument(uint32_t name, uint32_t value, const std::vector<uint32_t>& accepted = {}, bool optional = false);
  void clear_arguments() { arguments_.clear(); }
  // The arguments of the call could not be read; `raw` is their text.
  void set_malformed(std::string_view raw);
  void end_call(std::string_view id = {});

  // Gold of turn `number` (from 1); turns that the messages do not have are added, empty.
  bool start_gold_turn(uint32_t number);
  uint32_t gold_turn() const { return gold_turn_; }
  // Without one: tool with calls, else language.
  void set_kind(uint8_t kind);
  void set_signal(uint8_t signal) { columns_.turn_signal[gold_turn_] = signal; }
  void add_missing(std::string_view name);
  void add_stale(std::string_view tool, std::string_view param, uint32_t value);
  void end_gold_turn();

  void start_chain();
  // A link for gold call `call` (from 0) of turn `turn` (from 1); `needs` are positions of earlier links.
  bool add_link(uint32_t turn, uint32_t call, const std::vector<uint32_t>& needs);
  void end_chain();

  uint64_t warnings() const { return warnings_ + values_.duplicate_keys(); }
  // Turns (from 1) that gold describes behind the last one of the messages; empty if there are none.
  wend_span unreached() const { return unreached_; }

 private:
  struct Mark {
    RowCounts rows;
    TextTable::Mark texts;
    ValueTable::Mark values;
    PoolTable::Mark pools;
    size_t keys;
  };
  struct DraftArgument {
    uint32_t name, value, place;
    wend_span accepted;
    bool optional;
  };
  struct MadeCall {
    uint64_t id;  // hash of its id, 0 if it has none
    bool answered;
  };

  bool count(wend_table table, const char* what, uint32_t most = kMaxPerTrace);
  void close_turn();
  uint32_t add_turn();
  uint32_t find_call(uint64_t id);
  uint32_t add_played_message(uint8_t role, uint32_t turn);
  void write_gold();
  void play_turn(uint32_t turn, wend_span gold);
  uint32_t play_call(uint32_t gold, uint32_t turn, uint32_t message);
  void resolve_tools();

  Batch& batch_;
  Columns& columns_;
  TextTable& texts_;
  ValueTable& values_;
  PoolTable& pools_;
  CallKeys& call_keys_;
  RecordError error_;
  bool play_gold_ = false;

  // The trace being built.
  Mark mark_{};
  uint32_t trace_ = 0, turn_ = WEND_NONE, message_ = 0, call_ = 0, gold_turn_ = WEND_NONE, chain_ = 0;
  uint32_t caps_ = 0, malformed_ = WEND_NONE;
  bool in_gold_ = false, kind_given_ = false;
  wend_span made_{}, gold_{};  // calls of the agent and of gold so far
  wend_span unreached_{};
  std::vector<DraftArgument> arguments_;
  std::vector<MadeCall> made_ids_;  // parallel to made_

  uint64_t warnings_ = 0, shared_pools_ = 0;
};

}  // namespace wend
