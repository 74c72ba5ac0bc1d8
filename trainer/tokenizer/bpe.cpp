#include "trainer/tokenizer/bpe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <queue>

#include "runtime/data/utf8.h"

namespace wend::tokenizer {
namespace {

constexpr uint64_t kNoPair = ~uint64_t{0};
constexpr size_t kShort = 48;  // pieces up to here are merged by looking at all pairs each time

uint64_t key_of(int32_t left, int32_t right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
}

size_t place_of(uint64_t key, size_t size) { return (key * 0x9E3779B97F4A7C15u >> 20) & (size - 1); }

// GPT-2's table: printable bytes of Latin-1 stand for themselves, the others for characters from U+0100 on.
const std::array<uint32_t, 256>& characters() {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> out{};
    uint32_t next = 256;
    for (uint32_t b = 0; b < 256; ++b) {
      const bool shown = (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
      out[b] = shown ? b : next++;
    }
    return out;
  }();
  return table;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  std::array<char, 4> buffer{};
  for (const char c : bytes) {
    out.append(buffer.data(), put_utf8(characters()[static_cast<unsigned char>(c)], buffer.data()));
  }
  return out;
}

bool bytes_of_printable(std::string_view text, std::string& bytes) {
  static const std::unordered_map<uint32_t, char> of = [] {
    std::unordered_map<uint32_t, char> out;
    for (uint32_t b = 0; b < 256; ++b) out[characters()[b]] = static_cast<char>(b);
    return out;
  }();
  bytes.clear();
  for (const char* p = text.data(); p < text.data() + text.size();) {
    const auto found = of.find(take_utf8(p));
    if (found == of.end()) return false;
    bytes.push_back(found->second);
  }
  return true;
}

Result<Bpe> Bpe::make(std::vector<std::string> tokens, std::vector<Merge> merges, bool ignore_merges) {
  Bpe out;
  out.tokens_ = std::move(tokens);
  out.merges_ = std::move(merges);
  out.ignore_merges_ = ignore_merges;
  std::fill(std::begin(out.of_byte_), std::end(out.of_byte_), -1);
  for (size_t id = 0; id < out.tokens_.size(); ++id) {
    const std::string& token = out.tokens_[id];
    if (token.size() == 1) out.of_byte_[static_cast<unsigned char>(token[0])] = static_cast<int32_t>(id);
    if (!token.empty()) out.whole_.emplace(token, static_cast<int32_t>(id));
  }
  for (int b = 0; b < 256; ++b) {
    if (out.of_byte_[b] < 0) return Error{fmt::format("no token stands for the byte 0x{:02X}", b)};
  }
  const size_t size = std::bit_ceil(2 * out.merges_.size() + 1);
  out.keys_.assign(size, kNoPair);
  out.ranked_.resize(size);
  for (size_t rank = 0; rank < out.merges_.size(); ++rank) {
    const uint64_t key = key_of(out.merges_[rank].left, out.merges_[rank].right);
    size_t at = place_of(key, size);
    while (out.keys_[at] != kNoPair && out.keys_[at] != key) at = (at + 1) & (size - 1);
    out.keys_[at] = key;  // of equal pairs the last one counts
    out.ranked_[at] = {static_cast<uint32_t>(rank), out.merges_[rank].result};
  }
  return out;
}

const Bpe::Ranked* Bpe::find(int32_t left, int32_t right) const {
  const uint64_t key = key_of(left, right);
  size_t at = place_of(key, keys_.size());
  while (keys_[at] != key) {
    if (keys_[at] == kNoPair) return nullptr;
    at = (at + 1) & (keys_.size() - 1);
  }
  return &ranked_[at];
}

void Bpe::encode(std::string_view piece, std::vector<int32_t>& out) const {
  if (ignore_merges_) {
    if (const auto found = whole_.find(piece); found != whole_.end()) return out.push_back(found->second);
  }
  std::vector<int32_t> ids;
  ids.reserve(piece.size());
  for (const char c : piece) ids.push_back(of_byte_[static_cast<unsigned char>(c)]);
  ids.size() <= kShort ? merge_short(ids) : merge_long(ids);
  out.insert(out.end(), ids.begin(), ids.end());
}

// The pair of the lowest rank, the leftmost of equal ones, until none is left.
void Bpe::merge_short(std::vector<int32_t>& ids) const {
  std::array<const Ranked*, kShort> found{};  // of ids[i] and ids[i + 1]
  const auto look = [&](size_t i) { found[i] = i + 1 < ids.size() ? find(ids[i], ids[i + 1]) : nullptr; };
  for (size_t i = 0; i < ids.size(); ++i) look(i);
  for (;;) {
    size_t best = ids.size();
    for (size_t i = 0; i + 1 < ids.size(); ++i) {
      if (found[i] != nullptr && (best == ids.size() || found[i]->rank < found[best]->rank)) best = i;
    }
    if (best == ids.size()) return;
    ids[best] = found[best]->result;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    std::copy(found.begin() + static_cast<std::ptrdiff_t>(best) + 2,
              found.begin() + static_cast<std::ptrdiff_t>(ids.size()) + 1,
              found.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    look(best);
    if (best > 0) look(best - 1);
  }
}

// The same with a queue of pairs over a linked list.
void Bpe::merge_long(std::vector<int32_t>& ids) const {
  constexpr size_t kEnd = ~size_t{0};
  struct Candidate {
    uint32_t rank;
    size_t at;
    int32_t left, right;  // as they were; what has changed since is passed over
    bool operator>(const Candidate& other) const { return rank != other.rank ? rank > other.rank : at > other.at; }
  };
  const size_t n = ids.size();
  std::vector<size_t> next(n), previous(n);
  for (size_t i = 0; i < n; ++i) {
    next[i] = i + 1 < n ? i + 1 : kEnd;
    previous[i] = i > 0 ? i - 1 : kEnd;
  }
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto add = [&](size_t at) {
    if (at == kEnd || next[at] == kEnd) return;
    if (const Ranked* found = find(ids[at], ids[next[at]])) queue.push({found->rank, at, ids[at], ids[next[at]]});
  };
  for (size_t i = 0; i + 1 < n; ++i) add(i);
  while (!queue.empty()) {
    const Candidate top = queue.top();
    queue.pop();
    const size_t behind = next[top.at];
    if (ids[top.at] != top.left || behind == kEnd || ids[behind] != top.right) continue;
    ids[top.at] = find(top.left, top.right)->result;
    ids[behind] = -1;  // gone
    next[top.at] = next[behind];
    if (next[behind] != kEnd) previous[next[behind]] = top.at;
    add(previous[top.at]);
    add(top.at);
  }
  std::erase(ids, -1);
}

}  // namespace wend::tokenizer
