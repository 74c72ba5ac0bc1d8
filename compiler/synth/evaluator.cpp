#include "compiler/synth/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "compiler/sema/domain.h"
#include "runtime/synth/talk.h"

namespace wend::synth {

using sema::Base;
using sema::Entity;
using sema::Expr;
using sema::Op;
using tools::Value;
using tools::ValueType;
using What = Item::What;

namespace {

// ---- what can be asked ----

const std::set<std::pair<Entity, std::string_view>>& known_fields() {
  static const std::set<std::pair<Entity, std::string_view>> known = {
      {Entity::trace, "turns"},     {Entity::trace, "calls"},    {Entity::trace, "pool"},
      {Entity::trace, "profile"},   {Entity::trace, "messages"}, {Entity::turn, "trace"},
      {Entity::turn, "number"},     {Entity::turn, "calls"},     {Entity::turn, "user"},
      {Entity::turn, "answered"},   {Entity::turn, "expects"},   {Entity::turn, "signal"},
      {Entity::turn, "labelled"},   {Entity::turn, "messages"},  {Entity::turn, "earlier"},
      {Entity::turn, "previous"},   {Entity::message, "trace"},  {Entity::message, "turn"},
      {Entity::message, "text"},    {Entity::message, "calls"},  {Entity::message, "role"},
      {Entity::message, "answers"}, {Entity::call, "trace"},     {Entity::call, "turn"},
      {Entity::call, "name"},       {Entity::call, "tool"},      {Entity::call, "args"},
      {Entity::call, "number"},     {Entity::call, "result"},    {Entity::call, "earlier"},
      {Entity::call, "previous"},   {Entity::call, "malformed"}, {Entity::arg, "call"},
      {Entity::arg, "name"},        {Entity::arg, "value"},      {Entity::arg, "param"},
      {Entity::tool, "name"},       {Entity::tool, "params"},    {Entity::tool, "description"},
      {Entity::param, "tool"},      {Entity::param, "name"},     {Entity::param, "type"},
      {Entity::param, "required"},  {Entity::param, "default"},  {Entity::param, "choices"}};
  return known;
}

bool known_op(Op op) {
  switch (op) {
    case Op::judge:
    case Op::metric:
    case Op::belief_field:
    case Op::lookup:
    case Op::object:
    case Op::array:
    case Op::comprehension:
    case Op::classify:
    case Op::classifier:
    case Op::mentioned:
    case Op::resolved:
    case Op::keys:
    case Op::tokens:
    case Op::back:
    case Op::granted:
    case Op::label_name:
    case Op::excerpt:
      return false;
    default:
      return true;
  }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the expression
std::optional<Unsupported> look(const sema::Program& program, const Expr& e, std::set<uint32_t>& functions) {
  for (const Expr& child : e.children)
    if (auto inside = look(program, child, functions)) return inside;
  if (!known_op(e.op)) return Unsupported{e.span, "this has no value while a dialogue is made"};
  if (e.op == Op::field) {
    const bool of_value = e.field->owner == Entity::none;
    const bool known = of_value ? e.field->name != "leaves" : known_fields().contains({e.field->owner, e.field->name});
    if (!known) return Unsupported{e.span, fmt::format("`{}` has no value while a dialogue is made", e.field->name)};
  }
  if (e.op == Op::call && functions.insert(e.index).second && !program.functions[e.index].body.empty())
    if (auto inside = look(program, program.functions[e.index].body[0], functions))
      return Unsupported{e.span, inside->what};
  for (const sema::Loop& loop : e.loops) {
    for (const Expr& source : loop.source)
      if (auto inside = look(program, source, functions)) return inside;
    for (const Expr& condition : loop.conditions)
      if (auto inside = look(program, condition, functions)) return inside;
  }
  return std::nullopt;
}

// ---- values ----

std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isspace(u) == 0) out += static_cast<char>(std::tolower(u));
  }
  return out;
}

// The text, or the JSON as it is said.
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

bool same(const Item& a, const Item& b, Scene& scene);

bool same_call(const Call& a, const Call& b) {
  if (a.tool != b.tool || a.args.size() != b.args.size()) return false;
  return std::all_of(a.args.begin(), a.args.end(), [&](const Arg& one) {
    return std::any_of(b.args.begin(), b.args.end(),
                       [&](const Arg& other) { return one.parameter == other.parameter && one.value == other.value; });
  });
}

