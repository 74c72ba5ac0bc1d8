/* Tools that only pretend, as plain C: for rollouts without a server behind the tools.
 *
 *   char error[512];
 *   wend_pool* pool = wend_pool_parse(tools, strlen(tools), values, strlen(values), error, sizeof error);
 *   wend_mock* mock = wend_mock_open(pool, 1, 7);
 *   wend_mock_hear(mock, wend_text("Cancel order OR-12345."));
 *   wend_mock_reply reply;
 *   wend_mock_call(mock, wend_text("cancel_order"), wend_text("{\"order_id\": \"OR-12345\"}"), &reply);
 *   wend_mock_close(mock);
 *
 * (wend_text is in wend/dialogue.h.) A pool is shared by any number of mocks and threads, and may be closed while mocks
 * of it are open. A mock is one dialogue, used by one thread at a time. The same seed and calls give the same replies.
 * Nothing throws.
 */
#ifndef WEND_MOCK_H
#define WEND_MOCK_H
#include <stddef.h>
#include <stdint.h>

#include "wend.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_pool wend_pool;
typedef struct wend_mock wend_mock;

/* Tools as a JSON list or JSON Lines, in any format of `wend tools import`; kinds of values as JSON (docs/tools.md),
   may be NULL. NULL where there are none: then one finished line is in `error`, cut to its size (it may be NULL). */
wend_pool* wend_pool_parse(const char* tools, size_t tools_size, const char* values, size_t values_size, char* error,
                           size_t error_size);
void wend_pool_close(wend_pool* pool);

/* `strict`: 1 refuses what a real API refuses, 0 only unknown tools and undeclared parameters. */
wend_mock* wend_mock_open(const wend_pool* pool, int strict, uint64_t seed);
void wend_mock_close(wend_mock* mock);

/* A call that is expected and what it returned; what the user says: ids in it are known. */
void wend_mock_expect(wend_mock* mock, wend_bytes tool, wend_bytes arguments, wend_bytes result);
void wend_mock_hear(wend_mock* mock, wend_bytes text);

/* What a real API would have refused. */
enum wend_refusal {
  WEND_REFUSAL_NONE,
  WEND_REFUSAL_MALFORMED,
  WEND_REFUSAL_UNKNOWN_TOOL,
  WEND_REFUSAL_UNDECLARED_PARAMETER,
  WEND_REFUSAL_MISSING_PARAMETER,
  WEND_REFUSAL_WRONG_TYPE,
  WEND_REFUSAL_INVALID_VALUE,
  WEND_REFUSAL_UNKNOWN_ID,
  WEND_N_REFUSALS
};
typedef struct wend_mock_reply {
  wend_bytes text;       /* JSON; valid until the next call of this mock */
  int error;             /* the call was refused */
  int expected;          /* answered as recorded */
  uint32_t would_refuse; /* enum wend_refusal: what a real API would have said */
} wend_mock_reply;
void wend_mock_call(wend_mock* mock, wend_bytes tool, wend_bytes arguments, wend_mock_reply* reply);
/* counts[WEND_N_REFUSALS]: calls so far by what a real API would have said. */
void wend_mock_counts(const wend_mock* mock, uint64_t* counts);

#ifdef __cplusplus
}
#endif
#endif
