#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/belief/engine.h"
#include "runtime/belief/excerpt.h"
#include "runtime/belief/limits.h"
#include "runtime/belief/rows.h"
#include "runtime/belief/snapshot.h"
#include "runtime/belief/snapshot_json.h"

namespace wend::belief {
namespace {

class SnapshotReader : private SnapshotJson {
 public:
  SnapshotReader(Dialogue::State& state, Workspace& work) : s_(state), c_(state.tables.columns), work_(work) {}

  Result<void> read(std::string_view snapshot) {
    JsonIndex index;
    PaddedBuffer buffer;
    if (const char* cause = index.build(buffer.copy(snapshot))) return Error{fmt::format("snapshot: {}", cause)};
    Cursor all = index.all();
    read_all(all);
    if (ok()) return {};
    return Error{"snapshot: " + error()};
  }

 private:
  uint32_t turn(Cursor& at) { return static_cast<uint32_t>(integer(at, 0, kMost)); }
  uint32_t text(Cursor& at, bool optional = false) {
    if (optional && at.null()) return WEND_NONE;
    const std::string_view read = string(at);
    return ok() ? s_.kept_text(s_.tables.texts.intern_name(read), work_) : WEND_NONE;
  }
  uint32_t value(Cursor& at) {
    s_.tables.values.start_record();
    const uint32_t read = s_.tables.values.read(at);
    return good(at) ? s_.kept_value(read, work_) : WEND_NONE;
  }

  // ---- the dialogue ----

  void read_all(Cursor& all) {
    static constexpr std::string_view kVersion[] = {"wend_dialogue"};
    Cursor version[1];
    Cursor first = all;
    if (!members(first, kVersion, version)) return;
    const int64_t written = at("wend_dialogue", [&] { return integer(version[0], 0, kMost); });
    if (ok() && written != kSnapshotVersion)
      fail(fmt::format("it is of version {}, this reads version {}", written, kSnapshotVersion));
    static constexpr std::string_view kKeys[] = {"program",      "belief", "turn", "fields", "absent",
                                                 "object_texts", "calls",  "seen", "asked",  "replied"};
    Cursor values[10];
    if (!members(all, kKeys, values)) return;
    all.end();
    if (!good(all)) return;
    at("program", [&] { same(values[0], s_.engine->program().info().fingerprint, "program"); });
    at("belief", [&] { same(values[1], s_.info().name, "belief"); });
    s_.turn = at("turn", [&] { return turn(values[2]); });
    at("fields", [&] { read_fields(values[3]); });
    at("absent", [&] { elements(values[4], s_.fields(), [&](Cursor& item) { read_absent(string(item)); }); });
    at("object_texts", [&] { read_object_texts(values[5]); });
    at("calls", [&] { elements(values[6], kMaxOpenCalls, [&](Cursor& item) { read_call(item); }); });
    at("seen", [&] { elements(values[7], recognise::SeenValues::kMaxSeen, [&](Cursor& item) { read_seen(item); }); });
    at("asked", [&] { elements(values[8], kAny, [&](Cursor& item) { read_asked(item); }); });
    at("replied", [&] { s_.replied = string(values[9]); });
  }

  void same(Cursor& value, std::string_view ours, std::string_view what) {
    const std::string_view theirs = string(value);
    if (ok() && theirs != ours) fail(fmt::format("it is of {} `{}`, not of `{}`", what, theirs, ours));
  }

  void read_fields(Cursor& fields) {
    std::vector<bool> met(s_.fields());
    named(fields, s_.fields(), [&](std::string_view key, Cursor& given) {
      uint32_t field = 0;
      while (field < s_.fields() && s_.info().fields[field].name != key) ++field;
      if (field == s_.fields() || met[field]) return fail("there is no such field, or it comes twice");
      met[field] = true;
      read_field(field, given);
    });
    for (uint32_t field = 0; field < s_.fields(); ++field) {
      if (!met[field]) fail(fmt::format("the key `{}` is missing", s_.info().fields[field].name));
    }
  }

