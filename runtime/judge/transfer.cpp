#include "runtime/judge/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wend {
namespace {

constexpr std::string_view kChatPath = "/chat/completions";
constexpr std::chrono::milliseconds kConnectTimeout{10'000};

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// A part of a parsed URL; empty if it has none.
std::string url_part(CURLU* url, CURLUPart part) {
  char* raw = nullptr;
  if (curl_url_get(url, part, &raw, 0) != CURLUE_OK) return {};
  const std::unique_ptr<char, decltype(&curl_free)> owned(raw, &curl_free);
  return raw;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Failures of the network that may be gone at the next try. A bad certificate or an unknown protocol will not be.
bool is_transient(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

bool is_transient(long http_status) { return http_status == 408 || http_status == 429 || http_status >= 500; }

// Shorter keys are no secrets but the fillers that local servers want ("EMPTY", "0").
constexpr std::size_t kSecretBytes = 8;

void redact(std::string& text, const std::string& secret) {
  if (secret.size() < kSecretBytes) return;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "[key]");
    at += 5;
  }
}

template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  curl_easy_setopt(easy, option, value);
}

}  // namespace

Result<std::string> chat_completions_url(const std::string& base) {
  const std::unique_ptr<CURLU, FreeUrl> url(curl_url());
  if (!url || curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) != CURLUE_OK) {
    // The text is not repeated: what is no URL may be anything, a key in the wrong place for one.
    return Error{"the judge's endpoint is not a URL such as `http://localhost:8000/v1`"};
  }
  const std::string scheme = url_part(url.get(), CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") {
    return Error{fmt::format("the judge's endpoint must start with `http://` or `https://`, not `{}://`", scheme)};
  }
  if (!url_part(url.get(), CURLUPART_USER).empty() || !url_part(url.get(), CURLUPART_PASSWORD).empty()) {
    return Error{"the judge's endpoint holds a user name or password; name an environment variable with the key"};
  }
  std::string path = url_part(url.get(), CURLUPART_PATH);
  while (!path.empty() && path.back() == '/') path.pop_back();
  if (!ends_with(path, kChatPath)) path += kChatPath;
  curl_url_set(url.get(), CURLUPART_PATH, path.c_str(), 0);
  curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  return url_part(url.get(), CURLUPART_URL);
}

std::unique_ptr<Transfer> Transfer::create(const ChatEndpoint& endpoint) {
  std::unique_ptr<Transfer> transfer(new Transfer(endpoint));
  return transfer->easy_ ? std::move(transfer) : nullptr;
}

Transfer::Transfer(const ChatEndpoint& endpoint)
    : api_key_(endpoint.api_key), max_body_bytes_(endpoint.max_body_bytes), easy_(curl_easy_init()) {
  if (!easy_) return;
  const auto add_header = [this](const std::string& line) {
    // Appending to a list returns the list itself, appending to none a new one; null only if memory has run out, in
    // which case the request goes without the header.
    curl_slist* list = curl_slist_append(headers_.get(), line.c_str());
    if (!headers_) headers_.reset(list);
  };
  add_header("Content-Type: application/json");
  add_header("Accept: application/json");
  // Without this curl asks for leave to send a large body, and waits a second where no answer comes.
  add_header("Expect:");
  if (!api_key_.empty()) add_header("Authorization: Bearer " + api_key_);

  CURL* easy = easy_.get();
  set(easy, CURLOPT_URL, endpoint.url.c_str());
  set(easy, CURLOPT_HTTPHEADER, headers_.get());
  set(easy, CURLOPT_USERAGENT, "wend");
  set(easy, CURLOPT_POST, 1L);
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);  // a redirect could take the key elsewhere
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(endpoint.timeout.count()));
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(endpoint.timeout, kConnectTimeout).count()));
  set(easy, CURLOPT_ERRORBUFFER, error_.data());
  set(easy, CURLOPT_WRITEFUNCTION, &Transfer::on_data);
  set(easy, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(easy, CURLOPT_PRIVATE, static_cast<void*>(this));
}

std::size_t Transfer::on_data(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::size_t bytes = size * count;
  if (bytes > transfer.max_body_bytes_ - transfer.reply_.size()) {
    transfer.too_large_ = true;
    return 0;  // anything but `bytes` makes curl end the transfer
  }
  transfer.reply_.append(data, bytes);
  return bytes;
}

void Transfer::begin(const std::string& body, std::span<const std::string> labels, std::size_t job) {
  job_ = job;
  labels_ = labels;
  reply_.clear();
  too_large_ = false;
  error_[0] = '\0';
  set(easy_.get(), CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(easy_.get(), CURLOPT_POSTFIELDS, body.data());
}

Attempt Transfer::finish(CURLcode code) {
  long http_status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &http_status);
  // Servers do repeat the key that they refuse. Before the reply is quoted, because a quote may cut it in two; and
  // after, because JSON may have spelt it in escapes.
  redact(reply_, api_key_);
  Attempt attempt = code == CURLE_OK ? http_reply(http_status) : failed_transfer(code);
  curl_off_t retry_after = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &retry_after);
  if (attempt.transient && retry_after > 0) attempt.retry_after = std::chrono::seconds(retry_after);
  redact(attempt.verdict.reason, api_key_);
  return attempt;
}

Attempt Transfer::failed_transfer(CURLcode code) const {
  if (too_large_) {
    return {{JudgeStatus::too_large, 0, fmt::format("the reply is larger than {} bytes", max_body_bytes_)}, false, {}};
  }
  const std::string text = one_line(error_[0] != '\0' ? error_.data() : curl_easy_strerror(code), 200);
  JudgeStatus status = JudgeStatus::network_error;
  if (code == CURLE_OPERATION_TIMEDOUT) {
    status = JudgeStatus::timeout;
  } else if (code == CURLE_PARTIAL_FILE || !reply_.empty()) {
    status = JudgeStatus::truncated;
  } else if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY) {
    status = JudgeStatus::bad_reply;  // the server does not speak HTTP
  }
  return {{status, 0, text}, is_transient(code), {}};
}

Attempt Transfer::http_reply(long http_status) const {
  if (http_status == 200) {
    Attempt attempt{parse_completion(reply_, labels_), false, {}};
    attempt.transient = attempt.verdict.status == JudgeStatus::truncated;
    return attempt;
  }
  const JudgeStatus status = http_status == 429 ? JudgeStatus::rate_limited : JudgeStatus::http_error;
  return {{status, 0, fmt::format("HTTP {}: {}", http_status, error_text(reply_))}, is_transient(http_status), {}};
}

}  // namespace wend
