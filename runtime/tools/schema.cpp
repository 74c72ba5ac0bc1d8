#include "runtime/tools/schema.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace wend::tools {
namespace {

struct Alias {
  std::string_view said, type;  // type empty: any
};
constexpr Alias kAliases[] = {
    {"str", "string"},    {"text", "string"},  {"char", "string"},     {"enum", "string"},    {"int", "integer"},
    {"long", "integer"},  {"float", "number"}, {"double", "number"},   {"decimal", "number"}, {"bool", "boolean"},
    {"dict", "object"},   {"map", "object"},   {"hashmap", "object"},  {"struct", "object"},  {"tuple", "array"},
    {"list", "array"},    {"set", "array"},    {"arraylist", "array"}, {"any", ""},           {"none", "null"},
    {"nonetype", "null"}, {"byte", "integer"}, {"short", "integer"},
};
constexpr std::string_view kTypes[] = {"string", "number", "integer", "boolean", "object", "array", "null"};

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

// The name of a type as JSON Schema has it; empty: any, or nothing that is known.
std::string type_named(std::string_view said) {
  const std::string name = folded(said);
  if (std::find(std::begin(kTypes), std::end(kTypes), name) != std::end(kTypes)) return name;
  for (const Alias& alias : kAliases) {
    if (alias.said == name) return std::string(alias.type);
  }
  return name.starts_with("date") ? "string" : "";
}

Json normal(const Json& schema, int depth);

void set_type(const Json& said, Json& out) {
  if (said.is_string()) {
    const auto name = said.get<std::string>();
    const std::string type = type_named(name);
    if (type.empty()) return;
    out["type"] = type;
    if (folded(name).starts_with("date")) out["format"] = folded(name).starts_with("datetime") ? "date-time" : "date";
  } else if (said.is_array()) {
    Json types = Json::array();
    for (const Json& one : said) {
      const std::string type = one.is_string() ? type_named(one.get<std::string>()) : "";
      if (!type.empty() && std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
    if (!types.empty()) out["type"] = types.size() == 1 ? types[0] : types;
  }
}

Json normal_members(const Json& members, int depth) {
  Json out = Json::object();
  for (auto member = members.begin(); member != members.end(); ++member) {
    out[member.key()] = normal(member.value(), depth);
  }
  return out;
}

Json normal(const Json& schema, int depth) {
  if (!schema.is_object() || depth > kMaxSchemaDepth) return Json::object();
  Json out = Json::object();
  for (auto member = schema.begin(); member != schema.end(); ++member) {
    const std::string& key = member.key();
    const Json& value = member.value();
    if (key == "type") {
      set_type(value, out);
    } else if (key == "properties" && value.is_object()) {
      out[key] = normal_members(value, depth + 1);
    } else if ((key == "items" || key == "additionalProperties") && value.is_object()) {
      out[key] = normal(value, depth + 1);
    } else if ((key == "anyOf" || key == "oneOf" || key == "allOf") && value.is_array()) {
      out[key] = Json::array();
      for (const Json& one : value) out[key].push_back(normal(one, depth + 1));
    } else {
      out[key] = value;
    }
  }
  return out;
}

const char* json_type(const Json& value) {
  switch (value.type()) {
    case Json::value_t::string:
      return "string";
    case Json::value_t::boolean:
      return "boolean";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      return "integer";
    case Json::value_t::number_float:
      return "number";
    case Json::value_t::array:
      return "array";
    case Json::value_t::object:
      return "object";
    default:
      return "null";
  }
}

Json schema_of(const Json& value, int depth) {
  Json schema = {{"type", json_type(value)}};
  if (depth > kMaxSchemaDepth) return Json::object();
  if (value.is_object()) {
    schema["properties"] = Json::object();
    schema["required"] = Json::array();
    for (auto member = value.begin(); member != value.end(); ++member) {
      schema["properties"][member.key()] = schema_of(member.value(), depth + 1);
      schema["required"].push_back(member.key());
    }
  }
  if (value.is_array() && !value.empty()) {
    Json items = schema_of(value[0], depth + 1);
    for (size_t i = 1; i < value.size(); ++i) items = merged_schema(items, schema_of(value[i], depth + 1));
    schema["items"] = std::move(items);
  }
  return schema;
}

void add_types(const Json& schema, Json& types) {
  const Json type = schema.value("type", Json::array());
  for (const Json& one : type.is_array() ? type : Json::array({type})) {
    if (std::find(types.begin(), types.end(), one) == types.end()) types.push_back(one);
  }
}

bool holds(const Json& list, const Json& item) { return std::find(list.begin(), list.end(), item) != list.end(); }

Json shape(const Json& said, int depth) {
  if (depth > kMaxSchemaDepth) return Json::object();
  if (said.is_string()) {  // "str", or "list of str with length 20"
    const std::string text = folded(said.get<std::string>());
    if (text.starts_with("list of ")) {
      const std::string item = text.substr(8, text.find(' ', 8) - 8);
      return {{"type", "array"}, {"items", shape(Json(item), depth + 1)}};
    }
    const std::string type = type_named(text);
    return type.empty() ? Json::object() : Json{{"type", type}};
  }
  if (said.is_array()) {
    if (said.size() == 1 && said[0].is_string() && folded(said[0].get<std::string>()).starts_with("list of ")) {
      return shape(said[0], depth);
    }
    Json out = {{"type", "array"}};
    if (!said.empty()) out["items"] = shape(said[0], depth + 1);
    return out;
  }
  if (!said.is_object()) return Json::object();
  Json out = {{"type", "object"}, {"properties", Json::object()}};
  for (auto member = said.begin(); member != said.end(); ++member) {
    if (member.key() != "_list_length") out["properties"][member.key()] = shape(member.value(), depth + 1);
  }
  return out;
}

}  // namespace

Json normal_schema(const Json& schema) { return normal(schema, 0); }

Json parameters_schema(const Json& schema) {
  Json out = normal_schema(schema);
  out["type"] = "object";
  if (!out.contains("properties") || !out["properties"].is_object()) out["properties"] = Json::object();
  Json required = Json::array();
  if (out.contains("required") && out["required"].is_array()) {
    for (const Json& name : out["required"]) {
      const bool known = name.is_string() && out["properties"].contains(name.get<std::string>());
      if (known && !holds(required, name)) required.push_back(name);
    }
  }
  out["required"] = std::move(required);
  return out;
}

Json schema_of(const Json& value) { return schema_of(value, 0); }

Json merged_schema(const Json& a, const Json& b) {
  if (a.empty() || b.empty()) return Json::object();  // one of them may be anything
  Json types = Json::array();
  add_types(a, types);
  add_types(b, types);
  if (holds(types, "integer") && holds(types, "number")) types.erase(std::find(types.begin(), types.end(), "integer"));
  Json out = {{"type", types.size() == 1 ? types[0] : types}};
  if (a.contains("properties") && b.contains("properties")) {
    out["properties"] = a["properties"];
    for (auto member = b["properties"].begin(); member != b["properties"].end(); ++member) {
      Json& known = out["properties"][member.key()];
      known = known.is_null() ? member.value() : merged_schema(known, member.value());
    }
    out["required"] = Json::array();
    for (const Json& name : a["required"]) {
      if (holds(b["required"], name)) out["required"].push_back(name);
    }
  } else if (a.contains("properties") || b.contains("properties")) {
    const Json& object = a.contains("properties") ? a : b;
    out["properties"] = object["properties"];
    out["required"] = object["required"];
  }
  if (a.contains("items") && b.contains("items")) {
    out["items"] = merged_schema(a["items"], b["items"]);
  } else if (a.contains("items") || b.contains("items")) {
    out["items"] = a.contains("items") ? a["items"] : b["items"];
  }
  return out;
}

Json schema_of_shape(const Json& said) { return shape(said, 0); }

}  // namespace wend::tools
