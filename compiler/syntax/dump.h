// The syntax tree as text, complete but for places: what `--emit ast` prints, what tests look at, and how two trees are
// compared.
//
//   (param alpha (type real (range 0 10)) 1.0)
//   (detect hit (on c (type Call)) (fold any (call same_call c g) (for g (. (. (. c turn) gold) calls))))
#ifndef WEND_COMPILER_SYNTAX_DUMP_H_
#define WEND_COMPILER_SYNTAX_DUMP_H_

#include <string>

#include "compiler/syntax/ast.h"

namespace wend {

std::string dump(const ast::Module& module);
std::string dump(const ast::Expr& expr);

// Equal but for places in the source: the same declarations, docs included.
bool same_meaning(const ast::Module& a, const ast::Module& b);

}  // namespace wend

#endif  // WEND_COMPILER_SYNTAX_DUMP_H_
