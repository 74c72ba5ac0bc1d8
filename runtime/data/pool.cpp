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
uint8_t merge(uint8_t known, uint8_t other) {
  if (known == WEND_JSON_NULL) return other;
  if (other == WEND_JSON_NULL || other == known) return known;
  return WEND_JSON_ANY;
}

}  // namespace

uint8_t json_type_of(std::string_view name) {
  for (const TypeName& known : kTypeNames) {
    if (known.name == name) return known.type;
  }
  return WEND_JSON_ANY;
}

bool PoolTable::is_last(const Cursor& cursor) const {
  if (last_ == kNone) return false;
  const std::string_view json = pools_[last_].json;
  return !json.empty() && json.size() <= cursor.left() && !std::memcmp(json.data(), cursor.here(), json.size());
}

wend_span PoolTable::read(Cursor& cursor) {
  if (is_last(cursor)) {
    cursor.jump(pools_[last_].tokens);
    return pools_[last_].rows;
  }
  const char* const text = cursor.here();
  const uint32_t* const first = cursor.token();
  const auto first_id = static_cast<uint32_t>(ids_.size());
  const uint32_t begin = begin_pool();
  bool made = false;  // rows are made from the first tool on that no pool had
  failed_ = kNone;
  cursor.enter_array();
  while (cursor.next_element()) {
    Cursor again = cursor;
    const std::string_view json = cursor.raw();
    if (!cursor.ok()) {
      failed_ = ids_.size() - first_id;
      break;
    }
    uint32_t id = find_known(json);
    if (id == HashIndex::kNone && !made) {
      for (size_t i = first_id; i < ids_.size(); ++i) copy_tool(tools_[ids_[i]].row);
      made = true;
    }
    if (id == HashIndex::kNone) {
      id = read_new(again, json);
      if (!again.ok()) {
        cursor = again;
        failed_ = ids_.size() - first_id;
      }
    } else if (made) {
      copy_tool(tools_[id].row);
    }
    ids_.push_back(id);
    if (ids_.size() - first_id > kMaxTools) cursor.fail("more than 16384 tools");
  }
  if (!cursor.ok()) return {};
  const auto tokens = static_cast<uint32_t>(cursor.token() - first);
  const std::string_view json(text, static_cast<size_t>(cursor.end_of_last() - text));
  if (!made) {
    const wend_span same = same_pool(first_id, json, tokens);
    if (same.begin != WEND_NONE) return same;
    for (size_t i = first_id; i < ids_.size(); ++i) copy_tool(tools_[ids_[i]].row);
  }
  const uint64_t hash = hash64({reinterpret_cast<const char*>(ids_.data() + first_id), 4 * (ids_.size() - first_id)});
  last_ = pools_.size();
  pool_index_.add(hash, static_cast<uint32_t>(last_));
  pools_.push_back({{first_id, static_cast<uint32_t>(ids_.size())}, end_pool(begin), {}, tokens});
  return pools_.back().rows;
}

std::string PoolTable::failed_key(std::string_view list) const {
  std::string key(list);
  if (failed_ != kNone) key += "[" + std::to_string(failed_) + "]";
  return key;
}

// The rows of the pool whose tools are ids_[first_id..), which are then dropped; {WEND_NONE} if there was none.
wend_span PoolTable::same_pool(uint32_t first_id, std::string_view json, uint32_t tokens) {
  const size_t count = ids_.size() - first_id;
  const uint32_t* const ids = ids_.data() + first_id;
  const uint32_t pool = pool_index_.find(hash64({reinterpret_cast<const char*>(ids), 4 * count}), [&](uint32_t other) {
    const wend_span span = pools_[other].ids;
    return span.end - span.begin == count && std::equal(ids, ids + count, ids_.data() + span.begin);
  });
  if (pool == HashIndex::kNone) return {WEND_NONE, WEND_NONE};
  ids_.resize(first_id);
  KnownPool& known = pools_[pool];
  if (known.json.empty()) {
    known.json = bytes_.store(json);
    known.tokens = tokens;
  }
  last_ = pool;
  return known.rows;
}

uint32_t PoolTable::find_known(std::string_view json) const {
  return tool_index_.find(hash64(json), [&](uint32_t id) { return tools_[id].json == json; });
}

