// Trie: sequences of words, found in a text by following words from a start.
//
// Edges are keyed by the word (and by what the user of the trie adds to the key, such as whether it is glued); they
// lie in one hash table, so that a step costs one probe whatever the number of words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/hash.h"

namespace wend::recognise {

class Trie {
 public:
  static constexpr uint32_t kRoot = 0, kNone = 0xFFFFFFFFu;

  // The node behind `node` by this word, kNone if there is none. `mark` (0..3) belongs to the key.
  uint32_t step(uint32_t node, uint64_t key, std::string_view word, uint32_t mark) const {
    if (node == kRoot && (starts_[start(key) / 64] >> start(key) % 64 & 1) == 0) return kNone;
    if (edges_.empty()) return kNone;
    const size_t mask = edges_.size() - 1;
    for (size_t at = place(node, key, mark) & mask; edges_[at].to != kNone; at = (at + 1) & mask) {
      const Edge& edge = edges_[at];
      if (edge.key == key && edge.from == (node << 2 | mark) && edge.size == word.size() &&
          (word.size() <= 8 || word_of(edge) == word)) {
        return edge.to;
      }
    }
    return kNone;
  }
  // The same, made if it is not there.
  uint32_t add(uint32_t node, uint64_t key, std::string_view word, uint32_t mark) {
    const uint32_t found = step(node, key, word, mark);
    if (found != kNone) return found;
    if (edges_.size() < 2 * (nodes_ + 1)) grow();
    const Edge edge{key, node << 2 | mark, nodes_, static_cast<uint32_t>(words_.size()),
                    static_cast<uint32_t>(word.size())};
    if (word.size() > 8) words_.append(word);
    if (node == kRoot) starts_[start(key) / 64] |= uint64_t{1} << start(key) % 64;
    insert(edge);
    return nodes_++;
  }
  uint32_t nodes() const { return nodes_; }

 private:
  struct Edge {
    uint64_t key;
    uint32_t from, to;  // from: node * 4 + mark
    uint32_t word, size;
  };

  static size_t start(uint64_t key) { return key * 0x9E3779B97F4A7C15u >> 54; }
  static size_t place(uint32_t node, uint64_t key, uint32_t mark) {
    return mix_hash(key ^ 0x9E3779B97F4A7C15u, (uint64_t{node} << 2 | mark) + 0xD1B54A32D192ED03u);
  }
  std::string_view word_of(const Edge& edge) const { return std::string_view(words_).substr(edge.word, edge.size); }
  void insert(const Edge& edge) {
    const size_t mask = edges_.size() - 1;
    size_t at = place(edge.from >> 2, edge.key, edge.from & 3) & mask;
    while (edges_[at].to != kNone) at = (at + 1) & mask;
    edges_[at] = edge;
  }
  void grow() {
    std::vector<Edge> old(edges_.empty() ? 64 : 2 * edges_.size(), Edge{0, 0, kNone, 0, 0});
    old.swap(edges_);
    for (const Edge& edge : old) {
      if (edge.to != kNone) insert(edge);
    }
  }

  std::vector<Edge> edges_;
  std::string words_;
  std::array<uint64_t, 16> starts_ = {};  // bits by start(): most words of a text begin nothing
  uint32_t nodes_ = 1;
};

// Numbers by the key of a word. Keys alone are compared: of words longer than 8 bytes these are hashes of 64 bits.
class KeyMap {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  uint32_t find(uint64_t key) const {
    if (places_.empty()) return kNone;
    const size_t mask = places_.size() - 1;
    for (size_t at = place(key) & mask; places_[at].value != kNone; at = (at + 1) & mask) {
      if (places_[at].key == key) return places_[at].value;
    }
    return kNone;
  }
  // The number of a key; a new one is the next from 0 on.
  uint32_t add(uint64_t key) {
    const uint32_t found = find(key);
    if (found != kNone) return found;
    if (places_.size() < 4 * (size_ + 1)) grow();
    insert({key, size_});
    return size_++;
  }
  uint32_t size() const { return size_; }

 private:
  struct Place {
    uint64_t key;
    uint32_t value;
  };

  static size_t place(uint64_t key) { return key * 0x9E3779B97F4A7C15u >> 32; }
  void insert(const Place& added) {
    const size_t mask = places_.size() - 1;
    size_t at = place(added.key) & mask;
    while (places_[at].value != kNone) at = (at + 1) & mask;
    places_[at] = added;
  }
  void grow() {
    std::vector<Place> old(places_.empty() ? 64 : 2 * places_.size(), Place{0, kNone});
    old.swap(places_);
    for (const Place& known : old) {
      if (known.value != kNone) insert(known);
    }
  }

  std::vector<Place> places_;
  uint32_t size_ = 0;
};

}  // namespace wend::recognise
