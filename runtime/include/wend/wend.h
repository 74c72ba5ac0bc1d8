/* Wend's program interface: what a compiled spec is, as plain C.
 *
 * A *batch* holds trajectories as columns (columns.def). A *program* is what a spec compiles to: a table of functions
 * over batches, with a description of its params, signals, terms and metrics. The JIT makes one in process; a shared
 * object made by `wend compile --emit so` exports one as `wend_program_get`. Nothing here allocates or throws; every
 * function of a program may be called from any number of threads with different contexts.
 */
#ifndef WEND_WEND_H
#define WEND_WEND_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define WEND_ABI_VERSION 2u   /* changes when a struct or a function below changes */
#define WEND_BATCH_VERSION 4u /* counts additions to columns.def */
#define WEND_NONE 0xFFFFFFFFu

typedef struct wend_span {
  uint32_t begin, end;
} wend_span;
typedef struct wend_bytes {
  const char* data;
  size_t size;
} wend_bytes;

enum { WEND_ROLE_SYSTEM, WEND_ROLE_USER, WEND_ROLE_ASSISTANT, WEND_ROLE_TOOL };
enum { WEND_KIND_TOOL, WEND_KIND_CLARIFY, WEND_KIND_LANGUAGE };
enum {
  WEND_SIGNAL_NONE,
  WEND_SIGNAL_MODIFIED,
  WEND_SIGNAL_INTERRUPTED,
  WEND_SIGNAL_RESET,
  WEND_SIGNAL_CLARIFY,
  WEND_SIGNAL_ACCUMULATE
};
enum {
  WEND_JSON_NULL,
  WEND_JSON_BOOL,
  WEND_JSON_INT,
  WEND_JSON_REAL,
  WEND_JSON_TEXT,
  WEND_JSON_LIST,
  WEND_JSON_OBJECT,
  WEND_JSON_ANY
};

/* What a trace offers. A value that needs a capability which its trace lacks is *not evaluable*, never zero. */
enum {
  WEND_CAP_RESPONSE = 1u << 0,   /* it holds an assistant message */
  WEND_CAP_GOLD = 1u << 1,       /* it says which calls are expected */
  WEND_CAP_GOLD_TURNS = 1u << 2, /* ... by turn */
  WEND_CAP_LABELS = 1u << 3,     /* turns are labelled with kind and signal */
  WEND_CAP_CHAINS = 1u << 4,     /* its dependency chains are known (there may be none) */
  WEND_CAP_POOL = 1u << 5,       /* its candidate tools are known */
  WEND_CAP_DRAFTS = 1u << 6,     /* it says which block the agent should have drafted, at least once */
  WEND_CAP_JUDGE0 = 1u << 16     /* bit 16 + k: judge k of the program answered all that it was asked about the trace */
};

/* Tables and columns by number, from columns.def. */
enum wend_table {
#define WEND_TABLE(name) WEND_TABLE_##name,
#include "columns.def"
  WEND_N_TABLES
};
enum wend_column {
#define WEND_COLUMN(table, name, ctype) WEND_COLUMN_##table##_##name,
#include "columns.def"
  WEND_N_COLUMNS
};

typedef struct wend_batch {
  uint32_t version;           /* WEND_BATCH_VERSION of the writer */
  uint32_t n_columns;         /* WEND_N_COLUMNS of the writer */
  const void* const* columns; /* [n_columns] array starts; see columns.def for element types */
  const uint32_t* rows;       /* [WEND_N_TABLES] */
} wend_batch;

/* Where a term's value came from: one element that contributed. */
typedef struct wend_evidence {
  uint32_t trace, term; /* rows: of the batch; of the reward's terms */
  uint32_t table, row;  /* the element: enum wend_table, its row */
  double value;         /* its contribution to the term before weights */
} wend_evidence;
typedef struct wend_evidence_sink {
  wend_evidence* items;
  size_t capacity, count; /* count may pass capacity: then items were dropped; grow and run again */
} wend_evidence_sink;

/* What a program is run with. Arrays are the caller's. */
typedef struct wend_context {
  const wend_batch* batch;
  const double* params;         /* [n_params]; integers, booleans and enum indices as doubles */
  const uint32_t* literals;     /* [n_literals] the program's texts and values in this batch (wend_bind) */
  void* const* memo;            /* [n_memo] arrays, rows(table) elements of 8 bytes: kept between stages */
  const double* const* judged;  /* [n_judges] array by turn row of outside scores, or NULL: use the rule */
  wend_evidence_sink* evidence; /* attribute() writes here */
} wend_context;

/* A literal of the program that has to be looked up in each batch. */
typedef struct wend_literal {
  uint32_t kind;   /* 0: text (interned name), 1: JSON value (canonical), 2: folded JSON value */
  wend_bytes text; /* the text, or the value's JSON */
} wend_literal;
typedef struct wend_memo {
  uint32_t table;
  uint32_t type;
} wend_memo; /* type: 0 real, 1 int, 2 row or symbol, 3 bool */

enum { WEND_STATUS_OK = 0, WEND_STATUS_PARTIAL = 1 }; /* PARTIAL: some term was not evaluable; total covers the rest */

typedef struct wend_program {
  uint32_t abi_version, batch_version;
  const char* metadata; /* JSON: name, hash, params, signals, metrics, rewards, terms, judges */
  uint32_t n_params, n_literals, n_memo, n_judges, n_signals, n_metrics, n_rewards, n_terms;
  const double* param_defaults;    /* [n_params] */
  const wend_literal* literals;    /* [n_literals] */
  const wend_memo* memo;           /* [n_memo] */
  const uint32_t* signal_requires; /* [n_signals] WEND_CAP_* bits */
  const uint32_t* term_requires;   /* [n_terms] */
  const uint32_t* reward_terms;    /* [n_rewards + 1]: terms of reward r are [reward_terms[r], reward_terms[r+1]) */

  /* Which turns a judge must score: asks[judge * rows(turn) + turn] = 1. The conditions may read memo, so with judges
     outside: prepare() without scores, then this, then prepare() again with the scores. */
  void (*requests)(const wend_context*, uint32_t begin, uint32_t end, uint8_t* asks);
  /* Stage 1, for traces [begin, end): everything that no number param touches, into memo. */
  void (*prepare)(const wend_context*, uint32_t begin, uint32_t end);
  /* Stage 1b: the per-trace signals that metrics are made of: signals[(trace - begin) * n_signals + k]. */
  void (*signals)(const wend_context*, uint32_t begin, uint32_t end, double* signals);
  /* Stage 2: reward `reward` of traces [begin, end) from memo and params. totals[trace - begin];
     terms[(trace - begin) * K + k] with K terms, weighted, summing to the total with the last one, the clamp's change;
     status WEND_STATUS_*. terms may be NULL. */
  void (*reward)(const wend_context*, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
                 uint32_t* status);
  /* reward() for the same range, and evidence for each term. */
  void (*attribute)(const wend_context*, uint32_t reward, uint32_t begin, uint32_t end, double* totals, double* terms,
                    uint32_t* status);
  /* Metrics from sums of signals over traces: value[m], valid[m] = 0 where sums give none (a zero divisor). */
  void (*metrics)(const double* params, const double* sums, double* value, uint8_t* valid);

  const struct wend_belief_program* beliefs; /* wend/belief.h; NULL: the spec declares no belief or context */
} wend_program;

typedef const wend_program* (*wend_program_get_fn)(void);

#ifdef __cplusplus
}
#endif
#endif
