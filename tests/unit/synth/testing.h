// A small pool for the tests of synthetic dialogues.
#ifndef WEND_TESTS_UNIT_SYNTH_TESTING_H_
#define WEND_TESTS_UNIT_SYNTH_TESTING_H_

#include <string>
#include <string_view>
#include <vector>

#include "runtime/tools/import.h"
#include "runtime/tools/pool.h"

namespace wend::tools {

inline Values some_values() {
  Values values;
  values
      .add(Json::parse(R"({"city": ["Oslo", "Bergen", "Rome"], "hotel_id": "HO-####", "booking_id": "BK-####",
                           "first": ["Ann", "Bo"], "last": ["Li", "Ek"], "person": "{first} {last}"})"))
      .value();
  return values;
}

inline constexpr std::string_view kSomeTools = R"([
  {"name": "search_hotels", "description": "Search hotels in a city.", "category": "travel",
   "parameters": {"type": "object", "properties": {"city": {"type": "string", "kind": "city"},
                  "nights": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["city", "nights"]},
   "returns": {"type": "object", "properties": {"hotel_id": {"type": "string", "kind": "hotel_id"},
               "city": {"type": "string", "kind": "city"}, "price": {"type": "number", "minimum": 10, "maximum": 90}}}},
  {"name": "book_hotel", "description": "Book a hotel.", "category": "travel",
   "parameters": {"type": "object", "properties": {"hotel_id": {"type": "string", "kind": "hotel_id"},
                  "guest": {"type": "string", "kind": "person"}, "room": {"type": "string", "enum": ["single", "double"]},
                  "late": {"type": "boolean", "default": false}}, "required": ["hotel_id", "guest", "room"]},
   "returns": {"type": "object", "properties": {"booking_id": {"type": "string", "kind": "booking_id"},
               "hotel_id": {"type": "string", "kind": "hotel_id"}}}},
  {"name": "move_booking", "description": "Move a booking.", "category": "travel",
   "parameters": {"type": "object", "properties": {"booking_id": {"type": "string", "kind": "booking_id"},
                  "date": {"type": "string", "format": "date"}}, "required": ["booking_id", "date"]},
   "returns": {"type": "object", "properties": {"booking_id": {"type": "string", "kind": "booking_id"},
               "date": {"type": "string", "format": "date"}}}},
  {"name": "get_booking", "description": "Get a booking.", "category": "travel",
   "parameters": {"type": "object", "properties": {"booking_id": {"type": "string", "kind": "booking_id"}},
                  "required": ["booking_id"]},
   "returns": {"type": "object", "properties": {"guest": {"type": "string", "kind": "person"},
               "date": {"type": "string", "format": "date"}}}}
])";

inline Pool pool_of(std::string_view tools) {
  const Json document = Json::parse(tools);
  return Pool(import_tools(document, ToolFormat::utal).tools, some_values());
}
inline Pool some_pool() { return pool_of(kSomeTools); }

}  // namespace wend::tools

#endif  // WEND_TESTS_UNIT_SYNTH_TESTING_H_
