#include "runtime/recognise/scratch.h"

namespace wend::recognise {

Scratch::Scratch() : state_(std::make_unique<State>()) {}
Scratch::~Scratch() = default;
Scratch::Scratch(Scratch&&) noexcept = default;
Scratch& Scratch::operator=(Scratch&&) noexcept = default;

void Scratch::read(std::string_view message) { state_->read(message); }
std::string_view Scratch::message() const { return state_->tokens.text(); }

void Scratch::State::know_words() {
  if (words_known) return;
  words_known = true;
  recognise::know_words(tokens, words);
}

void know_words(const Tokens& tokens, std::vector<Word>& words) {
  words.assign(tokens.size(), {});
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is_word()) words[i] = lookup(tokens[i].key, tokens.folded(i), tokens[i].stem);
  }
}

}  // namespace wend::recognise
