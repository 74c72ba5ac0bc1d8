// BatchBuilder: what readers call to put dialogues into a batch.
//
// A reader translates a record's shape into calls, in the order of the dialogue:
//
//   b.BeginTrace();
//   b.SetId("alarm-1");
//   b.StartMessage(WEND_ROLE_USER);  b.SetText(...);  b.EndMessage();
//   b.StartMessage(WEND_ROLE_ASSISTANT);
//     b.StartCall("alarm", false); b.AddArgument(b.texts().InternName("time"), b.values().String("07:00"));
//     b.EndCall("c1");
//   b.EndMessage();
//   b.StartGoldTurn(1);  ...StartCall(name, true) ... EndCall();  b.EndGoldTurn();
//   if (!b.FinishTrace()) report(b.error());
//
// A user message starts a turn by itself. All that a dialogue leaves in the batch appears with FinishTrace; if it
// fails, or AbandonTrace is called instead, nothing of it stays. Calls of gold and of the agent may come in either
// order, but not mixed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/batch.h"
#include "runtime/draft/compare.h"

namespace wend {

inline constexpr uint32_t kMaxPerTrace = 16384;  // calls, turns or messages of a trace
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
  bool Fail(std::string_view key, std::string_view cause);
  void ClearError() { error_ = {}; }
  // Puts `prefix` in front of the error's key.
  void Within(std::string_view prefix);

  // With play_gold, the agent's messages are left out and the gold calls are played back in their place.
  void set_play_gold(bool play) { play_gold_ = play; }
  bool play_gold() const { return play_gold_; }

  void BeginTrace();
  void AbandonTrace();
  bool FinishTrace();

  void SetId(std::string_view id);
  bool has_id() const { return columns_.trace_id[trace_] != WEND_NONE; }
  void SetFamily(std::string_view family);
  void SetScenario(std::string_view scenario);
  void SetProfile(std::string_view json) { columns_.trace_profile[trace_] = texts_.AddFolded(json, true); }
  void SetPool(wend_span pool);
  // The pool that was set is the one that the caller named for records without.
  void CountSharedPool() { ++shared_pools_; }
  uint64_t shared_pools() const { return shared_pools_; }
  void AddCaps(uint32_t caps) { caps_ |= caps; }

  // A turn without a user message.
  bool StartTurn();
  uint32_t turns() const { return columns_.rows[WEND_TABLE_turn] - mark_.rows[WEND_TABLE_turn]; }

  bool StartMessage(uint8_t role);
  // The message's text: a row of `text` with its folded form, WEND_NONE for none. White space alone is no text.
  void SetText(uint32_t text) {
    if (text != WEND_NONE && !texts_.folded(text).empty()) columns_.message_text[message_] = text;
  }
  std::string_view message_text() const { return batch_.text(columns_.message_text[message_]); }
  // Tool messages: the call's id, and whether the agent made the call.
  void SetAnswers(std::string_view call_id, bool agents = true);
  // The block drafted for the message in hand, compared with what it should be. `shape`: of both.
  void AddDraft(const DraftShape& shape, const DraftComparison& comparison);
  void EndMessage();

  bool StartCall(std::string_view name, bool gold);
  // `name` is a row of `text`, `value` of `value`. Those beyond kMaxArguments make FinishTrace fail. Gold: all
  // acceptable values besides `value`, and whether the argument may be left out.
  void AddArgument(uint32_t name, uint32_t value, const std::vector<uint32_t>& accepted = {}, bool optional = false);
  void ClearArguments() { arguments_.clear(); }
  // The arguments of the call could not be read; `raw` is their text.
  void SetMalformed(std::string_view raw);
  void EndCall(std::string_view id = {});

  // Gold of turn `number` (from 1); turns that the messages do not have are added, empty.
  bool StartGoldTurn(uint32_t number);
  uint32_t gold_turn() const { return gold_turn_; }
  // Without one: tool with calls, else language.
  void SetKind(uint8_t kind);
  void SetSignal(uint8_t signal) { columns_.turn_signal[gold_turn_] = signal; }
  void AddMissing(std::string_view name);
  void AddStale(std::string_view tool, std::string_view param, uint32_t value);
  void EndGoldTurn();

  void StartChain();
  // A link for gold call `call` (from 0) of turn `turn` (from 1); `needs` are positions of earlier links.
  bool AddLink(uint32_t turn, uint32_t call, const std::vector<uint32_t>& needs);
  void EndChain();

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

  bool Count(wend_table table, const char* what);
  void CloseTurn();
  uint32_t AddTurn();
  uint32_t FindCall(uint64_t id);
  uint32_t AddPlayedMessage(uint8_t role, uint32_t turn);
  void PlayGold();
  void PlayTurn(uint32_t turn, wend_span gold);
  uint32_t PlayCall(uint32_t gold, uint32_t turn, uint32_t message);
  void ResolveTools();

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
