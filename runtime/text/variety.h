// How much texts differ from one another.
#ifndef WEND_RUNTIME_TEXT_VARIETY_H_
#define WEND_RUNTIME_TEXT_VARIETY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wend::text {

// Words of letters and digits, ASCII letters in lower case, bytes from 0x80 on as letters; all other marks but blanks
// are words of one byte.
std::vector<std::string> words_of(std::string_view text);

// distinct-n (Li et al., 2016): different n-grams by all n-grams of the texts; none where no text has n words.
std::optional<double> distinct(const std::vector<std::vector<std::string>>& texts, size_t n);

// self-BLEU (Zhu et al., 2018), 0 .. 1: the mean over the texts of BLEU-4 of each against all others. Precisions of 1
// to 4 words, clipped by the reference that has most; those of 2 to 4 with one added above and below (Lin and Och,
// 2004); orders for which the text is too short count as that; brevity penalty by the reference of the nearest length.
// Texts without a word are left out; none where fewer than two are left.
std::optional<double> self_bleu(const std::vector<std::vector<std::string>>& texts);

}  // namespace wend::text

#endif  // WEND_RUNTIME_TEXT_VARIETY_H_
