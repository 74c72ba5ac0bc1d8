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

  bool Read(Cursor& cursor);

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

  bool ReadTurns(Cursor& cursor);
  bool ReadTurn(Cursor& cursor);
  bool ReadKind(Cursor& cursor);
  bool ReadSignal(Cursor& cursor);
  bool ReadStale(Cursor& cursor);
  bool ReadMissing(Cursor& cursor);
  bool ReadCalls(Cursor& cursor);
  bool ReadCall(Cursor& cursor);
  bool ReadAccept(Cursor& cursor);
  bool ReadOptional(Cursor& cursor);
  bool ReadArguments(Cursor& cursor);
  bool ReadChains(Cursor& cursor);
  bool ReadLinks(Cursor& cursor);
  bool ReadLink(Cursor& cursor);
  bool ReadNeeds(Cursor& cursor);
  bool Nth(std::string_view list, size_t i) {
    b_.Within(std::string(list) + "[" + std::to_string(i) + "]");
    return false;
  }
  bool FailAt(const Cursor& cursor, std::string_view key) { return b_.Fail(key, cursor.error()); }

  BatchBuilder& b_;
  MessageReader& messages_;
  PaddedBuffer text_, param_;
  std::vector<Alternatives> accept_;
  std::vector<uint32_t> optional_, needs_;
};

}  // namespace wend
