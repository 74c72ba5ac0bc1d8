// What the tests of the HTTP judge share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "bad_server.h"
#include "runtime/judge/http_judge.h"

namespace wend::testing {

// A proxy that happens to be configured must not come between the judge and the local server.
class HttpJudgeTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("no_proxy", "*", 1);
    ::setenv("NO_PROXY", "*", 1);
  }
};

inline HttpJudgeOptions Options(const std::string& url) {
  HttpJudgeOptions options;
  options.endpoint = url;
  options.model = "test-model";
  options.timeout = std::chrono::seconds(20);
  options.backoff = std::chrono::milliseconds(5);
  options.max_backoff = std::chrono::milliseconds(20);
  options.seed = 1;
  return options;
}

inline HttpJudge Open(const HttpJudgeOptions& options) {
  Result<HttpJudge> judge = HttpJudge::open(options);
  if (!judge) {
    ADD_FAILURE() << judge.error().message;
    std::abort();
  }
  return std::move(*judge);
}

inline std::vector<JudgeRequest> requests_of(int count) {
  std::vector<JudgeRequest> requests;
  for (int i = 0; i < count; ++i) requests.push_back({"acr", "prompt " + std::to_string(i), "be fair", ""});
  return requests;
}

inline JudgeReply ask_one(HttpJudge& judge) { return judge.ask(requests_of(1)).at(0); }

// A server whose n-th reply is the n-th of these; the last one for all later requests.
inline BadServer::Handler InOrder(std::vector<Script> scripts) {
  return [scripts = std::move(scripts)](int number, const Seen&) {
    return scripts[std::min(static_cast<std::size_t>(number), scripts.size() - 1)];
  };
}

inline JudgeReply ask_once(BadServer& server) {
  HttpJudge judge = Open(Options(server.url()));
  return ask_one(judge);
}

}  // namespace wend::testing
