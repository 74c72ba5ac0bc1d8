// CallKeys: the column call.key: the first call of a batch with the same name and canonical arguments.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/data/columns.h"
#include "runtime/data/hash_index.h"

namespace wend {

class CallKeys {
 public:
  explicit CallKeys(const Columns& columns) : columns_(columns) {}

  // The key of a finished call (its arguments sorted by name). Calls whose arguments could not be read are the same
  // if these have the same text: `malformed`, WEND_NONE otherwise.
  uint32_t key_of(uint32_t call, uint32_t malformed);

  size_t mark() const { return index_.size(); }
  // After the rows of calls keyed since `mark` were dropped.
  void rollback(size_t mark);
  void clear();

 private:
  uint64_t hash_of(uint32_t call, uint32_t malformed) const;
  bool same(uint32_t known, uint32_t call, uint32_t malformed) const;

  const Columns& columns_;
  HashIndex index_;                  // of calls
  std::vector<uint32_t> malformed_;  // by row of call, as far as known; WEND_NONE beyond
};

}  // namespace wend