  void read_field(uint32_t field, Cursor& value_at) {
    wend_span& items = c_.state_field_items[field];
    uint32_t& symbol = c_.state_field_symbol[field];
    switch (s_.kind(field)) {
      case FieldKind::slots:
        return rows<WEND_TABLE_state_slot>(value_at, items, kMaxSlots, &SnapshotReader::read_slot);
      case FieldKind::goal:
        return read_goal(value_at, symbol);
      case FieldKind::stack:
        return rows<WEND_TABLE_goal>(value_at, items, kMaxGoals, &SnapshotReader::read_goal);
      case FieldKind::last:
        return read_action(field, value_at);
      case FieldKind::queue:
        return rows<WEND_TABLE_question>(value_at, items, kMaxQuestions, &SnapshotReader::read_question);
      case FieldKind::objects:
        return rows<WEND_TABLE_object>(value_at, items, s_.options.max_objects, &SnapshotReader::read_object);
      case FieldKind::references:
        return rows<WEND_TABLE_reference>(value_at, items, kMaxReferences, &SnapshotReader::read_reference);
      case FieldKind::boolean:
        c_.state_field_label[field] = boolean(value_at);
        return;
      case FieldKind::label:
        return read_label(field, string(value_at));
      case FieldKind::integer:
        c_.state_field_integer[field] =
            integer(value_at, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
        return;
      case FieldKind::real:
        return read_real(field, value_at);
      case FieldKind::text:
        symbol = text(value_at, true);
        return;
      case FieldKind::json:
        symbol = value(value_at);
        return;
      case FieldKind::texts:
        return rows<WEND_TABLE_state_item>(value_at, items, kMaxItems, &SnapshotReader::read_text_item);
      case FieldKind::values:
        return rows<WEND_TABLE_state_item>(value_at, items, kMaxItems, &SnapshotReader::read_value_item);
    }
  }

  template <int table>
  void rows(Cursor& list, wend_span& owner, uint32_t most, void (SnapshotReader::*one)(Cursor&, uint32_t)) {
    elements(list, most, [&](Cursor& item) { (this->*one)(item, append_rows<table>(s_, owner, 1)); });
  }

  void read_slot(Cursor& slot, uint32_t row) {
    static constexpr std::string_view kKeys[] = {"tool", "param", "value", "replaced", "confirmed", "used", "turn"};
    Cursor values[7];
    if (!members(slot, kKeys, values)) return;
    c_.state_slot_tool[row] = at("tool", [&] { return text(values[0]); });
    c_.state_slot_param[row] = at("param", [&] { return text(values[1]); });
    c_.state_slot_value[row] = at("value", [&] { return value(values[2]); });
    at("replaced", [&] {
      rows<WEND_TABLE_state_replaced>(values[3], c_.state_slot_replaced[row], kMaxReplaced,
                                      &SnapshotReader::read_replaced);
    });
    c_.state_slot_confirmed[row] = at("confirmed", [&] { return boolean(values[4]); });
    c_.state_slot_used[row] = at("used", [&] { return boolean(values[5]); });
    c_.state_slot_turn[row] = at("turn", [&] { return turn(values[6]); });
    if (ok()) c_.state_slot_key[row] = s_.key_of(c_.state_slot_tool[row], c_.state_slot_param[row], work_);
  }
  void read_replaced(Cursor& old, uint32_t row) { c_.state_replaced_value[row] = value(old); }

  void read_goal(Cursor& goal, uint32_t row) {
    static constexpr std::string_view kKeys[] = {"text", "turn"};
    Cursor values[2];
    if (!members(goal, kKeys, values)) return;
    c_.goal_text[row] = at("text", [&] { return text(values[0], true); });
    c_.goal_turn[row] = at("turn", [&] { return turn(values[1]); });
  }

  void read_action(uint32_t field, Cursor& action) {
    static constexpr std::string_view kKeys[] = {"tool", "args", "result", "error", "turn"};
    if (action.null()) return;
    Cursor values[5];
    if (!members(action, kKeys, values)) return;
    const uint32_t row = s_.action_row(field);
    c_.state_field_symbol[field] = row;
    c_.action_tool[row] = at("tool", [&] { return text(values[0]); });
    const uint32_t tool = ok() ? s_.pool().find_tool(c_.action_tool[row]) : WEND_NONE;
    at("args", [&] { read_arguments(values[1], c_.action_args[row], tool); });
    c_.action_result[row] = at("result", [&] { return result(values[2]); });
    c_.action_error[row] = at("error", [&] { return boolean(values[3]); });
    c_.action_turn[row] = at("turn", [&] { return turn(values[4]); });
  }

  void read_arguments(Cursor& arguments, wend_span& owner, uint32_t tool) {
    named(arguments, kMaxArguments, [&](std::string_view key, Cursor& given) {
      const uint32_t name = argument_name(key), row = append_rows<WEND_TABLE_arg>(s_, owner, 1);
      c_.arg_name[row] = name;
      c_.arg_value[row] = value(given);
      c_.arg_param[row] = s_.pool().find_param(tool, name);
      c_.arg_place[row] = row - owner.begin;
    });
  }

  uint32_t argument_name(std::string_view key) {
    return s_.tables.texts.intern_name(cut_to_bytes(key, kMaxName, work_.buffer));
  }

  // A result may be longer than other texts.
  uint32_t result(Cursor& at_text) {
    if (at_text.null()) return WEND_NONE;
    const std::string_view read = string(at_text);
    return ok() ? s_.kept_result(s_.tables.texts.intern_name(read), work_) : WEND_NONE;
  }

  void read_question(Cursor& question, uint32_t row) {
    static constexpr std::string_view kKeys[] = {"text", "tool", "param", "suspended", "turn"};
    Cursor values[5];
    if (!members(question, kKeys, values)) return;
    c_.question_text[row] = at("text", [&] { return text(values[0]); });
    c_.question_tool[row] = at("tool", [&] { return text(values[1], true); });
    c_.question_param[row] = at("param", [&] { return text(values[2], true); });
    c_.question_suspended[row] = at("suspended", [&] { return boolean(values[3]); });
    c_.question_turn[row] = at("turn", [&] { return turn(values[4]); });
  }

  void read_object(Cursor& object, uint32_t row) {
    static constexpr std::string_view kKeys[] = {"id", "type", "status", "tool", "turn", "slots", "result"};
    Cursor values[7];
    if (!members(object, kKeys, values)) return;
    c_.object_id[row] = at("id", [&] { return text(values[0]); });
    c_.object_type[row] = at("type", [&] { return text(values[1]); });
    c_.object_status[row] = at("status", [&] { return text(values[2]); });
    c_.object_tool[row] = at("tool", [&] { return text(values[3]); });
    c_.object_turn[row] = at("turn", [&] { return turn(values[4]); });
    if (!ok()) return;
    at("slots", [&] {
      named(values[5], kMaxArguments, [&](std::string_view key, Cursor& given) {
        const uint32_t name = argument_name(key);
        const uint32_t slot = append_rows<WEND_TABLE_state_slot>(s_, c_.object_slots[row], 1);
        c_.state_slot_key[slot] = s_.key_of(c_.object_tool[row], name, work_);
        c_.state_slot_tool[slot] = c_.object_tool[row];
        c_.state_slot_param[slot] = name;
        c_.state_slot_value[slot] = value(given);
        c_.state_slot_turn[slot] = c_.object_turn[row];
      });
    });
    c_.object_result[row] = s_.object_texts[row] = at("result", [&] { return result(values[6]); });
  }

  void read_reference(Cursor& reference, uint32_t row) {
    static constexpr std::string_view kKeys[] = {"phrase", "value"};
    Cursor values[2];
    if (!members(reference, kKeys, values)) return;
    c_.reference_phrase[row] = at("phrase", [&] { return text(values[0]); });
    c_.reference_value[row] = at("value", [&] { return value(values[1]); });
  }

  void read_text_item(Cursor& item, uint32_t row) { c_.state_item_symbol[row] = text(item); }
  void read_value_item(Cursor& item, uint32_t row) { c_.state_item_symbol[row] = value(item); }

  // A field of JSON that has no value, rather than null.
  void read_absent(std::string_view name) {
    for (uint32_t field = 0; field < s_.fields(); ++field) {
      if (s_.kind(field) != FieldKind::json || s_.info().fields[field].name != name) continue;
      c_.state_field_symbol[field] = WEND_NONE;
      return;
    }
    fail(fmt::format("`{}` is no field of JSON", name));
  }

  void read_label(uint32_t field, std::string_view label) {
    const std::vector<std::string>& labels = s_.info().fields[field].labels;
    for (uint32_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == label) {
        c_.state_field_label[field] = i;
        return;
      }
    }
    fail(fmt::format("`{}` is none of its labels", label));
  }

