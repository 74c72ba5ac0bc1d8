// One HTTP request to a chat-completions endpoint and what came of it. Internal to the HTTP judge.
#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/judge/reply_parser.h"
#include "runtime/result.h"

namespace wend {

struct ChatEndpoint {
  std::string url;      // the whole URL of the POST
  std::string api_key;  // empty: no Authorization header
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_body_bytes = 1 << 20;
};

// The endpoint's URL for a base URL such as `http://localhost:8000/v1`: `/chat/completions` is appended to the path
// unless it ends so already; a query stays. Refused: other schemes than http and https, and a user name or password in
// the URL, because URLs end up in messages.
Result<std::string> chat_completions_url(const std::string& base);

struct Attempt {
  Verdict verdict;
  bool transient = false;                           // the same request may well succeed later
  std::optional<std::chrono::seconds> retry_after;  // what the server asked for
};

// A reusable curl handle: begin(), let a multi handle drive handle(), then finish(). Its address must not change
// between them, hence create() hands out a pointer.
class Transfer {
 public:
  static std::unique_ptr<Transfer> create(const ChatEndpoint& endpoint);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* handle() { return easy_.get(); }
  std::size_t job() const { return job_; }

  // Sets up the POST of `body`, whose answer is one of `labels` (a score if there are none); both must live until
  // finish(). `job` is the caller's own number for it.
  void begin(const std::string& body, std::span<const std::string> labels, std::size_t job);

  // What became of the request, given curl's result for it. No text in it holds the API key.
  Attempt finish(CURLcode code);

 private:
  struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  explicit Transfer(const ChatEndpoint& endpoint);
  static std::size_t on_data(char* data, std::size_t size, std::size_t count, void* self);
  Attempt failed_transfer(CURLcode code) const;
  Attempt http_reply(long http_status) const;

  std::string api_key_;
  std::size_t max_body_bytes_;
  std::size_t job_ = 0;
  std::span<const std::string> labels_;
  std::string reply_;
  bool too_large_ = false;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<curl_slist, FreeList> headers_;  // outlives easy_, which reads it
  std::unique_ptr<CURL, FreeEasy> easy_;
};

}  // namespace wend
