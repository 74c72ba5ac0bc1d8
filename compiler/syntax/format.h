// One canonical layout of a spec: two spaces, 100 columns, columns of names lined up, comments kept.
#ifndef WEND_COMPILER_SYNTAX_FORMAT_H_
#define WEND_COMPILER_SYNTAX_FORMAT_H_

#include <string>

#include "compiler/source/source.h"
#include "compiler/syntax/dump.h"  // same_meaning: what a caller checks before it trusts the result

namespace wend {

// The text of a file that parses without errors, laid out anew. A comment inside an expression stays where it is if a
// line may end there, otherwise it moves above the line.
// Formatting the result gives the result. The meaning does not change; a caller that overwrites a file makes sure of
// it: it parses the result and refuses it unless same_meaning.
std::string format_module(const SourceSet& sources, uint32_t file);

}  // namespace wend

#endif  // WEND_COMPILER_SYNTAX_FORMAT_H_
