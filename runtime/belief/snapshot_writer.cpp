// A dialogue as JSON: its fields as state_json() has them, and what recognition remembers besides.
#include "runtime/belief/json_writer.h"
#include "runtime/belief/snapshot.h"
#include "runtime/belief/state.h"

namespace wend::belief {
namespace {

class SnapshotWriter {
 public:
  explicit SnapshotWriter(const Dialogue::State& state) : s_(state), c_(state.tables.columns), json_(state.tables) {}

  std::string write(std::string_view fields) {
    json_.open('{');
    json_.name("wend_dialogue");
    json_.integer(kSnapshotVersion);
    json_.name("program");
    json_.string(s_.engine->program().info().fingerprint);
    json_.name("belief");
    json_.string(s_.info().name);
    json_.name("turn");
    json_.integer(s_.turn);
    json_.name("fields");
    json_.raw(fields);
    write_absent();
    write_object_texts();
    write_calls();
    write_seen();
    write_asked();
    json_.name("replied");
    json_.string(s_.replied);
    json_.close('}');
    return json_.take();
  }

 private:
  // Fields of JSON that have no value, which is not null.
  void write_absent() {
    json_.name("absent");
    json_.open('[');
    for (uint32_t field = 0; field < s_.fields(); ++field) {
      if (s_.kind(field) == FieldKind::json && c_.state_field_symbol[field] == WEND_NONE)
        json_.string(s_.info().fields[field].name);
    }
    json_.close(']');
  }
  // By object, over all fields: its whole result; null where that is what the field has.
  void write_object_texts() {
    json_.name("object_texts");
    json_.list({0, c_.rows[WEND_TABLE_object]}, [this](uint32_t row) {
      json_.text(s_.object_texts[row] == c_.object_result[row] ? WEND_NONE : s_.object_texts[row]);
    });
  }
  // Those that wait for a result.
  void write_calls() {
    json_.name("calls");
    json_.list({1, c_.rows[WEND_TABLE_call]}, [this](uint32_t row) {
      json_.open('{');
      json_.name("id");
      json_.text(s_.calls[row].id);
      json_.name("tool");
      json_.text(c_.call_name[row]);
      json_.name("args");
      json_.open('{');
      for (uint32_t arg = c_.call_args[row].begin; arg < c_.call_args[row].end; ++arg) {
        json_.name(s_.tables.text(c_.arg_name[arg]));
        json_.value(c_.arg_value[arg]);
      }
      json_.close('}');
      json_.name("malformed");
      json_.boolean(c_.call_malformed[row] != 0);
      json_.name("turn");
      json_.integer(s_.calls[row].turn);
      json_.close('}');
    });
  }
  // Oldest first.
  void write_seen() {
    json_.name("seen");
    json_.open('[');
    for (uint32_t number : s_.seen.by_age()) {
      const recognise::SeenValues::Entry& entry = s_.seen.entry(number);
      json_.open('[');
      json_.string(entry.attribute_view());
      json_.raw(recognise::SeenValues::json(entry));
      json_.close(']');
    }
    json_.close(']');
  }
  void write_asked() {
    json_.name("asked");
    json_.open('[');
    for (uint32_t param : s_.asked) {
      const Columns& pool = s_.pool().tables.columns;
      json_.open('[');
      json_.text(pool.tool_name[pool.param_tool[param]]);
      json_.text(pool.param_name[param]);
      json_.close(']');
    }
    json_.close(']');
  }

  const Dialogue::State& s_;
  const Columns& c_;
  JsonWriter json_;
};

}  // namespace

std::string Dialogue::snapshot() const { return SnapshotWriter(*state_).write(state_json()); }

}  // namespace wend::belief
