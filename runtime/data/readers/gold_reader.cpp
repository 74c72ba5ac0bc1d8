#include "runtime/data/readers/gold_reader.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/data/stable_sort.h"

namespace wend {
namespace {

constexpr std::string_view kKinds[] = {"tool", "clarify", "language"};
constexpr std::string_view kSignals[] = {"none", "modified", "interrupted", "reset", "clarify", "accumulate"};

// Position of `name` in `names`, or a text naming all of them.
template <size_t n>
bool choose(BatchBuilder& b, std::string_view key, std::string_view name, const std::string_view (&names)[n],
            uint8_t& out) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) {
      out = static_cast<uint8_t>(i);
      return true;
    }
  }
  std::string cause = "`" + std::string(name.substr(0, 40)) + "` is none of";
  for (const std::string_view known : names) cause += " " + std::string(known);
  return b.fail(key, cause);
}

}  // namespace

bool GoldReader::read(Cursor& cursor) {
  if (cursor.null()) return true;
  if (cursor.peek() != '{') return b_.fail("", "gold must be an object");
  Cursor found[3];
  cursor.collect({"turns", "calls", "chains"}, found);
  if (!cursor.ok()) return fail_at(cursor, "");
  auto& [turns, calls, chains] = found;
  const bool by_turn = turns.given() && !turns.null();
  const bool whole = calls.given() && !calls.null();
  const bool chained = chains.given() && !chains.null();
  if (by_turn && whole) return b_.fail("calls", "gold has both turns and calls of the whole dialogue");
  if (by_turn || chained) b_.add_caps(WEND_CAP_CHAINS);  // by turn: none listed, none there
  if (by_turn) {
    b_.add_caps(WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS | WEND_CAP_LABELS);
    if (!read_turns(turns)) return false;
  } else if (whole) {
    b_.add_caps(WEND_CAP_GOLD);
    if (!read_calls(calls)) return false;
  }
  return !chained || read_chains(chains);
}

// Turns may be listed in any order; the builder wants them in theirs.
bool GoldReader::read_turns(Cursor& cursor) {
  std::vector<Item> items;
  if (!cursor.enter_array()) return fail_at(cursor, "turns");
  for (size_t i = 0; cursor.next_element(); ++i) {
    Cursor number;
    Item item{0, i, cursor};
    if (!MessageReader::find(cursor, "turn", number)) {
      b_.fail("turn", "the number of the turn is missing");
      return nth("turns", i);
    }
    if (!number.integer(item.turn) || item.turn < 1 || item.turn > kMaxPerTrace) {
      b_.fail("turn", "turns are numbered from 1");
      return nth("turns", i);
    }
    items.push_back(item);
    cursor.skip();
  }
  if (!cursor.ok()) return fail_at(cursor, "turns");
  stable_sort(items.data(), items.data() + items.size(), [](const Item& a, const Item& b) { return a.turn < b.turn; });
  for (Item& item : items) {
    if (!b_.start_gold_turn(static_cast<uint32_t>(item.turn)) || !read_turn(item.at))
      return nth("turns", item.position);
    b_.end_gold_turn();
  }
  return true;
}

bool GoldReader::read_turn(Cursor& cursor) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    bool ok = true;
    if (key == "calls" && !cursor.null()) {
      ok = read_calls(cursor);
    } else if (key == "kind" && !cursor.null()) {
      ok = read_kind(cursor);
    } else if (key == "signal" && !cursor.null()) {
      ok = read_signal(cursor);
    } else if (key == "stale" && !cursor.null()) {
      ok = read_stale(cursor);
    } else if (key == "missing" && !cursor.null()) {
      ok = read_missing(cursor);
    } else if (key != "calls" && key != "kind" && key != "signal" && key != "stale" && key != "missing") {
      cursor.skip();
    }
    if (!ok) return false;
  }
  return cursor.ok() || fail_at(cursor, "");
}

bool GoldReader::read_kind(Cursor& cursor) {
  uint8_t kind = 0;
  const std::string_view name = cursor.string(text_);
  if (!cursor.ok()) return fail_at(cursor, "kind");
  if (!choose(b_, "kind", name, kKinds, kind)) return false;
  b_.set_kind(kind);
  return true;
}

bool GoldReader::read_signal(Cursor& cursor) {
  uint8_t signal = 0;
  const std::string_view name = cursor.string(text_);
  if (!cursor.ok()) return fail_at(cursor, "signal");
  if (!choose(b_, "signal", name, kSignals, signal)) return false;
  b_.set_signal(signal);
  return true;
}

bool GoldReader::read_stale(Cursor& cursor) {
  if (!cursor.enter_array()) return fail_at(cursor, "stale");
  for (size_t i = 0; cursor.next_element(); ++i) {
    Cursor found[3];
    cursor.collect({"tool", "param", "value"}, found);
    auto& [tool, param, value] = found;
    if (!cursor.ok()) break;
    if (!tool.given() || !param.given() || !value.given()) {
      b_.fail("", "a stale value needs tool, param and value");
      return nth("stale", i);
    }
    const std::string_view tool_name = tool.string(text_), param_name = param.string(param_);
    const uint32_t row = b_.values().read(value);
    for (const Cursor* c : {&tool, &param, &value}) {
      if (!c->ok()) {
        fail_at(*c, "");
        return nth("stale", i);
      }
    }
    b_.add_stale(tool_name, param_name, row);
  }
  return cursor.ok() || fail_at(cursor, "stale");
}

bool GoldReader::read_missing(Cursor& cursor) {
  cursor.enter_array();
  while (cursor.next_element()) {
    const std::string_view name = cursor.string(text_);
    if (cursor.ok()) b_.add_missing(name);
  }
  return cursor.ok() || fail_at(cursor, "missing");
}

