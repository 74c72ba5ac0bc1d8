#include "runtime/tools/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tools/schema.h"

namespace wend::tools {
namespace {

constexpr size_t kMaxNodes = 20'000;  // schemas of an operation
constexpr std::string_view kMethods[] = {"get", "post", "put", "patch", "delete"};

// `GET /pets/{id}` as get_pets_id.
std::string name_of(std::string_view method, std::string_view path) {
  std::string name(method);
  bool gap = true;
  for (char c : path) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word && gap) name += '_';
    if (word) name += c;
    gap = !word;
  }
  return name;
}

class OpenApi {
 public:
  OpenApi(const Json& document, ImportedTools& out) : document_(document), out_(out) {}

  void read() {
    const std::string version = text_at(document_, "openapi");
    if (!version.starts_with("3.")) {
      return skip("openapi", version.empty() ? "only OpenAPI 3 is read, not Swagger 2"
                                             : fmt::format("only OpenAPI 3 is read, not `{}`", version));
    }
    const auto paths = document_.find("paths");
    if (paths == document_.end() || !paths->is_object()) return skip("paths", "there are no paths");
    for (auto path = paths->begin(); path != paths->end(); ++path) {
      const Json& item = resolved(path.value());
      if (!item.is_object()) continue;
      for (std::string_view method : kMethods) {
        const auto operation = item.find(std::string(method));
        if (operation == item.end() || !operation->is_object()) continue;
        key_ = fmt::format("paths.{}.{}", path.key(), method);
        read_operation(path.key(), method, item, *operation);
      }
    }
  }

 private:
  void skip(const std::string& key, std::string cause) { out_.issues.push_back({key, std::move(cause)}); }

  // What a `$ref` leads to; the issue is reported where it leads nowhere.
  const Json& resolved(const Json& node) {
    static const Json none = Json::object();
    const Json* at = &node;
    for (int hops = 0; at->is_object() && at->contains("$ref"); ++hops) {
      const std::string ref = text_at(*at, "$ref");
      if (hops > kMaxSchemaDepth || !ref.starts_with("#/")) return missing(ref);
      try {  // pointers are outside input, and the library reports by throwing
        at = &document_.at(Json::json_pointer(ref.substr(1)));
      } catch (const Json::exception&) {
        return missing(ref);
      }
    }
    return at->is_null() ? none : *at;
  }
  const Json& missing(const std::string& ref) {
    static const Json none = Json::object();
    out_.issues.push_back({key_, fmt::format("`{}` leads nowhere: it may be anything", ref), false});
    return none;
  }

  // The schema with its references put in; inside themselves they may be anything.
  Json expanded(const Json& schema, int depth = 0) {
    if (!schema.is_object() || depth > kMaxSchemaDepth) return Json::object();
    if (++nodes_ > kMaxNodes) {  // references let a small document stand for a very large one
      if (nodes_ == kMaxNodes + 1) {
        out_.issues.push_back({key_, "its schemas are too large: what is left of them may be anything", false});
      }
      return Json::object();
    }
    const std::string ref = text_at(schema, "$ref");
    if (std::find(open_.begin(), open_.end(), ref) != open_.end() && !ref.empty()) return Json::object();
    if (!ref.empty()) open_.push_back(ref);
    const Json& node = resolved(schema);
    Json out = Json::object();
    for (auto member = node.begin(); member != node.end(); ++member) {
      const std::string& key = member.key();
      const Json& value = member.value();
      if (key == "properties" && value.is_object()) {
        out[key] = Json::object();
        for (auto p = value.begin(); p != value.end(); ++p) out[key][p.key()] = expanded(p.value(), depth + 1);
      } else if ((key == "items" || key == "additionalProperties") && value.is_object()) {
        out[key] = expanded(value, depth + 1);
      } else if ((key == "anyOf" || key == "oneOf" || key == "allOf") && value.is_array()) {
        for (const Json& one : value) out[key].push_back(expanded(one, depth + 1));
      } else {
        out[key] = value;
      }
    }
    if (!ref.empty()) open_.pop_back();
    if (out.value("nullable", Json()) == true && out.contains("type") && out["type"].is_string()) {
      out["type"] = {out["type"], "null"};  // of OpenAPI 3.0
    }
    out.erase("nullable");
    return out;
  }