// Makes the row of a tool that was not met before; returns its id.
uint32_t PoolTable::read_new(Cursor& cursor, std::string_view json) {
  const uint32_t tool = columns_.add<WEND_TABLE_tool>();
  const uint32_t params = columns_.rows[WEND_TABLE_param];
  columns_.tool_name[tool] = WEND_NONE;
  columns_.tool_description[tool] = WEND_NONE;
  required_.clear();
  read_fields(cursor, tool);
  columns_.tool_params[tool] = {params, columns_.rows[WEND_TABLE_param]};
  std::sort(required_.begin(), required_.end());
  for (uint32_t p = params; p < columns_.rows[WEND_TABLE_param]; ++p) {
    if (std::binary_search(required_.begin(), required_.end(), columns_.param_name[p])) columns_.param_required[p] = 1;
  }
  if (columns_.rows[WEND_TABLE_param] - params > kMaxParams) cursor.fail("a tool has more than 1024 parameters");
  if (cursor.ok() && columns_.tool_name[tool] == WEND_NONE) cursor.fail("a tool has no name");
  const auto id = static_cast<uint32_t>(tools_.size());
  if (cursor.ok()) {
    tool_index_.add(hash64(json), id);
    tools_.push_back({bytes_.store(json), tool});
  }
  return id;
}

void PoolTable::read_tool(Cursor& cursor) {
  failed_ = kNone;
  Cursor again = cursor;
  const std::string_view json = cursor.raw();
  if (!cursor.ok()) return;
  if (const uint32_t id = find_known(json); id != HashIndex::kNone) {
    copy_tool(tools_[id].row);
  } else {
    read_new(again, json);
    if (!again.ok()) cursor = again;
  }
}

// A row for a tool like `from`, with parameters of its own.
void PoolTable::copy_tool(uint32_t from) {
  const uint32_t tool = columns_.add<WEND_TABLE_tool>();
  const uint32_t begin = columns_.rows[WEND_TABLE_param];
  const wend_span params = columns_.tool_params[from];
  for (uint32_t p = params.begin; p < params.end; ++p) {
    const uint32_t param = add_param(tool, columns_.param_name[p]);
    columns_.param_type[param] = columns_.param_type[p];
    columns_.param_required[param] = columns_.param_required[p];
    columns_.param_default_value[param] = columns_.param_default_value[p];
    columns_.param_choices[param] = columns_.param_choices[p];
  }
  columns_.tool_name[tool] = columns_.tool_name[from];
  columns_.tool_description[tool] = columns_.tool_description[from];
  columns_.tool_params[tool] = {begin, columns_.rows[WEND_TABLE_param]};
}

bool PoolTable::find(std::string_view key, wend_span& pool) const {
  for (const Key& known : keys_) {
    if (known.key == key) {
      pool = known.rows;
      return true;
    }
  }
  return false;
}

void PoolTable::remember(std::string_view key, wend_span pool) { keys_.push_back({bytes_.store(key), pool}); }

uint32_t PoolTable::find_tool(wend_span pool, uint32_t name) const {
  const auto begin = columns_.tool_name.begin();
  const auto end = begin + pool.end;
  const auto at = std::find(begin + pool.begin, end, name);
  return at == end ? WEND_NONE : static_cast<uint32_t>(at - begin);
}

uint32_t PoolTable::find_param(uint32_t tool, uint32_t name) const {
  const wend_span params = columns_.tool_params[tool];
  const auto begin = columns_.param_name.begin();
  const auto end = begin + params.end;
  const auto at = std::find(begin + params.begin, end, name);
  return at == end ? WEND_NONE : static_cast<uint32_t>(at - begin);
}

void PoolTable::read_fields(Cursor& cursor, uint32_t tool) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "function" && cursor.peek() == '{') {
      read_fields(cursor, tool);
    } else if (key == "name") {
      const std::string_view name = cursor.string(buffer_);
      if (cursor.ok()) columns_.tool_name[tool] = texts_.intern_name(name);
    } else if (key == "description" && cursor.peek() == '"') {
      const std::string_view text = cursor.string(buffer_);
      if (cursor.ok() && !text.empty()) columns_.tool_description[tool] = texts_.intern(text);
    } else if (key == "parameters" && cursor.peek() == '{') {
      read_parameters(cursor, tool);
    } else if (key == "parameters" && cursor.peek() == '[') {
      read_parameter_list(cursor, tool);
    } else {
      cursor.skip();
    }
  }
}

void PoolTable::read_parameters(Cursor& cursor, uint32_t tool) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "properties" && cursor.peek() == '{') {
      read_properties(cursor, tool);
    } else if (key == "required" && cursor.peek() == '[') {
      cursor.enter_array();
      while (cursor.next_element()) {
        if (cursor.peek() != '"') {
          cursor.skip();
          continue;
        }
        const std::string_view name = cursor.string(buffer_);
        if (cursor.ok()) required_.push_back(texts_.intern_name(name));
      }
    } else {
      cursor.skip();
    }
  }
}

