// What tools really returned, recorded: preferred to what is made up.
#ifndef WEND_RUNTIME_SYNTH_RESPONSES_H_
#define WEND_RUNTIME_SYNTH_RESPONSES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"
#include "runtime/tools/pool.h"

namespace wend::synth {

struct Response {
  std::vector<std::pair<uint32_t, tools::Value>> args;  // parameter and value, by parameter
  std::string text;                                     // what came back: JSON, or any text
  std::vector<tools::Value> returned;                   // by field of the tool; empty where it has no such field
};

class Responses {
 public:
  explicit Responses(const tools::Pool& pool) : by_tool_(pool.size()) {}

  // {"tool": NAME, "arguments": {...}, "result": ...}. Fails, and adds nothing, where the tool is unknown or the schema
  // does not allow the arguments.
  Result<void> add(const tools::Pool& pool, const tools::Json& record);

  const std::vector<Response>& of(uint32_t tool) const { return by_tool_[tool]; }
  // The response to this call; null if none is recorded.
  const Response* find(uint32_t tool, const std::vector<std::pair<uint32_t, tools::Value>>& args) const;

 private:
  std::vector<std::vector<Response>> by_tool_;
};

}  // namespace wend::synth

#endif  // WEND_RUNTIME_SYNTH_RESPONSES_H_
