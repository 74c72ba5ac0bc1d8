/* Live dialogues, as plain C: what happens in a dialogue goes in, a belief state is kept, blocks for a prompt come out.
 *
 *   char error[512];
 *   wend_belief* belief = wend_belief_open("belief.so", NULL, error, sizeof error);
 *   wend_tools* tools = wend_tools_parse(json, strlen(json), error, sizeof error);
 *   wend_dialogue* d = wend_dialogue_open(belief, tools, NULL, error, sizeof error);
 *   wend_dialogue_user(d, wend_text("Actually, make it 6:30."));
 *   wend_dialogue_call(d, wend_text("c1"), wend_text("set_alarm"), wend_text("{\"time\": \"06:30\"}"));
 *   wend_dialogue_result(d, wend_text("c1"), wend_text("Alarm set."), -1);
 *   wend_bytes block;
 *   wend_dialogue_render(d, "ContextManager", &block, error, sizeof error);
 *   wend_dialogue_close(d);
 *
 * Beliefs and tools are shared by any number of dialogues and threads, and may be closed while dialogues of theirs are
 * open. A dialogue is used by one thread at a time. Texts may be any bytes: what is not UTF-8 becomes U+FFFD. Functions
 * that can fail return 0 or NULL and then write one finished line to `error`, cut to its size, always terminated (it
 * may be NULL). Nothing throws.
 */
#ifndef WEND_DIALOGUE_H
#define WEND_DIALOGUE_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wend.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct wend_belief wend_belief;
typedef struct wend_tools wend_tools;
typedef struct wend_dialogue wend_dialogue;

static inline wend_bytes wend_text(const char* text) {
  wend_bytes bytes = {text, text ? strlen(text) : 0};
  return bytes;
}

/* A belief of a shared object that `wend compile --emit so` has made; `name` may be NULL: its first. */
wend_belief* wend_belief_open(const char* path, const char* name, char* error, size_t error_size);
void wend_belief_close(wend_belief* belief);

/* A JSON list of tools, as OpenAI has them. */
wend_tools* wend_tools_parse(const char* json, size_t size, char* error, size_t error_size);
void wend_tools_close(wend_tools* tools);

/* Zeroed: the defaults. */
typedef struct wend_dialogue_options {
  const char* policy;   /* "accumulate" (NULL), "last_only", "first_only" */
  const char* today;    /* "YYYY-MM-DD": what "tomorrow" is counted from; NULL: not known */
  uint32_t max_objects; /* 0: 32 */
  const double* params; /* [n_params] of the program; NULL: its defaults */
  uint32_t n_params;
  void* user_data; /* for the functions below */
  /* Tokens of a text, for budgets in tokens; NULL: four bytes each, rounded up. */
  size_t (*tokens)(void* user_data, wend_bytes text);
  /* A model that labels a prompt for a classifier of the program: 1, the label and its confidence, or 0. May be NULL.
   */
  int (*ask)(void* user_data, uint32_t classifier, wend_bytes system, wend_bytes prompt, uint32_t* label,
             double* confidence);
} wend_dialogue_options;

/* `tools` and `options` may be NULL. */
wend_dialogue* wend_dialogue_open(const wend_belief* belief, const wend_tools* tools,
                                  const wend_dialogue_options* options, char* error, size_t error_size);
/* A dialogue as wend_dialogue_snapshot left it, under the same program. */
wend_dialogue* wend_dialogue_restore(const wend_belief* belief, const wend_tools* tools,
                                     const wend_dialogue_options* options, wend_bytes snapshot, char* error,
                                     size_t error_size);
void wend_dialogue_close(wend_dialogue* dialogue);

/* What happens. `id` may be empty; `arguments` is the JSON object; `error`: 1 it failed, 0 it did not, -1 as the text
   says. */
void wend_dialogue_user(wend_dialogue* dialogue, wend_bytes text);
void wend_dialogue_call(wend_dialogue* dialogue, wend_bytes id, wend_bytes tool, wend_bytes arguments);
void wend_dialogue_result(wend_dialogue* dialogue, wend_bytes id, wend_bytes text, int error);
void wend_dialogue_reply(wend_dialogue* dialogue, wend_bytes text);

/* 1: `block` is what the render of this name (NULL: the belief's first) makes of the state, 2: the same, but it is
   larger than its budget. 0: there is no such render. Valid until the next render of this dialogue. */
int wend_dialogue_render(wend_dialogue* dialogue, const char* render, wend_bytes* block, char* error,
                         size_t error_size);

/* JSON for wend_dialogue_restore, and the fields by name, for people. Valid until the next call of either. */
wend_bytes wend_dialogue_snapshot(wend_dialogue* dialogue);
wend_bytes wend_dialogue_state(wend_dialogue* dialogue);

#ifdef __cplusplus
}
#endif
#endif
