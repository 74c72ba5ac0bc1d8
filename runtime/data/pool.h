// PoolTable: the `tool`, `param` and `choice` tables of a batch: the candidate tools of its traces.
//
// Most traces of a file share their tools, or draw them from one catalogue. A tool whose JSON has the same bytes as one
// read before is recognised by them and copied; a pool of the same tools in the same order gets the same rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/arena.h"
#include "runtime/data/columns.h"
#include "runtime/data/hash_index.h"
#include "runtime/data/json_cursor.h"
#include "runtime/data/texts.h"
#include "runtime/data/values.h"

namespace wend {

inline constexpr uint32_t kMaxTools = 16384;  // of a pool
inline constexpr uint32_t kMaxParams = 1024;  // of a tool

// The WEND_JSON_* of a type name as schemas write it: JSON Schema's and those of Python, Java and JavaScript.
uint8_t json_type_of(std::string_view name);

class PoolTable {
 public:
  struct Mark {
    uint32_t tools, params, choices;
    size_t known_tools, known_pools, ids, keys;
    Arena::Mark bytes;
  };

  PoolTable(Columns& columns, TextTable& texts, ValueTable& values)
      : columns_(columns), texts_(texts), values_(values) {}

  // Reads a list of tools: OpenAI function tools or bare {name, description, parameters}. Empty if the cursor failed.
  wend_span read(Cursor& cursor);
  // The key of what Read failed at: "LIST[3]", or LIST if it was no tool.
  std::string failed_key(std::string_view list) const;

  // The first row of the pool with that name (rows of `text`), WEND_NONE if there is none.
  uint32_t find_tool(wend_span pool, uint32_t name) const;
  uint32_t find_param(uint32_t tool, uint32_t name) const;

  // Pools made of single tools (BFCL): tools read between begin_pool and end_pool.
  uint32_t begin_pool() const { return columns_.rows[WEND_TABLE_tool]; }
  void read_tool(Cursor& cursor);
  wend_span end_pool(uint32_t begin) const { return {begin, columns_.rows[WEND_TABLE_tool]}; }

  // A pool known by a text of the caller's own, instead of its JSON.
  bool find(std::string_view key, wend_span& pool) const;
  void remember(std::string_view key, wend_span pool);

  Mark mark() const {
    return {columns_.rows[WEND_TABLE_tool],
            columns_.rows[WEND_TABLE_param],
            columns_.rows[WEND_TABLE_choice],
            tools_.size(),
            pools_.size(),
            ids_.size(),
            keys_.size(),
            bytes_.mark()};
  }
  void rollback(const Mark& mark);
  void clear();

 private:
  struct KnownTool {
    std::string_view json;
    uint32_t row;
  };
  struct KnownPool {
    wend_span ids;  // its tools: of ids_, which are of tools_
    wend_span rows;
    std::string_view json;  // kept when it has come twice
    uint32_t tokens;        // of the JSON
  };
  struct Key {
    std::string_view key;
    wend_span rows;
  };
  static constexpr size_t kNone = static_cast<size_t>(-1);

  bool is_last(const Cursor& cursor) const;
  uint32_t find_known(std::string_view json) const;
  uint32_t read_new(Cursor& cursor, std::string_view json);
  wend_span same_pool(uint32_t first_id, std::string_view json, uint32_t tokens);
  void copy_tool(uint32_t tool);
  void read_fields(Cursor& cursor, uint32_t tool);
  void read_parameters(Cursor& cursor, uint32_t tool);
  void read_properties(Cursor& cursor, uint32_t tool);
  void read_parameter_list(Cursor& cursor, uint32_t tool);
  void read_schema(Cursor& cursor, uint32_t param);
  uint8_t read_type(Cursor& cursor);
  uint8_t read_alternatives(Cursor& cursor);
  uint32_t add_param(uint32_t tool, uint32_t name);

  Columns& columns_;
  TextTable& texts_;
  ValueTable& values_;
  Arena bytes_;
  std::vector<KnownTool> tools_;
  HashIndex tool_index_;  // of tools_, by their JSON
  std::vector<KnownPool> pools_;
  HashIndex pool_index_;  // of pools_, by their ids
  std::vector<uint32_t> ids_;
  std::vector<Key> keys_;
  size_t last_ = kNone;    // the pool read last: mostly the next one too
  size_t failed_ = kNone;  // position of the tool that could not be read
  std::vector<uint32_t> required_, choices_;
  PaddedBuffer buffer_;
};

}  // namespace wend
