// CallKeys: the column call.key: the first call of a batch with the same name and canonical arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/data/columns.h"

namespace wend {

class CallKeys {
 public:
  explicit CallKeys(const Columns& columns) : columns_(columns) {}

  // The key of a finished call (its arguments sorted by name). Calls whose arguments could not be read are the same
  // if these have the same text: `malformed`, WEND_NONE otherwise.
  uint32_t KeyOf(uint32_t call, uint32_t malformed);

  size_t mark() const { return keyed_.size(); }
  // Before the rows of calls keyed since `mark` are dropped.
  void Rollback(size_t mark);
  void Clear();

 private:
  struct Keyed {
    uint32_t call, malformed;
    uint64_t hash;
  };

  uint64_t Hash(uint32_t call, uint32_t malformed) const;
  bool Same(const Keyed& known, uint32_t call, uint32_t malformed) const;
  void Grow();

  const Columns& columns_;
  std::vector<uint32_t> slots_;  // into keyed_
  std::vector<Keyed> keyed_;
};

}  // namespace wend
