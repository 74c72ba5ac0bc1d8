#include "runtime/tools/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace wend::tools {
namespace {

using Form = ValueType::Form;

constexpr int kMaxDepth = 6;  // of values that are made up
constexpr int kTries = 100;
constexpr uint32_t kDays = 700;  // dates lie within these days after kFirstYear begins
constexpr int kFirstYear = 2026;

bool has_type(const Json& schema, std::string_view name) {
  const auto at = schema.find("type");
  if (at == schema.end()) return false;
  if (at->is_string()) return at->get_ref<const std::string&>() == name;
  if (!at->is_array()) return false;
  return std::any_of(at->begin(), at->end(),
                     [&](const Json& one) { return one.is_string() && one.get_ref<const std::string&>() == name; });
}

bool typed(const Json& schema) { return schema.contains("type"); }

double number_at(const Json& schema, const char* key, double fallback) {
  const auto at = schema.find(key);
  return at != schema.end() && at->is_number() ? at->get<double>() : fallback;
}

// "2026-03-09": the day `day` of the years from kFirstYear on.
std::string date_text(uint32_t day) {
  static constexpr int kMonths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = kFirstYear, rest = static_cast<int>(day);
  for (;; ++year) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (rest < 365 + (leap ? 1 : 0)) break;
    rest -= 365 + (leap ? 1 : 0);
  }
  int month = 0;
  for (;; ++month) {
    const int days = kMonths[month] + (month == 1 && year % 4 == 0 ? 1 : 0);
    if (rest < days) break;
    rest -= days;
  }
  return fmt::format("{:04}-{:02}-{:02}", year, month + 1, rest + 1);
}

Json without_kinds(const Json& schema) {
  if (schema.is_array()) {
    Json out = Json::array();
    for (const Json& one : schema) out.push_back(without_kinds(one));
    return out;
  }
  if (!schema.is_object()) return schema;
  Json out = Json::object();
  for (const auto& [key, value] : schema.items()) {
    if (key == "kind" && value.is_string()) continue;
    if (key == "enum" || key == "default" || key == "const" || key == "examples") {
      out[key] = value;
    } else if (key == "properties" && value.is_object()) {
      Json& properties = out[key] = Json::object();
      for (const auto& [name, property] : value.items()) properties[name] = without_kinds(property);
    } else {
      out[key] = without_kinds(value);
    }
  }
  return out;
}

std::string lowered(std::string text) {
  if (text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) == 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

// The first sentence, as it goes on after "I'd like to": "find hotels in a city".
std::string task_of(const Tool& tool) {
  std::string text = tool.description.substr(0, tool.description.find('\n'));
  if (const size_t stop = text.find(". "); stop != std::string::npos) text.resize(stop);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text.empty() ? words_of(tool.name) : lowered(text);
}

// "search_hotels" is about "hotels".
std::string topic_of(std::string_view name) {
  std::string words = words_of(name);
  const size_t blank = words.find(' ');
  return blank == std::string::npos ? words : words.substr(blank + 1);
}

// A number between the bounds of the schema, or from 1 to 1000.
ValueType number_type(const Json& schema, std::string& unusable) {
  const bool integer = has_type(schema, "integer");
  ValueType out;
  out.form = integer ? Form::integer : Form::number;
  const bool has_low = schema.contains("minimum") || schema.contains("exclusiveMinimum");
  out.low =
      number_at(schema, "minimum",
                number_at(schema, "exclusiveMinimum", 1) + (integer && schema.contains("exclusiveMinimum") ? 1 : 0));
  const double high = number_at(schema, "exclusiveMaximum", out.low + 999);
  out.high = number_at(schema, "maximum", high - (integer && schema.contains("exclusiveMaximum") ? 1 : 0));
  if (!has_low) out.low = std::min(out.low, out.high);
  out.bounded = has_low && (schema.contains("maximum") || schema.contains("exclusiveMaximum"));
  if (integer) {
    out.low = std::ceil(out.low);
    out.high = std::floor(out.high);
  }
  if (!(out.low <= out.high)) unusable = fmt::format("no number is from {} to {}", out.low, out.high);
  out.low = std::clamp(out.low, -9e15, 9e15);
  out.high = std::clamp(out.high, -9e15, 9e15);
  return out;
}

Value json_value(const Json& json) { return {json.dump(-1, ' ', false, Json::error_handler_t::replace)}; }

}  // namespace

