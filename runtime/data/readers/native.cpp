// The native format and plain OpenAI chat logs: {"messages": [...], "tools": [...], "gold": {...}} or a bare list of
// messages. A chat log is a native record without gold.
#include <string>

#include "runtime/data/readers/gold_reader.h"
#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/record_reader.h"

namespace wend {

std::string place_name(const Sidecar& sidecar, const RecordPlace& place) {
  return sidecar.file + ":" + std::to_string(place.line ? place.line : place.record);
}

bool use_shared_pool(BatchBuilder& builder, const Sidecar& sidecar) {
  if (sidecar.tools_json.empty()) return true;
  wend_span pool;
  if (!builder.pools().find(sidecar.tools_json, pool)) {
    PaddedBuffer buffer;
    JsonIndex index;
    if (const char* cause = index.build(buffer.copy(sidecar.tools_json))) return builder.fail("tools", cause);
    Cursor cursor = index.all();
    pool = builder.pools().read(cursor);
    if (cursor.ok()) cursor.end();
    if (!cursor.ok()) return builder.fail(builder.pools().failed_key("tools"), cursor.error());
    builder.pools().remember(sidecar.tools_json, pool);
  }
  builder.set_pool(pool);
  builder.count_shared_pool();
  return true;
}

namespace {

class NativeReader : public RecordReader {
 public:
  NativeReader(BatchBuilder& builder, const Sidecar& sidecar)
      : b_(builder), sidecar_(sidecar), messages_(builder), gold_(builder, messages_) {}

  bool read(Cursor cursor, const RecordPlace& place) override {
    Cursor gold;
    bool has_messages = false, has_gold = false, has_pool = false;
    if (cursor.peek() == '[') {
      has_messages = true;
      if (!read_messages(cursor)) return false;
    } else {
      if (!cursor.enter_object()) return b_.fail("", cursor.error());
      for (std::string_view key; cursor.next_field(key);) {
        if (key == "messages") {
          if (has_messages) return b_.fail("messages", "the key stands twice in the record");
          has_messages = true;
          if (!read_messages(cursor)) return false;
        } else if (key == "gold") {
          gold = cursor;
          has_gold = true;
          cursor.skip();
        } else if (key == "tools" && !cursor.null()) {
          has_pool = true;
          if (!read_pool(cursor)) return false;
        } else if (key != "tools" && !read_label(cursor, key)) {
          return false;
        }
      }
    }
    if (!cursor.ok()) return b_.fail("", cursor.error());
    cursor.end();
    if (!cursor.ok()) return b_.fail("", cursor.error());
    if (!has_messages) return b_.fail("messages", "the key is missing");
    if (!has_pool && !use_shared_pool(b_, sidecar_)) return false;
    if (!b_.has_id()) b_.set_id(place_name(sidecar_, place));
    if (!has_gold || gold_.read(gold)) return true;
    b_.Within("gold");
    return false;
  }

 private:
  bool read_messages(Cursor& cursor) {
    if (messages_.read_messages(cursor, {})) return true;
    b_.Within("messages");
    return false;
  }

  bool read_pool(Cursor& cursor) {
    const wend_span pool = b_.pools().read(cursor);
    if (!cursor.ok()) return b_.fail(b_.pools().failed_key("tools"), cursor.error());
    b_.set_pool(pool);
    return true;
  }

  // id, scenario, family, profile; anything else is skipped.
  bool read_label(Cursor& cursor, std::string_view key) {
    const bool id = key == "id", scenario = key == "scenario", family = key == "family";
    if (key == "profile") {
      if (!cursor.null()) b_.set_profile(cursor.raw());
    } else if ((!id && !scenario && !family) || cursor.null()) {
      if (!id && !scenario && !family) cursor.skip();
    } else if (cursor.peek() == '"') {
      const std::string_view text = cursor.string(text_);
      if (!cursor.ok()) return b_.fail(key, cursor.error());
      if (id) b_.set_id(text);
      if (scenario) b_.set_scenario(text);
      if (family) b_.set_family(text);
    } else if (id && cursor.peek() != '{' && cursor.peek() != '[') {
      b_.set_id(cursor.scalar());  // a number
    } else {
      return b_.fail(key, "a string was expected");
    }
    return true;
  }

  BatchBuilder& b_;
  const Sidecar& sidecar_;
  MessageReader messages_;
  GoldReader gold_;
  PaddedBuffer text_;
};

}  // namespace

std::unique_ptr<RecordReader> make_native_reader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<NativeReader>(builder, sidecar);
}

}  // namespace wend
