/* Reading dialogues, as plain C: files in, batches out (wend.h says what is in a batch).
 *
 *   char error[512];
 *   wend_reader* r = wend_reader_open(&path, 1, NULL, error, sizeof error);
 *   const wend_batch* batch;
 *   int more;
 *   while (r && (more = wend_reader_next(r, &batch, error, sizeof error)) > 0) {
 *     wend_reader_bind(r, program->literals, program->n_literals, literals);
 *     ...
 *   }
 *   wend_reader_close(r);
 *
 * A reader is used by one thread at a time. Errors are one finished line, cut to the buffer, always terminated.
 */
#ifndef WEND_DATA_H
#define WEND_DATA_H
#include <stddef.h>
#include <stdint.h>

#include "wend.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_reader wend_reader;

/* Zeroed: the defaults. Strings may be NULL. */
typedef struct wend_read_options {
  const char* format;  /* "native", "openai", "tau-bench", "tau2-bench", "bfcl"; NULL: recognised */
  const char* tools;   /* file with the tools for records that bring none */
  const char* answers; /* bfcl: file or folder of possible answers */
  const char* results; /* bfcl: file or folder of a model's calls */
  int strict;          /* a bad record is an error instead of being skipped */
  int play_gold;       /* replace the agent's messages by the gold calls */
  size_t batch_bytes;  /* text that goes into one batch */
} wend_read_options;

/* NULL on error. */
wend_reader* wend_reader_open(const char* const* paths, size_t n_paths, const wend_read_options* options, char* error,
                              size_t error_size);
/* 1: `*batch` is the next batch, valid until the next call of next or close. 0: no more. -1: error. */
int wend_reader_next(wend_reader* reader, const wend_batch** batch, char* error, size_t error_size);
/* rows[i]: literal i in the current batch. May move the batch's arrays; `*batch` itself stays and is brought up to
   date. */
void wend_reader_bind(wend_reader* reader, const wend_literal* literals, uint32_t n_literals, uint32_t* rows);

/* What was read so far. */
uint64_t wend_reader_records(const wend_reader* reader);
uint64_t wend_reader_skipped(const wend_reader* reader);
/* Lines about skipped records and warnings: how many are kept, and line `i` (0 if there is none, else 1). */
size_t wend_reader_issues(const wend_reader* reader);
int wend_reader_issue(const wend_reader* reader, size_t i, char* text, size_t text_size);

void wend_reader_close(wend_reader* reader);

#ifdef __cplusplus
}
#endif
#endif
