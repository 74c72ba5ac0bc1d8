// A dialogue of a batch written as a line of the trajectory format, with another agent in it.
//
// What the user, the tools' schemas and gold say is kept; what the agent did is given anew, turn by turn. So a policy
// is scored by the same reader and the same program as the recorded agent.
#ifndef WEND_COMPILER_DRIVER_DIALOGUE_H_
#define WEND_COMPILER_DRIVER_DIALOGUE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/batch.h"

namespace wend::driver {

std::string json_text(std::string_view text);
// A value as JSON.
std::string value_json(const Batch& batch, uint32_t value);
// The arguments of a call as a JSON object.
std::string arguments_json(const Batch& batch, uint32_t call);

// What an agent does in a turn, in order.
class AgentTurn {
 public:
  AgentTurn(const Batch& batch, uint32_t trace, int& calls_so_far)
      : batch_(batch), trace_(trace), calls_so_far_(calls_so_far) {}

  // One assistant message, without calls.
  void say(std::string_view text);
  // One assistant message with one call, and its result: that of the recorded call with the same name and arguments,
  // or a plain "ok".
  void call(std::string_view name, const std::string& arguments);
  void call(uint32_t call) { this->call(batch_.text(batch_.columns().call_name[call]), arguments_json(batch_, call)); }

  const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::string result_of(std::string_view name, const std::string& arguments) const;

  const Batch& batch_;
  uint32_t trace_;
  int& calls_so_far_;
  std::vector<std::string> messages_;
};

// Called for each turn of the trace, in order, with the turn's row.
using Policy = std::function<void(const Batch& batch, uint32_t turn, AgentTurn& agent)>;

// One line of JSON, without its line end.
std::string dialogue_json(const Batch& batch, uint32_t trace, const Policy& policy);

}  // namespace wend::driver

#endif  // WEND_COMPILER_DRIVER_DIALOGUE_H_