// NOLINTNEXTLINE(misc-no-recursion): lists of lists do not occur
bool same(const Item& a, const Item& b, Scene& scene) {
  if (a.what == What::none || b.what == What::none) return a.what == b.what;
  if (a.what == What::call && b.what == What::call)
    return same_call(scene.trace->calls[a.first], scene.trace->calls[b.first]);
  const std::optional<double> x = number_of(a), y = number_of(b);
  if (x && y) return *x == *y;
  const auto textual = [](const Item& item) { return item.what == What::text || item.what == What::json; };
  if (textual(a) && textual(b)) {
    if (a.what == b.what) return a.text == b.text;
    return text_of(a) == text_of(b);
  }
  if (a.what == What::list && b.what == What::list) {
    if (a.items.size() != b.items.size()) return false;
    for (size_t i = 0; i < a.items.size(); ++i)
      if (!same(a.items[i], b.items[i], scene)) return false;
    return true;
  }
  return a.what == b.what && a.first == b.first && a.second == b.second && a.third == b.third && a.number == b.number;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

// The words stand in the text, whatever their case.
bool says(std::string_view text, std::string_view words) {
  if (words.empty()) return false;
  const auto lower = [](std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
  };
  const std::string a = lower(text), b = lower(words);
  for (size_t at = a.find(b); at != std::string::npos; at = a.find(b, at + 1)) {
    const size_t end = at + b.size();
    const bool starts = at == 0 || !is_word(b.front()) || !is_word(a[at - 1]);
    const bool ends = end == a.size() || !is_word(b.back()) || !is_word(a[end]);
    if (starts && ends) return true;
  }
  return false;
}

// Numbers of the labels of the built-in enum JsonType.
enum JsonLabel : uint8_t { j_null, j_bool, j_int, j_real, j_text, j_list, j_object, j_any };

Item label(double number) {
  Item item;
  item.what = What::label;
  item.number = number;
  return item;
}

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

// ---- the dialogue's parts ----

Item call_items(const std::vector<uint32_t>& calls) {
  std::vector<Item> items;
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

std::string message_text(const Item& message, const Trace& trace) {
  const Turn& turn = trace.turns[message.first];
  if (message.second == kNone) return turn.user;
  return message.third == kNone ? turn.steps[message.second].text : trace.calls[message.third].result;
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
  if (name == "expects") return label(static_cast<double>(turn.kind));
  if (name == "signal") return label(static_cast<double>(turn.signal));
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
  if (name == "role") return label(item.second == kNone ? 1 : item.third == kNone ? 2 : 3);
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
  if (name == "value") return Item::of(arg.value, &parameter.type);
  return Item::row(What::param, call.tool, arg.parameter);
}

Item field_of_tool(const Item& item, std::string_view name, Scene& scene) {
  const tools::PoolTool& tool = scene.pool->tool(item.first);
  if (name == "name") return Item::of(tool.name);
  if (name == "description") return optional_text(tool.description);
  std::vector<Item> items;
  for (uint32_t p = 0; p < tool.parameters.size(); ++p) items.push_back(Item::row(What::param, item.first, p));
  return Item::list(std::move(items));
}

Item field_of_param(const Item& item, std::string_view name, Scene& scene) {
  const tools::Parameter& parameter = scene.pool->tool(item.first).parameters[item.second];
  if (name == "tool") return Item::row(What::tool, item.first);
  if (name == "name") return Item::of(parameter.name);
  if (name == "type") return label(declared_type(parameter.type));
  if (name == "required") return Item::of(parameter.required);
  if (name == "default") return parameter.fallback ? Item::of(*parameter.fallback, &parameter.type) : Item{};
  std::vector<Item> items;
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
  if (name == "type") return label(json_type(item.text));
  const std::optional<double> number = number_of(item);
  return number ? Item::of(*number) : Item{};
}

Item field(const Expr& e, Scene& scene) {
  const Item owner = evaluate(e.children[0], scene);
  switch (owner.what) {
    case What::trace:
      return field_of_trace(owner, e.field->name, scene);
    case What::turn:
      return field_of_turn(owner, e.field->name, scene);
    case What::message:
      return field_of_message(owner, e.field->name, scene);
    case What::call:
      return field_of_call(owner, e.field->name, scene);
    case What::arg:
      return field_of_arg(owner, e.field->name, scene);
    case What::tool:
      return field_of_tool(owner, e.field->name, scene);
    case What::param:
      return field_of_param(owner, e.field->name, scene);
    case What::json:
    case What::text:
      return field_of_value(owner, e.field->name);
    default:
      return e.type.base == Base::list ? Item::list({}) : Item{};
  }
}

// ---- operators ----

// The value is said there; of an argument, as its type says it.
bool mentioned_in(const Item& what, const Item& place, Scene& scene) {
  if (what.what == What::list)
    return std::all_of(what.items.begin(), what.items.end(),
                       [&](const Item& one) { return mentioned_in(one, place, scene); });
  std::string text;
  if (place.what == What::turn)
    text = scene.trace->turns[place.first].user;
  else if (place.what == What::message)
    text = message_text(place, *scene.trace);
  else
    text = place.text;
  if (what.what != What::arg) return says(text, say(what, scene));
  return says(text, say(field_of_arg(what, "value", scene), scene));
}

Item fresh(const Item& of, Scene& scene) {
  const ValueType* type = nullptr;
  std::vector<Value> than = scene.used;
  if (of.what == What::arg) {
    const Call& call = scene.trace->calls[of.first];
    type = &scene.pool->tool(call.tool).parameters[call.args[of.second].parameter].type;
    than.push_back(call.args[of.second].value);
  } else if (of.what == What::param) {
    type = &scene.pool->tool(of.first).parameters[of.second].type;
  }
  Value value;
  if (type == nullptr || !scene.pool->draw_other(*type, than, *scene.random, value)) {
    scene.failure = "there is no other value";
    return Item{};
  }
  scene.used.push_back(value);
  return Item::of(value, type);
}

Item phrase(const Expr& e, Scene& scene) {
  const sema::Phrases& phrases = scene.program->phrases[e.index];
  for (size_t i = 0; i < e.children.size(); ++i)
    scene.variables[phrases.parameters[i].variable] = evaluate(e.children[i], scene);
  if (phrases.variants.empty()) return Item::of(std::string());
  return evaluate(phrases.variants[scene.random->below(static_cast<uint32_t>(phrases.variants.size()))], scene);
}

Item fill(const Expr& e, Scene& scene) {
  std::string out;
  for (size_t i = 0; i < e.text.size(); ++i) {
    const size_t end = e.text[i] == '{' ? e.text.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      out += e.text[i];
      continue;
    }
    size_t hole = 0;
    std::from_chars(e.text.data() + i + 1, e.text.data() + end, hole);
    if (hole < e.children.size()) out += say(evaluate(e.children[hole], scene), scene);
    i = end;
  }
  return Item::of(std::move(out));
}

// Calls body(i) for each combination of the loops' elements; false from it ends them.
template <class Body>
bool loops(const Expr& e, size_t depth, Scene& scene, const Body& body) {
  if (depth == e.loops.size()) return body();
  const sema::Loop& loop = e.loops[depth];
  const Item source = evaluate(loop.source[0], scene);
  for (const Item& one : source.items) {
    scene.variables[loop.variable] = one;
    const bool fits = std::all_of(loop.conditions.begin(), loop.conditions.end(),
                                  [&](const Expr& condition) { return holds(condition, scene); });
    if (fits && !loops(e, depth + 1, scene, body)) return false;
  }
  return true;
}

Item fold(const Expr& e, Scene& scene) {
  std::vector<Item> values;
  double count = 0;
  bool any = false, all = true;
  loops(e, 0, scene, [&] {
    if (e.children.empty()) {
      ++count;
      return true;
    }
    Item value = evaluate(e.children[0], scene);
    any = any || value.truth();
    all = all && value.truth();
    const bool again = e.distinct && std::any_of(values.begin(), values.end(),
                                                 [&](const Item& known) { return same(known, value, scene); });
    if (again) return true;
    ++count;
    values.push_back(std::move(value));
    return true;
  });
  using sema::FoldKind;
  switch (e.fold_kind) {
    case FoldKind::count:
      return Item::of(count);
    case FoldKind::any:
      return Item::of(any);
    case FoldKind::all:
      return Item::of(all);
    case FoldKind::first:
      return values.empty() ? Item{} : values.front();
    case FoldKind::last:
      return values.empty() ? Item{} : values.back();
    default:
      break;
  }
  double sum = 0, least = 0, most = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = number_of(values[i]).value_or(0);
    sum += x;
    least = i == 0 ? x : std::min(least, x);
    most = i == 0 ? x : std::max(most, x);
  }
  if (e.fold_kind == FoldKind::sum) return Item::of(sum);
  if (values.empty()) return Item{};
  if (e.fold_kind == FoldKind::mean) return Item::of(sum / static_cast<double>(values.size()));
  return Item::of(e.fold_kind == FoldKind::min ? least : most);
}

