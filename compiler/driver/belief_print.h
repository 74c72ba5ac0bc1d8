// The steps of a belief for people and programs, each written as it comes.
#ifndef WEND_COMPILER_DRIVER_BELIEF_PRINT_H_
#define WEND_COMPILER_DRIVER_BELIEF_PRINT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "compiler/driver/belief_steps.h"
#include "compiler/driver/selection.h"
#include "runtime/program.h"

namespace wend::driver {

enum class BeliefFormat : uint8_t {
  text,       // each message with the state after it: changes marked, stale values struck through; then the block
  json,       // a list of steps
  json_line,  // {"id", "steps"} in one line
  page        // HTML that needs nothing else
};

struct BeliefPrintOptions {
  BeliefFormat format = BeliefFormat::text;
  bool color = false;        // text
  bool every_block = false;  // text: the block after each message, not just after the last
  std::string render;        // page: the name of what the blocks are
};

// Prints one dialogue. What is given must outlive it.
class BeliefPrinter {
 public:
  BeliefPrinter(const ProgramInfo& program, const BeliefInfo& belief, const BeliefPrintOptions& options,
                std::string_view id, const Output& out)
      : program_(program), belief_(belief), options_(options), id_(id), out_(out) {}

  void begin();
  void step(const BeliefStep& step);
  void end();

 private:
  const ProgramInfo& program_;
  const BeliefInfo& belief_;
  const BeliefPrintOptions& options_;
  std::string_view id_;
  const Output& out_;
  bool first_ = true;
  std::string last_block_;        // text
  nlohmann::ordered_json steps_;  // page
};

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_BELIEF_PRINT_H_
