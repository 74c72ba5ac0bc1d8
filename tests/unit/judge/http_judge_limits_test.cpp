// The limits of the HTTP judge: concurrency, rate, Retry-After, budgets, giving up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "judge_testing.h"

namespace wend {
namespace {

using namespace std::chrono_literals;
using testing::ask_once;
using testing::ask_one;
using testing::BadServer;
using ::testing::HasSubstr;
using testing::http;
using testing::HttpJudgeTest;
using testing::InOrder;
using testing::Open;
using testing::Options;
using testing::requests_of;
using testing::Scored;
using testing::Script;
using testing::Seen;

TEST_F(HttpJudgeTest, HonoursRetryAfter) {
  BadServer server(InOrder({{http(429, "slow down", "Retry-After: 1\r\n")}, {Scored(0.5)}}));
  HttpJudge judge = Open(Options(server.url()));
  EXPECT_EQ(to_string(ask_one(judge).status), "ok");
  const std::vector<Seen> seen = server.seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_GE(seen[1].at - seen[0].at, 900ms) << "the backoff alone would have been 20 ms at most";
}

TEST_F(HttpJudgeTest, RetryAfterHoldsBackOtherRequestsToo) {
  BadServer server(InOrder({{http(503, "busy", "Retry-After: 1\r\n")}, {Scored(0.5)}}));
  HttpJudgeOptions options = Options(server.url());
  options.concurrency = 1;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(3));
  const std::vector<Seen> seen = server.seen();
  ASSERT_EQ(seen.size(), 4u);
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GE(seen[i].at - seen[0].at, 900ms);
}

TEST_F(HttpJudgeTest, DoesNotWaitForARetryAfterOfAnHour) {
  BadServer server(InOrder({{http(429, R"({"error": {"message": "quota"}})", "Retry-After: 3600\r\n")}}));
  const JudgeReply reply = ask_once(server);
  EXPECT_EQ(to_string(reply.status), "rate_limited");
  EXPECT_THAT(reply.reason, HasSubstr("3600"));
  EXPECT_EQ(reply.attempts, 1);
}

TEST_F(HttpJudgeTest, AsksSeveralAtOnceButNoMoreThanAllowed) {
  BadServer* running = nullptr;
  BadServer server([&](int number, const Seen&) {
    if (number < 4) running->await_open(4, 10s);
    return Script{Scored(0.5), 20ms};
  });
  running = &server;
  HttpJudgeOptions options = Options(server.url());
  options.concurrency = 4;
  HttpJudge judge = Open(options);
  for (const JudgeReply& reply : judge.ask(requests_of(24))) EXPECT_EQ(to_string(reply.status), "ok") << reply.reason;
  EXPECT_EQ(server.peak(), 4);
  EXPECT_EQ(server.requests(), 24);
}

TEST_F(HttpJudgeTest, KeepsToItsRate) {
  BadServer server(InOrder({{Scored(0.5)}}));
  HttpJudgeOptions options = Options(server.url());
  options.requests_per_second = 20;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(11));
  const std::vector<Seen> seen = server.seen();
  ASSERT_EQ(seen.size(), 11u);
  auto first = seen[0].at;
  auto last = seen[0].at;
  for (const Seen& one : seen) {
    first = std::min(first, one.at);
    last = std::max(last, one.at);
  }
  // Ten gaps of 50 ms; a fifth is left to the network.
  EXPECT_GE(last - first, 400ms);
}

TEST_F(HttpJudgeTest, AsksEqualRequestsOnce) {
  BadServer server([](int number, const Seen&) { return Script{Scored(number == 0 ? 0.25 : 0.75)}; });
  HttpJudge judge = Open(Options(server.url()));
  std::vector<JudgeRequest> requests(3, requests_of(1)[0]);
  const std::vector<JudgeReply> replies = judge.ask(requests);
  EXPECT_EQ(server.requests(), 1);
  for (const JudgeReply& reply : replies) EXPECT_EQ(reply.score, 0.25);
  EXPECT_FALSE(replies[0].cached);
  EXPECT_TRUE(replies[2].cached);
}

