#include "runtime/tools/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "runtime/suggestion.h"
#include "runtime/tools/openapi.h"
#include "runtime/tools/schema.h"

namespace wend::tools {
namespace {

constexpr std::string_view kFormats[] = {"openai", "mcp", "openapi", "bfcl", "toolbench", "utal"};

const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

// One tool of a list of them.
class Entry {
 public:
  Entry(ImportedTools& out, std::string key) : out_(out), key_(std::move(key)) {}

  void read(const Json& entry, ToolFormat format) {
    if (!entry.is_object()) return skip("", "a tool is an object");
    switch (format) {
      case ToolFormat::toolbench:
        return toolbench(entry);
      case ToolFormat::openai:
        return function(member(entry, "function").is_object() ? entry["function"] : entry, "");
      case ToolFormat::mcp:
        return function(entry, "outputSchema");
      case ToolFormat::bfcl:
        return function(entry, "response");
      case ToolFormat::utal:
        return utal(entry);
      case ToolFormat::openapi:
        return;  // has no list
    }
  }

 private:
  void skip(const std::string& key, std::string cause) { out_.issues.push_back({join(key), std::move(cause)}); }
  std::string join(const std::string& key) const { return key_.empty() || key.empty() ? key_ + key : key_ + "." + key; }

  void add(Tool tool, const Json& schema, const char* key) {
    if (tool.name.empty()) return skip("name", "a tool needs a name");
    if (!schema.is_null() && !schema.is_object()) return skip(key, "the parameters are no schema");
    tool.parameters = parameters_schema(schema);
    const Json required = schema.is_object() ? member(schema, "required") : Json();
    for (const Json& name : required.is_array() ? required : Json::array()) {
      const Json& known = tool.parameters["required"];
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string said = name.is_string() ? name.get<std::string>() : name.dump();
      out_.issues.push_back({join(key), fmt::format("`{}` is required and no parameter: left out", said), false});
    }
    out_.tools.push_back(std::move(tool));
  }

  void function(const Json& entry, const char* returns) {
    Tool tool;
    tool.name = text_at(entry, "name");
    tool.description = text_at(entry, "description");
    if (*returns != '\0') declare(normal_schema(member(entry, returns)), tool);
    for (const char* key : {"parameters", "inputSchema", "input_schema"}) {
      if (entry.contains(key)) return add(std::move(tool), entry[key], key);
    }
    add(std::move(tool), Json(), "");
  }

  // A schema that says nothing, or nothing that is known, declares nothing.
  static void declare(Json schema, Tool& tool) {
    if (schema.empty()) return;
    tool.returns = std::move(schema);
    tool.returns_from = Returns::declared;
  }

  void utal(const Json& entry) {
    Tool tool;
    tool.name = text_at(entry, "name");
    tool.description = text_at(entry, "description");
    tool.category = text_at(entry, "category");
    tool.source = text_at(entry, "source");
    declare(normal_schema(member(entry, "returns")), tool);
    if (tool.returns_from == Returns::declared && text_at(entry, "returns_from") == "inferred") {
      tool.returns_from = Returns::inferred;
    }
    add(std::move(tool), member(entry, "parameters"), "parameters");
  }

  // Defaults are texts, whatever the type: they become values of it where they can.
  static Json default_of(const std::string& said, const Json& schema) {
    const std::string type = text_at(schema, "type");
    if (type == "string" || type.empty()) return said;
    const Json value = Json::parse(said, nullptr, false);
    const bool fits = (type == "integer" && value.is_number_integer()) || (type == "number" && value.is_number()) ||
                      (type == "boolean" && value.is_boolean()) || (type == "object" && value.is_object()) ||
                      (type == "array" && value.is_array());
    return fits ? value : Json();
  }

