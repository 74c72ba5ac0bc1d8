#include "runtime/data/values.h"

#include <algorithm>

#include "runtime/data/number.h"
#include "runtime/data/stable_sort.h"
#include "runtime/data/text.h"

namespace wend {
namespace {

// map[row], where rows beyond the end are WEND_NONE.
uint32_t& at(std::vector<uint32_t>& map, uint32_t row) {
  if (row >= map.size()) map.resize(std::max<size_t>(row + 1, map.size() + map.size() / 2), WEND_NONE);
  return map[row];
}

}  // namespace

void ValueTable::begin(const ValueTable& base) {
  columns_internal::for_each<WEND_TABLE_value>(columns_, base.columns_, [](auto& to, const auto& from) { to = from; });
  columns_internal::for_each<WEND_TABLE_leaf>(columns_, base.columns_, [](auto& to, const auto& from) { to = from; });
  columns_.rows[WEND_TABLE_value] = base.columns_.rows[WEND_TABLE_value];
  columns_.rows[WEND_TABLE_leaf] = base.columns_.rows[WEND_TABLE_leaf];
  as_string_ = base.as_string_;
  as_json_ = base.as_json_;
  fold_as_string_ = base.fold_as_string_;
  fold_as_json_ = base.fold_as_json_;
  folds_ = base.folds_;
}

void ValueTable::trim() {
  columns_internal::for_each<WEND_TABLE_value>(columns_, [](auto& column) { trim_memory(column); });
  columns_internal::for_each<WEND_TABLE_leaf>(columns_, [](auto& column) { trim_memory(column); });
  for (std::vector<uint32_t>* map : {&as_string_, &as_json_, &fold_as_string_, &fold_as_json_}) {
    if (map->size() > columns_.rows[WEND_TABLE_text]) map->resize(columns_.rows[WEND_TABLE_text]);
    trim_memory(*map);
  }
  trim_memory(folds_);
  for (std::string* text : {&scratch_, &folded_}) {
    text->clear();
    trim_memory(*text);
  }
  items_.clear();
  trim_memory(items_);
  buffer_.trim();
}

size_t ValueTable::memory() const {
  return 4 * (as_string_.capacity() + as_json_.capacity() + fold_as_string_.capacity() + fold_as_json_.capacity()) +
         folds_.capacity() * sizeof(Fold) + items_.capacity() * sizeof(Item) + scratch_.capacity() +
         folded_.capacity() + buffer_.capacity();
}

uint32_t ValueTable::read(Cursor& cursor, int depth) {
  switch (cursor.peek()) {
    case '"': {
      const std::string_view text = cursor.string(buffer_);
      return cursor.ok() ? string(text) : WEND_NONE;
    }
    case '{':
      return read_object(cursor, depth);
    case '[':
      return read_list(cursor, depth);
    default:
      return read_scalar(cursor);
  }
}

uint32_t ValueTable::read_scalar(Cursor& cursor) {
  const std::string_view token = cursor.scalar();
  if (!cursor.ok()) return WEND_NONE;
  if (token == "true" || token == "false") return Json(WEND_JSON_BOOL, token, 0);
  if (token == "null") return Json(WEND_JSON_NULL, token, 0);
  Number number;
  if (canonical_number(token, scratch_, number)) return Json(number.type, scratch_, number.value);
  if (token == "NaN" || token == "Infinity" || token == "-Infinity") {
    cursor.fail("NaN and Infinity are not JSON");
  } else {
    cursor.fail("neither a JSON number that a double can hold nor true, false or null");
  }
  return WEND_NONE;
}

uint32_t ValueTable::read_list(Cursor& cursor, int depth) {
  if (depth >= kMaxJsonDepth) {
    cursor.fail("nested too deep");
    return WEND_NONE;
  }
  const size_t base = items_.size();
  cursor.enter_array();
  while (cursor.next_element()) items_.push_back({WEND_NONE, read(cursor, depth + 1)});
  const uint32_t row = cursor.ok() ? container(cursor, WEND_JSON_LIST, base) : WEND_NONE;
  items_.resize(base);
  return row;
}

uint32_t ValueTable::read_object(Cursor& cursor, int depth) {
  if (depth >= kMaxJsonDepth) {
    cursor.fail("nested too deep");
    return WEND_NONE;
  }
  const size_t base = items_.size();
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    const uint32_t name = texts_.intern(key);
    const uint32_t value = read(cursor, depth + 1);
    items_.push_back({name, value});
  }
  uint32_t row = WEND_NONE;
  if (cursor.ok()) {
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(base);
    stable_sort(items_.data() + base, items_.data() + items_.size(), [this](const Item& a, const Item& b) {
      return a.name != b.name && texts_.text(a.name) < texts_.text(b.name);
    });
    // Of equal keys the last counts.
    auto out = begin;
    for (auto in = begin; in != items_.end(); ++in) {
      if (in + 1 != items_.end() && in->name == in[1].name) {
        ++duplicate_keys_;
      } else {
        *out++ = *in;
      }
    }
    items_.erase(out, items_.end());
    row = container(cursor, WEND_JSON_OBJECT, base);
  }
  items_.resize(base);
  return row;
}

