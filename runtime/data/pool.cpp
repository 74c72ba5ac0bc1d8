#include "runtime/data/pool.h"

#include <algorithm>
#include <cstring>

#include "runtime/data/hash.h"

namespace wend {
namespace {

struct TypeName {
  std::string_view name;
  uint8_t type;
};

constexpr TypeName kTypeNames[] = {
    {"string", WEND_JSON_TEXT},    {"integer", WEND_JSON_INT},      {"number", WEND_JSON_REAL},
    {"boolean", WEND_JSON_BOOL},   {"array", WEND_JSON_LIST},       {"object", WEND_JSON_OBJECT},
    {"null", WEND_JSON_NULL},      {"dict", WEND_JSON_OBJECT},      {"float", WEND_JSON_REAL},
    {"tuple", WEND_JSON_LIST},     {"list", WEND_JSON_LIST},        {"str", WEND_JSON_TEXT},
    {"int", WEND_JSON_INT},        {"bool", WEND_JSON_BOOL},        {"String", WEND_JSON_TEXT},
    {"HashMap", WEND_JSON_OBJECT}, {"Hashtable", WEND_JSON_OBJECT}, {"Map", WEND_JSON_OBJECT},
    {"map", WEND_JSON_OBJECT},     {"ArrayList", WEND_JSON_LIST},   {"Array", WEND_JSON_LIST},
    {"List", WEND_JSON_LIST},      {"Set", WEND_JSON_LIST},         {"set", WEND_JSON_LIST},
    {"Queue", WEND_JSON_LIST},     {"Stack", WEND_JSON_LIST},       {"Integer", WEND_JSON_INT},
    {"long", WEND_JSON_INT},       {"Long", WEND_JSON_INT},         {"short", WEND_JSON_INT},
    {"byte", WEND_JSON_INT},       {"Bigint", WEND_JSON_INT},       {"BigInt", WEND_JSON_INT},
    {"double", WEND_JSON_REAL},    {"Double", WEND_JSON_REAL},      {"Float", WEND_JSON_REAL},
    {"decimal", WEND_JSON_REAL},   {"Boolean", WEND_JSON_BOOL},     {"char", WEND_JSON_TEXT},
    {"None", WEND_JSON_NULL},      {"NoneType", WEND_JSON_NULL},
};

// A type that is one of several: the only one besides null, or anything.
uint8_t Merge(uint8_t known, uint8_t other) {
  if (known == WEND_JSON_NULL) return other;
  if (other == WEND_JSON_NULL || other == known) return known;
  return WEND_JSON_ANY;
}

}  // namespace

uint8_t JsonTypeOf(std::string_view name) {
  for (const TypeName& known : kTypeNames) {
    if (known.name == name) return known.type;
  }
  return WEND_JSON_ANY;
}

bool PoolTable::IsLast(const Cursor& cursor) const {
  if (last_ == kNone) return false;
  const std::string_view json = pools_[last_].json;
  return !json.empty() && json.size() <= cursor.left() && !std::memcmp(json.data(), cursor.here(), json.size());
}

wend_span PoolTable::Read(Cursor& cursor) {
  if (IsLast(cursor)) {
    cursor.Jump(pools_[last_].tokens);
    return pools_[last_].rows;
  }
  const char* const text = cursor.here();
  const uint32_t* const first = cursor.token();
  const auto first_id = static_cast<uint32_t>(ids_.size());
  const uint32_t begin = BeginPool();
  bool made = false;  // rows are made from the first tool on that no pool had
  failed_ = kNone;
  cursor.EnterArray();
  while (cursor.NextElement()) {
    Cursor again = cursor;
    const std::string_view json = cursor.Raw();
    if (!cursor.ok()) {
      failed_ = ids_.size() - first_id;
      break;
    }
    uint32_t id = FindKnown(json);
    if (id == HashIndex::kNone && !made) {
      for (size_t i = first_id; i < ids_.size(); ++i) CopyTool(tools_[ids_[i]].row);
      made = true;
    }
    if (id == HashIndex::kNone) {
      id = ReadNew(again, json);
      if (!again.ok()) {
        cursor = again;
        failed_ = ids_.size() - first_id;
      }
    } else if (made) {
      CopyTool(tools_[id].row);
    }
    ids_.push_back(id);
    if (ids_.size() - first_id > kMaxTools) cursor.Fail("more than 16384 tools");
  }
  if (!cursor.ok()) return {};
  const auto tokens = static_cast<uint32_t>(cursor.token() - first);
  const std::string_view json(text, static_cast<size_t>(cursor.end_of_last() - text));
  if (!made) {
    const wend_span same = SamePool(first_id, json, tokens);
    if (same.begin != WEND_NONE) return same;
    for (size_t i = first_id; i < ids_.size(); ++i) CopyTool(tools_[ids_[i]].row);
  }
  const uint64_t hash = Hash64({reinterpret_cast<const char*>(ids_.data() + first_id), 4 * (ids_.size() - first_id)});
  last_ = pools_.size();
  pool_index_.Add(hash, static_cast<uint32_t>(last_));
  pools_.push_back({{first_id, static_cast<uint32_t>(ids_.size())}, EndPool(begin), {}, tokens});
  return pools_.back().rows;
}

std::string PoolTable::FailedKey(std::string_view list) const {
  std::string key(list);
  if (failed_ != kNone) key += "[" + std::to_string(failed_) + "]";
  return key;
}

// The rows of the pool whose tools are ids_[first_id..), which are then dropped; {WEND_NONE} if there was none.
wend_span PoolTable::SamePool(uint32_t first_id, std::string_view json, uint32_t tokens) {
  const size_t count = ids_.size() - first_id;
  const uint32_t* const ids = ids_.data() + first_id;
  const uint32_t pool = pool_index_.Find(Hash64({reinterpret_cast<const char*>(ids), 4 * count}), [&](uint32_t other) {
    const wend_span span = pools_[other].ids;
    return span.end - span.begin == count && std::equal(ids, ids + count, ids_.data() + span.begin);
  });
  if (pool == HashIndex::kNone) return {WEND_NONE, WEND_NONE};
  ids_.resize(first_id);
  KnownPool& known = pools_[pool];
  if (known.json.empty()) {
    known.json = bytes_.Store(json);
    known.tokens = tokens;
  }
  last_ = pool;
  return known.rows;
}

uint32_t PoolTable::FindKnown(std::string_view json) const {
  return tool_index_.Find(Hash64(json), [&](uint32_t id) { return tools_[id].json == json; });
}

// Makes the row of a tool that was not met before; returns its id.
uint32_t PoolTable::ReadNew(Cursor& cursor, std::string_view json) {
  const uint32_t tool = columns_.Add<WEND_TABLE_tool>();
  const uint32_t params = columns_.rows[WEND_TABLE_param];
  columns_.tool_name[tool] = WEND_NONE;
  columns_.tool_description[tool] = WEND_NONE;
  required_.clear();
  ReadFields(cursor, tool);
  columns_.tool_params[tool] = {params, columns_.rows[WEND_TABLE_param]};
  std::sort(required_.begin(), required_.end());
  for (uint32_t p = params; p < columns_.rows[WEND_TABLE_param]; ++p) {
    if (std::binary_search(required_.begin(), required_.end(), columns_.param_name[p])) columns_.param_required[p] = 1;
  }
  if (columns_.rows[WEND_TABLE_param] - params > kMaxParams) cursor.Fail("a tool has more than 1024 parameters");
  if (cursor.ok() && columns_.tool_name[tool] == WEND_NONE) cursor.Fail("a tool has no name");
  const auto id = static_cast<uint32_t>(tools_.size());
  if (cursor.ok()) {
    tool_index_.Add(Hash64(json), id);
    tools_.push_back({bytes_.Store(json), tool});
  }
  return id;
}

void PoolTable::ReadTool(Cursor& cursor) {
  failed_ = kNone;
  Cursor again = cursor;
  const std::string_view json = cursor.Raw();
  if (!cursor.ok()) return;
  if (const uint32_t id = FindKnown(json); id != HashIndex::kNone) {
    CopyTool(tools_[id].row);
  } else {
    ReadNew(again, json);
    if (!again.ok()) cursor = again;
  }
}

// A row for a tool like `from`, with parameters of its own.
void PoolTable::CopyTool(uint32_t from) {
  const uint32_t tool = columns_.Add<WEND_TABLE_tool>();
  const uint32_t begin = columns_.rows[WEND_TABLE_param];
  const wend_span params = columns_.tool_params[from];
  for (uint32_t p = params.begin; p < params.end; ++p) {
    const uint32_t param = AddParam(tool, columns_.param_name[p]);
    columns_.param_type[param] = columns_.param_type[p];
    columns_.param_required[param] = columns_.param_required[p];
    columns_.param_default_value[param] = columns_.param_default_value[p];
    columns_.param_choices[param] = columns_.param_choices[p];
  }
  columns_.tool_name[tool] = columns_.tool_name[from];
  columns_.tool_description[tool] = columns_.tool_description[from];
  columns_.tool_params[tool] = {begin, columns_.rows[WEND_TABLE_param]};
}

bool PoolTable::Find(std::string_view key, wend_span& pool) const {
  for (const Key& known : keys_) {
    if (known.key == key) {
      pool = known.rows;
      return true;
    }
  }
  return false;
}

void PoolTable::Remember(std::string_view key, wend_span pool) { keys_.push_back({bytes_.Store(key), pool}); }

uint32_t PoolTable::FindTool(wend_span pool, uint32_t name) const {
  const auto begin = columns_.tool_name.begin();
  const auto end = begin + pool.end;
  const auto at = std::find(begin + pool.begin, end, name);
  return at == end ? WEND_NONE : static_cast<uint32_t>(at - begin);
}

uint32_t PoolTable::FindParam(uint32_t tool, uint32_t name) const {
  const wend_span params = columns_.tool_params[tool];
  const auto begin = columns_.param_name.begin();
  const auto end = begin + params.end;
  const auto at = std::find(begin + params.begin, end, name);
  return at == end ? WEND_NONE : static_cast<uint32_t>(at - begin);
}

void PoolTable::ReadFields(Cursor& cursor, uint32_t tool) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    if (key == "function" && cursor.peek() == '{') {
      ReadFields(cursor, tool);
    } else if (key == "name") {
      const std::string_view name = cursor.String(buffer_);
      if (cursor.ok()) columns_.tool_name[tool] = texts_.InternName(name);
    } else if (key == "description" && cursor.peek() == '"') {
      const std::string_view text = cursor.String(buffer_);
      if (cursor.ok() && !text.empty()) columns_.tool_description[tool] = texts_.Intern(text);
    } else if (key == "parameters" && cursor.peek() == '{') {
      ReadParameters(cursor, tool);
    } else if (key == "parameters" && cursor.peek() == '[') {
      ReadParameterList(cursor, tool);
    } else {
      cursor.Skip();
    }
  }
}

