#include "runtime/synth/phrasebook.h"

namespace wend::synth {

void Phrasebook::add(std::string name, std::vector<Variant> variants) {
  by_name_.try_emplace(std::move(name), static_cast<uint32_t>(phrases_.size()));
  phrases_.push_back(std::move(variants));
}

uint32_t Phrasebook::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? kNoPhrases : at->second;
}

std::string Phrasebook::say(uint32_t phrases, std::initializer_list<std::string_view> values, Random& random) const {
  const std::vector<Variant>& variants = phrases_[phrases];
  const Variant& variant = variants[random.below(static_cast<uint32_t>(variants.size()))];
  std::string out;
  for (const Piece& piece : variant) {
    if (piece.hole < 0)
      out += piece.text;
    else
      out += values.begin()[piece.hole];
  }
  return out;
}

}  // namespace wend::synth
