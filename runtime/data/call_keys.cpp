#include "runtime/data/call_keys.h"

#include "runtime/data/hash.h"

namespace wend {

uint64_t CallKeys::Hash(uint32_t call, uint32_t malformed) const {
  uint64_t h = MixHash(columns_.call_name[call] ^ 0x9E3779B97F4A7C15u, malformed ^ 0xD1B54A32D192ED03u);
  const wend_span args = columns_.call_args[call];
  for (uint32_t a = args.begin; a < args.end; ++a) {
    const uint64_t word = static_cast<uint64_t>(columns_.arg_name[a]) << 32 | columns_.arg_value[a];
    h = MixHash(h ^ word, 0x8CB92BA72F3D8DD7u);
  }
  return h;
}

bool CallKeys::Same(const Keyed& known, uint32_t call, uint32_t malformed) const {
  const wend_span a = columns_.call_args[known.call], b = columns_.call_args[call];
  if (columns_.call_name[known.call] != columns_.call_name[call] || known.malformed != malformed ||
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

void CallKeys::Grow() {
  const size_t size = slots_.empty() ? 256 : 2 * slots_.size();
  slots_.assign(size, WEND_NONE);
  for (uint32_t i = 0; i < keyed_.size(); ++i) {
    size_t at = keyed_[i].hash & (size - 1);
    while (slots_[at] != WEND_NONE) at = (at + 1) & (size - 1);
    slots_[at] = i;
  }
}

uint32_t CallKeys::KeyOf(uint32_t call, uint32_t malformed) {
  if (slots_.size() < 2 * (keyed_.size() + 1)) Grow();
  const uint64_t hash = Hash(call, malformed);
  size_t at = hash & (slots_.size() - 1);
  for (; slots_[at] != WEND_NONE; at = (at + 1) & (slots_.size() - 1)) {
    const Keyed& known = keyed_[slots_[at]];
    if (known.hash == hash && Same(known, call, malformed)) return known.call;
  }
  slots_[at] = static_cast<uint32_t>(keyed_.size());
  keyed_.push_back({call, malformed, hash});
  return call;
}

void CallKeys::Rollback(size_t mark) {
  for (; keyed_.size() > mark; keyed_.pop_back()) {
    size_t at = keyed_.back().hash & (slots_.size() - 1);
    while (slots_[at] != keyed_.size() - 1) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = WEND_NONE;
  }
}

void CallKeys::Clear() {
  keyed_.clear();
  slots_.assign(slots_.size(), WEND_NONE);
}

}  // namespace wend