void PoolTable::ReadParameters(Cursor& cursor, uint32_t tool) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    if (key == "properties" && cursor.peek() == '{') {
      ReadProperties(cursor, tool);
    } else if (key == "required" && cursor.peek() == '[') {
      cursor.EnterArray();
      while (cursor.NextElement()) {
        if (cursor.peek() != '"') {
          cursor.Skip();
          continue;
        }
        const std::string_view name = cursor.String(buffer_);
        if (cursor.ok()) required_.push_back(texts_.InternName(name));
      }
    } else {
      cursor.Skip();
    }
  }
}

uint32_t PoolTable::AddParam(uint32_t tool, uint32_t name) {
  const uint32_t param = columns_.Add<WEND_TABLE_param>();
  columns_.param_tool[param] = tool;
  columns_.param_name[param] = name;
  columns_.param_type[param] = WEND_JSON_ANY;
  columns_.param_default_value[param] = WEND_NONE;
  return param;
}

void PoolTable::ReadProperties(Cursor& cursor, uint32_t tool) {
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    ReadSchema(cursor, AddParam(tool, texts_.InternName(key)));
  }
}

// The flat form: [{"name": ..., "type": ..., "required": true}, ...].
void PoolTable::ReadParameterList(Cursor& cursor, uint32_t tool) {
  cursor.EnterArray();
  while (cursor.NextElement()) {
    Cursor names = cursor;
    uint32_t name = WEND_NONE;
    names.EnterObject();
    for (std::string_view key; names.NextField(key);) {
      if (key == "name") {
        const std::string_view text = names.String(buffer_);
        if (names.ok()) name = texts_.InternName(text);
      } else {
        names.Skip();
      }
    }
    if (!names.ok() || name == WEND_NONE) {
      cursor.Fail(names.ok() ? "a parameter has no name" : names.error());
      return;
    }
    ReadSchema(cursor, AddParam(tool, name));
  }
}

