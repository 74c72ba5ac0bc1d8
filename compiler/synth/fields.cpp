#include "compiler/synth/fields.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace wend::synth {

using sema::Base;
using tools::Value;
using tools::ValueType;
using What = Item::What;

namespace {

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isspace(u) == 0) out += static_cast<char>(std::tolower(u));
  }
  return out;
}

// Numbers of the labels of the built-in enum JsonType.
enum JsonLabel : uint8_t { j_null, j_bool, j_int, j_real, j_text, j_list, j_object, j_any };

double json_type(const std::string& json) {
  if (json.empty() || json == "null") return j_null;
  switch (json.front()) {
    case '"':
      return j_text;
    case '[':
      return j_list;
    case '{':
      return j_object;
    case 't':
    case 'f':
      return j_bool;
    default:
      return json.find_first_of(".eE") == std::string::npos ? j_int : j_real;
  }
}

double declared_type(const ValueType& type) {
  switch (type.form) {
    case ValueType::Form::boolean:
      return j_bool;
    case ValueType::Form::integer:
      return j_int;
    case ValueType::Form::number:
      return j_real;
    case ValueType::Form::list:
      return j_list;
    case ValueType::Form::object:
      return j_object;
    case ValueType::Form::choice:
      return type.choices.empty() ? double{j_any} : json_type(type.choices[0].json);
    default:
      return j_text;
  }
}

Item call_items(const std::vector<uint32_t>& calls) {
  std::vector<Item> items;
  items.reserve(calls.size());
  for (const uint32_t c : calls) items.push_back(Item::row(What::call, c));
  return Item::list(std::move(items));
}

std::vector<uint32_t> calls_of_turn(const Turn& turn) {
  std::vector<uint32_t> out;
  for (const Step& step : turn.steps) out.insert(out.end(), step.calls.begin(), step.calls.end());
  return out;
}

void add_messages(uint32_t t, const Trace& trace, std::vector<Item>& out) {
  out.push_back(Item::row(What::message, t, kNone, kNone));
  for (uint32_t s = 0; s < trace.turns[t].steps.size(); ++s) {
    out.push_back(Item::row(What::message, t, s, kNone));
    for (const uint32_t c : trace.turns[t].steps[s].calls) out.push_back(Item::row(What::message, t, s, c));
  }
}

Item optional_text(std::string text) { return text.empty() ? Item{} : Item::of(std::move(text)); }

uint32_t position_of(const std::vector<uint32_t>& order, uint32_t id) {
  return static_cast<uint32_t>(std::find(order.begin(), order.end(), id) - order.begin());
}

Item field_of_trace(const Item& trace, std::string_view name, Scene& scene) {
  const Trace& t = *scene.trace;
  const bool whole = trace.first == 0;
  if (name == "calls") return call_items(whole ? t.calls_in_order() : scene.spliced[trace.first - 1]);
  if (name == "profile") return optional_text(t.profile);
  std::vector<Item> items;
  if (name == "pool") {
    std::set<uint32_t> used;
    for (const uint32_t c : whole ? t.calls_in_order() : scene.spliced[trace.first - 1]) used.insert(t.calls[c].tool);
    for (const uint32_t tool : used) items.push_back(Item::row(What::tool, tool));
    return Item::list(std::move(items));
  }
  for (const uint32_t turn : t.order) {
    if (!whole) {
      const std::vector<uint32_t> calls = calls_of_turn(t.turns[turn]);
      const std::vector<uint32_t>& of = scene.spliced[trace.first - 1];
      if (std::none_of(calls.begin(), calls.end(),
                       [&](uint32_t c) { return std::find(of.begin(), of.end(), c) != of.end(); }))
        continue;
    }
    if (name == "turns")
      items.push_back(Item::row(What::turn, turn));
    else
      add_messages(turn, t, items);
  }
  return Item::list(std::move(items));
}

Item field_of_turn(const Item& item, std::string_view name, Scene& scene) {
  const Trace& t = *scene.trace;
  const Turn& turn = t.turns[item.first];
  const uint32_t position = position_of(t.order, item.first);
  if (name == "trace") return Item::row(What::trace, 0);
  if (name == "number") return Item::of(static_cast<double>(position + 1));
  if (name == "calls") return call_items(calls_of_turn(turn));
  if (name == "user") return Item::row(What::message, item.first, kNone, kNone);
  if (name == "answered") return Item::of(!turn.steps.empty());
  if (name == "expects") return label_item(static_cast<double>(turn.kind));
  if (name == "signal") return label_item(static_cast<double>(turn.signal));
  if (name == "labelled") return Item::of(turn.labelled);
  std::vector<Item> items;
  if (name == "messages") {
    add_messages(item.first, t, items);
    return Item::list(std::move(items));
  }
  if (name == "previous") return position == 0 ? Item{} : Item::row(What::turn, t.order[position - 1]);
  for (uint32_t p = 0; p < position && p < t.order.size(); ++p) items.push_back(Item::row(What::turn, t.order[p]));
  return Item::list(std::move(items));
}

Item field_of_message(const Item& item, std::string_view name, Scene& scene) {
  const Trace& t = *scene.trace;
  if (name == "trace") return Item::row(What::trace, 0);
  if (name == "turn") return Item::row(What::turn, item.first);
  if (name == "text") return optional_text(message_text(item, t));
  if (name == "role") return label_item(item.second == kNone ? 1 : item.third == kNone ? 2 : 3);
  if (name == "answers") return item.third == kNone ? Item{} : Item::row(What::call, item.third);
  if (item.second == kNone || item.third != kNone) return Item::list({});
  return call_items(t.turns[item.first].steps[item.second].calls);
}

