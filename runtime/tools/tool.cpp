#include "runtime/tools/tool.h"

namespace wend::tools {

Json as_json(const Tool& tool) {
  Json json = {{"name", tool.name}, {"description", tool.description}};
  if (!tool.category.empty()) json["category"] = tool.category;
  if (!tool.source.empty()) json["source"] = tool.source;
  json["parameters"] = tool.parameters;
  if (tool.returns_from != Returns::unknown) {
    json["returns"] = tool.returns;
    json["returns_from"] = tool.returns_from == Returns::declared ? "declared" : "inferred";
  }
  return json;
}

}  // namespace wend::tools
