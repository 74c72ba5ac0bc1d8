// Names of parameters and tools: their words, and what kind of value a name asks for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/recognise/toolset.h"

namespace wend::recognise {

// The words of a name: split at signs and where the case changes; folded.
std::vector<std::string> name_words(std::string_view name);
// Their stems.
std::vector<std::string> name_stems(std::string_view name);
// Their last four stems as keys, without allocating; words of other scripts are taken as they are.
NameKeys name_keys(std::string_view name);
bool has_key(const NameKeys& name, uint64_t stem);
// Does a word say nothing about what it stands beside?
bool common(std::string_view word);

ParamKind kind_of(std::string_view name, uint8_t type, bool has_choices);

}  // namespace wend::recognise