Item field_of_call(const Item& item, std::string_view name, Scene& scene) {
  const Trace& t = *scene.trace;
  const Call& call = t.calls[item.first];
  if (name == "trace") return Item::row(What::trace, 0);
  if (name == "name") return Item::of(scene.pool->tool(call.tool).name);
  if (name == "tool") return Item::row(What::tool, call.tool);
  if (name == "malformed") return Item::of(false);
  if (name == "args") {
    std::vector<Item> items;
    items.reserve(call.args.size());
    for (uint32_t a = 0; a < call.args.size(); ++a) items.push_back(Item::row(What::arg, item.first, a));
    return Item::list(std::move(items));
  }
  const uint32_t turn = t.turn_of(item.first);
  if (name == "turn") return turn == kNone ? Item{} : Item::row(What::turn, turn);
  if (name == "result") {
    if (turn == kNone) return Item{};
    for (uint32_t s = 0; s < t.turns[turn].steps.size(); ++s) {
      const std::vector<uint32_t>& calls = t.turns[turn].steps[s].calls;
      if (std::find(calls.begin(), calls.end(), item.first) != calls.end())
        return Item::row(What::message, turn, s, item.first);
    }
    return Item{};
  }
  std::vector<uint32_t> order = t.calls_in_order();
  const uint32_t position = position_of(order, item.first);
  if (name == "number") return Item::of(static_cast<double>(position));
  if (name == "previous") return position == 0 ? Item{} : Item::row(What::call, order[position - 1]);
  order.resize(std::min<size_t>(position, order.size()));
  return call_items(order);
}

Item field_of_arg(const Item& item, std::string_view name, Scene& scene) {
  const Call& call = scene.trace->calls[item.first];
  const Arg& arg = call.args[item.second];
  const tools::Parameter& parameter = scene.pool->tool(call.tool).parameters[arg.parameter];
  if (name == "call") return Item::row(What::call, item.first);
  if (name == "name") return Item::of(parameter.name);
  if (name == "value") return value_item(item, scene);
  return Item::row(What::param, call.tool, arg.parameter);
}

Item field_of_tool(const Item& item, std::string_view name, Scene& scene) {
  const tools::PoolTool& tool = scene.pool->tool(item.first);
  if (name == "name") return Item::of(tool.name);
  if (name == "description") return optional_text(tool.description);
  std::vector<Item> items;
  items.reserve(tool.parameters.size());
  for (uint32_t p = 0; p < tool.parameters.size(); ++p) items.push_back(Item::row(What::param, item.first, p));
  return Item::list(std::move(items));
}

Item field_of_param(const Item& item, std::string_view name, Scene& scene) {
  const tools::Parameter& parameter = scene.pool->tool(item.first).parameters[item.second];
  if (name == "tool") return Item::row(What::tool, item.first);
  if (name == "name") return Item::of(parameter.name);
  if (name == "type") return label_item(declared_type(parameter.type));
  if (name == "required") return Item::of(parameter.required);
  if (name == "default") return parameter.fallback ? Item::of(*parameter.fallback, &parameter.type) : Item{};
  std::vector<Item> items;
  items.reserve(parameter.type.choices.size());
  for (const Value& choice : parameter.type.choices) items.push_back(Item::of(choice, &parameter.type));
  return Item::list(std::move(items));
}

Item field_of_value(const Item& item, std::string_view name) {
  if (name == "text") return Item::of(text_of(item));
  if (name == "length") {
    const std::string& text = item.text;
    return Item::of(static_cast<double>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })));
  }
  if (name == "folded") return Item::of(folded(text_of(item)));
  if (name == "type") return label_item(json_type(item.text));
  const std::optional<double> number = number_of(item);
  return number ? Item::of(*number) : Item{};
}

}  // namespace

Item value_item(const Item& item, const Scene& scene) {
  const Call& call = scene.trace->calls[item.first];
  const Arg& arg = call.args[item.second];
  return Item::of(arg.value, &scene.pool->tool(call.tool).parameters[arg.parameter].type);
}

std::string text_of(const Item& item) {
  if (item.what == What::json) return tools::said({item.text});
  return item.text;
}

std::optional<double> number_of(const Item& item) {
  if (item.what == What::number || item.what == What::boolean || item.what == What::label) return item.number;
  if (item.what != What::json || item.text.empty()) return std::nullopt;
  const char first = item.text.front();
  if (first != '-' && (first < '0' || first > '9')) return std::nullopt;
  double out = 0;
  const auto [end, error] = std::from_chars(item.text.data(), item.text.data() + item.text.size(), out);
  if (error != std::errc() || end != item.text.data() + item.text.size()) return std::nullopt;
  return out;
}

std::string message_text(const Item& message, const Trace& trace) {
  const Turn& turn = trace.turns[message.first];
  if (message.second == kNone) return turn.user;
  return message.third == kNone ? turn.steps[message.second].text : trace.calls[message.third].result;
}

Item label_item(double number) {
  Item item;
  item.what = What::label;
  item.number = number;
  return item;
}

Item field_of(const Item& owner, const sema::Field& field, Scene& scene) {
  switch (owner.what) {
    case What::trace:
      return field_of_trace(owner, field.name, scene);
    case What::turn:
      return field_of_turn(owner, field.name, scene);
    case What::message:
      return field_of_message(owner, field.name, scene);
    case What::call:
      return field_of_call(owner, field.name, scene);
    case What::arg:
      return field_of_arg(owner, field.name, scene);
    case What::tool:
      return field_of_tool(owner, field.name, scene);
    case What::param:
      return field_of_param(owner, field.name, scene);
    case What::json:
    case What::text:
      return field_of_value(owner, field.name);
    default:
      return field.type.base == Base::list ? Item::list({}) : Item{};
  }
}

}  // namespace wend::synth
