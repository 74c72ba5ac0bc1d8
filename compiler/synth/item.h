// A value of an expression of a scenario or filter.
#ifndef WEND_COMPILER_SYNTH_ITEM_H_
#define WEND_COMPILER_SYNTH_ITEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/tools/pool.h"

namespace wend::synth {

struct Item {
  enum class What : uint8_t {
    none,
    boolean,
    number,  // integers too
    text,
    json,   // a value of an argument: `text` is its JSON, `type` what it is a value of
    label,  // of an enum: `number`
    trace,  // first: 0 the dialogue, else the so-manieth that was spliced in
    turn,
    message,  // first: turn; second: its step, or kNone for the user's; third: the call whose result it is, or kNone
    call,
    arg,    // first: call; second: position in its arguments
    tool,   // first: in the pool
    param,  // first: tool; second: parameter
    list,
  };
  What what = What::none;
  uint32_t first = 0, second = 0, third = 0;
  double number = 0;
  std::string text;
  const tools::ValueType* type = nullptr;
  std::vector<Item> items;

  bool truth() const { return what == What::boolean && number != 0; }
  static Item of(bool value) {
    Item item;
    item.what = What::boolean;
    item.number = value ? 1 : 0;
    return item;
  }
  static Item of(double value) {
    Item item;
    item.what = What::number;
    item.number = value;
    return item;
  }
  static Item of(std::string value) {
    Item item;
    item.what = What::text;
    item.text = std::move(value);
    return item;
  }
  static Item of(tools::Value value, const tools::ValueType* type) {
    Item item;
    item.what = What::json;
    item.text = std::move(value.json);
    item.type = type;
    return item;
  }
  static Item row(What what, uint32_t first, uint32_t second = 0, uint32_t third = 0) {
    Item item;
    item.what = what;
    item.first = first;
    item.second = second;
    item.third = third;
    return item;
  }
  static Item list(std::vector<Item> items) {
    Item item;
    item.what = What::list;
    item.items = std::move(items);
    return item;
  }
};

}  // namespace wend::synth

#endif  // WEND_COMPILER_SYNTH_ITEM_H_
