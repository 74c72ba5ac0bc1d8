#include "compiler/synth/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "compiler/synth/fields.h"
#include "runtime/synth/talk.h"

namespace wend::synth {

using sema::Base;
using sema::Expr;
using sema::Op;
using tools::Value;
using tools::ValueType;
using What = Item::What;

namespace {

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
  return says(text, say(value_item(what, scene), scene));
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

// NOLINTNEXTLINE(misc-no-recursion,readability-function-size): as deep as the expression; a case for each operator
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
      return label_item(static_cast<double>(e.integer));
    case Op::variable:
      return scene.variables[e.index];
    case Op::param: {
      const sema::Param& param = scene.program->params[e.index];
      if (param.type.base == Base::boolean) return Item::of(param.fallback != 0);
      return param.type.base == Base::enumeration ? label_item(param.fallback) : Item::of(param.fallback);
    }
    case Op::field:
      return field_of(child(0), *e.field, scene);
    case Op::call: {
      const sema::Function& function = scene.program->functions[e.index];
      std::vector<Item> given;
      given.reserve(e.children.size());
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
      items.reserve(e.children.size());
      for (const Expr& one : e.children) items.push_back(evaluate(one, scene));
      return Item::list(std::move(items));
    }
    case Op::range: {
      std::vector<Item> items;
      const auto first = static_cast<int64_t>(child(0).number), last = static_cast<int64_t>(child(1).number);
      for (int64_t i = first; i <= last; ++i) items.push_back(Item::of(static_cast<double>(i)));
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