  void read_real(uint32_t field, Cursor& number) {
    if (number.null()) {
      c_.state_field_real[field] = std::nan("");
      return;
    }
    const uint32_t read = value(number);
    if (!ok()) return;
    const uint8_t type = c_.value_type[read];
    if (type != WEND_JSON_INT && type != WEND_JSON_REAL) return fail("a number was expected");
    c_.state_field_real[field] = c_.value_number[read];
  }

  void read_object_texts(Cursor& texts) {
    uint32_t row = 0;
    elements(texts, c_.rows[WEND_TABLE_object], [&](Cursor& item) {
      const uint32_t at_row = row++;
      if (item.null()) return;
      const std::string_view read = string(item);
      if (ok()) s_.object_texts[at_row] = s_.tables.texts.intern(read);
    });
    if (row != c_.rows[WEND_TABLE_object]) fail("as many texts as objects were expected");
  }

  void read_call(Cursor& call) {
    static constexpr std::string_view kKeys[] = {"id", "tool", "args", "malformed", "turn"};
    Cursor values[5];
    if (!members(call, kKeys, values)) return;
    const uint32_t row = c_.add<WEND_TABLE_call>();
    OpenCall& open = s_.calls.emplace_back();
    c_.call_result[row] = WEND_NONE;
    c_.call_key[row] = row;
    open.id = at("id", [&] { return text(values[0], true); });
    c_.call_name[row] = at("tool", [&] { return text(values[1]); });
    c_.call_tool[row] = ok() ? s_.pool().find_tool(c_.call_name[row]) : WEND_NONE;
    at("args", [&] { read_arguments(values[2], c_.call_args[row], c_.call_tool[row]); });
    c_.call_malformed[row] = at("malformed", [&] { return boolean(values[3]); });
    open.turn = at("turn", [&] { return turn(values[4]); });
  }

