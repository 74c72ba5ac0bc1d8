#include "runtime/data/call_keys.h"

#include "runtime/data/hash.h"

namespace wend {

uint64_t CallKeys::hash_of(uint32_t call, uint32_t malformed) const {
  uint64_t h = mix_hash(columns_.call_name[call] ^ 0x9E3779B97F4A7C15u, malformed ^ 0xD1B54A32D192ED03u);
  const wend_span args = columns_.call_args[call];
  for (uint32_t a = args.begin; a < args.end; ++a) {
    const uint64_t word = static_cast<uint64_t>(columns_.arg_name[a]) << 32 | columns_.arg_value[a];
    h = mix_hash(h ^ word, 0x8CB92BA72F3D8DD7u);
  }
  return h;
}

bool CallKeys::same(uint32_t known, uint32_t call, uint32_t malformed) const {
  const wend_span a = columns_.call_args[known], b = columns_.call_args[call];
  const uint32_t known_malformed = known < malformed_.size() ? malformed_[known] : WEND_NONE;
  if (columns_.call_name[known] != columns_.call_name[call] || known_malformed != malformed ||
      a.end - a.begin != b.end - b.begin) {
    return false;
  }
  for (uint32_t i = 0; i < a.end - a.begin; ++i) {
    if (columns_.arg_name[a.begin + i] != columns_.arg_name[b.begin + i] ||
        columns_.arg_value[a.begin + i] != columns_.arg_value[b.begin + i]) {
      return false;
    }
  }
  return true;
}

uint32_t CallKeys::key_of(uint32_t call, uint32_t malformed) {
  const uint64_t hash = hash_of(call, malformed);
  const uint32_t known = index_.find(hash, [&](uint32_t row) { return same(row, call, malformed); });
  if (known != WEND_NONE) return known;
  index_.add(hash, call);
  if (malformed != WEND_NONE) {
    malformed_.resize(call + 1, WEND_NONE);
    malformed_[call] = malformed;
  }
  return call;
}

void CallKeys::rollback(size_t mark) {
  index_.shrink(mark);
  // Rows of dropped calls come again, as other calls.
  if (malformed_.size() > columns_.rows[WEND_TABLE_call]) malformed_.resize(columns_.rows[WEND_TABLE_call]);
}

void CallKeys::clear() {
  index_.clear();
  malformed_.clear();
}

}  // namespace wend
