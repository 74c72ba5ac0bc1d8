// A local HTTP server that misbehaves on demand: what it sends back, byte for byte, is decided by the test.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace wend::testing {

// What the server does with one request: wait, send the bytes as they are, hold the connection, close it.
struct Script {
  std::string bytes;
  std::chrono::milliseconds delay{0};  // before the bytes
  std::chrono::milliseconds hold{0};   // after them
  bool reset = false;                  // close with a reset instead of an orderly end
};

struct Seen {
  std::string head;  // request line and headers
  std::string body;
  std::chrono::steady_clock::time_point at;  // when it had arrived in full
};

class BadServer {
 public:
  // `handler` is called with the request's number (from 0, in order of arrival) and the request, on a thread of its
  // own for each request.
  using Handler = std::function<Script(int number, const Seen& seen)>;

  explicit BadServer(Handler handler);
  ~BadServer();
  BadServer(const BadServer&) = delete;
  BadServer& operator=(const BadServer&) = delete;

  std::string url() const;  // base URL, with /v1
  std::vector<Seen> seen() const;
  int requests() const;
  int peak() const;  // most requests that were open at once

  // For handlers: waits until `count` requests are open at once, or `limit` has passed.
  void await_open(int count, std::chrono::milliseconds limit);

 private:
  void accept_loop();
  void serve(int socket);
  bool sleep(std::chrono::milliseconds time);  // false if the server stops meanwhile

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  int open_ = 0;
  int peak_ = 0;
  std::vector<Seen> seen_;
  std::vector<int> sockets_;
  std::vector<std::thread> workers_;
  std::thread acceptor_;
};

// A URL at which nobody listens.
std::string dead_url();

// Whole HTTP replies. `headers` are complete lines, each ending in "\r\n".
std::string http(int status, const std::string& body, const std::string& headers = "");

// A chat completion whose message has this content; with HTTP 200.
std::string answer(const std::string& content);

// A well-behaved verdict.
std::string Scored(double score, const std::string& reason = "because");

}  // namespace wend::testing