  // The schema of the JSON among contents by media type.
  const Json* json_content(const Json& holder) {
    const auto content = holder.find("content");
    if (content == holder.end() || !content->is_object()) return nullptr;
    for (auto media = content->begin(); media != content->end(); ++media) {
      const std::string& type = media.key();
      const bool json = type.starts_with("application/json") || type.find("+json") != std::string::npos;
      if (json && media.value().is_object() && media.value().contains("schema")) return &media.value()["schema"];
    }
    return nullptr;
  }

  void add_parameters(const Json& list, Json& schema) {
    if (!list.is_array()) return;
    for (const Json& entry : list) {
      const Json& parameter = resolved(entry);
      const std::string name = text_at(parameter, "name"), in = text_at(parameter, "in");
      if (name.empty() || (in != "path" && in != "query")) continue;
      Json one = parameter.contains("schema") ? expanded(parameter["schema"]) : Json::object();
      if (const std::string text = text_at(parameter, "description"); !text.empty()) one["description"] = text;
      schema["properties"][name] = std::move(one);
      if (parameter.value("required", Json()) == true) schema["required"].push_back(name);
    }
  }

  void add_body(const Json& body, Json& schema) {
    const Json* content = json_content(body);
    if (!content) return;
    Json expanded_body = expanded(*content);
    const bool required = body.value("required", Json()) == true;
    if (!expanded_body.contains("properties")) {
      schema["properties"]["body"] = std::move(expanded_body);
      if (required) schema["required"].push_back("body");
      return;
    }
    for (auto p = expanded_body["properties"].begin(); p != expanded_body["properties"].end(); ++p) {
      schema["properties"][p.key()] = p.value();
    }
    if (!required || !expanded_body.contains("required")) return;
    for (const Json& name : expanded_body["required"]) schema["required"].push_back(name);
  }

  void read_operation(const std::string& path, std::string_view method, const Json& item, const Json& operation) {
    nodes_ = 0;
    Tool tool;
    tool.name = text_at(operation, "operationId");
    if (tool.name.empty()) tool.name = name_of(method, path);
    const std::string summary = text_at(operation, "summary"), more = text_at(operation, "description");
    tool.description = summary.empty() ? more : more.empty() ? summary : summary + "\n" + more;
    const auto tags = operation.find("tags");
    if (tags != operation.end() && tags->is_array() && !tags->empty() && (*tags)[0].is_string()) {
      tool.category = (*tags)[0].get<std::string>();
    }
    Json schema = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
    add_parameters(item.value("parameters", Json()), schema);
    add_parameters(operation.value("parameters", Json()), schema);
    if (operation.contains("requestBody")) add_body(resolved(operation["requestBody"]), schema);
    tool.parameters = parameters_schema(schema);
    declare_returns(operation.value("responses", Json()), tool);
    out_.tools.push_back(std::move(tool));
  }

  void declare_returns(const Json& responses, Tool& tool) {
    if (!responses.is_object()) return;
    std::vector<std::string> codes;
    for (auto response = responses.begin(); response != responses.end(); ++response) {
      if (response.key().starts_with('2')) codes.push_back(response.key());
    }
    std::sort(codes.begin(), codes.end());
    for (const std::string& code : codes) {
      const Json* content = json_content(resolved(responses[code]));
      if (!content) continue;
      tool.returns = normal_schema(expanded(*content));
      if (!tool.returns.empty()) tool.returns_from = Returns::declared;
      return;
    }
  }

  const Json& document_;
  ImportedTools& out_;
  std::string key_ = "paths";
  std::vector<std::string> open_;  // references that are being put in
  size_t nodes_ = 0;               // schemas that have been put into the operation
};

}  // namespace

void import_openapi(const Json& document, ImportedTools& out) { OpenApi(document, out).read(); }

}  // namespace wend::tools
