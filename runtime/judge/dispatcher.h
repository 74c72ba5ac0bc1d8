// Sends many chat requests over a few connections: bounded concurrency, a request rate, and retries of what failed for
// a passing reason. Internal to the HTTP judge.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/judge/judge.h"
#include "runtime/judge/pacing.h"
#include "runtime/judge/transfer.h"
#include "runtime/result.h"

namespace wend {

struct DispatchLimits {
  int concurrency = 8;
  double requests_per_second = 0;  // 0: as fast as they return
  int max_attempts = 4;            // per request, the first among them
  BackoffPolicy backoff;
  std::chrono::milliseconds max_retry_wait{60'000};  // a server that asks for longer is not waited for
  int give_up_after = 16;                            // failed requests in a row that end a run; 0: never
  std::uint64_t max_requests = 0;                    // sent in all, over every run; 0: no limit
};

struct ChatJob {
  std::string body;                     // the JSON to post
  std::uint64_t stream = 0;             // names the job for its jitter
  std::span<const std::string> labels;  // one of which is asked for; empty: a score
};

// Called once for each job, in the order in which they end.
using JobDone = std::function<void(std::size_t job, JudgeReply reply)>;

class Dispatcher {
 public:
  static Result<Dispatcher> open(const ChatEndpoint& endpoint, const DispatchLimits& limits);

  // Sends every job and returns when each has been reported. Connections stay open from one run to the next.
  void run(std::span<const ChatJob> jobs, const JobDone& done);

  std::uint64_t requests() const { return requests_; }
  std::uint64_t retries() const { return retries_; }

 private:
  struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };
  class Run;

  explicit Dispatcher(const DispatchLimits& limits);

  DispatchLimits limits_;
  TokenBucket bucket_;
  std::uint64_t requests_ = 0;
  std::uint64_t retries_ = 0;
  int failed_in_a_row_ = 0;  // kept from run to run: one more failure ends a run on a server that is still down
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::vector<std::unique_ptr<Transfer>> transfers_;  // after multi_: curl wants its easy handles gone first
};

}  // namespace wend