bool GoldReader::read_calls(Cursor& cursor) {
  if (!cursor.enter_array()) return fail_at(cursor, "calls");
  for (size_t i = 0; cursor.next_element(); ++i) {
    if (!read_call(cursor)) return nth("calls", i);
  }
  return cursor.ok() || fail_at(cursor, "calls");
}

bool GoldReader::read_call(Cursor& cursor) {
  Cursor found[4];
  cursor.collect({"name", "arguments", "accept", "optional"}, found);
  if (!cursor.ok()) return fail_at(cursor, "");
  auto& [name, arguments, accept, optional] = found;
  if (!name.given()) return b_.fail("name", "a call has no name");
  const std::string_view called = name.string(text_);
  if (!name.ok()) return fail_at(name, "name");
  if (!b_.start_call(called, true)) return false;
  accept_.clear();
  optional_.clear();
  if (accept.given() && !accept.null() && !read_accept(accept)) return false;
  if (optional.given() && !optional.null() && !read_optional(optional)) return false;
  if (arguments.given() && !read_arguments(arguments)) return false;
  b_.end_call();
  return true;
}

bool GoldReader::read_accept(Cursor& cursor) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    Alternatives alternatives{b_.texts().intern_name(key), {}};
    if (cursor.peek() == '[') {
      cursor.enter_array();
      while (cursor.next_element()) alternatives.values.push_back(b_.values().read(cursor));
    } else {
      alternatives.values.push_back(b_.values().read(cursor));
    }
    accept_.push_back(std::move(alternatives));
    if (accept_.size() > kMaxArguments) cursor.fail("more than 1024 parameters in one call");
  }
  return cursor.ok() || fail_at(cursor, "accept");
}

bool GoldReader::read_optional(Cursor& cursor) {
  cursor.enter_array();
  while (cursor.next_element()) {
    const std::string_view name = cursor.string(text_);
    if (cursor.ok()) optional_.push_back(b_.texts().intern_name(name));
    if (optional_.size() > kMaxArguments) cursor.fail("more than 1024 parameters in one call");
  }
  return cursor.ok() || fail_at(cursor, "optional");
}

bool GoldReader::read_arguments(Cursor& cursor) {
  if (cursor.peek() != '{') return messages_.read_arguments(cursor);
  static const std::vector<uint32_t> kNone;
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    const uint32_t name = b_.texts().intern_name(key);
    const uint32_t value = b_.values().read(cursor);
    if (!cursor.ok()) return fail_at(cursor, "arguments." + std::string(b_.texts().text(name)));
    const auto same = std::find_if(accept_.begin(), accept_.end(), [name](const auto& a) { return a.name == name; });
    const bool optional = std::find(optional_.begin(), optional_.end(), name) != optional_.end();
    if (same != accept_.end()) std::erase(same->values, value);
    b_.add_argument(name, value, same == accept_.end() ? kNone : same->values, optional);
  }
  return cursor.ok() || fail_at(cursor, "arguments");
}

bool GoldReader::read_chains(Cursor& cursor) {
  if (!cursor.enter_array()) return fail_at(cursor, "chains");
  for (size_t i = 0; cursor.next_element(); ++i) {
    Cursor found[1];
    cursor.collect({"links"}, found);
    if (!cursor.ok()) break;
    Cursor& links = found[0];
    if (!links.given()) {
      b_.fail("links", "a chain has no links");
      return nth("chains", i);
    }
    b_.start_chain();
    if (!read_links(links)) return nth("chains", i);
    b_.end_chain();
  }
  return cursor.ok() || fail_at(cursor, "chains");
}

bool GoldReader::read_links(Cursor& cursor) {
  if (!cursor.enter_array()) return fail_at(cursor, "links");
  for (size_t i = 0; cursor.next_element(); ++i) {
    if (!read_link(cursor)) return nth("links", i);
  }
  return cursor.ok() || fail_at(cursor, "links");
}

bool GoldReader::read_link(Cursor& cursor) {
  Cursor found[3];
  cursor.collect({"turn", "call", "needs"}, found);
  if (!cursor.ok()) return fail_at(cursor, "");
  auto& [turn, call, needs] = found;
  int64_t turn_number = 0, call_number = 0;
  if (!turn.given() || !turn.integer(turn_number) || turn_number < 1 || turn_number > kMaxPerTrace) {
    return b_.fail("turn", "a link names its gold call by turn (from 1) and call (from 0)");
  }
  if (!call.given() || !call.integer(call_number) || call_number < 0 || call_number > kMaxPerTrace) {
    return b_.fail("call", "a link names its gold call by turn (from 1) and call (from 0)");
  }
  needs_.clear();
  if (needs.given() && !needs.null() && !read_needs(needs)) return false;
  return b_.add_link(static_cast<uint32_t>(turn_number), static_cast<uint32_t>(call_number), needs_);
}

bool GoldReader::read_needs(Cursor& cursor) {
  cursor.enter_array();
  while (cursor.next_element()) {
    Cursor link = cursor;
    int64_t number = -1;
    if (cursor.peek() == '{' && !MessageReader::find(cursor, "link", link)) {
      return b_.fail("needs", "a need names an earlier link by its position");
    }
    if (!link.integer(number) || number < 0 || number > kMaxPerTrace) {
      return b_.fail("needs", "a need names an earlier link by its position");
    }
    needs_.push_back(static_cast<uint32_t>(number));
    cursor.skip();
  }
  return cursor.ok() || fail_at(cursor, "needs");
}

}  // namespace wend
