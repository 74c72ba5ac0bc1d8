/* Beliefs and renders of a compiled spec, as plain C.
 *
 * A *live dialogue* holds a belief state as a batch (wend.h) of one trace: its fields, slots, goals... are tables of
 * columns.def, so that generated code reads a state as it reads a dialogue. Handlers never write to it: they ask the
 * engine for an *effect*, which may move the arrays behind `batch->columns` (never that array itself). Renders only
 * read. Users of live dialogues want wend/dialogue.h; this header is the seam between engine and generated code.
 */
#ifndef WEND_BELIEF_H
#define WEND_BELIEF_H
#include "wend.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What has happened. Row 0 of message, call, result or reply says what; trace 0 is the dialogue, its `pool` the tools.
 */
enum { WEND_EVENT_USER, WEND_EVENT_CALL, WEND_EVENT_RESULT, WEND_EVENT_REPLY, WEND_N_EVENTS };

/* What generated code asks of the engine: apply(state, effect, field, a, b, c). `field` is a row of state_field, or as
 * said. Arguments that are texts, values, rows: their number, WEND_NONE if absent; reals: their bits. */
enum wend_effect {
  /* recognition: fills the tables of what was found, which stay until the next recognition of the same kind */
  WEND_EFFECT_CLASSIFY,   /* field: cues table; a: text. Returns the label; the confidence is read by CONFIDENCE */
  WEND_EFFECT_CONFIDENCE, /* returns the bits of the last confidence, 0..1 */
  WEND_EFFECT_ASK, /* field: classifier; a: prompt (text). Returns a label and sets the confidence, or WEND_NONE if
                      no model answered */
  WEND_EFFECT_MENTIONED, /* a: text; b: tool name (text) or WEND_NONE: any. Returns the first state_slot row of what was
                            found, in the upper half how many */
  WEND_EFFECT_RESOLVED,  /* a: text; b: first object row, c: how many. Returns reference rows in the same way */
  /* texts made by a handler */
  WEND_EFFECT_TEXT_BEGIN,
  WEND_EFFECT_TEXT_PUT,     /* a: text */
  WEND_EFFECT_TEXT_INTEGER, /* a */
  WEND_EFFECT_TEXT_REAL,    /* a: bits */
  WEND_EFFECT_TEXT_END,     /* returns the text */
  WEND_EFFECT_EXCERPT,      /* a: text, b: number of characters. Returns a text */
  /* values of parameters for the next OVERWRITE, CONFIRM or UNCONFIRM */
  WEND_EFFECT_SELECT, /* a: tool name, b: parameter name, c: value */
  WEND_EFFECT_OVERWRITE,
  WEND_EFFECT_CONFIRM,
  WEND_EFFECT_UNCONFIRM,
  /* fields of one value */
  WEND_EFFECT_SET_LABEL,   /* a: bool or label */
  WEND_EFFECT_SET_INTEGER, /* a */
  WEND_EFFECT_SET_REAL,    /* a: bits */
  WEND_EFFECT_SET_SYMBOL,  /* a: text or value */
  WEND_EFFECT_SET_GOAL,    /* goal; a: text, b: turn, 0: the turn in hand */
  WEND_EFFECT_SET_ACTION,  /* last; a: call row */
  WEND_EFFECT_SET_RESULT,  /* last; a: result row: the action becomes its call, with what it returned */
  /* lists */
  WEND_EFFECT_ITEM,            /* a: text or value, for the next SET_ITEMS */
  WEND_EFFECT_SET_ITEMS,       /* list<text>, list<json> */
  WEND_EFFECT_SET_REFERENCES,  /* a: first reference row, b: how many */
  WEND_EFFECT_PUSH,            /* stack; a: text, b: turn, 0: the turn in hand */
  WEND_EFFECT_POP,             /* stack; a: field of the goal that it goes into, WEND_NONE: none */
  WEND_EFFECT_SUSPEND,         /* queue */
  WEND_EFFECT_RESUME,          /* queue */
  WEND_EFFECT_ADD_QUESTION,    /* queue; a: text */
  WEND_EFFECT_REMOVE_QUESTION, /* queue; a: text */
  WEND_EFFECT_ADD_OBJECT,      /* objects; a: result row */
  WEND_EFFECT_REMOVE_OBJECT,   /* objects; a: object row */
  WEND_EFFECT_CLEAR,
  /* contexts */
  WEND_EFFECT_CONTEXT_PARAM,  /* field: number of the parameter; a: its default. Returns the value that it has: an
                                 integer, the bits of a real, 0 or 1 */
  WEND_EFFECT_CONTEXT_TOKENS, /* returns how many tokens the history has */
  WEND_EFFECT_CONTEXT_STEP,   /* field: number of the step, to be done now; a: its amount, 0 where it has none */
  WEND_N_EFFECTS
};

typedef struct wend_engine {
  void* state;
  uint64_t (*apply)(void* state, uint32_t effect, uint32_t field, uint64_t a, uint64_t b, uint64_t c);
} wend_engine;

/* How much of a sub-block may be shown; UINT32_MAX: all. What is cut ends in an ellipsis (U+2026); of lists the newest
 * (last) items are kept. */
typedef struct wend_limit {
  uint32_t text;  /* characters of each text value */
  uint32_t items; /* items of each list or object made with `for` */
} wend_limit;

/* Where a render goes. `data` has room for `capacity` bytes; generated code calls grow when it needs more, which moves
 * data and raises capacity (or aborts the process where there is no memory). */
typedef struct wend_output {
  char* data;
  size_t size, capacity;
  void (*grow)(struct wend_output* output, size_t more); /* room for `more` bytes behind size */
  wend_span* blocks;        /* [blocks of the render] bytes of each sub-block, its tags included */
  const wend_limit* limits; /* [blocks of the render] */
  void (*real)(struct wend_output* output, double value); /* appends a real */
} wend_output;

typedef struct wend_belief_program {
  uint32_t n_beliefs, n_renders, n_contexts;
  /* The first values of the fields. */
  void (*begin)(const wend_context*, const wend_engine*, uint32_t belief);
  void (*on)(const wend_context*, const wend_engine*, uint32_t belief, uint32_t event);
  /* Appends the render to the output. */
  void (*render)(const wend_context*, uint32_t render, wend_output* output);
  /* Asks the engine for the steps of a context that hold now: first that which selects the history, the others in
   * order. NULL: the program has no code for contexts. */
  void (*context)(const wend_context*, const wend_engine*, uint32_t context);
} wend_belief_program;

#ifdef __cplusplus
}
#endif
#endif