uint32_t PoolTable::add_param(uint32_t tool, uint32_t name) {
  const uint32_t param = columns_.add<WEND_TABLE_param>();
  columns_.param_tool[param] = tool;
  columns_.param_name[param] = name;
  columns_.param_type[param] = WEND_JSON_ANY;
  columns_.param_default_value[param] = WEND_NONE;
  return param;
}

void PoolTable::read_properties(Cursor& cursor, uint32_t tool) {
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    read_schema(cursor, add_param(tool, texts_.intern_name(key)));
  }
}

// The flat form: [{"name": ..., "type": ..., "required": true}, ...].
void PoolTable::read_parameter_list(Cursor& cursor, uint32_t tool) {
  cursor.enter_array();
  while (cursor.next_element()) {
    Cursor names = cursor;
    uint32_t name = WEND_NONE;
    names.enter_object();
    for (std::string_view key; names.next_field(key);) {
      if (key == "name") {
        const std::string_view text = names.string(buffer_);
        if (names.ok()) name = texts_.intern_name(text);
      } else {
        names.skip();
      }
    }
    if (!names.ok() || name == WEND_NONE) {
      cursor.fail(names.ok() ? "a parameter has no name" : names.error());
      return;
    }
    read_schema(cursor, add_param(tool, name));
  }
}

void PoolTable::read_schema(Cursor& cursor, uint32_t param) {
  if (cursor.peek() != '{') {
    cursor.skip();
    return;
  }
  cursor.enter_object();
  for (std::string_view key; cursor.next_field(key);) {
    if (key == "type") {
      columns_.param_type[param] = read_type(cursor);
    } else if ((key == "anyOf" || key == "oneOf") && cursor.peek() == '[') {
      columns_.param_type[param] = read_alternatives(cursor);
    } else if (key == "default") {
      columns_.param_default_value[param] = values_.read(cursor);
    } else if (key == "enum" && cursor.peek() == '[') {
      choices_.clear();
      cursor.enter_array();
      while (cursor.next_element()) choices_.push_back(values_.read(cursor));
      const uint32_t begin = columns_.rows[WEND_TABLE_choice];
      for (const uint32_t value : choices_) {
        const uint32_t choice = columns_.add<WEND_TABLE_choice>();
        columns_.choice_value[choice] = value;
      }
      columns_.param_choices[param] = {begin, columns_.rows[WEND_TABLE_choice]};
    } else if (key == "required" && (cursor.peek() == 't' || cursor.peek() == 'f')) {
      bool required = false;
      if (cursor.boolean(required)) columns_.param_required[param] = required;
    } else {
      cursor.skip();
    }
  }
}

uint8_t PoolTable::read_type(Cursor& cursor) {
  if (cursor.peek() == '"') return json_type_of(cursor.string(buffer_));
  if (cursor.peek() != '[') {
    cursor.skip();
    return WEND_JSON_ANY;
  }
  uint8_t type = WEND_JSON_NULL;
  cursor.enter_array();
  while (cursor.next_element()) type = merge(type, read_type(cursor));
  return type == WEND_JSON_NULL ? uint8_t{WEND_JSON_ANY} : type;
}

uint8_t PoolTable::read_alternatives(Cursor& cursor) {
  uint8_t type = WEND_JSON_NULL;
  cursor.enter_array();
  while (cursor.next_element()) {
    if (cursor.peek() != '{') {
      cursor.skip();
      continue;
    }
    uint8_t one = WEND_JSON_ANY;
    cursor.enter_object();
    for (std::string_view key; cursor.next_field(key);) {
      if (key == "type") {
        one = read_type(cursor);
      } else {
        cursor.skip();
      }
    }
    type = merge(type, one);
  }
  return type;
}

void PoolTable::rollback(const Mark& mark) {
  tool_index_.shrink(mark.known_tools);
  tools_.resize(mark.known_tools);
  pool_index_.shrink(mark.known_pools);
  pools_.resize(mark.known_pools);
  ids_.resize(mark.ids);
  keys_.resize(mark.keys);
  for (KnownPool& pool : pools_) pool.json = {};  // it may have been stored since
  last_ = kNone;
  bytes_.rollback(mark.bytes);
  columns_.truncate<WEND_TABLE_tool>(mark.tools);
  columns_.truncate<WEND_TABLE_param>(mark.params);
  columns_.truncate<WEND_TABLE_choice>(mark.choices);
}

void PoolTable::clear() {
  tools_.clear();
  tool_index_.clear();
  pools_.clear();
  pool_index_.clear();
  ids_.clear();
  keys_.clear();
  last_ = kNone;
  bytes_.clear();
}

}  // namespace wend
