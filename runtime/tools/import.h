// Tools as others describe them, read into UTAL (docs/tools.md).
#ifndef WEND_RUNTIME_TOOLS_IMPORT_H_
#define WEND_RUNTIME_TOOLS_IMPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"
#include "runtime/tools/tool.h"

namespace wend::tools {

enum class ToolFormat : uint8_t {
  openai,     // {"type": "function", "function": {name, description, parameters}}, or the inner object; tau-bench, tau2
  mcp,        // tools/list: {"tools": [{name, description, inputSchema, outputSchema?}]}, or the whole reply
  openapi,    // OpenAPI 3.x
  bfcl,       // {name, description, parameters, response}, types as in Python or Java
  toolbench,  // {category_name, tool_name, api_name, required_parameters, optional_parameters, template_response}
  utal        // our own
};

Result<ToolFormat> tool_format(std::string_view name);
// Of a document, or of one entry of a list; none: it is none of these.
std::optional<ToolFormat> recognise_tools(const Json& document);

// Something that was left out, or changed on the way.
struct ToolIssue {
  std::string key;  // "paths./pets.get", "[3].name"
  std::string cause;
  bool skipped = true;  // the tool is not there; else only what the cause says
};

struct ImportedTools {
  std::vector<Tool> tools;
  std::vector<ToolIssue> issues;
};

// `document`: a list of tools, one tool, or what the format has around them.
ImportedTools import_tools(const Json& document, ToolFormat format);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_IMPORT_H_
