// The HTTP judge with its cache.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bad_server.h"
#include "runtime/judge/http_judge.h"

namespace wend {
namespace {

namespace fs = std::filesystem;
using testing::answer;
using testing::BadServer;
using testing::dead_url;
using ::testing::HasSubstr;
using testing::http;
using ::testing::IsEmpty;
using testing::Scored;
using testing::Script;
using testing::Seen;
using ::testing::SizeIs;

class CachedJudge : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "*", 1);
    ::setenv("NO_PROXY", "*", 1);
    std::string pattern = (fs::temp_directory_path() / "wend-judge-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  HttpJudgeOptions options(const std::string& url) const {
    HttpJudgeOptions options;
    options.endpoint = url;
    options.model = "test-model";
    options.backoff = std::chrono::milliseconds(5);
    options.max_attempts = 2;
    options.cache_path = (folder_ / "judges.sqlite").string();
    return options;
  }

  // A fresh judge, as of a new process, asks one question.
  JudgeReply ask(const HttpJudgeOptions& options, const JudgeRequest& request = {"acr", "prompt", "system", ""}) {
    Result<HttpJudge> judge = HttpJudge::open(options);
    if (!judge) {
      ADD_FAILURE() << judge.error().message;
      return {};
    }
    JudgeReply reply = judge->ask(std::vector<JudgeRequest>{request}).at(0);
    warnings_ = judge->warnings();
    stats_ = judge->stats();
    return reply;
  }

  fs::path folder_;
  std::vector<std::string> warnings_;
  JudgeStats stats_;
};

BadServer::Handler always(const std::string& bytes) {
  return [bytes](int, const Seen&) { return Script{bytes}; };
}

TEST_F(CachedJudge, AHitMakesNoRequest) {
  BadServer server(always(Scored(0.3, "first")));
  const JudgeReply first = ask(options(server.url()));
  EXPECT_FALSE(first.cached);
  const JudgeReply second = ask(options(dead_url()));  // nobody to ask any more
  EXPECT_EQ(to_string(second.status), "ok");
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.score, first.score);
  EXPECT_EQ(second.reason, "first");
  EXPECT_EQ(second.attempts, 0);
  EXPECT_EQ(stats_.cached, 1u);
  EXPECT_EQ(stats_.ok, 1u);
  EXPECT_EQ(stats_.requests, 0u);
  EXPECT_EQ(server.requests(), 1);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(CachedJudge, WhateverShapesTheAnswerIsPartOfTheKey) {
  BadServer server(always(Scored(0.3)));
  const HttpJudgeOptions base = options(server.url());
  ask(base);
  const auto is_asked = [&](const HttpJudgeOptions& changed, const JudgeRequest& request) {
    const int before = server.requests();
    ask(changed, request);
    return server.requests() > before;
  };
  const JudgeRequest request{"acr", "prompt", "system", ""};
  EXPECT_FALSE(is_asked(base, request));
  EXPECT_FALSE(is_asked(base, {"acr", "prompt", "system", "some sample"})) << "the sample is no part of the question";
  EXPECT_TRUE(is_asked(base, {"issr", "prompt", "system", ""}));
  EXPECT_TRUE(is_asked(base, {"acr", "Prompt", "system", ""}));
  EXPECT_TRUE(is_asked(base, {"acr", "prompt", "", ""}));
  HttpJudgeOptions changed = base;
  changed.model = "other";
  EXPECT_TRUE(is_asked(changed, request));
  changed = base;
  changed.temperature = 0.5;
  EXPECT_TRUE(is_asked(changed, request));
  changed = base;
  changed.max_tokens = 100;
  EXPECT_TRUE(is_asked(changed, request));
  changed = base;
  changed.concurrency = 1;
  EXPECT_FALSE(is_asked(changed, request)) << "how it is asked is no part of the question";
}

TEST_F(CachedJudge, KeepsLabelsByTheLabelsAskedFor) {
  BadServer server(always(answer(R"({"label": "b", "confidence": 0.25, "score": 1, "reason": "r"})")));
  const JudgeRequest request{"intent", "prompt", "system", "", {"a", "b"}};
  const JudgeReply first = ask(options(server.url()), request);
  EXPECT_EQ(first.label, 1u);
  const JudgeReply second = ask(options(dead_url()), request);
  EXPECT_EQ(to_string(second.status), "ok");
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.label, 1u);
  EXPECT_EQ(second.score, 0.25);
  EXPECT_EQ(second.reason, "r");
  JudgeRequest changed = request;
  changed.labels = {"b", "a"};
  EXPECT_FALSE(ask(options(server.url()), changed).cached);
  changed.labels = {};
  EXPECT_EQ(ask(options(server.url()), changed).score, 1) << "a score, where no labels are asked for";
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(CachedJudge, FailuresAreNotKept) {
  for (const std::string& bad : {answer("garbage"), Scored(3), http(500, ""), http(400, ""), std::string("noise")}) {
    SCOPED_TRACE(bad);
    fs::remove(folder_ / "judges.sqlite");
    {
      BadServer server(always(bad));
      EXPECT_FALSE(ask(options(server.url())).ok());
    }
    BadServer server(always(Scored(0.3)));
    const JudgeReply reply = ask(options(server.url()));
    EXPECT_EQ(to_string(reply.status), "ok");
    EXPECT_FALSE(reply.cached);
    EXPECT_EQ(server.requests(), 1);
  }
}

TEST_F(CachedJudge, ADamagedCacheIsReportedAndDoneWithout) {
  BadServer server(always(Scored(0.3)));
  const HttpJudgeOptions base = options(server.url());
  std::ofstream(base.cache_path) << std::string(10'000, 'x');
  EXPECT_EQ(to_string(ask(base).status), "ok");
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_[0], HasSubstr(base.cache_path));
  EXPECT_THAT(warnings_[0], HasSubstr("going on without it"));
}

TEST_F(CachedJudge, ACacheThatBreaksInUseIsReportedAndDoneWithout) {
  BadServer server(always(Scored(0.3)));
  const HttpJudgeOptions base = options(server.url());
  Result<HttpJudge> judge = HttpJudge::open(base);
  ASSERT_TRUE(judge);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(base.cache_path.c_str(), &other), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(other, "DROP TABLE verdict", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  const std::vector<JudgeRequest> requests = {{"acr", "a", "", ""}, {"acr", "b", "", ""}};
  for (const JudgeReply& reply : judge->ask(requests)) EXPECT_EQ(to_string(reply.status), "ok");
  EXPECT_THAT(judge->warnings(), SizeIs(1));
}

TEST_F(CachedJudge, ProgressCountsWhatWasKnown) {
  BadServer server(always(Scored(0.3)));
  ask(options(server.url()));
  Result<HttpJudge> judge = HttpJudge::open(options(server.url()));
  ASSERT_TRUE(judge);
  std::size_t last = 0;
  const std::vector<JudgeRequest> requests = {{"acr", "prompt", "system", ""}, {"acr", "new", "system", ""}};
  judge->ask(requests, [&](std::size_t done, std::size_t) { last = done; });
  EXPECT_EQ(last, 2u);
  EXPECT_EQ(judge->stats().cached, 1u);
  EXPECT_EQ(judge->stats().requests, 1u);
}

}  // namespace
}  // namespace wend
