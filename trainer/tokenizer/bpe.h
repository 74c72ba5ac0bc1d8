// Byte-level byte-pair encoding: the bytes of a piece, merged pair by pair in the order in which merges were learnt.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/result.h"

namespace wend::tokenizer {

// Tokens of byte-level vocabularies are written with a printable character for each byte (GPT-2's table).
std::string printable(std::string_view bytes);
// False where the text has a character that stands for no byte.
bool bytes_of_printable(std::string_view text, std::string& bytes);

class Bpe {
 public:
  struct Merge {
    int32_t left, right, result;
  };
  // `tokens`: the bytes of each id; holes are empty. `merges`: by rank. Fails where one of the 256 bytes has no token.
  static Result<Bpe> make(std::vector<std::string> tokens, std::vector<Merge> merges, bool ignore_merges);

  // Appends the ids of one piece. Time n log n in its bytes.
  void encode(std::string_view piece, std::vector<int32_t>& out) const;

  const std::vector<std::string>& tokens() const { return tokens_; }
  const std::vector<Merge>& merges() const { return merges_; }
  bool ignore_merges() const { return ignore_merges_; }

 private:
  struct Ranked {
    uint32_t rank;
    int32_t result;
  };
  const Ranked* find(int32_t left, int32_t right) const;
  void merge_short(std::vector<int32_t>& ids) const;
  void merge_long(std::vector<int32_t>& ids) const;

  std::vector<std::string> tokens_;
  std::vector<Merge> merges_;
  int32_t of_byte_[256] = {};
  std::unordered_map<std::string_view, int32_t> whole_;  // views of tokens_
  // Open addressing: keys of pairs and their merges, a power of two of them.
  std::vector<uint64_t> keys_;
  std::vector<Ranked> ranked_;
  bool ignore_merges_ = false;
};

}  // namespace wend::tokenizer
