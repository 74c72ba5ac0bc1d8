#include "runtime/judge/judge_cache.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sqlite3.h>

#include <cassert>
#include <chrono>
#include <thread>

namespace wend {
namespace {

// Marks a database as ours ("WJC1"), so that no other program's file is written into by mistake.
constexpr std::int64_t kApplicationId = 0x574A4331;
constexpr int kBusyMilliseconds = 10'000;

constexpr const char* kSchema =
    "CREATE TABLE verdict(key BLOB PRIMARY KEY, score REAL NOT NULL, reason TEXT NOT NULL, judge TEXT NOT NULL,"
    " model TEXT NOT NULL, stored_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, label TEXT NOT NULL DEFAULT '') WITHOUT "
    "ROWID;"
    "PRAGMA application_id = 1464484657;";
// Files of before there were labels lack the last column.
constexpr const char* kHasLabels = "SELECT count(*) FROM pragma_table_info('verdict') WHERE name = 'label'";
constexpr const char* kAddLabels = "ALTER TABLE verdict ADD COLUMN label TEXT NOT NULL DEFAULT ''";
static_assert(kApplicationId == 1464484657, "the schema's application_id is kApplicationId in decimal");

void bind_text(sqlite3_stmt* statement, int index, std::string_view text) {
  // SQLITE_STATIC: every text outlives the step that reads it. An empty view may hold a null pointer, which would
  // bind NULL.
  const char* data = text.empty() ? "" : text.data();
  sqlite3_bind_text64(statement, index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void bind_key(sqlite3_stmt* statement, int index, const JudgeKey& key) {
  sqlite3_bind_blob(statement, index, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
}

std::string_view column_text(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

// Ends a statement's step at the end of a scope, so that no read transaction stays open between calls.
class ResetAtExit {
 public:
  explicit ResetAtExit(sqlite3_stmt* statement) : statement_(statement) {}
  ~ResetAtExit() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  ResetAtExit(const ResetAtExit&) = delete;
  ResetAtExit& operator=(const ResetAtExit&) = delete;

 private:
  sqlite3_stmt* statement_;
};

}  // namespace

JudgeKey make_judge_key(const std::vector<std::string_view>& parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (std::string_view part : parts) {
    std::array<std::uint8_t, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<std::uint8_t>(part.size() >> (8 * i));
    good = good && EVP_DigestUpdate(context.get(), length.data(), length.size()) == 1 &&
           EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  }
  JudgeKey key{};
  unsigned written = 0;
  good = good && EVP_DigestFinal_ex(context.get(), key.data(), &written) == 1 && written == key.size();
  // SHA-256 of bytes in memory fails only if libcrypto is broken or memory has run out.
  if (!good) std::abort();
  return key;
}

void JudgeCache::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void JudgeCache::FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Error JudgeCache::failure(std::string_view what) const {
  return Error{fmt::format("judge cache `{}`: {}: {}", path_, what, sqlite3_errmsg(database_.get()))};
}

Result<JudgeCache> JudgeCache::open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int rc = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  JudgeCache cache(path, Database(raw));
  if (raw == nullptr) return Error{fmt::format("judge cache `{}`: out of memory", path)};
  if (rc != SQLITE_OK) return cache.failure("cannot open");
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  if (Result<void> ready = cache.prepare_schema(); !ready) return ready.error();
  if (Result<void> ready = cache.prepare_statements(); !ready) return ready.error();
  return cache;
}

Result<void> JudgeCache::prepare_schema() {
  // The lock comes before the look: of two processes that open a new file at once, one makes the table and the other
  // finds it.
  if (Result<void> begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
  const Result<std::int64_t> tables = query_number("SELECT count(*) FROM sqlite_master");
  if (!tables) return tables.error();
  const Result<std::int64_t> id = query_number("PRAGMA application_id");
  if (!id) return id.error();
  if (*tables != 0 && *id != kApplicationId) {
    return Error{fmt::format("judge cache `{}`: is a database of another program", path_)};
  }
  if (*tables == 0) {
    if (Result<void> made = execute(kSchema); !made) return made;
  }
  const Result<std::int64_t> labels = query_number(kHasLabels);
  if (!labels) return labels.error();
  if (*labels == 0) {
    if (Result<void> added = execute(kAddLabels); !added) return added;
  }
  if (Result<void> committed = execute("COMMIT"); !committed) return committed;

  // Changing the journal mode needs the file for itself and does not wait for it, so two new processes can collide.
  Result<void> wal = execute("PRAGMA journal_mode = WAL");
  for (int tries = 1; !wal && sqlite3_errcode(database_.get()) == SQLITE_BUSY && tries < 100; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    wal = execute("PRAGMA journal_mode = WAL");
  }
  if (!wal) return wal;
  // With a write-ahead log, NORMAL can lose the last answers to a power cut, never the file.
  return execute("PRAGMA synchronous = NORMAL");
}

Result<void> JudgeCache::prepare_statements() {
  Result<Statement> select = prepare("SELECT score, reason, label FROM verdict WHERE key = ?1");
  if (!select) return select.error();
  select_ = std::move(*select);
  Result<Statement> insert =
      prepare("INSERT OR REPLACE INTO verdict(key, score, reason, judge, model, label) VALUES(?1,?2,?3,?4,?5,?6)");
  if (!insert) return insert.error();
  insert_ = std::move(*insert);
  return {};
}

Result<void> JudgeCache::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure("cannot be used");
  return {};
}

Result<std::int64_t> JudgeCache::query_number(const char* sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  if (sqlite3_step(statement->get()) != SQLITE_ROW) return failure("cannot read");
  return static_cast<std::int64_t>(sqlite3_column_int64(statement->get(), 0));
}

Result<JudgeCache::Statement> JudgeCache::prepare(const char* sql) {
  sqlite3_stmt* raw = nullptr;
  const int rc = sqlite3_prepare_v2(database_.get(), sql, -1, &raw, nullptr);
  Statement statement(raw);
  if (rc != SQLITE_OK) return failure("cannot read");
  return statement;
}

Result<std::optional<CachedVerdict>> JudgeCache::get(const JudgeKey& key) {
  sqlite3_stmt* statement = select_.get();
  const ResetAtExit reset(statement);
  bind_key(statement, 1, key);
  const int rc = sqlite3_step(statement);
  if (rc == SQLITE_DONE) return std::optional<CachedVerdict>();
  if (rc != SQLITE_ROW) return failure("cannot read");
  CachedVerdict verdict{sqlite3_column_double(statement, 0), std::string(column_text(statement, 1)),
                        std::string(column_text(statement, 2))};
  if (!(verdict.score >= -1 && verdict.score <= 1)) return std::optional<CachedVerdict>();
  return std::optional<CachedVerdict>(std::move(verdict));
}

Result<void> JudgeCache::put(const JudgeKey& key, const CachedVerdict& verdict, std::string_view judge,
                             std::string_view model) {
  assert(verdict.score >= -1 && verdict.score <= 1);
  sqlite3_stmt* statement = insert_.get();
  const ResetAtExit reset(statement);
  bind_key(statement, 1, key);
  sqlite3_bind_double(statement, 2, verdict.score);
  bind_text(statement, 3, verdict.reason);
  bind_text(statement, 4, judge);
  bind_text(statement, 5, model);
  bind_text(statement, 6, verdict.label);
  if (sqlite3_step(statement) != SQLITE_DONE) return failure("cannot write");
  return {};
}

}  // namespace wend
