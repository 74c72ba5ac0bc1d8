// What the values of parameters and returns are made of: kinds such as `city` or `booking_id`
// (stdlib/tools/values.json, docs/tools.md).
#ifndef WEND_RUNTIME_TOOLS_VALUES_H_
#define WEND_RUNTIME_TOOLS_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/random.h"
#include "runtime/result.h"
#include "runtime/tools/tool.h"

namespace wend::tools {

inline constexpr uint32_t kNoKind = 0xFFFFFFFFu;

// A kind is a list of values, or a form: text with {kinds} and a # for each digit. A form with a # and no kind makes
// ids: what nobody knows before it has been returned or handed out.
class Values {
 public:
  // {"city": ["Oslo", ...], "person": "{first_name} {last_name}", "booking_id": "BK-#####"}: adds to what is there.
  // Fails on an empty list, a kind that is not defined, and a kind inside itself.
  Result<void> add(const Json& kinds);

  // kNoKind if there is none of that name.
  uint32_t find(std::string_view name) const;
  // The kind of that name; where there is none, one of ids is made: "order_id" makes "OR-######".
  uint32_t find_or_make_id(std::string_view name);
  // The kind that a parameter of this name has: one whose name the parameter's name is or ends with ("departure_city").
  uint32_t guess(std::string_view parameter) const;

  const std::string& name(uint32_t kind) const { return kinds_[kind].name; }
  bool is_id(uint32_t kind) const { return kinds_[kind].id; }
  size_t size() const { return kinds_.size(); }
  std::string draw(uint32_t kind, Random& random) const;
  // Whether the kind makes this value. Forms are compared by their shape, not by the values inside.
  bool makes(uint32_t kind, std::string_view value) const;

 private:
  struct Piece {
    std::string text;         // '#' for each digit
    uint32_t kind = kNoKind;  // else a value of it
  };
  struct Kind {
    std::string name;
    std::vector<std::string> values;
    std::vector<Piece> form;
    bool id = false;
  };

  uint32_t declare(std::string_view name);
  Result<void> read_form(uint32_t kind, std::string_view form);
  bool inside_itself(uint32_t kind, uint32_t depth) const;

  std::vector<Kind> kinds_;
  std::unordered_map<std::string, uint32_t> by_name_;
};

}  // namespace wend::tools

#endif  // WEND_RUNTIME_TOOLS_VALUES_H_
