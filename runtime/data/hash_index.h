// HashIndex: row numbers by the hash of what they stand for; the caller holds the rows and says which one is meant.
//
// Rows are only ever dropped in the reverse order of their coming, so that a probe never meets a gap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wend {

class HashIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  // The row with this hash for which `same(row)` holds, kNone if there is none.
  template <class Same>
  uint32_t find(uint64_t hash, Same&& same) const {
    if (slots_.empty()) return kNone;
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash & mask; slots_[at].row != kNone; at = (at + 1) & mask) {
      if (slots_[at].hash == high(hash) && same(slots_[at].row)) return slots_[at].row;
    }
    return kNone;
  }

  void add(uint64_t hash, uint32_t row) {
    if (slots_.size() < 2 * (added_.size() + 1)) grow();
    Place({hash, row});
    added_.push_back({hash, row});
  }

  size_t size() const { return added_.size(); }
  size_t memory() const { return slots_.capacity() * sizeof(Slot) + added_.capacity() * sizeof(Added); }
  // Drops the rows that came last, until `size` are left.
  void shrink(size_t size) {
    for (; added_.size() > size; added_.pop_back()) {
      size_t at = added_.back().hash & (slots_.size() - 1);
      while (slots_[at].row != added_.back().row) at = (at + 1) & (slots_.size() - 1);
      slots_[at].row = kNone;
    }
  }
  // Gives back memory that was needed for many more rows.
  void trim() {
    if (slots_.size() <= 1024 || slots_.size() < 16 * added_.size()) return;
    slots_ = {};
    added_.shrink_to_fit();
    while (slots_.size() < 2 * (added_.size() + 1)) grow();
  }
  void clear() {
    added_.clear();
    slots_.assign(slots_.size(), {0, kNone});
  }

 private:
  struct Slot {
    uint32_t hash, row;  // upper half of the hash: the lower one is the place
  };
  struct Added {
    uint64_t hash;
    uint32_t row;
  };

  static uint32_t high(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  void Place(const Added& added) {
    const size_t mask = slots_.size() - 1;
    size_t at = added.hash & mask;
    while (slots_[at].row != kNone) at = (at + 1) & mask;
    slots_[at] = {high(added.hash), added.row};
  }
  void grow() {
    slots_.assign(slots_.empty() ? 256 : 2 * slots_.size(), {0, kNone});
    for (const Added& added : added_) Place(added);
  }

  std::vector<Slot> slots_;
  std::vector<Added> added_;
};

}  // namespace wend
