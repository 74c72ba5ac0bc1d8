#include "compiler/sema/domain.h"

#include <array>
#include <map>

#include <wend/wend.h>

namespace wend::sema {
namespace {

Type opt(Type t) { return t.as_optional(); }

const std::vector<Field>& table() {
  constexpr Base kNoBase = Base::error;
  struct Owner {
    Entity entity;
    Base base;
  };
  const Owner OWNER_json{Entity::none, Base::json}, OWNER_text{Entity::none, Base::text};
  // clang-format off
#define DECLARE_OWNER(e) const Owner e{Entity::e, kNoBase};
  DECLARE_OWNER(trace) DECLARE_OWNER(trace_gold) DECLARE_OWNER(turn) DECLARE_OWNER(turn_gold) DECLARE_OWNER(message)
  DECLARE_OWNER(call) DECLARE_OWNER(gold_call) DECLARE_OWNER(arg) DECLARE_OWNER(gold_arg) DECLARE_OWNER(tool)
  DECLARE_OWNER(param) DECLARE_OWNER(slot) DECLARE_OWNER(chain) DECLARE_OWNER(link) DECLARE_OWNER(state_slots)
  DECLARE_OWNER(state_slot) DECLARE_OWNER(goal) DECLARE_OWNER(action) DECLARE_OWNER(question) DECLARE_OWNER(object)
  DECLARE_OWNER(result) DECLARE_OWNER(reply) DECLARE_OWNER(reference) DECLARE_OWNER(draft) DECLARE_OWNER(sub_block)
#undef DECLARE_OWNER
      // clang-format on
      const Type BOOL = Type::of(Base::boolean),
                 INT = Type::of(Base::integer), REAL = Type::of(Base::real), TEXT = Type::of(Base::text),
                 JSON = Type::of(Base::json), FOLDED = Type::of(Base::folded);
#define OPT(t) opt(t)
#define ENTITY(e) Type::of(Entity::e)
#define LIST(e) Type::list_of(Type::of(Entity::e))
#define LIST_OF(t) Type::list_of(t)
#define ENUM(e) Type::enum_of(e)
#define INF kInfinity
  auto range_of = [](Type type, double low, double high) {
    if (type.base != Base::integer && type.base != Base::enumeration) return Range{};
    Range r = Range::between(low, high);
    if (high == kInfinity) r.bound = kMaxElements;
    return r;
  };
#define WEND_FIELD(owner, name, type, access, column, via, requires_, earlier, low, high, doc) \
  {(owner).entity,                                                                             \
   (owner).base,                                                                               \
   #name,                                                                                      \
   type,                                                                                       \
   Access::access,                                                                             \
   column,                                                                                     \
   via,                                                                                        \
   requires_,                                                                                  \
   earlier,                                                                                    \
   range_of(type, low, high),                                                                  \
   doc},
  static const std::vector<Field> fields = {
#include "compiler/sema/domain.def"
  };
#undef OPT
#undef ENTITY
#undef LIST
#undef LIST_OF
#undef ENUM
#undef INF
  return fields;
}

constexpr std::array<EntityInfo, 28> kEntities = {{
    {Entity::none, "nothing", WEND_N_TABLES, false, ""},
    {Entity::trace, "Trace", WEND_TABLE_trace, false, "traces"},
    {Entity::trace_gold, "Gold", WEND_TABLE_trace, false, "traces"},
    {Entity::turn, "Turn", WEND_TABLE_turn, false, "turns"},
    {Entity::turn_gold, "TurnGold", WEND_TABLE_turn, false, "turns"},
    {Entity::message, "Message", WEND_TABLE_message, false, "messages"},
    {Entity::call, "Call", WEND_TABLE_call, false, "calls"},
    {Entity::gold_call, "GoldCall", WEND_TABLE_call, true, "gold calls"},
    {Entity::arg, "Arg", WEND_TABLE_arg, false, "args"},
    {Entity::gold_arg, "GoldArg", WEND_TABLE_arg, true, "gold args"},
    {Entity::tool, "Tool", WEND_TABLE_tool, false, "tools"},
    {Entity::param, "Param", WEND_TABLE_param, false, "params"},
    {Entity::slot, "Slot", WEND_TABLE_slot, false, "slots"},
    {Entity::chain, "Chain", WEND_TABLE_chain, false, "chains"},
    {Entity::link, "Link", WEND_TABLE_link, false, "links"},
    {Entity::draft, "Draft", WEND_TABLE_draft, false, "drafts"},
    {Entity::sub_block, "SubBlock", WEND_TABLE_sub_block, false, "sub-blocks"},
    {Entity::belief, "belief state", WEND_N_TABLES, false, ""},
    {Entity::state_slots, "Slots", WEND_TABLE_state_field, false, ""},
    {Entity::state_slot, "StateSlot", WEND_TABLE_state_slot, false, ""},
    {Entity::goal, "Goal", WEND_TABLE_goal, false, ""},
    {Entity::action, "Action", WEND_TABLE_action, false, ""},
    {Entity::question, "Question", WEND_TABLE_question, false, ""},
    {Entity::object, "Object", WEND_TABLE_object, false, ""},
    {Entity::result, "Result", WEND_TABLE_result, false, ""},
    {Entity::reply, "Reply", WEND_TABLE_reply, false, ""},
    {Entity::reference, "Reference", WEND_TABLE_reference, false, ""},
    {Entity::history, "history of a context", WEND_N_TABLES, false, ""},
}};

constexpr std::array<Capability, 9> kCapabilities = {{
    {"gold", Entity::trace, WEND_CAP_GOLD},
    {"gold", Entity::turn, WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS},
    {"gold_turns", Entity::trace, WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS},
    {"labels", Entity::trace, WEND_CAP_LABELS},
    {"chains", Entity::trace, WEND_CAP_CHAINS},
    {"pool", Entity::trace, WEND_CAP_POOL},
    {"response", Entity::trace, WEND_CAP_RESPONSE},
    {"drafts", Entity::trace, WEND_CAP_DRAFTS},
    {"profile", Entity::trace, 0},
}};

}  // namespace

std::vector<EnumInfo> builtin_enums() {
  return {{"Kind", {"tool", "clarify", "language"}},
          {"Signal", {"none", "modified", "interrupted", "reset", "clarify", "accumulate"}},
          {"Role", {"system", "user", "assistant", "tool"}},
          {"JsonType", {"null", "bool", "int", "real", "text", "list", "object", "any"}}};
}

std::span<const Field> fields() { return table(); }

const Field* find_field(Type owner, std::string_view name) {
  for (const Field& f : table()) {
    bool same =
        owner.base == Base::entity ? f.owner == owner.entity : f.owner == Entity::none && f.owner_base == owner.base;
    if (same && f.name == name) return &f;
  }
  return nullptr;
}

std::vector<std::string> field_names(Type owner) {
  std::vector<std::string> names;
  for (const Field& f : table()) {
    bool same =
        owner.base == Base::entity ? f.owner == owner.entity : f.owner == Entity::none && f.owner_base == owner.base;
    if (same) names.emplace_back(f.name);
  }
  return names;
}

const EntityInfo& info(Entity entity) { return kEntities[static_cast<size_t>(entity)]; }

std::optional<Entity> entity_named(std::string_view name) {
  for (const EntityInfo& e : kEntities)
    if (e.name == name && e.entity != Entity::none) return e.entity;
  return std::nullopt;
}

std::vector<std::string> entity_names() {
  std::vector<std::string> names;
  for (const EntityInfo& e : kEntities)
    if (e.entity != Entity::none && e.name.find(' ') == std::string_view::npos) names.emplace_back(e.name);
  return names;
}

std::vector<std::string_view> path_between(Entity outer, Entity inner) {
  using enum Entity;
  static const std::map<std::pair<Entity, Entity>, std::vector<std::string_view>> paths = {
      {{trace, turn}, {"turns"}},
      {{trace, message}, {"messages"}},
      {{trace, call}, {"calls"}},
      {{trace, arg}, {"calls", "args"}},
      {{trace, tool}, {"pool"}},
      {{trace, chain}, {"chains"}},
      {{trace, link}, {"chains", "links"}},
      {{trace, slot}, {"turns", "stale"}},
      {{trace, draft}, {"drafts"}},
      {{trace, sub_block}, {"drafts", "sub_blocks"}},
      {{turn, message}, {"messages"}},
      {{turn, call}, {"calls"}},
      {{turn, arg}, {"calls", "args"}},
      {{turn, slot}, {"stale"}},
      {{turn, draft}, {"drafts"}},
      {{turn, sub_block}, {"drafts", "sub_blocks"}},
      {{message, call}, {"calls"}},
      {{message, arg}, {"calls", "args"}},
      {{call, arg}, {"args"}},
      {{gold_call, gold_arg}, {"args"}},
      {{trace_gold, gold_call}, {"calls"}},
      {{turn_gold, gold_call}, {"calls"}},
      {{chain, link}, {"links"}},
      {{draft, sub_block}, {"sub_blocks"}},
      {{tool, param}, {"params"}},
  };
  auto it = paths.find({outer, inner});
  return it == paths.end() ? std::vector<std::string_view>{} : it->second;
}

const Capability* find_capability(Entity subject, std::string_view name) {
  for (const Capability& c : kCapabilities)
    if (c.subject == subject && c.name == name) return &c;
  return nullptr;
}

std::string describe_requirements(uint32_t requirements) {
  static constexpr std::pair<uint32_t, std::string_view> names[] = {
      {WEND_CAP_RESPONSE, "a response"},
      {WEND_CAP_GOLD, "gold calls"},
      {WEND_CAP_GOLD_TURNS, "gold by turn"},
      {WEND_CAP_LABELS, "turn labels"},
      {WEND_CAP_CHAINS, "dependency chains"},
      {WEND_CAP_POOL, "a tool pool"},
      {WEND_CAP_DRAFTS, "blocks that should have been drafted"}};
  std::string text;
  for (auto [bit, name] : names)
    if (requirements & bit) text += (text.empty() ? "" : ", ") + std::string(name);
  if (requirements >> 16) text += (text.empty() ? "" : ", ") + std::string("a judge's answer");
  return text;
}

std::string to_string(Type type, std::span<const EnumInfo> enums) {
  auto plain = [&](Base base) -> std::string {
    switch (base) {
      case Base::error:
        return "(unknown)";
      case Base::boolean:
        return "bool";
      case Base::integer:
        return "int";
      case Base::real:
        return "real";
      case Base::text:
        return "text";
      case Base::json:
        return "json";
      case Base::folded:
        return "folded";
      case Base::enumeration:
        return enums[type.enumeration].name;
      case Base::entity:
        return std::string(info(type.entity).name);
      case Base::list:
        return "list";
    }
    return "";
  };
  std::string text = type.base == Base::list ? "list<" + plain(type.element) + ">" : plain(type.base);
  return type.optional ? text + "?" : text;
}

}  // namespace wend::sema
