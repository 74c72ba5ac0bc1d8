// The types of the language, and value ranges.
#ifndef WEND_COMPILER_SEMA_TYPES_H_
#define WEND_COMPILER_SEMA_TYPES_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace wend::sema {

enum class Base : uint8_t {
  error,  // already reported: silences what depends on it
  boolean,
  integer,
  real,
  text,
  json,
  folded,  // a value as loose matching sees it: only compared
  enumeration,
  entity,
  list,
};

// The domain's own types: rows of a batch's tables. Gold calls are a type of their own, so that what the agent did and
// what was expected cannot be mixed up.
enum class Entity : uint8_t {
  none,
  trace,
  trace_gold,
  turn,
  turn_gold,
  message,
  call,
  gold_call,
  arg,
  gold_arg,
  tool,
  param,
  slot,
  chain,
  link,
  draft,
  sub_block,
  // what beliefs are made of, and what handlers are told
  belief,
  state_slots,
  state_slot,
  goal,
  action,
  question,
  object,
  result,
  reply,
  reference,
  history,
};

struct Type {
  Base base = Base::error;
  bool optional = false;
  Base element = Base::error;    // list
  Entity entity = Entity::none;  // entity, list of entity
  uint16_t enumeration = 0;      // enumeration, list of enumeration: index in Program::enums

  friend bool operator==(const Type&, const Type&) = default;

  bool is(Base b) const { return base == b && !optional; }
  bool is_entity(Entity e) const { return base == Base::entity && entity == e; }
  bool numeric() const { return base == Base::integer || base == Base::real; }
  bool failed() const { return base == Base::error; }
  Type as_optional() const {
    Type t = *this;
    t.optional = true;
    return t;
  }
  Type present() const {
    Type t = *this;
    t.optional = false;
    return t;
  }
  Type element_type() const { return {element, false, Base::error, entity, enumeration}; }

  static Type of(Base b) { return {b, false, Base::error, Entity::none, 0}; }
  static Type of(Entity e) { return {Base::entity, false, Base::error, e, 0}; }
  static Type enum_of(uint16_t index) { return {Base::enumeration, false, Base::error, Entity::none, index}; }
  static Type list_of(Type element) { return {Base::list, false, element.base, element.entity, element.enumeration}; }
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is known statically of a number: low <= x <= high, and |x| <= bound where collections have at most kMaxElements.
struct Range {
  double low = -kInfinity, high = kInfinity;
  double bound = 1e18;

  static Range exactly(double x);
  static Range between(double low, double high);
  static Range count();  // 0 .. unbounded, at most kMaxElements
  bool contains(double x) const { return low <= x && x <= high; }
  bool is_zero() const { return low == 0 && high == 0; }
};
inline constexpr double kMaxElements = 16777216.0;

Range operator+(Range a, Range b);
Range operator-(Range a, Range b);
Range operator*(Range a, Range b);
Range operator-(Range a);
Range divide(Range a, Range b);  // b does not contain 0, or only outside the values that are divided by
Range hull(Range a, Range b);
Range min(Range a, Range b);
Range max(Range a, Range b);
Range repeated(Range body);      // a sum of 0 .. kMaxElements of these
std::string to_string(Range r);  // "-4 .. 8", ".. 0", "0 ..", "any"

}  // namespace wend::sema

#endif  // WEND_COMPILER_SEMA_TYPES_H_
