// GoldReader: the `gold` object of the native format (docs/trajectory-format.md).
#pragma once

#include <string_view>
#include <vector>

#include "runtime/data/builder.h"
#include "runtime/data/readers/messages.h"

namespace wend {

class GoldReader {
 public:
  GoldReader(BatchBuilder& builder, MessageReader& messages) : b_(builder), messages_(messages) {}

  bool read(Cursor& cursor);

 private:
  struct Item {
    int64_t turn;
    size_t position;
    Cursor at;
  };
  struct Alternatives {
    uint32_t name;
    std::vector<uint32_t> values;
  };

  bool read_turns(Cursor& cursor);
  bool read_turn(Cursor& cursor);
  bool read_kind(Cursor& cursor);
  bool read_signal(Cursor& cursor);
  bool read_stale(Cursor& cursor);
  bool read_missing(Cursor& cursor);
  bool read_calls(Cursor& cursor);
  bool read_call(Cursor& cursor);
  bool read_accept(Cursor& cursor);
  bool read_optional(Cursor& cursor);
  bool read_arguments(Cursor& cursor);
  bool read_chains(Cursor& cursor);
  bool read_links(Cursor& cursor);
  bool read_link(Cursor& cursor);
  bool read_needs(Cursor& cursor);
  bool nth(std::string_view list, size_t i) {
    b_.Within(std::string(list) + "[" + std::to_string(i) + "]");
    return false;
  }
  bool fail_at(const Cursor& cursor, std::string_view key) { return b_.fail(key, cursor.error()); }

  BatchBuilder& b_;
  MessageReader& messages_;
  PaddedBuffer text_, param_;
  std::vector<Alternatives> accept_;
  std::vector<uint32_t> optional_, needs_;
};

}  // namespace wend
