#include "bad_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

namespace wend::testing {
namespace {

// A socket bound to a free port of the loopback interface.
int bind_any_port(int& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    std::abort();
  }
  port = ntohs(address.sin_port);
  return fd;
}

std::string url_of(int port) { return "http://127.0.0.1:" + std::to_string(port) + "/v1"; }

std::size_t content_length(std::string head) {
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t at = head.find("content-length:");
  return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 15, nullptr, 10);
}

std::optional<Seen> read_request(int socket) {
  std::string text;
  std::vector<char> buffer(64 * 1024);
  for (;;) {
    const std::size_t end = text.find("\r\n\r\n");
    if (end != std::string::npos && text.size() >= end + 4 + content_length(text.substr(0, end))) {
      return Seen{text.substr(0, end), text.substr(end + 4), std::chrono::steady_clock::now()};
    }
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) return std::nullopt;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

void send_all(int socket, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t now = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return;  // the client hung up, as it may
    sent += static_cast<std::size_t>(now);
  }
}

}  // namespace

BadServer::BadServer(Handler handler) : handler_(std::move(handler)) {
  listener_ = bind_any_port(port_);
  if (::listen(listener_, 256) != 0) std::abort();
  acceptor_ = std::thread([this] { accept_loop(); });
}

BadServer::~BadServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (std::thread& worker : workers_) worker.join();
  ::close(listener_);
}

void BadServer::accept_loop() {
  for (;;) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    const std::lock_guard lock(mutex_);
    if (socket < 0 || stopping_) {
      if (socket >= 0) ::close(socket);
      return;
    }
    sockets_.push_back(socket);
    workers_.emplace_back([this, socket] { serve(socket); });
  }
}

void BadServer::serve(int socket) {
  if (std::optional<Seen> seen = read_request(socket)) {
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = static_cast<int>(seen_.size());
      seen_.push_back(*seen);
      peak_ = std::max(peak_, ++open_);
    }
    changed_.notify_all();
    const Script script = handler_(number, *seen);
    const bool awake = sleep(script.delay);
    {
      // Before the bytes leave: once the client has its reply, it may well send the next request.
      const std::lock_guard lock(mutex_);
      --open_;
    }
    if (awake) send_all(socket, script.bytes);
    sleep(script.hold);
    if (script.reset) {
      const linger abrupt{1, 0};
      ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &abrupt, sizeof abrupt);
    }
  }
  const std::lock_guard lock(mutex_);
  sockets_.erase(std::find(sockets_.begin(), sockets_.end(), socket));
  ::close(socket);
}

bool BadServer::sleep(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return stopping_; });
}

void BadServer::await_open(int count, std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [&] { return stopping_ || peak_ >= count; });
}

std::string BadServer::url() const { return url_of(port_); }

std::vector<Seen> BadServer::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

int BadServer::requests() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(seen_.size());
}

int BadServer::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

std::string dead_url() {
  int port = 0;
  ::close(bind_any_port(port));
  return url_of(port);
}

std::string http(int status, const std::string& body, const std::string& headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Type: application/json\r\n" + headers +
         "Connection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string answer(const std::string& content) {
  const nlohmann::json reply = {
      {"object", "chat.completion"},
      {"choices",
       {{{"index", 0}, {"finish_reason", "stop"}, {"message", {{"role", "assistant"}, {"content", content}}}}}}};
  return http(200, reply.dump());
}

std::string Scored(double score, const std::string& reason) {
  return answer(nlohmann::json{{"score", score}, {"reason", reason}}.dump());
}

}  // namespace wend::testing
