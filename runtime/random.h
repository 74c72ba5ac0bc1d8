// Random numbers that are the same on every machine (splitmix64).
#ifndef WEND_RUNTIME_RANDOM_H_
#define WEND_RUNTIME_RANDOM_H_

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace wend {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 .. n-1; n is at least 1.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((next() >> 32) * n) >> 32); }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (static_cast<uint64_t>(high - low) + 1));
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // in [0, 1)
  bool chance(double p) { return uniform() < p; }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(static_cast<uint32_t>(i))]);
  }

 private:
  uint64_t state_;
};

// A seed of its own for what is named: the same for the same arguments, whatever else has been drawn.
inline uint64_t seed_of(uint64_t seed, std::string_view name, uint64_t number = 0) {
  uint64_t hash = 0xCBF29CE484222325u ^ seed;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return Random(hash ^ (number * 0x9E3779B97F4A7C15u)).next();
}

}  // namespace wend

#endif  // WEND_RUNTIME_RANDOM_H_
