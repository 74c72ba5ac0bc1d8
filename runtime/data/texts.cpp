#include "runtime/data/texts.h"

#include "runtime/data/hash.h"
#include "runtime/data/text.h"

namespace wend {

uint32_t TextTable::NewRow(std::string_view stored) {
  const uint32_t row = columns_.Add<WEND_TABLE_text>();
  columns_.text_data[row] = Bytes(stored);
  return row;
}

void TextTable::Grow() {
  const size_t size = slots_.empty() ? 1024 : 2 * slots_.size();
  slots_.assign(size, {0, WEND_NONE});
  for (const uint32_t row : interned_) {
    const auto hash = static_cast<uint32_t>(Hash64(text(row)));
    size_t at = hash & (size - 1);
    while (slots_[at].row != WEND_NONE) at = (at + 1) & (size - 1);
    slots_[at] = {hash, row};
  }
}

uint32_t TextTable::InternCanonical(std::string_view text) {
  if (slots_.size() < 2 * (interned_.size() + 1)) Grow();
  const size_t mask = slots_.size() - 1;
  const auto hash = static_cast<uint32_t>(Hash64(text));
  size_t at = hash & mask;
  for (; slots_[at].row != WEND_NONE; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && this->text(slots_[at].row) == text) return slots_[at].row;
  }
  const uint32_t row = NewRow(arena_.Store(text));
  slots_[at] = {hash, row};
  interned_.push_back(row);
  return row;
}

uint32_t TextTable::Intern(std::string_view text) {
  if (IsAscii(text) || IsSurelyNfc(text)) return InternCanonical(text);
  return InternCanonical(ToNfc(text));
}

uint32_t TextTable::InternName(std::string_view text) {
  const uint32_t row = Intern(text);
  if (!columns_.text_folded[row].data) {
    const std::string_view stored = this->text(row);
    columns_.text_folded[row] = StoreFolded(stored, IsAscii(stored));
    upgraded_.push_back(row);
  }
  return row;
}

uint32_t TextTable::InternFolded(std::string_view text) {
  const uint32_t row = InternCanonical(text);
  if (!columns_.text_folded[row].data) {
    columns_.text_folded[row] = columns_.text_data[row];
    upgraded_.push_back(row);
  }
  return row;
}

uint32_t TextTable::Find(std::string_view text) const {
  if (slots_.empty()) return WEND_NONE;
  const size_t mask = slots_.size() - 1;
  const auto hash = static_cast<uint32_t>(Hash64(text));
  for (size_t at = hash & mask; slots_[at].row != WEND_NONE; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && this->text(slots_[at].row) == text) return slots_[at].row;
  }
  return WEND_NONE;
}

wend_bytes TextTable::StoreFolded(std::string_view text, bool ascii) {
  if (ascii) {
    char* out = arena_.Reserve(text.size());
    const size_t size = FoldAscii(text, out);
    arena_.Commit(size);
    return {out, size};
  }
  scratch_.clear();
  AppendFolded(text, scratch_);
  return Bytes(arena_.Store(scratch_));
}

uint32_t TextTable::AddStored(std::string_view stored, bool ascii, bool decode) {
  const uint32_t row = NewRow(stored);
  if (decode && DecodeUnicodeEscapes(stored, decoded_)) {
    const bool plain = IsAscii(decoded_);
    if (!plain && !IsSurelyNfc(decoded_)) decoded_ = ToNfc(decoded_);
    columns_.text_folded[row] = StoreFolded(decoded_, plain);
  } else {
    columns_.text_folded[row] = StoreFolded(stored, ascii);
  }
  return row;
}

uint32_t TextTable::AddJsonString(std::string_view body, bool decode, const char*& error) {
  char* out = arena_.Reserve(body.size());
  const Unescaped made = UnescapeJson(body, out);
  error = made.error;
  if (made.error || made.size == 0) return WEND_NONE;
  const std::string_view text(out, made.size);
  if (made.ascii || IsSurelyNfc(text)) {
    arena_.Commit(made.size);
    return AddStored(text, made.ascii, decode);
  }
  const std::string canonical = ToNfc(text);
  return AddStored(arena_.Store(canonical), false, decode);
}

uint32_t TextTable::AddRepeated(std::string_view body, const char*& error) {
  error = nullptr;
  for (const Repeated& known : repeated_) {
    if (known.body == body) return known.row;
  }
  const uint32_t row = AddJsonString(body, false, error);
  if (row != WEND_NONE && repeated_.size() < kMaxRepeated) repeated_.push_back({arena_.Store(body), row});
  return row;
}

uint32_t TextTable::Add(std::string_view text, bool decode) {
  if (text.empty()) return WEND_NONE;
  const bool ascii = IsAscii(text);
  if (ascii || IsSurelyNfc(text)) return AddStored(arena_.Store(text), ascii, decode);
  return AddStored(arena_.Store(ToNfc(text)), false, decode);
}

uint32_t TextTable::AddFolded(std::string_view text, bool decode) {
  if (decode && DecodeUnicodeEscapes(text, decoded_)) text = decoded_;
  const bool ascii = IsAscii(text);
  std::string canonical;
  if (!ascii && !IsSurelyNfc(text)) text = canonical = ToNfc(text);
  const wend_bytes folded = StoreFolded(text, ascii);
  const uint32_t row = NewRow(View(folded));
  columns_.text_folded[row] = folded;
  return row;
}

void TextTable::Rollback(const Mark& mark) {
  // Last in, first out: linear probing then leaves no gap in front of an older text.
  for (; interned_.size() > mark.interned; interned_.pop_back()) {
    const uint32_t row = interned_.back();
    size_t at = static_cast<uint32_t>(Hash64(text(row))) & (slots_.size() - 1);
    while (slots_[at].row != row) at = (at + 1) & (slots_.size() - 1);
    slots_[at].row = WEND_NONE;
  }
  for (; upgraded_.size() > mark.upgraded; upgraded_.pop_back()) columns_.text_folded[upgraded_.back()] = {};
  std::erase_if(repeated_, [&mark](const Repeated& known) { return known.row >= mark.rows; });
  columns_.Truncate<WEND_TABLE_text>(mark.rows);
  arena_.Rollback(mark.bytes);
}

void TextTable::Clear() {
  interned_.clear();
  upgraded_.clear();
  repeated_.clear();
  slots_.assign(slots_.size(), {0, WEND_NONE});
  arena_.Clear();
}

}  // namespace wend
