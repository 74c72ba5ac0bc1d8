// The native format and plain OpenAI chat logs: {"messages": [...], "tools": [...], "gold": {...}} or a bare list of
// messages. A chat log is a native record without gold.
#include <string>

#include "runtime/data/readers/gold_reader.h"
#include "runtime/data/readers/messages.h"
#include "runtime/data/readers/record_reader.h"

namespace wend {

std::string PlaceName(const Sidecar& sidecar, const RecordPlace& place) {
  return sidecar.file + ":" + std::to_string(place.line ? place.line : place.record);
}

bool UseSharedPool(BatchBuilder& builder, const Sidecar& sidecar) {
  if (sidecar.tools_json.empty()) return true;
  wend_span pool;
  if (!builder.pools().Find(sidecar.tools_json, pool)) {
    PaddedBuffer buffer;
    JsonIndex index;
    if (const char* cause = index.Build(buffer.Copy(sidecar.tools_json))) return builder.Fail("tools", cause);
    Cursor cursor = index.All();
    pool = builder.pools().Read(cursor);
    if (cursor.ok()) cursor.End();
    if (!cursor.ok()) return builder.Fail(builder.pools().FailedKey("tools"), cursor.error());
    builder.pools().Remember(sidecar.tools_json, pool);
  }
  builder.SetPool(pool);
  builder.CountSharedPool();
  return true;
}

namespace {

class NativeReader : public RecordReader {
 public:
  NativeReader(BatchBuilder& builder, const Sidecar& sidecar)
      : b_(builder), sidecar_(sidecar), messages_(builder), gold_(builder, messages_) {}

  bool Read(Cursor cursor, const RecordPlace& place) override {
    Cursor gold;
    bool has_messages = false, has_gold = false, has_pool = false;
    if (cursor.peek() == '[') {
      has_messages = true;
      if (!ReadMessages(cursor)) return false;
    } else {
      if (!cursor.EnterObject()) return b_.Fail("", cursor.error());
      for (std::string_view key; cursor.NextField(key);) {
        if (key == "messages") {
          if (has_messages) return b_.Fail("messages", "the key stands twice in the record");
          has_messages = true;
          if (!ReadMessages(cursor)) return false;
        } else if (key == "gold") {
          gold = cursor;
          has_gold = true;
          cursor.Skip();
        } else if (key == "tools" && !cursor.Null()) {
          has_pool = true;
          if (!ReadPool(cursor)) return false;
        } else if (key != "tools" && !ReadLabel(cursor, key)) {
          return false;
        }
      }
    }
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    cursor.End();
    if (!cursor.ok()) return b_.Fail("", cursor.error());
    if (!has_messages) return b_.Fail("messages", "the key is missing");
    if (!has_pool && !UseSharedPool(b_, sidecar_)) return false;
    if (!b_.has_id()) b_.SetId(PlaceName(sidecar_, place));
    if (!has_gold || gold_.Read(gold)) return true;
    b_.Within("gold");
    return false;
  }

 private:
  bool ReadMessages(Cursor& cursor) {
    if (messages_.ReadMessages(cursor, {})) return true;
    b_.Within("messages");
    return false;
  }

  bool ReadPool(Cursor& cursor) {
    const wend_span pool = b_.pools().Read(cursor);
    if (!cursor.ok()) return b_.Fail(b_.pools().FailedKey("tools"), cursor.error());
    b_.SetPool(pool);
    return true;
  }

  // id, scenario, family, profile; anything else is skipped.
  bool ReadLabel(Cursor& cursor, std::string_view key) {
    const bool id = key == "id", scenario = key == "scenario", family = key == "family";
    if (key == "profile") {
      if (!cursor.Null()) b_.SetProfile(cursor.Raw());
    } else if ((!id && !scenario && !family) || cursor.Null()) {
      if (!id && !scenario && !family) cursor.Skip();
    } else if (cursor.peek() == '"') {
      const std::string_view text = cursor.String(text_);
      if (!cursor.ok()) return b_.Fail(key, cursor.error());
      if (id) b_.SetId(text);
      if (scenario) b_.SetScenario(text);
      if (family) b_.SetFamily(text);
    } else if (id && cursor.peek() != '{' && cursor.peek() != '[') {
      b_.SetId(cursor.Scalar());  // a number
    } else {
      return b_.Fail(key, "a string was expected");
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

std::unique_ptr<RecordReader> MakeNativeReader(BatchBuilder& builder, const Sidecar& sidecar) {
  return std::make_unique<NativeReader>(builder, sidecar);
}

}  // namespace wend
