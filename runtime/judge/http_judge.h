// A judge behind an OpenAI-compatible chat-completions server.
//
//   HttpJudgeOptions options;
//   options.endpoint = "http://localhost:8000/v1";
//   options.model = "some-model";
//   options.api_key_env = "OPENAI_API_KEY";
//   options.cache_path = "judges.sqlite";
//   Result<HttpJudge> judge = HttpJudge::open(options);
//   if (!judge) return judge.error();
//   std::vector<JudgeReply> replies = judge->ask(requests);   // in the order of the requests
//
// The server must answer with a JSON object {"score": number in [-1, 1], "reason": "..."}, or, where labels are asked
// for, {"label": one of them, "confidence": number in [0, 1], "reason": "..."}; bare or wrapped in prose or fences
// (reply_parser.h). Tried again, after a growing, jittered delay: no or a broken connection, a timeout, half
// a reply, and HTTP 408, 429 and 5xx; a Retry-After is honoured. Not tried again: everything that the same request
// would run into once more. What stays failed has its own status; no score is invented, clamped or assumed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/judge/judge.h"
#include "runtime/result.h"

namespace wend {

struct HttpJudgeOptions {
  std::string endpoint;     // base URL, up to and including `/v1`; http or https
  std::string model;        // as the server calls it
  std::string api_key_env;  // NAME of the environment variable with the key; empty: no key is sent

  double temperature = 0;
  int max_tokens = 256;

  int concurrency = 8;                        // requests in flight
  double requests_per_second = 0;             // evenly spaced; 0: no limit
  std::chrono::milliseconds timeout{30'000};  // for one request, from connecting to the last byte
  std::size_t max_body_bytes = 1 << 20;       // of a reply
  int max_attempts = 4;                       // per request, the first among them
  std::chrono::milliseconds backoff{500};     // before the second attempt; doubles from there, jittered
  std::chrono::milliseconds max_backoff{30'000};
  std::chrono::milliseconds max_retry_wait{60'000};  // a Retry-After beyond this fails the request instead
  std::uint64_t seed = 0;                            // of the jitter

  int max_calls_per_sample = 2;    // different requests with one JudgeRequest::sample in one ask(); 0: no limit
  std::uint64_t max_requests = 0;  // HTTP requests in all, retries among them; 0: no limit
  int give_up_after = 16;          // failed requests in a row that end an ask(); 0: never. After that, one
                                   // failure (of one attempt) ends a later ask(), until something succeeds

  std::string cache_path;  // SQLite file, created if missing; empty: no cache
};

// Called as requests are answered (from the cache, too): `done` of `total` so far. It grows by one or more.
using JudgeProgress = std::function<void(std::size_t done, std::size_t total)>;

// Movable; for one thread at a time. The key is read once, in open(), and appears in no text that comes out of here.
class HttpJudge {
 public:
  // Fails on options that cannot work: a bad URL, an unset variable, a limit below 1. A cache that cannot be used is
  // no failure: see warnings(). Nothing is sent yet.
  static Result<HttpJudge> open(HttpJudgeOptions options);

  HttpJudge(HttpJudge&&) noexcept;
  HttpJudge& operator=(HttpJudge&&) noexcept;
  ~HttpJudge();

  // Asks everything and returns when all of it is answered or has failed; replies[i] belongs to requests[i]. Equal
  // requests are sent once. A sample's calls are counted before the cache is looked at, so that what is asked does not
  // depend on what was asked in earlier runs.
  std::vector<JudgeReply> ask(std::span<const JudgeRequest> requests, const JudgeProgress& progress = {});

  const JudgeStats& stats() const;

  // What went wrong with the cache, one line each; the work went on without it.
  const std::vector<std::string>& warnings() const;

 private:
  struct Impl;
  explicit HttpJudge(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace wend
