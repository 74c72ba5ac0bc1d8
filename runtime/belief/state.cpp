#include "runtime/belief/state.h"

#include "runtime/belief/engine.h"
#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/data/text.h"

namespace wend::belief {

Dialogue::State::State(std::shared_ptr<const Engine> engine_, std::shared_ptr<const Tools> tools_, Options options_)
    : engine(std::move(engine_)), tools(std::move(tools_)), options(std::move(options_)) {
  if (!tools) tools = *Tools::parse({});
  const Program& program = engine->program();
  if (options.params.empty()) options.params = program.defaults();
  tables.begin(pool().tables);
  Columns& c = tables.columns;
  const Workspaces::Lease work = engine->impl().workspaces.take();
  for (const wend_literal& literal : program.literals()) {
    const std::string_view text(literal.text.data, literal.text.size);
    uint32_t row = literal.kind == 0 ? tables.texts.intern_name(text) : (*work).reader.read(tables, text);
    if (literal.kind == 2 && row != WEND_NONE) row = c.value_folded[row];
    literals.push_back(row);
  }
  base_texts = tables.texts.mark();
  base_values = tables.values.mark();

  c.add<WEND_TABLE_trace>();
  c.trace_id[0] = c.trace_family[0] = c.trace_scenario[0] = c.trace_profile[0] = WEND_NONE;
  c.trace_caps[0] = WEND_CAP_POOL | WEND_CAP_RESPONSE;
  c.trace_pool[0] = {0, c.rows[WEND_TABLE_tool]};
  c.add<WEND_TABLE_turn>();
  c.add<WEND_TABLE_message>();
  c.add<WEND_TABLE_call>();
  c.add<WEND_TABLE_result>();
  c.add<WEND_TABLE_reply>();
  c.turn_user[0] = 0;
  c.turn_messages[0] = c.trace_messages[0] = {0, 1};
  calls.emplace_back();
  for (uint32_t field = 0; field < fields(); ++field) {
    c.add<WEND_TABLE_state_field>();
    c.state_field_symbol[field] = WEND_NONE;
    if (kind(field) == FieldKind::goal) {
      c.state_field_symbol[field] = c.add<WEND_TABLE_goal>();
      c.goal_text[c.state_field_symbol[field]] = WEND_NONE;
    }
    if (kind(field) == FieldKind::last) c.add<WEND_TABLE_action>();
  }
  drop_event();
  settled = tables.used();
  tables.refresh();
}

wend_context Dialogue::State::context() const {
  return {&tables.batch(), options.params.data(), literals.data(), nullptr, nullptr, nullptr};
}

uint32_t Dialogue::State::kept_text(uint32_t text, Workspace& work) {
  if (text == WEND_NONE || tables.text(text).size() <= kMaxText) return text;
  return tables.texts.intern_name(cut_to_bytes(tables.text(text), kMaxText, work.buffer));
}

uint32_t Dialogue::State::kept_result(uint32_t text, Workspace& work) {
  if (text == WEND_NONE) return text;
  const std::string_view whole = tables.text(text);
  const std::string_view kept = cut_to_characters(whole, kMaxResult, work.buffer);
  return kept.data() == whole.data() ? text : tables.texts.intern_name(kept);
}

uint32_t Dialogue::State::kept_value(uint32_t value, Workspace& work) {
  if (value == WEND_NONE) return value;
  const std::string_view own = tables.value_text(value);
  return own.size() <= kMaxValue ? value : tables.values.string(cut_to_bytes(own, kMaxValue, work.buffer));
}

uint32_t Dialogue::State::action_row(uint32_t field) const {
  uint32_t row = 0;
  for (uint32_t other = 0; other < field; ++other) row += kind(other) == FieldKind::last;
  return row;
}

uint32_t Dialogue::State::key_of(uint32_t tool, uint32_t param, Workspace& work) {
  work.key.assign(tables.text(tool)).append(1, '.').append(tables.text(param));
  return tables.texts.intern_name(work.key);
}

void Dialogue::State::clear(uint32_t field) {
  Columns& c = tables.columns;
  wend_span& items = c.state_field_items[field];
  switch (kind(field)) {
    case FieldKind::slots:
      return erase_all<WEND_TABLE_state_slot>(*this, items);
    case FieldKind::goal: {
      const uint32_t row = c.state_field_symbol[field];
      c.goal_text[row] = WEND_NONE;
      c.goal_turn[row] = 0;
      return;
    }
    case FieldKind::stack:
      return erase_all<WEND_TABLE_goal>(*this, items);
    case FieldKind::queue:
      return erase_all<WEND_TABLE_question>(*this, items);
    case FieldKind::objects:
      return erase_all<WEND_TABLE_object>(*this, items);
    case FieldKind::references:
      return erase_all<WEND_TABLE_reference>(*this, items);
    case FieldKind::texts:
    case FieldKind::values:
      return erase_all<WEND_TABLE_state_item>(*this, items);
    case FieldKind::last: {
      const uint32_t row = c.state_field_symbol[field];
      if (row != WEND_NONE) erase_all<WEND_TABLE_arg>(*this, c.action_args[row]);
      break;
    }
    default:
      break;
  }
  c.state_field_symbol[field] = WEND_NONE;
  c.state_field_label[field] = 0;
  c.state_field_integer[field] = 0;
  c.state_field_real[field] = 0;
}

void Dialogue::State::clear_all() {
  for (uint32_t field = 0; field < fields(); ++field) clear(field);
}

void Dialogue::State::drop_event() {
  Columns& c = tables.columns;
  erase_all<WEND_TABLE_state_slot>(*this, found_slots);
  erase_all<WEND_TABLE_reference>(*this, found_references);
  erase_all<WEND_TABLE_arg>(*this, c.call_args[0]);
  c.truncate<WEND_TABLE_reply_missing>(0);
  c.message_turn[0] = turn == 0 ? WEND_NONE : 0;
  c.turn_number[0] = turn;
  c.trace_turns[0] = {0, turn == 0 ? 0u : 1u};
  c.message_text[0] = c.message_answers[0] = WEND_NONE;
  c.call_name[0] = c.call_tool[0] = c.call_result[0] = WEND_NONE;
  c.call_malformed[0] = 0;
  c.result_call[0] = c.result_text[0] = c.result_value[0] = WEND_NONE;
  c.result_error[0] = 0;
  c.reply_text[0] = WEND_NONE;
  c.reply_asks[0] = 0;
  c.reply_missing[0] = {0, 0};
  calls[0] = {};
}

}  // namespace wend::belief
