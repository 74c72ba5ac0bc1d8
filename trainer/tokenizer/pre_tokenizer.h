// Cutting text into the pieces within which tokens are merged, by the patterns of the models (GPT-2, Llama 3, Qwen2).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"

namespace wend::tokenizer {

extern const std::string_view kGpt2Pattern;
extern const std::string_view kQwen2Pattern;

// A regular expression with Unicode properties (PCRE2). Immutable; may be used by any number of threads.
class Pattern {
 public:
  static Result<Pattern> compile(const std::string& expression);

  // Calls piece(text) for each match and for what lies between matches, in order; no byte is left out. The text must
  // be valid UTF-8. Where matching gives up (its limits), the rest is one piece.
  void split(std::string_view text, const std::function<void(std::string_view)>& piece) const;

  const std::string& expression() const { return expression_; }

 private:
  struct Code;

  std::string expression_;
  std::shared_ptr<const Code> code_;
};

// Several patterns, each cutting what the one before left.
class PreTokenizer {
 public:
  explicit PreTokenizer(std::vector<Pattern> patterns = {}) : patterns_(std::move(patterns)) {}

  void split(std::string_view text, const std::function<void(std::string_view)>& piece) const { split(text, 0, piece); }
  const std::vector<Pattern>& patterns() const { return patterns_; }

 private:
  void split(std::string_view text, size_t from, const std::function<void(std::string_view)>& piece) const;

  std::vector<Pattern> patterns_;
};

}  // namespace wend::tokenizer
