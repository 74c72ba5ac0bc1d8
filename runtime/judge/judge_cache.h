// A judge's answers on disk, so that scoring the same dialogues again asks nobody.
//
// One SQLite file (write-ahead log), keyed by everything that determines an answer. Several processes may use one file
// at once. Only good answers are stored: a failure is worth another try. The cache is a convenience: every error it
// reports leaves the caller free to go on without it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace wend {

using JudgeKey = std::array<std::uint8_t, 32>;

// SHA-256 over the parts, each preceded by its length, so that no two lists of parts share a key by concatenation.
JudgeKey make_judge_key(const std::vector<std::string_view>& parts);

struct CachedVerdict {
  double score = 0;  // of a label: its confidence
  std::string reason;
  std::string label = {};  // empty: a score was asked for
};

// Not for use by two threads at once; each thread opens its own.
class JudgeCache {
 public:
  // Opens or creates the file at `path` (its folder must exist). Fails if it cannot be opened or created, is damaged,
  // or is a database that this class did not make; such a file is left as it is. A file made before there were labels
  // gets a column for them, and is as good for what wrote it as before.
  static Result<JudgeCache> open(const std::string& path);

  JudgeCache(JudgeCache&&) noexcept = default;
  JudgeCache& operator=(JudgeCache&&) noexcept = default;

  // The stored verdict, or nothing. A stored score outside [-1, 1] counts as not stored.
  Result<std::optional<CachedVerdict>> get(const JudgeKey& key);

  // Stores a good verdict, durably against a crash of this process. Judge and model are kept beside it for people who
  // look into the file.
  Result<void> put(const JudgeKey& key, const CachedVerdict& verdict, std::string_view judge, std::string_view model);

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Database = std::unique_ptr<sqlite3, CloseDatabase>;
  using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

  JudgeCache(std::string path, Database database) : path_(std::move(path)), database_(std::move(database)) {}

  Result<void> prepare_schema();
  Result<void> prepare_statements();
  Result<void> execute(const char* sql);
  Result<std::int64_t> query_number(const char* sql);
  Result<Statement> prepare(const char* sql);
  Error failure(std::string_view what) const;

  std::string path_;
  Database database_;  // before the statements: they are finalized first
  Statement select_;
  Statement insert_;
};

}  // namespace wend
