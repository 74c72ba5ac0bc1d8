// What handlers ask of recognition (runtime/recognise), and what is read of results and replies before a handler runs.
#include <bit>

#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/belief/update.h"
#include "runtime/data/text.h"

namespace wend::belief {

using recognise::kNone;

namespace {

uint64_t found(const wend_span& rows) { return rows.begin | uint64_t{rows.end - rows.begin} << 32; }

}  // namespace

void Update::read(uint32_t text) {
  if (read_text_ == text) return;
  work_.scratch.read(s_.tables.text(text));
  read_text_ = text;
}

uint64_t Update::classify(uint32_t table, uint32_t text) {
  recognise::Classification answer{0, 0.5};
  if (text != WEND_NONE) {
    read(text);
    answer = recognise::classify(s_.engine->impl().cues, table, s_.options.params, work_.scratch);
  }
  confidence_ = answer.confidence;
  return answer.label;
}

uint64_t Update::ask(uint32_t classifier, uint32_t prompt) {
  if (!s_.options.ask || prompt == WEND_NONE) return WEND_NONE;
  const ClassifierInfo& info = s_.engine->program().info().classifiers[classifier];
  const std::optional<Label> answer = s_.options.ask(classifier, info.system, s_.tables.text(prompt));
  if (!answer || answer->label >= info.labels.size()) return WEND_NONE;
  confidence_ = answer->confidence;
  return answer->label;
}

// The values that hold now, as recognition reads them.
void Update::know_slots() {
  work_.slots.clear();
  work_.known.clear();
  const uint32_t field = s_.engine->impl().slots;
  if (field == WEND_NONE) return;
  const Tools::Impl& pool = s_.pool();
  const wend_span slots = c_.state_field_items[field];
  for (uint32_t row = slots.begin; row < slots.end; ++row) {
    const uint32_t value = c_.state_slot_value[row];
    if (value == WEND_NONE) continue;
    const uint32_t param = pool.find_param(pool.find_tool(c_.state_slot_tool[row]), c_.state_slot_param[row]);
    if (param == WEND_NONE) continue;
    const size_t begin = work_.known.size();
    s_.tables.append_json(value, work_.known);
    work_.slots.push_back({param, {nullptr, work_.known.size() - begin}});
  }
  size_t at = 0;
  for (recognise::KnownSlot& slot : work_.slots) {
    slot.value = std::string_view(work_.known).substr(at, slot.value.size());
    at += slot.value.size();
  }
}

recognise::MentionContext Update::mention_context() {
  know_slots();
  recognise::MentionContext context;
  context.slots = work_.slots;
  context.asked = s_.asked;
  context.seen = &s_.seen;
  context.today = s_.options.today;
  return context;
}

uint64_t Update::mentioned(uint32_t text, uint32_t tool) {
  erase_all<WEND_TABLE_state_slot>(s_, s_.found_slots);
  if (text == WEND_NONE) return found({0, 0});
  recognise::MentionContext context = mention_context();
  if (tool != WEND_NONE) {
    context.tool = s_.pool().find_tool(tool);
    if (context.tool == WEND_NONE) return found({0, 0});  // not a tool that we know
  }
  read(text);
  for (const recognise::Mention& mention : recognise::mentioned(s_.tools->toolset(), context, work_.scratch))
    add_mention(mention);
  if (recognise::agrees(work_.scratch)) add_offers(context);
  return found(s_.found_slots);
}

void Update::add_mention(const recognise::Mention& mention) {
  const Columns& pool = s_.pool().tables.columns;
  const uint32_t value = work_.reader.read(s_.tables, mention.value);
  if (value == WEND_NONE) return;
  const uint32_t row = append_rows<WEND_TABLE_state_slot>(s_, s_.found_slots, 1);
  c_.state_slot_tool[row] = pool.tool_name[pool.param_tool[mention.param]];
  c_.state_slot_param[row] = pool.param_name[mention.param];
  c_.state_slot_key[row] = s_.key_of(c_.state_slot_tool[row], c_.state_slot_param[row], work_);
  c_.state_slot_value[row] = s_.kept_value(value, work_);
  c_.state_slot_turn[row] = s_.turn;
}

// What the last reply offered for parameters of which the message itself says nothing.
void Update::add_offers(const recognise::MentionContext& context) {
  recognise::MentionContext offered = context;
  offered.asked = {};
  work_.scratch.read(s_.replied);
  read_text_ = WEND_NONE;
  const Columns& pool = s_.pool().tables.columns;
  const uint32_t own = s_.found_slots.end - s_.found_slots.begin;
  for (const recognise::Mention& mention : recognise::mentioned(s_.tools->toolset(), offered, work_.scratch)) {
    bool taken = !mention.offer;
    for (uint32_t i = 0; i < own; ++i)
      taken |= c_.state_slot_param[s_.found_slots.begin + i] == pool.param_name[mention.param];
    if (!taken) add_mention(mention);
  }
}

uint64_t Update::resolved(uint32_t text, uint32_t first, uint32_t count) {
  erase_all<WEND_TABLE_reference>(s_, s_.found_references);
  if (first != WEND_NONE) {
    for (uint32_t i = 0; i < count; ++i) work_.items.push_back(first + i);
  }
  std::vector<uint32_t>& rows = work_.items;
  if (rows.size() > kObjectsRead) rows.erase(rows.begin(), rows.end() - kObjectsRead);
  work_.objects.clear();
  for (uint32_t row : rows)
    work_.objects.push_back({s_.tables.text(c_.object_type[row]), s_.tables.text(s_.object_texts[row]), {}});
  work_.known.clear();
  if (!rows.empty()) {  // only the newest one's arguments are read
    const wend_span slots = c_.object_slots[rows.back()];
    for (uint32_t slot = slots.begin; slot < slots.end; ++slot) {
      work_.known.push_back(slot == slots.begin ? '{' : ',');
      append_json_string(s_.tables.text(c_.state_slot_param[slot]), work_.known);
      work_.known.push_back(':');
      s_.tables.append_json(c_.state_slot_value[slot], work_.known);
    }
    work_.known.append(slots.begin == slots.end ? "{}" : "}");
    work_.objects.back().arguments = work_.known;
  }
  rows.clear();
  if (text == WEND_NONE || work_.objects.empty()) return found({0, 0});
  read(text);
  for (const recognise::Reference& reference : recognise::resolved(work_.objects, work_.scratch)) {
    const uint32_t value = work_.reader.read(s_.tables, reference.value);
    if (value == WEND_NONE) continue;
    const uint32_t row = append_rows<WEND_TABLE_reference>(s_, s_.found_references, 1);
    c_.reference_phrase[row] = s_.tables.texts.intern_name(reference.phrase);
    c_.reference_value[row] = s_.kept_value(value, work_);
  }
  return found(s_.found_references);
}

void Update::read_result(uint32_t tool, std::string_view text, std::optional<bool> error) {
  returned_ = recognise::read_result(text, s_.tables.text(tool), work_.scratch);
  for (const recognise::Leaf& leaf : returned_.leaves) s_.seen.add(leaf.attribute, leaf.json);
  if (error && *error != returned_.error) {
    const bool told = returned_.status != "ok" && returned_.status != "error";
    returned_.error = *error;
    if (!told) returned_.status = *error ? "error" : "ok";
  }
  c_.result_error[0] = returned_.error;
}

void Update::read_reply(std::string_view text) {
  recognise::MentionContext context = mention_context();
  context.asked = {};
  const uint32_t last = s_.engine->impl().last;
  if (last != WEND_NONE && c_.state_field_symbol[last] != WEND_NONE) {
    context.tool = s_.pool().find_tool(c_.action_tool[c_.state_field_symbol[last]]);
    if (context.tool == WEND_NONE) context.tool = kNone - 1;  // one that has no parameters
  }
  const recognise::ReplyInfo info = recognise::read_reply(text, s_.tools->toolset(), context, work_.scratch);
  read_text_ = c_.reply_text[0];
  c_.reply_asks[0] = info.asks;
  s_.replied.assign(cut_to_bytes(text, kMaxText, work_.buffer));
  s_.asked.clear();
  if (info.asks) add_missing(info);
}

void Update::add_missing(const recognise::ReplyInfo& info) {
  const Columns& pool = s_.pool().tables.columns;
  for (const recognise::Missing& missing : info.missing) {
    const uint32_t name = pool.param_name[missing.param];
    const uint32_t row = c_.add<WEND_TABLE_reply_missing>();
    c_.reply_missing_name[row] = name;
    if (missing.tool_known) {
      s_.asked.push_back(missing.param);
      c_.reply_missing_name[row] = s_.key_of(pool.tool_name[pool.param_tool[missing.param]], name, work_);
      continue;
    }
    for (uint32_t p = 0; p < pool.rows[WEND_TABLE_param]; ++p) {
      if (pool.param_name[p] == name) s_.asked.push_back(p);
    }
  }
  c_.reply_missing[0] = {0, c_.rows[WEND_TABLE_reply_missing]};
}

}  // namespace wend::belief
