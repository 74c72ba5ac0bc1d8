// Any bytes as descriptions of tools: no crash, in every format; what comes of them is UTAL, which is read again as it
// is.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/tools/import.h"
#include "runtime/tools/schema.h"

namespace {

using namespace wend::tools;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void check(const Json& document, ToolFormat format) {
  for (const Tool& tool : import_tools(document, format).tools) {
    require(!tool.name.empty(), "a tool without a name");
    require(tool.parameters["type"] == "object" && tool.parameters["properties"].is_object(), "no schema of an object");
    for (const Json& name : tool.parameters["required"]) {
      require(tool.parameters["properties"].contains(name.get<std::string>()), "what is required is no parameter");
    }
    const Json once = as_json(tool);
    const ImportedTools again = import_tools(Json::array({once}), ToolFormat::utal);
    require(again.tools.size() == 1 && as_json(again.tools[0]) == once, "not read again as it is");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Json document = Json::parse(std::string_view(reinterpret_cast<const char*>(data), size), nullptr, false);
  if (document.is_discarded()) return 0;
  recognise_tools(document);
  for (const ToolFormat format : {ToolFormat::openai, ToolFormat::mcp, ToolFormat::openapi, ToolFormat::bfcl,
                                  ToolFormat::toolbench, ToolFormat::utal}) {
    check(document, format);
  }
  const Json schema = schema_of(document);
  require(merged_schema(schema, schema) == schema || schema.empty(), "a schema merged with itself is another");
  return 0;
}
