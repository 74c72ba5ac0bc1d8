// Stacks, queues, objects and lists of values.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/belief/update.h"

namespace wend::belief {

void Update::set_items(uint32_t field) {
  wend_span& list = c_.state_field_items[field];
  const bool texts = s_.kind(field) == FieldKind::texts;
  std::vector<uint32_t>& items = work_.items;
  if (items.size() > kMaxItems) items.erase(items.begin(), items.end() - kMaxItems);
  erase_all<WEND_TABLE_state_item>(s_, list);
  if (!items.empty()) {
    uint32_t row = append_rows<WEND_TABLE_state_item>(s_, list, static_cast<uint32_t>(items.size()));
    for (uint32_t item : items)
      c_.state_item_symbol[row++] = texts ? s_.kept_text(item, work_) : s_.kept_value(item, work_);
  }
  items.clear();
}

// From `count` rows of `reference` from `first` on, or the items' rows.
void Update::set_references(uint32_t field, uint32_t first, uint32_t count) {
  if (first != WEND_NONE) {
    for (uint32_t i = 0; i < count; ++i) work_.items.push_back(first + i);
  }
  std::vector<uint32_t>& rows = work_.items;
  if (rows.size() > kMaxReferences) rows.erase(rows.begin(), rows.end() - kMaxReferences);
  work_.references.clear();
  for (uint32_t row : rows) work_.references.push_back({c_.reference_phrase[row], c_.reference_value[row]});
  rows.clear();
  wend_span& list = c_.state_field_items[field];
  erase_all<WEND_TABLE_reference>(s_, list);
  if (work_.references.empty()) return;
  uint32_t row = append_rows<WEND_TABLE_reference>(s_, list, static_cast<uint32_t>(work_.references.size()));
  for (const Argument& reference : work_.references) {
    c_.reference_phrase[row] = s_.kept_text(reference.name, work_);
    c_.reference_value[row++] = s_.kept_value(reference.value, work_);
  }
}

void Update::push(uint32_t field, uint32_t text, uint32_t turn) {
  if (text == WEND_NONE) return;
  wend_span& stack = c_.state_field_items[field];
  const uint32_t row = append_rows<WEND_TABLE_goal>(s_, stack, 1);
  c_.goal_text[row] = s_.kept_text(text, work_);
  c_.goal_turn[row] = turn == 0 ? s_.turn : turn;
  keep_newest<WEND_TABLE_goal>(s_, stack, kMaxGoals);
}

void Update::pop(uint32_t field, uint32_t into) {
  wend_span& stack = c_.state_field_items[field];
  if (stack.begin == stack.end) return;
  const uint32_t top = stack.end - 1;
  if (into != WEND_NONE) {
    const uint32_t goal = c_.state_field_symbol[into];
    c_.goal_text[goal] = c_.goal_text[top];
    c_.goal_turn[goal] = c_.goal_turn[top];
  }
  erase_rows<WEND_TABLE_goal>(s_, stack, top, 1);
}

void Update::suspend(uint32_t field, bool suspended) {
  const wend_span queue = c_.state_field_items[field];
  for (uint32_t row = queue.begin; row < queue.end; ++row) c_.question_suspended[row] = suspended;
}

void Update::add_question(uint32_t field, uint32_t text) {
  text = s_.kept_text(text, work_);
  wend_span& queue = c_.state_field_items[field];
  for (uint32_t row = queue.begin; row < queue.end; ++row) {
    if (c_.question_text[row] == text) return;
  }
  const uint32_t row = append_rows<WEND_TABLE_question>(s_, queue, 1);
  c_.question_text[row] = text;
  c_.question_turn[row] = s_.turn;
  name_parameter(row);
  keep_newest<WEND_TABLE_question>(s_, queue, kMaxQuestions);
}

void Update::remove_question(uint32_t field, uint32_t text) {
  text = s_.kept_text(text, work_);
  wend_span& queue = c_.state_field_items[field];
  for (uint32_t row = queue.begin; row < queue.end; ++row) {
    if (c_.question_text[row] == text) return erase_rows<WEND_TABLE_question>(s_, queue, row, 1);
  }
}

// The parameter that a question's text names: tool.param, or a parameter's name, of the last action's tool if it has
// one of that name, else of the first tool that has.
void Update::name_parameter(uint32_t question) {
  const Tools::Impl& pool = s_.pool();
  const Columns& rows = pool.tables.columns;
  const std::string_view text = s_.tables.text(c_.question_text[question]);
  const auto is = [&](uint32_t tool, uint32_t param) {
    const std::string_view a = pool.tables.text(rows.tool_name[tool]), b = pool.tables.text(rows.param_name[param]);
    return text.size() == a.size() + 1 + b.size() && text.starts_with(a) && text[a.size()] == '.' && text.ends_with(b);
  };
  uint32_t param = WEND_NONE;
  if (text.find('.') != std::string_view::npos) {
    for (uint32_t p = 0; p < rows.rows[WEND_TABLE_param] && param == WEND_NONE; ++p) {
      if (is(rows.param_tool[p], p)) param = p;
    }
  }
  const uint32_t name = c_.question_text[question], last = s_.engine->impl().last;
  if (param == WEND_NONE && last != WEND_NONE && c_.state_field_symbol[last] != WEND_NONE)
    param = pool.find_param(pool.find_tool(c_.action_tool[c_.state_field_symbol[last]]), name);
  for (uint32_t p = 0; p < rows.rows[WEND_TABLE_param] && param == WEND_NONE; ++p) {
    if (rows.param_name[p] == name) param = p;
  }
  c_.question_tool[question] = param == WEND_NONE ? WEND_NONE : rows.tool_name[rows.param_tool[param]];
  c_.question_param[question] = param == WEND_NONE ? WEND_NONE : rows.param_name[param];
}

// What the call of the result in hand has brought up.
void Update::add_object(uint32_t field) {
  if (c_.result_call[0] == WEND_NONE) return;
  const uint32_t tool = c_.call_name[0];
  work_.key.assign("obj_").append(s_.tables.text(tool));
  fmt::format_to(std::back_inserter(work_.key), "_{}", s_.calls[0].turn);
  const uint32_t id = s_.tables.texts.intern_name(work_.key);
  wend_span& objects = c_.state_field_items[field];
  uint32_t row = objects.begin;
  while (row < objects.end && c_.object_id[row] != id) ++row;
  if (row == objects.end) {
    row = append_rows<WEND_TABLE_object>(s_, objects, 1);
    c_.object_id[row] = id;
    c_.object_tool[row] = tool;
  }
  c_.object_type[row] = s_.tables.texts.intern_name(returned_.object_type);
  c_.object_status[row] = s_.tables.texts.intern_name(returned_.status);
  c_.object_turn[row] = s_.turn;
  c_.object_result[row] = s_.kept_result(c_.result_text[0], work_);
  const bool read_again = s_.tables.text(c_.result_text[0]).size() <= kMaxReadAgain;
  s_.object_texts[row] = read_again ? c_.result_text[0] : c_.object_result[row];

  erase_all<WEND_TABLE_state_slot>(s_, c_.object_slots[row]);
  const wend_span arguments = c_.call_args[0];
  for (uint32_t a = arguments.begin; a < arguments.end; ++a) {
    const uint32_t slot = append_rows<WEND_TABLE_state_slot>(s_, c_.object_slots[row], 1);
    c_.state_slot_key[slot] = s_.key_of(tool, c_.arg_name[a], work_);
    c_.state_slot_tool[slot] = tool;
    c_.state_slot_param[slot] = c_.arg_name[a];
    c_.state_slot_value[slot] = s_.kept_value(c_.arg_value[a], work_);
    c_.state_slot_turn[slot] = s_.turn;
  }
  keep_newest<WEND_TABLE_object>(s_, objects, s_.options.max_objects);
  // References look no further back.
  if (objects.end - objects.begin > kObjectsRead) {
    const uint32_t old = objects.end - kObjectsRead - 1;
    s_.object_texts[old] = c_.object_result[old];
  }
}

}  // namespace wend::belief
