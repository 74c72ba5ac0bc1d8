#include "runtime/synth/world.h"

#include <algorithm>

namespace wend::synth {

using tools::Field;
using tools::PoolTool;
using tools::Value;

namespace {

constexpr double kWorks = 0.95;  // share of flags that are true

}  // namespace

std::vector<Value> World::call(uint32_t index, const std::vector<Given>& args) {
  const PoolTool& tool = pool_.tool(index);
  // Arguments in order of name: the same call is the same call.
  std::vector<const Given*> sorted;
  sorted.reserve(args.size());
  for (const Given& arg : args) sorted.push_back(&arg);
  std::sort(sorted.begin(), sorted.end(), [](const Given* a, const Given* b) { return a->name < b->name; });
  uint64_t seed = seed_of(seed_, tool.name);
  for (const Given* arg : sorted) seed = seed_of(seed_of(seed, arg->name), arg->value->json);

  std::vector<const Value*> ids;
  for (const Given& arg : args) {
    const uint32_t p = tool.find_parameter(arg.name);
    if (p < tool.parameters.size() && pool_.is_id(tool.parameters[p].type)) ids.push_back(arg.value);
  }
  std::vector<Value> returned;
  returned.reserve(tool.returns.size());
  for (uint32_t f = 0; f < tool.returns.size(); ++f) {
    const Field& field = tool.returns[f];
    const Value* known = nullptr;
    for (const Given& arg : args)
      if (arg.name == field.name && pool_.fits(field.type, *arg.value)) known = arg.value;
    for (size_t i = 0; i < ids.size() && known == nullptr; ++i) {
      const auto facts = facts_.find(ids[i]->json);
      if (facts == facts_.end()) continue;
      for (const auto& [name, value] : facts->second)
        if (name == field.name && pool_.fits(field.type, value)) known = &value;
    }
    if (known != nullptr) {
      returned.push_back(*known);
      continue;
    }
    Random random(seed_of(seed, field.name, f));
    // Mostly things work.
    const bool flag = field.type.form == tools::ValueType::Form::boolean;
    returned.push_back(flag ? Value{random.chance(kWorks) ? "true" : "false"} : pool_.draw(field.type, random));
  }
  // What this call says of the ids that it took and gave.
  std::vector<std::string> about;
  about.reserve(ids.size());
  for (const Value* id : ids) about.push_back(id->json);
  for (uint32_t f = 0; f < tool.returns.size(); ++f)
    if (pool_.is_id(tool.returns[f].type)) about.push_back(returned[f].json);
  for (const std::string& id : about) {
    Facts& facts = facts_[id];
    const auto learn = [&](std::string_view name, const Value& value) {
      const auto at = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
      if (at == facts.end())
        facts.emplace_back(std::string(name), value);
      else
        at->second = value;
    };
    for (const Given& arg : args) learn(arg.name, *arg.value);
    for (uint32_t f = 0; f < tool.returns.size(); ++f) learn(tool.returns[f].name, returned[f]);
  }
  return returned;
}

std::string result_text(const PoolTool& tool, const std::vector<Value>& returned) {
  if (returned.empty()) return R"({"status":"ok"})";
  if (tool.returns[0].name.empty()) return returned[0].json;
  std::string out = "{";
  for (size_t f = 0; f < returned.size(); ++f) {
    if (f > 0) out += ",";
    out += tools::text_value(tool.returns[f].name).json;
    out += ":";
    out += returned[f].json;
  }
  out += "}";
  return out;
}

}  // namespace wend::synth
