// A pool of tools made ready for making dialogues: types that values can be drawn of, and checked against.
#ifndef WEND_RUNTIME_TOOLS_POOL_H_
#define WEND_RUNTIME_TOOLS_POOL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/random.h"
#include "runtime/tools/tool.h"
#include "runtime/tools/values.h"

namespace wend::tools {

inline constexpr uint32_t kNoTool = 0xFFFFFFFFu;

// A value as JSON, and as a person says it: a text without its quotes, a list's values with commas.
struct Value {
  std::string json;

  bool text() const { return !json.empty() && json.front() == '"'; }
  friend bool operator==(const Value&, const Value&) = default;
};
Value text_value(std::string_view text);
std::string said(const Value& value);

struct ValueType {
  enum class Form : uint8_t { boolean, integer, number, choice, date, time, kind, list, object };
  Form form = Form::kind;
  double low = 0, high = 0;        // integer, number; both included
  bool bounded = false;            // the schema says so; else only values to be drawn lie there
  uint32_t kind = kNoKind;         // kind: in Values
  std::vector<Value> choices;      // choice
  std::vector<ValueType> element;  // list: one
  std::vector<std::string> names;  // object: of its members
  std::vector<ValueType> members;
};

struct Parameter {
  std::string name, words;  // words: as it is said, "check in"
  ValueType type;
  bool required = false;
  std::optional<Value> fallback;  // its default
};

// A value that a tool returns: a member of the object, or the whole (name is empty).
struct Field {
  std::string name;
  ValueType type;
};

struct PoolTool {
  std::string name, description, category, source;
  std::string shown;  // as agents see it: a JSON object in the shape of OpenAI function tools
  std::string task;   // what it does, to be said: "find hotels in a city"
  std::string topic;  // what it is about: "hotels"
  std::vector<Parameter> parameters;
  std::vector<Field> returns;
  std::vector<std::string> left_out;  // optional parameters of which no value can be made up
  std::string unusable;               // why no call of it can be made up; empty if one can

  bool declares(std::string_view parameter) const;
  uint32_t find_parameter(std::string_view parameter) const;  // its index, or size
};

class Pool {
 public:
  // Each line of UTAL becomes a tool; of several of one name, the first. What values are made of is taken from a
  // property's "kind", else guessed from its format, name and type. `values` gains the kinds of ids that it lacks.
  Pool(const std::vector<Tool>& tools, Values values);

  const std::vector<PoolTool>& tools() const { return tools_; }
  const PoolTool& tool(uint32_t index) const { return tools_[index]; }
  size_t size() const { return tools_.size(); }
  uint32_t find(std::string_view name) const;  // kNoTool if there is none
  const Values& values() const { return values_; }

  Value draw(const ValueType& type, Random& random) const;
  // Another value than these, if there is one: false where a hundred tries found none.
  bool draw_other(const ValueType& type, const std::vector<Value>& than, Random& random, Value& out) const;
  // The value has the declared type, is one of the choices, and lies between minimum and maximum.
  bool fits(const ValueType& type, const Value& value) const;
  bool is_id(const ValueType& type) const { return type.form == ValueType::Form::kind && values_.is_id(type.kind); }

 private:
  ValueType type_of(const std::string& name, const std::string& owner, const Json& schema, int depth,
                    std::string& unusable);
  ValueType text_type(const std::string& name, const std::string& owner, const Json& schema);

  Values values_;
  std::vector<PoolTool> tools_;
  std::unordered_map<std::string, uint32_t> by_name_;
};

// "check_in" and "checkIn" as "check in".
std::string words_of(std::string_view name);

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_POOL_H_