// The text of the container made of items_[base..) into scratch_, from its items' canonical or folded texts.
void ValueTable::print(uint8_t type, size_t base, bool folded) {
  scratch_.assign(1, type == WEND_JSON_OBJECT ? '{' : '[');
  for (size_t i = base; i < items_.size(); ++i) {
    if (i > base) scratch_.push_back(',');
    if (type == WEND_JSON_OBJECT) {
      append_json_string(texts_.text(items_[i].name), scratch_);
      scratch_.push_back(':');
    }
    const uint32_t value = items_[i].value;
    bool string = columns_.value_type[value] == WEND_JSON_TEXT;
    uint32_t text = columns_.value_text[value];
    if (folded) {
      const Fold& fold = folds_[columns_.value_folded[value]];
      string = fold.string;
      text = fold.text;
    }
    if (string) {
      append_json_string(texts_.text(text), scratch_);
    } else {
      scratch_.append(texts_.text(text));
    }
  }
  scratch_.push_back(type == WEND_JSON_OBJECT ? '}' : ']');
}

uint32_t ValueTable::container(Cursor& cursor, uint8_t type, size_t base) {
  print(type, base, false);
  spent_ += 4 * scratch_.size();  // twice the text, and at most as much for its leaves
  if (spent_ > kMaxRecordValues) {
    cursor.fail("its values are too deep and too long");
    return WEND_NONE;
  }
  const uint32_t text = texts_.intern(scratch_);
  if (const uint32_t known = at(as_json_, text); known != WEND_NONE) return known;
  const uint32_t row = columns_.add<WEND_TABLE_value>();
  as_json_[text] = row;
  columns_.value_type[row] = type;
  columns_.value_text[row] = text;
  columns_.value_needle[row] = WEND_NONE;
  const uint32_t begin = columns_.rows[WEND_TABLE_leaf];
  for (size_t i = base; i < items_.size(); ++i) {
    const wend_span leaves = columns_.value_leaves[items_[i].value];
    for (uint32_t k = leaves.begin; k < leaves.end; ++k) {
      const uint32_t leaf = columns_.leaf_value[k];
      columns_.leaf_value[columns_.add<WEND_TABLE_leaf>()] = leaf;
    }
  }
  columns_.value_leaves[row] = {begin, columns_.rows[WEND_TABLE_leaf]};
  print(type, base, true);
  columns_.value_folded[row] = fold_number(texts_.intern(scratch_), false);
  return row;
}

uint32_t ValueTable::Json(uint8_t type, std::string_view canonical, double number) {
  const uint32_t text = texts_.intern_folded(canonical);
  if (const uint32_t known = at(as_json_, text); known != WEND_NONE) return known;
  const uint32_t row = columns_.add<WEND_TABLE_value>();
  as_json_[text] = row;
  columns_.value_type[row] = type;
  columns_.value_number[row] = number;
  columns_.value_text[row] = text;
  finish_leaf(row, text, fold_number(text, false));
  return row;
}

uint32_t ValueTable::string(std::string_view string) {
  const uint32_t text = texts_.intern(string);
  if (const uint32_t known = at(as_string_, text); known != WEND_NONE) return known;
  const uint32_t row = columns_.add<WEND_TABLE_value>();
  as_string_[text] = row;
  columns_.value_type[row] = WEND_JSON_TEXT;
  columns_.value_text[row] = text;
  folded_.clear();
  append_folded(texts_.text(text), folded_);
  const uint32_t needle = texts_.intern_folded(folded_);
  Number number;
  if (folded_ == "true" || folded_ == "false") {
    finish_leaf(row, needle, fold_number(needle, false));
  } else if (canonical_number(folded_, scratch_, number)) {
    finish_leaf(row, needle, fold_number(texts_.intern_folded(scratch_), false));
  } else {
    finish_leaf(row, needle, fold_number(needle, true));
  }
  return row;
}

void ValueTable::finish_leaf(uint32_t row, uint32_t needle, uint32_t folded) {
  const uint32_t leaf = columns_.add<WEND_TABLE_leaf>();
  columns_.leaf_value[leaf] = row;
  columns_.value_needle[row] = needle;
  columns_.value_folded[row] = folded;
  columns_.value_leaves[row] = {leaf, leaf + 1};
}

uint32_t ValueTable::fold_number(uint32_t text, bool string) {
  uint32_t& known = at(string ? fold_as_string_ : fold_as_json_, text);
  if (known == WEND_NONE) {
    known = static_cast<uint32_t>(folds_.size());
    folds_.push_back({text, string});
  }
  return known;
}

uint32_t ValueTable::ReadText(std::string_view json) {
  spent_ = 0;
  if (index_.build(text_buffer_.copy(json))) return WEND_NONE;
  Cursor cursor = index_.all();
  const uint32_t row = read(cursor);
  cursor.end();
  return cursor.ok() ? row : WEND_NONE;
}

void ValueTable::rollback(const Mark& mark) {
  for (uint32_t row = mark.rows; row < columns_.rows[WEND_TABLE_value]; ++row) {
    (columns_.value_type[row] == WEND_JSON_TEXT ? as_string_ : as_json_)[columns_.value_text[row]] = WEND_NONE;
  }
  for (; folds_.size() > mark.folds; folds_.pop_back()) {
    (folds_.back().string ? fold_as_string_ : fold_as_json_)[folds_.back().text] = WEND_NONE;
  }
  columns_.truncate<WEND_TABLE_value>(mark.rows);
  columns_.truncate<WEND_TABLE_leaf>(mark.leaves);
}

void ValueTable::clear() {
  as_string_.clear();
  as_json_.clear();
  fold_as_string_.clear();
  fold_as_json_.clear();
  folds_.clear();
  duplicate_keys_ = 0;
}

}  // namespace wend
