// UTAL, the unified description of a tool that everything about tools works on (docs/tools.md): what an agent is shown
// of it, where it comes from, and what it returns.
#ifndef WEND_RUNTIME_TOOLS_TOOL_H_
#define WEND_RUNTIME_TOOLS_TOOL_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace wend::tools {

using Json = nlohmann::ordered_json;

// How far what a tool returns is known.
enum class Returns : uint8_t { unknown, declared, inferred };

struct Tool {
  std::string name, description, category, source;  // category and source may be empty
  Json parameters;                                  // a JSON Schema of an object
  Json returns;                                     // a JSON Schema; null if it is unknown
  Returns returns_from = Returns::unknown;
};

// The member of an object if it is a text, else "".
std::string text_at(const Json& object, const char* key);

// One line of UTAL: {"name", "description", "category"?, "source"?, "parameters", "returns"?, "returns_from"?}.
Json as_json(const Tool& tool);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_TOOL_H_
