// Batches for tests: columns filled by hand or at random, without a reader.
#ifndef WEND_TESTS_SUPPORT_RANDOM_BATCH_H_
#define WEND_TESTS_SUPPORT_RANDOM_BATCH_H_

#include <array>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "runtime/data/columns.h"

namespace wend {

class TestBatch {
 public:
  Columns columns;

  // Interned; the folded form is the text in lower case (ASCII).
  uint32_t text(const std::string& text);
  // A JSON string or number as a value.
  uint32_t string_value(const std::string& string);
  uint32_t number_value(double number);
  uint32_t list_value(const std::vector<uint32_t>& elements);

  // Valid until the columns change.
  const wend_batch& view();

  // Adds dialogues with everything that a dialogue can have: empty turns, calls before the first user message and
  // without gold, undeclared tools, dangling results, chains with needs, shared pools.
  void add_random(std::mt19937& random, uint32_t traces);

 private:
  using Rng = std::mt19937;
  uint32_t add_value(uint8_t type, double number, const std::string& text);
  wend_span random_pool(Rng& random);
  void random_trace(Rng& random);
  void random_turns(Rng& random, uint32_t trace, uint32_t n_turns);
  wend_span random_calls(Rng& random, uint32_t trace, uint32_t turn, bool gold);
  void random_args(Rng& random, wend_span calls);
  void random_messages(Rng& random, uint32_t trace);
  void random_chains(Rng& random, uint32_t trace);
  void random_drafts(Rng& random, uint32_t trace);
  std::string random_words(Rng& random);

  std::deque<std::string> bytes_;
  std::map<std::string, uint32_t> texts_;
  std::map<std::string, uint32_t> values_;
  std::map<std::vector<uint32_t>, uint32_t> keys_;
  std::vector<uint32_t> names_, some_values_;
  std::vector<wend_span> pools_;
  std::array<const void*, WEND_N_COLUMNS> starts_{};
  wend_batch view_{};
};

}  // namespace wend

#endif  // WEND_TESTS_SUPPORT_RANDOM_BATCH_H_