void PoolTable::ReadSchema(Cursor& cursor, uint32_t param) {
  if (cursor.peek() != '{') {
    cursor.Skip();
    return;
  }
  cursor.EnterObject();
  for (std::string_view key; cursor.NextField(key);) {
    if (key == "type") {
      columns_.param_type[param] = ReadType(cursor);
    } else if ((key == "anyOf" || key == "oneOf") && cursor.peek() == '[') {
      columns_.param_type[param] = ReadAlternatives(cursor);
    } else if (key == "default") {
      columns_.param_default_value[param] = values_.Read(cursor);
    } else if (key == "enum" && cursor.peek() == '[') {
      choices_.clear();
      cursor.EnterArray();
      while (cursor.NextElement()) choices_.push_back(values_.Read(cursor));
      const uint32_t begin = columns_.rows[WEND_TABLE_choice];
      for (const uint32_t value : choices_) {
        const uint32_t choice = columns_.Add<WEND_TABLE_choice>();
        columns_.choice_value[choice] = value;
      }
      columns_.param_choices[param] = {begin, columns_.rows[WEND_TABLE_choice]};
    } else if (key == "required" && (cursor.peek() == 't' || cursor.peek() == 'f')) {
      bool required = false;
      if (cursor.Bool(required)) columns_.param_required[param] = required;
    } else {
      cursor.Skip();
    }
  }
}