bool same_arguments(const Item& a, const Item& b, Scene& scene) {
  if (a.items.size() != b.items.size()) return false;
  const auto of = [&](const Item& item) -> const Arg& { return scene.trace->calls[item.first].args[item.second]; };
  const auto name = [&](const Item& item) -> const std::string& {
    const Call& call = scene.trace->calls[item.first];
    return scene.pool->tool(call.tool).parameters[call.args[item.second].parameter].name;
  };
  return std::all_of(a.items.begin(), a.items.end(), [&](const Item& one) {
    return std::any_of(b.items.begin(), b.items.end(),
                       [&](const Item& other) { return name(one) == name(other) && of(one).value == of(other).value; });
  });
}

Item without(const Item& args, const Item& arg, Scene& scene) {
  const auto parameter = [&](const Item& item) { return scene.trace->calls[item.first].args[item.second].parameter; };
  std::vector<Item> items;
  for (const Item& one : args.items)
    if (parameter(one) != parameter(arg)) items.push_back(one);
  return Item::list(std::move(items));
}

Item arithmetic(const Expr& e, Scene& scene) {
  const Item left = evaluate(e.children[0], scene), right = evaluate(e.children[1], scene);
  if (left.what == What::none || right.what == What::none) return Item{};
  const double a = number_of(left).value_or(0), b = number_of(right).value_or(0);
  switch (e.op) {
    case Op::add:
      return Item::of(a + b);
    case Op::subtract:
      return Item::of(a - b);
    case Op::multiply:
      return Item::of(a * b);
    case Op::divide:
      return b == 0 ? Item{} : Item::of(a / b);
    case Op::less:
      return Item::of(a < b);
    case Op::less_equal:
      return Item::of(a <= b);
    case Op::greater:
      return Item::of(a > b);
    case Op::greater_equal:
      return Item::of(a >= b);
    case Op::minimum:
      return Item::of(std::min(a, b));
    default:
      return Item::of(std::max(a, b));
  }
}