  void toolbench_parameters(const Json& list, bool required, Json& schema) {
    for (const Json& parameter : list) {
      const std::string name = parameter.is_object() ? text_at(parameter, "name") : "";
      if (name.empty()) {
        out_.issues.push_back({join(required ? "required_parameters" : "optional_parameters"),
                               "a parameter without a name is left out", false});
        continue;
      }
      Json one = normal_schema({{"type", text_at(parameter, "type")}});
      if (const std::string text = text_at(parameter, "description"); !text.empty()) one["description"] = text;
      const std::string said = text_at(parameter, "default");
      if (const Json value = default_of(said, one); !said.empty() && !value.is_null()) one["default"] = value;
      schema["properties"][name] = std::move(one);
      if (required) schema["required"].push_back(name);
    }
  }

  void toolbench(const Json& entry) {
    Tool tool;
    const std::string api = text_at(entry, "api_name"), of = text_at(entry, "tool_name");
    tool.name = of.empty() || api.empty() ? api : of + "." + api;
    tool.description = text_at(entry, "api_description");
    tool.category = text_at(entry, "category_name");
    Json schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
    toolbench_parameters(member(entry, "required_parameters"), true, schema);
    toolbench_parameters(member(entry, "optional_parameters"), false, schema);
    Json shape = member(entry, "template_response");
    if (shape.is_string()) shape = Json::parse(shape.get<std::string>(), nullptr, false);
    if (shape.is_discarded()) {
      out_.issues.push_back(
          {join("template_response"), "the shape is no JSON: what the tool returns is unknown", false});
    } else if (!shape.is_null() && !shape.empty()) {
      declare(schema_of_shape(shape), tool);
    }
    add(std::move(tool), schema, "");
  }

  ImportedTools& out_;
  std::string key_;
};

// Where a list of tools stands in a document.
const Json& list_in(const Json& document) {
  if (!document.is_object()) return document;
  for (const char* key : {"tools", "api_list", "functions"}) {
    if (member(document, key).is_array()) return document[key];
  }
  const Json& result = member(document, "result");  // of JSON-RPC
  return result.is_object() && member(result, "tools").is_array() ? result["tools"] : document;
}

void read_all(const Json& document, ToolFormat format, const std::string& key, ImportedTools& out) {
  const Json& list = list_in(document);
  if (!list.is_array()) return Entry(out, key).read(list, format);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", key, i);
    if (list[i].is_object() && &list_in(list[i]) != &list[i]) {
      read_all(list[i], format, at, out);  // requests of ToolBench, each with its list
    } else {
      Entry(out, at).read(list[i], format);
    }
  }
}

}  // namespace

Result<ToolFormat> tool_format(std::string_view name) {
  const auto found = std::find(std::begin(kFormats), std::end(kFormats), name);
  if (found != std::end(kFormats)) return static_cast<ToolFormat>(found - std::begin(kFormats));
  const std::vector<std::string_view> names(std::begin(kFormats), std::end(kFormats));
  return Error{fmt::format("no format of tools is called `{}`{}; the formats are {}", name, suggestion(name, names),
                           fmt::join(names, ", "))};
}

std::optional<ToolFormat> recognise_tools(const Json& document) {
  if (document.is_object() && (document.contains("openapi") || document.contains("swagger"))) {
    return ToolFormat::openapi;
  }
  const Json& list = list_in(document);
  const Json& first = list.is_array() && !list.empty() ? list[0] : list;
  if (!first.is_object()) return {};
  if (&list_in(first) != &first) return recognise_tools(first);
  if (first.contains("api_name")) return ToolFormat::toolbench;
  if (first.contains("inputSchema")) return ToolFormat::mcp;
  if (first.contains("function")) return ToolFormat::openai;
  if (!first.contains("name")) return {};
  if (first.contains("source") || first.contains("returns") || first.contains("category")) return ToolFormat::utal;
  const Json& parameters = member(first, "parameters");
  const bool dict = parameters.is_object() && text_at(parameters, "type") == "dict";
  return dict || first.contains("response") ? ToolFormat::bfcl : ToolFormat::openai;
}

ImportedTools import_tools(const Json& document, ToolFormat format) {
  ImportedTools out;
  if (format == ToolFormat::openapi) {
    import_openapi(document, out);
  } else {
    read_all(document, format, "", out);
  }
  return out;
}

}  // namespace wend::tools
