// A state by the names of its fields, for people and tests.
#include "runtime/belief/dialogue.h"
#include "runtime/belief/json_writer.h"
#include "runtime/belief/state.h"

namespace wend::belief {
namespace {

class StateWriter {
 public:
  explicit StateWriter(const Dialogue::State& state) : s_(state), c_(state.tables.columns), json_(state.tables) {}

  std::string write() {
    json_.open('{');
    for (uint32_t field = 0; field < s_.fields(); ++field) {
      json_.name(s_.info().fields[field].name);
      write_field(field);
    }
    json_.close('}');
    return json_.take();
  }

 private:
  void write_field(uint32_t field) {
    const wend_span items = c_.state_field_items[field];
    const uint32_t symbol = c_.state_field_symbol[field], label = c_.state_field_label[field];
    switch (s_.kind(field)) {
      case FieldKind::slots:
        return json_.list(items, [this](uint32_t row) { slot(row); });
      case FieldKind::goal:
        return goal(symbol);
      case FieldKind::stack:
        return json_.list(items, [this](uint32_t row) { goal(row); });
      case FieldKind::last:
        return symbol == WEND_NONE ? json_.null() : action(symbol);
      case FieldKind::queue:
        return json_.list(items, [this](uint32_t row) { question(row); });
      case FieldKind::objects:
        return json_.list(items, [this](uint32_t row) { object(row); });
      case FieldKind::references:
        return json_.list(items, [this](uint32_t row) { reference(row); });
      case FieldKind::boolean:
        return json_.boolean(label != 0);
      case FieldKind::label:
        return json_.string(s_.info().fields[field].labels[label]);
      case FieldKind::integer:
        return json_.integer(c_.state_field_integer[field]);
      case FieldKind::real:
        return json_.real(c_.state_field_real[field]);
      case FieldKind::text:
        return json_.text(symbol);
      case FieldKind::json:
        return json_.value(symbol);
      case FieldKind::texts:
        return json_.list(items, [this](uint32_t row) { json_.text(c_.state_item_symbol[row]); });
      case FieldKind::values:
        return json_.list(items, [this](uint32_t row) { json_.value(c_.state_item_symbol[row]); });
    }
  }

  void text(std::string_view name, uint32_t row) {
    json_.name(name);
    json_.text(row);
  }
  void value(std::string_view name, uint32_t row) {
    json_.name(name);
    json_.value(row);
  }
  void boolean(std::string_view name, bool is) {
    json_.name(name);
    json_.boolean(is);
  }
  void turn(uint32_t number) {
    json_.name("turn");
    json_.integer(number);
  }

  void slot(uint32_t row) {
    json_.open('{');
    text("key", c_.state_slot_key[row]);
    text("tool", c_.state_slot_tool[row]);
    text("param", c_.state_slot_param[row]);
    value("value", c_.state_slot_value[row]);
    json_.name("replaced");
    json_.list(c_.state_slot_replaced[row], [this](uint32_t old) { json_.value(c_.state_replaced_value[old]); });
    boolean("confirmed", c_.state_slot_confirmed[row] != 0);
    boolean("used", c_.state_slot_used[row] != 0);
    turn(c_.state_slot_turn[row]);
    json_.close('}');
  }
  void goal(uint32_t row) {
    json_.open('{');
    text("text", c_.goal_text[row]);
    turn(c_.goal_turn[row]);
    json_.close('}');
  }
  void action(uint32_t row) {
    json_.open('{');
    text("tool", c_.action_tool[row]);
    json_.name("args");
    json_.open('{');
    const wend_span args = c_.action_args[row];
    for (uint32_t arg = args.begin; arg < args.end; ++arg) value(s_.tables.text(c_.arg_name[arg]), c_.arg_value[arg]);
    json_.close('}');
    text("result", c_.action_result[row]);
    boolean("error", c_.action_error[row] != 0);
    turn(c_.action_turn[row]);
    json_.close('}');
  }
  void question(uint32_t row) {
    json_.open('{');
    text("text", c_.question_text[row]);
    text("tool", c_.question_tool[row]);
    text("param", c_.question_param[row]);
    boolean("suspended", c_.question_suspended[row] != 0);
    turn(c_.question_turn[row]);
    json_.close('}');
  }
  void object(uint32_t row) {
    json_.open('{');
    text("id", c_.object_id[row]);
    text("type", c_.object_type[row]);
    text("status", c_.object_status[row]);
    text("tool", c_.object_tool[row]);
    turn(c_.object_turn[row]);
    json_.name("slots");
    json_.open('{');
    const wend_span slots = c_.object_slots[row];
    for (uint32_t slot = slots.begin; slot < slots.end; ++slot)
      value(s_.tables.text(c_.state_slot_param[slot]), c_.state_slot_value[slot]);
    json_.close('}');
    text("result", c_.object_result[row]);
    json_.close('}');
  }
  void reference(uint32_t row) {
    json_.open('{');
    text("phrase", c_.reference_phrase[row]);
    value("value", c_.reference_value[row]);
    json_.close('}');
  }

  const Dialogue::State& s_;
  const Columns& c_;
  JsonWriter json_;
};

}  // namespace

std::string Dialogue::state_json() const { return StateWriter(*state_).write(); }

}  // namespace wend::belief
