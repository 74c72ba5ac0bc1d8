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
bool Choose(BatchBuilder& b, std::string_view key, std::string_view name, const std::string_view (&names)[n],
            uint8_t& out) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) {
      out = static_cast<uint8_t>(i);
      return true;
    }
  }
  std::string cause = "`" + std::string(name.substr(0, 40)) + "` is none of";
  for (const std::string_view known : names) cause += " " + std::string(known);
  return b.Fail(key, cause);
}

}  // namespace

bool GoldReader::Read(Cursor& cursor) {
  if (cursor.Null()) return true;
  if (cursor.peek() != '{') return b_.Fail("", "gold must be an object");
  Cursor found[3];
  cursor.Collect({"turns", "calls", "chains"}, found);
  if (!cursor.ok()) return FailAt(cursor, "");
  auto& [turns, calls, chains] = found;
  const bool by_turn = turns.given() && !turns.Null();
  const bool whole = calls.given() && !calls.Null();
  const bool chained = chains.given() && !chains.Null();
  if (by_turn && whole) return b_.Fail("calls", "gold has both turns and calls of the whole dialogue");
  if (by_turn || chained) b_.AddCaps(WEND_CAP_CHAINS);  // by turn: none listed, none there
  if (by_turn) {
    b_.AddCaps(WEND_CAP_GOLD | WEND_CAP_GOLD_TURNS | WEND_CAP_LABELS);
    if (!ReadTurns(turns)) return false;
  } else if (whole) {
    b_.AddCaps(WEND_CAP_GOLD);
    if (!ReadCalls(calls)) return false;
  }
  return !chained || ReadChains(chains);
}

// Turns may be listed in any order; the builder wants them in theirs.
bool GoldReader::ReadTurns(Cursor& cursor) {
  std::vector<Item> items;
  if (!cursor.EnterArray()) return FailAt(cursor, "turns");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    Cursor number;
    Item item{0, i, cursor};
    if (!MessageReader::Find(cursor, "turn", number)) {
      b_.Fail("turn", "the number of the turn is missing");
      return Nth("turns", i);
    }
    if (!number.Int(item.turn) || item.turn < 1 || item.turn > kMaxPerTrace) {
      b_.Fail("turn", "turns are numbered from 1");
      return Nth("turns", i);
    }
    items.push_back(item);
    cursor.Skip();
  }
  if (!cursor.ok()) return FailAt(cursor, "turns");
  StableSort(items.data(), items.data() + items.size(), [](const Item& a, const Item& b) { return a.turn < b.turn; });
  for (Item& item : items) {
    if (!b_.StartGoldTurn(static_cast<uint32_t>(item.turn)) || !ReadTurn(item.at)) return Nth("turns", item.position);
    b_.EndGoldTurn();
  }
  return true;
}

bool GoldReader::ReadTurn(Cursor& cursor) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    bool ok = true;
    if (key == "calls" && !cursor.Null()) {
      ok = ReadCalls(cursor);
    } else if (key == "kind" && !cursor.Null()) {
      ok = ReadKind(cursor);
    } else if (key == "signal" && !cursor.Null()) {
      ok = ReadSignal(cursor);
    } else if (key == "stale" && !cursor.Null()) {
      ok = ReadStale(cursor);
    } else if (key == "missing" && !cursor.Null()) {
      ok = ReadMissing(cursor);
    } else if (key != "calls" && key != "kind" && key != "signal" && key != "stale" && key != "missing") {
      cursor.Skip();
    }
    if (!ok) return false;
  }
  return cursor.ok() || FailAt(cursor, "");
}

bool GoldReader::ReadKind(Cursor& cursor) {
  uint8_t kind = 0;
  const std::string_view name = cursor.String(text_);
  if (!cursor.ok()) return FailAt(cursor, "kind");
  if (!Choose(b_, "kind", name, kKinds, kind)) return false;
  b_.SetKind(kind);
  return true;
}

bool GoldReader::ReadSignal(Cursor& cursor) {
  uint8_t signal = 0;
  const std::string_view name = cursor.String(text_);
  if (!cursor.ok()) return FailAt(cursor, "signal");
  if (!Choose(b_, "signal", name, kSignals, signal)) return false;
  b_.SetSignal(signal);
  return true;
}

bool GoldReader::ReadStale(Cursor& cursor) {
  if (!cursor.EnterArray()) return FailAt(cursor, "stale");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    Cursor found[3];
    cursor.Collect({"tool", "param", "value"}, found);
    auto& [tool, param, value] = found;
    if (!cursor.ok()) break;
    if (!tool.given() || !param.given() || !value.given()) {
      b_.Fail("", "a stale value needs tool, param and value");
      return Nth("stale", i);
    }
    const std::string_view tool_name = tool.String(text_), param_name = param.String(param_);
    const uint32_t row = b_.values().Read(value);
    for (const Cursor* c : {&tool, &param, &value}) {
      if (!c->ok()) {
        FailAt(*c, "");
        return Nth("stale", i);
      }
    }
    b_.AddStale(tool_name, param_name, row);
  }
  return cursor.ok() || FailAt(cursor, "stale");
}

bool GoldReader::ReadMissing(Cursor& cursor) {
  cursor.EnterArray();
  while (cursor.NextElement()) {
    const std::string_view name = cursor.String(text_);
    if (cursor.ok()) b_.AddMissing(name);
  }
  return cursor.ok() || FailAt(cursor, "missing");
}

