// The HTTP judge against a server that misbehaves: what is sent, what comes back, what is tried again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "judge_testing.h"

namespace wend {
namespace {

using namespace std::chrono_literals;
using testing::answer;
using testing::ask_once;
using testing::ask_one;
using testing::BadServer;
using testing::dead_url;
using ::testing::HasSubstr;
using testing::http;
using testing::HttpJudgeTest;
using testing::InOrder;
using ::testing::Not;
using testing::Open;
using testing::Options;
using testing::requests_of;
using testing::Scored;
using testing::Script;
using testing::Seen;

TEST_F(HttpJudgeTest, SendsAChatCompletionAndReadsTheVerdict) {
  BadServer server(InOrder({{Scored(0.75, "good question")}}));
  HttpJudge judge = Open(Options(server.url()));
  const std::vector<JudgeReply> replies =
      judge.ask(std::vector<JudgeRequest>{{"acr", "rate \"this\"\n\xff", "be fair", ""}});
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(to_string(replies[0].status), "ok") << replies[0].reason;
  EXPECT_EQ(replies[0].score, 0.75);
  EXPECT_EQ(replies[0].reason, "good question");
  EXPECT_EQ(replies[0].attempts, 1);
  EXPECT_FALSE(replies[0].cached);

  const Seen seen = server.seen().at(0);
  EXPECT_THAT(seen.head, HasSubstr("POST /v1/chat/completions HTTP/1.1"));
  EXPECT_THAT(seen.head, Not(HasSubstr("Authorization")));
  const auto body = nlohmann::json::parse(seen.body);
  EXPECT_EQ(body["model"], "test-model");
  EXPECT_EQ(body["temperature"], 0);
  EXPECT_EQ(body["max_tokens"], 256);
  EXPECT_EQ(body["messages"][0]["role"], "system");
  EXPECT_EQ(body["messages"][0]["content"], "be fair");
  EXPECT_EQ(body["messages"][1]["role"], "user");
  EXPECT_EQ(body["messages"][1]["content"], "rate \"this\"\n\xEF\xBF\xBD") << "broken UTF-8 is replaced, not sent";
}

TEST_F(HttpJudgeTest, TriesAgainAfterPassingFailures) {
  const std::string whole = Scored(1);
  const std::vector<std::pair<const char*, Script>> failures = {
      {"500", {http(500, "oops")}},
      {"503", {http(503, "")}},
      {"408", {http(408, "")}},
      {"429", {http(429, "")}},
      {"half a reply", {whole.substr(0, whole.size() - 20)}},
      {"half a reply without a length", {"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"choices\": [{\"mess"}},
      {"half a chunk", {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{\"choices\""}},
      {"an empty reply", {http(200, "")}},
      {"nothing at all", {""}},
      {"a reset", {"", 0ms, 0ms, true}},
  };
  for (const auto& [name, failure] : failures) {
    SCOPED_TRACE(name);
    BadServer server(InOrder({failure, {Scored(0.5)}}));
    HttpJudge judge = Open(Options(server.url()));
    const JudgeReply reply = ask_one(judge);
    EXPECT_EQ(to_string(reply.status), "ok") << reply.reason;
    EXPECT_EQ(reply.score, 0.5);
    EXPECT_EQ(reply.attempts, 2);
    EXPECT_EQ(server.requests(), 2);
    EXPECT_EQ(judge.stats().retries, 1u);
  }
}

TEST_F(HttpJudgeTest, DoesNotRepeatWhatWouldFailAgain) {
  const std::vector<std::tuple<const char*, std::string, std::string>> failures = {
      {"http_error", http(400, R"({"error": {"message": "context too long"}})"), "HTTP 400: context too long"},
      {"http_error", http(404, "<h1>nope</h1>"), "HTTP 404"},
      {"http_error", http(302, "", "Location: http://127.0.0.1:1/elsewhere\r\n"), "HTTP 302"},
      {"bad_reply", http(200, "<html>hello</html>"), "not JSON"},
      {"bad_reply", answer("I like it."), "no JSON object"},
      {"bad_reply", "!!! this is no HTTP !!!\r\n\r\n", ""},
      {"no_score", answer(R"({"reason": "none"})"), "no `score`"},
      {"out_of_range", Scored(1.5), "1.5"},
      {"out_of_range", answer(R"({"score": NaN})"), "NaN"},
  };
  for (const auto& [status, bytes, text] : failures) {
    SCOPED_TRACE(bytes);
    BadServer server(InOrder({{bytes}}));
    const JudgeReply reply = ask_once(server);
    EXPECT_EQ(to_string(reply.status), status);
    EXPECT_THAT(reply.reason, HasSubstr(text));
    EXPECT_FALSE(reply.reason.empty());
    EXPECT_EQ(reply.score, 0);
    EXPECT_EQ(reply.attempts, 1);
    EXPECT_EQ(server.requests(), 1);
  }
}

TEST_F(HttpJudgeTest, ReadsFencedJson) {
  BadServer server(InOrder({{answer("Sure!\n```json\n{\"score\": -0.25, \"reason\": \"stuck\"}\n```\n")}}));
  const JudgeReply reply = ask_once(server);
  EXPECT_EQ(to_string(reply.status), "ok");
  EXPECT_EQ(reply.score, -0.25);
  EXPECT_EQ(reply.reason, "stuck");
}

TEST_F(HttpJudgeTest, StopsAfterItsAttempts) {
  BadServer server(InOrder({{http(500, R"({"error": "melted"})")}}));
  const JudgeReply reply = ask_once(server);
  EXPECT_EQ(to_string(reply.status), "http_error");
  EXPECT_EQ(reply.reason, "HTTP 500: melted");
  EXPECT_EQ(reply.attempts, 4);
  EXPECT_EQ(server.requests(), 4);
}

TEST_F(HttpJudgeTest, DoesNotWaitForAServerThatStalls) {
  const std::string whole = Scored(1);
  const std::vector<std::pair<const char*, Script>> stalls = {
      {"before the reply", {whole, 60s}},
      {"in the middle of it", {whole.substr(0, whole.size() / 2), 0ms, 60s}},
      {"in the middle of the headers", {whole.substr(0, 30), 0ms, 60s}},
  };
  for (const auto& [name, stall] : stalls) {
    SCOPED_TRACE(name);
    BadServer server(InOrder({stall, stall, {Scored(0.5)}}));
    HttpJudgeOptions options = Options(server.url());
    options.timeout = 200ms;
    options.max_attempts = 2;
    HttpJudge judge = Open(options);
    const auto start = std::chrono::steady_clock::now();
    const JudgeReply stalled = ask_one(judge);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 15s);
    EXPECT_EQ(to_string(stalled.status), "timeout");
    EXPECT_EQ(stalled.attempts, 2);
    EXPECT_EQ(server.requests(), 2);
  }
}

TEST_F(HttpJudgeTest, ATimeoutIsTriedAgain) {
  BadServer server(InOrder({{Scored(1), 60s}, {Scored(0.5)}}));
  HttpJudgeOptions options = Options(server.url());
  options.timeout = 2s;
  HttpJudge judge = Open(options);
  const JudgeReply reply = ask_one(judge);
  EXPECT_EQ(to_string(reply.status), "ok");
  EXPECT_EQ(reply.score, 0.5);
  EXPECT_EQ(reply.attempts, 2);
}

TEST_F(HttpJudgeTest, ReportsARefusedConnection) {
  HttpJudge judge = Open(Options(dead_url()));
  const JudgeReply reply = ask_one(judge);
  EXPECT_EQ(to_string(reply.status), "network_error");
  EXPECT_FALSE(reply.reason.empty());
  EXPECT_EQ(reply.attempts, 4);
}

TEST_F(HttpJudgeTest, StopsReadingAHugeBody) {
  const std::string huge(8 << 20, 'x');
  const std::vector<std::string> replies = {http(200, huge), "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + huge,
                                            http(500, huge)};
  for (const std::string& bytes : replies) {
    BadServer server(InOrder({{bytes}}));
    const JudgeReply reply = ask_once(server);
    EXPECT_EQ(to_string(reply.status), "too_large");
    EXPECT_EQ(reply.attempts, 1);
  }
}

TEST_F(HttpJudgeTest, RepliesComeInTheOrderOfTheRequests) {
  BadServer server([](int number, const Seen& seen) {
    const std::string prompt = nlohmann::json::parse(seen.body)["messages"][1]["content"];
    const int index = std::stoi(prompt.substr(7));
    // Earlier requests take longer, and some fail first.
    if (number % 5 == 0) return Script{http(500, "")};
    return Script{Scored(index / 100.0, prompt), std::chrono::milliseconds(40 - index)};
  });
  HttpJudgeOptions options = Options(server.url());
  options.max_attempts = 50;
  HttpJudge judge = Open(options);
  const std::vector<JudgeReply> replies = judge.ask(requests_of(40));
  for (std::size_t i = 0; i < replies.size(); ++i) {
    EXPECT_EQ(replies[i].reason, "prompt " + std::to_string(i));
    EXPECT_EQ(replies[i].score, static_cast<double>(i) / 100.0);
  }
}

TEST_F(HttpJudgeTest, CountsEverythingOnce) {
  BadServer server([](int, const Seen& seen) {
    const std::string prompt = nlohmann::json::parse(seen.body)["messages"][1]["content"];
    if (prompt == "prompt 0") return Script{http(500, "")};
    if (prompt == "prompt 1") return Script{answer("garbage")};
    if (prompt == "prompt 2") return Script{Scored(2)};
    return Script{Scored(0.5)};
  });
  HttpJudge judge = Open(Options(server.url()));
  std::size_t calls = 0;
  std::size_t last = 0;
  judge.ask(requests_of(10), [&](std::size_t done, std::size_t total) {
    EXPECT_EQ(total, 10u);
    EXPECT_GT(done, last);
    last = done;
    ++calls;
  });
  EXPECT_EQ(calls, 10u);
  EXPECT_EQ(last, 10u);
  const JudgeStats& stats = judge.stats();
  EXPECT_EQ(stats.asked, 10u);
  EXPECT_EQ(stats.ok, 7u);
  EXPECT_EQ(stats.failed, 3u);
  EXPECT_EQ(stats.count(JudgeStatus::http_error), 1u);
  EXPECT_EQ(stats.count(JudgeStatus::bad_reply), 1u);
  EXPECT_EQ(stats.count(JudgeStatus::out_of_range), 1u);
  EXPECT_EQ(stats.retries, 3u);
  EXPECT_EQ(stats.requests, 13u);
  EXPECT_EQ(stats.cached, 0u);
  EXPECT_GT(stats.seconds, 0);
  EXPECT_TRUE(judge.ask({}).empty());
  EXPECT_EQ(judge.stats().asked, 10u);
}

TEST_F(HttpJudgeTest, SendsTheKeyAndNeverShowsIt) {
  const std::string key = "sk-test-0123456789abcdef";
  ::setenv("WEND_TEST_JUDGE_KEY", key.c_str(), 1);
  const std::string echo = "invalid key: " + key;
  // The last one ends its quoted part, at 200 bytes, in the middle of the key.
  const std::vector<std::string> replies = {http(401, R"({"error": {"message": ")" + echo + R"("}})"),
                                            http(200, echo),
                                            Scored(0.5, echo),
                                            http(401, R"({"error": "key \u0073k\u002dtest-0123456789abcdef"})"),
                                            answer(R"({"score": ")" + key + R"("})"),
                                            http(403, std::string(190, '.') + key)};
  for (const std::string& bytes : replies) {
    BadServer server(InOrder({{bytes}}));
    HttpJudgeOptions options = Options(server.url());
    options.api_key_env = "WEND_TEST_JUDGE_KEY";
    HttpJudge judge = Open(options);
    const JudgeReply reply = ask_one(judge);
    EXPECT_THAT(server.seen().at(0).head, HasSubstr("Authorization: Bearer " + key));
    EXPECT_THAT(server.seen().at(0).body, Not(HasSubstr(key)));
    EXPECT_THAT(reply.reason, Not(HasSubstr(key.substr(0, 8))));
    EXPECT_FALSE(reply.reason.empty());
  }
  ::unsetenv("WEND_TEST_JUDGE_KEY");
}

TEST_F(HttpJudgeTest, ReportsOptionsThatCannotWork) {
  const auto error = [](auto change) {
    HttpJudgeOptions options = Options("http://127.0.0.1:1/v1");
    change(options);
    const Result<HttpJudge> judge = HttpJudge::open(options);
    return judge ? std::string("none") : judge.error().message;
  };
  EXPECT_EQ(error([](HttpJudgeOptions&) {}), "none");
  EXPECT_THAT(error([](auto& o) { o.endpoint = ""; }), HasSubstr("not a URL"));
  EXPECT_THAT(error([](auto& o) { o.endpoint = "sk-secret key"; }), Not(HasSubstr("sk-secret")));
  EXPECT_THAT(error([](auto& o) { o.endpoint = "ftp://host/v1"; }), HasSubstr("ftp"));
  EXPECT_THAT(error([](auto& o) { o.endpoint = "http://me:pw123@host/v1"; }), Not(HasSubstr("pw123")));
  EXPECT_THAT(error([](auto& o) { o.endpoint = "http://me:pw123@host/v1"; }), HasSubstr("environment variable"));
  EXPECT_THAT(error([](auto& o) { o.model = ""; }), HasSubstr("model"));
  EXPECT_THAT(error([](auto& o) { o.api_key_env = "WEND_TEST_UNSET_VARIABLE"; }),
              HasSubstr("WEND_TEST_UNSET_VARIABLE"));
  EXPECT_THAT(error([](auto& o) { o.concurrency = 0; }), HasSubstr("concurrency"));
  EXPECT_THAT(error([](auto& o) { o.requests_per_second = -1; }), HasSubstr("per second"));
  EXPECT_THAT(error([](auto& o) { o.requests_per_second = NAN; }), HasSubstr("per second"));
  EXPECT_THAT(error([](auto& o) { o.timeout = 0ms; }), HasSubstr("timeout"));
  EXPECT_THAT(error([](auto& o) { o.max_attempts = 0; }), HasSubstr("attempts"));
  ::setenv("WEND_TEST_BAD_KEY", "abc\r\nX-Evil: 1", 1);
  EXPECT_THAT(error([](auto& o) { o.api_key_env = "WEND_TEST_BAD_KEY"; }), HasSubstr("control characters"));
  EXPECT_THAT(error([](auto& o) { o.api_key_env = "WEND_TEST_BAD_KEY"; }), Not(HasSubstr("Evil")));
  ::unsetenv("WEND_TEST_BAD_KEY");
}

TEST_F(HttpJudgeTest, BuildsTheEndpointFromItsBase) {
  for (const char* suffix : {"", "/", "/chat/completions", "?version=2"}) {
    BadServer server(InOrder({{Scored(0.5)}}));
    HttpJudge judge = Open(Options(server.url() + suffix));
    EXPECT_EQ(to_string(ask_one(judge).status), "ok");
    const std::string path = std::string("/v1/chat/completions") + (suffix[0] == '?' ? suffix : "");
    EXPECT_THAT(server.seen().at(0).head, HasSubstr("POST " + path + " HTTP/1.1"));
  }
}

}  // namespace
}  // namespace wend
