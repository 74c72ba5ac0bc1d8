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
  bool read_messages(Cursor& cursor, MessageShape shape);

  // Reads the arguments of the call that the builder has started: an object, or a string that holds JSON (once or
  // twice encoded) or a Python literal; null, "" and {} are no arguments. Text that is none of these makes the call
  // malformed; false only where the record itself is broken.
  bool read_arguments(Cursor& cursor);

  // The value of `key` in the object that comes next, at `value`; the cursor stays. False if it is not there.
  static bool find(Cursor cursor, std::string_view key, Cursor& value);

  // The builder's error from the cursor's, for the field `key`.
  bool fail_at(const Cursor& cursor, std::string_view key) { return b_.fail(key, cursor.error()); }

 private:
  struct CallDraft {
    std::string_view name, id;
    Cursor arguments;
    bool has_name = false, has_arguments = false;
  };

  bool read_message(Cursor& cursor, MessageShape shape);
  bool read_role(const Cursor& cursor, uint8_t& role);
  bool read_content(Cursor& cursor, uint8_t role);
  bool read_parts(Cursor& cursor, uint8_t role);
  bool read_calls(Cursor& cursor);
  bool read_call(Cursor& cursor);
  bool read_call_fields(Cursor& cursor, CallDraft& draft);
  bool read_user_calls(Cursor& cursor);
  bool read_draft(Cursor draft, Cursor block);
  bool block_text(Cursor cursor, std::string_view key, PaddedBuffer& buffer, std::string_view& text);
  bool read_argument_text(std::string_view text, int depth);
  bool read_fields(Cursor& cursor);

  BatchBuilder& b_;
  PaddedBuffer text_, name_, id_, nested_[3];
  JsonIndex index_[3];
  std::string json_, parts_;
  DraftReader drafts_{DraftShape::context_manager()}, blocks_{DraftShape::context_manager()};
  DraftComparer comparer_{DraftShape::context_manager()};
};

}  // namespace wend
