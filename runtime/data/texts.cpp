#include "runtime/data/texts.h"

#include "runtime/data/hash.h"
#include "runtime/data/text.h"

namespace wend {

void TextTable::begin(const TextTable& base) {
  columns_.text_data = base.columns_.text_data;
  columns_.text_folded = base.columns_.text_folded;
  columns_.rows[WEND_TABLE_text] = base.columns_.rows[WEND_TABLE_text];
  interned_ = base.interned_;
  upgraded_ = base.upgraded_;
}

void TextTable::trim() {
  arena_.trim();
  interned_.trim();
  columns_internal::for_each<WEND_TABLE_text>(columns_, [](auto& column) { trim_memory(column); });
  trim_memory(upgraded_);
  scratch_.clear();
  decoded_.clear();
  trim_memory(scratch_);
  trim_memory(decoded_);
}

size_t TextTable::memory() const {
  return arena_.capacity() + interned_.memory() + upgraded_.capacity() * sizeof(uint32_t) + scratch_.capacity() +
         decoded_.capacity();
}

uint32_t TextTable::new_row(std::string_view stored) {
  const uint32_t row = columns_.add<WEND_TABLE_text>();
  columns_.text_data[row] = Bytes(stored);
  return row;
}

uint32_t TextTable::add_interned(std::string_view text, uint64_t hash) {
  const uint32_t row = new_row(arena_.store(text));
  interned_.add(hash, row);
  return row;
}

uint32_t TextTable::intern_canonical(std::string_view text) {
  const uint64_t hash = hash64(text);
  const uint32_t known = find(text, hash);
  return known != WEND_NONE ? known : add_interned(text, hash);
}

uint32_t TextTable::intern(std::string_view text) {
  const uint64_t hash = hash64(text);
  const uint32_t known = find(text, hash);  // what is known is NFC
  if (known != WEND_NONE) return known;
  if (is_ascii(text) || is_surely_nfc(text)) return add_interned(text, hash);
  return intern_canonical(to_nfc(text));
}

uint32_t TextTable::intern_name(std::string_view text) {
  const uint32_t row = intern(text);
  if (!columns_.text_folded[row].data) {
    const std::string_view stored = this->text(row);
    columns_.text_folded[row] = store_folded(stored, is_ascii(stored));
    upgraded_.push_back(row);
  }
  return row;
}

uint32_t TextTable::intern_folded(std::string_view text) {
  const uint32_t row = intern_canonical(text);
  if (!columns_.text_folded[row].data) {
    columns_.text_folded[row] = columns_.text_data[row];
    upgraded_.push_back(row);
  }
  return row;
}

uint32_t TextTable::find(std::string_view text, uint64_t hash) const {
  return interned_.find(hash, [&](uint32_t row) { return this->text(row) == text; });
}

wend_bytes TextTable::store_folded(std::string_view text, bool ascii) {
  if (ascii) {
    char* out = arena_.reserve(text.size());
    const size_t size = fold_ascii(text, out);
    arena_.commit(size);
    return {out, size};
  }
  scratch_.clear();
  append_folded(text, scratch_);
  return Bytes(arena_.store(scratch_));
}

uint32_t TextTable::add_stored(std::string_view stored, bool ascii, bool decode) {
  const uint32_t row = new_row(stored);
  if (decode && decode_json_escapes(stored, decoded_)) {
    const bool plain = is_ascii(decoded_);
    if (!plain && !is_surely_nfc(decoded_)) decoded_ = to_nfc(decoded_);
    columns_.text_folded[row] = store_folded(decoded_, plain);
  } else {
    columns_.text_folded[row] = store_folded(stored, ascii);
  }
  return row;
}

uint32_t TextTable::add_json_string(std::string_view body, bool decode, const char*& error) {
  char* out = arena_.reserve(body.size());
  const Unescaped made = unescape_json(body, out);
  error = made.error;
  if (made.error || made.size == 0) return WEND_NONE;
  const std::string_view text(out, made.size);
  if (made.ascii || is_surely_nfc(text)) {
    arena_.commit(made.size);
    return add_stored(text, made.ascii, decode);
  }
  const std::string canonical = to_nfc(text);
  return add_stored(arena_.store(canonical), false, decode);
}

uint32_t TextTable::add_repeated(std::string_view body, const char*& error) {
  error = nullptr;
  for (const Repeated& known : repeated_) {
    if (known.body == body) return known.row;
  }
  const uint32_t row = add_json_string(body, false, error);
  if (row != WEND_NONE && repeated_.size() < kMaxRepeated) repeated_.push_back({arena_.store(body), row});
  return row;
}

uint32_t TextTable::add(std::string_view text, bool decode) {
  if (text.empty()) return WEND_NONE;
  const bool ascii = is_ascii(text);
  if (ascii || is_surely_nfc(text)) return add_stored(arena_.store(text), ascii, decode);
  return add_stored(arena_.store(to_nfc(text)), false, decode);
}

uint32_t TextTable::add_folded(std::string_view text, bool decode) {
  if (decode && decode_json_escapes(text, decoded_)) text = decoded_;
  const bool ascii = is_ascii(text);
  std::string canonical;
  if (!ascii && !is_surely_nfc(text)) text = canonical = to_nfc(text);
  const wend_bytes folded = store_folded(text, ascii);
  const uint32_t row = new_row(View(folded));
  columns_.text_folded[row] = folded;
  return row;
}

void TextTable::rollback(const Mark& mark) {
  interned_.shrink(mark.interned);
  for (; upgraded_.size() > mark.upgraded; upgraded_.pop_back()) columns_.text_folded[upgraded_.back()] = {};
  std::erase_if(repeated_, [&mark](const Repeated& known) { return known.row >= mark.rows; });
  columns_.truncate<WEND_TABLE_text>(mark.rows);
  arena_.rollback(mark.bytes);
}

void TextTable::clear() {
  interned_.clear();
  upgraded_.clear();
  repeated_.clear();
  arena_.clear();
}

}  // namespace wend
