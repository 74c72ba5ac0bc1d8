// Symbols of a state are texts and values of its own tables. Dead ones stay there until they take more room than live
// ones; then the tables go back to what never dies, and what is alive is put in again.
#include "runtime/belief/engine.h"
#include "runtime/belief/state.h"
#include "runtime/belief/symbols.h"

namespace wend::belief {
namespace {

constexpr size_t kSlack = 16 * 1024;  // bytes that dead symbols may always take

}  // namespace

void Dialogue::State::sweep_if_needed(Workspace& work) {
  if (tables.used() > 2 * settled + kSlack) sweep(work);
}

void Dialogue::State::sweep(Workspace& work) {
  drop_event();
  Columns& c = tables.columns;
  work.swept.clear();
  work.moved.clear();
  work.new_texts.assign(c.rows[WEND_TABLE_text], WEND_NONE);
  work.new_values.assign(c.rows[WEND_TABLE_value], WEND_NONE);
  constexpr uint32_t kListed = 0;
  const auto list = [&](uint32_t row, std::string_view bytes, bool value, bool folded, bool string) {
    const size_t begin = work.swept.size();
    work.swept.append(bytes);
    work.moved.push_back({row, begin, work.swept.size(), value, folded, string});
  };
  const auto text = [&](uint32_t row, bool searched) {
    if (row == WEND_NONE || work.new_texts[row] != WEND_NONE) return;
    work.new_texts[row] = kListed;
    list(row, tables.text(row), false, searched, false);
  };
  for_each_symbol(
      *this, [&](uint32_t& row) { text(row, true); },
      [&](uint32_t& row) {
        if (row == WEND_NONE || work.new_values[row] != WEND_NONE) return;
        work.new_values[row] = row < base_values.rows ? row : kListed;
        if (row >= base_values.rows) list(row, tables.value_text(row), true, false, tables.is_string(row));
      });
  for (uint32_t row : object_texts) text(row, false);  // never searched: these need no folded form

  tables.values.rollback(base_values);
  tables.texts.rollback(base_texts);
  for (const Workspace::Moved& moved : work.moved) {
    const std::string_view bytes = std::string_view(work.swept).substr(moved.begin, moved.end - moved.begin);
    if (!moved.value) {
      work.new_texts[moved.row] = moved.folded ? tables.texts.intern_name(bytes) : tables.texts.intern(bytes);
    } else {
      work.new_values[moved.row] = moved.string ? tables.values.string(bytes) : work.reader.read(tables, bytes);
    }
  }
  const auto moved_text = [&](uint32_t& row) {
    if (row != WEND_NONE) row = work.new_texts[row];
  };
  for_each_symbol(*this, moved_text, [&](uint32_t& row) {
    if (row != WEND_NONE) row = work.new_values[row];
  });
  for (uint32_t& row : object_texts) moved_text(row);
  tables.values.trim();
  tables.texts.trim();
  settled = tables.used();
  tables.refresh();
}

}  // namespace wend::belief
