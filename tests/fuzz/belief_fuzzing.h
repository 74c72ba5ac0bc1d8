// What fuzz targets of live dialogues share. Run them from the root of the repository.
#pragma once

#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "compiler/plan/interpreter.h"
#include "runtime/belief/dialogue.h"
#include "tests/support/spec_plan.h"

namespace wend::belief::fuzzing {

inline void require(bool holds, const char* what, const std::string& text) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%s\n", what, text.c_str());
  std::abort();
}

// The paper's belief.
inline std::shared_ptr<const Engine> engine() {
  static const std::shared_ptr<const Engine> made = [] {
    return *Engine::make(plan::InterpretedProgram::make(plan_of("specs/iacm/belief.wend")));
  }();
  return made;
}

inline std::shared_ptr<const Tools> tools() {
  static const std::shared_ptr<const Tools> made = *Tools::parse(R"([{"name": "book_table", "parameters":
    {"properties": {"city": {"type": "string"}, "time": {"type": "string"}, "people": {"type": "integer"}}}}])");
  return made;
}

// simdjson refuses numbers that are JSON but it cannot hold.
inline bool is_json(simdjson::dom::parser& parser, const std::string& text) {
  const simdjson::error_code error = parser.parse(text).error();
  return error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR;
}

// The state and the block can be read, and a dialogue that is restored from the snapshot is the same.
inline void check(const Dialogue& dialogue) {
  simdjson::dom::parser parser;
  const std::string state = dialogue.state_json(), snapshot = dialogue.snapshot();
  require(is_json(parser, state), "the state is no JSON", state);
  Rendered block;
  dialogue.render(0, block);
  for (const wend_span& span : block.blocks) {
    const std::string part = block.text.substr(span.begin, span.end - span.begin);
    const size_t open = part.find('>') + 1, close = part.rfind("</");
    const std::string json = part.substr(open, close - open);
    require(is_json(parser, json), "a sub-block is no JSON", part);
    require(json.find_first_of("<>") == std::string::npos, "something breaks out of its sub-block", part);
  }
  const Result<Dialogue> again = Dialogue::restore(engine(), tools(), {}, snapshot);
  require(again.ok(), "the snapshot cannot be read", snapshot);
  require(again->snapshot() == snapshot, "the restored dialogue is another one", again->snapshot() + "\n" + snapshot);
}

}  // namespace wend::belief::fuzzing