bool GoldReader::ReadCalls(Cursor& cursor) {
  if (!cursor.EnterArray()) return FailAt(cursor, "calls");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    if (!ReadCall(cursor)) return Nth("calls", i);
  }
  return cursor.ok() || FailAt(cursor, "calls");
}

bool GoldReader::ReadCall(Cursor& cursor) {
  Cursor found[4];
  cursor.Collect({"name", "arguments", "accept", "optional"}, found);
  if (!cursor.ok()) return FailAt(cursor, "");
  auto& [name, arguments, accept, optional] = found;
  if (!name.given()) return b_.Fail("name", "a call has no name");
  const std::string_view called = name.String(text_);
  if (!name.ok()) return FailAt(name, "name");
  if (!b_.StartCall(called, true)) return false;
  accept_.clear();
  optional_.clear();
  if (accept.given() && !accept.Null() && !ReadAccept(accept)) return false;
  if (optional.given() && !optional.Null() && !ReadOptional(optional)) return false;
  if (arguments.given() && !ReadArguments(arguments)) return false;
  b_.EndCall();
  return true;
}

bool GoldReader::ReadAccept(Cursor& cursor) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    Alternatives alternatives{b_.texts().InternName(key), {}};
    if (cursor.peek() == '[') {
      cursor.EnterArray();
      while (cursor.NextElement()) alternatives.values.push_back(b_.values().Read(cursor));
    } else {
      alternatives.values.push_back(b_.values().Read(cursor));
    }
    accept_.push_back(std::move(alternatives));
    if (accept_.size() > kMaxArguments) cursor.Fail("more than 1024 parameters in one call");
  }
  return cursor.ok() || FailAt(cursor, "accept");
}

bool GoldReader::ReadOptional(Cursor& cursor) {
  cursor.EnterArray();
  while (cursor.NextElement()) {
    const std::string_view name = cursor.String(text_);
    if (cursor.ok()) optional_.push_back(b_.texts().InternName(name));
    if (optional_.size() > kMaxArguments) cursor.Fail("more than 1024 parameters in one call");
  }
  return cursor.ok() || FailAt(cursor, "optional");
}

bool GoldReader::ReadArguments(Cursor& cursor) {
  if (cursor.peek() != '{') return messages_.ReadArguments(cursor);
  static const std::vector<uint32_t> kNone;
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    const uint32_t name = b_.texts().InternName(key);
    const uint32_t value = b_.values().Read(cursor);
    if (!cursor.ok()) return FailAt(cursor, "arguments." + std::string(b_.texts().text(name)));
    const auto same = std::find_if(accept_.begin(), accept_.end(), [name](const auto& a) { return a.name == name; });
    const bool optional = std::find(optional_.begin(), optional_.end(), name) != optional_.end();
    if (same != accept_.end()) std::erase(same->values, value);
    b_.AddArgument(name, value, same == accept_.end() ? kNone : same->values, optional);
  }
  return cursor.ok() || FailAt(cursor, "arguments");
}

bool GoldReader::ReadChains(Cursor& cursor) {
  if (!cursor.EnterArray()) return FailAt(cursor, "chains");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    Cursor found[1];
    cursor.Collect({"links"}, found);
    if (!cursor.ok()) break;
    Cursor& links = found[0];
    if (!links.given()) {
      b_.Fail("links", "a chain has no links");
      return Nth("chains", i);
    }
    b_.StartChain();
    if (!ReadLinks(links)) return Nth("chains", i);
    b_.EndChain();
  }
  return cursor.ok() || FailAt(cursor, "chains");
}

bool GoldReader::ReadLinks(Cursor& cursor) {
  if (!cursor.EnterArray()) return FailAt(cursor, "links");
  for (size_t i = 0; cursor.NextElement(); ++i) {
    if (!ReadLink(cursor)) return Nth("links", i);
  }
  return cursor.ok() || FailAt(cursor, "links");
}

bool GoldReader::ReadLink(Cursor& cursor) {
  Cursor found[3];
  cursor.Collect({"turn", "call", "needs"}, found);
  if (!cursor.ok()) return FailAt(cursor, "");
  auto& [turn, call, needs] = found;
  int64_t turn_number = 0, call_number = 0;
  if (!turn.given() || !turn.Int(turn_number) || turn_number < 1 || turn_number > kMaxPerTrace) {
    return b_.Fail("turn", "a link names its gold call by turn (from 1) and call (from 0)");
  }
  if (!call.given() || !call.Int(call_number) || call_number < 0 || call_number > kMaxPerTrace) {
    return b_.Fail("call", "a link names its gold call by turn (from 1) and call (from 0)");
  }
  needs_.clear();
  if (needs.given() && !needs.Null() && !ReadNeeds(needs)) return false;
  return b_.AddLink(static_cast<uint32_t>(turn_number), static_cast<uint32_t>(call_number), needs_);
}

bool GoldReader::ReadNeeds(Cursor& cursor) {
  cursor.EnterArray();
  while (cursor.NextElement()) {
    Cursor link = cursor;
    int64_t number = -1;
    if (cursor.peek() == '{' && !MessageReader::Find(cursor, "link", link)) {
      return b_.Fail("needs", "a need names an earlier link by its position");
    }
    if (!link.Int(number) || number < 0 || number > kMaxPerTrace) {
      return b_.Fail("needs", "a need names an earlier link by its position");
    }
    needs_.push_back(static_cast<uint32_t>(number));
    cursor.Skip();
  }
  return cursor.ok() || FailAt(cursor, "needs");
}

}  // namespace wend