bool says_name(std::string_view text, std::string_view name) {
  return says(text, tools::words_of(name)) || says(text, name);
}

}  // namespace

std::optional<Unsupported> unsupported(const sema::Program& program, const Expr& e) {
  std::set<uint32_t> functions;
  return look(program, e, functions);
}

std::string say(const Item& item, const Scene& scene) {
  switch (item.what) {
    case What::boolean:
      return item.number != 0 ? "yes" : "no";
    case What::number:
      return fmt::format("{}", item.number);
    case What::text:
      return item.text;
    case What::json:
      return item.type != nullptr ? spoken(*item.type, {item.text}) : tools::said({item.text});
    case What::arg: {
      const Call& call = scene.trace->calls[item.first];
      return scene.pool->tool(call.tool).parameters[call.args[item.second].parameter].words;
    }
    case What::param:
      return scene.pool->tool(item.first).parameters[item.second].words;
    case What::tool:
      return scene.pool->tool(item.first).topic;
    case What::call:
      return scene.pool->tool(scene.trace->calls[item.first].tool).task;
    case What::turn:
      return scene.trace->turns[item.first].user;
    case What::message:
      return message_text(item, *scene.trace);
    case What::list: {
      std::string out;
      for (size_t i = 0; i < item.items.size(); ++i)
        out += (i == 0 ? "" : i + 1 == item.items.size() ? " and " : ", ") + say(item.items[i], scene);
      return out;
    }
    default:
      return "";
  }
}

bool holds(const Expr& e, Scene& scene) { return evaluate(e, scene).truth(); }

