#include "runtime/belief/update.h"

#include <bit>
#include <iterator>

#include <fmt/format.h>

#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/data/number.h"

namespace wend::belief {

namespace {

// Whether an effect may move arrays of the tables.
bool moves(uint32_t effect) {
  switch (effect) {
    case WEND_EFFECT_CLASSIFY:
    case WEND_EFFECT_CONFIDENCE:
    case WEND_EFFECT_ASK:
    case WEND_EFFECT_TEXT_BEGIN:
    case WEND_EFFECT_TEXT_PUT:
    case WEND_EFFECT_TEXT_INTEGER:
    case WEND_EFFECT_TEXT_REAL:
    case WEND_EFFECT_SELECT:
    case WEND_EFFECT_ITEM:
    case WEND_EFFECT_SET_LABEL:
    case WEND_EFFECT_SET_INTEGER:
    case WEND_EFFECT_SET_REAL:
    case WEND_EFFECT_SUSPEND:
    case WEND_EFFECT_RESUME:
      return false;
    default:
      return true;
  }
}

}  // namespace

uint64_t Update::apply(void* self, uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c) {
  Update& update = *static_cast<Update*>(self);
  const uint64_t answer = update.effect(effect, field, a, b, c);
  if (moves(effect)) update.s_.tables.refresh();
  return answer;
}

uint64_t Update::effect(uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c) {
  const auto row = static_cast<uint32_t>(a), second = static_cast<uint32_t>(b), third = static_cast<uint32_t>(c);
  switch (static_cast<wend_effect>(effect)) {
    case WEND_EFFECT_CLASSIFY:
      return classify(field, row);
    case WEND_EFFECT_CONFIDENCE:
      return std::bit_cast<uint64_t>(confidence_);
    case WEND_EFFECT_ASK:
      return ask(field, row);
    case WEND_EFFECT_MENTIONED:
      return mentioned(row, second);
    case WEND_EFFECT_RESOLVED:
      return resolved(row, second, third);
    case WEND_EFFECT_TEXT_BEGIN:
      work_.made.clear();
      break;
    case WEND_EFFECT_TEXT_PUT:
      work_.made.append(s_.tables.text(row));
      break;
    case WEND_EFFECT_TEXT_INTEGER:
      fmt::format_to(std::back_inserter(work_.made), "{}", static_cast<int64_t>(a));
      break;
    case WEND_EFFECT_TEXT_REAL:
      append_real(std::bit_cast<double>(a), work_.made);
      break;
    case WEND_EFFECT_TEXT_END:
      return s_.tables.texts.intern_name(work_.made);
    case WEND_EFFECT_EXCERPT: {
      if (row == WEND_NONE) return row;
      const auto most = static_cast<int64_t>(b);
      return s_.tables.texts.intern_name(
          first_characters(s_.tables.text(row), most < 0 ? 0 : static_cast<size_t>(most)));
    }
    case WEND_EFFECT_SELECT:
      work_.selected.push_back({row, second, third});
      break;
    case WEND_EFFECT_OVERWRITE:
      overwrite(field);
      break;
    case WEND_EFFECT_CONFIRM:
      confirm(field);
      break;
    case WEND_EFFECT_UNCONFIRM:
      unconfirm(field);
      break;
    case WEND_EFFECT_SET_LABEL:
      c_.state_field_label[field] = row;
      break;
    case WEND_EFFECT_SET_INTEGER:
      c_.state_field_integer[field] = static_cast<int64_t>(a);
      break;
    case WEND_EFFECT_SET_REAL:
      c_.state_field_real[field] = std::bit_cast<double>(a);
      break;
    case WEND_EFFECT_SET_SYMBOL:
      set_symbol(field, row);
      break;
    case WEND_EFFECT_SET_GOAL:
      set_goal(field, row, second);
      break;
    case WEND_EFFECT_SET_ACTION:
      set_action(field, row);
      break;
    case WEND_EFFECT_SET_RESULT:
      set_result(field);
      break;
    case WEND_EFFECT_ITEM:
      work_.items.push_back(row);
      break;
    case WEND_EFFECT_SET_ITEMS:
      set_items(field);
      break;
    case WEND_EFFECT_SET_REFERENCES:
      set_references(field, row, second);
      break;
    case WEND_EFFECT_PUSH:
      push(field, row, second);
      break;
    case WEND_EFFECT_POP:
      pop(field, row);
      break;
    case WEND_EFFECT_SUSPEND:
    case WEND_EFFECT_RESUME:
      suspend(field, effect == WEND_EFFECT_SUSPEND);
      break;
    case WEND_EFFECT_ADD_QUESTION:
      if (row != WEND_NONE) work_.items.push_back(row);
      for (uint32_t text : work_.items) add_question(field, text);
      work_.items.clear();
      break;
    case WEND_EFFECT_REMOVE_QUESTION:
      if (row != WEND_NONE) work_.items.push_back(row);
      for (uint32_t text : work_.items) remove_question(field, text);
      work_.items.clear();
      break;
    case WEND_EFFECT_ADD_OBJECT:
      add_object(field);
      break;
    case WEND_EFFECT_REMOVE_OBJECT:
      if (row != WEND_NONE) erase_rows<WEND_TABLE_object>(s_, c_.state_field_items[field], row, 1);
      break;
    case WEND_EFFECT_CLEAR:
      s_.clear(field);
      break;
    case WEND_EFFECT_CONTEXT_PARAM:  // contexts have an engine of their own
    case WEND_EFFECT_CONTEXT_TOKENS:
    case WEND_EFFECT_CONTEXT_STEP:
    case WEND_N_EFFECTS:
      break;
  }
  return 0;
}

// ---- events ----

void Update::begin() {
  s_.clear_all();
  const wend_engine engine = seam();
  s_.tables.refresh();
  s_.engine->program().begin(s_.context(), engine, s_.engine->belief());
}

void Update::handle(uint32_t event) {
  work_.selected.clear();
  work_.items.clear();
  const wend_engine engine = seam();
  s_.tables.refresh();
  s_.engine->program().on(s_.context(), engine, s_.engine->belief(), event);
  finish();
}

void Update::finish() {
  s_.sweep_if_needed(work_);
  s_.tables.refresh();
}

bool Update::ignored() const { return s_.options.policy == UpdatePolicy::first_only && s_.turn > 1; }

std::string_view Update::utf8(std::string_view text) { return valid_utf8(text, work_.utf8); }

// White space alone is no text.
uint32_t Update::message_text(std::string_view text) {
  const uint32_t row = s_.tables.texts.intern_name(utf8(text));
  return s_.tables.texts.folded(row).empty() ? WEND_NONE : row;
}

void Update::user(std::string_view text) {
  ++s_.turn;
  if (s_.options.policy == UpdatePolicy::last_only) begin();
  if (ignored()) return;
  s_.drop_event();
  c_.message_role[0] = WEND_ROLE_USER;
  c_.message_text[0] = message_text(text);
  handle(WEND_EVENT_USER);
}

void Update::call(std::string_view id, std::string_view tool, std::string_view arguments) {
  if (ignored()) return;
  s_.drop_event();
  c_.call_name[0] = s_.tables.texts.intern_name(cut_to_bytes(utf8(tool), kMaxName, work_.buffer));
  const uint32_t known = c_.call_tool[0] = s_.pool().find_tool(c_.call_name[0]);
  c_.call_malformed[0] = !work_.reader.read_arguments(s_.tables, utf8(arguments), work_.arguments);
  auto& given = work_.arguments;
  if (given.size() > kMaxArguments) given.erase(given.begin(), given.end() - kMaxArguments);
  const auto count = static_cast<uint32_t>(given.size());
  uint32_t row = count == 0 ? 0 : append_rows<WEND_TABLE_arg>(s_, c_.call_args[0], count);
  for (uint32_t i = 0; i < count; ++i, ++row) {
    c_.arg_name[row] = given[i].name;
    c_.arg_value[row] = given[i].value;
    c_.arg_param[row] = s_.pool().find_param(known, given[i].name);
    c_.arg_place[row] = i;
  }
  s_.calls[0].turn = s_.turn;
  remember_call(id);
  handle(WEND_EVENT_CALL);
}

// The call in hand as one that waits for its result.
void Update::remember_call(std::string_view id) {
  const auto row = c_.add<WEND_TABLE_call>();
  c_.call_name[row] = c_.call_name[0];
  c_.call_tool[row] = c_.call_tool[0];
  c_.call_malformed[row] = c_.call_malformed[0];
  c_.call_result[row] = WEND_NONE;
  c_.call_key[row] = row;
  copy_arguments(c_.call_args[row], c_.call_args[0]);
  const std::string_view kept = cut_to_bytes(utf8(id), kMaxName, work_.buffer);
  s_.calls.push_back({kept.empty() ? WEND_NONE : s_.tables.texts.intern(kept), s_.turn});
  if (c_.rows[WEND_TABLE_call] > kMaxOpenCalls + 1) forget_call(1);
}

// Makes the open call that this result answers the call in hand: the oldest with its id, else the oldest.
bool Update::take_call(std::string_view id) {
  if (s_.calls.size() < 2) return false;
  size_t at = 1;
  const std::string_view kept = cut_to_bytes(utf8(id), kMaxName, work_.buffer);
  for (size_t i = kept.empty() ? s_.calls.size() : 1; i < s_.calls.size(); ++i) {
    if (s_.calls[i].id == WEND_NONE || s_.tables.text(s_.calls[i].id) != kept) continue;
    at = i;
    break;
  }
  const auto row = static_cast<uint32_t>(at);
  c_.call_name[0] = c_.call_name[row];
  c_.call_tool[0] = c_.call_tool[row];
  c_.call_malformed[0] = c_.call_malformed[row];
  std::swap(c_.call_args[0], c_.call_args[row]);
  s_.calls[0] = s_.calls[row];
  forget_call(row);
  return true;
}

void Update::forget_call(uint32_t row) {
  erase_all<WEND_TABLE_arg>(s_, c_.call_args[row]);
  columns_internal::for_each<WEND_TABLE_call>(c_, [&](auto& column) { column.erase(column.begin() + row); });
  --c_.rows[WEND_TABLE_call];
  s_.calls.erase(s_.calls.begin() + row);
}

void Update::result(std::string_view id, std::string_view text, std::optional<bool> error) {
  if (ignored()) return;
  s_.drop_event();
  if (take_call(id)) c_.result_call[0] = 0;
  c_.result_text[0] = message_text(text);
  const std::string_view whole = s_.tables.text(c_.result_text[0]);
  if (!whole.empty()) c_.result_value[0] = work_.reader.read(s_.tables, whole);
  read_result(c_.call_name[0], whole, error);
  handle(WEND_EVENT_RESULT);
}

void Update::reply(std::string_view text) {
  if (ignored()) return;
  s_.drop_event();
  c_.reply_text[0] = message_text(text);
  if (c_.reply_text[0] == WEND_NONE) return finish();
  read_reply(s_.tables.text(c_.reply_text[0]));
  handle(WEND_EVENT_REPLY);
}

}  // namespace wend::belief
