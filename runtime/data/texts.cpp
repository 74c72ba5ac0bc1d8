#include "runtime/data/texts.h"

#include "runtime/data/hash.h"
#include "runtime/data/text.h"

namespace wend {

void TextTable::Begin(const TextTable& base) {
  columns_.text_data = base.columns_.text_data;
  columns_.text_folded = base.columns_.text_folded;
  columns_.rows[WEND_TABLE_text] = base.columns_.rows[WEND_TABLE_text];
  interned_ = base.interned_;
  upgraded_ = base.upgraded_;
}

void TextTable::Trim() {
  arena_.Trim();
  interned_.Trim();
  columns_internal::ForEach<WEND_TABLE_text>(columns_, [](auto& column) { TrimMemory(column); });
  TrimMemory(upgraded_);
  scratch_.clear();
  decoded_.clear();
  TrimMemory(scratch_);
  TrimMemory(decoded_);
}

size_t TextTable::memory() const {
  return arena_.capacity() + interned_.memory() + upgraded_.capacity() * sizeof(uint32_t) + scratch_.capacity() +
         decoded_.capacity();
}

uint32_t TextTable::NewRow(std::string_view stored) {
  const uint32_t row = columns_.Add<WEND_TABLE_text>();
  columns_.text_data[row] = Bytes(stored);
  return row;
}

uint32_t TextTable::AddInterned(std::string_view text, uint64_t hash) {
  const uint32_t row = NewRow(arena_.Store(text));
  interned_.Add(hash, row);
  return row;
}

uint32_t TextTable::InternCanonical(std::string_view text) {
  const uint64_t hash = Hash64(text);
  const uint32_t known = Find(text, hash);
  return known != WEND_NONE ? known : AddInterned(text, hash);
}

uint32_t TextTable::Intern(std::string_view text) {
  const uint64_t hash = Hash64(text);
  const uint32_t known = Find(text, hash);  // what is known is NFC
  if (known != WEND_NONE) return known;
  if (IsAscii(text) || IsSurelyNfc(text)) return AddInterned(text, hash);
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

uint32_t TextTable::Find(std::string_view text, uint64_t hash) const {
  return interned_.Find(hash, [&](uint32_t row) { return this->text(row) == text; });
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
  if (decode && DecodeJsonEscapes(stored, decoded_)) {
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
  if (decode && DecodeJsonEscapes(text, decoded_)) text = decoded_;
  const bool ascii = IsAscii(text);
  std::string canonical;
  if (!ascii && !IsSurelyNfc(text)) text = canonical = ToNfc(text);
  const wend_bytes folded = StoreFolded(text, ascii);
  const uint32_t row = NewRow(View(folded));
  columns_.text_folded[row] = folded;
  return row;
}

void TextTable::Rollback(const Mark& mark) {
  interned_.Shrink(mark.interned);
  for (; upgraded_.size() > mark.upgraded; upgraded_.pop_back()) columns_.text_folded[upgraded_.back()] = {};
  std::erase_if(repeated_, [&mark](const Repeated& known) { return known.row >= mark.rows; });
  columns_.Truncate<WEND_TABLE_text>(mark.rows);
  arena_.Rollback(mark.bytes);
}

void TextTable::Clear() {
  interned_.Clear();
  upgraded_.clear();
  repeated_.clear();
  arena_.Clear();
}

}  // namespace wend
