// Phrases by name, as `phrases` declarations of the language write them (stdlib/std/talk.wend).
#ifndef WEND_RUNTIME_SYNTH_PHRASEBOOK_H_
#define WEND_RUNTIME_SYNTH_PHRASEBOOK_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/random.h"

namespace wend::synth {

inline constexpr uint32_t kNoPhrases = 0xFFFFFFFFu;

class Phrasebook {
 public:
  struct Piece {
    std::string text;
    int hole = -1;  // number of the parameter that stands here instead
  };
  using Variant = std::vector<Piece>;

  void add(std::string name, std::vector<Variant> variants);
  uint32_t find(std::string_view name) const;  // kNoPhrases if there are none
  // One of the variants, with the values in its holes.
  std::string say(uint32_t phrases, std::initializer_list<std::string_view> values, Random& random) const;

 private:
  std::vector<std::vector<Variant>> phrases_;
  std::map<std::string, uint32_t, std::less<>> by_name_;
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_PHRASEBOOK_H_
