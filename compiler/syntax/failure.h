// From where ANTLR gives up to a diagnostic. Internal to compiler/syntax.
#ifndef WEND_COMPILER_SYNTAX_FAILURE_H_
#define WEND_COMPILER_SYNTAX_FAILURE_H_

#include <antlr4-runtime.h>

#include "compiler/source/diagnostic.h"
#include "compiler/syntax/tokens.h"

namespace wend::syntax {

// The first token that does not fit, what would have fitted, and the rule that was being read.
struct Failure {
  antlr4::Token* found;
  antlr4::misc::IntervalSet expected;
  size_t rule;
};

// Gives up at the first mistake by throwing a Failure, to be caught where the parser is called.
class GiveUp final : public antlr4::DefaultErrorStrategy {
 public:
  void recover(antlr4::Parser* parser, std::exception_ptr cause) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser*) override {}
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}
};

// `first` and `count` are the tokens that were parsed; `ends_file`: nothing follows them.
void report_failure(const Failure& failure, const SourceSet& sources, const TokenList& tokens, const Item& item,
                    Diagnostics& diagnostics);

}  // namespace wend::syntax

#endif  // WEND_COMPILER_SYNTAX_FAILURE_H_
