// Learning a small byte-level vocabulary from texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/result.h"
#include "trainer/tokenizer/tokenizer.h"

namespace wend::tokenizer {

struct TrainOptions {
  int32_t size = 4096;               // ids, with the added tokens and the 256 bytes; fewer where the texts give no more
  std::vector<std::string> special;  // control tokens, with the first ids
  std::vector<std::string> added;    // further ones that are whole but no control tokens
  uint64_t min_frequency = 2;        // of a pair that is merged
  std::string pattern{kQwen2Pattern};
};

// The most frequent pair is merged first, of equally frequent ones that of the smallest ids: the merges that Hugging
// Face's BpeTrainer finds. The same texts give the same vocabulary, in whatever order they come.
Result<Tokenizer> train(std::span<const std::string> texts, const TrainOptions& options);

}  // namespace wend::tokenizer
