#include "compiler/driver/belief_steps.h"

#include <fmt/format.h>

#include <map>

#include "compiler/driver/dialogue.h"
#include "compiler/driver/exact_json.h"
#include "runtime/belief/replay.h"

namespace wend::driver {
namespace {

using Json = nlohmann::ordered_json;

Json message_json(const Batch& batch, uint32_t message) {
  static const char* const kRoles[] = {"system", "user", "assistant", "tool"};
  const Columns& c = batch.columns();
  const uint32_t turn = c.message_turn[message];
  Json json = {{"number", c.message_number[message] + 1},
               {"turn", turn == WEND_NONE ? 0 : c.turn_number[turn]},
               {"role", kRoles[c.message_role[message]]}};
  if (c.message_text[message] != WEND_NONE) json["text"] = exact_string(batch.text(c.message_text[message]));
  const wend_span calls = c.message_calls[message];
  for (uint32_t call = calls.begin; call < calls.end; ++call) {
    Json arguments = exact_json(arguments_json(batch, call));
    json["calls"].push_back(
        {{"name", exact_string(batch.text(c.call_name[call]))}, {"arguments", std::move(arguments)}});
  }
  return json;
}

// The items of a list by what names them, each with what is shown of it.
using Items = std::vector<std::pair<std::string, Json>>;

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

Items items(FieldKind kind, const Json& list) {
  Items out;
  for (const Json& item : list) {
    switch (kind) {
      case FieldKind::stack:
        out.emplace_back(text_of(item["text"]), item["text"]);
        break;
      case FieldKind::queue:
        out.emplace_back(text_of(item["text"]), item["suspended"].get<bool>() ? Json("suspended") : Json("open"));
        break;
      case FieldKind::objects:
        out.emplace_back(text_of(item["id"]), item["status"]);
        break;
      case FieldKind::references:
        out.emplace_back(text_of(item["phrase"]), item["value"]);
        break;
      default:
        out.emplace_back(text_of(item), item);
    }
  }
  return out;
}

const Json* find(const Items& items, const std::string& key) {
  for (const auto& [name, value] : items) {
    if (name == key) return &value;
  }
  return nullptr;
}

void compare_items(const std::string& field, const Items& before, const Items& after, Json& out) {
  for (const auto& [key, value] : before) {
    if (find(after, key) == nullptr) out.push_back({{"field", field}, {"key", key}, {"from", value}});
  }
  for (const auto& [key, value] : after) {
    const Json* old = find(before, key);
    if (old == nullptr) {
      out.push_back({{"field", field}, {"key", key}, {"to", value}});
    } else if (*old != value) {
      out.push_back({{"field", field}, {"key", key}, {"from", *old}, {"to", value}});
    }
  }
}

std::map<std::string, const Json*> by_key(const Json& slots) {
  std::map<std::string, const Json*> out;
  for (const Json& slot : slots) out[slot["tool"].get<std::string>() + "." + slot["param"].get<std::string>()] = &slot;
  return out;
}

void compare_slots(const std::string& field, const Json& before, const Json& after, Json& out) {
  const auto old = by_key(before), now = by_key(after);
  for (const auto& [key, slot] : old) {
    if (!now.contains(key)) out.push_back({{"field", field}, {"key", key}, {"from", (*slot)["value"]}});
  }
  for (const Json& slot : after) {
    const std::string key = slot["tool"].get<std::string>() + "." + slot["param"].get<std::string>();
    Json change = {{"field", field}, {"key", key}};
    const auto was = old.find(key);
    const bool added = was == old.end();
    const bool changed = added || (*was->second)["value"] != slot["value"];
    if (changed && !added) change["from"] = (*was->second)["value"];
    if (changed) change["to"] = slot["value"];
    if ((added ? Json(false) : (*was->second)["confirmed"]) != slot["confirmed"])
      change["confirmed"] = slot["confirmed"];
    if (change.size() > 2) out.push_back(std::move(change));
  }
}

// What is shown of a field of one value.
Json shown(FieldKind kind, const Json& value) {
  if (kind == FieldKind::goal && value.is_object()) return value["text"];
  return value;
}

}  // namespace

Json changes(const BeliefInfo& belief, const Json& before, const Json& after) {
  Json out = Json::array();
  for (const BeliefFieldInfo& field : belief.fields) {
    const Json &old = before[field.name], &now = after[field.name];
    if (old == now) continue;
    switch (field.kind) {
      case FieldKind::slots:
        compare_slots(field.name, old, now, out);
        break;
      case FieldKind::stack:
      case FieldKind::queue:
      case FieldKind::objects:
      case FieldKind::references:
      case FieldKind::texts:
      case FieldKind::values:
        compare_items(field.name, items(field.kind, old), items(field.kind, now), out);
        break;
      default: {
        const Json from = shown(field.kind, old), to = shown(field.kind, now);
        if (from != to) out.push_back({{"field", field.name}, {"from", from}, {"to", to}});
      }
    }
  }
  return out;
}

void follow(const std::shared_ptr<const belief::Engine>& engine, const Batch& batch, uint32_t trace,
            const FollowOptions& options, const std::function<void(const BeliefStep& step)>& on_step) {
  const wend_batch view = *batch.view();
  belief::Dialogue dialogue =
      belief::Dialogue::open(engine, belief::Tools::make(view, batch.columns().trace_pool[trace]), options.dialogue);
  Json before = exact_json(dialogue.state_json());
  belief::Rendered rendered;
  BeliefStep step;
  belief::replay(view, trace, dialogue, [&](uint32_t message) {
    step.message = message_json(batch, message);
    step.state = exact_json(dialogue.state_json());
    step.changes = changes(engine->info(), before, step.state);
    if (options.render) {
      dialogue.render(*options.render, rendered);
      step.block = rendered.text;
      step.over_budget = rendered.over_budget;
    }
    on_step(step);
    before = std::move(step.state);
  });
}

Json step_json(const BeliefStep& step) {
  Json json = {{"message", step.message}, {"state", step.state}, {"changes", step.changes}};
  if (step.block) json["block"] = *step.block;
  if (step.over_budget) json["over_budget"] = true;
  return json;
}

}  // namespace wend::driver
