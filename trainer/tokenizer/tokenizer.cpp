#include "trainer/tokenizer/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>

#include "runtime/data/text.h"
#include "runtime/data/utf8.h"

namespace wend::tokenizer {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

uint32_t character_at(std::string_view text, size_t at) {
  const char* p = text.data() + at;
  return take_utf8(p);
}

size_t before(std::string_view text, size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

bool is_space(uint32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13);
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return c == 0x85 || category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP;
}

bool is_word(uint32_t c) {
  if (c == '_') return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

// How many bytes of an unfinished character stand at the end.
size_t unfinished(std::string_view bytes) {
  for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto c = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((c & 0xC0) == 0x80) continue;
    const size_t needs = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    return needs > back ? back : 0;
  }
  return 0;
}

bool touches(std::span<const ByteRange> ranges, const ByteRange& at) {
  const auto found = std::upper_bound(ranges.begin(), ranges.end(), at.first,
                                      [](size_t position, const ByteRange& r) { return position < r.second; });
  return found != ranges.end() && found->first < at.second;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const size_t good = valid_utf8_prefix(bytes);
    out.append(bytes.substr(0, good));
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    // The longest beginning of a character is replaced by one mark, as most decoders do it.
    size_t bad = 1;
    const auto lead = static_cast<unsigned char>(bytes[0]);
    const size_t needs = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : 1;
    const auto follows = [&](size_t i) {
      const auto c = static_cast<unsigned char>(bytes[i]);
      if ((c & 0xC0) != 0x80) return false;
      if (i > 1) return true;
      return !((lead == 0xE0 && c < 0xA0) || (lead == 0xED && c > 0x9F) || (lead == 0xF0 && c < 0x90) ||
               (lead == 0xF4 && c > 0x8F));
    };
    while (bad < needs - 1 && bad < bytes.size() && follows(bad)) ++bad;
    out.append(kReplacement);
    bytes.remove_prefix(bad);
  }
  return out;
}

void Tokenizer::index() {
  size_ = static_cast<int32_t>(bpe_.tokens().size());
  for (size_t id = 0; id < bpe_.tokens().size(); ++id) {
    if (!bpe_.tokens()[id].empty()) id_by_bytes_.emplace(bpe_.tokens()[id], static_cast<int32_t>(id));
  }
  for (uint32_t i = 0; i < added_.size(); ++i) {
    by_first_[static_cast<unsigned char>(added_[i].content[0])].push_back(i);
    added_by_id_[added_[i].id] = i;
    id_by_bytes_[added_[i].content] = added_[i].id;
    size_ = std::max(size_, added_[i].id + 1);
  }
  for (std::vector<uint32_t>& same : by_first_) {
    std::stable_sort(same.begin(), same.end(),
                     [&](uint32_t a, uint32_t b) { return added_[a].content.size() > added_[b].content.size(); });
  }
}

// The leftmost added token from there on, the longest of those that begin there.
Tokenizer::Found Tokenizer::find_added(std::string_view text, size_t from, bool normalized,
                                       std::span<const ByteRange> literal) const {
  for (size_t at = from; at < text.size(); ++at) {
    for (const uint32_t i : by_first_[static_cast<unsigned char>(text[at])]) {
      const AddedToken& token = added_[i];
      if (token.normalized != normalized || text.compare(at, token.content.size(), token.content) != 0) continue;
      ByteRange range = {at, at + token.content.size()};
      if (touches(literal, range)) continue;
      if (token.single_word) {
        const bool left = range.first > 0 && is_word(character_at(text, before(text, range.first)));
        const bool right = range.second < text.size() && is_word(character_at(text, range.second));
        if (left || right) continue;
      }
      while (token.lstrip && range.first > from && is_space(character_at(text, before(text, range.first)))) {
        range.first = before(text, range.first);
      }
      while (token.rstrip && range.second < text.size() && is_space(character_at(text, range.second))) {
        const char* p = text.data() + range.second;
        take_utf8(p);
        range.second = static_cast<size_t>(p - text.data());
      }
      return {range, &token};
    }
  }
  return {{text.size(), text.size()}, nullptr};
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, std::span<const ByteRange> literal) const {
  std::string mended;
  if (valid_utf8_prefix(text) != text.size() && literal.empty()) text = mended = valid_utf8(text);
  std::vector<int32_t> out;
  size_t from = 0;
  while (from < text.size()) {
    const Found found = find_added(text, from, false, literal);
    encode_between(text.substr(from, found.at.first - from), out);
    if (found.token != nullptr) out.push_back(found.token->id);
    from = found.at.second;
  }
  return out;
}

// Between added tokens: normalised, then once more searched for those that are looked for in normal text.
void Tokenizer::encode_between(std::string_view text, std::vector<int32_t>& out) const {
  std::string mended, normal;
  if (valid_utf8_prefix(text) != text.size()) text = mended = valid_utf8(text);
  if (nfc_ && !is_surely_nfc(text)) text = normal = to_nfc(text);
  size_t from = 0;
  while (from < text.size()) {
    const Found found = find_added(text, from, true, {});
    encode_plain(text.substr(from, found.at.first - from), out);
    if (found.token != nullptr) out.push_back(found.token->id);
    from = found.at.second;
  }
}

void Tokenizer::encode_plain(std::string_view text, std::vector<int32_t>& out) const {
  if (text.empty()) return;
  pre_tokenizer_.split(text, [&](std::string_view piece) { bpe_.encode(piece, out); });
}

std::string_view Tokenizer::bytes(int32_t id) const {
  if (const auto found = added_by_id_.find(id); found != added_by_id_.end()) return added_[found->second].content;
  if (id < 0 || static_cast<size_t>(id) >= bpe_.tokens().size()) return {};
  return bpe_.tokens()[static_cast<size_t>(id)];
}

bool Tokenizer::is_special(int32_t id) const {
  const auto found = added_by_id_.find(id);
  return found != added_by_id_.end() && added_[found->second].special;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skip_special) const {
  std::string out;
  for (const int32_t id : ids) {
    if (!skip_special || !is_special(id)) out.append(bytes(id));
  }
  return out;
}

std::optional<int32_t> Tokenizer::id_of(std::string_view token) const {
  const auto found = id_by_bytes_.find(std::string(token));
  return found == id_by_bytes_.end() ? std::nullopt : std::optional(found->second);
}

std::string DecodeStream::feed(int32_t id) {
  if (skip_special_ && tokenizer_->is_special(id)) return "";
  held_.append(tokenizer_->bytes(id));
  const size_t rest = unfinished(held_);
  std::string out = valid_utf8(std::string_view(held_).substr(0, held_.size() - rest));
  held_.erase(0, held_.size() - rest);
  return out;
}

std::string DecodeStream::flush() {
  std::string out = valid_utf8(held_);
  held_.clear();
  return out;
}

}  // namespace wend::tokenizer
