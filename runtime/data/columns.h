// Columns: the tables of include/wend/columns.def as growing vectors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/include/wend/wend.h"

namespace wend {

using RowCounts = std::array<uint32_t, WEND_N_TABLES>;

struct Columns {
#define WEND_COLUMN(table, name, ctype) std::vector<ctype> table##_##name;
#include "runtime/include/wend/columns.def"
  RowCounts rows{};

  // A new row of `table`, zeroed; returns its number.
  template <int table>
  uint32_t add();

  // Drops the rows from `rows[table]` on, for one table.
  template <int table>
  void truncate(uint32_t count);

  void clear();
  // Start of each column's array, in the order of enum wend_column.
  std::array<const void*, WEND_N_COLUMNS> starts() const;
};

// Gives back memory that was needed for much more than what is there now.
template <class Container>
void trim_memory(Container& container) {
  constexpr size_t kSmall = 16 * 1024;  // bytes
  const size_t held = container.capacity() * sizeof(container[0]);
  if (held > kSmall && container.capacity() > 8 * container.size()) container.shrink_to_fit();
}

// One specialisation per table: the columns of a table grow and shrink together.
namespace columns_internal {
template <int table, class Visit>
inline void for_each(Columns& c, Visit&& visit) {
#define WEND_COLUMN(t, name, ctype) \
  if constexpr (table == WEND_TABLE_##t) visit(c.t##_##name);
#include "runtime/include/wend/columns.def"
}
}  // namespace columns_internal

// The same with the columns of two.
namespace columns_internal {
template <int table, class Visit>
inline void for_each(Columns& a, const Columns& b, Visit&& visit) {
#define WEND_COLUMN(t, name, ctype) \
  if constexpr (table == WEND_TABLE_##t) visit(a.t##_##name, b.t##_##name);
#include "runtime/include/wend/columns.def"
}
}  // namespace columns_internal

template <int table>
inline uint32_t Columns::add() {
  columns_internal::for_each<table>(*this, [](auto& column) { column.emplace_back(); });
  return rows[table]++;
}

template <int table>
inline void Columns::truncate(uint32_t count) {
  columns_internal::for_each<table>(*this, [count](auto& column) { column.resize(count); });
  rows[table] = count;
}

}  // namespace wend