  void read_seen(Cursor& pair) {
    if (pair.peek() != '[') return fail("a list was expected");
    pair.enter_array();
    if (!pair.next_element()) return fail("a name and a value were expected");
    const std::string attribute(string(pair));
    if (!ok() || !pair.next_element()) return fail("a name and a value were expected");
    const std::string_view json = pair.raw();
    if (good(pair)) s_.seen.add(attribute, json);
  }

  // A parameter that the tools do not have any longer is left out.
  void read_asked(Cursor& pair) {
    uint32_t names[2] = {WEND_NONE, WEND_NONE}, count = 0;
    if (pair.peek() != '[') return fail("a list was expected");
    pair.enter_array();
    while (ok() && pair.next_element()) {
      if (count == 2) return fail("a tool and a parameter were expected");
      names[count++] = text(pair);
    }
    if (count != 2) return fail("a tool and a parameter were expected");
    const uint32_t param = s_.pool().find_param(s_.pool().find_tool(names[0]), names[1]);
    if (param != WEND_NONE) s_.asked.push_back(param);
  }

  static constexpr uint32_t kAny = std::numeric_limits<uint32_t>::max();
  static constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

  Dialogue::State& s_;
  Columns& c_;
  Workspace& work_;
};

}  // namespace

Result<void> read_snapshot(std::string_view snapshot, Dialogue::State& state, Workspace& work) {
  return SnapshotReader(state, work).read(snapshot);
}

Result<Dialogue> Dialogue::restore(std::shared_ptr<const Engine> engine, std::shared_ptr<const Tools> tools,
                                   Options options, std::string_view snapshot) {
  Dialogue dialogue = open(std::move(engine), std::move(tools), std::move(options));
  State& state = *dialogue.state_;
  const Workspaces::Lease work = state.engine->impl().workspaces.take();
  if (const Result<void> read = read_snapshot(snapshot, state, *work); !read) return read.error();
  state.drop_event();
  state.settled = state.tables.used();
  state.tables.refresh();
  return dialogue;
}

}  // namespace wend::belief
