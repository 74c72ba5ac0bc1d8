#include "runtime/data/columns.h"

namespace wend {

void Columns::clear() {
#define WEND_COLUMN(table, name, ctype) table##_##name.clear();
#include "runtime/include/wend/columns.def"
  rows.fill(0);
}

std::array<const void*, WEND_N_COLUMNS> Columns::starts() const {
  return {
#define WEND_COLUMN(table, name, ctype) table##_##name.data(),
#include "runtime/include/wend/columns.def"
  };
}

}  // namespace wend
