// MessageReader: OpenAI-shaped messages, tool calls and arguments, which every format has in some dialect.
#pragma once

#include <string>
#include <string_view>

#include "runtime/data/builder.h"
#include "runtime/data/json_cursor.h"
#include "runtime/draft/compare.h"
#include "runtime/draft/reader.h"

namespace wend {

// How a format's messages differ from OpenAI's.
struct MessageShape {
  // tau2-bench: a tool message names its call by `id`; `requestor` tells whose call it was.
  bool tau2 = false;
};

class MessageReader {
 public:
  explicit MessageReader(BatchBuilder& builder) : b_(builder) {}

  // Reads a list of messages into the builder's trace.
  bool ReadMessages(Cursor& cursor, MessageShape shape);

  // Reads the arguments of the call that the builder has started: an object, or a string that holds JSON (once or
  // twice encoded) or a Python literal; null, "" and {} are no arguments. Text that is none of these makes the call
  // malformed; false only where the record itself is broken.
  bool ReadArguments(Cursor& cursor);

  // The value of `key` in the object that comes next, at `value`; the cursor stays. False if it is not there.
  static bool Find(Cursor cursor, std::string_view key, Cursor& value);

  // The builder's error from the cursor's, for the field `key`.
  bool FailAt(const Cursor& cursor, std::string_view key) { return b_.Fail(key, cursor.error()); }

 private:
  struct CallDraft {
    std::string_view name, id;
    Cursor arguments;
    bool has_name = false, has_arguments = false;
  };

  bool ReadMessage(Cursor& cursor, MessageShape shape);
  bool ReadRole(const Cursor& cursor, uint8_t& role);
  bool ReadContent(Cursor& cursor, uint8_t role);
  bool ReadParts(Cursor& cursor, uint8_t role);
  bool ReadCalls(Cursor& cursor);
  bool ReadCall(Cursor& cursor);
  bool ReadCallFields(Cursor& cursor, CallDraft& draft);
  bool ReadUserCalls(Cursor& cursor);
  bool ReadDraft(Cursor draft, Cursor block);
  bool BlockText(Cursor cursor, std::string_view key, PaddedBuffer& buffer, std::string_view& text);
  bool ReadArgumentText(std::string_view text, int depth);
  bool ReadFields(Cursor& cursor);

  BatchBuilder& b_;
  PaddedBuffer text_, name_, id_, nested_[3];
  JsonIndex index_[3];
  std::string json_, parts_;
  DraftReader drafts_{DraftShape::context_manager()}, blocks_{DraftShape::context_manager()};
  DraftComparer comparer_{DraftShape::context_manager()};
};

}  // namespace wend