std::string words_of(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (c == '_' || c == '-' || c == '.' || c == ' ') {
      if (!out.empty() && out.back() != ' ') out += ' ';
    } else if (std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0) {
      out += ' ';
      out += static_cast<char>(std::tolower(c));
    } else {
      out += static_cast<char>(std::tolower(c));
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Value text_value(std::string_view text) {
  const bool plain = std::none_of(text.begin(), text.end(),
                                  [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
  if (!plain) return json_value(Json(std::string(text)));
  Value out;
  out.json.reserve(text.size() + 2);
  out.json += '"';
  out.json += text;
  out.json += '"';
  return out;
}

std::string said(const Value& value) {
  if (value.json.empty()) return "";
  if (value.json.front() != '"' && value.json.front() != '[') return value.json;
  if (value.json.front() == '"' && value.json.find('\\') == std::string::npos)
    return value.json.substr(1, value.json.size() - 2);
  const Json parsed = Json::parse(value.json, nullptr, false);
  if (parsed.is_string()) return parsed.get<std::string>();
  if (!parsed.is_array()) return value.json;
  std::string out;
  for (size_t i = 0; i < parsed.size(); ++i) {
    if (i > 0) out += i + 1 == parsed.size() ? " and " : ", ";
    out += said(json_value(parsed[i]));
  }
  return out;
}

uint32_t PoolTool::find_parameter(std::string_view parameter) const {
  uint32_t i = 0;
  while (i < parameters.size() && parameters[i].name != parameter) ++i;
  return i;
}

bool PoolTool::declares(std::string_view parameter) const {
  return find_parameter(parameter) < parameters.size() ||
         std::find(left_out.begin(), left_out.end(), parameter) != left_out.end();
}

Pool::Pool(const std::vector<Tool>& tools, Values values) : values_(std::move(values)) {
  tools_.reserve(tools.size());
  for (const Tool& tool : tools) {
    if (!by_name_.try_emplace(tool.name, static_cast<uint32_t>(tools_.size())).second) continue;
    PoolTool out;
    out.name = tool.name;
    out.description = tool.description;
    out.category = tool.category;
    out.source = tool.source;
    out.task = task_of(tool);
    out.topic = topic_of(tool.name);
    const Json shown = {
        {"type", "function"},
        {"function",
         {{"name", tool.name}, {"description", tool.description}, {"parameters", without_kinds(tool.parameters)}}}};
    out.shown = shown.dump(-1, ' ', false, Json::error_handler_t::replace);
    const Json& required = tool.parameters["required"];
    for (const auto& [name, schema] : tool.parameters["properties"].items()) {
      Parameter parameter;
      parameter.name = name;
      parameter.words = words_of(name);
      parameter.required = std::find(required.begin(), required.end(), name) != required.end();
      std::string problem;
      parameter.type = type_of(name, tool.name, schema, 0, problem);
      if (parameter.required && !problem.empty()) out.unusable = fmt::format("parameter `{}`: {}", name, problem);
      if (!problem.empty()) {
        out.left_out.push_back(name);
        continue;
      }
      if (schema.is_object() && schema.contains("default")) parameter.fallback = json_value(schema["default"]);
      out.parameters.push_back(std::move(parameter));
    }
    const Json& returns = tool.returns;
    if (returns.is_object() && returns.contains("properties") && returns["properties"].is_object()) {
      for (const auto& [name, schema] : returns["properties"].items()) {
        std::string problem;
        Field field{name, type_of(name, tool.name, schema, 0, problem)};
        if (problem.empty()) out.returns.push_back(std::move(field));
      }
    } else if (returns.is_object() && !returns.empty()) {
      std::string problem;
      Field field{"", type_of("", tool.name, returns, 0, problem)};
      if (problem.empty()) out.returns.push_back(std::move(field));
    }
    tools_.push_back(std::move(out));
  }
}

uint32_t Pool::find(std::string_view name) const {
  const auto at = by_name_.find(std::string(name));
  return at == by_name_.end() ? kNoTool : at->second;
}

// NOLINTNEXTLINE(misc-no-recursion): schemas nest; the depth is bounded
ValueType Pool::type_of(const std::string& name, const std::string& owner, const Json& schema, int depth,
                        std::string& unusable) {
  ValueType out;
  if (depth > kMaxDepth || (schema.is_object() && schema.contains("$ref"))) {
    unusable = "its schema is inside itself, or nested too deep";
    return out;
  }
  if (!schema.is_object()) {
    if (schema.is_boolean() && !schema.get<bool>()) unusable = "its schema allows no value";
    out.kind = values_.guess("topic");
    if (out.kind == kNoKind) out.kind = values_.find_or_make_id("value_id");
    return out;
  }
  if (const auto at = schema.find("enum"); at != schema.end() && at->is_array()) {
    out.form = Form::choice;
    for (const Json& one : *at) out.choices.push_back(json_value(one));
    if (out.choices.empty()) unusable = "`enum` lists no value";
    return out;
  }
  if (const auto at = schema.find("const"); at != schema.end()) {
    out.form = Form::choice;
    out.choices = {json_value(*at)};
    return out;
  }
  if (has_type(schema, "boolean")) {
    out.form = Form::boolean;
    return out;
  }
  if (has_type(schema, "integer") || has_type(schema, "number")) return number_type(schema, unusable);
  if (has_type(schema, "array")) {
    out.form = Form::list;
    const Json items = schema.contains("items") ? schema["items"] : Json::object();
    out.element.push_back(type_of(name, owner, items, depth + 1, unusable));
    return out;
  }
  if (has_type(schema, "object") || (!typed(schema) && schema.contains("properties"))) {
    out.form = Form::object;
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object()) return out;
    const Json required = schema.contains("required") ? schema["required"] : Json::array();
    for (const auto& [member, inner] : properties->items()) {
      std::string problem;
      ValueType type = type_of(member, owner, inner, depth + 1, problem);
      const bool needed = std::find(required.begin(), required.end(), member) != required.end();
      if (!problem.empty() && needed) unusable = fmt::format("`{}`: {}", member, problem);
      if (!problem.empty()) continue;
      out.names.push_back(member);
      out.members.push_back(std::move(type));
    }
    return out;
  }
  return text_type(name, owner, schema);
}

// A text, or anything.
ValueType Pool::text_type(const std::string& name, const std::string& owner, const Json& schema) {
  ValueType out;
  if (const std::string kind = text_at(schema, "kind"); !kind.empty()) {
    out.kind = values_.find(kind);
    if (out.kind != kNoKind) return out;
    if (kind.ends_with("_id")) {
      out.kind = values_.find_or_make_id(kind);
      return out;
    }
  }
  const std::string format = text_at(schema, "format"), lower = words_of(name);
  const auto ends = [&](std::string_view word) { return lower == word || lower.ends_with(" " + std::string(word)); };
  if (format == "date" || (format.empty() && (ends("date") || ends("day")))) {
    out.form = Form::date;
    return out;
  }
  if (format == "time" || (format.empty() && ends("time"))) {
    out.form = Form::time;
    return out;
  }
  std::string parameter = lower;
  std::replace(parameter.begin(), parameter.end(), ' ', '_');
  if (parameter == "id") {
    std::string topic = topic_of(owner);
    std::replace(topic.begin(), topic.end(), ' ', '_');
    if (topic.size() > 1 && topic.back() == 's') topic.pop_back();
    parameter = topic + "_id";
  }
  if (parameter.ends_with("_ids")) parameter.pop_back();
  if (parameter.ends_with("_id")) {
    out.kind = values_.find_or_make_id(parameter);
    return out;
  }
  out.kind = values_.guess(parameter);
  if (out.kind == kNoKind) out.kind = values_.guess("topic");
  if (out.kind == kNoKind) out.kind = values_.find_or_make_id("value_id");
  return out;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the type
Value Pool::draw(const ValueType& type, Random& random) const {
  switch (type.form) {
    case Form::boolean:
      return {random.chance(0.5) ? "true" : "false"};
    case Form::integer:
      return {std::to_string(random.between(static_cast<int64_t>(type.low), static_cast<int64_t>(type.high)))};
    case Form::number: {
      const double value = type.low + (type.high - type.low) * random.uniform();
      double rounded = std::round(value * 2) / 2;  // as people say amounts
      if (rounded < type.low || rounded > type.high || type.high - type.low < 5)
        rounded = std::round(value * 100) / 100;
      if (rounded < type.low || rounded > type.high) rounded = value;
      char digits[40];
      const auto end = std::to_chars(digits, digits + sizeof digits, rounded);
      return {std::string(digits, end.ptr)};
    }
    case Form::choice:
      return type.choices[random.below(static_cast<uint32_t>(type.choices.size()))];
    case Form::date:
      return text_value(date_text(random.below(kDays)));
    case Form::time:
      return text_value(fmt::format("{:02}:{:02}", 6 + random.below(17), 5 * random.below(12)));
    case Form::kind:
      return text_value(values_.draw(type.kind, random));
    case Form::list: {
      Value out{"["};
      const uint32_t count = 1 + random.below(3);
      for (uint32_t i = 0; i < count; ++i) {
        const Value one = draw(type.element[0], random);
        if (out.json.find(one.json) != std::string::npos) continue;
        if (out.json.size() > 1) out.json += ",";
        out.json += one.json;
      }
      out.json += "]";
      return out;
    }
    case Form::object: {
      Value out{"{"};
      for (size_t i = 0; i < type.members.size(); ++i)
        out.json += (i > 0 ? "," : "") + text_value(type.names[i]).json + ":" + draw(type.members[i], random).json;
      out.json += "}";
      return out;
    }
  }
  return {"null"};
}

bool Pool::draw_other(const ValueType& type, const std::vector<Value>& than, Random& random, Value& out) const {
  for (int i = 0; i < kTries; ++i) {
    out = draw(type, random);
    const std::string text = said(out);
    // Neither may be part of the other, or who reads "New York" would find "York".
    const bool taken = std::any_of(than.begin(), than.end(), [&](const Value& other) {
      const std::string known = said(other);
      if (out == other) return true;
      return type.form == Form::kind &&
             (known.find(text) != std::string::npos || text.find(known) != std::string::npos);
    });
    if (!taken) return true;
  }
  return false;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the type
bool Pool::fits(const ValueType& type, const Value& value) const {
  const char first = value.json.empty() ? '\0' : value.json.front();
  const bool number = first == '-' || (first >= '0' && first <= '9');
  const auto inside = [&] {
    double x = 0;
    const auto [end, error] = std::from_chars(value.json.data(), value.json.data() + value.json.size(), x);
    return error == std::errc() && (!type.bounded || (x >= type.low && x <= type.high));
  };
  switch (type.form) {
    case Form::boolean:
      return value.json == "true" || value.json == "false";
    case Form::integer:
      return number && value.json.find_first_of(".eE") == std::string::npos && inside();
    case Form::number:
      return number && inside();
    case Form::choice:
      return std::any_of(type.choices.begin(), type.choices.end(), [&](const Value& choice) {
        if (choice == value) return true;
        if (value.text() || choice.text()) return false;
        // 1 is 1.0, and members have no order.
        return nlohmann::json::parse(choice.json, nullptr, false) == nlohmann::json::parse(value.json, nullptr, false);
      });
    case Form::date:
    case Form::time:
    case Form::kind:
      return first == '"';
    case Form::list: {
      if (first != '[') return false;
      const Json parsed = Json::parse(value.json, nullptr, false);
      if (!parsed.is_array()) return false;
      return std::all_of(parsed.begin(), parsed.end(),
                         [&](const Json& one) { return fits(type.element[0], json_value(one)); });
    }
    case Form::object:
      return first == '{';
  }
  return false;
}

}  // namespace wend::tools
