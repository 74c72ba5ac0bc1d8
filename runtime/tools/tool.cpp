#include "runtime/tools/tool.h"

namespace wend::tools {

std::string text_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

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
