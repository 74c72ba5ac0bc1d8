#include "runtime/judge/judge_cache.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace wend {
namespace {

namespace fs = std::filesystem;

class JudgeCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "wend-cache-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = (folder_ / "judges.sqlite").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  static JudgeCache Open(const std::string& path) {
    Result<JudgeCache> cache = JudgeCache::open(path);
    if (!cache) {
      ADD_FAILURE() << cache.error().message;
      std::abort();
    }
    return std::move(*cache);
  }

  void sql(const std::string& statement) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  static std::string Bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  fs::path folder_;
  std::string path_;
};

const JudgeKey kKey = make_judge_key({"acr", "model", "system", "prompt"});

TEST(MakeJudgeKey, IsSha256OverPartsAndTheirLengths) {
  // sha256 of 03 00 00 00 00 00 00 00 'a' 'b' 'c', computed elsewhere.
  const JudgeKey key = make_judge_key({"abc"});
  std::string hex;
  for (std::uint8_t byte : key) {
    constexpr const char* kDigits = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  EXPECT_EQ(hex, "ce91dc5eec0139adf091900d225971d6ad246a845bad791b5693a9d0d55dd391");
}

TEST(MakeJudgeKey, SeparatesItsParts) {
  EXPECT_NE(make_judge_key({"ab", "c"}), make_judge_key({"a", "bc"}));
  EXPECT_NE(make_judge_key({"abc"}), make_judge_key({"abc", ""}));
  EXPECT_EQ(make_judge_key({"ab", "c"}), make_judge_key({"ab", "c"}));
}

TEST_F(JudgeCacheTest, RemembersAcrossOpenings) {
  using std::string_literals::operator""s;
  const std::string reason = "naïve \"quotes\", 한국어, and a \0 byte"s;
  {
    JudgeCache cache = Open(path_);
    EXPECT_FALSE(cache.get(kKey)->has_value());
    ASSERT_TRUE(cache.put(kKey, {0.1 + 0.2, reason}, "acr", "model"));
    ASSERT_TRUE(cache.put(make_judge_key({"other"}), {-1, ""}, "issr", "model"));
  }
  JudgeCache cache = Open(path_);
  const auto found = cache.get(kKey);
  ASSERT_TRUE(found && found->has_value());
  EXPECT_EQ((*found)->score, 0.1 + 0.2);
  EXPECT_EQ((*found)->reason, reason);
  EXPECT_EQ((*cache.get(make_judge_key({"other"})))->reason, "");
}

// The schema of before there were labels, as it was.
constexpr const char* kOldSchema =
    "CREATE TABLE verdict(key BLOB PRIMARY KEY, score REAL NOT NULL, reason TEXT NOT NULL, judge TEXT NOT NULL,"
    " model TEXT NOT NULL, stored_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP) WITHOUT ROWID;"
    "PRAGMA application_id = 1464484657;";

TEST_F(JudgeCacheTest, TakesAFileOfBeforeThereWereLabels) {
  std::string hex;
  for (std::uint8_t byte : kKey) {
    constexpr const char* kDigits = "0123456789abcdef";
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  sql(kOldSchema);
  const std::string insert = "INSERT INTO verdict(key, score, reason, judge, model) VALUES(x'";
  sql(insert + hex + "', 0.5, 'old', 'acr', 'model')");
  const JudgeKey labelled = make_judge_key({"labelled"});
  for (int opening = 0; opening < 2; ++opening) {
    JudgeCache cache = Open(path_);
    const auto found = cache.get(kKey);
    ASSERT_TRUE(found && found->has_value());
    EXPECT_EQ((*found)->score, 0.5);
    EXPECT_EQ((*found)->reason, "old");
    EXPECT_EQ((*found)->label, "");
    ASSERT_TRUE(cache.put(labelled, {0.75, "new", "modified"}, "intent", "model"));
    EXPECT_EQ((*cache.get(labelled))->label, "modified");
  }
  // The statement by which an older version writes still works.
  sql(insert + "00', 1, 'x', 'acr', 'model')");
}

TEST_F(JudgeCacheTest, TheLastPutWins) {
  JudgeCache cache = Open(path_);
  ASSERT_TRUE(cache.put(kKey, {0.5, "old"}, "acr", "model"));
  ASSERT_TRUE(cache.put(kKey, {-0.5, "new"}, "acr", "model"));
  EXPECT_EQ((*cache.get(kKey))->reason, "new");
}

TEST_F(JudgeCacheTest, DistrustsAStoredScoreOutOfRange) {
  Open(path_).put(kKey, {0.5, "x"}, "acr", "model").value();
  sql("UPDATE verdict SET score = 5");
  EXPECT_FALSE(Open(path_).get(kKey)->has_value());
}

TEST_F(JudgeCacheTest, ReportsNoiseAndLeavesItAlone) {
  const std::string noise(10'000, 'x');
  std::ofstream(path_, std::ios::binary) << noise;
  const Result<JudgeCache> cache = JudgeCache::open(path_);
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message.find(path_), std::string::npos);
  EXPECT_EQ(Bytes(path_), noise);
}

TEST_F(JudgeCacheTest, ReportsDamageInsideItsOwnFile) {
  {
    JudgeCache cache = Open(path_);
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(cache.put(make_judge_key({std::to_string(i)}), {0, std::string(200, 'r')}, "acr", "model"));
    }
  }
  std::string bytes = Bytes(path_);
  ASSERT_GT(bytes.size(), 40'000u);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(0xA5);  // all pages but the first
  std::ofstream(path_, std::ios::binary) << bytes;
  Result<JudgeCache> cache = JudgeCache::open(path_);
  if (!cache) return;  // noticed at once
  const auto found = cache->get(make_judge_key({"7"}));
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("malformed"), std::string::npos) << found.error().message;
}

TEST_F(JudgeCacheTest, RefusesADatabaseOfAnotherProgram) {
  sql("CREATE TABLE precious(x); INSERT INTO precious VALUES(1)");
  const std::string before = Bytes(path_);
  const Result<JudgeCache> cache = JudgeCache::open(path_);
  ASSERT_FALSE(cache);
  EXPECT_NE(cache.error().message.find("another program"), std::string::npos);
  EXPECT_EQ(Bytes(path_), before);
}

TEST_F(JudgeCacheTest, ReportsAFolderAndAMissingFolder) {
  EXPECT_FALSE(JudgeCache::open(folder_.string()));
  EXPECT_FALSE(JudgeCache::open((folder_ / "missing" / "judges.sqlite").string()));
}

// The switch of a new file to the write-ahead log needs the file alone: openers must wait for each other.
TEST_F(JudgeCacheTest, OpensANewFileFromSeveralProcessesAtOnce) {
  for (int round = 0; round < 25; ++round) {
    const std::string path = path_ + std::to_string(round);
    std::vector<pid_t> children;
    for (int p = 0; p < 6; ++p) {
      const pid_t child = ::fork();
      ASSERT_GE(child, 0);
      if (child == 0) ::_exit(JudgeCache::open(path).ok() ? 0 : 1);
      children.push_back(child);
    }
    for (pid_t child : children) {
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
  }
}

// Several processes that open a new file at once, write into it at once, and read what the others wrote.
TEST_F(JudgeCacheTest, ServesSeveralProcessesAtOnce) {
  constexpr int kProcesses = 4;
  constexpr int kEach = 50;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Result<JudgeCache> cache = JudgeCache::open(path_);
      bool good = cache.ok();
      for (int i = 0; good && i < kEach; ++i) {
        const std::string name = std::to_string(p) + ":" + std::to_string(i);
        good = cache->put(make_judge_key({name}), {0.5, name}, "acr", "model").ok() &&
               cache->put(make_judge_key({"shared" + std::to_string(i)}), {1, "same"}, "acr", "model").ok();
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  JudgeCache cache = Open(path_);
  for (int p = 0; p < kProcesses; ++p) {
    for (int i = 0; i < kEach; ++i) {
      const std::string name = std::to_string(p) + ":" + std::to_string(i);
      const auto found = cache.get(make_judge_key({name}));
      ASSERT_TRUE(found && found->has_value()) << name;
      EXPECT_EQ((*found)->reason, name);
    }
  }
}

}  // namespace
}  // namespace wend