uint8_t PoolTable::ReadType(Cursor& cursor) {
  if (cursor.peek() == '"') return JsonTypeOf(cursor.String(buffer_));
  if (cursor.peek() != '[') {
    cursor.Skip();
    return WEND_JSON_ANY;
  }
  uint8_t type = WEND_JSON_NULL;
  cursor.EnterArray();
  while (cursor.NextElement()) type = Merge(type, ReadType(cursor));
  return type == WEND_JSON_NULL ? uint8_t{WEND_JSON_ANY} : type;
}

uint8_t PoolTable::ReadAlternatives(Cursor& cursor) {
  uint8_t type = WEND_JSON_NULL;
  cursor.EnterArray();
  while (cursor.NextElement()) {
    if (cursor.peek() != '{') {
      cursor.Skip();
      continue;
    }
    uint8_t one = WEND_JSON_ANY;
    cursor.EnterObject();
    for (std::string_view key; cursor.NextField(key);) {
      if (key == "type") {
        one = ReadType(cursor);
      } else {
        cursor.Skip();
      }
    }
    type = Merge(type, one);
  }
  return type;
}

void PoolTable::Rollback(const Mark& mark) {
  tool_index_.Shrink(mark.known_tools);
  tools_.resize(mark.known_tools);
  pool_index_.Shrink(mark.known_pools);
  pools_.resize(mark.known_pools);
  ids_.resize(mark.ids);
  keys_.resize(mark.keys);
  for (KnownPool& pool : pools_) pool.json = {};  // it may have been stored since
  last_ = kNone;
  bytes_.Rollback(mark.bytes);
  columns_.Truncate<WEND_TABLE_tool>(mark.tools);
  columns_.Truncate<WEND_TABLE_param>(mark.params);
  columns_.Truncate<WEND_TABLE_choice>(mark.choices);
}

void PoolTable::Clear() {
  tools_.clear();
  tool_index_.Clear();
  pools_.clear();
  pool_index_.Clear();
  ids_.clear();
  keys_.clear();
  last_ = kNone;
  bytes_.Clear();
}

}  // namespace wend
