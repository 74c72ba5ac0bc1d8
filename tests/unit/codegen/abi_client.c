/* A plain C program that runs a compiled spec: abi_client SPEC.so. Knows nothing but wend/wend.h.
 *
 * The spec (aot_test.cpp) has one param `w` and one reward `calls`: w * number of calls with a result, from memo; a
 * second term needs gold. The batch has two traces with calls (result, none, result) and (none).
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <wend/wend.h>

static int failures = 0;

static void check(int ok, const char* what) {
  if (!ok) {
    printf("failed: %s\n", what);
    ++failures;
  }
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    puts(dlerror());
    return 2;
  }
  wend_program_get_fn get = NULL;
  *(void**)&get = dlsym(library, "wend_program_get");
  if (!get) return 2;
  const wend_program* program = get();
  check(program->abi_version == WEND_ABI_VERSION, "interface version");
  check(program->batch_version == WEND_BATCH_VERSION, "batch version");
  check(program->n_params == 1 && program->n_memo == 1 && program->n_rewards == 1 && program->n_terms == 2, "counts");
  check(program->n_literals == 1 && program->literals[0].kind == 0, "literals");
  check(program->literals[0].text.size == 6 && !memcmp(program->literals[0].text.data, "cancel", 6), "literal");
  check(program->param_defaults[0] == 0.5, "default");
  check(program->memo[0].table == WEND_TABLE_trace && program->memo[0].type == 1, "memo");
  check(program->term_requires[0] == 0 && program->term_requires[1] == WEND_CAP_GOLD, "requirements");
  check(program->reward_terms[0] == 0 && program->reward_terms[1] == 2, "terms");
  check(strstr(program->metadata, "\"calls\"") != NULL, "metadata");

  wend_span calls[2] = {{0, 3}, {3, 4}};
  uint32_t caps[2] = {WEND_CAP_RESPONSE | WEND_CAP_GOLD, WEND_CAP_RESPONSE};
  uint32_t results[4] = {0, WEND_NONE, 1, WEND_NONE};
  const void* columns[WEND_N_COLUMNS] = {0};
  uint32_t rows[WEND_N_TABLES] = {0};
  columns[WEND_COLUMN_trace_calls] = calls;
  columns[WEND_COLUMN_trace_caps] = caps;
  columns[WEND_COLUMN_call_result] = results;
  rows[WEND_TABLE_trace] = 2;
  rows[WEND_TABLE_call] = 4;
  wend_batch batch = {WEND_BATCH_VERSION, WEND_N_COLUMNS, columns, rows};
  double params[1] = {0.25};
  uint32_t literals[1] = {WEND_NONE};
  int64_t memo[2] = {-1, -1};
  void* memos[1] = {memo};
  wend_context context = {&batch, params, literals, memos, NULL, NULL};

  program->prepare(&context, 0, 2);
  check(memo[0] == 2 && memo[1] == 0, "memo of prepare");
  double totals[2], terms[4];
  uint32_t status[2];
  program->reward(&context, 0, 0, 2, totals, terms, status);
  check(totals[0] == 0.5 + 7 && totals[1] == 0, "totals");
  check(terms[0] == 0.5 && terms[1] == 7 && terms[2] == 0 && isnan(terms[3]), "terms");
  check(status[0] == WEND_STATUS_OK && status[1] == WEND_STATUS_PARTIAL, "status");

  wend_evidence items[8];
  wend_evidence_sink sink = {items, 8, 0};
  context.evidence = &sink;
  program->attribute(&context, 0, 0, 2, totals, terms, status);
  check(sink.count == 2 && items[0].row == 0 && items[1].row == 2 && items[1].value == 1, "evidence");
  dlclose(library);
  if (!failures) puts("all passed");
  return failures != 0;
}
