// What a data set is made of, as the paper's tables have it (App. D).
#ifndef WEND_COMPILER_DRIVER_STATISTICS_H_
#define WEND_COMPILER_DRIVER_STATISTICS_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/data/batch.h"

namespace wend::driver {

// How often each number occurs.
class Histogram {
 public:
  void add(uint64_t value) { ++counts_[value]; }
  void merge(const Histogram& other);
  uint64_t count() const;
  double mean() const;
  // The least value that a share `q` of all do not exceed.
  uint64_t quantile(double q) const;
  const std::map<uint64_t, uint64_t>& counts() const { return counts_; }

 private:
  std::map<uint64_t, uint64_t> counts_;
};

struct Variety {
  size_t sampled = 0, all = 0;  // messages of users
  std::optional<double> distinct[3], self_bleu;
};

class Statistics {
 public:
  // At most `sample` users' messages are kept for the variety: those with the least hashes, whatever their order.
  explicit Statistics(size_t sample) : most_(sample) {}

  void add(const Batch& batch);
  void merge(const Statistics& other);

  uint64_t dialogues() const { return turns.count(); }
  Variety variety() const;

  std::map<std::pair<std::string, std::string>, uint64_t> scenarios;  // family and scenario
  Histogram turns, calls, tools, pool, tokens;  // of a dialogue; tools: different ones called; pool: candidates;
                                                // tokens: of its messages, four bytes each
  uint64_t users = 0;
  std::map<std::string, uint64_t> calls_of;  // by name of the tool

 private:
  size_t most_;
  std::multimap<uint64_t, std::string> sample_;  // by hash
};

// Categories of tools by name; what is not there has none.
using Categories = std::map<std::string, std::string>;

nlohmann::ordered_json statistics_json(const Statistics& statistics, const Categories& categories);
std::string statistics_text(const Statistics& statistics, const Categories& categories);
// One page without anything from elsewhere.
std::string statistics_page(const Statistics& statistics, const Categories& categories, const std::string& title);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_STATISTICS_H_
