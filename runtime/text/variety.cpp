#include "runtime/text/variety.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace wend::text {
namespace {

constexpr size_t kMostWords = 4;

std::string gram_of(const std::vector<std::string>& words, size_t first, size_t n) {
  std::string gram;
  for (size_t i = first; i < first + n; ++i) gram += words[i] + '\x1f';
  return gram;
}

using Counts = std::unordered_map<std::string, uint32_t>;

Counts counts_of(const std::vector<std::string>& words, size_t n) {
  Counts counts;
  for (size_t i = 0; i + n <= words.size(); ++i) ++counts[gram_of(words, i, n)];
  return counts;
}

// The two greatest counts of an n-gram, and whose the greatest is: what the others have at most can then be told.
struct Most {
  uint32_t first = 0, second = 0;
  size_t owner = 0;
};

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(u) != 0 || u >= 0x80;
    if (letter) {
      if (!inside) words.emplace_back();
      words.back() += static_cast<char>(u < 0x80 ? std::tolower(u) : u);
    } else if (std::isspace(u) == 0) {
      words.emplace_back(1, c);
    }
    inside = letter;
  }
  return words;
}

std::optional<double> distinct(const std::vector<std::vector<std::string>>& texts, size_t n) {
  std::unordered_set<std::string> different;
  size_t all = 0;
  for (const std::vector<std::string>& words : texts)
    for (size_t i = 0; i + n <= words.size(); ++i, ++all) different.insert(gram_of(words, i, n));
  if (all == 0) return std::nullopt;
  return static_cast<double>(different.size()) / static_cast<double>(all);
}

std::optional<double> self_bleu(const std::vector<std::vector<std::string>>& all) {
  std::vector<std::vector<std::string>> texts;
  for (const std::vector<std::string>& words : all)
    if (!words.empty()) texts.push_back(words);
  if (texts.size() < 2) return std::nullopt;
  std::array<std::vector<Counts>, kMostWords> counts;
  std::array<std::unordered_map<std::string, Most>, kMostWords> most;
  for (size_t n = 0; n < kMostWords; ++n) {
    for (size_t t = 0; t < texts.size(); ++t) {
      counts[n].push_back(counts_of(texts[t], n + 1));
      for (const auto& [gram, count] : counts[n][t]) {
        Most& known = most[n][gram];
        if (count > known.first) {
          known.second = known.first;
          known.first = count;
          known.owner = t;
        } else {
          known.second = std::max(known.second, count);
        }
      }
    }
  }
  std::vector<size_t> lengths;
  lengths.reserve(texts.size());
  for (const std::vector<std::string>& words : texts) lengths.push_back(words.size());
  std::sort(lengths.begin(), lengths.end());
  double sum = 0;
  for (size_t t = 0; t < texts.size(); ++t) {
    double logs = 0;
    for (size_t n = 0; n < kMostWords; ++n) {
      double hits = 0, grams = 0;
      for (const auto& [gram, count] : counts[n][t]) {
        const Most& known = most[n].at(gram);
        const uint32_t others = known.owner == t ? known.second : known.first;
        hits += std::min(count, others);
        grams += count;
      }
      const double added = n == 0 ? 0 : 1;
      const double precision = (hits + added) / std::max(1.0, grams + added);
      logs += precision > 0 ? std::log(precision) / kMostWords : -1e9;
    }
    // The nearest length among the others; the shorter of two that are as near.
    const size_t own = texts[t].size();
    size_t nearest = 0;
    bool skipped = false;
    for (const size_t length : lengths) {
      if (length == own && !skipped) {
        skipped = true;
        continue;
      }
      const auto distance = [&](size_t x) { return x > own ? x - own : own - x; };
      if (nearest == 0 || distance(length) < distance(nearest)) nearest = length;
    }
    const double penalty = own >= nearest ? 1 : std::exp(1 - static_cast<double>(nearest) / static_cast<double>(own));
    sum += penalty * std::exp(logs);
  }
  return sum / static_cast<double>(texts.size());
}

}  // namespace wend::text
