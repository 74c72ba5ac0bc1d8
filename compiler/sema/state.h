// What an agent remembers, typed: beliefs and how messages change them, cues, renders, classifiers.
#ifndef WEND_COMPILER_SEMA_STATE_H_
#define WEND_COMPILER_SEMA_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/sema/expr.h"
#include "compiler/syntax/ast.h"

namespace wend::sema {

struct BeliefField {
  ast::FieldKind kind = ast::FieldKind::value;
  std::string name, doc;
  Span span;
  Type
      type;  // slots: Slots; goal: Goal; stack: list<Goal>; last: Action?; queue: list<Question>; objects: list<Object>
  uint32_t variable = 0;      // as handlers see it
  std::vector<Expr> initial;  // value only; at most one
};

// A statement of a handler. `field` is the place that it changes: an index in Belief::fields.
struct Statement {
  enum class Kind : uint8_t {
    assign,     // value; where `fallback` is given and `condition` holds after it, `fallback` (a classifier)
    when,       // value is the condition; body, otherwise
    overwrite,  // value: list<StateSlot> or list<Arg>; what a slot held before stays, flagged stale
    push,       // value: a Goal or a text
    pop,        // into `target`, if that is not negative
    suspend,
    resume,
    confirm,
    unconfirm,  // value: list<StateSlot> or list<Arg>
    clear,
    add,
    remove,  // value: list<text>, text or Question (queue); Result or Object (objects)
  };
  Kind kind = Kind::assign;
  Span span;
  uint32_t field = 0;
  int64_t target = -1;
  std::vector<Expr> value, fallback, condition;  // at most one each
  std::vector<Statement> body, otherwise;
};

enum class Event : uint8_t { user, call, result, reply };  // variable: Message, Call, Result, Reply
struct Handler {
  Event event = Event::user;
  uint32_t variable = 0;
  Span span;
  std::vector<Statement> body;
};

struct Belief {
  std::string name, module, doc;
  Span span;
  uint16_t index = 0;  // types that are this belief have it as `enumeration`
  std::vector<BeliefField> fields;
  uint32_t confidence = 0;  // variable: of the last classification
  std::vector<Handler> handlers;
};

// The phrases that classify texts under the labels of an enum. `words` are case folded, one blank between them; `*`
// stands for any words of the same sentence.
struct Cue {
  uint32_t label = 0;
  std::string words;
  Span span;
  double fallback_weight = 1;
  std::vector<Expr> weight;  // at most one: a number or a param
};
struct Cues {
  std::string module, doc;
  Span span;
  uint16_t enumeration = 0;
  std::vector<Cue> cues;
};

// `judge intent on m: Message { rule = classify(m.text) ... }`: a model that is asked for a label, and the rule that
// stands in for it. Unlike the scores of Program::judges, it belongs to no reward.
struct Classifier {
  std::string name, module, doc;
  Span span;
  uint32_t subject = 0;  // variable: a Message
  Type type;             // an enum
  std::vector<Expr> rule;
  std::string system, prompt;  // holes of the prompt replaced by {0}, {1}...
  std::vector<Expr> holes;
};

struct RenderBlock {
  std::string name, doc;
  Span span;
  Expr value;          // JSON: object, array, comprehension...
  int64_t order = -1;  // place in the order of shortening, -1: never shortened
};
struct Render {
  std::string name, module, doc;
  Span span;
  uint16_t belief = 0;
  uint32_t subject = 0;  // variable
  bool xml = true;       // each block between tags of its name; otherwise one JSON object
  std::vector<RenderBlock> blocks;
  uint32_t budget = 0;  // 0: none
  bool tokens = false;  // the budget counts tokens instead of bytes
};

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_STATE_H_
