// Tool returns as far as recognition reads them: the value that stands for an object, items, errors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/recognise/json_scanner.h"
#include "runtime/recognise/recognise.h"

namespace wend::recognise {

inline constexpr size_t kMaxLeaves = 64, kMaxItems = 64;
inline constexpr size_t kMaxValue = 1024;  // bytes of an item's JSON as a value

// How well an attribute names its object: 0 is best; kNoRank: not at all.
inline constexpr uint32_t kNoRank = 99;
uint32_t id_rank(std::string_view key);

// What stands for a JSON value: the attribute that names an object best, its JSON if none does, a scalar itself; empty
// for lists and for what is too long.
std::string_view value_of(std::string_view json);

// The items of a list, or of the one attribute of an object that is a list of objects. False if there is no such list.
bool list_items(std::string_view json, std::vector<std::string_view>& items);

// The text of a JSON string without escapes; false for anything else.
bool string_text(std::string_view json, std::string_view& text);

// A text (not JSON) that is one id: "sara_doe_496".
bool bare_id(std::string_view text);

}  // namespace wend::recognise
