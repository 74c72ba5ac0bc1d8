// The typed program: every name resolved, every type and range known. Immutable once checked.
#ifndef WEND_COMPILER_SEMA_PROGRAM_H_
#define WEND_COMPILER_SEMA_PROGRAM_H_

#include <optional>
#include <string>
#include <vector>

#include "compiler/sema/domain.h"
#include "compiler/sema/expr.h"
#include "compiler/sema/scenario.h"
#include "compiler/sema/state.h"
#include "compiler/sema/types.h"
#include "compiler/syntax/ast.h"

namespace wend::sema {

struct Param {
  std::string name, module, doc;
  Span span;
  Type type;  // real, integer, boolean or enumeration
  double fallback = 0;
  Range range;
  bool used = false;
};

struct Variable {
  std::string name;
  Type type;
  uint32_t earlier_than = 0xFFFFFFFFu;  // variable that all its values come before (recurrences)
  Range range = Range::count();         // of an integer
};

enum class FunctionKind : uint8_t { function, detector };

struct Function {
  FunctionKind kind = FunctionKind::function;
  std::string name, module, doc;
  Span span;
  std::vector<uint32_t> parameters;  // variables
  Type result;
  Range range;
  std::vector<Expr> body;  // one, once checked
  uint32_t requirements = 0;
  bool recursive = false;
  bool used = false;
};

struct Judge {
  std::string name, module, doc;
  Span span;
  uint32_t subject = 0;  // variable: a Turn
  std::vector<Expr> rule;
  std::string system, prompt;  // holes replaced by {0}, {1}...
  std::vector<Expr> holes;
};

struct Metric {
  std::string name, module, doc;
  Span span;
  bool percent = false;
  std::vector<Expr> body;
  uint32_t requirements = 0;
};

struct Term {
  std::string name, doc;
  Span span;
  Expr value;
};
struct Layer {
  std::string name;
  Span span;
  std::vector<Expr> weight;  // at most one
  std::vector<std::string> supervises;
  std::vector<Term> terms;
  Range range;  // of the weighted sum
};
struct Reward {
  std::string name, module, doc;
  Span span;
  uint32_t subject = 0;
  std::vector<Term> stops;  // value: choose with the condition
  std::vector<Layer> layers;
  std::vector<Expr> clamp_low, clamp_high;
  std::optional<int64_t> judge_limit;
  Range range;
};

struct Test {
  const ast::TestDecl* decl = nullptr;
  std::string module;
  Span span;
};

struct Program {
  std::string name;  // module of the first file
  std::vector<EnumInfo> enums;
  std::vector<Param> params;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Judge> judges;
  std::vector<Metric> metrics;
  std::vector<Reward> rewards;
  std::vector<Test> tests;
  std::vector<Belief> beliefs;
  std::vector<Cues> cues;
  std::vector<Classifier> classifiers;
  std::vector<Render> renders;
  std::vector<Scenario> scenarios;
  std::vector<Phrases> phrases;
  std::vector<Filter> filters;
  std::vector<Context> contexts;
  std::vector<ast::Module> modules;  // in dependency order; tests point into it

  std::string text(Type type) const {
    if (type.entity == Entity::belief && type.enumeration < beliefs.size()) {
      const std::string& belief = beliefs[type.enumeration].name;
      return type.base == Base::list ? "list<" + belief + ">" : belief + (type.optional ? "?" : "");
    }
    return to_string(type, enums);
  }
};

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_PROGRAM_H_
