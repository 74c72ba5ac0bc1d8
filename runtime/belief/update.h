// One event on its way through a dialogue: what handlers ask for (wend/belief.h) is done here, by the rules of
// docs/belief.md, and nowhere else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/belief/engine.h"
#include "runtime/belief/state.h"
#include "runtime/belief/workspace.h"

namespace wend::belief {

class Update {
 public:
  Update(Dialogue::State& state, Workspace& work) : s_(state), c_(state.tables.columns), work_(work) {}

  // First values.
  void begin();
  // The events. Texts are valid UTF-8.
  void user(std::string_view text);
  void call(std::string_view id, std::string_view tool, std::string_view arguments);
  void result(std::string_view id, std::string_view text, std::optional<bool> error);
  void reply(std::string_view text);

 private:
  static uint64_t apply(void* self, uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c);
  uint64_t effect(uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c);
  wend_engine seam() { return {this, &apply}; }
  void handle(uint32_t event);
  void finish();

  bool ignored() const;
  uint32_t message_text(std::string_view text);
  void remember_call(std::string_view id);
  bool take_call(std::string_view id);
  void forget_call(uint32_t row);
  std::string_view utf8(std::string_view text);

  // recognition.cpp
  void read(uint32_t text);
  uint64_t classify(uint32_t table, uint32_t text);
  uint64_t ask(uint32_t classifier, uint32_t prompt);
  uint64_t mentioned(uint32_t text, uint32_t tool);
  void add_mention(const recognise::Mention& mention);
  void add_offers(const recognise::MentionContext& context);
  uint64_t resolved(uint32_t text, uint32_t first, uint32_t count);
  void know_slots();
  recognise::MentionContext mention_context();
  void read_result(uint32_t tool, std::string_view text, std::optional<bool> error);
  void read_reply(std::string_view text);
  void add_missing(const recognise::ReplyInfo& info);

  // slots.cpp
  bool same(uint32_t a, uint32_t b);
  uint32_t find_slot(const wend_span& slots, const Selection& selection) const;
  uint32_t find_replaced(const wend_span& replaced, uint32_t value);
  bool is_stale(uint32_t row, uint32_t value);
  // What becomes of the value that a slot had: it is kept, flagged stale, or it is forgotten.
  enum class Old : uint8_t { stale, dropped };
  void set_slot(wend_span& slots, const Selection& selection, uint32_t value, Old keep);
  void overwrite(uint32_t field);
  void confirm(uint32_t field);
  void give_back(wend_span& slots);
  void unconfirm(uint32_t field);

  // fields.cpp
  void set_symbol(uint32_t field, uint32_t symbol);
  void set_goal(uint32_t field, uint32_t text, uint32_t turn);
  uint32_t set_action(uint32_t field, uint32_t call);
  void set_result(uint32_t field);
  void copy_arguments(wend_span& to, const wend_span& from);

  // lists.cpp
  void set_items(uint32_t field);
  void set_references(uint32_t field, uint32_t first, uint32_t count);
  void push(uint32_t field, uint32_t text, uint32_t turn);
  void pop(uint32_t field, uint32_t into);
  void suspend(uint32_t field, bool suspended);
  void add_question(uint32_t field, uint32_t text);
  void remove_question(uint32_t field, uint32_t text);
  void name_parameter(uint32_t question);
  void add_object(uint32_t field);

  Dialogue::State& s_;
  Columns& c_;
  Workspace& work_;
  uint32_t read_text_ = WEND_NONE;  // the text that the scratch holds
  double confidence_ = 0;
  recognise::ReturnInfo returned_;  // of the result in hand
};

}  // namespace wend::belief