TEST_F(HttpJudgeTest, HoldsASampleToItsCalls) {
  BadServer server(InOrder({{Scored(0.5)}}));
  HttpJudge judge = Open(Options(server.url()));
  std::vector<JudgeRequest> requests = requests_of(6);
  for (JudgeRequest& request : requests) request.sample = "dialogue-1";
  requests[1] = requests[0];  // the same question again costs nothing, before the limit
  requests[5] = requests[0];  // or after
  requests[4].sample = "dialogue-2";
  const std::vector<JudgeReply> replies = judge.ask(requests);
  std::vector<std::string> statuses;
  for (const JudgeReply& reply : replies) statuses.emplace_back(to_string(reply.status));
  EXPECT_THAT(statuses, ::testing::ElementsAre("ok", "ok", "ok", "over_budget", "ok", "ok"));
  EXPECT_EQ(replies[3].attempts, 0);
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(HttpJudgeTest, HoldsTheRunToItsRequests) {
  BadServer server(InOrder({{http(500, "")}, {Scored(0.5)}}));
  HttpJudgeOptions options = Options(server.url());
  options.max_requests = 3;
  options.concurrency = 1;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(10));
  EXPECT_EQ(server.requests(), 3);
  EXPECT_EQ(judge.stats().ok + judge.stats().count(JudgeStatus::http_error), 3u - judge.stats().retries);
  EXPECT_GE(judge.stats().count(JudgeStatus::over_budget), 7u);
  EXPECT_EQ(judge.stats().asked, 10u);
}

TEST_F(HttpJudgeTest, GivesUpOnAServerThatIsDown) {
  BadServer server(InOrder({{http(500, "down")}}));
  HttpJudgeOptions options = Options(server.url());
  options.max_attempts = 2;
  options.give_up_after = 5;
  HttpJudge judge = Open(options);
  const std::vector<JudgeReply> replies = judge.ask(requests_of(1000));
  EXPECT_LT(server.requests(), 1500) << "a thousand requests of two attempts each";
  EXPECT_EQ(judge.stats().failed, 1000u);
  EXPECT_GE(judge.stats().count(JudgeStatus::http_error), 5u);
  EXPECT_GT(judge.stats().count(JudgeStatus::gave_up), 0u);
  EXPECT_THAT(replies.back().reason, HasSubstr("HTTP 500: down"));
  EXPECT_EQ(replies.back().attempts, 0);
}

TEST_F(HttpJudgeTest, HavingGivenUpProbesWithOneRequestUntilTheServerIsBack) {
  std::atomic<bool> down = true;
  BadServer server([&](int, const Seen&) { return Script{down ? http(400, "down") : Scored(0.5)}; });
  HttpJudgeOptions options = Options(server.url());
  options.concurrency = 1;
  options.give_up_after = 5;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(50));
  EXPECT_EQ(server.requests(), 5);
  judge.ask(requests_of(50));
  EXPECT_EQ(server.requests(), 6);
  down = false;
  for (const JudgeReply& reply : judge.ask(requests_of(50))) EXPECT_EQ(to_string(reply.status), "ok");
  EXPECT_EQ(server.requests(), 56);
}

TEST_F(HttpJudgeTest, HavingGivenUpProbesWithOneAttempt) {
  BadServer server(InOrder({{http(500, "down")}}));
  HttpJudgeOptions options = Options(server.url());
  options.max_attempts = 4;
  options.give_up_after = 2;
  HttpJudge judge = Open(options);
  EXPECT_EQ(ask_one(judge).attempts, 4);
  EXPECT_EQ(ask_one(judge).attempts, 4);
  EXPECT_EQ(ask_one(judge).attempts, 1);
}

TEST_F(HttpJudgeTest, HavingGivenUpTriesNothingAgain) {
  BadServer* running = nullptr;
  BadServer server([&](int number, const Seen&) {
    running->await_open(4, 10s);
    return number == 0 ? Script{http(400, "no")} : Script{http(500, "later"), 200ms};
  });
  running = &server;
  HttpJudgeOptions options = Options(server.url());
  options.concurrency = 4;
  options.give_up_after = 1;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(4));
  EXPECT_EQ(server.requests(), 4) << "those under way when it gave up are not repeated";
  EXPECT_EQ(judge.stats().count(JudgeStatus::http_error), 4u);
}

TEST_F(HttpJudgeTest, OneFailureAmongManyDoesNotEndTheRun) {
  BadServer server([](int, const Seen& seen) {
    const bool bad =
        seen.body.find("prompt 3\"") != std::string::npos || seen.body.find("prompt 17\"") != std::string::npos;
    return Script{bad ? http(400, "no") : Scored(0.5)};
  });
  HttpJudgeOptions options = Options(server.url());
  options.give_up_after = 2;
  options.concurrency = 1;
  HttpJudge judge = Open(options);
  judge.ask(requests_of(30));
  EXPECT_EQ(judge.stats().ok, 28u);
  EXPECT_EQ(judge.stats().count(JudgeStatus::http_error), 2u);
}

}  // namespace
}  // namespace wend
