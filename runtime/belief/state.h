// The state of one dialogue: a batch of one trace (docs/decisions/0005), and what recognition remembers besides.
//
// Rows of one list are contiguous. A list grows and shrinks in place: what stands behind it in the table moves, and so
// do all spans that point there (rows.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/belief/dialogue.h"
#include "runtime/belief/tables.h"
#include "runtime/belief/tools.h"
#include "runtime/recognise/recognise.h"

namespace wend::belief {

struct Workspace;

// What a remembered call has besides its row of `call`.
struct OpenCall {
  uint32_t id = WEND_NONE;  // text, WEND_NONE if it has none
  uint32_t turn = 0;        // in which it was made
};

struct Dialogue::State {
  State(std::shared_ptr<const Engine> engine, std::shared_ptr<const Tools> tools, Options options);

  const BeliefInfo& info() const { return engine->info(); }
  FieldKind kind(uint32_t field) const { return info().fields[field].kind; }
  uint32_t fields() const { return static_cast<uint32_t>(info().fields.size()); }
  const Tools::Impl& pool() const { return tools->impl(); }
  wend_context context() const;

  // Texts and values as a state keeps them: within the limits of docs/belief.md.
  uint32_t kept_text(uint32_t text, Workspace& work);
  uint32_t kept_result(uint32_t text, Workspace& work);
  uint32_t kept_value(uint32_t value, Workspace& work);
  uint32_t action_row(uint32_t field) const;                        // each `last` field has one
  uint32_t key_of(uint32_t tool, uint32_t param, Workspace& work);  // tool.param

  // Empties a field; values become 0, false, the first label or absent.
  void clear(uint32_t field);
  void clear_all();

  // What was in hand, and what recognition found, is dropped.
  void drop_event();
  // Copies what is alive into fresh tables, if dead texts and values take more room.
  void sweep_if_needed(Workspace& work);
  void sweep(Workspace& work);

  std::shared_ptr<const Engine> engine;
  std::shared_ptr<const Tools> tools;
  Options options;
  Tables tables;
  std::vector<uint32_t> literals;
  TextTable::Mark base_texts{};  // what never dies: the tools and the program's literals
  ValueTable::Mark base_values{};
  size_t settled = 0;  // what the tables took after the last sweep, in bytes

  uint32_t turn = 0;
  wend_span found_slots{}, found_references{};  // rows of what recognition found for the statement in hand
  std::vector<OpenCall> calls;                  // by row of `call`: 0 the one in hand, then those without a result
  std::vector<uint32_t> object_texts;           // by row of `object`: its whole result, as far as references read it
  recognise::SeenValues seen;
  std::vector<uint32_t> asked;  // parameters that the last reply asked for
  std::string replied;          // the last reply, which a message may agree to
};

}  // namespace wend::belief
