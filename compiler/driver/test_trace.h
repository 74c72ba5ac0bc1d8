// The dialogue of a `test` block as a line of the trajectory format, so that tests go through the same reader as data.
#ifndef WEND_COMPILER_DRIVER_TEST_TRACE_H_
#define WEND_COMPILER_DRIVER_TEST_TRACE_H_

#include <string>

#include "compiler/syntax/ast.h"
#include "runtime/result.h"

namespace wend::driver {

// One line of JSON, without its line end. `id` names the dialogue.
Result<std::string> trace_json(const ast::TraceLiteral& trace, const std::string& id);

// A literal as JSON, every digit of its numbers kept. Fails on anything that is no literal.
Result<std::string> literal_json(const ast::Expr& literal);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_TEST_TRACE_H_
