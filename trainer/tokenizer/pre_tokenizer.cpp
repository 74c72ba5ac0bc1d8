#include "trainer/tokenizer/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/format.h>
#include <pcre2.h>

#include <array>

namespace wend::tokenizer {

const std::string_view kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const std::string_view kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

namespace {

struct FreeMatch {
  void operator()(pcre2_match_data* match) const { pcre2_match_data_free(match); }
};

}  // namespace

struct Pattern::Code {
  explicit Code(pcre2_code* of) : code(of) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() { pcre2_code_free(code); }
  pcre2_code* code;
};

Result<Pattern> Pattern::compile(const std::string& expression) {
  int error = 0;
  PCRE2_SIZE place = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                                   PCRE2_UTF | PCRE2_UCP, &error, &place, nullptr);
  if (code == nullptr) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return Error{fmt::format("the pattern `{}` is no regular expression: {} at {}", expression,
                             reinterpret_cast<const char*>(text.data()), place)};
  }
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where it fails, matching is merely slower
  Pattern out;
  out.expression_ = expression;
  out.code_ = std::make_shared<Code>(code);
  return out;
}

void Pattern::split(std::string_view text, const std::function<void(std::string_view)>& piece) const {
  const std::unique_ptr<pcre2_match_data, FreeMatch> match(pcre2_match_data_create(1, nullptr));
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  size_t begin = 0, from = 0;  // where the next piece begins; where matching goes on
  while (from < text.size()) {
    const int found = pcre2_match(code_->code, subject, text.size(), from, PCRE2_NO_UTF_CHECK, match.get(), nullptr);
    if (found < 0) break;
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match.get());
    if (ends[1] <= ends[0]) {  // an empty match cuts nothing
      from = ends[1] + 1;
      while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80) ++from;
      continue;
    }
    if (ends[0] > begin) piece(text.substr(begin, ends[0] - begin));
    piece(text.substr(ends[0], ends[1] - ends[0]));
    begin = from = ends[1];
  }
  if (begin < text.size()) piece(text.substr(begin));
}

void PreTokenizer::split(std::string_view text, size_t from, const std::function<void(std::string_view)>& piece) const {
  if (from == patterns_.size()) return text.empty() ? void() : piece(text);
  patterns_[from].split(text, [&](std::string_view part) { split(part, from + 1, piece); });
}

}  // namespace wend::tokenizer
