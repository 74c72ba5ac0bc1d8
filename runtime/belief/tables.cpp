#include "runtime/belief/tables.h"

#include "runtime/data/text.h"

namespace wend::belief {
namespace {

template <int table>
void copy_table(Columns& to, const Columns& from) {
  columns_internal::for_each<table>(to, from, [](auto& a, const auto& b) { a = b; });
  to.rows[table] = from.rows[table];
}

}  // namespace

void Tables::begin(const Tables& base) {
  texts.begin(base.texts);
  values.begin(base.values);
  copy_table<WEND_TABLE_tool>(columns, base.columns);
  copy_table<WEND_TABLE_param>(columns, base.columns);
  copy_table<WEND_TABLE_choice>(columns, base.columns);
}

void Tables::append_json(uint32_t value, std::string& out) const {
  if (is_string(value)) {
    append_json_string(value_text(value), out);
  } else {
    out.append(value_text(value));
  }
}

size_t Tables::used() const {
  return texts.used() + 2 * sizeof(wend_bytes) * columns.rows[WEND_TABLE_text] + 64 * columns.rows[WEND_TABLE_value] +
         sizeof(uint32_t) * columns.rows[WEND_TABLE_leaf];
}

size_t Tables::memory() const {
  size_t sum = texts.memory() + values.memory();
#define WEND_COLUMN(table, name, ctype) sum += columns.table##_##name.capacity() * sizeof(ctype);
#include "runtime/include/wend/columns.def"
  return sum;
}

}  // namespace wend::belief
