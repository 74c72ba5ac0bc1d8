// Hash64: a fast hash of bytes for tables that live and die with a batch. Not for untrusted persistence: the value may
// change between versions.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace wend {

inline uint64_t mix_hash(uint64_t a, uint64_t b) {
  const __uint128_t product = static_cast<__uint128_t>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash64(std::string_view bytes, uint64_t seed = 0) {
  constexpr uint64_t k0 = 0x9E3779B97F4A7C15u, k1 = 0xD1B54A32D192ED03u, k2 = 0x8CB92BA72F3D8DD7u;
  auto word = [](const char* p) {
    uint64_t w;
    std::memcpy(&w, p, 8);
    return w;
  };
  auto half = [](const char* p) {
    uint32_t w;
    std::memcpy(&w, p, 4);
    return static_cast<uint64_t>(w);
  };
  const char* p = bytes.data();
  const size_t size = bytes.size();
  uint64_t h = seed ^ k0, a = 0, b = 0;
  if (size > 16) {
    size_t left = size;
    for (; left > 32; left -= 32, p += 32) {
      h = mix_hash(word(p) ^ k1, word(p + 8) ^ h) ^ mix_hash(word(p + 16) ^ k2, word(p + 24) ^ k0);
    }
    if (left > 16) h = mix_hash(word(p) ^ k1, word(p + 8) ^ h);
    a = word(bytes.data() + size - 16);
    b = word(bytes.data() + size - 8);
  } else if (size >= 8) {
    a = word(p);
    b = word(p + size - 8);
  } else if (size >= 4) {
    a = half(p);
    b = half(p + size - 4);
  } else if (size > 0) {
    a = (static_cast<uint64_t>(static_cast<uint8_t>(p[0])) << 16) |
        (static_cast<uint64_t>(static_cast<uint8_t>(p[size >> 1])) << 8) | static_cast<uint8_t>(p[size - 1]);
  }
  return mix_hash(k2 ^ size, mix_hash(a ^ k1, b ^ h));
}

}  // namespace wend
