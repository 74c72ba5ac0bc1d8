// Recognise: which format a file is in and how its records are laid out, from its first bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data/split.h"
#include "runtime/result.h"

namespace wend {

enum class Format : uint8_t { kAuto, kNative, kOpenai, kTau, kTau2, kBfcl };

// "native", "openai", "tau-bench", "tau2-bench", "bfcl" or "auto"; an error that lists them.
Result<Format> format_of(std::string_view name);
std::string_view format_name(Format format);

struct Layout {
  Format format = Format::kAuto;
  Framing framing = Framing::kLines;
  size_t start = 0;  // where the first record is looked for
};

// `head` is the beginning of the file, all of it if `whole`. `wanted` is kAuto or what the user said.
Result<Layout> recognise_format(const std::string& file, std::string_view head, bool whole, Format wanted);

}  // namespace wend
