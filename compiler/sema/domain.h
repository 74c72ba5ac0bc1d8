// The domain as the compiler knows it: entity types, their fields and containment, the built-in enums.
#ifndef WEND_COMPILER_SEMA_DOMAIN_H_
#define WEND_COMPILER_SEMA_DOMAIN_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/types.h"

namespace wend::sema {

// Indices of the built-in enums in Program::enums.
inline constexpr uint16_t kKind = 0, kSignal = 1, kRole = 2, kJsonType = 3, kBuiltinEnums = 4;

struct EnumInfo {
  std::string name;
  std::vector<std::string> labels;
};
std::vector<EnumInfo> builtin_enums();

// How the plan reads a field of row r.
enum class Access : uint8_t {
  load,      // column[r]
  span,      // rows column[r].begin .. end
  gather,    // via[i] for i in column[r].begin .. end
  self,      // r itself, under another type
  before,    // rows column[via[r]].begin .. r
  previous,  // r - 1 if that is still in column[via[r]]
  number,    // column[r] if via[r] (the JSON type) is a number
  text_length,
  active,  // of rows column[r].begin .. end of state_slot those that have a value
  stale,   // ... those that held other values before
};

struct Field {
  Entity owner;  // Entity::none: of json or text, by owner_base
  Base owner_base;
  std::string_view name;
  Type type;
  Access access;
  uint32_t column, via;
  uint32_t requirements;
  bool earlier;
  Range range;
  std::string_view doc;
};

std::span<const Field> fields();
const Field* find_field(Type owner, std::string_view name);  // owner without its optional
std::vector<std::string> field_names(Type owner);

struct EntityInfo {
  Entity entity;
  std::string_view name;  // "Turn"
  uint32_t table;         // enum wend_table
  bool gold;              // its rows are the gold part of the table
  std::string_view size;  // what a cost bound calls the number of them in a trace
};
const EntityInfo& info(Entity entity);
std::optional<Entity> entity_named(std::string_view name);
std::vector<std::string> entity_names();

// The list fields that lead from an `outer` to every `inner` in it (Trace -> Arg: calls, args); empty: not inside it.
std::vector<std::string_view> path_between(Entity outer, Entity inner);

// `x has NAME`: a capability test. What it grants is evaluable where it holds.
struct Capability {
  std::string_view name;
  Entity subject;
  uint32_t grants;
};
const Capability* find_capability(Entity subject, std::string_view name);

// In words, for reports: "gold calls by turn".
std::string describe_requirements(uint32_t requirements);

std::string to_string(Type type, std::span<const EnumInfo> enums);

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_DOMAIN_H_
