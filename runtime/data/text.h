// Text: what readers do to UTF-8 before it becomes a row of the `text` table.
//
// *Canonical* texts are NFC. *Folded* texts (docs/metrics.md) are canonical, case folded, with every run of white space
// turned into one space and none at either end. Nearly all text is ASCII, where both are one vectorised pass.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/data/kernels.h"

namespace wend {

// Writes the text that the JSON string body `body` (between its quotes, valid UTF-8) stands for. A lone surrogate
// becomes U+FFFD. Reads up to kKernelSlack bytes past the body; `out` needs that many more than the body.
Unescaped unescape_json(std::string_view body, char* out);

// Appends `text` as a JSON string with quotes: the shortest escapes, everything above 0x7E as it is.
void append_json_string(std::string_view text, std::string& out);

bool is_ascii(std::string_view text);

// True only if `text` is surely NFC: one pass without tables that knows the common scripts.
bool is_surely_nfc(std::string_view text);
std::string to_nfc(std::string_view text);

// Writes the folded form of an ASCII text; returns its size. `out` needs kKernelSlack bytes more.
size_t fold_ascii(std::string_view text, char* out);
// Folds any text; what it appends is canonical.
void append_folded(std::string_view text, std::string& out);

// Replaces each escape of JSON (\uXXXX, \n, \"...) by its character, for JSON inside a text. False if there is none.
bool decode_json_escapes(std::string_view text, std::string& out);

// The size of the valid UTF-8 prefix of `text`.
size_t valid_utf8_prefix(std::string_view text);

}  // namespace wend