// NOLINTNEXTLINE(misc-no-recursion): as deep as the expression
Item evaluate(const Expr& e, Scene& scene) {
  const auto child = [&](size_t i) { return evaluate(e.children[i], scene); };
  switch (e.op) {
    case Op::boolean:
      return Item::of(e.integer != 0);
    case Op::integer:
      return Item::of(static_cast<double>(e.integer));
    case Op::real:
      return Item::of(e.number);
    case Op::text:
      return Item::of(e.text);
    case Op::label:
      return label(static_cast<double>(e.integer));
    case Op::variable:
      return scene.variables[e.index];
    case Op::param: {
      const sema::Param& param = scene.program->params[e.index];
      if (param.type.base == Base::boolean) return Item::of(param.fallback != 0);
      return param.type.base == Base::enumeration ? label(param.fallback) : Item::of(param.fallback);
    }
    case Op::field:
      return field(e, scene);
    case Op::call: {
      const sema::Function& function = scene.program->functions[e.index];
      std::vector<Item> given;
      for (const Expr& one : e.children) given.push_back(evaluate(one, scene));
      for (size_t i = 0; i < given.size(); ++i) scene.variables[function.parameters[i]] = std::move(given[i]);
      return evaluate(function.body[0], scene);
    }
    case Op::negate:
      return Item::of(-number_of(child(0)).value_or(0));
    case Op::logical_not:
      return Item::of(!holds(e.children[0], scene));
    case Op::exists:
      return Item::of(child(0).what != What::none);
    case Op::nonempty: {
      const Item value = child(0);
      return Item::of(value.what == What::list ? !value.items.empty() : !value.text.empty());
    }
    case Op::equal:
      return Item::of(same(child(0), child(1), scene));
    case Op::not_equal:
      return Item::of(!same(child(0), child(1), scene));
    case Op::same_row: {
      const Item a = child(0), b = child(1);
      return Item::of(a.what == b.what && a.first == b.first && a.second == b.second && a.third == b.third);
    }
    case Op::logical_and:
      return Item::of(holds(e.children[0], scene) && holds(e.children[1], scene));
    case Op::logical_or:
      return Item::of(holds(e.children[0], scene) || holds(e.children[1], scene));
    case Op::coalesce: {
      Item value = child(0);
      return value.what == What::none ? child(1) : value;
    }
    case Op::guard: {
      Item value = child(0);
      return value.what == What::none ? child(1) : value;
    }
    case Op::absolute:
      return Item::of(std::abs(number_of(child(0)).value_or(0)));
    case Op::to_real:
    case Op::to_int_from_bool: {
      const Item value = child(0);
      return value.what == What::none ? value : Item::of(number_of(value).value_or(0));
    }
    case Op::contains:
      return Item::of(text_of(child(0)).find(text_of(child(1))) != std::string::npos);
    case Op::mentions:
      return Item::of(says(text_of(child(0)), say(child(1), scene)));
    case Op::names:
      return Item::of(says_name(text_of(child(0)), text_of(child(1))));
    case Op::in_list: {
      const Item value = child(0), list = child(1);
      return Item::of(
          std::any_of(list.items.begin(), list.items.end(), [&](const Item& one) { return same(value, one, scene); }));
    }
    case Op::count:
      return Item::of(static_cast<double>(child(0).items.size()));
    case Op::choose:
      return holds(e.children[0], scene) ? child(1) : child(2);
    case Op::fold:
      return fold(e, scene);
    case Op::list: {
      std::vector<Item> items;
      for (const Expr& one : e.children) items.push_back(evaluate(one, scene));
      return Item::list(std::move(items));
    }
    case Op::range: {
      std::vector<Item> items;
      for (double i = child(0).number; i <= child(1).number; ++i) items.push_back(Item::of(i));
      return Item::list(std::move(items));
    }
    case Op::fill:
      return fill(e, scene);
    case Op::phrase:
      return phrase(e, scene);
    case Op::fresh:
      return fresh(child(0), scene);
    case Op::mentioned_in:
      return Item::of(mentioned_in(child(0), child(1), scene));
    case Op::without:
      return without(child(0), child(1), scene);
    case Op::same_args:
      return Item::of(same_arguments(child(0), child(1), scene));
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::minimum:
    case Op::maximum:
      return arithmetic(e, scene);
    default:
      return Item{};  // absent; the rest is refused by `unsupported`
  }
}

Call changed_call(const sema::ChangedCall& change, Scene& scene) {
  const Item call = evaluate(change.call, scene);
  if (call.what != What::call) {
    scene.failure = "there is no such call";
    return {};
  }
  Call out = scene.trace->calls[call.first];
  out.replaces = call.first;
  out.expected = false;
  out.scripted = false;
  for (const auto& [variable, value] : change.changes) {
    const Item place = scene.variables[variable];
    const Item set = evaluate(value, scene);
    if (place.what != What::arg || set.what == What::none) {
      if (scene.failure.empty()) scene.failure = "an argument is set to nothing";
      return out;
    }
    const uint32_t parameter = scene.trace->calls[place.first].args[place.second].parameter;
    std::erase_if(out.needs, [&](const Need& need) { return need.parameter == parameter; });
    for (Arg& arg : out.args) {
      if (arg.parameter != parameter) continue;
      if (set.what == What::json)
        arg.value = {set.text};
      else if (set.what == What::text)
        arg.value = tools::text_value(set.text);
      else
        arg.value = {set.what == What::boolean ? (set.truth() ? "true" : "false") : fmt::format("{}", set.number)};
    }
  }
  return out;
}

}  // namespace wend::synth
